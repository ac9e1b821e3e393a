"""A file goes in by blocks; its physical lines come out, split at newlines (LF) and nowhere else.

Never holds more than a block and one line; a line above `LIMITS.line_bytes` is cut while it is read (`elide.py`).
"""

from collections.abc import Iterator
from io import FileIO
from itertools import islice
from typing import NamedTuple

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


class Chunk(NamedTuple):
    """Whole lines as they follow each other from `byte` on, each with its newline but perhaps the last (`ended` false).

    They are the first `size_bytes` of `data`, a buffer that the next chunk will overwrite.
    """

    byte: int
    data: bytearray
    size_bytes: int
    ended: bool = True


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
            for earlier in self._pieces:
                self._elision.feed(earlier)
            self._pieces = []
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
    """Read from where the stream stands up to byte `end`, by chunks of whole lines. A line above a block comes alone, as a `Line`.

    Nothing is counted here: the caller knows how many lines a chunk has, and numbers them. All chunks share one buffer.
    """
    size = min(limits.block_bytes, limits.line_bytes)
    data = bytearray(2 * size)
    window = memoryview(data)
    byte, held = stream.tell(), 0  # `held`: bytes of a line whose end was not read yet
    left = end - byte
    giant: Gathering | None = None
    while left > 0 and (read := stream.readinto(window[held : held + min(size, left)])):
        left -= read
        first, filled = data.find(b"\n", held, held + read), held + read
        begin = 0
        if giant is not None or (filled if first < 0 else first) > size:
            giant = giant or Gathering(limits)
            giant.add(bytes(window[: filled if first < 0 else first]))
            held = 0
            if first < 0:
                continue
            yield giant.close(0, byte, ended=True)
            begin = first + 1
            byte += giant.size_bytes + 1
            giant = None
        last = data.rfind(b"\n", begin, filled) + 1
        if last > begin:
            if begin:
                data[: last - begin] = window[begin:last].tobytes()
            yield Chunk(byte, data, last - begin)
            byte += last - begin
        begin = max(begin, last)
        held = filled - begin
        data[:held] = data[begin:filled]
    if giant is not None:
        giant.add(bytes(window[:held]))
        yield giant.close(0, byte, ended=False)
    elif held:
        yield Chunk(byte, data, held, ended=False)


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
