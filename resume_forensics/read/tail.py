"""A file is read from its end backwards, in bounded pieces; the newest records come first.

Never reads more than it was allowed to, and never holds more than a block, one line, and what the caller keeps.
"""

import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from msgspec import Struct

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read.files import open_regular, read_at_most
from resume_forensics.read.lines import Gathering, Line, read_blocks
from resume_forensics.read.records import Item, decode_line
from resume_forensics.text import Raw


class TextTail(Struct, frozen=True, kw_only=True):
    """The last lines of a file that is no transcript. `cut`: it has older text, left out at a line's beginning where there is one."""

    text: Raw
    cut: bool


class BackwardReading:
    """One backward pass over a file: iterate, newest first, and stop when you have enough.

    The line number of a place counts from the end: -1 is the last physical line (`place.line + 1 + lines` where a forward pass
    has counted the lines). The byte offset is exact. `cut` turns true where `max_bytes` ended the reading before the beginning
    of the file was reached. `end` takes the file as if it ended there, so that a tail can match an earlier forward pass.
    """

    __slots__ = ("_end", "_limits", "bytes_left", "cut", "path")

    def __init__(self, path: Path, *, max_bytes: int, end: int | None = None, limits: Limits = LIMITS) -> None:
        self.path = path
        self.bytes_left = max_bytes
        self.cut = False
        self._end = end
        self._limits = limits

    def __iter__(self) -> Iterator[Item]:
        """Yield items, newest first; what was salvaged from a bad line comes before its `Malformed`.

        Raises `UnreadableFile` at the first step.
        """
        for line in self.lines():
            items = tuple(decode_line(line, limits=self._limits))
            yield from items if len(items) == 1 else reversed(items)

    def lines(self) -> Iterator[Line]:
        """Yield the lines as they were read, last first. Raises `UnreadableFile` at the first step."""
        with open_regular(self.path) as stream:
            size = os.fstat(stream.fileno()).st_size
            yield from self._lines(stream, size if self._end is None else min(size, self._end))

    def _lines(self, stream: FileIO, end: int) -> Iterator[Line]:
        """Yield the lines before `end`, last first."""
        held = _Held(stop=end)
        position, number = end, 0
        while position > 0:
            block = self._read(stream, position)
            if not block:
                return
            position -= len(block)
            first, *whole = block.split(b"\n")
            stop = held.stop  # where the line ends that is put together
            for piece in reversed(whole):
                line: Line | None = None
                if held.size_bytes:
                    held.add(piece, self._limits)
                    line = self._close(stream, held, number := number - 1)
                    if line is None:
                        return
                    stop -= held.size_bytes + 1
                    held = _Held(stop=stop)
                else:  # it stands in this block
                    # Behind the last newline of a file there is no line unless there are bytes.
                    if piece or stop < end:
                        line = Line(number := number - 1, stop - len(piece), piece)
                    stop -= len(piece) + 1
                if line is not None:
                    yield line
            held.stop = stop
            held.add(first, self._limits)
        line = self._close(stream, held, number - 1) if end else None
        if line is not None:
            yield line

    def _read(self, stream: FileIO, position: int) -> bytes:
        """Read the block that ends at `position`; nothing once the bound is met, or where the file has shrunk."""
        size = min(self._limits.block_bytes, self._limits.line_bytes, position, self.bytes_left)
        stream.seek(position - size)
        block = read_at_most(stream, size)
        self.bytes_left -= len(block)
        self.cut = len(block) < size or not size
        return b"" if self.cut else block

    def _close(self, stream: FileIO, held: "_Held", number: int) -> Line | None:
        """The line that was put together; a giant one is read again forwards, if the bound leaves room for that, else None."""
        byte = held.stop - held.size_bytes
        if held.pieces is not None:
            return Line(number, byte, b"".join(reversed(held.pieces)))
        if held.size_bytes > self.bytes_left:
            self.cut = True
            return None
        self.bytes_left -= held.size_bytes
        stream.seek(byte)
        gathered = Gathering(self._limits)
        for block in read_blocks(stream, held.stop, self._limits):
            gathered.add(block)
        return gathered.close(number, byte, ended=True)


class _Held:
    """The line that is being put together backwards. `pieces`, last first, is None once it is too long to be held."""

    __slots__ = ("pieces", "size_bytes", "stop")

    def __init__(self, *, stop: int) -> None:
        self.stop = stop
        self.size_bytes = 0
        self.pieces: list[bytes] | None = []

    def add(self, piece: bytes, limits: Limits) -> None:
        """Take the piece before."""
        self.size_bytes += len(piece)
        if self.size_bytes > limits.line_bytes:
            self.pieces = None
        elif self.pieces is not None:
            self.pieces.append(piece)


def read_text_tail(path: Path, *, max_bytes: int) -> TextTail:
    """Read the end of a file that is text and no transcript, such as the output of a shell. Raises `UnreadableFile`.

    Bytes that are no UTF-8 become U+FFFD.
    """
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        stream.seek(max(0, size - max_bytes))
        content = read_at_most(stream, max_bytes)
    if size <= max_bytes:
        return TextTail(text=Raw(content.decode(errors="replace")), cut=False)
    _, newline, lines = content.partition(b"\n")
    return TextTail(text=Raw((lines if newline else content).decode(errors="replace")), cut=True)
