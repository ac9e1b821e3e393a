"""The program's own folder in the user's cache: made so that nobody else can look in, and used by one process at a time where it must be.

Nothing of a transcript is written here or anywhere else by this file.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SALT_BYTES = 16

_OWN_FILE = 0o600
_OWN_FOLDER = 0o700
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, or shut one that is there. Raises `OSError`."""
    folder.mkdir(mode=_OWN_FOLDER, parents=True, exist_ok=True)
    folder.chmod(_OWN_FOLDER)


def make_private_file(file: Path) -> None:
    """Make an empty file that only its owner may read, or shut one that is there; a link is refused. Raises `OSError`."""
    os.close(os.open(file, _FLAGS, _OWN_FILE))
    file.chmod(_OWN_FILE)


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold a lock while the block runs, and wait for whoever holds it; the kernel drops it if this process dies.

    Where the machine has no such locks nothing is held. Raises `OSError`.
    """
    make_private_file(file)
    with file.open("rb") as stream:
        with suppress(ImportError):
            import fcntl  # noqa: PLC0415 (not on every machine)

            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def read_salt(folder: Path | None) -> bytes:
    """The user's salt for hashes that leave the machine, made the first time it is asked for.

    Without a folder, and where none can be written, a new one each time: then hashes of two runs cannot be compared.
    """
    if folder is None:
        return os.urandom(SALT_BYTES)
    try:
        make_private_folder(folder)
        with alone(folder / "salt.lock"):
            file = folder / "salt"
            make_private_file(file)
            if len(salt := file.read_bytes()) != SALT_BYTES:
                file.write_bytes(salt := os.urandom(SALT_BYTES))
            return salt
    except OSError:
        return os.urandom(SALT_BYTES)
