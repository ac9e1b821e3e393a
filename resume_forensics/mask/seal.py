"""The seal: a report of raw text in, the same report of masked text out.

It walks any frozen struct, so that no field passes beside the mask; a value of a kind that it does not know stops it.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Final, overload

from msgspec import Struct

from resume_forensics.mask.engine import Masker
from resume_forensics.model.report import Report, SessionList
from resume_forensics.text import Masked, Raw, compose

if TYPE_CHECKING:
    from resume_forensics.model.claim import Reconciliation
    from resume_forensics.model.discovery import Discovery
    from resume_forensics.model.skeleton import Row

_PLAIN: Final = (str, int, float, bool, datetime, Enum, type(None))
_KINDS_FIELD: Final = "redacted_kinds"
_CUT_FIELD: Final = "cut_while_reading"
_LINES_FIELD: Final = "lines"
"""Holds the lines of one text, among which a secret of several lines may stand."""


@overload
def seal(value: Report[Raw], masker: Masker) -> Report[Masked]: ...
@overload
def seal(value: SessionList[Raw], masker: Masker) -> SessionList[Masked]: ...
@overload
def seal(value: "Reconciliation[Raw]", masker: Masker) -> "Reconciliation[Masked]": ...
@overload
def seal(value: "Discovery[Raw]", masker: Masker) -> "Discovery[Masked]": ...
@overload
def seal(value: "Row[Raw]", masker: Masker) -> "Row[Masked]": ...
@overload
def seal(value: object, masker: Masker) -> object: ...
def seal(value: object, masker: Masker) -> object:
    """Answer the same value with every `Raw` masked by one masker.

    Each object's `redacted_kinds` becomes the sorted kinds masked anywhere inside it, its `cut_while_reading` the names of its own
    fields that were cut while reading. Raises TypeError at a value that is neither text, number, time, word, tuple nor struct.
    """
    for raw in _raw_texts(value):
        masker.reserve(raw)
    return _seal(value, masker, set())


def _raw_texts(value: object) -> Iterator[Raw]:
    match value:
        case Raw():
            yield value
        case tuple():
            for item in value:
                yield from _raw_texts(item)
        case Struct():
            for name in value.__struct_fields__:
                yield from _raw_texts(getattr(value, name))


def _seal(value: object, masker: Masker, kinds: set[str]) -> object:
    """The sealed value; what was masked inside it is added to `kinds`."""
    match value:
        case Raw():
            cover = masker.cover(value)
            kinds.update(cover.kinds)
            return cover.text
        case tuple():
            return tuple(_seal(item, masker, kinds) for item in value)
        case _ if isinstance(value, _PLAIN):
            return value
        case Struct():
            return _seal_object(value, masker, kinds)
    raise TypeError(f"the seal does not know how to mask a {type(value).__name__}")


def _seal_object(value: Struct, masker: Masker, kinds: set[str]) -> object:
    inside: set[str] = set()
    before = {name: getattr(value, name) for name in value.__struct_fields__}
    after = {name: (_seal_lines if name == _LINES_FIELD else _seal)(held, masker, inside) for name, held in before.items()}
    if _KINDS_FIELD in after:
        after[_KINDS_FIELD] = tuple(sorted(inside))
    if _CUT_FIELD in after:
        after[_CUT_FIELD] = tuple(name for name, held in before.items() if _is_cut(held))
    kinds |= inside
    return type(value)(**after)


def _seal_lines(held: object, masker: Masker, kinds: set[str]) -> object:
    """The lines one by one, unless something shows only where they stand together; then what is left of the whole, line by line."""
    apart = _seal(held, masker, kinds)
    if not isinstance(held, tuple) or not isinstance(apart, tuple):
        return apart
    whole = masker.cover(compose(*(part for line in held for part in ("\n", line))))
    if whole.text == "".join(f"\n{line}" for line in apart):
        return apart
    kinds.update(whole.kinds)
    return whole.text.lines()[1:]


def _is_cut(held: object) -> bool:
    return held.cut if isinstance(held, Raw) else isinstance(held, tuple) and any(map(_is_cut, held))
