"""A whole transcript: what is counted, what is listed, and what is said of a file that changes under the reader."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import Limits
from resume_forensics.model.record import Malformed, Place, Record
from resume_forensics.read import records as module
from resume_forensics.read.decode import BREAKS_OFF, GLUED, NO_OBJECT, NOT_JSON, ONLY_NULS, TOO_LONG
from resume_forensics.read.records import GONE, GREW, REPLACED, REWRITTEN, SHRANK, Reading, read_records

MIXED = b'\xef\xbb\xbf{"n":1}\r\n\r\n  \n[1]\n{"n":2}{"n":3}\n' + b"\0" * 9 + b'\n{"n":4}\n{"n":'


def test_every_line_is_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(MIXED)
    reading = Reading(path)
    items = list(reading)
    assert [item.data["n"] for item in items if isinstance(item, Record)] == [1, 2, 3, 4]
    assert [(item.place.line, item.reason, item.salvaged) for item in items if isinstance(item, Malformed)] == [
        (4, NO_OBJECT, False),
        (5, GLUED, True),
        (6, ONLY_NULS, False),
        (8, BREAKS_OFF, False),
    ]
    assert (reading.lines, reading.blank, reading.records, reading.unparsable) == (8, 2, 4, 4)
    assert reading.bad_lines == [item for item in items if isinstance(item, Malformed)]
    assert (reading.size_bytes, reading.changed) == (len(MIXED), None)
    assert items[0].place == Place(line=1, byte=0)
    assert items[-1].place == Place(line=8, byte=MIXED.rindex(b"{"))
    assert list(read_records(path)) == items


def test_only_the_first_bad_lines_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"bad\n" * 9)
    reading = Reading(path, limits=Limits(unparsable_listed=2))
    assert sum(1 for _ in reading) == 9
    assert (reading.unparsable, [bad.place.line for bad in reading.bad_lines]) == (9, [1, 2])


def test_a_line_that_is_too_long_even_so_is_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"a":1}\n[' + b"1," * 99 + b'1]\n{"b":2}\n')
    reading = Reading(path, limits=Limits(line_bytes=50, elided_structure_bytes=100))
    items = list(reading)
    assert items[1] == Malformed(place=Place(line=2, byte=8), reason=TOO_LONG)
    assert (len(items), reading.unparsable) == (3, 1)


def test_a_head_leaves_out_the_line_that_its_bound_cuts(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3}')
    for max_bytes, expected in [(0, 0), (7, 0), (8, 1), (12, 1), (16, 2), (22, 2), (23, 3), (999, 3)]:
        assert len(list(read_records(path, max_bytes=max_bytes))) == expected


@pytest.mark.parametrize("read", [Reading, read_records])
def test_what_is_no_file_is_refused_at_the_first_step(tmp_path: Path, read: Callable[[Path], Reading]) -> None:
    with pytest.raises(UnreadableFile):
        next(iter(read(tmp_path)))


def grow(path: Path) -> None:
    """Append, as a live session does."""
    with path.open("ab") as stream:
        stream.write(b'{"n":3}\n')


def replace(path: Path) -> None:
    """Put another file in its place."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def rewrite(path: Path) -> None:
    """Write into it without a change of size."""
    with path.open("r+b") as stream:
        stream.write(b'{"m":1}\n')
    os.utime(path, (1, 1))


@pytest.mark.parametrize(
    ("change", "sentence", "records"),
    [
        (grow, GREW, 2),
        (lambda path: os.truncate(path, 8), SHRANK, 1),
        (replace, REPLACED, 2),
        (rewrite, REWRITTEN, 2),
        (Path.unlink, GONE, 2),
    ],
)
def test_a_file_that_changes_while_it_is_read_is_said(tmp_path: Path, change: Callable[[Path], None], sentence: str, records: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"n":1}\n{"n":2}\n')
    reading = Reading(path, limits=Limits(block_bytes=8))
    steps = iter(reading)
    first = next(steps)
    change(path)
    assert len([first, *steps]) == records
    assert reading.changed == sentence


def test_a_file_that_shrinks_below_what_was_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"n":1}\n{"n":2}\n')
    reading = Reading(path)
    steps = iter(reading)
    items = [next(steps), next(steps)]
    os.truncate(path, 8)
    assert list(steps) == []
    assert len(items) == 2
    assert reading.changed == SHRANK


def test_reading_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(MIXED)
    os.utime(path, (1, 1))
    before = (path.stat().st_mtime_ns, path.stat().st_mode, sorted(tmp_path.iterdir()))
    list(Reading(path))
    assert (path.stat().st_mtime_ns, path.stat().st_mode, sorted(tmp_path.iterdir())) == before


def test_the_plain_road_decodes_each_good_line_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"n":1}\n' * 50)
    monkeypatch.setattr(module, "decode_line", None)  # the slow road must not be entered
    reading = Reading(path)
    assert sum(1 for _ in reading) == reading.records == 50


def test_a_damaged_line_has_a_reason_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"secret words\n")
    (item,) = Reading(path)
    assert isinstance(item, Malformed)
    assert item.reason == NOT_JSON
