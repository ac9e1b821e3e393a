"""What the result of a poll or a stop says about a worker. In: one tool result. Out: `End` and `Mention` events.

A successful poll with a terminal status is an end, because the harness then posts no notice; a timed-out or failed poll is none.
"""

import re
from collections.abc import Iterator, Mapping

from resume_forensics.harness.claude_code.fields import KIND_BY_TASK_TYPE, kind_of_id, read_id, read_text
from resume_forensics.harness.claude_code.notices import OUTCOME_BY_WORD
from resume_forensics.model.event import End, Mention, Stamp
from resume_forensics.model.record import JsonObject, object_of, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Outcome, WorkerKind

STOP_TOOLS = frozenset({"TaskStop", "KillShell", "KillBash"})
TASK_POLLS = frozenset({"TaskOutput", "AgentOutputTool", "BashOutputTool", "AgentOutput"})
SHELL_POLLS = frozenset({"BashOutput"})
HIDDEN_POLLS = frozenset({"GetTask"})
_STATE_TOOLS = STOP_TOOLS | TASK_POLLS | SHELL_POLLS

_STOPPED = re.compile(r"\s*(?:\{\"(?:success\":true,\")?message\":\")?Successfully (?:stopped task|killed shell): (?P<id>[\w.@:+-]+)")
_NOT_RUNNING = re.compile(r"\b(?P<id>[\w.@+-]{2,200}) is not running \(status: (?P<status>\w+)\)")
_TAGS = {tag: re.compile(rf"^<{tag}>([^<\n]{{1,300}})</{tag}>\s*$", re.MULTILINE) for tag in ("retrieval_status", "task_id", "task_type", "status")}


def read_structured_end(stamp: Stamp, result: JsonObject, answers: Raw) -> Iterator[End | Mention]:
    """What a structured result says of the workers it polled or stopped."""
    if "retrieval_status" in result:
        yield from _read_task_polls(stamp, result, answers)
    elif read_id(result.get("shellId")) and "status" in result:
        yield from _polled(stamp, text_of(result, "shellId"), text_of(result, "status"), WorkerKind.BACKGROUND_SHELL, answers, SHELL_POLLS)
    elif text_of(result, "message") and ("task_id" in result or "shell_id" in result):
        yield from _read_stop(stamp, result, answers)
    elif read_id(result.get("taskId")) and "status" in result:
        yield from _polled(stamp, text_of(result, "taskId"), text_of(result, "status"), None, answers, HIDDEN_POLLS)


def _read_task_polls(stamp: Stamp, result: JsonObject, answers: Raw) -> Iterator[End | Mention]:
    succeeded = result.get("retrieval_status") == "success"
    tasks = {text_of(object_of(result, "task"), "task_id"): object_of(result, "task"), **_agents(result)}
    for word, task in tasks.items():
        kind = KIND_BY_TASK_TYPE.get(text_of(task, "task_type") or "")
        yield from _polled(stamp, word, text_of(task, "status") if succeeded else None, kind, answers, None)


def _agents(result: JsonObject) -> dict[str | None, JsonObject]:
    """The agents of an `AgentOutputTool` result, by id (2.0.42 to 2.0.64)."""
    return {word: task for word, task in object_of(result, "agents").items() if isinstance(task, Mapping)}


def _read_stop(stamp: Stamp, result: JsonObject, answers: Raw) -> Iterator[End | Mention]:
    word = text_of(result, "task_id") or text_of(result, "shell_id")
    if _STOPPED.match(text_of(result, "message") or ""):
        yield from _stopped(stamp, word, answers)
    elif read_id(word):
        yield Mention(stamp=stamp, worker_id=read_id(word), answers=answers)


def _polled(
    stamp: Stamp, word: str | None, status: str | None, kind: WorkerKind | None, answers: Raw, only_from: frozenset[str] | None
) -> Iterator[End | Mention]:
    worker_id = read_id(word)
    if worker_id is None and only_from != SHELL_POLLS:
        return
    outcome = OUTCOME_BY_WORD.get((status or "").lower())
    if outcome is None or status is None:
        yield Mention(stamp=stamp, worker_id=worker_id, kind=kind or kind_of_id(word), answers=answers, only_from=only_from)
        return
    yield End(
        stamp=stamp,
        outcome=outcome,
        channel=Channel.FETCHED,
        status=Raw(status),
        worker_id=worker_id,
        kind=kind or kind_of_id(word),
        answers=answers,
        only_from=only_from,
    )


def _stopped(stamp: Stamp, word: str | None, answers: Raw, only_from: frozenset[str] | None = None) -> Iterator[End]:
    yield End(
        stamp=stamp,
        outcome=Outcome.FAILURE,
        channel=Channel.STOPPED,
        status=Raw("stopped"),
        worker_id=read_id(word),
        kind=kind_of_id(word),
        answers=answers,
        only_from=only_from,
    )


def read_text_end(stamp: Stamp, text: str, answers: Raw, *, failed: bool) -> Iterator[End | Mention]:
    """What the text of a result says where there is no structured one (subagent files, errors). The ledger checks the tool."""
    tags = {tag: found[1].strip() for tag, pattern in _TAGS.items() if f"<{tag}>" in text and (found := pattern.search(_head(text)))}
    stopped = _STOPPED.match(text)
    if stopped:
        yield from _stopped(stamp, stopped["id"].rstrip("."), answers, STOP_TOOLS)
    elif tags.get("task_id"):
        status = tags.get("status") if tags.get("retrieval_status") == "success" else None
        yield from _polled(stamp, tags["task_id"], status, KIND_BY_TASK_TYPE.get(tags.get("task_type", "")), answers, TASK_POLLS)
    elif tags.get("status"):
        yield from _polled(stamp, None, tags["status"], WorkerKind.BACKGROUND_SHELL, answers, SHELL_POLLS)
    elif failed and (found := _NOT_RUNNING.search(text)):
        yield from _not_running(stamp, found, answers)


def _not_running(stamp: Stamp, found: re.Match[str], answers: Raw) -> Iterator[End]:
    """An error that names a state ends the worker; "No task found" says nothing."""
    outcome = OUTCOME_BY_WORD.get(found["status"].lower())
    if outcome is not None:
        yield End(
            stamp=stamp,
            outcome=outcome,
            channel=Channel.FETCHED,
            status=read_text(found["status"]) or Raw(""),
            worker_id=read_id(found["id"]),
            kind=kind_of_id(found["id"]),
            answers=answers,
            only_from=_STATE_TOOLS,
        )


def _head(text: str) -> str:
    """The part of a poll's text before what the worker printed, which quotes anything."""
    cuts = [at for tag in ("<output>", "<stdout>", "<stderr>", "<result>") if (at := text.find(tag)) >= 0]
    return text[: min(cuts, default=len(text))]
