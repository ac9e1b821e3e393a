"""Cells of the database in, texts and times out; a cell of the wrong type is read as what it would print as.

Times there are written in four ways, one of which lost its seconds; none of them raises here.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from resume_forensics.model.inquiry import Cell
from resume_forensics.model.org import Moment
from resume_forensics.text import Raw

_MISSPELLED: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d):\d{6}Z")
"""What Python's `%Y-%m-%dT%H:%M:%fZ` prints (SQLite means seconds by %f, Python microseconds): microseconds where the seconds were."""

_DATED: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
_LARGEST_COUNT: Final = 2**53


def read_text(cell: Cell) -> str | None:
    """What a cell says, None where it is null or blank."""
    chars = "" if cell is None else str(cell).strip()
    return chars or None


def read_raw(row: Mapping[str, Cell], column: str) -> Raw | None:
    """What a column says, as text that may be printed once it is masked; None where it is null, blank or not there."""
    chars = read_text(row.get(column))
    return None if chars is None else Raw(chars)


def read_moments(row: Mapping[str, Cell], *columns: str) -> tuple[Moment, ...]:
    """The times of a row, in this order; a column that is null, blank or not there has none."""
    texts = ((column, read_text(row.get(column))) for column in columns)
    return tuple(_read_moment(column, chars) for column, chars in texts if chars)


def _read_moment(column: str, chars: str) -> Moment:
    """A time without offset is UTC, as SQLite's own functions write it."""
    misspelled = _MISSPELLED.fullmatch(chars)
    at = _read_time(misspelled[1] if misspelled else chars)
    return Moment(column=column, text=Raw(chars), at=at, exact=misspelled is None and at is not None)


def _read_time(chars: str) -> datetime | None:
    if not _DATED.fullmatch(chars):
        return None
    try:
        moment = datetime.fromisoformat(chars)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def read_payload(cell: Cell) -> Mapping[str, object]:
    """What an event carries; nothing where that is no JSON object."""
    try:
        payload = json.loads(cell) if isinstance(cell, str) else None
    except (ValueError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}


def read_count(payload: Mapping[str, object], name: str) -> int | None:
    """A number that a payload names `<name>_count`, or the length of the list that it names `<name>`."""
    count, items = payload.get(f"{name}_count"), payload.get(name)
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _LARGEST_COUNT:
        return count
    return len(items) if isinstance(items, list) else None
