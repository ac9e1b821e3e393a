"""The bytes of one line go in; a `Record`, or a `Malformed` with the whole records found beside the damage, comes out.

Reasons are sentences of ours: nothing of the line stands in them. Never raises for what a line holds, and never recurses
deeper than `LIMITS.nesting`.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, TypeAlias, cast

import orjson
import stringzilla

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Json, JsonObject, Malformed, Place, Record

Item: TypeAlias = Record | Malformed

ONLY_NULS: Final = "nothing but NUL bytes"
NO_OBJECT: Final = "JSON, but not an object"
NOT_JSON: Final = "not valid JSON"
BREAKS_OFF: Final = "a record that breaks off before its end"
BEGINS_LATE: Final = "the end of a record whose beginning is missing"
GLUED: Final = "more than one record on the line"
DAMAGED: Final = "a whole record beside bytes that are none"
TOO_DEEP: Final = "nested too deeply"
TOO_LONG: Final = "too long, even with its strings cut"

_BOM: Final = b"\xef\xbb\xbf"
_OPENING: Final = '{"'
_GAP: Final = re.compile(r"[\0 \t\r\n]*")
_INSIDE_RECORD: Final = (",", "]", "}", ":")
_INSIDE_RECORD_BEFORE: Final = (",", "[", ":")

_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def decode(data: bytes | bytearray, place: Place, *, limits: Limits = LIMITS) -> Iterator[Item]:
    """Decode one line. A blank line gives nothing; a damaged one its `Malformed` first, then the records salvaged from it."""
    record = load_record(data, limits)
    if record is not None:
        yield Record(place=place, data=record)
    else:
        yield from explain(data, place, limits)


def load_record(data: bytes | bytearray, limits: Limits = LIMITS) -> JsonObject | None:
    """Decode a line that is one well-formed JSON object, the fast way. None: it is anything else; `explain` says what."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(value, dict) or (len(data) > limits.nesting and _may_be_deep(data, limits) and _is_deep(value, limits)):
        return None
    return value


def explain(data: bytes | bytearray, place: Place, limits: Limits = LIMITS) -> Iterator[Item]:
    """Decode a line that the fast way refused, with the standard library; where that refuses it too, salvage."""
    if place.byte == 0:
        data = data.removeprefix(_BOM)
    data = data.strip()
    if not data:
        return
    text = data.decode(errors="replace")
    if not text.strip("\0 \t\r\n"):
        yield Malformed(place=place, reason=ONLY_NULS)
        return
    found, reason = _search(text, limits)
    if reason:
        yield Malformed(place=place, reason=reason, salvaged=bool(found))
    for value in found:
        yield Record(place=place, data=value)


def load_document(content: bytes, *, limits: Limits = LIMITS) -> JsonObject | None:
    """Decode a whole file that is one JSON object, pretty-printed or not; None where it is none."""
    items = list(decode(content, Place(line=1, byte=0), limits=limits))
    return items[0].data if len(items) == 1 and isinstance(items[0], Record) else None


def _search(text: str, limits: Limits) -> tuple[list[JsonObject], str]:
    """Find the whole records in a line, and say what is wrong with it, "" if nothing is.

    Each start lies beyond the last one, close to where that one failed: a line is decoded about twice, however damaged.
    """
    found: list[JsonObject] = []
    lost: list[str] = []
    start = floor = reach = saved = 0
    risky = text.count("{") + text.count("[") > limits.nesting
    left = limits.elided_total_bytes
    for _ in range(limits.resync_starts):
        if risky:
            stop = _follow_nesting(text, start, limits)
            left -= stop - start
            if stop < 0:
                return found, TOO_DEEP
            if left < 0:
                break
        try:
            value, stop = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as fault:
            floor, reach = start + 1, max(reach, fault.pos)
        else:
            if isinstance(value, dict) and not _is_part(text, start, stop, reach):
                found.append(value)
                lost.append(text[saved:start].strip())
                saved = stop
            floor, reach = stop, max(reach, stop)
        start = _next_start(text, floor, reach)
        if start < 0:
            break
    lost.append(text[saved:].strip())
    return found, _judge(text, len(found), intact=not any(lost))


def _is_part(text: str, start: int, stop: int, reach: int) -> bool:
    """Whether an object that decoded is only a part of a record.

    It is where the decoding that failed at `reach` had passed it already, and where the signs before or after it say so. Those
    before it do not where that decoding failed at this very place: a record was torn after a comma, and a whole one follows.
    """
    return (
        stop <= reach
        or text.startswith(_INSIDE_RECORD, _GAP.match(text, stop).end())  # type: ignore[union-attr]  # matches everywhere
        or (start != reach and text.endswith(_INSIDE_RECORD_BEFORE, 0, start))
    )


def _next_start(text: str, floor: int, reach: int) -> int:
    """Where a whole record may begin: the last place up to `reach`, where decoding failed, else the first one after it; -1: nowhere.

    A torn string swallows the `{` of what follows and ends at its first quote, so a failure stands just behind the start.
    """
    start = text.rfind(_OPENING, floor, reach + len(_OPENING))
    return start if start >= 0 else text.find(_OPENING, max(floor, reach))


def _judge(text: str, found: int, *, intact: bool) -> str:
    """What is wrong with a line in which so many whole records were found; `intact`: nothing but them stands in it."""
    if found:
        return DAMAGED if not intact else GLUED if found > 1 else ""
    if _is_value(text):
        return NO_OBJECT
    match text.startswith("{"), text.endswith("}"):
        case True, False:
            return BREAKS_OFF
        case False, True:
            return BEGINS_LATE
        case _:
            return NOT_JSON


def _is_value(text: str) -> bool:
    """Whether the line is some other JSON value."""
    try:
        return _DECODER.raw_decode(text)[1] == len(text)
    except json.JSONDecodeError:
        return False


def _parse_integer(digits: str) -> int | float:
    """An integer of any length: beyond what Python converts, its nearest float."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


_DECODER: Final = json.JSONDecoder(parse_int=_parse_integer)


def _may_be_deep(data: bytes | bytearray, limits: Limits) -> bool:
    """Whether a line has as many brackets as a nesting beyond the bound needs."""
    return cast("int", stringzilla.count(data, b"{") + stringzilla.count(data, b"[")) > limits.nesting


def _is_deep(value: Json, limits: Limits) -> bool:
    """Whether a decoded value nests beyond the bound; level by level, without recursion."""
    level: list[Json] = [value]
    for _ in range(limits.nesting):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else cast("list[Json]", node))
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _follow_nesting(text: str, start: int, limits: Limits) -> int:
    """Where the value that may begin at `start` is closed, the end of the text if nowhere, -1 if it nests beyond the bound.

    Asked before the decoding, which recurses.
    """
    depth = 0
    for token in _TOKEN.finditer(text, start):
        char = text[token.start()]
        if char in "{[":
            depth += 1
            if depth > limits.nesting:
                return -1
        elif char != '"':
            depth -= 1
            if depth <= 0:
                return token.end()
    return len(text)
