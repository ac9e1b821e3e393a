"""Working directories as people and records spell them: which spellings mean the same place on this machine.

In: a directory that was asked for, and directories that records name. Out: yes or no, and the spellings a folder may be named after.
"""

import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final

from resume_forensics.text import Raw, reveal

_WINDOWS: Final = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class Place:
    """A directory that was asked for. On this machine links are followed; Windows spellings compare without letter case."""

    def __init__(self, directory: Path) -> None:
        chars = str(directory)
        self.is_windows = _WINDOWS.match(chars) is not None
        self.spellings = (chars,) if self.is_windows else tuple(dict.fromkeys((os.path.abspath(chars), _resolve(chars))))  # noqa: PTH100
        self._forms = {_fold(spelling) for spelling in self.spellings}

    def is_named(self, directory: Raw) -> bool:
        """Whether a directory that a record names is this place."""
        chars = reveal(directory)
        if _WINDOWS.match(chars) or not chars.startswith("/"):
            return self.is_windows and _fold(chars) in self._forms  # a relative one names no place: it is not resolved against ours
        return _fold(chars) in self._forms or _fold(_resolve(chars)) in self._forms

    def matches_folder(self, name: str, slug: Callable[[str], str], prefix_chars: int) -> bool:
        """Whether a harness's folder may hold sessions of this place: same slug, up to the prefix where names are cut."""
        return any(self._matches(name, slug(spelling), prefix_chars) for spelling in self.spellings)

    def _matches(self, name: str, wanted: str, prefix_chars: int) -> bool:
        if self.is_windows:
            name, wanted = name.lower(), wanted.lower()
        if len(wanted) > prefix_chars:
            return name.startswith(wanted[:prefix_chars])
        return name == wanted


def fold_directory(directory: Raw) -> Raw:
    """One form for all spellings of a directory that a record names, as far as its text tells; no link is followed."""
    return Raw(_fold(reveal(directory)))


def _fold(chars: str) -> str:
    """One form for all spellings of a path: composed characters, no trailing separator; Windows ones in lower case."""
    normal = unicodedata.normalize("NFC", chars)
    if _WINDOWS.match(normal):
        return normal.replace("/", "\\").rstrip("\\").lower()
    return normal.rstrip("/") or "/"


def _resolve(chars: str) -> str:
    try:
        return os.path.realpath(chars)
    except (OSError, ValueError):
        return chars
