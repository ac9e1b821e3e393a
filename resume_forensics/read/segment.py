"""One segment of a large transcript, looked at by a process of its own: `python -m resume_forensics.read.segment`.

In, on standard input: a `Job` as JSON. Out, on standard output: a `Row` for each chunk, which says where lines begin and how many there
are. No text of the transcript leaves this process.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from resume_forensics.limits import Limits
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Chunk, Line, read_chunks
from resume_forensics.read.openings import OpeningNeedles
from resume_forensics.read.search import Needles


class Job(NamedTuple):
    """Which bytes of which file are looked at, for what, and within which bounds (`Limits` by name). `phrases`: see `OpeningNeedles`."""

    path: str
    begin: int
    end: int
    needles: tuple[str, ...]
    limits: dict[str, int]
    phrases: tuple[str, ...] = ()


class Row(NamedTuple):
    """A stretch of whole lines: its first byte, its length, how many lines, and the bytes at which those begin that may matter."""

    byte: int
    size_bytes: int
    lines: int
    starts: tuple[int, ...] = ()

    def write(self) -> bytes:
        """As one line of numbers."""
        return " ".join(map(str, (*self[:3], *self.starts))).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> "Row":
        """From one line of numbers. Raises ValueError where it is none."""
        byte, size_bytes, lines, *starts = map(int, line.split())
        return cls(byte, size_bytes, lines, tuple(starts))


def look_at(job: Job) -> Iterator[Row]:
    """The rows of a segment, in file order. Raises `UnreadableFile`."""
    needles = OpeningNeedles(job.needles, job.phrases) if job.phrases else Needles(job.needles)
    limits = Limits(**job.limits)
    with open_regular(Path(job.path)) as stream:
        stream.seek(job.begin)
        giant = None  # where a line begins that was too long for a chunk; it ends where the next part begins
        for part in read_chunks(stream, job.end, limits=limits):
            if giant is not None:
                yield Row(giant, part.byte - giant, 1, (giant,))
            giant = part.byte if isinstance(part, Line) else None
            if isinstance(part, Chunk):
                found = needles.nominate(part)
                yield Row(part.byte, part.stop - part.start, found.lines, tuple(part.byte_at(start) for start in found.starts))
        if giant is not None:
            yield Row(giant, job.end - giant, 1, (giant,))


def main() -> None:
    """Do the job that standard input describes, as far as the answer keeps within its bound: the rest is left to whoever asked."""
    with os.fdopen(0, "rb", closefd=False) as given:
        job = Job(*json.load(given))
    left = job.limits["segment_answer_bytes"]
    with os.fdopen(1, "wb", closefd=False) as answer:
        for row in look_at(job):
            line = row.write()
            left -= len(line)
            if left < 0:
                return
            answer.write(line)


if __name__ == "__main__":
    main()
