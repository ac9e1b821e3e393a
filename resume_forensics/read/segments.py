"""Reads a large transcript with several processes: each looks for needles in a segment of its own, this one decodes what they found.

The others hand back places and counts, never text. What a process does not answer, this one looks at itself; nothing is lost, and the
answer is that of one process.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import cache
from io import FileIO
from itertools import pairwise

from msgspec.structs import asdict

from resume_forensics.limits import Limits
from resume_forensics.read.lines import Chunk, Line, read_chunks
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.openings import OpeningNeedles
from resume_forensics.read.search import Needles, Nomination
from resume_forensics.read.segment import Job, Row


class SegmentedReading(NominatedReading):
    """As `NominatedReading`, with the same answers, and more processes where the file is large enough for that to pay."""

    __slots__ = ()

    def _read_parts(self, stream: FileIO, end: int) -> Iterator[tuple[Chunk | Line, Nomination]]:
        small = self.start_byte > 0 or end < 2 * self._limits.segment_bytes  # what was added to a file is not shared out
        cuts = [] if small else find_cuts(stream, end, self._limits)
        if len(cuts) < 3:  # noqa: PLR2004 (beginning and end: one segment)
            yield from super()._read_parts(stream, end)
            return
        from resume_forensics.read.child import Child  # noqa: PLC0415 (small files do not pay for processes)

        limits, path = asdict(self._limits), str(self.path.absolute())
        phrases = self._needles.phrases if isinstance(self._needles, OpeningNeedles) else ()
        jobs = [Job(path, begin, stop, self._needles.texts, limits, phrases) for begin, stop in pairwise(cuts[1:])]
        with ExitStack() as stack:
            children = [stack.enter_context(Child(json.dumps(job).encode())) for job in jobs]
            yield from super()._read_parts(stream, cuts[1])
            for job, child in zip(jobs, children, strict=True):
                reached = job.begin
                for row in _check_rows(child.answer(), job):
                    yield from self._follow(stream, row)
                    reached = row.byte + row.size_bytes
                stream.seek(reached)
                yield from super()._read_parts(stream, job.end)

    def _follow(self, stream: FileIO, row: Row) -> Iterator[tuple[Chunk | Line, Nomination]]:
        """Read a stretch that holds a line that may matter, or while something is awaited; of any other the lines are counted."""
        if not row.starts and not self._awaited:
            self.lines += row.lines
            self.records += row.lines
            return
        stream.seek(row.byte)
        marks = _search_marks(self._needles.keys)
        for part in read_chunks(stream, row.byte + row.size_bytes, limits=self._limits):
            if isinstance(part, Line):
                yield part, Nomination(1, [], [], [])
            else:
                end = part.byte_at(part.stop)
                yield part, marks.nominate(part, [part.start + byte - part.byte for byte in row.starts if part.byte <= byte < end])


@cache
def _search_marks(keys: tuple[str, ...]) -> Needles:
    """Needles for what another process does not look for, since it cannot know what is awaited."""
    return Needles((), keys)


def find_cuts(stream: FileIO, end: int, limits: Limits) -> list[int]:
    """Where the segments of a file begin and end: at its beginning, at beginnings of lines, and at `end`.

    A cut that would fall into a line of more than a few blocks is left out.
    """
    number = min(count_processors(), limits.segments, end // limits.segment_bytes)
    cuts = {0, end}
    for index in range(1, number):
        wanted = end * index // number
        around = os.pread(stream.fileno(), limits.segment_seek_bytes, wanted - 1)
        newline = around.find(b"\n")
        if newline >= 0:
            cuts.add(min(end, wanted + newline))
    return sorted(cuts)


def count_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_rows(answer: bytes, job: Job) -> Iterator[Row]:
    """The rows of an answer as far as they are whole and follow each other from the beginning of the segment."""
    byte = job.begin
    with suppress(ValueError):
        for line in answer.splitlines(keepends=True):
            row = Row.read(line)
            if row.byte != byte or row.size_bytes <= 0 or not line.endswith(b"\n") or byte + row.size_bytes > job.end:
                return
            yield row
            byte += row.size_bytes
