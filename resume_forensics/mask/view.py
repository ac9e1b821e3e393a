r"""The second view of a text: its escapes undone, so that a secret spelled `sk\u002dant...` or broken by a colour code is seen.

A text comes in; the plain characters and where each came from go out. Nothing is masked here.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

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

IDLE_COLOUR: Final = re.compile(
    r"(?<!\S)\x1b\[[0-9;]{0,16}[A-Za-z](?=[\u2190-\u2bff])|(?<=[\u2190-\u2bff])\x1b\[[0-9;]{0,16}[A-Za-z](?!\S)"
)
"""A colour between a blank and a symbol, such as the mark of a test that passed: it parts no name and no value."""

_BLOCKS: Final = ("BEGIN", "Private-Lines", "machine ")
"""What begins a secret of more than two lines."""

_ENTITIES: Final = {"amp": "&", "quot": '"', "lt": "<", "gt": ">", "apos": "'"}


class View(Struct, frozen=True):
    """Text without escapes, of a stretch that begins at `start` in the original.

    For each escape: how much of the view stands before its end (`cuts`), where it ends in the original (`sources`), and where the
    character before that place ends there (`ends`), which is before the escape if it stands for no character.
    """

    text: str
    start: int
    cuts: list[int]
    sources: list[int]
    ends: list[int]

    def place(self, at: int) -> int:
        """Where the character at `at` begins in the original."""
        piece = bisect_right(self.cuts, at) - 1
        return self.sources[piece] + at - self.cuts[piece] if piece >= 0 else self.start + at

    def place_end(self, end: int) -> int:
        """Where the last character before `end` ends in the original."""
        piece = bisect_left(self.cuts, end)
        return self.ends[piece] if piece < len(self.cuts) and self.cuts[piece] == end else self.place(end)


def find_invisible(text: str) -> list[int]:
    """Where characters without width stand, in no order."""
    places: list[int] = []
    for char in _INVISIBLE:
        at = text.find(char)
        while at >= 0:
            places.append(at)
            at = text.find(char, at + 1)
    return places


def windows(sites: list[int], text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text around its escapes that are worth a second view: each reaches as far as a rule may look."""
    start = end = line_end = last = 0
    for site in sites:
        if end and site - LIMITS.mask_lookback_chars > end:
            yield start, _end_of_block(text, start, end, last)
            end = 0
        if not end:
            start = _blank_before(text, max(start, site - LIMITS.mask_lookback_chars))
        if not end or site > line_end:
            line_end, end = _end_of_reach(text, site)
        last = site
    if end:
        yield start, _end_of_block(text, start, end, last)


def _end_of_reach(text: str, site: int) -> tuple[int, int]:
    """The end of the line of an escape, and how far a rule may look on from it: to the end of the next line, if near; bounded."""
    far = site + LIMITS.mask_reach_chars
    line = text.find("\n", site, far)
    following = text.find("\n", line + 1, far) if line >= 0 else -1
    return (line, following + 1) if following >= 0 else (site, _blank_after(text, far))


def _end_of_block(text: str, start: int, end: int, last: int) -> int:
    """The end of a window; farther where something begins in it that has many lines."""
    return (
        max(end, _blank_after(text, last + LIMITS.mask_reach_chars)) if any(text.find(word, start, end) >= 0 for word in _BLOCKS) else end
    )


def _blank_before(text: str, at: int) -> int:
    """The end of the last blank before a place, so that no window begins inside a word; bounded."""
    floor = max(0, at - LIMITS.mask_lookback_chars)
    return max(text.rfind(" ", floor, at), text.rfind("\n", floor, at), floor - 1) + 1


def _blank_after(text: str, at: int) -> int:
    """Past the next blank, so that no window ends with a token that looks cut; bounded."""
    blank = text.find(" ", at, at + LIMITS.mask_reach_chars)
    return min((blank if blank >= 0 else at + LIMITS.mask_reach_chars) + 1, len(text))


def unescape(text: str, start: int, end: int, sites: list[int]) -> View | None:
    """The second view of a stretch of text, or None where it holds no escape after all. `sites`: where one may stand, in order."""
    pieces: list[str] = []
    cuts: list[int] = []
    sources: list[int] = []
    ends: list[int] = []
    done, chars = start, 0
    for site in sites[bisect_left(sites, start) : bisect_left(sites, end)]:
        at = _first_backslash(text, max(done, site - LIMITS.mask_lookback_chars), site) if text[site] == "\\" else site
        if at < done or (found := _ESCAPE.match(text, at, end)) is None:
            continue
        plain = _character(found)
        pieces += (text[done:at], plain)
        chars += at - done + len(plain)
        done = found.end()
        cuts.append(chars)
        sources.append(done)
        ends.append(done if plain else at)
    if not cuts:
        return None
    pieces.append(text[done:end])
    return View("".join(pieces), start, cuts, sources, ends)


def _first_backslash(text: str, floor: int, at: int) -> int:
    """Where the row of backslashes begins that goes on at a place; bounded."""
    return floor + len(text[floor:at].rstrip("\\")) if at > floor else at


def _character(found: re.Match[str]) -> str:
    """What an escape stands for; nothing, where it is a colour or has no width."""
    code, slash, percent, decimal, entity = found.groups()
    if code or percent:
        return chr(int(code or percent, 16))
    if decimal:
        return chr(int(decimal))
    return slash or _ENTITIES.get(entity, "")
