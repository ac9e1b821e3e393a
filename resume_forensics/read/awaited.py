"""Ids whose lines are wanted in what is read ahead. In: where keys stand in a chunk. Out: whether a line is wanted."""

from collections.abc import Callable, Collection, Iterable, Mapping
from mmap import mmap
from typing import Final

from msgspec import Struct

from resume_forensics.text import Raw, reveal

_VALUE_BYTES: Final = 120
"""How much is looked at from a key on: an id that does not end within it is spelled unusually."""


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


class Awaited:
    """The awaited ids of a watch, by key. One is let go once the question of its key says no."""

    __slots__ = ("_ids", "_questions")

    def __init__(self, keys: Mapping[str, Callable[[Raw], bool]]) -> None:
        self._questions = {key.encode(): question for key, question in keys.items()}
        self._ids: dict[bytes, dict[bytes, Raw]] = {key: {} for key in self._questions}

    def __bool__(self) -> bool:
        return any(self._ids.values())

    def add(self, news: Iterable[Raw]) -> None:
        """Await these from now on."""
        for one in news:
            spelled = reveal(one).encode()
            for ids in self._ids.values():
                ids[spelled] = one

    def wants(self, data: mmap, offset: int) -> bool:
        """Whether the line is wanted in which a key begins with its quote at an offset. Spelled unusually, it is, to be safe."""
        key, *rest = data[offset + 1 : offset + _VALUE_BYTES].split(b'"', 3)
        ids = self._ids[key]
        if not ids:
            return False
        if len(rest) < 3 or rest[0] != b":" or b"\\" in rest[1]:  # noqa: PLR2004 (what stands between key and value, the value, the rest)
            return True
        one = ids.get(rest[1])
        if one is None:
            return False
        if not self._questions[key](one):
            del ids[rest[1]]
            return False
        return True

    def counts(self, before: bytes, one: Raw) -> bool:
        """Whether a line counts in which an id stands behind these bytes: by itself, or behind a key whose question says so."""
        head, _, key = before.rstrip(b' :\t"').rpartition(b'"')
        question = self._questions.get(key) if head else None
        return question is None or question(one)
