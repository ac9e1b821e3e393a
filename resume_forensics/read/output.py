"""A new file is written piece by piece; it bears its name only once it is whole, and never takes the place of another unasked.

What was begun and not finished leaves nothing behind, in any case but that of a kill.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from resume_forensics.errors import ForensicsError, WrongUse


@contextmanager
def write_whole(path: Path, *, force: bool, spared: Path | None = None) -> Iterator[IO[bytes]]:
    """Give a stream for the content of a file that gets its name when the block ends well; its mode is 0600.

    `force` lets it replace a regular file, but never the one at `spared`, from which it is made. Raises `WrongUse` where a file has
    the name, `ForensicsError` where the machine would not let it be written.
    """
    refuse_existing(path, force=force, spared=spared)
    temporary: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=".resume-scan-", dir=path.parent)
        temporary = Path(name)
        with open(descriptor, "wb") as stream:  # noqa: PTH123 (a descriptor, not a path)
            yield stream
        _settle(temporary, path, force=force, spared=spared)
    except OSError as error:
        raise ForensicsError(f"{str(path)!r} could not be written: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_file(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write a file whole, or leave nothing of it. Raises as `write_whole`."""
    with write_whole(path, force=force) as stream:
        stream.write(content)


def refuse_existing(path: Path, *, force: bool, spared: Path | None = None) -> None:
    """Refuse a path that is taken, or whose folder is not there, before work is spent on it. Raises `WrongUse`."""
    if not path.parent.is_dir():
        raise WrongUse(f"{str(path)!r} cannot be written: there is no such folder")
    if not os.path.lexists(path):
        return
    if not force:
        raise WrongUse(f"{str(path)!r} is there already; --force writes over it")
    if path.is_symlink() or not path.is_file():
        raise WrongUse(f"{str(path)!r} is no regular file, so nothing is written over it")
    if spared is not None and spared.exists() and path.samefile(spared):
        raise WrongUse("the output is the session itself; name another file")


def _settle(temporary: Path, path: Path, *, force: bool, spared: Path | None) -> None:
    """Give the finished file its name, unless somebody took it meanwhile."""
    if force:
        refuse_existing(path, force=True, spared=spared)
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise WrongUse(f"{str(path)!r} was made by somebody else meanwhile; nothing was written") from None
