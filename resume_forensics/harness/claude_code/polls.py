"""What the result of a poll or a stop says about a worker. In: one tool result. Out: `End` and `Mention` events.

A successful poll with a terminal status is an end, because the harness then posts no notice; a timed-out or failed poll is none.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.harness.claude_code.fields import KIND_BY_TASK_TYPE, kind_of_id, read_id
from resume_forensics.harness.claude_code.notices import OUTCOME_BY_WORD
from resume_forensics.model.event import End, Mention, Stamp
from resume_forensics.model.record import JsonObject, object_of, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Outcome, WorkerKind

STOP_TOOLS = frozenset({"TaskStop", "KillShell", "KillBash"})
SHELL_POLLS = frozenset({"BashOutput"})
TASK_POLLS = frozenset({"TaskOutput", "AgentOutputTool", "BashOutputTool", "AgentOutput"}) | SHELL_POLLS
"""`TaskOutput` and its aliases; `BashOutput`, once a tool of its own (to 2.0.64), is one of them since 2.1.215."""

HIDDEN_POLLS = frozenset({"GetTask"})
_STATE_TOOLS = STOP_TOOLS | TASK_POLLS

_STOPPED = re.compile(r'\s*(?:\{"(?:success":true,")?message":")?Successfully (?:stopped task|killed shell): (?P<id>[\w.@:+-]+)')
_NOT_RUNNING = re.compile(r" is not running \(status: (?P<status>\w+)\)")
_LAST_WORD = re.compile(r"[\w.@+-]+$")
_ID_CHARS = 200
_TAGS = {
    tag: re.compile(rf"^<{tag}>([^<\n]{{1,300}})</{tag}>\s*$", re.MULTILINE)
    for tag in ("retrieval_status", "task_id", "task_type", "status")
}


class _Answer(Struct, frozen=True, kw_only=True):
    """One tool result that may speak of workers. `only_from`: it does so only as the result of one of these tools."""

    stamp: Stamp
    answers: Raw
    only_from: frozenset[str] | None = None

    def polled(self, word: str | None, status: str | None, kind: WorkerKind | None = None) -> Iterator[End | Mention]:
        """What a poll found. A terminal word is an end; any other, or none, is a mention."""
        worker_id, kind = read_id(word), kind or kind_of_id(word)
        outcome = OUTCOME_BY_WORD.get((status or "").lower())
        if word is not None and worker_id is None:
            return
        if outcome is None or status is None:
            yield Mention(stamp=self.stamp, worker_id=worker_id, kind=kind, answers=self.answers, only_from=self.only_from)
        else:
            yield self._end(worker_id, outcome, Channel.FETCHED, status, kind)

    def stopped(self, word: str | None) -> Iterator[End]:
        """A successful stop."""
        yield self._end(read_id(word), Outcome.FAILURE, Channel.STOPPED, "stopped", kind_of_id(word))

    def _end(self, worker_id: Raw | None, outcome: Outcome, channel: Channel, status: str, kind: WorkerKind | None) -> End:
        return End(
            stamp=self.stamp,
            outcome=outcome,
            channel=channel,
            status=Raw(status),
            worker_id=worker_id,
            kind=kind,
            answers=self.answers,
            only_from=self.only_from,
        )


def read_structured_end(stamp: Stamp, result: JsonObject, answers: Raw) -> Iterator[End | Mention]:
    """What a structured result says of the workers it polled or stopped."""
    answer = _Answer(stamp=stamp, answers=answers)
    status = text_of(result, "status")
    if "retrieval_status" in result:
        yield from _read_task_polls(answer, result)
    elif "shellId" in result and status is not None:
        yield from answer.polled(text_of(result, "shellId"), status, WorkerKind.BACKGROUND_SHELL)
    elif text_of(result, "message") and ("task_id" in result or "shell_id" in result):
        yield from _read_stop(answer, result)
    elif "taskId" in result and status is not None:
        yield from replace(answer, only_from=HIDDEN_POLLS).polled(text_of(result, "taskId"), status)


def _read_task_polls(answer: _Answer, result: JsonObject) -> Iterator[End | Mention]:
    succeeded = result.get("retrieval_status") == "success"
    task, agents = object_of(result, "task"), object_of(result, "agents")  # `agents`, by id: 2.0.42 to 2.0.64
    named = [(text_of(task, "task_id"), task, KIND_BY_TASK_TYPE.get(text_of(task, "task_type") or ""))]
    named += [(word, agent, WorkerKind.AGENT) for word, agent in agents.items() if isinstance(agent, Mapping)]
    for word, found, kind in named:
        if word is not None:
            yield from answer.polled(word, text_of(found, "status") if succeeded else None, kind)


def _read_stop(answer: _Answer, result: JsonObject) -> Iterator[End | Mention]:
    """A stop counts if it says that it succeeded; one that was not confirmed says no more than that the worker is there."""
    word = text_of(result, "task_id") or text_of(result, "shell_id")
    succeeded = _STOPPED.match(text_of(result, "message") or "")
    yield from answer.stopped(word) if succeeded else answer.polled(word, None)


def read_text_end(stamp: Stamp, text: str, answers: Raw, *, failed: bool) -> Iterator[End | Mention]:
    """What the text of a result says where there is no structured one (subagent files, errors). The ledger checks the tool."""
    answer = _Answer(stamp=stamp, answers=answers)
    head = _head(text) if text.lstrip().startswith(("<retrieval_status>", "<status>")) else ""
    tags = {tag: found[1].strip() for tag, pattern in _TAGS.items() if (found := pattern.search(head))}
    stopped = _STOPPED.match(text)
    if stopped:
        yield from replace(answer, only_from=STOP_TOOLS).stopped(stopped["id"].rstrip("."))
    elif tags.get("task_id"):
        status = tags.get("status") if tags.get("retrieval_status") == "success" else None
        yield from replace(answer, only_from=TASK_POLLS).polled(tags["task_id"], status, KIND_BY_TASK_TYPE.get(tags.get("task_type", "")))
    elif tags.get("status"):
        yield from replace(answer, only_from=SHELL_POLLS).polled(None, tags["status"], WorkerKind.BACKGROUND_SHELL)
    elif failed and (found := _NOT_RUNNING.search(text)) and found["status"].lower() in OUTCOME_BY_WORD:
        # an error that names a state; "No task found" says nothing
        word = _LAST_WORD.search(text, max(0, found.start() - _ID_CHARS), found.start())
        yield from replace(answer, only_from=_STATE_TOOLS).polled(word[0] if word else None, found["status"])


def _head(text: str) -> str:
    """The part of a poll's text before what the worker printed, which quotes anything."""
    cuts = [at for tag in ("<output>", "<stdout>", "<stderr>", "<result>") if (at := text.find(tag)) >= 0]
    return text[: min(cuts, default=len(text))]
