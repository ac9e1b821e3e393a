"""What says that a worker came to an end, or is spoken of without ending: notices of all generations, and their JSON kin.

In: the text or object of a notice, the way it came, and its stamp. Out: `End` and `Mention` events. A text is a notice only if it
begins with the tag or with a known wrapper; ids and status are read only before `<summary>`, because the rest quotes anything.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from resume_forensics.harness.claude_code.fields import KIND_BY_TASK_TYPE, identify, kind_of_id, read_id, read_text
from resume_forensics.model.event import DriverMove, End, Mention, Stamp
from resume_forensics.model.record import JsonObject, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, DriverKind, DriverState, Outcome, WorkerKind

OUTCOME_BY_WORD = {
    "completed": Outcome.SUCCESS,
    "success": Outcome.SUCCESS,
    "succeeded": Outcome.SUCCESS,
    "done": Outcome.SUCCESS,
    "failed": Outcome.FAILURE,
    "killed": Outcome.FAILURE,
    "stopped": Outcome.FAILURE,
    "cancelled": Outcome.FAILURE,
    "error": Outcome.FAILURE,
}
"""Words that end a worker; any other word (running, blocked, ...) does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One shape of the XML: its tag, the tag that holds the id, and the kind it speaks of (None: any)."""

    tag: str
    id_tag: str
    kind: WorkerKind | None
    seen: str


GENERATIONS = (
    Generation(tag="task-notification", id_tag="task-id", kind=None, seen="2.0.77"),
    Generation(tag="bash-notification", id_tag="shell-id", kind=WorkerKind.BACKGROUND_SHELL, seen="2.0.64 to 2.0.75"),
    Generation(tag="agent-notification", id_tag="agent-id", kind=WorkerKind.AGENT, seen="2.0.64 to 2.0.75"),
)

LOST_TRACK = (
    "previous Claude Code process exited",
    "didn't finish before the previous session ended",
    "No completion record was found",
    "from the previous session couldn't be restarted",
    "was restarted before background work reported back",
)
"""The harness's own post-crash words (2.1.157+): it does not know, so they end nothing."""

_INTERIM = "is waiting on its own background work"  # 2.1.270+, status completed, the same id reports again
_WAKEUP_LOST = "wakeup was due"
_MONITOR_ENDS = re.compile(r"\s*\[(?:Monitor (?:timed out|stopped|expired|closed)|WebSocket closed)")
_WRAPPERS = re.compile(
    r"\s*(?:<system-reminder>\s*)?(?:\[SYSTEM NOTIFICATION - NOT USER INPUT\][^\n<]*(?:\n[^\n<]*){0,6}?\s*"
    r"|A background agent completed a task:\s*)?(?=<(?:task|bash|agent)-notification>)"
)
_OPENING = re.compile(r"^[ \t]*<(?P<tag>task|bash|agent)-notification>", re.MULTILINE)
_ANY_OPENING = re.compile(r"<(?P<tag>task|bash|agent)-notification>")
_GENERATION_BY_WORD = {generation.tag.partition("-")[0]: generation for generation in GENERATIONS}
_RESULT_EDGE = re.compile(r"<(/?)result>")
_HEAD_END = re.compile(r"<(?:summary|result|event|note|usage)>")
_KIND_BY_SUMMARY = (
    ("Background command", WorkerKind.BACKGROUND_SHELL),
    ("Background shell", WorkerKind.BACKGROUND_SHELL),
    ("Background agent", WorkerKind.AGENT),
    ("Background workflow", WorkerKind.WORKFLOW),
    ("Agent ", WorkerKind.AGENT),
    ("Monitor ", WorkerKind.MONITOR),
    ("Workflow ", WorkerKind.WORKFLOW),
    ("Dynamic workflow", WorkerKind.WORKFLOW),
    ("Remote task", WorkerKind.REMOTE_AGENT),
    ("Cloud review", WorkerKind.REMOTE_AGENT),
)


def is_notice(text: str) -> bool:
    """Whether a text is a notice (or several): it begins with the tag, or with a wrapper and then the tag."""
    return _WRAPPERS.match(text) is not None


def read_notices(stamp: Stamp, text: str, channel: Channel) -> Iterator[End | Mention | DriverMove]:
    """The ends and mentions of every notice in a text that is a notice; nothing from any other text."""
    if not is_notice(text):
        return
    for generation, block in _split_blocks(text):
        yield from _read_block(stamp, generation, block, channel)


def _split_blocks(text: str) -> Iterator[tuple[Generation, str]]:
    """The notices of a text. A further one starts a line after the one before has closed, and outside its `<result>`."""
    openings = list(_OPENING.finditer(text)) or [found for found in (_ANY_OPENING.search(text),) if found]
    edges = _RESULT_EDGE.finditer(text)
    starts: list[re.Match[str]] = []
    edge, depth = next(edges, None), 0
    for opening in openings:
        while edge and edge.start() < opening.start():
            depth = max(0, depth - 1) if edge[1] else depth + 1
            edge = next(edges, None)
        closed = not starts or text.rfind("-notification>", starts[-1].end(), opening.start()) >= 0
        if closed and depth == 0:
            starts.append(opening)
    for index, opening in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        yield _GENERATION_BY_WORD[opening["tag"]], text[opening.end() : end]


def _read_block(stamp: Stamp, generation: Generation, block: str, channel: Channel) -> Iterator[End | Mention | DriverMove]:
    edge = _HEAD_END.search(block)
    head = block[: edge.start()] if edge else block
    ids = _tag_values(head, generation.id_tag)
    tool_use_id = read_id(next(iter(_tag_values(head, "tool-use-id")), None))
    summary = _body(block, "summary")
    status = next(iter(_tag_values(head, "status")), None)
    task_type = next(iter(_tag_values(head, "task-type")), "")
    event = _body(block, "event")
    said = _Said(
        stamp=stamp,
        channel=channel,
        tool_use_id=tool_use_id,
        kind=generation.kind or KIND_BY_TASK_TYPE.get(task_type) or _kind_of_summary(summary),
        status=status,
        summary=summary,
        output_file=read_text(next(iter(_tag_values(head, "output-file")), None)),
        monitor_end=event is not None and status is None and _MONITOR_ENDS.match(event) is not None,
        lost_track=_is_lost(summary, _body(block.partition("<result>")[0], "note")),
        notice=identify(block),
    )
    words = [word for word in ids if read_id(word)]
    yield from _wakeup_lost(said, words)
    for word in words:
        yield said.event(word)
    if not ids and tool_use_id is not None:
        yield said.event(None)


def _tag_values(head: str, tag: str) -> list[str]:
    return [html.unescape(value.strip()) for value in re.findall(rf"<{tag}>([^<]{{0,4096}})</{tag}>", head)]


def _kind_of_summary(summary: str | None) -> WorkerKind | None:
    return next((kind for opening, kind in _KIND_BY_SUMMARY if summary and summary.startswith(opening)), None)


def _body(block: str, tag: str) -> str | None:
    """The text between the first opening tag of this name and its close (or the end of the block), unescaped."""
    _, opened, rest = block.partition(f"<{tag}>")
    return html.unescape(rest.partition(f"</{tag}>")[0].strip()) if opened else None


def _is_lost(summary: str | None, note: str | None) -> bool:
    """Post-crash words stand in the summary (to 2.1.215) or in a note beside it (2.1.332), never in a result or an event."""
    return any(words in place for words in LOST_TRACK for place in (summary, note) if place)


def _wakeup_lost(said: "_Said", words: list[str]) -> Iterator[DriverMove]:
    if said.summary and _WAKEUP_LOST in said.summary:
        for word in words:
            yield DriverMove(stamp=said.stamp, driver_id=Raw(word), kind=DriverKind.WAKEUP, state=DriverState.LOST, tool_use_id=Raw(word))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What one notice says of each id it names."""

    stamp: Stamp
    channel: Channel
    status: str | None
    notice: Raw
    tool_use_id: Raw | None = None
    kind: WorkerKind | None = None
    summary: str | None = None
    output_file: Raw | None = None
    monitor_end: bool = False
    lost_track: bool = False

    def event(self, word: str | None) -> End | Mention:
        """The end or the mention of one id (None: only the tool call is named)."""
        kind = self.kind or kind_of_id(word)
        outcome = Outcome.SUCCESS if self.monitor_end else OUTCOME_BY_WORD.get((self.status or "").lower())
        interim = self.summary is not None and _INTERIM in self.summary
        # "finished before the previous session ended, but its result was never reported": known, and said as completed
        lost = self.lost_track and outcome is not Outcome.SUCCESS
        if outcome is None or interim or lost:
            return Mention(
                stamp=self.stamp,
                worker_id=read_id(word),
                tool_use_id=self.tool_use_id,
                notice=True,
                kind=kind,
                lost_track=lost,
            )
        return End(
            stamp=self.stamp,
            outcome=outcome,
            channel=self.channel,
            status=Raw(self.status or "ended"),
            worker_id=read_id(word),
            tool_use_id=self.tool_use_id,
            kind=kind,
            summary=read_text(self.summary),
            output_file=self.output_file,
            notice=self.notice,
        )


def read_object_notice(stamp: Stamp, data: JsonObject, channel: Channel, *, id_keys: tuple[str, ...]) -> Iterator[End | Mention]:
    """The end or mention that an object with plain fields says (attachments, system notices, JSON in the queue).

    `id_keys`: the fields in which this kind of object names the worker. An object without any id says nothing.
    """
    word = next((value for key in id_keys if (value := text_of(data, key)) and read_id(value)), None)
    tool_use_id = read_id(data.get("tool_use_id"))
    if word is None and tool_use_id is None:
        return
    summary = text_of(data, "summary") or text_of(data, "description")
    status = text_of(data, "status")
    task_type = text_of(data, "taskType") or text_of(data, "task_type") or ""
    said = _Said(
        stamp=stamp,
        channel=channel,
        status=status,
        tool_use_id=tool_use_id,
        kind=KIND_BY_TASK_TYPE.get(task_type) or _kind_of_summary(summary),
        summary=summary,
        output_file=read_text(data.get("output_file")) or read_text(data.get("outputFilePath")),
        lost_track=_is_lost(summary, None),
        notice=identify(json.dumps([word, status, summary])),
    )
    yield said.event(word)


def is_teammate_message(text: str) -> bool:
    """Whether a text is a message of a teammate."""
    return text.lstrip().startswith("<teammate-message")


def read_teammate_messages(stamp: Stamp, text: str, channel: Channel) -> Iterator[End | Mention]:
    """The ends that teammates' idle notices say: only those with `completedStatus` (2.0.64+)."""
    if not is_teammate_message(text):
        return
    for message in text.split("</teammate-message>")[:-1]:
        yield from read_idle_notice(stamp, message.partition(">")[2].strip(), channel)


def read_idle_notice(stamp: Stamp, body: str, channel: Channel) -> Iterator[End | Mention]:
    """The end that one idle notice (JSON text) says."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict) or data.get("type") != "idle_notification":
        return
    status = text_of(data, "completedStatus")
    outcome = OUTCOME_BY_WORD.get((status or "").lower())
    sender = read_id(data.get("from"))
    if sender is None:
        return
    if outcome is None or status is None:
        yield Mention(stamp=stamp, worker_id=sender, kind=WorkerKind.TEAMMATE)
        return
    yield End(
        stamp=stamp,
        outcome=outcome,
        channel=channel,
        status=Raw(status),
        worker_id=sender,
        kind=WorkerKind.TEAMMATE,
        summary=read_text(data.get("failureReason")) or read_text(data.get("idleReason")),
        notice=identify(body),
    )
