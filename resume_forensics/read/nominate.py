"""Finds the lines of a transcript that may matter, without decoding the others. In: a file and needles. Out: nominated records.

A line is nominated if it holds a needle, or an escape that could hide one; the decision is always on the decoded record. Every line is
counted: where the lines of a chunk do not all begin and end like objects, its odd ones are decoded and judged.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final, Self

import ahocorasick_rs
import stringzilla

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Place, Record
from resume_forensics.read.decode import Item, load_record
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Chunk, Line, read_chunks
from resume_forensics.read.records import Reading, compare_after
from resume_forensics.text import Raw, reveal

_HIDING: Final = r"\u00"
_HIDDEN: Final = frozenset(b"234567")
"""An escape can stand for a printable ASCII character if one of these follows (`\\u0020` to `\\u007e`)."""


_TAIL_BYTES: Final = 12
_ECHO_GAP: Final = 8
"""What may stand between a key and its value: quotes, a colon, spaces."""


class Needles:
    """Literal texts, compiled once. Each is printable ASCII from the inside of one JSON string, without quote, backslash or `/<>&`."""

    @classmethod
    def of(cls, ids: Iterable[Raw]) -> Self:
        """Needles out of ids, for a look-up of the lines that hold one of them."""
        return cls(sorted(reveal(one) for one in ids))

    def __init__(self, needles: Iterable[str]) -> None:
        patterns = [needle.encode() for needle in (*needles, _HIDING)]
        self._hiding = len(patterns) - 1
        self._search = ahocorasick_rs.BytesAhoCorasick(patterns, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)

    def find(self, data: memoryview) -> list[int]:
        """The offsets at which needles begin, or escapes that could hide one, ascending."""
        hits = self._search.find_matches_as_indexes(data)
        return [begin for index, begin, end in hits if index != self._hiding or (end < len(data) and data[end] in _HIDDEN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Ids whose lines matter from some moment on.

    `behind`: the lines that hold one of these are looked for in what was just read. `ahead`: in what is read from now on, until
    the id is no longer asked for; of the lines in which it stands behind `echo`, only the first counts.
    """

    behind: Callable[[], Collection[Raw]]
    ahead: Callable[[], Collection[Raw]]
    echo: str


class NominatedReading(Reading):
    """A forward pass that decodes only nominated lines; otherwise as `Reading`, with the same counts.

    A bad line that looks like an object and holds no needle counts as a record: only the plain pass sees it.
    """

    __slots__ = ("_asked", "_awaited", "_echoed", "_needles", "_seen", "_tails", "_watch", "decoded")

    def __init__(self, path: Path, needles: Needles, watch: Watch | None = None, *, limits: Limits = LIMITS) -> None:
        super().__init__(path, limits=limits)
        self._needles = needles
        self._watch = watch
        self._asked: set[Raw] = set()
        self._awaited: frozenset[Raw] = frozenset()
        self._tails: Tails | None = None
        self._echoed: set[Raw] = set()
        self._seen: set[int] = set()
        self.decoded = 0

    def __iter__(self) -> Iterator[Item]:
        """Yield the records of nominated lines, and bad lines, in file order but for lines that an id of the watch names.

        Raises `UnreadableFile` at the first step where the path is no readable regular file.
        """
        with open_regular(self.path) as stream:
            before = os.fstat(stream.fileno())
            stream.seek(self.start_byte)
            for part in read_chunks(stream, self._stop(before.st_size), limits=self._limits):
                if isinstance(part, Line):
                    self.lines += 1
                    yield from self._take_line(part._replace(number=self.lines))
                    yield from self._look_behind(stream, part.byte, self._take_wishes())
                else:
                    yield from self._take_chunk(stream, part)
            self.size_bytes = stream.tell()
            self.changed = compare_after(self.path, stream, before, self.size_bytes)

    def _take_chunk(self, stream: FileIO, chunk: Chunk) -> Iterator[Item]:
        """Yield what is nominated in one chunk, then what the watch asks for because of it."""
        view = memoryview(chunk.data)[: chunk.size_bytes]
        text = stringzilla.Str(view)
        count = text.count("\n") + (not chunk.ended)
        starts = {_line_start(chunk, offset) for offset in self._needles.find(view)}
        starts.update(self._starts_ahead(chunk, view))
        if not _is_regular(chunk, text, count):
            starts.update(_odd_starts(chunk))
        self._seen = starts
        self.records += count - len(starts)
        for line in self._lines_at(chunk, text, starts):
            yield from self._take_line(line)
        if self._watch is not None:
            yield from self._take_fresh(stream, chunk, text)
        self.lines += count

    def _lines_at(self, chunk: Chunk, text: stringzilla.Str, starts: Iterable[int]) -> Iterator[Line]:
        number, place = self.lines + 1, 0
        for start in sorted(starts):
            number += text[place:start].count("\n")
            place = start
            end = chunk.data.find(b"\n", start, chunk.size_bytes)
            ended = end >= 0
            yield Line(number, chunk.byte + start, chunk.data[start : end if ended else chunk.size_bytes], ended=ended)

    def _take_line(self, line: Line) -> Iterator[Item]:
        self.decoded += 1
        data = None if line.too_long else load_record(line.data, self._limits)
        if data is None:
            yield from self._explain(line)
        else:
            self.records += 1
            yield Record(place=Place(line=line.number, byte=line.byte), data=data)

    # -- the watch

    def _starts_ahead(self, chunk: Chunk, view: memoryview) -> Iterator[int]:
        """The lines that hold an id which is awaited; of the lines that only echo it, the first of the file."""
        awaited = frozenset(self._watch.ahead()) if self._watch else frozenset()
        if awaited != self._awaited:
            self._awaited = awaited
            self._tails = Tails(awaited) if awaited else None
        for offset, wanted in self._tails.find(chunk, view) if self._tails else ():
            if self._counts(chunk, offset, wanted):
                yield _line_start(chunk, offset)

    def _counts(self, chunk: Chunk, offset: int, wanted: Raw) -> bool:
        echo = self._watch.echo.encode() if self._watch else b""
        if echo not in chunk.data[max(0, offset - len(echo) - _ECHO_GAP) : offset]:
            return True
        first = wanted not in self._echoed
        self._echoed.add(wanted)
        return first

    def _take_fresh(self, stream: FileIO, chunk: Chunk, text: stringzilla.Str) -> Iterator[Item]:
        """Look behind for the calls that this chunk's records answered, and ahead of a call in its own chunk."""
        while fresh := self._take_wishes():
            found = ((offset, wanted) for wanted in fresh for offset in _find_all(text, reveal(wanted)))
            starts = {_line_start(chunk, offset) for offset, wanted in found if self._counts(chunk, offset, wanted)} - self._seen
            self._seen |= starts
            self.records -= len(starts)
            for line in self._lines_at(chunk, text, starts):
                yield from self._take_line(line)
            yield from self._look_behind(stream, chunk.byte, fresh)

    def _take_wishes(self) -> list[Raw]:
        """The ids that the watch asks for and did not ask for before."""
        if self._watch is None:
            return []
        fresh = [one for one in (*self._watch.behind(), *self._watch.ahead()) if one not in self._asked]
        self._asked.update(fresh)
        return fresh

    def _look_behind(self, stream: FileIO, end: int, fresh: Collection[Raw]) -> Iterator[Item]:
        """Look for fresh wishes in what stands before byte `end`, nearest first, as far as `LIMITS.lookback_bytes`.

        Those lines were counted already; a call that is not found here is left to whoever asked.
        """
        step, floor = self._limits.block_bytes, max(0, end - self._limits.lookback_bytes)
        while self._watch is not None and end > floor:
            still = self._watch.behind()
            wanted = [one for one in fresh if one in still]
            if not wanted:
                return
            begin = max(floor, end - step)
            window = os.pread(stream.fileno(), end - begin, begin)
            text = stringzilla.Str(window)
            for needle in [reveal(one) for one in wanted]:
                offset = text.find(needle)
                if offset >= 0:
                    yield from self._decode_call(stream, begin + offset)
            end = begin

    def _decode_call(self, stream: FileIO, byte: int) -> Iterator[Item]:
        """The record of the line around a byte, if it is no longer than two blocks."""
        begin = max(0, byte - self._limits.block_bytes)
        around = os.pread(stream.fileno(), byte - begin + self._limits.block_bytes, begin)
        start, end = around.rfind(b"\n", 0, byte - begin) + 1, around.find(b"\n", byte - begin)
        data = load_record(around[start : end if end >= 0 else len(around)], self._limits) if start or begin == 0 else None
        if data is not None:
            self.decoded += 1
            yield Record(place=Place(line=0, byte=begin + start), data=data)


class Tails:
    """Finds ids by their last characters, which differ where their beginnings do not, and checks the rest."""

    def __init__(self, ids: Iterable[Raw]) -> None:
        self._ids: defaultdict[bytes, list[tuple[Raw, bytes]]] = defaultdict(list)
        for one in sorted(ids):
            full = reveal(one).encode()
            self._ids[full[-_TAIL_BYTES:]].append((one, full))
        self._tails = list(self._ids)
        self._search = ahocorasick_rs.BytesAhoCorasick(self._tails, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)

    def find(self, chunk: Chunk, view: memoryview) -> Iterator[tuple[int, Raw]]:
        """Each place where an id begins, and which."""
        for index, _, end in self._search.find_matches_as_indexes(view):
            for wanted, full in self._ids[self._tails[index]]:
                begin = end - len(full)
                if begin >= 0 and chunk.data.startswith(full, begin, end):
                    yield begin, wanted


def _find_all(text: stringzilla.Str, needle: str) -> Iterator[int]:
    offset = text.find(needle)
    while offset >= 0:
        yield offset
        offset = text.find(needle, offset + len(needle))


def _line_start(chunk: Chunk, offset: int) -> int:
    return chunk.data.rfind(b"\n", 0, offset) + 1


def _is_regular(chunk: Chunk, text: stringzilla.Str, count: int) -> bool:
    """Whether every line of a chunk begins with `{` and ends with `}` (before LF or CR LF)."""
    joints = text.count("}\n{") or text.count("}\r\n{")
    ends_well = chunk.data.endswith((b"}\n", b"}\r\n"), 0, chunk.size_bytes)
    return joints == count - 1 and chunk.data.startswith(b"{") and ends_well


def _odd_starts(chunk: Chunk) -> Iterator[int]:
    """The lines of a chunk that do not look like an object."""
    start = 0
    for line in bytes(chunk.data[: chunk.size_bytes]).removesuffix(b"\n").split(b"\n"):
        if not line.startswith(b"{") or not line.endswith((b"}", b"}\r")):
            yield start
        start += len(line) + 1
