"""The lines around a place in a transcript, and records as the first scan read them. In: a path and a byte. Out: lines and objects.

The first scan read text with universal newlines and the standard `json`: a carriage return ends a line too, and nothing is salvaged
from a damaged one.
"""

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import orjson
from msgspec.structs import replace

from resume_forensics.limits import LIMITS, WINDOW, Limits
from resume_forensics.model.record import JsonObject
from resume_forensics.read.files import open_regular, read_at_most
from resume_forensics.read.lines import Line, read_lines
from resume_forensics.read.tail import BackwardReading

_SMALL: Final = replace(LIMITS, block_bytes=LIMITS.edge_bytes)
_LINE_BYTES: Final = 4 * 1024
"""Most lines are shorter."""


def read_lines_from(path: Path, byte: int, *, number: int = 1, end: int | None = None, limits: Limits = LIMITS) -> Iterator[Line]:
    """The lines of a file from the one that begins at `byte`, which has this number, up to byte `end`. Raises `UnreadableFile`."""
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        stream.seek(byte)
        for line in read_lines(stream, size if end is None else min(end, size), limits=limits):
            yield Line(line.number + number - 1, line.byte + byte, *line[2:])


def read_lines_at(path: Path, places: Iterable[tuple[int, int]], *, limits: Limits = _SMALL) -> Iterator[Line]:
    """The lines that begin at these bytes, each with its number, in the order given. Raises `UnreadableFile`."""
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        for byte, number in places:
            at_once = os.pread(stream.fileno(), _LINE_BYTES, byte)
            end = at_once.find(b"\n")
            if end >= 0:
                yield Line(number, byte, at_once[:end])
                continue
            stream.seek(byte)
            for line in islice(read_lines(stream, size, limits=limits), 1):
                yield line._replace(number=number, byte=byte)


def find_whole_end(path: Path) -> tuple[int, int]:
    """The size of a file, and the byte behind its last newline. Raises `UnreadableFile`."""
    with open_regular(path) as stream:
        size = position = os.fstat(stream.fileno()).st_size
        while position > 0:
            start = max(0, position - _SMALL.block_bytes)
            stream.seek(start)
            newline = read_at_most(stream, position - start).rfind(b"\n")
            if newline >= 0:
                return size, start + newline + 1
            position = start
    return size, 0


def read_objects_before(path: Path, byte: int, count: int) -> list[JsonObject]:
    """The last `count` objects that the first scan would have seen before the line at `byte`, in file order."""
    found: list[JsonObject] = []
    for line in BackwardReading(path, max_bytes=LIMITS.tail_bytes, end=byte, limits=WINDOW).lines():
        value = None if b"\r" in line.data else _load(line.data)
        if isinstance(value, dict):
            found.append(value)
        elif value is None:
            found += reversed(list(load_strictly(line.data)))
        if len(found) >= count:
            break
    return found[count - 1 :: -1] if len(found) >= count else found[::-1]


def load_strictly(data: bytes | bytearray) -> Iterator[JsonObject]:
    """The objects on a physical line, as the first scan would have read them: one at most between two carriage returns."""
    for part in data.split(b"\r") if b"\r" in data else (data,):
        value = _load(part)
        if isinstance(value, dict):
            yield value


def _load(data: bytes | bytearray) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(data.decode(errors="replace").strip())
    except (ValueError, RecursionError):
        return None
