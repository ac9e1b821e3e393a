"""Paths that a state file names go in, paths that may be looked at come out: those that stay inside the root, links followed.

Nothing is opened here. A path that leads out, or that no file of this machine can have, gives the reason instead.
"""

import os
from pathlib import Path

from resume_forensics.errors import UnreadableFile
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing


def find_root(directory: Path) -> Path:
    """Answer a directory with its links followed. Raises `UnreadableFile` where there is none."""
    if not os.path.isdir(directory):  # noqa: PTH112 (it never raises)
        raise UnreadableFile(f"there is no directory at {str(directory)!r}")
    return Path(os.path.realpath(directory))


def locate(path: Raw, root: Path, *, anywhere: bool = False) -> Path | Missing:
    """Answer where a named path leads, or why it may not be looked at.

    It must be relative and stay inside `root` at every step, also once links are followed; with `anywhere` it must be absolute and
    may lead anywhere but to another machine (two slashes first).
    """
    chars = reveal(path)
    if not chars:
        return Missing.NOT_RECORDED
    if path.cut or "\0" in chars:
        return Missing.UNREADABLE
    if anywhere:
        return Path(chars) if Path(chars).is_absolute() and not chars.startswith("//") else Missing.OUTSIDE
    if Path(chars).is_absolute() or ".." in Path(chars).parts:
        return Missing.OUTSIDE
    base, real = os.path.realpath(root), os.path.realpath(root / chars)
    return Path(real) if real == base or real.startswith(base.rstrip(os.sep) + os.sep) else Missing.OUTSIDE
