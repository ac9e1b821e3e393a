"""Small Claude Code records and texts for the tests of this room, and the stamp that all of them bear."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from resume_forensics.harness.claude_code.records import translate
from resume_forensics.model.event import Event, Stamp
from resume_forensics.model.record import Json, JsonObject, Place, Record
from resume_forensics.model.session import Source
from resume_forensics.text import Raw

SOURCE = Source(path=Path("s1.jsonl"))
ENVELOPE: JsonObject = {"timestamp": "2026-03-01T10:00:00.000Z", "sessionId": "s1", "version": "2.1.215"}
STAMP = Stamp(source=SOURCE, line=7, at=datetime(2026, 3, 1, 10, tzinfo=UTC), session_id=Raw("s1"), version=(2, 1, 215))
CALL = Raw("toolu_1")


def make_record(kind: Json, fields: Mapping[str, Json] | None = None) -> Record:
    """A record of this type in the common envelope; `fields` add to it or replace it."""
    return Record(place=Place(line=7, byte=0), data={**ENVELOPE, "type": kind, **(fields or {})})


def read_events(kind: Json, fields: Mapping[str, Json] | None = None) -> list[Event]:
    """The events of such a record in a main transcript."""
    return list(translate(make_record(kind, fields), SOURCE))


def user(content: Json, **fields: Json) -> list[Event]:
    """The events of a user record."""
    return read_events("user", {"message": {"role": "user", "content": content}, **fields})


def assistant(*blocks: Json, model: Json = "claude-opus-4", stop: Json = "end_turn", **fields: Json) -> list[Event]:
    """The events of an assistant record."""
    message: dict[str, Json] = {"role": "assistant", "model": model, "content": list(blocks), "stop_reason": stop}
    return read_events("assistant", {"message": message, **fields})


def text_block(text: str) -> JsonObject:
    """A text block."""
    return {"type": "text", "text": text}


def tool_result(content: Json, structured: Json = None, *, is_error: Json = None, **fields: Json) -> list[Event]:
    """The events of a user record that answers the call `toolu_1`."""
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content, "is_error": is_error}
    return user([block], toolUseResult=structured, **fields)


def attachment(kind: str, **fields: Json) -> list[Event]:
    """The events of an attachment record."""
    return read_events("attachment", {"attachment": {"type": kind, **fields}})


def enqueue(content: Json, **fields: Json) -> list[Event]:
    """The events of a message that enters the queue."""
    return read_events("queue-operation", {"operation": "enqueue", "content": content, **fields})


def notice(*ids: str, status: str | None = "completed", summary: str = 'Agent "D" finished', head: str = "", body: str = "") -> str:
    """A notice as 2.1 writes it. `head` stands before the status, `body` behind the summary."""
    lines = ["<task-notification>", *(f"<task-id>{word}</task-id>" for word in ids), *([head] if head else [])]
    lines += [f"<status>{status}</status>"] if status is not None else []
    lines += [f"<summary>{summary}</summary>", *([body] if body else []), "</task-notification>"]
    return "\n".join(lines)


_SMALL = 5_000
_FACTOR = 8


def assert_linear(work: Callable[[int], object]) -> None:
    """Eight times the input may take at most thrice eight times the processor time; work that grows with the square takes 64 times."""
    small, large = (min(_time(work, size) for _ in range(3)) for size in (_SMALL, _FACTOR * _SMALL))
    assert large < 3 * _FACTOR * small + 0.1


def _time(work: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    work(size)
    return time.process_time() - start
