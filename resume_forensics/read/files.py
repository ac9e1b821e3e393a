"""Paths in, facts and open files out: only regular files are ever opened, and nothing is ever written.

A path may come from a transcript and is then hostile: it must not block, raise, or reach a device or another machine.
"""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.fact import FileFact
from resume_forensics.model.record import JsonObject
from resume_forensics.read.decode import load_document
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing

_SENTENCE: Final = {
    Missing.GONE: "there is no such file",
    Missing.DANGLING_LINK: "it is a link that points nowhere",
    Missing.DIRECTORY: "it is a directory, not a file",
    Missing.NOT_REGULAR: "it is not a regular file",
    Missing.UNREADABLE: "it may not be read",
}

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Entry(Struct, frozen=True, kw_only=True):
    """One name in a folder. A link counts as what it points to; its size and time (both of the target) are None where it dangles."""

    name: str
    is_file: bool
    is_dir: bool
    is_link: bool
    size_bytes: int | None
    modified_at: datetime | None


class Listing(Struct, frozen=True, kw_only=True):
    """The entries of a folder in the order of their names. `cut`: there are more than were listed."""

    entries: tuple[Entry, ...]
    cut: bool = False

    def __iter__(self) -> Iterator[Entry]:
        """Walk the entries."""
        return iter(self.entries)

    def __len__(self) -> int:
        """How many were listed."""
        return len(self.entries)


def open_regular(path: Path) -> FileIO:
    """Open a regular file, or a link to one, for unbuffered binary reading.

    Raises `UnreadableFile` for everything else. Nothing but a regular file is opened, and the file is asked again once it is
    open, in case it was exchanged in between.
    """
    missing = _status(path)[0]
    if missing is not None:
        raise _refusal(path, missing)
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        raise _refusal(path, Missing.UNREADABLE) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refusal(path, Missing.NOT_REGULAR)
    return FileIO(descriptor, "rb")


def observe(path: Path | None) -> FileFact:
    """Answer what stands at a path, without opening it. An empty file has a size and a time although it is `Missing.EMPTY`."""
    if path is None:
        return FileFact(path=None, missing=Missing.NOT_RECORDED)
    missing, status = _status(path)
    if status is None:
        return FileFact(path=path, missing=missing)
    if missing is None and not os.access(path, os.R_OK):
        return FileFact(path=path, missing=Missing.UNREADABLE)
    return FileFact(
        path=path,
        missing=Missing.EMPTY if status.st_size == 0 else None,
        size_bytes=status.st_size,
        modified_at=time_of(status),
    )


def observe_named(raw: Raw | None, *, suffix: str = "") -> FileFact:
    """Answer what stands at a path that a transcript names.

    A path that no file of this machine can have gives no `path` back: one that holds a NUL, that is not absolute here, that was
    cut while reading, or that names another machine (two slashes first). Nor does one without `suffix`: a transcript may name
    any file of the user's, and only what the harness writes is its own to show.
    """
    if raw is None or not len(raw):
        return observe(None)
    chars = reveal(raw)
    if raw.cut or "\0" in chars or chars.startswith(("//", "\\\\")) or not Path(chars).is_absolute():
        return FileFact(path=None, missing=Missing.UNREADABLE)
    return observe(Path(chars)) if chars.endswith(suffix) else FileFact(path=None, missing=Missing.FOREIGN)


def list_folder(path: Path, *, limits: Limits = LIMITS) -> Listing:
    """List a folder; one that is not there, is none, or may not be read is an empty one."""
    try:
        with os.scandir(path) as found:
            entries = [_entry(item) for item in islice(found, limits.directory_entries)]
            cut = next(found, None) is not None
    except (OSError, ValueError):
        return Listing(entries=())
    return Listing(entries=tuple(sorted(entries, key=lambda entry: entry.name)), cut=cut)


def read_document(path: Path, *, limits: Limits = LIMITS) -> JsonObject | None:
    """Read a small file that is one JSON object, such as a sidecar or a registry entry.

    None where it cannot be opened, is longer than `LIMITS.document_bytes`, is no JSON object, or nests too deeply.
    """
    try:
        with open_regular(path) as stream:
            content = read_at_most(stream, limits.document_bytes + 1)
    except (UnreadableFile, OSError):
        return None
    return load_document(content, limits=limits) if len(content) <= limits.document_bytes else None


def read_whole(path: Path, *, limits: Limits = LIMITS) -> str:
    """Read a text file that the caller named. Raises `UnreadableFile`, also for one that is longer than `LIMITS.document_bytes`."""
    with open_regular(path) as stream:
        content = read_at_most(stream, limits.document_bytes + 1)
    if len(content) > limits.document_bytes:
        raise UnreadableFile(f"cannot read {str(path)!r}: it is longer than {limits.document_bytes:,} bytes")
    return content.decode(errors="replace")


def read_at_most(stream: FileIO, size_bytes: int) -> bytes:
    """Read up to `size_bytes` from where the stream stands; fewer only at the end of the file."""
    pieces = []
    while size_bytes > 0 and (piece := stream.read(size_bytes)):
        pieces.append(piece)
        size_bytes -= len(piece)
    return b"".join(pieces)


def time_of(status: os.stat_result) -> datetime:
    """The modification time of a status, in UTC; a time outside the calendar is its nearest end."""
    try:
        return datetime.fromtimestamp(status.st_mtime, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.min.replace(tzinfo=UTC) if status.st_mtime < 0 else datetime.max.replace(tzinfo=UTC)


def _status(path: Path) -> tuple[Missing | None, os.stat_result | None]:
    """The status of the regular file at a path, or why there is none."""
    try:
        status = path.stat()
    except PermissionError:
        return Missing.UNREADABLE, None
    except (OSError, ValueError):
        # `Path.is_symlink` raises for a name that is too long.
        return (Missing.DANGLING_LINK if os.path.islink(path) else Missing.GONE), None  # noqa: PTH114
    if stat.S_ISDIR(status.st_mode):
        return Missing.DIRECTORY, None
    if not stat.S_ISREG(status.st_mode):
        return Missing.NOT_REGULAR, None
    return None, status


def _refusal(path: Path, missing: Missing) -> UnreadableFile:
    """The sentence for a path that cannot be opened; quoted, so that its control characters show as escapes."""
    return UnreadableFile(f"cannot read {str(path)!r}: {_SENTENCE[missing]}")


def _entry(item: os.DirEntry[str]) -> Entry:
    """One directory entry with the status of what it points to."""
    try:
        status = item.stat()
    except OSError:
        return Entry(name=item.name, is_file=False, is_dir=False, is_link=item.is_symlink(), size_bytes=None, modified_at=None)
    return Entry(
        name=item.name,
        is_file=stat.S_ISREG(status.st_mode),
        is_dir=stat.S_ISDIR(status.st_mode),
        is_link=item.is_symlink(),
        size_bytes=status.st_size,
        modified_at=time_of(status),
    )
