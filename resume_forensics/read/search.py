"""Finds literal texts in chunks of a transcript, and says which lines may matter. In: chunks. Out: where lines begin; nothing is decoded.

A line may matter if it holds a needle, an escape that could hide one, or if it does not look like an object.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Self

import ahocorasick_rs
import stringzilla

from resume_forensics.read.lines import Chunk
from resume_forensics.text import Raw, reveal

_HIDING: Final = r"\u00"
_HIDDEN: Final = frozenset(b"234567")
"""An escape can stand for a printable ASCII character if one of these follows (`\\u0020` to `\\u007e`)."""


class Nomination(NamedTuple):
    """What was found in a chunk: how many lines it has, and where in its data those begin that may matter, ascending.

    `before`: how many lines stand in the chunk before each of these. `spots`: for each key, where its values begin; their lines matter
    while such an id is awaited.
    """

    lines: int
    starts: list[int]
    before: list[int]
    spots: Sequence["KeySpots"]


class KeySpots(NamedTuple):
    """Where the values of a key begin, ascending, behind the opening quote; and where the key ends if no `:"` follows it at once."""

    usual: list[int]
    unusual: list[int]

    def between(self, start: int, stop: int) -> Self:
        """Those between two offsets."""
        return type(self)(*(spots[bisect_left(spots, start) : bisect_left(spots, stop)] for spots in self))


class Needles:
    """Literal texts, compiled once; `harness/claude_code/needles.py` says what makes them safe.

    `keys`: names of JSON members whose values are ids.
    """

    @classmethod
    def of(cls, ids: Iterable[Raw]) -> Self:
        """Needles out of ids, for a look-up of the lines that hold one of them."""
        return cls(sorted(reveal(one) for one in ids))

    def __init__(self, needles: Iterable[str], keys: Iterable[str] = ()) -> None:
        self.texts, self.keys = tuple(needles), tuple(keys)
        self._hiding = len(self.texts)
        quoted = (f'"{key}"{rest}'.encode() for key in self.keys for rest in (':"', ""))  # the first that fits is found
        self._search = ahocorasick_rs.BytesAhoCorasick(
            [*(text.encode() for text in self.texts), _HIDING.encode(), *quoted], matchkind=ahocorasick_rs.MatchKind.LeftmostFirst
        )

    def nominate(self, chunk: Chunk, known: list[int] | None = None) -> Nomination:
        """The lines of a chunk that may matter; all are counted. `known`: where these begin, if that was found out elsewhere."""
        view = memoryview(chunk.data)[chunk.start : chunk.stop]
        offsets, spots = self._find(chunk, view)
        starts = list(find_lines(chunk, offsets)) if known is None else known
        lines, before = _count_lines(chunk, starts)
        if known is None and not _is_regular(view, lines):
            starts = sorted({*starts, *_find_odd_lines(chunk)})
            lines, before = _count_lines(chunk, starts)
        return Nomination(lines, starts, before, spots)

    def _find(self, chunk: Chunk, view: memoryview) -> tuple[list[int], list[KeySpots]]:
        """The offsets at which needles begin, or escapes that could hide one, ascending; and those of the keys."""
        offsets: list[int] = []
        spots = [KeySpots([], []) for _ in self.keys]
        lists = [offsets] * (self._hiding + 1) + [one for both in spots for one in both]
        start, hiding = chunk.start, self._hiding
        for index, begin, end in self._search.find_matches_as_indexes(view):
            if index > hiding:
                lists[index].append(start + end)
            elif index < hiding or (end < len(view) and view[end] in _HIDDEN):
                offsets.append(start + begin)
        return offsets, spots


def find_lines(chunk: Chunk, offsets: Iterable[int]) -> Iterator[int]:
    """Where the lines begin in which ascending offsets lie; each line once, however many lie in it."""
    end = chunk.start
    for offset in offsets:
        if offset >= end:
            yield chunk.data.rfind(b"\n", end, offset) + 1 or end
            end = chunk.find_end(offset) + 1


def _count_lines(chunk: Chunk, starts: list[int]) -> tuple[int, list[int]]:
    """How many lines a chunk has, and how many stand before each of those that begin at ascending offsets; all is looked at once."""
    lines, place, before = 0, chunk.start, []
    for start in starts:
        lines += chunk.count_lines(place, start)
        before.append(lines)
        place = start
    return lines + chunk.count_lines(place, chunk.stop) + (not chunk.ended), before


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
