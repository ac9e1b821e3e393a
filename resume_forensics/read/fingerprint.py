"""Whether a file is still the one that was read: what the file system says of it, and prints of its content.

In: a path. Out: numbers and hashes; of the content itself nothing ever leaves.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read.files import open_regular, read_at_most

PRINT_BYTES = 16
"""The length of every print."""


class Identity(NamedTuple):
    """What the file system says of a regular file. While none of it changes, the content is taken to be the same.

    `changed_ns`: of the entry, which no program can set back; on Windows the time of its making.
    """

    device: int
    inode: int
    size_bytes: int
    modified_ns: int
    changed_ns: int


def identify(path: Path) -> Identity | None:
    """Answer who a file is, without opening it; None where there is no regular file."""
    try:
        status = os.stat(path)  # noqa: PTH116 (a third of the time of `Path.stat`, once for each of very many files)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Identity(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def print_samples(path: Path, size_bytes: int, *, limits: Limits = LIMITS) -> bytes | None:
    """A print of the first `size_bytes` of a file by samples: its head, its tail, and blocks at equal distances between them.

    It tells a file that was appended to from one that was written anew. None where the file cannot be read or is shorter.
    """
    found = blake2b(size_bytes.to_bytes(8), digest_size=PRINT_BYTES)
    try:
        with open_regular(path) as stream:
            for start, end in _places(size_bytes, limits):
                sample = _read_at(stream, start, end - start)
                if len(sample) < end - start:
                    return None
                found.update(sample)
    except (UnreadableFile, OSError):
        return None
    return found.digest()


def print_whole(path: Path, sizes_bytes: Sequence[int], *, limits: Limits = LIMITS) -> list[bytes] | None:
    """Prints of the first so many bytes of a file, for each of the sizes, which ascend; every byte up to the last one is read.

    None where the file cannot be read or is shorter.
    """
    found, read_bytes, prints = blake2b(digest_size=PRINT_BYTES), 0, []
    try:
        with open_regular(path) as stream:
            for size in sizes_bytes:
                while read_bytes < size:
                    block = read_at_most(stream, min(limits.block_bytes, size - read_bytes))
                    if not block:
                        return None
                    found.update(block)
                    read_bytes += len(block)
                prints.append(found.digest())
    except (UnreadableFile, OSError):
        return None
    return prints


def _places(size_bytes: int, limits: Limits) -> Iterator[tuple[int, int]]:
    """Where the samples begin and end. A small file has but its head and its tail, a smaller one is a sample itself."""
    sample = limits.sample_bytes
    if size_bytes <= 2 * sample:
        yield 0, size_bytes
        return
    between = limits.samples - 1 if size_bytes >= limits.block_bytes else 1
    for index in range(between + 1):
        start = (size_bytes - sample) * index // between
        yield start, start + sample


def _read_at(stream: FileIO, start: int, size_bytes: int) -> bytes:
    stream.seek(start)
    return read_at_most(stream, size_bytes)
