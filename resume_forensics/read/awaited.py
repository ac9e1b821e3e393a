"""Ids whose lines are wanted in what is read ahead. In: where keys stand in a chunk. Out: whether a line is wanted."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from mmap import mmap
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from resume_forensics.read.search import KeySpots
from resume_forensics.text import Raw, reveal

_PLAIN: Final = re.compile(rb"[ !#-.0-\[\]-~]*")
"""An id that JSON spells in one way alone, but for escapes of four digits, whose lines are nominated anyway."""


class Key(Struct, frozen=True, kw_only=True):
    """A member of a JSON object whose value is an id, and whether the line is wanted in which that id stands there.

    `mark`: a member that stands in the same line and is rarer, so that it is looked for in its place.
    """

    name: str
    is_wanted: Callable[[Raw], bool]
    mark: str | None = None


class Watch(Struct, frozen=True, kw_only=True):
    """Ids whose lines matter from some moment on.

    `wishes`: those whose lines came to be wanted since it was last called; they are looked for in what was just read, for as long
    as `is_wanted`. `awaited`: those whose lines are wanted in what is read from now on, where such an id is the value of one of the
    `keys`, for as long as the key says so. `news`: those that came to be awaited since it was last called.
    """

    wishes: Callable[[], Collection[Raw]]
    is_wanted: Callable[[Raw], bool]
    awaited: Callable[[], Collection[Raw]]
    news: Callable[[], Collection[Raw]]
    keys: tuple[Key, ...]

    @property
    def marks(self) -> tuple[str, ...]:
        """What the needles must look for besides: one member for each key."""
        return tuple(key.mark or key.name for key in self.keys)


class Candidate(NamedTuple):
    """Where the value of a key begins, which key it is, and the id; None where the spelling is unusual and only decoding can tell."""

    offset: int
    key: int
    one: bytes | None


class Awaited:
    """The awaited ids of a watch, by key. One is let go where its key does not want it any more."""

    __slots__ = ("_ids", "_keys", "_latest", "_strange")

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys
        self._ids: tuple[defaultdict[int, dict[bytes, Raw]], ...] = tuple(defaultdict(dict) for _ in keys)  # each by its length in bytes
        self._strange = False
        self._latest: tuple[list[bytes], list[bytes]] = [], []

    def __bool__(self) -> bool:
        return self._strange or any(any(ids.values()) for ids in self._ids)

    def add(self, news: Iterable[Raw]) -> None:
        """Await these from now on."""
        for one in news:
            spelled = reveal(one).encode() + b'"'
            for ids in self._ids:
                ids[len(spelled)][spelled] = one
            self._latest[1].append(spelled)
            self._strange = self._strange or not _PLAIN.fullmatch(spelled, 0, len(spelled) - 1)

    def find(self, data: mmap, spots: Sequence[KeySpots], start: int, stop: int) -> list[Candidate]:
        """The awaited ids that stand behind keys in the lines between two offsets, ascending. `spots`: of the marks, one for each key."""
        found: list[Candidate] = []
        for number, (key, marked, ids) in enumerate(zip(self._keys, spots, self._ids, strict=True)):
            if self._strange or any(ids.values()):
                between = marked.between(start, stop)
                usual, unusual = between if key.mark is None else _find_beside(data, key.name, between, stop)
                for length, of_length in ids.items():
                    found += [Candidate(spot, number, one) for spot in usual if (one := data[spot : spot + length]) in of_length]
                found += [Candidate(spot, number, None) for spot in (*unusual, *(usual if self._strange else ()))]
        found.sort(key=attrgetter("offset"))
        return found

    def wants(self, candidate: Candidate) -> bool:
        """Whether its line is wanted now."""
        if candidate.one is None:
            return True
        self.review(candidate.one)
        return candidate.one in self._ids[candidate.key][len(candidate.one)]

    def review_latest(self) -> None:
        """At a new chunk: let those go of the chunk before the last that lines answered which something else nominated, as is usual."""
        for spelled in self._latest[0]:
            self.review(spelled)
        self._latest = self._latest[1], []

    def review(self, spelled: bytes) -> None:
        """Let an id go at each key that does not want it any more."""
        for key, ids in zip(self._keys, self._ids, strict=True):
            one = ids[len(spelled)].get(spelled)
            if one is not None and not key.is_wanted(one):
                del ids[len(spelled)][spelled]

    def counts(self, before: bytes, one: Raw) -> bool:
        """Whether a line counts in which an id stands behind these bytes: by itself, or behind a key whose question says so."""
        head, _, key = before.rstrip(b' :\t"').rpartition(b'"')
        asked = [each.is_wanted for each in self._keys if head and each.name.encode() == key]
        return all(is_wanted(one) for is_wanted in asked)


def _find_beside(data: mmap, name: str, marks: KeySpots, stop: int) -> KeySpots:
    """Where the values of a key begin in the lines that hold a mark."""
    found, quoted, place = KeySpots([], []), f'"{name}"'.encode(), 0
    for mark in sorted((*marks.usual, *marks.unusual)):
        if mark < place:
            continue
        start, end = data.rfind(b"\n", 0, mark) + 1, data.find(b"\n", mark, stop)
        place = end if end >= 0 else stop
        key = data.find(quoted, start, place)
        while key >= 0:
            value = key + len(quoted)
            if data[value : value + 2] == b':"':
                found.usual.append(value + 2)
            else:
                found.unusual.append(value)
            key = data.find(quoted, value, place)
    return found
