"""Finds the lines of a transcript that may matter, without decoding the others. In: a file and needles. Out: nominated records.

A line is nominated if it holds a needle, or an escape that could hide one; the decision is always on the decoded record. Every line is
counted: where the lines of a chunk do not all begin and end like objects, its odd ones are decoded and judged.
"""

import os
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
"""The escapes that can stand for a printable ASCII character begin so (`\\u0020` to `\\u007e`)."""


class Needles:
    """Literal texts, compiled once. Each is printable ASCII from the inside of one JSON string, without quote, backslash or `/<>&`."""

    @classmethod
    def of(cls, ids: Iterable[Raw]) -> Self:
        """Needles out of ids, for a look-up of the lines that hold one of them."""
        return cls(sorted(reveal(one) for one in ids))

    def __init__(self, needles: Iterable[str]) -> None:
        patterns = [needle.encode() for needle in (*needles, _HIDING)]
        self._search = ahocorasick_rs.BytesAhoCorasick(patterns, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)

    def find(self, data: bytes | bytearray | memoryview) -> list[int]:
        """The offsets at which needles begin, ascending."""
        return [begin for _, begin, _ in self._search.find_matches_as_indexes(data)]


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

    __slots__ = ("_asked", "_echoed", "_needles", "_seen", "_watch", "decoded")

    def __init__(self, path: Path, needles: Needles, watch: Watch | None = None, *, limits: Limits = LIMITS) -> None:
        super().__init__(path, limits=limits)
        self._needles = needles
        self._watch = watch
        self._asked: set[Raw] = set()
        self._echoed: set[Raw] = set()
        self._seen: set[int] = set()
        self.decoded = 0

    def __iter__(self) -> Iterator[Item]:
        """Yield the records of nominated lines, and bad lines, in file order but for lines that an id of the watch names.

        Raises `UnreadableFile` at the first step where the path is no readable regular file.
        """
        with open_regular(self.path) as stream:
            before = os.fstat(stream.fileno())
            for part in read_chunks(stream, before.st_size, limits=self._limits):
                if isinstance(part, Line):
                    self.lines += 1
                    yield from self._take_line(part._replace(number=self.lines))
                else:
                    yield from self._take_chunk(stream, part)
            self.size_bytes = stream.tell()
            self.changed = compare_after(self.path, stream, before, self.size_bytes)

    def _take_chunk(self, stream: FileIO, chunk: Chunk) -> Iterator[Item]:
        """Yield what is nominated in one chunk, then what the watch asks for because of it."""
        text = stringzilla.Str(chunk.data)
        count = text.count("\n") + (not chunk.ended)
        starts = {_line_start(chunk.data, offset) for offset in self._needles.find(chunk.data)}
        starts.update(self._starts_ahead(chunk))
        if not _is_regular(chunk, text, count):
            starts.update(_odd_starts(chunk.data))
        self._seen = starts
        undecoded = count - len(starts)
        self.records += undecoded
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
            end = chunk.data.find(b"\n", start)
            ended = end >= 0
            yield Line(number, chunk.byte + start, chunk.data[start : end if ended else len(chunk.data)], ended=ended)

    def _take_line(self, line: Line) -> Iterator[Item]:
        self.decoded += 1
        data = None if line.too_long else load_record(line.data, self._limits)
        if data is None:
            yield from self._explain(line)
        else:
            self.records += 1
            yield Record(place=Place(line=line.number, byte=line.byte), data=data)

    # -- the watch

    def _starts_ahead(self, chunk: Chunk) -> set[int]:
        return {start for wanted in (self._watch.ahead() if self._watch else ()) for start in self._starts_of(chunk, wanted)}

    def _starts_of(self, chunk: Chunk, wanted: Raw) -> Iterator[int]:
        """The lines of a chunk that hold an id; of those that only echo it, the first of the file."""
        needle, echo = reveal(wanted).encode(), self._watch.echo.encode() if self._watch else b""
        offset = chunk.data.find(needle)
        while offset >= 0:
            start = _line_start(chunk.data, offset)
            if echo not in chunk.data[max(start, offset - len(echo) - 8) : offset]:
                yield start
            elif wanted not in self._echoed:
                self._echoed.add(wanted)
                yield start
            offset = chunk.data.find(needle, offset + len(needle))

    def _take_fresh(self, stream: FileIO, chunk: Chunk, text: stringzilla.Str) -> Iterator[Item]:
        """Look behind for the calls that this chunk's records answered, and ahead of a call in its own chunk."""
        while self._watch is not None and (
            fresh := [one for one in (*self._watch.behind(), *self._watch.ahead()) if one not in self._asked]
        ):
            self._asked.update(fresh)
            starts = {start for wanted in fresh for start in self._starts_of(chunk, wanted)} - self._seen
            self._seen |= starts
            self.records -= len(starts)
            for line in self._lines_at(chunk, text, starts):
                yield from self._take_line(line)
            yield from self._look_behind(stream, chunk)

    def _look_behind(self, stream: FileIO, chunk: Chunk) -> Iterator[Item]:
        """Look for wanted calls in what stands before the chunk, as far as `LIMITS.lookback_bytes`; those lines were counted already."""
        wanted = self._watch.behind() if self._watch else ()
        begin = max(0, chunk.byte - self._limits.lookback_bytes)
        if not wanted or begin == chunk.byte:
            return
        earlier = os.pread(stream.fileno(), chunk.byte - begin, begin)
        for needle in [reveal(one).encode() for one in wanted]:
            offset = earlier.find(needle)
            start = _line_start(earlier, offset) if offset >= 0 else -1
            if start > 0 or (start == 0 and begin == 0):
                end = earlier.find(b"\n", offset)
                data = load_record(earlier[start : end if end >= 0 else len(earlier)], self._limits)
                if data is not None:
                    yield Record(place=Place(line=0, byte=begin + start), data=data)


def _line_start(data: bytes | bytearray, offset: int) -> int:
    return data.rfind(b"\n", 0, offset) + 1


def _is_regular(chunk: Chunk, text: stringzilla.Str, count: int) -> bool:
    """Whether every line of a chunk begins with `{` and ends with `}` (before LF or CR LF)."""
    joints = text.count("}\n{") or text.count("}\r\n{")
    return joints == count - 1 and chunk.data.startswith(b"{") and chunk.data.endswith((b"}\n", b"}\r\n"))


def _odd_starts(data: bytes | bytearray) -> Iterator[int]:
    """The lines of a chunk that do not look like an object."""
    start = 0
    for line in data.removesuffix(b"\n").split(b"\n"):
        if not line.startswith(b"{") or not line.endswith((b"}", b"}\r")):
            yield start
        start += len(line) + 1
