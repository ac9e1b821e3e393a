"""Lines that may matter, found in chunks: each once, whatever stands in it, and never more work than there are bytes."""

from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Chunk, Line, read_chunks
from resume_forensics.read.search import Needles, find_lines

WHOLE = 1 << 62


def chunks_of(path: Path, content: bytes, limits: Limits | None = None) -> list[tuple[int, bytes | None]]:
    """The chunks and giant lines (None) of a file, each with the byte at which it begins."""
    path.write_bytes(content)
    with open_regular(path) as stream:
        parts = read_chunks(stream, WHOLE, limits=limits or Limits())
        return [(part.byte, None if isinstance(part, Line) else part.data[part.start : part.stop]) for part in parts]


def only_chunk(path: Path, content: bytes) -> Chunk:
    path.write_bytes(content)
    with open_regular(path) as stream:
        (chunk,) = read_chunks(stream, WHOLE)
    assert isinstance(chunk, Chunk)
    return chunk


@pytest.mark.parametrize("block", [1, 3, 7, 8, 64])
def test_chunks_are_whole_lines_and_together_the_file(tmp_path: Path, block: int) -> None:
    """A line that is longer than two blocks, or than a line may be, comes alone."""
    lines = [b"a\n", b"bb\n", b"\n", b"c" * 20 + b"\n", b"dddd\n", b"e" * 9]
    starts = [0, 2, 5, 6, 27, 32]
    giants = {start: line for start, line in zip(starts, lines, strict=True) if len(line.strip()) > min(2 * block, 10)}
    parts = chunks_of(tmp_path / "f", b"".join(lines), Limits(block_bytes=block, line_bytes=10))
    assert [byte for byte, data in parts if data is None] == list(giants)
    assert b"".join(data or giants[byte] for byte, data in parts) == b"".join(lines)
    assert all(data.endswith(b"\n") for _, data in parts[:-1] if data)


def test_a_giant_line_without_an_end_comes_alone(tmp_path: Path) -> None:
    assert chunks_of(tmp_path / "f", b"a\n" + b"x" * 30, Limits(block_bytes=8, line_bytes=10)) == [(0, b"a\n"), (2, None)]
    assert chunks_of(tmp_path / "f", b"", Limits(block_bytes=8)) == []


def test_a_line_is_named_once_however_many_needles_it_holds(tmp_path: Path) -> None:
    chunk = only_chunk(tmp_path / "f", b'{"n":"needle needle needle"}\n{"n":1}\n{"n":"needle","t":"needle"}\n')
    starts = Needles(("needle",)).nominate(chunk).starts
    assert [start - chunk.start for start in starts] == [0, 37]


def test_lines_are_found_by_walking_over_them_once(tmp_path: Path) -> None:
    """A line that holds a million hits is walked over once, not once for each."""
    chunk = only_chunk(tmp_path / "f", b"{}\n" + b"x" * 1_000 + b"\n{}\n")
    looked: list[tuple[int, int]] = []

    class Watched:
        def rfind(self, what: bytes, start: int, stop: int) -> int:
            looked.append((start - chunk.start, stop - chunk.start))
            return chunk.data.rfind(what, start, stop)

        def find(self, what: bytes, start: int, stop: int) -> int:
            return chunk.data.find(what, start, stop)

    watched = chunk._replace(data=Watched())  # type: ignore[arg-type]  # it finds, and that is all that is asked of it
    found = [start - chunk.start for start in find_lines(watched, range(chunk.start, chunk.stop))]
    assert found == [0, 3, 1_004]
    assert looked == [(0, 0), (3, 3), (1_004, 1_004)]  # a line is looked for from the end of the one before it


def test_the_last_line_without_newline_is_counted_and_judged(tmp_path: Path) -> None:
    chunk = only_chunk(tmp_path / "f", b'{"n":2')
    nomination = Needles(("needle",)).nominate(chunk)
    assert (nomination.lines, nomination.starts) == (1, [chunk.start])


def test_keys_are_told_apart_from_needles(tmp_path: Path) -> None:
    chunk = only_chunk(tmp_path / "f", b'{"of":"a","n":"of"}\n{"t":"needle","of" : "b"}\n{"soft":1,"by":"c","of":2}\n')
    nomination = Needles(("needle",), keys=("of", "by")).nominate(chunk)
    assert [start - chunk.start for start in nomination.starts] == [20]
    assert nomination.before == [1]
    spots = [([spot - chunk.start for spot in usual], [spot - chunk.start for spot in unusual]) for usual, unusual in nomination.spots]
    assert spots == [([7], [18, 38, 69]), ([62], [])]
