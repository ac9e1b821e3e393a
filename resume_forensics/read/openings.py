"""Nominates the lines in which some text begins with one of a few phrases, whatever its letter case. In: phrases. Out: offsets, as needles.

A phrase counts where it begins a JSON string, behind white space at most; what stands in the middle of a text is passed over.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import ahocorasick_rs
import stringzilla

from resume_forensics.read.lines import Chunk
from resume_forensics.read.search import KeySpots, Needles

_FOLDED: Final = bytes(range(256)).lower()
_QUOTES: Final = (b"", b'"')
_WORD: Final = frozenset(bytes([code]) for code in b"abcdefghijklmnopqrstuvwxyz0123456789_")
_SPREAD_BYTES: Final = 5
"""A shorter first word at the end of a string (`go"`) would cost more than all others together."""
_BACK_BYTES: Final = 48
_BEGINS: Final = re.compile(rb"(?:\A(?:u?[0-9a-f]{0,4}|[bfnrt])|\")(?:\s|\\[bfnrt]|\\u[0-9a-f]{4}|[\x80-\xff]|\\?/)*\Z")
"""From the beginning of a string to the phrase: white space in any spelling, other than ASCII signs to be on the safe side, a slash.
Where the look back ends in the midst of such signs, or of their escapes, the phrase counts."""


class OpeningNeedles(Needles):
    """Needles, and phrases that count only where a string begins with them.

    Of a phrase of several words the first ones count also at the end of a string, since a text may be spread over blocks.
    """

    def __init__(self, needles: Iterable[str], phrases: Iterable[str], keys: Iterable[str] = ()) -> None:
        super().__init__(needles, keys)
        self.phrases = tuple(phrases)
        spelled = sorted({spelling for phrase in self.phrases for spelling in _spell(phrase.lower().removeprefix("/"))})
        self._phrases = ahocorasick_rs.BytesAhoCorasick(spelled, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)

    def _find(self, chunk: Chunk, view: memoryview) -> tuple[list[int], list[KeySpots]]:
        """As the needles' own; also the offsets at which phrases begin that begin a string."""
        offsets, spots = super()._find(chunk, view)
        folded = stringzilla.translate(view, _FOLDED)
        hits = self._phrases.find_matches_as_indexes(folded)
        phrases = [chunk.start + begin for _, begin, _ in hits if _begins_string(folded, begin)]
        return sorted(offsets + phrases) if phrases else offsets, spots


def _spell(phrase: str) -> Iterator[bytes]:
    yield phrase.encode()
    words = phrase.split(" ")
    for count in range(1, len(words)):
        spread = f'{" ".join(words[:count])}"'.encode()
        if len(spread) >= _SPREAD_BYTES:
            yield spread


def _begins_string(data: bytes, begin: int) -> bool:
    """Whether nothing but white space, in any spelling, stands between the quote that opens a string and a byte of it."""
    before = data[begin - 1 : begin]
    if before in _QUOTES:
        return True
    if before in _WORD and data[begin - 2 : begin - 1] != b"\\" and data[begin - 6 : begin - 4] != b"\\u":
        return False
    return _BEGINS.search(data[max(0, begin - _BACK_BYTES) : begin]) is not None
