"""The end of a file, read backwards: the same lines as forwards, never more bytes than allowed."""

import os
from itertools import islice
from pathlib import Path

import pytest

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import Limits
from resume_forensics.model.record import Malformed, Place, Record
from resume_forensics.read.records import Item
from resume_forensics.read.tail import BackwardReading, read_text_tail
from resume_forensics.text import CUT_MARK, Raw

TEN = b"".join(b'{"n":%d}\n' % n for n in range(10))


def tail_of(path: Path, *, max_bytes: int = 1_000, end: int | None = None, limits: Limits | None = None) -> tuple[list[Item], bool]:
    """What a backward pass gives, turned into file order, and whether it was cut."""
    reading = BackwardReading(path, max_bytes=max_bytes, end=end, limits=limits or Limits())
    return list(reading)[::-1], reading.cut


def numbers(path: Path, records: int, max_bytes: int = 10_000, limits: Limits | None = None) -> tuple[list[object], bool]:
    """The numbers in the last records, and whether the reading was cut before it had so many."""
    reading = BackwardReading(path, max_bytes=max_bytes, limits=limits or Limits())
    last = list(islice(reading, records))[::-1]
    return [record.data["n"] for record in last if isinstance(record, Record)], reading.cut


@pytest.mark.parametrize("block", [1, 3, 8, 9, 1000])
def test_the_last_records_come_in_file_order(tmp_path: Path, block: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEN)
    limits = Limits(block_bytes=block)
    assert numbers(path, 3, limits=limits) == ([7, 8, 9], False)
    assert numbers(path, 10, limits=limits) == (list(range(10)), False)
    assert numbers(path, 99, limits=limits) == (list(range(10)), False)


def test_places_count_lines_from_the_end_and_bytes_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"n":0}\n\nbad\n{"n":1}{"n":2}')
    items, _ = tail_of(path)
    assert [item.place for item in items] == [
        Place(line=-4, byte=0),
        Place(line=-2, byte=9),
        *[Place(line=-1, byte=13)] * 3,
    ]
    assert [isinstance(item, Malformed) for item in items] == [False, True, True, False, False]


def test_the_bound_in_bytes_is_kept_and_said(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEN)
    for max_bytes in range(len(TEN) + 3):
        records, cut = numbers(path, 99, max_bytes=max_bytes, limits=Limits(block_bytes=5))
        whole_lines = 10 if max_bytes >= len(TEN) else max(0, max_bytes - 1) // 8
        assert records == list(range(10 - whole_lines, 10))
        assert cut == (max_bytes < len(TEN))


def test_enough_ends_the_reading_before_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEN * 1000)
    reading = BackwardReading(path, max_bytes=100_000, limits=Limits(block_bytes=64))
    assert isinstance(next(iter(reading)), Record)
    assert reading.bytes_left == 100_000 - 64
    assert not reading.cut


def test_a_file_can_be_taken_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEN)
    items, _ = tail_of(path, end=24)
    assert [record.data["n"] for record in items if isinstance(record, Record)] == [0, 1, 2]
    assert items[-1].place == Place(line=-1, byte=16)


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n  \n"])
def test_a_file_without_records_has_an_empty_tail(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(content)
    assert tail_of(path) == ([], False)


def test_a_giant_line_is_cut_like_forwards_or_ends_the_tail(tmp_path: Path) -> None:
    path = tmp_path / "f"
    giant = b'{"n":"' + b"x" * 500 + b'"}\n'
    path.write_bytes(b'{"n":0}\n' + giant + b'{"n":2}\n')
    limits = Limits(block_bytes=16, line_bytes=100, string_bytes=10)
    assert numbers(path, 99, limits=limits) == ([0, "x" * 10 + CUT_MARK, 2], False)
    assert numbers(path, 99, max_bytes=800, limits=limits) == ([2], True)
    path.write_bytes(giant + b'{"n":2}\n')
    assert numbers(path, 99, limits=limits) == (["x" * 10 + CUT_MARK, 2], False)
    assert numbers(path, 99, max_bytes=800, limits=limits) == ([2], True)


def test_a_file_that_shrinks_under_the_reader_ends_the_tail(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEN)
    reading = BackwardReading(path, max_bytes=1000, limits=Limits(block_bytes=16))
    steps = iter(reading)
    next(steps)
    os.truncate(path, 0)
    assert len(list(steps)) <= 1
    assert reading.cut


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        tail_of(tmp_path)
    with pytest.raises(UnreadableFile):
        read_text_tail(tmp_path, max_bytes=10)


def test_the_tail_of_text_begins_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"first\nsecond \xff\nthird\n")
    whole = read_text_tail(path, max_bytes=100)
    assert (whole.text, whole.cut) == (Raw("first\nsecond \ufffd\nthird\n"), False)
    part = read_text_tail(path, max_bytes=9)
    assert (part.text, part.cut) == (Raw("third\n"), True)
    path.write_bytes("é".encode() * 50)
    assert read_text_tail(path, max_bytes=10).text == Raw("é" * 5)
