"""The first and the last lines of a transcript, at one opening. In: a path. Out: its size, and items from either end.

Nearly always a few lines at each end say what is asked of them; only where they do not is the file opened again, as far as a bound.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Line
from resume_forensics.read.records import Item, decode_line
from resume_forensics.read.tail import BackwardReading
from resume_forensics.read.windows import find_whole_end, read_lines_from


class Edges:
    """What was read at both ends. `whole_end`: the byte behind the last newline. Raises `UnreadableFile`."""

    __slots__ = ("_first", "_last", "_limits", "_path", "size_bytes", "whole_end")

    def __init__(self, path: Path, *, limits: Limits = LIMITS) -> None:
        self._path = path
        self._limits = limits
        with open_regular(path) as stream:
            descriptor, edge_bytes = stream.fileno(), limits.edge_bytes
            self.size_bytes = os.fstat(descriptor).st_size
            self._first = os.pread(descriptor, min(edge_bytes, self.size_bytes), 0)
            whole = self.size_bytes <= edge_bytes
            self._last = self._first if whole else os.pread(descriptor, edge_bytes, self.size_bytes - edge_bytes)
        newline = self._last.rfind(b"\n")
        self.whole_end = self.size_bytes - len(self._last) + newline + 1 if newline >= 0 or whole else find_whole_end(path)[1]

    def read_forwards(self) -> Iterator[Item]:
        """Records and bad lines from the beginning on, as far as `LIMITS.probe_bytes`; a line that this bound cuts is left out."""
        start, number, first = 0, 0, self._first
        while (end := first.find(b"\n", start)) >= 0:
            number += 1
            yield from decode_line(Line(number, start, first[start:end]))
            start = end + 1
        stop = min(self.size_bytes, self._limits.probe_bytes)
        for line in read_lines_from(self._path, start, number=number + 1, end=stop) if start < stop else ():
            if line.ended or stop == self.size_bytes:
                yield from decode_line(line)

    def read_backwards(self) -> Iterator[Item]:
        """Records and bad lines from the end back, as far as `LIMITS.probe_bytes`; lines are numbered from the end as -1, -2."""
        last, number = self._last, 0
        before = self.size_bytes - len(last)
        stop = len(last) - last.endswith(b"\n")
        while stop > 0 and ((newline := last.rfind(b"\n", 0, stop)) >= 0 or not before):
            number -= 1
            yield from decode_line(Line(number, before + newline + 1, last[newline + 1 : stop]))
            stop = newline
        if before and stop >= 0:
            end = before + stop
            bound = self._limits.probe_bytes - (self.size_bytes - end)
            yield from BackwardReading(self._path, max_bytes=bound, end=end)
