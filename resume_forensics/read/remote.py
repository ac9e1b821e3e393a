"""Transcripts in stores elsewhere, named by URLs that fsspec knows (`s3://`, `gs://`, `sftp://`, `file://`): listed, and fetched.

What is fetched lies in a private folder of this machine and is deleted with it. Nothing in the store is changed.
"""

# ruff: noqa: PLC0415 (an extra, loaded where such a root is given)

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from resume_forensics.errors import ForensicsError, MissingExtra, UnreadableFile, WrongUse
from resume_forensics.read.transcripts import SUFFIX

_SCHEME: Final = "://"


def is_remote(root: str) -> bool:
    """Whether a root is a URL and no path."""
    return _SCHEME in root


def list_remote(root: str) -> list[tuple[str, int]]:
    """The URL of every file below a root whose name ends with `.jsonl`, with its size, sorted; hidden names are left out.

    Raises `MissingExtra`, `WrongUse` for a scheme that nobody knows, `UnreadableFile` where nothing can be listed.
    """
    store, place = _open(root)
    try:
        found: dict[str, dict[str, Any]] = store.find(place, detail=True)
        if not found and not store.exists(place):
            raise UnreadableFile(f"cannot sweep {root!r}: there is nothing")
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"cannot sweep {root!r}: {type(error).__name__}") from None
    names = {name: int(entry.get("size") or 0) for name, entry in found.items() if name.endswith(SUFFIX) and _is_plain(name, place)}
    return sorted((str(store.unstrip_protocol(name)), size) for name, size in names.items())


def fetch(url: str, path: Path) -> bool:
    """Copy one file of a store to a path; answer whether that was possible."""
    try:
        store, place = _open(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        store.get_file(place, str(path))
    except (OSError, ValueError, ForensicsError):
        path.unlink(missing_ok=True)
        return False
    return True


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that only its owner may enter, deleted at the end."""
    with TemporaryDirectory(prefix="resume-forensics-") as folder:
        yield Path(folder)


def _open(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra("roots that are URLs need packages that are not installed: pip install 'resume-forensics[dask]'") from None
    scheme = url.partition(_SCHEME)[0]
    try:
        store, place = url_to_fs(url)
    except ImportError:
        raise MissingExtra(
            f"{scheme}{_SCHEME} needs a package of fsspec that is not installed (s3fs for s3, gcsfs for gs, paramiko for sftp)"
        ) from None
    except ValueError:
        raise WrongUse(f"{scheme!r} is no kind of store that fsspec knows") from None
    return store, str(place)


def _is_plain(name: str, place: str) -> bool:
    """Whether no part of a name below the root is hidden or leads upwards."""
    return not any(part.startswith(".") for part in name.removeprefix(place).split("/"))
