"""A file goes in by blocks; its physical lines come out, split at newlines (LF) and nowhere else.

Never holds more than a block and one line; a line above `LIMITS.line_bytes` is cut while it is read (`elide.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from itertools import islice
from mmap import PAGESIZE, mmap
from typing import Final, NamedTuple, cast

import stringzilla

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read.elide import Elision


class Line(NamedTuple):
    """One physical line without its newline: its number from 1, the byte at which it begins, its bytes.

    `too_long`: it does not fit even with its strings cut; then there are no bytes. `ended`: a newline follows it.
    """

    number: int
    byte: int
    data: bytes | bytearray
    too_long: bool = False
    ended: bool = True


_FREE: Final[dict[int, mmap]] = {}
"""The buffer of the last reading, by its size."""


class Chunk(NamedTuple):
    """Whole lines as they follow each other from `byte` on, each with its newline but perhaps the last (`ended` false).

    They are `data[start:stop]`, in a buffer that the next chunk will overwrite.
    """

    byte: int
    data: mmap
    start: int
    stop: int
    ended: bool = True

    def byte_at(self, offset: int) -> int:
        """Where in the file an offset lies."""
        return self.byte + offset - self.start

    def find_start(self, offset: int) -> int:
        """Where the line begins in which an offset lies."""
        return self.data.rfind(b"\n", self.start, offset) + 1 or self.start

    def find_end(self, offset: int) -> int:
        """Where the line ends in which an offset lies: at its newline, else with the chunk."""
        end = self.data.find(b"\n", offset, self.stop)
        return end if end >= 0 else self.stop

    def count_lines(self, start: int, stop: int) -> int:
        """How many lines end between two offsets."""
        return cast("int", stringzilla.count(memoryview(self.data)[start:stop], b"\n"))

    def line_at(self, start: int, number: int) -> Line:
        """The line that begins at an offset."""
        end = self.find_end(start)
        return Line(number, self.byte_at(start), self.data[start:end], ended=self.ended or end < self.stop)


class Gathering:
    """One line put together from pieces, in bounded memory."""

    __slots__ = ("_elision", "_limits", "_pieces", "size_bytes")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pieces: list[bytes] = []
        self._elision: Elision | None = None
        self.size_bytes = 0

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        self.size_bytes += len(piece)
        if self._elision is None and self.size_bytes > self._limits.line_bytes:
            self._elision = Elision(self._limits)
            self._pieces.reverse()
            while self._pieces:  # each is let go once it was fed
                self._elision.feed(self._pieces.pop())
        if self._elision is None:
            self._pieces.append(piece)
        else:
            self._elision.feed(piece)

    def close(self, number: int, byte: int, *, ended: bool) -> Line:
        """Answer the line, which begins at `byte`."""
        data = b"".join(self._pieces) if self._elision is None else self._elision.finish()
        return Line(number, byte, b"" if data is None else data, data is None, ended)


def read_blocks(stream: FileIO, end: int, limits: Limits = LIMITS) -> Iterator[bytes]:
    """Read from where the stream stands up to byte `end`, or to the end of the file if that comes first."""
    # A block is never longer than a line may be, so that only a line that spans blocks needs measuring.
    size = min(limits.block_bytes, limits.line_bytes)
    left = end - stream.tell()
    while left > 0 and (block := stream.read(min(size, left))):
        left -= len(block)
        yield block


def read_chunks(stream: FileIO, end: int, *, limits: Limits = LIMITS) -> Iterator[Chunk | Line]:
    """Read from where the stream stands up to byte `end`, by chunks of whole lines. A line above two blocks comes alone, as a `Line`.

    Nothing is counted here: the caller knows how many lines a chunk has, and numbers them. All chunks share one buffer.
    """
    size = min(limits.block_bytes, limits.line_bytes)
    longest = min(2 * size, limits.line_bytes)
    base = -(-size // PAGESIZE) * PAGESIZE
    with _borrow_buffer(base + longest + size) as data:
        yield from _fill_chunks(stream, end, data, (size, longest, base), limits)


@contextmanager
def _borrow_buffer(size_bytes: int) -> Iterator[mmap]:
    """Memory of this size for one reading, from an earlier one where there is some: fresh pages cost more than what is read into them.

    A page of a file is copied several times as fast to where a page of memory begins, which a large `bytearray` does not.
    """
    data = _FREE.pop(size_bytes, None) or mmap(-1, size_bytes)
    try:
        yield data
    finally:
        _FREE.clear()
        _FREE[size_bytes] = data


def _fill_chunks(stream: FileIO, end: int, data: mmap, sizes: tuple[int, int, int], limits: Limits) -> Iterator[Chunk | Line]:
    """The chunks. `sizes`: that of a block, of the longest line in a chunk, and where in the buffer the blocks are read to."""
    size, longest, base = sizes
    window = memoryview(data)
    byte = stream.tell()
    left, start, filled = end - byte, base, base  # `data[start:filled]` was read and is not handed out; there is no newline in it
    giant: Gathering | None = None
    while left > 0 and (read := stream.readinto(window[filled : filled + min(size, left)])):
        left -= read
        first = data.find(b"\n", filled, filled + read)
        filled += read
        stop = filled if first < 0 else first
        if giant is not None or stop - start > longest:
            giant = giant or Gathering(limits)
            giant.add(bytes(window[start:stop]))
            start = stop + 1
        if first < 0:
            start, filled = (start, filled) if giant is None else (base, base)
            continue
        if giant is not None:
            yield giant.close(0, byte, ended=True)
            byte += giant.size_bytes + 1
            giant = None
        last = max(start, data.rfind(b"\n", start, filled) + 1)
        if last > start:
            yield Chunk(byte, data, start, last)
            byte += last - start
        held = filled - last
        window[base - held : base] = window[last:filled]
        start, filled = base - held, base
    if giant is not None:
        giant.add(bytes(window[start:filled]))
        yield giant.close(0, byte, ended=False)
    elif filled > start:
        yield Chunk(byte, data, start, filled, ended=False)


def read_lines(stream: FileIO, end: int, *, limits: Limits = LIMITS) -> Iterator[Line]:
    """Read the lines of a file from its beginning up to byte `end`. Bytes after the last newline, if any, are a line too."""
    number = 1
    byte = 0
    open_line = Gathering(limits)
    for block in read_blocks(stream, end, limits):
        pieces = block.split(b"\n")
        rest = pieces.pop()
        if pieces:
            open_line.add(pieces[0])
            yield open_line.close(number, byte, ended=True)
            number += 1
            byte += open_line.size_bytes + 1
            for piece in islice(pieces, 1, None):
                yield Line(number, byte, piece)
                number += 1
                byte += len(piece) + 1
            open_line = Gathering(limits)
        open_line.add(rest)
    if open_line.size_bytes:
        yield open_line.close(number, byte, ended=False)
