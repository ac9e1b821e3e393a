r"""The second view of a text: its escapes undone, so that a secret spelled `sk\u002dant...` or broken by a colour code is seen.

A text comes in; the plain characters and where each came from go out. Nothing is masked here.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from resume_forensics.limits import LIMITS

_ESCAPE: Final = re.compile(
    r"""(?x)
      \\\\*+(?: (?:u00|x)(?P<hex>[2-7][0-9a-fA-F])                # JSON, programming languages
             | (?P<slash>/)
             | (?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,16}[A-Za-z] )   # colours, spelled out
    | %(?P<percent>[2-7][0-9A-Fa-f])                             # URLs
    | &(?:\#(?P<decimal>[0-9]{2,3})|(?P<entity>amp|quot|lt|gt|apos));
    | \x1b\[[0-9;]{0,16}[A-Za-z]                                  # colours
    | \u200b|\u200c|\u200d|\u2060|\ufeff|\u00ad                  # characters without width
    """
)
"""Every branch begins with one character and no other: so the library looks for these first, which is many times faster."""

SIGNS: Final = (
    *(f"{lead}{digit}" for lead in ("\\u00", "\\x", "%") for digit in range(2, 8)),
    *("\\u001b[", "\\x1b[", "\\033[", "\\e[", "\x1b[", "\\/", "&#", "&amp;", "&quot;", "&lt;", "&gt;", "&apos;"),
)
"""Where an escape may stand: literals that the engine looks for together with its keywords."""

_INVISIBLE: Final = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")

_BLOCK: Final = re.compile(r"BEGIN|Private-Lines|machine ")
"""What begins a secret of more than two lines."""

_ENTITIES: Final = {"amp": "&", "quot": '"', "lt": "<", "gt": ">", "apos": "'"}


@dataclass(frozen=True, slots=True)
class View:
    """Text without escapes. `starts` and `sources` tell where each unbroken piece begins here and in the original."""

    text: str
    starts: tuple[int, ...]
    sources: tuple[int, ...]
    ends: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where the character at `at` begins in the original."""
        piece = bisect_right(self.starts, at) - 1
        return self.sources[piece] + at - self.starts[piece]

    def place_end(self, end: int) -> int:
        """Where the last character before `end` ends in the original."""
        piece = bisect_right(self.starts, end - 1) - 1
        return min(self.sources[piece] + end - self.starts[piece], self.ends[piece]) if self._is_whole(piece) else self.ends[piece]

    def _is_whole(self, piece: int) -> bool:
        """Whether a piece is copied, not an escape undone."""
        following = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        return following - self.starts[piece] == self.ends[piece] - self.sources[piece]


def find_invisible(text: str) -> list[int]:
    """Where characters without width stand, in no order."""
    places: list[int] = []
    for char in _INVISIBLE:
        at = text.find(char)
        while at >= 0:
            places.append(at)
            at = text.find(char, at + 1)
    return places


def windows(sites: Iterable[int], text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text around its escapes that are worth a second view: each reaches as far as a rule may look."""
    start = end = last = 0
    for site in sites:
        if end and site - LIMITS.mask_lookback_chars > end:
            yield start, _end_of_block(text, start, end, last)
            end = 0
        if not end:
            start = _blank_before(text, max(start, site - LIMITS.mask_lookback_chars))
        end = max(end, _end_of_reach(text, site))
        last = site
    if end:
        yield start, _end_of_block(text, start, end, last)


def _end_of_reach(text: str, site: int) -> int:
    """How far a rule may look on from an escape: to the end of the next line, if that is near; bounded."""
    far = site + LIMITS.mask_reach_chars
    line = text.find("\n", site, far)
    following = text.find("\n", line + 1, far) if line >= 0 else -1
    return following + 1 if following >= 0 else _blank_after(text, far)


def _end_of_block(text: str, start: int, end: int, last: int) -> int:
    """The end of a window; farther where something begins in it that has many lines."""
    return max(end, _blank_after(text, last + LIMITS.mask_reach_chars)) if _BLOCK.search(text, start, end) else end


def _blank_before(text: str, at: int) -> int:
    """The end of the last blank before a place, so that no window begins inside a word; bounded."""
    floor = max(0, at - LIMITS.mask_lookback_chars)
    return max(text.rfind(" ", floor, at), text.rfind("\n", floor, at), floor - 1) + 1


def _blank_after(text: str, at: int) -> int:
    """Past the next blank, so that no window ends with a token that looks cut; bounded."""
    blank = text.find(" ", at, at + LIMITS.mask_reach_chars)
    return min((blank if blank >= 0 else at + LIMITS.mask_reach_chars) + 1, len(text))


def unescape(text: str, start: int, end: int) -> View | None:
    """The second view of a stretch of text, or None where it holds no escape after all."""
    pieces = list(_pieces(text, start, end))
    if len(pieces) == 1:
        return None
    starts = tuple(accumulate((len(piece[0]) for piece in pieces[:-1]), initial=0))
    return View("".join(piece[0] for piece in pieces), starts, tuple(p[1] for p in pieces), tuple(p[2] for p in pieces))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Pieces of plain text with their places: copied stretches and single characters for escapes; dropped ones are left out."""
    done = start
    for found in _ESCAPE.finditer(text, start, end):
        if found.start() > done:
            yield text[done : found.start()], done, found.start()
        plain = _character(found)
        if plain:
            yield plain, found.start(), found.end()
        done = found.end()
    yield text[done:end], done, end


def _character(found: re.Match[str]) -> str:
    code = found["hex"] or found["percent"]
    if code:
        return chr(int(code, 16))
    if found["decimal"]:
        return chr(int(found["decimal"]))
    return found["slash"] or _ENTITIES.get(found["entity"] or "", "")
