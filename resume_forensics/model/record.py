"""One line of a transcript: a decoded `Record`, or a `Malformed` one with its place and reason.

The small functions ask a decoded object for a value of one type; a value of another type counts as absent, because a
transcript is hostile input and every harness version spells its fields a little differently.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

_NOTHING: JsonObject = {}


class Place(Struct, frozen=True, kw_only=True):
    """Where a line stands: its number from 1, and the byte at which it begins."""

    line: int
    byte: int


class Record(Struct, frozen=True, kw_only=True):
    """A line that decoded to a JSON object. Its data never shows in a representation."""

    place: Place
    data: JsonObject

    def __repr__(self) -> str:
        return f"Record(place={self.place})"


class Malformed(Struct, frozen=True, kw_only=True):
    """A line that is no JSON object. `salvaged`: a whole record found inside it follows as a `Record`."""

    place: Place
    reason: str
    salvaged: bool = False


def text_of(data: JsonObject, key: str) -> str | None:
    """The string under `key`, or None."""
    value = data.get(key)
    return value if isinstance(value, str) else None


def object_of(data: JsonObject, key: str) -> JsonObject:
    """The object under `key`, or an empty one."""
    value = data.get(key)
    return value if isinstance(value, dict) else _NOTHING


def objects_of(data: JsonObject, key: str) -> tuple[JsonObject, ...]:
    """The objects in the list under `key`, in order; other items are passed over."""
    value = data.get(key)
    return tuple([item for item in value if isinstance(item, dict)]) if isinstance(value, list) else ()


def number_of(data: JsonObject, key: str) -> int | float | None:
    """The number under `key`, or None; a boolean is no number."""
    value = data.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def flag_of(data: JsonObject, key: str) -> bool | None:
    """The boolean under `key`, or None where it is not said."""
    value = data.get(key)
    return value if isinstance(value, bool) else None


def read_time(text: str | None) -> datetime | None:
    """A point in time in ISO 8601 with its offset, in UTC; None for anything else, a time without an offset included."""
    try:
        at = datetime.fromisoformat(text or "")
        return at.astimezone(UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
