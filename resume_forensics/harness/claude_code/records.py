"""Translates one record of a Claude Code transcript into events, by a table of record types; unknown types say nothing.

In: a decoded record and the file it stands in. Out: events in the order of the record. Nothing is remembered between records.
"""

import json
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from resume_forensics.harness.claude_code.calls import read_call
from resume_forensics.harness.claude_code.drivers import read_driver, read_fire, read_text_driver
from resume_forensics.harness.claude_code.faults import (
    INTERRUPT_TEXTS,
    SHUTDOWN_TEXTS,
    is_error_sentence,
    read_fault,
    read_interrupt,
    read_shutdown,
)
from resume_forensics.harness.claude_code.fields import (
    block_texts,
    content_blocks,
    identify,
    read_id,
    read_stamp,
    read_text,
    read_whole,
    result_text,
)
from resume_forensics.harness.claude_code.notices import read_notices, read_object_notice
from resume_forensics.harness.claude_code.polls import read_structured_end, read_text_end
from resume_forensics.harness.claude_code.receipts import read_structured_launch, read_text_launch
from resume_forensics.harness.claude_code.speakers import is_continuation, is_relayed, tell_speaker
from resume_forensics.harness.claude_code.teammates import read_idle_notice, read_teammate_messages
from resume_forensics.model.event import Belonging, Event, KillAll, Link, Mention, PendingCount, QueueMove, Result, Stamp, Turn
from resume_forensics.model.record import Json, JsonObject, Record, object_of, objects_of, text_of
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, QueueStep, Speaker, WorkerKind

NULL_STOP_UNTIL = (2, 1, 63)
"""Before this version the last text of a normal turn has `stop_reason` null (1,033 of 1,079 sessions of 2.1.1 to 2.1.62)."""

_SYNTHETIC = "<synthetic>"
_LOST_RESULTS = (
    *INTERRUPT_TEXTS,
    *SHUTDOWN_TEXTS,
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Tool result missing due to internal error]",
    "Tool call skipped",
    "Tool call not completed",
)
_RESULT_ELSEWHERE = "[Tool call result not in this copy"
_TOLD_REASONS = ("delivered_",)


def translate(record: Record, source: Source) -> Iterator[Event]:
    """The events of one record. `source` says which file it stands in."""
    kind = text_of(record.data, "type") or ""
    reader = _READERS.get(kind)
    if kind == "progress" and "agentId" not in object_of(record.data, "data"):
        return  # the bulk of a transcript: hooks and commands at work
    if reader is not None:
        yield from reader(record.data, read_stamp(record, source))


def _read_user(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    message = object_of(data, "message")
    structured = data.get("toolUseResult")
    results = [block for block in content_blocks(message) if block.get("type") == "tool_result"]
    for index, block in enumerate(results):
        yield from _read_result(data, stamp, block, structured if index == 0 else None)
    texts = list(block_texts(message))
    shutdown = data.get("interruptedByShutdown") is True
    own_words = not is_relayed(object_of(data, "origin")) and not _is_prompt(data, stamp)
    if own_words and data.get("isCompactSummary") is not True:
        for text in texts:
            yield from _read_notices(stamp, text, Channel.DELIVERED)
            yield from () if shutdown else read_interrupt(stamp, text)
    if shutdown:
        yield read_shutdown(stamp, texts or [result_text(block) for block in results])
    speaker = tell_speaker(data, texts, results)
    yield Turn(stamp=stamp, speaker=speaker, text=read_text(" ".join(texts)), continues=is_continuation(data, texts, speaker))


def _is_prompt(data: JsonObject, stamp: Stamp) -> bool:
    """Whether a record is the prompt with which a worker's own transcript begins: its parent wrote it, and may quote a notice."""
    return (stamp.source.owner is not None or stamp.sidechain) and "parentUuid" in data and data["parentUuid"] is None


def _read_notices(stamp: Stamp, text: str, channel: Channel) -> Iterator[Event]:
    """The notices of a text that the harness wrote."""
    yield from read_notices(stamp, text, channel)
    yield from read_teammate_messages(stamp, text, channel)


def _read_result(data: JsonObject, stamp: Stamp, block: JsonObject, structured: Json) -> Iterator[Event]:
    tool_use_id = read_id(block.get("tool_use_id"))
    if tool_use_id is None:
        return
    text = result_text(block)
    failed = block.get("is_error") is True
    if isinstance(structured, dict):
        yield from read_structured_launch(stamp, structured, text, tool_use_id)
        yield from read_structured_end(stamp, structured, tool_use_id)
        yield from read_driver(stamp, structured, tool_use_id)
    else:
        if not failed:
            yield from read_text_launch(stamp, text, tool_use_id)
            yield from read_text_driver(stamp, text, tool_use_id)
        yield from read_text_end(stamp, text, tool_use_id, failed=failed)
    denied = text_of(data, "toolDenialKind") not in (None, "interrupted")
    if not text.startswith(_RESULT_ELSEWHERE):
        yield Result(stamp=stamp, tool_use_id=tool_use_id, lost=text.lstrip().startswith(_LOST_RESULTS) and not denied, failed=failed)


def _read_assistant(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    message = object_of(data, "message")
    blocks = content_blocks(message)
    texts = list(block_texts(message))
    text = "\n".join(texts)
    synthetic = message.get("model") in (_SYNTHETIC, None)
    if _is_flagged(data, message) or (synthetic and is_error_sentence(text)):
        yield read_fault(stamp, data, text)
        return
    calls = [call for block in blocks if block.get("type") == "tool_use" and (call := read_call(stamp, block))]
    yield from calls
    finished = bool(text.strip()) and not calls and not _is_filler(text, synthetic=synthetic) and _is_final(message, stamp)
    yield Turn(stamp=stamp, speaker=Speaker.ASSISTANT, text=read_text(text), calls=bool(calls), finished=finished)


def _is_flagged(data: JsonObject, message: JsonObject) -> bool:
    """Whether a record is said to be an error: by the flag, or, where the harness wrote the record itself, by a typed error."""
    typed = text_of(data, "error") or text_of(data, "apiError")
    return data.get("isApiErrorMessage") is True or (typed is not None and message.get("model") == _SYNTHETIC)


def _is_filler(text: str, *, synthetic: bool) -> bool:
    """Whether an assistant text is the filler that the harness writes on resume, not an answer."""
    return synthetic and text.strip() == "No response requested."


def _is_final(message: JsonObject, stamp: Stamp) -> bool:
    reason = message.get("stop_reason")
    old = not stamp.version or stamp.version < NULL_STOP_UNTIL
    return reason in ("end_turn", "stop_sequence") or (reason is None and old)


def _read_system(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    subtype = text_of(data, "subtype")
    if subtype == "task_notification":
        yield from read_object_notice(stamp, data, Channel.DELIVERED, id_keys=("task_id", "taskId"))
    elif subtype == "agents_killed":
        yield KillAll(stamp=stamp, kind=WorkerKind.AGENT)
    elif subtype == "scheduled_task_fire":
        yield from read_fire(stamp, data)
    elif subtype == "turn_duration":
        agents, workflows = (read_whole(data.get(key)) for key in ("pendingBackgroundAgentCount", "pendingWorkflowCount"))
        if agents is not None or workflows is not None:
            yield PendingCount(stamp=stamp, agents=agents, workflows=workflows)
        yield Turn(stamp=stamp, speaker=Speaker.HARNESS, finished=True)


_STATUS_KINDS = {"background_shell_status": WorkerKind.BACKGROUND_SHELL, "async_agent_status": WorkerKind.AGENT}
"""Attachments of old versions (2.0.1 to 2.0.64), each for one kind of worker."""


def _read_attachment(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    attachment = object_of(data, "attachment")
    kind = text_of(attachment, "type")
    if kind == "queued_command":
        if not is_relayed(object_of(attachment, "origin") or object_of(data, "origin")):
            for text in block_texts({"content": attachment.get("prompt")}):
                yield from _read_notices(stamp, text, Channel.DELIVERED)
    elif kind == "task_status":
        yield from _read_task_status(stamp, attachment)
    elif kind in _STATUS_KINDS:
        yield from read_object_notice(stamp, attachment, Channel.DELIVERED, id_keys=("taskId", "agentId"), kind=_STATUS_KINDS[kind])
    elif kind == "teammate_mailbox":
        for message in objects_of(attachment, "messages"):
            yield from read_idle_notice(stamp, text_of(message, "text") or "", Channel.DELIVERED)


def _read_task_status(stamp: Stamp, attachment: JsonObject) -> Iterator[Event]:
    for event in read_object_notice(stamp, attachment, Channel.DELIVERED, id_keys=("taskId",)):
        if isinstance(event, Mention) and attachment.get("status") == "running":
            yield replace(event, notice=False, registers=True, description=read_text(attachment.get("description")))
        else:
            yield event


def _read_progress(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    """Progress of a foreground agent ties its call to its id (`agent_progress`, to 2.1.150)."""
    worker_id = read_id(object_of(data, "data").get("agentId"))
    tool_use_id = read_id(data.get("parentToolUseID"))
    if worker_id and tool_use_id:
        yield Link(stamp=stamp, tool_use_id=tool_use_id, worker_id=worker_id)


_QUEUE_STEPS = {step.value: step for step in QueueStep}


def _read_queue(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    step = _QUEUE_STEPS.get(text_of(data, "operation") or "")
    if step is None:
        return
    content = text_of(data, "content")
    told = (text_of(data, "reason") or "").startswith(_TOLD_REASONS)
    yield QueueMove(stamp=stamp, step=step, content=identify(content) if content else None, told=told)
    if content and step is QueueStep.ENQUEUE:
        yield from _read_notices(stamp, content, Channel.QUEUED)
        yield from _read_queued_json(stamp, content)


def _read_queued_json(stamp: Stamp, content: str) -> Iterator[Event]:
    """JSON in the queue (2.1.45 to 2.1.50) registers tasks, foreground ones too; only one with a status says something."""
    if not content.startswith("{"):
        return
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(data, dict) and isinstance(data.get("status"), str):
        yield from read_object_notice(stamp, data, Channel.QUEUED, id_keys=("task_id", "taskId"))


def _read_move(data: JsonObject, stamp: Stamp) -> Iterator[Event]:
    """`relocated` (2.1.198+) and `continued-in` (2.1.270+)."""
    moved, continued = read_text(data.get("relocatedCwd")), read_id(data.get("continuedInSessionId"))
    if moved or continued:
        yield Belonging(stamp=stamp, moved_to=moved, continued_in=continued)


_READERS: dict[str, Callable[[JsonObject, Stamp], Iterator[Event]]] = {
    "user": _read_user,
    "assistant": _read_assistant,
    "system": _read_system,
    "attachment": _read_attachment,
    "progress": _read_progress,
    "queue-operation": _read_queue,
    "relocated": _read_move,
    "continued-in": _read_move,
}


def read_belonging(record: Record, source: Source) -> Belonging | None:
    """The working directory that a record names, or where it says the session moved to."""
    directory, moved = read_text(record.data.get("cwd")), read_text(record.data.get("relocatedCwd"))
    if directory is None and moved is None:
        return None
    return Belonging(stamp=read_stamp(record, source), directory=directory, moved_to=moved)


def session_id_of(record: Record) -> Raw | None:
    """The session that a record says it belongs to; None where it says none."""
    return read_id(record.data.get("sessionId"))


def is_activity(record: Record) -> bool:
    """Whether a record is of the conversation; bookkeeping is re-written at exit and proves no activity."""
    return record.data.get("type") in ("user", "assistant", "system")
