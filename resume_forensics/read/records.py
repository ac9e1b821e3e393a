"""A transcript goes in; its records and bad lines come out in file order, with counts and a word on whether it changed meanwhile.

The file is read once, as far as it reached when it was opened; memory does not grow with it.
"""

import os
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path
from typing import Final

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Malformed, Place, Record
from resume_forensics.read.decode import TOO_LONG, Item, decode, explain, load_record
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Line, read_lines

__all__ = ["GONE", "GREW", "REPLACED", "REWRITTEN", "SHRANK", "Item", "Reading", "decode", "decode_line", "read_records"]

GREW: Final = "it grew while it was read; what was added is not in the report"
SHRANK: Final = "it shrank while it was read; what was cut off may be missing from the report"
REPLACED: Final = "it was replaced by another file while it was read"
REWRITTEN: Final = "it was written to while it was read"
GONE: Final = "it was removed while it was read"


class Reading:
    """One forward pass over a transcript: iterate once, then ask.

    `lines` counts physical lines, `blank` those without a record or a fault, `records` the decoded ones, `unparsable` the bad
    ones; `bad_lines` holds the first `LIMITS.unparsable_listed` of these. `size_bytes` is how far was read. `changed` is a
    sentence about the file if it changed meanwhile, else None. All are final once the iteration has ended.

    `read_part` bounds the pass to some lines of the file; then `lines` begins at their number.
    """

    __slots__ = (
        "_limits", "bad_lines", "blank", "changed", "end_byte", "lines", "path", "records", "size_bytes", "start_byte", "unparsable",
    )  # fmt: skip

    def __init__(self, path: Path, *, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self.path = path
        self.start_byte = 0
        self.end_byte: int | None = None
        self.lines = 0
        self.blank = 0
        self.records = 0
        self.unparsable = 0
        self.bad_lines: list[Malformed] = []
        self.size_bytes = 0
        self.changed: str | None = None

    def read_part(self, start_byte: int, end_byte: int, lines_before: int) -> None:
        """Read only from the beginning of a line, before which so many lines stand, up to the end of another."""
        self.start_byte, self.end_byte, self.lines = start_byte, end_byte, lines_before

    def __iter__(self) -> Iterator[Item]:
        """Yield records and bad lines in file order; a bad line stands before what was salvaged from it.

        Raises `UnreadableFile` at the first step where the path is no readable regular file.
        """
        limits = self._limits
        with open_regular(self.path) as stream:
            before = os.fstat(stream.fileno())
            stream.seek(self.start_byte)
            for part in read_lines(stream, self._stop(before.st_size), limits=limits):
                self.lines += 1
                line = part._replace(number=self.lines, byte=part.byte + self.start_byte)
                data = load_record(line.data, limits)
                if data is None:
                    yield from self._explain(line)
                else:
                    self.records += 1
                    yield Record(place=Place(line=line.number, byte=line.byte), data=data)
            self.size_bytes = stream.tell()
            self.changed = compare_after(self.path, stream, before, self.size_bytes)

    def _stop(self, size_bytes: int) -> int:
        return size_bytes if self.end_byte is None else min(self.end_byte, size_bytes)

    def _explain(self, line: Line) -> Iterator[Item]:
        """Count and yield what stands on a line that is no plain record."""
        empty = True
        for item in decode_line(line, limits=self._limits):
            empty = False
            if isinstance(item, Record):
                self.records += 1
            else:
                self.unparsable += 1
                if len(self.bad_lines) < self._limits.unparsable_listed:
                    self.bad_lines.append(item)
            yield item
        self.blank += empty


def read_records(path: Path, *, max_bytes: int | None = None, limits: Limits = LIMITS) -> Iterator[Item]:
    """Yield records and bad lines in file order, without counting.

    `max_bytes` reads only the head of the file; a line that this bound cuts is left out. Raises `UnreadableFile`.
    """
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        end = size if max_bytes is None else min(size, max_bytes)
        for line in read_lines(stream, end, limits=limits):
            if line.ended or end == size:
                yield from decode_line(line, limits=limits)


def decode_line(line: Line, *, limits: Limits = LIMITS) -> Iterable[Item]:
    """Decode one line as it was read: nothing for a blank one, a bad one's `Malformed` first."""
    place = Place(line=line.number, byte=line.byte)
    if line.too_long:
        return (Malformed(place=place, reason=TOO_LONG),)
    data = load_record(line.data, limits)
    return explain(line.data, place, limits) if data is None else (Record(place=place, data=data),)


def compare_after(path: Path, stream: FileIO, before: os.stat_result, read_bytes: int) -> str | None:
    """Say how a file that was read differs from what it was when it was opened."""
    after = os.fstat(stream.fileno())
    try:
        there = path.stat()
    except OSError:
        return GONE
    if (there.st_dev, there.st_ino) != (before.st_dev, before.st_ino):
        return REPLACED
    if read_bytes < before.st_size or after.st_size < before.st_size:
        return SHRANK
    if after.st_size > before.st_size:
        return GREW
    return REWRITTEN if after.st_mtime_ns != before.st_mtime_ns else None
