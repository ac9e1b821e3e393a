"""Finds the lines of a transcript that may matter, without decoding the others. In: a file and needles. Out: nominated records.

Every line is counted, and the decision is always on the decoded record. What is looked for changes with what was found: see `Watch`.
"""

import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Final

import stringzilla

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Place, Record
from resume_forensics.read.awaited import Awaited, Watch
from resume_forensics.read.decode import Item, load_record
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Chunk, Line, read_chunks
from resume_forensics.read.records import Reading, compare_after
from resume_forensics.read.search import Needles, Nomination
from resume_forensics.text import Raw, reveal

_KEY_BYTES: Final = 40
"""Where the key before an id stands, if there is one."""

_FIRST_LOOK_BYTES: Final = 1 << 16
"""Most calls stand close before their receipts; each further look behind is twice as long."""


class NominatedReading(Reading):
    """A forward pass that decodes only nominated lines; otherwise as `Reading`, with the same counts.

    The needles must look for the marks of the watch.

    A bad line that looks like an object and holds no needle counts as a record: only the plain pass sees it.
    """

    __slots__ = ("_asked", "_awaited", "_looked_bytes", "_needles", "_taken", "_watch", "decoded")

    def __init__(self, path: Path, needles: Needles, watch: Watch | None = None, *, limits: Limits = LIMITS) -> None:
        super().__init__(path, limits=limits)
        self._needles = needles
        self._watch = watch
        self._asked: set[Raw] = set()
        self._awaited = Awaited(watch.keys if watch else ())
        self._taken: set[int] = set()  # where the lines of the present chunk begin that were decoded
        self._looked_bytes = 0
        self.decoded = 0

    def __iter__(self) -> Iterator[Item]:
        """Yield the records of nominated lines, and bad lines, in file order but for lines that an id of the watch names.

        Raises `UnreadableFile` at the first step where the path is no readable regular file.
        """
        if self._watch is not None:
            self._awaited.add(self._watch.awaited())
        with open_regular(self.path) as stream:
            before = os.fstat(stream.fileno())
            stream.seek(self.start_byte)
            for part, nomination in self._read_parts(stream, self._stop(before.st_size)):
                if isinstance(part, Line):
                    yield from self._take_giant(stream, part)
                else:
                    yield from self._take_chunk(stream, part, nomination)
            self.size_bytes = stream.tell()
            self.changed = compare_after(self.path, stream, before, self.size_bytes)

    def _read_parts(self, stream: FileIO, end: int) -> Iterator[tuple[Chunk | Line, Nomination]]:
        """Read the file from where the stream stands, and nominate lines of each chunk; a line that is too long is nominated anyway."""
        for part in read_chunks(stream, end, limits=self._limits):
            yield part, Nomination(1, [], [], []) if isinstance(part, Line) else self._needles.nominate(part)

    def _take_giant(self, stream: FileIO, line: Line) -> Iterator[Item]:
        """Yield what stands on a line that is too long for a chunk."""
        self.lines += 1
        yield from self._take_line(line._replace(number=self.lines))
        for wish in self._take_wishes():
            yield from self._look_before(stream, line.byte, wish)

    def _take_chunk(self, stream: FileIO, chunk: Chunk, nomination: Nomination) -> Iterator[Item]:
        """Yield what stands on the wanted lines of one chunk, and after each what is wanted because of it."""
        self._taken = set(nomination.starts)
        self._awaited.review_latest()
        for start, before in self._wanted_lines(chunk, nomination):
            yield from self._take_line(chunk.line_at(start, self.lines + before + 1))
            for wish in self._take_wishes():
                yield from self._look_behind(stream, chunk, start, wish)
        self.records += nomination.lines - len(self._taken)
        self.lines += nomination.lines

    def _wanted_lines(self, chunk: Chunk, nomination: Nomination) -> Iterator[tuple[int, int]]:
        """Where the lines begin that are nominated or hold an awaited id, ascending, and how many stand before each in the chunk.

        What is awaited may change with each of them.
        """
        place = known = chunk.start  # nothing before `place` is looked at any more; before `known` stand so many lines
        lines = 0
        for start, before in zip((*nomination.starts, chunk.stop), (*nomination.before, 0), strict=True):
            for candidate in self._awaited.find(chunk.data, nomination.spots, place, start) if self._awaited else ():
                if candidate.offset >= place and self._awaited.wants(candidate):
                    wanted, place = chunk.find_start(candidate.offset), chunk.find_end(candidate.offset) + 1
                    known, lines = wanted, lines + chunk.count_lines(known, wanted)
                    self._taken.add(wanted)
                    yield wanted, lines
                    if candidate.one is not None:
                        self._awaited.review(candidate.one)
            if start < chunk.stop:
                yield start, before
                known, lines, place = start, before, chunk.find_end(start) + 1

    def _take_line(self, line: Line) -> Iterator[Item]:
        self.decoded += 1
        data = None if line.too_long else load_record(line.data, self._limits)
        if data is None:
            yield from self._explain(line)
        else:
            self.records += 1
            yield Record(place=Place(line=line.number, byte=line.byte), data=data)

    # -- the watch

    def _take_wishes(self) -> Iterator[Raw]:
        """The ids that the watch wishes for and did not before; hear also which it awaits."""
        if self._watch is None:
            return
        self._awaited.add(self._watch.news())
        for wish in self._watch.wishes():
            if wish not in self._asked:
                self._asked.add(wish)
                yield wish

    def _look_behind(self, stream: FileIO, chunk: Chunk, stop: int, wish: Raw) -> Iterator[Item]:
        """Look for a wish in the lines before an offset of a chunk, nearest first, then in what stands before the chunk."""
        view, needle = memoryview(chunk.data), reveal(wish).encode()
        while self._may_look(chunk.byte_at(stop), wish):
            offset = chunk.start + stringzilla.rfind(view[chunk.start : stop], needle)
            self._looked_bytes += stop - max(offset, chunk.start)
            if offset < chunk.start:
                break
            stop = chunk.find_start(offset)
            if stop not in self._taken and self._awaited.counts(chunk.data[max(chunk.start, offset - _KEY_BYTES) : offset], wish):
                self._taken.add(stop)
                yield from self._take_line(chunk.line_at(stop, self.lines + 1 + chunk.count_lines(chunk.start, stop)))
        yield from self._look_before(stream, chunk.byte, wish)

    def _look_before(self, stream: FileIO, end: int, wish: Raw) -> Iterator[Item]:
        """Look for a wish in what stands before byte `end`, nearest first, as far as `LIMITS.lookback_bytes`.

        Those lines were counted already; a call that is not found here is left to whoever asked.
        """
        step, floor = min(_FIRST_LOOK_BYTES, self._limits.block_bytes), max(0, end - self._limits.lookback_bytes)
        needle = reveal(wish).encode()
        while end > floor and self._may_look(end, wish):
            begin = max(floor, end - step)
            self._looked_bytes += end - begin
            offset = stringzilla.find(os.pread(stream.fileno(), end - begin, begin), needle)
            if offset >= 0:
                yield from self._decode_call(stream, begin + offset)
            end, step = begin, min(2 * step, self._limits.block_bytes)

    def _may_look(self, byte: int, wish: Raw) -> bool:
        """Whether a wish is still open, and no more has been searched for wishes than has been read, so that time stays in proportion."""
        within = self._looked_bytes <= byte + self._limits.lookback_bytes
        return within and self._watch is not None and self._watch.is_wanted(wish)

    def _decode_call(self, stream: FileIO, byte: int) -> Iterator[Item]:
        """The record of the line around a byte, if it is no longer than two blocks."""
        begin = max(0, byte - self._limits.block_bytes)
        around = os.pread(stream.fileno(), byte - begin + self._limits.block_bytes, begin)
        start, end = around.rfind(b"\n", 0, byte - begin) + 1, around.find(b"\n", byte - begin)
        data = load_record(around[start : end if end >= 0 else len(around)], self._limits) if start or begin == 0 else None
        if data is not None:
            self.decoded += 1
            yield Record(place=Place(line=0, byte=begin + start), data=data)
