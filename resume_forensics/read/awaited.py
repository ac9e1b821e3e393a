"""Ids whose lines are wanted in what is read ahead. In: where keys stand in a chunk. Out: whether a line is wanted."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from mmap import mmap
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from resume_forensics.read.search import KeySpots
from resume_forensics.text import Raw, reveal

_PLAIN: Final = re.compile(rb"[ !#-.0-\[\]-~]*")
"""An id that JSON spells in one way alone, but for escapes of four digits, whose lines are nominated anyway."""


class Watch(Struct, frozen=True, kw_only=True):
    """Ids whose lines matter from some moment on.

    `wishes`: those whose lines came to be wanted since it was last called; they are looked for in what was just read, for as long
    as `is_wanted`. `news`: those that came to be awaited since it was last called; in what is read from then on a line is wanted
    where such an id is the value of one of the `keys`, if the question that stands there then says so.
    """

    wishes: Callable[[], Collection[Raw]]
    is_wanted: Callable[[Raw], bool]
    news: Callable[[], Collection[Raw]]
    keys: Mapping[str, Callable[[Raw], bool]]


class Candidate(NamedTuple):
    """Where the value of a key begins, which key it is, and the id; None where the spelling is unusual and only decoding can tell."""

    offset: int
    key: int
    one: bytes | None


class Awaited:
    """The awaited ids of a watch, by key. One is let go once the question of its key says no."""

    __slots__ = ("_ids", "_keys", "_questions", "_strange")

    def __init__(self, keys: Mapping[str, Callable[[Raw], bool]]) -> None:
        self._keys = tuple(keys)
        self._questions = tuple(keys.values())
        self._ids: tuple[defaultdict[int, dict[bytes, Raw]], ...] = tuple(defaultdict(dict) for _ in keys)  # each by its length in bytes
        self._strange = False

    def __bool__(self) -> bool:
        return self._strange or any(any(ids.values()) for ids in self._ids)

    def add(self, news: Iterable[Raw]) -> None:
        """Await these from now on."""
        for one in news:
            spelled = reveal(one).encode() + b'"'
            for ids in self._ids:
                ids[len(spelled)][spelled] = one
            self._strange = self._strange or not _PLAIN.fullmatch(spelled, 0, len(spelled) - 1)

    def find(self, data: mmap, spots: Sequence[KeySpots], start: int, stop: int) -> list[Candidate]:
        """The awaited ids that stand behind keys between two offsets, ascending. `spots`: one for each key of the watch."""
        found: list[Candidate] = []
        for key, ((usual, unusual), ids) in enumerate(zip(spots, self._ids, strict=True)):
            between = usual[bisect_left(usual, start) : bisect_left(usual, stop)]
            for length, of_length in ids.items():
                if of_length:
                    found += [Candidate(spot, key, one) for spot in between if (one := data[spot : spot + length]) in of_length]
            if self._strange or any(ids.values()):
                odd = unusual[bisect_left(unusual, start) : bisect_left(unusual, stop)]
                found += [Candidate(spot, key, None) for spot in (*odd, *(between if self._strange else ()))]
        found.sort(key=attrgetter("offset"))
        return found

    def wants(self, candidate: Candidate) -> bool:
        """Whether its line is wanted now."""
        if candidate.one is None:
            return True
        ids = self._ids[candidate.key][len(candidate.one)]
        one = ids.get(candidate.one)
        if one is not None and not self._questions[candidate.key](one):
            del ids[candidate.one]
            return False
        return one is not None

    def counts(self, before: bytes, one: Raw) -> bool:
        """Whether a line counts in which an id stands behind these bytes: by itself, or behind a key whose question says so."""
        head, _, key = before.rstrip(b' :\t"').rpartition(b'"')
        asked = [question for name, question in zip(self._keys, self._questions, strict=True) if head and name.encode() == key]
        return all(question(one) for question in asked)
