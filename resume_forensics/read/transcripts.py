"""Finds the transcripts below a folder. In: a root. Out: paths with sizes, as `glob("**/*.jsonl")` names and sorts them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from resume_forensics.errors import UnreadableFile
from resume_forensics.read.files import observe
from resume_forensics.vocabulary import Missing

SUFFIX: Final = ".jsonl"


def find_transcripts(root: Path) -> list[tuple[str, int]]:
    """Every file below a folder whose name ends with `.jsonl`, with its size, sorted; hidden names are not visited. A file is itself.

    Links are followed, but not into a folder that they lie in. What is no regular file has the size -1: it cannot be read. Raises
    `UnreadableFile` where there is nothing at the root.
    """
    missing = observe(root).missing
    if missing is Missing.DIRECTORY:
        return sorted(_walk(str(root), ()))
    if missing in (None, Missing.EMPTY):
        return [(str(root), root.stat().st_size)]
    why = "there is no such folder" if missing is Missing.GONE else f"it is {missing}"
    raise UnreadableFile(f"cannot sweep {str(root)!r}: {why}")


def _walk(folder: str, above: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, int]]:
    """The transcripts below one folder, in no order; `above`: the folders it lies in."""
    folders: list[str] = []
    found: list[tuple[str, int]] = []
    try:
        status = os.stat(folder)  # noqa: PTH116 (very many folders)
        here = (status.st_dev, status.st_ino)
        if here in above:
            return
        with os.scandir(folder) as entries:  # an entry holds all that was asked of its file: none is kept
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if _is_folder(entry):
                    folders.append(entry.path)
                elif entry.name.endswith(SUFFIX):
                    found.append((entry.path, _size_of(entry)))
    except (OSError, ValueError):
        return
    yield from found
    for below in folders:
        yield from _walk(below, (*above, here))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _size_of(entry: os.DirEntry[str]) -> int:
    try:
        status = entry.stat()
    except OSError:
        return -1
    return status.st_size if stat.S_ISREG(status.st_mode) else -1
