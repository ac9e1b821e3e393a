r"""The second view of a text: its escapes undone, so that a secret spelled `sk\u002dant...` or broken by a colour code is seen.

A text comes in; the plain characters and where each came from go out. Nothing is masked here.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_ESCAPE: Final = re.compile(
    r"""(?x)
      \\+(?:u00|x)(?P<hex>[2-7][0-9a-fA-F])      # JSON, programming languages
    | %(?P<percent>[2-7][0-9A-Fa-f])             # URLs
    | \\+(?P<slash>/)
    | &(?:\#(?P<decimal>[0-9]{2,3})|(?P<entity>amp|quot|lt|gt|apos));
    | \x1b\[[0-9;]{0,16}[A-Za-z]                  # colours
    | [\u200b-\u200d\u2060\ufeff\u00ad]           # characters without width
    """
)
_SIGNS: Final = ("\\u00", "\\x", "%", "\\/", "&", "\x1b[", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")
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


def unescape(text: str) -> View | None:
    """The second view, or None where a text holds no escape."""
    if not any(sign in text for sign in _SIGNS):
        return None
    pieces = list(_pieces(text))
    if len(pieces) == 1:
        return None
    starts: list[int] = []
    length = 0
    for plain, _, _ in pieces:
        starts.append(length)
        length += len(plain)
    return View("".join(piece[0] for piece in pieces), tuple(starts), tuple(p[1] for p in pieces), tuple(p[2] for p in pieces))


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Pieces of plain text with their places: copied stretches and single characters for escapes; dropped ones are left out."""
    done = 0
    for found in _ESCAPE.finditer(text):
        if found.start() > done:
            yield text[done : found.start()], done, found.start()
        plain = _character(found)
        if plain:
            yield plain, found.start(), found.end()
        done = found.end()
    if done < len(text) or done == 0:
        yield text[done:], done, len(text)


def _character(found: re.Match[str]) -> str:
    code = found["hex"] or found["percent"]
    if code:
        return chr(int(code, 16))
    if found["decimal"]:
        return chr(int(found["decimal"]))
    return found["slash"] or _ENTITIES.get(found["entity"] or "", "")
