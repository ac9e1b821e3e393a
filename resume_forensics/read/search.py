"""Finds literal texts in chunks of a transcript, and says which lines may matter. In: chunks. Out: where lines begin; nothing is decoded.

A line may matter if it holds a needle, an escape that could hide one, or if it does not look like an object.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Self

import ahocorasick_rs
import stringzilla

from resume_forensics.read.lines import Chunk
from resume_forensics.text import Raw, reveal

_HIDING: Final = r"\u00"
_HIDDEN: Final = frozenset(b"234567")
"""An escape can stand for a printable ASCII character if one of these follows (`\\u0020` to `\\u007e`)."""

_TAIL_BYTES: Final = 12


class Nomination(NamedTuple):
    """What was found in a chunk: how many lines it has, and the offsets in its data at which those begin that may matter, ascending."""

    lines: int
    starts: list[int]


class Needles:
    """Literal texts, compiled once; `harness/claude_code/needles.py` says what makes them safe."""

    @classmethod
    def of(cls, ids: Iterable[Raw]) -> Self:
        """Needles out of ids, for a look-up of the lines that hold one of them."""
        return cls(sorted(reveal(one) for one in ids))

    def __init__(self, needles: Iterable[str]) -> None:
        self.texts = tuple(needles)
        self._hiding = len(self.texts)
        self._search = _compile([*(text.encode() for text in self.texts), _HIDING.encode()])

    def nominate(self, chunk: Chunk) -> Nomination:
        """The lines of a chunk that may matter; all are counted."""
        view = memoryview(chunk.data)[chunk.start : chunk.stop]
        lines = chunk.count_lines(chunk.start, chunk.stop) + (not chunk.ended)
        starts = list(find_lines(chunk, self._find(chunk, view)))
        if not _is_regular(view, lines):
            starts = sorted({*starts, *_find_odd_lines(chunk)})
        return Nomination(lines, starts)

    def _find(self, chunk: Chunk, view: memoryview) -> Iterator[int]:
        """The offsets at which needles begin, or escapes that could hide one, ascending."""
        for index, begin, end in self._search.find_matches_as_indexes(view):
            if index != self._hiding or (end < len(view) and view[end] in _HIDDEN):
                yield chunk.start + begin


class Tails:
    """Finds ids by their last characters, which differ where their beginnings do not, and checks the rest."""

    def __init__(self, ids: Iterable[Raw]) -> None:
        self._ids: defaultdict[bytes, list[tuple[Raw, bytes]]] = defaultdict(list)
        for one in sorted(ids):
            full = reveal(one).encode()
            self._ids[full[-_TAIL_BYTES:]].append((one, full))
        self._tails = list(self._ids)
        self._search = _compile(self._tails)

    def find(self, chunk: Chunk) -> Iterator[tuple[int, Raw]]:
        """Each place in a chunk's data where an id begins, and which."""
        for index, _, end in self._search.find_matches_as_indexes(memoryview(chunk.data)[chunk.start : chunk.stop]):
            stop = chunk.start + end
            for wanted, full in self._ids[self._tails[index]]:
                begin = stop - len(full)
                if begin >= chunk.start and chunk.data[begin:stop] == full:
                    yield begin, wanted


def find_lines(chunk: Chunk, offsets: Iterable[int]) -> Iterator[int]:
    """Where the lines begin in which ascending offsets lie; each line once, however many lie in it."""
    end = chunk.start
    for offset in offsets:
        if offset >= end:
            yield chunk.data.rfind(b"\n", end, offset) + 1 or end
            end = chunk.find_end(offset) + 1


def _compile(patterns: list[bytes]) -> ahocorasick_rs.BytesAhoCorasick:
    return ahocorasick_rs.BytesAhoCorasick(patterns, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)


def _is_regular(view: memoryview, lines: int) -> bool:
    """Whether every line of a chunk begins with `{` and ends with `}` (before LF or CR LF)."""
    joints = stringzilla.count(view, b"}\n{") or stringzilla.count(view, b"}\r\n{")
    ends_well = bytes(view[-3:]).endswith((b"}\n", b"}\r\n"))
    return joints == lines - 1 and view[0] == ord("{") and ends_well


def _find_odd_lines(chunk: Chunk) -> Iterator[int]:
    """The lines of a chunk that do not look like an object."""
    start = chunk.start
    while start < chunk.stop:
        end = chunk.find_end(start)
        if chunk.data[start : start + 1] != b"{" or not chunk.data[max(start, end - 2) : end].endswith((b"}", b"}\r")):
            yield start
        start = end + 1
