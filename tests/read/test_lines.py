"""Physical lines: numbers, offsets, what ends one, and what a giant one costs."""

from pathlib import Path

import pytest

from resume_forensics.limits import MIB, Limits
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Line, read_blocks, read_lines

WHOLE = 1 << 62


def lines_of(path: Path, content: bytes, *, end: int = WHOLE, limits: Limits | None = None) -> list[Line]:
    """Write a file and read its lines."""
    path.write_bytes(content)
    with open_regular(path) as stream:
        return list(read_lines(stream, end, limits=limits or Limits()))


@pytest.mark.parametrize("block", [1, 2, 3, 1000])
def test_lines_end_at_line_feeds_only(tmp_path: Path, block: int) -> None:
    content = b"a\r\n\nb\x0b\x0c\x1c\xe2\x80\xa8\xc2\x85c\rd\nlast"
    assert lines_of(tmp_path / "f", content, limits=Limits(block_bytes=block)) == [
        Line(1, 0, b"a\r"),
        Line(2, 3, b""),
        Line(3, 4, b"b\x0b\x0c\x1c\xe2\x80\xa8\xc2\x85c\rd"),
        Line(4, 17, b"last", ended=False),
    ]


def test_nothing_follows_the_last_line_feed(tmp_path: Path) -> None:
    assert lines_of(tmp_path / "f", b"") == []
    assert lines_of(tmp_path / "f", b"\n") == [Line(1, 0, b"")]
    assert lines_of(tmp_path / "f", b"a\n") == [Line(1, 0, b"a")]


def test_reading_ends_at_the_byte_it_is_told(tmp_path: Path) -> None:
    assert lines_of(tmp_path / "f", b"one\ntwo\nthree\n", end=6) == [Line(1, 0, b"one"), Line(2, 4, b"tw", ended=False)]


def test_a_block_is_never_larger_than_allowed(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 100)
    with open_regular(tmp_path / "f") as stream:
        assert [len(block) for block in read_blocks(stream, 70, Limits(block_bytes=30))] == [30, 30, 10]
    with open_regular(tmp_path / "f") as stream:
        assert max(len(block) for block in read_blocks(stream, 70, Limits(line_bytes=16))) == 16


@pytest.mark.parametrize("block", [1, 4, 64, MIB])
def test_a_giant_line_is_cut_and_those_around_it_are_not(tmp_path: Path, block: int) -> None:
    giant = b'{"a":"' + b"x" * 300 + b'"}'
    limits = Limits(block_bytes=block, line_bytes=100, string_bytes=10, elided_line_bytes=50, elided_string_bytes=5)
    first, second, third = lines_of(tmp_path / "f", b"before\n" + giant + b"\nafter\n", limits=limits)
    assert (first.data, third.data) == (b"before", b"after")
    assert (second.number, second.byte, len(second.data), second.too_long) == (2, 7, len(b'{"a":""}') + 10 + 9, False)
    assert third.byte == 7 + len(giant) + 1


def test_a_line_that_cannot_be_made_to_fit_says_so_and_the_next_one_is_read(tmp_path: Path) -> None:
    limits = Limits(block_bytes=16, line_bytes=100, elided_structure_bytes=200)
    assert lines_of(tmp_path / "f", b"1," * 150 + b"\nnext\n", limits=limits) == [
        Line(1, 0, b"", too_long=True),
        Line(2, 301, b"next"),
    ]
