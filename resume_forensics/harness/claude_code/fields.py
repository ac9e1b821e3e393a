"""How Claude Code spells ids, times, versions and text blocks. JSON values in, typed values out; nothing is judged here.

Format facts: program versions 1.0.11 to 2.1.332 and 15,437 public transcripts.
"""

import re
from _blake2 import blake2b  # not by way of hashlib, which loads OpenSSL: 4 MiB that a small scan does not need
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

from resume_forensics.model.event import Stamp
from resume_forensics.model.record import JsonObject, Record, object_of, objects_of, text_of
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import WorkerKind

_ID = re.compile(r"[\w.@:+/-]{1,200}")
_ID_CHARS = 250
_VERSION_CHARS = 40
_VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6}){0,3}")
_COUNTED = re.compile(r"bash_\d+")
_OLD_AGENT = re.compile(r"[0-9a-f]{8}")  # four random bytes, without a letter for its kind (2.0.42 to 2.0.64)
_LETTERED = re.compile(r"[a-z][0-9a-z]+|a.+-[0-9a-f]{16}")

PSEUDO_ID = "__orphan_summary"
"""How the ids begin by which a post-crash notice (2.1.208+) names all unfinished workers of a kind, or one that it excludes."""

KIND_BY_LETTER = {
    "b": WorkerKind.BACKGROUND_SHELL,
    "a": WorkerKind.AGENT,
    "r": WorkerKind.REMOTE_AGENT,
    "t": WorkerKind.TEAMMATE,
    "w": WorkerKind.WORKFLOW,
    "m": WorkerKind.MONITOR,
}
"""The first letter of a task id names its kind (2.0.77+)."""

KIND_BY_TASK_TYPE = {
    "local_bash": WorkerKind.BACKGROUND_SHELL,
    "local_agent": WorkerKind.AGENT,
    "remote_agent": WorkerKind.REMOTE_AGENT,
    "in_process_teammate": WorkerKind.TEAMMATE,
    "local_workflow": WorkerKind.WORKFLOW,
    "monitor_mcp": WorkerKind.MONITOR,
    "monitor_ws": WorkerKind.MONITOR,
    "shell": WorkerKind.BACKGROUND_SHELL,
    "bash": WorkerKind.BACKGROUND_SHELL,
    "agent": WorkerKind.AGENT,
    "workflow": WorkerKind.WORKFLOW,
    "monitor": WorkerKind.MONITOR,
}


def read_id(value: object) -> Raw | None:
    """An id, or None where the value is no id: empty, a redaction placeholder, a pseudo-id, or a text with spaces or brackets."""
    return _read_word(value) if isinstance(value, str) and len(value) <= _ID_CHARS else None


@lru_cache(maxsize=1024)
def _read_word(value: str) -> Raw | None:
    word = value.strip()
    if not _ID.fullmatch(word) or "redacted" in word.lower() or word.startswith(PSEUDO_ID):
        return None
    return Raw(word)


def read_text(value: object) -> Raw | None:
    """A text that says something, or None."""
    return Raw(value) if isinstance(value, str) and value else None


def read_time(value: object) -> datetime | None:
    """An ISO 8601 time as aware UTC; a time without offset counts as UTC. None where it is none."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is UTC:
            return moment
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def read_epoch_ms(value: object) -> datetime | None:
    """Milliseconds since 1970 as aware UTC, or None where the number is out of range."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None


def read_whole(value: object) -> int | None:
    """A number without its fraction; None where it is none, a boolean, or not finite."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


def read_version(value: object) -> tuple[int, ...]:
    """A version as numbers, () where there is none."""
    return _read_numbers(value[:_VERSION_CHARS]) if isinstance(value, str) else ()


@lru_cache(maxsize=64)
def _read_numbers(value: str) -> tuple[int, ...]:
    found = _VERSION.match(value)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def kind_of_id(word: str | None) -> WorkerKind | None:
    """The kind that the shape of an id tells: its letter prefix, the counter of old shells, the bare hex of old agents."""
    if not word:
        return None
    if "@" in word:
        return WorkerKind.TEAMMATE
    if _OLD_AGENT.fullmatch(word):
        return WorkerKind.AGENT
    if _LETTERED.fullmatch(word):
        return KIND_BY_LETTER.get(word[0])
    return WorkerKind.BACKGROUND_SHELL if _COUNTED.fullmatch(word) else None


def is_counted_id(worker_id: object) -> bool:
    """Whether the id is a counter of one process (`bash_3`, up to 2.0.64) and so names another worker elsewhere."""
    return isinstance(worker_id, str) and _COUNTED.fullmatch(worker_id) is not None


def identify(text: str) -> Raw:
    """A short stand-in for a long text, equal for equal texts up to surrounding white space."""
    return Raw(blake2b(text.strip().encode(errors="replace"), digest_size=16).hexdigest())


def read_stamp(record: Record, source: Source) -> Stamp:
    """Where and when the record stands, and whose it is."""
    data = record.data
    return Stamp(
        source=source,
        line=record.place.line,
        at=read_time(data.get("timestamp")),
        session_id=read_id(data.get("sessionId")),
        copied_from=read_id(object_of(data, "forkedFrom").get("sessionId")),
        sidechain=data.get("isSidechain") is True,
        version=read_version(data.get("version")),
        actor=read_id(data.get("agentId")),
    )


def content_blocks(message: JsonObject) -> tuple[JsonObject, ...]:
    """The blocks of a message; a plain string counts as one text block."""
    plain = text_of(message, "content")
    return ({"type": "text", "text": plain},) if plain is not None else objects_of(message, "content")


def block_texts(message: JsonObject) -> Iterator[str]:
    """The texts of a message's text blocks, in order."""
    for block in content_blocks(message):
        text = text_of(block, "text")
        if block.get("type") == "text" and text is not None:
            yield text


def result_text(block: JsonObject) -> str:
    """The text of a tool_result block: its string, or its text parts, one a line."""
    plain = text_of(block, "content")
    return plain if plain is not None else "\n".join(block_texts(block))
