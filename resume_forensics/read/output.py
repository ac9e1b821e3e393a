"""Files that the user asked for: bytes go in, and a whole file stands at the path afterwards, or what stood there before.

This is the one place of the package that writes where the user points, and it never replaces a file unasked.
"""

import os
from pathlib import Path

from resume_forensics.errors import WrongUse


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse a path that is taken, or whose folder is not there, before work is spent on it. Raises `WrongUse`."""
    if not path.parent.is_dir():
        raise WrongUse(f"cannot write {str(path)!r}: there is no such folder")
    if path.is_dir():
        raise WrongUse(f"cannot write {str(path)!r}: it is a folder")
    if os.path.lexists(path) and not force:
        raise WrongUse(f"{str(path)!r} is there already; --force replaces it")


def write_file(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write a file whole, or leave nothing of it. Without `force` a file that is there is refused. Raises `WrongUse`."""
    refuse_existing(path, force=force)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}") if force else path
    made = done = False
    try:
        with unfinished.open("xb") as stream:
            made = True
            stream.write(content)
        if force:
            unfinished.replace(path)
        done = True
    except OSError as error:
        raise WrongUse(f"cannot write {str(path)!r}: {error.strerror}") from None
    finally:
        if made and not done:
            unfinished.unlink(missing_ok=True)
