"""The only writes that the package ever does to a person's files: each is whole or not at all, and each is on the disk before the next.

A file that changed since it was read is left alone, and so is a name that somebody else took; that is an answer, no exception.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, assert_never

from resume_forensics.errors import ForensicsError, UnreadableFile
from resume_forensics.model.write import Append, Create, Replace, Transaction, Write
from resume_forensics.read.enclosure import locate
from resume_forensics.read.files import open_regular
from resume_forensics.read.transaction import commit
from resume_forensics.vocabulary import Missing, Refusal

_NEW: Final = 0o666
"""The mode of a new file, before the user's own mask."""

_TEMPORARY: Final = ".resume-scan-"


def foresee_refusal(write: Write, root: Path) -> Refusal | None:
    """Answer why a write could not be done now. Asked of every write before the first one is done."""
    match write:
        case Replace():
            return None if _digest(_place(write, root)) == write.digest else Refusal.CHANGED_SINCE_READ
        case Create():
            return Refusal.CHANGED_SINCE_READ if _is_taken(_place(write, root), write.beside) else None
        case Append() | Transaction():
            return None
        case _:
            assert_never(write)


def carry_out(write: Write, root: Path) -> Refusal | None:
    """Do one write below `root`; answer why it was not done, None where it was.

    When this returns, what was written is on the disk. Raises `ForensicsError` where the machine would not let it be written; then
    what stood there stands there still.
    """
    place = _place(write, root)
    try:
        match write:
            case Append():
                _append(place, write.content)
                return None
            case Replace():
                return _replace(place, write.content, write.digest)
            case Create():
                return _create(place, write.content, write.beside)
            case Transaction():
                return commit(place, write.statements)
            case _:
                assert_never(write)
    except OSError as error:
        raise ForensicsError(f"{str(place)!r} could not be written, and is as it was: {error.strerror}") from None


def _place(write: Write, root: Path) -> Path:
    place = locate(write.path, root)
    if isinstance(place, Missing):
        raise ForensicsError(f"a write was planned that {place}; nothing was written")
    return place


def _append(place: Path, content: bytes) -> None:
    """Add whole lines in one write. A last line that was left without its end gets it first."""
    is_new = not os.path.lexists(place)
    descriptor = os.open(place, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), _NEW)
    with open(descriptor, "r+b", buffering=0) as stream:  # noqa: PTH123 (a descriptor, not a path)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            content = b"\n" + content
        stream.write(content)
        os.fsync(descriptor)
    if is_new:
        _settle(place.parent)


def _replace(place: Path, content: bytes, digest: str) -> Refusal | None:
    """Exchange a file in one step; the mode stays, and where this user may give it away, the owner."""
    status = place.stat()
    with _written_beside(place, content, status.st_mode & 0o7777) as temporary:
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
        if _digest(place) != digest:
            return Refusal.CHANGED_SINCE_READ
        temporary.replace(place)
        _settle(place.parent)
    return None


def _is_taken(place: Path, beside: tuple[str, ...] | None) -> bool:
    """Whether a name is taken, or its folder no longer holds just what it held when it was read."""
    if os.path.lexists(place):
        return True
    return beside is not None and _lasting(os.listdir(place.parent)) != _lasting(beside)  # noqa: PTH208 (names, not paths)


def _lasting(names: Iterable[str]) -> set[str]:
    """Names without those of our own temporary files."""
    return {name for name in names if not name.startswith(_TEMPORARY)}


def _create(place: Path, content: bytes, beside: tuple[str, ...] | None) -> Refusal | None:
    """Make a new file in one step, whole from its first moment."""
    mask = os.umask(0o077)
    os.umask(mask)
    with _written_beside(place, content, _NEW & ~mask) as temporary:
        if _is_taken(place, beside):
            return Refusal.CHANGED_SINCE_READ
        try:
            os.link(temporary, place)
        except FileExistsError:
            return Refusal.CHANGED_SINCE_READ
        _settle(place.parent)
    return None


@contextmanager
def _written_beside(place: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A temporary file in the same folder that holds the content, on the disk; gone in the end, in any case but that of a kill."""
    descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY, dir=place.parent)
    temporary = Path(name)
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123 (a descriptor, not a path)
            stream.write(content)
            stream.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _digest(place: Path) -> str | None:
    """The SHA-256 of a file in hex, None where it cannot be read."""
    try:
        with open_regular(place) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (UnreadableFile, OSError):
        return None


def _settle(folder: Path) -> None:
    """Put the names of a folder on the disk; not every file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
