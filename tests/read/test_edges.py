"""Both ends of a file at one opening: the same items as a reading from either end, however the lines lie to what was read at once."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Record
from resume_forensics.read.edges import Edges
from resume_forensics.read.records import Item, read_records
from resume_forensics.read.tail import BackwardReading
from resume_forensics.read.windows import find_whole_end

LINES = st.lists(st.sampled_from([b"", b'{"n":1}', b"{torn", b"\r", b'{"n":"' + b"x" * 40 + b'"}']), max_size=12)


def describe(item: Item) -> tuple[int, object]:
    return item.place.byte, item.data if isinstance(item, Record) else item.reason


def forwards(path: Path, limits: Limits = LIMITS) -> list[tuple[int, object]]:
    return [describe(item) for item in Edges(path, limits=limits).read_forwards()]


def backwards(path: Path, limits: Limits = LIMITS) -> list[tuple[int, object]]:
    return [describe(item) for item in Edges(path, limits=limits).read_backwards()]


@given(lines=LINES, ended=st.booleans(), edge_bytes=st.integers(min_value=1, max_value=120), probe_bytes=st.sampled_from([30, 10_000]))
def test_the_items_are_those_of_a_reading_from_either_end(
    tmp_path_factory: pytest.TempPathFactory, *, lines: list[bytes], ended: bool, edge_bytes: int, probe_bytes: int
) -> None:
    path = tmp_path_factory.mktemp("edges") / "x.jsonl"
    content = b"\n".join(lines) + b"\n" * ended
    path.write_bytes(content)
    limits = Limits(probe_bytes=probe_bytes, edge_bytes=edge_bytes)
    ends = Edges(path, limits=limits)
    assert (ends.size_bytes, ends.whole_end) == find_whole_end(path)
    if edge_bytes <= probe_bytes:
        assert forwards(path, limits) == [describe(item) for item in read_records(path, max_bytes=probe_bytes)]
        assert backwards(path, limits) == [describe(item) for item in BackwardReading(path, max_bytes=probe_bytes)]


def test_lines_are_numbered_from_the_beginning_and_from_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3}')
    assert [item.place.line for item in Edges(path).read_forwards()] == [1, 2, 3]
    assert [item.place.line for item in Edges(path).read_backwards()] == [-1, -2, -3]


def test_what_the_ends_say_is_read_at_one_opening(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"n":"' + b"x" * 1000 + b'"}\n')
    content = path.read_bytes() * 100
    path.write_bytes(content)
    ends = Edges(path)
    path.unlink()
    assert len(list(islice(ends.read_forwards(), 10))) == 10
    assert len(list(islice(ends.read_backwards(), 10))) == 10


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        Edges(tmp_path)
