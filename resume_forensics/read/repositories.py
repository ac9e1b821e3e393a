"""Directories go in, the names of their repositories come out: by their own last part, and by the work tree that holds them.

A directory may come from a transcript: it is looked at, never entered, and need not be on this machine.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS
from resume_forensics.read.files import open_regular, read_at_most
from resume_forensics.text import Raw, reveal

_WINDOWS: Final = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_LINKED: Final = re.compile(r"gitdir: (?P<root>.+?)[/\\]\.git[/\\]worktrees[/\\][^/\\\n]+\s*")
"""What the `.git` file of a linked work tree says (gitrepository-layout(5)); its repository is what stands before."""


def name_repository(directory: Path) -> str:
    """Answer the name of the repository that a directory belongs to: that of its main work tree, else its own last part."""
    roots = tuple(_find_roots(str(directory)))
    return _last_part(roots[-1] if roots else os.path.abspath(directory))  # noqa: PTH100 (`resolve` would follow links)


def names_repository(directory: Raw, name: str) -> bool:
    """Answer whether a directory, or the work tree that it stands in, has this name; a piece of a name is none."""
    chars = reveal(directory)
    if _WINDOWS.match(chars):
        return _normal(_last_part(chars)).casefold() == _normal(name).casefold()
    return _normal(name) in {_normal(_last_part(place)) for place in (chars, *_find_roots(chars))}


def _find_roots(chars: str) -> Iterator[str]:
    """The top of the work tree that a directory stands in, then that of the repository it is linked to."""
    if "\0" in chars or chars.startswith("//") or not Path(chars).is_absolute():
        return
    for place in (Path(chars), *Path(chars).parents):
        if os.path.lexists(place / ".git"):
            yield str(place)
            linked = _LINKED.match(_read_link(place / ".git"))
            if linked:
                yield linked["root"]
            return


def _read_link(path: Path) -> str:
    """What a `.git` file says; nothing for a folder."""
    try:
        with open_regular(path) as stream:
            return read_at_most(stream, LIMITS.link_bytes).decode(errors="replace")
    except (UnreadableFile, OSError):
        return ""


def _last_part(chars: str) -> str:
    parts = [part for part in re.split(r"[/\\]" if _WINDOWS.match(chars) else "/", chars) if part not in {"", "."}]
    return parts[-1] if parts else ""


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)
