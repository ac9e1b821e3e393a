"""What says that a worker came to an end, or is spoken of without ending: notices of all generations, and their JSON kin.

In: the text or object of a notice, the way it came, and its stamp. Out: `End` and `Mention` events. A text is a notice only if it
begins with the tag or with a known wrapper; ids and status are read only before `<summary>`, because the rest quotes anything.
"""

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from resume_forensics.harness.claude_code.fields import KIND_BY_TASK_TYPE, PSEUDO_ID, identify, kind_of_id, read_id, read_text
from resume_forensics.model.event import DriverMove, End, Mention, Stamp
from resume_forensics.model.record import JsonObject, object_of, text_of
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


class Generation(Struct, frozen=True, kw_only=True):
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
_WAKEUP_LOST = re.compile(r"\s*This session restarted[^\n]*wakeup was due")
_PROSE_IDS = re.compile(r"\((?:task|task ID:?) ([\w.@+-]{1,200})\)")
_MONITOR_ENDS = re.compile(r"\s*\[(?:Monitor (?:timed out|stopped|expired|closed)|WebSocket closed)")
_WRAPPER_EDGE = re.compile(r"\s*(?:<system-reminder>\s*)?")
_WRAPPERS = ("[SYSTEM NOTIFICATION - NOT USER INPUT]", "A background agent completed a task:")
_TAG = r"<(?P<tag>task|bash|agent)-notification>"
_OPENING = re.compile(_TAG)
_EDGES = re.compile(
    rf"^[ \t]*(?P<opening>{_TAG})|(?P<closing></(?:task|bash|agent)-notification>)|<(?P<up>/)?(?P<body>result|event)>",
    re.MULTILINE,
)
_GENERATION_BY_WORD = {generation.tag.partition("-")[0]: generation for generation in GENERATIONS}
_HEAD_TAGS = re.compile(
    r"<(task-id|shell-id|agent-id|tool-use-id|task-type|output-file|status)>([^<]{0,4096})</\1>"  # in any order, any number
)
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
    return _find_first(text) is not None


def read_notices(stamp: Stamp, text: str, channel: Channel) -> Iterator[End | Mention | DriverMove]:
    """The ends and mentions of every notice in a text that is a notice; nothing from any other text."""
    first = _find_first(text)
    if first is not None:
        for generation, block in _split_blocks(text, first):
            yield from _read_block(stamp, generation, block, channel)


def _find_first(text: str) -> re.Match[str] | None:
    """The opening of the notice with which a text begins, behind at most the words of a wrapper."""
    edge = _WRAPPER_EDGE.match(text)
    at = edge.end() if edge else 0
    if text.startswith(_WRAPPERS, at):
        at = max(at, text.find("<", at))
    return _OPENING.match(text, at)


def _split_blocks(text: str, first: re.Match[str]) -> Iterator[tuple[Generation, str]]:
    """The notices of a text. A further one starts a line after the one before has closed, and outside any `<result>` or `<event>`."""
    opening, end, depth = first, None, 0
    for edge in _EDGES.finditer(text, first.end()):
        if edge["body"]:
            depth = max(0, depth - 1) if edge["up"] else depth + 1
        elif edge["closing"] and depth == 0:
            end = end or edge.start()
        elif edge["opening"] and end is not None:
            yield _GENERATION_BY_WORD[opening["tag"]], text[opening.end() : end]
            opening, end, depth = edge, None, 0
    yield _GENERATION_BY_WORD[opening["tag"]], text[opening.end() : end]


def _read_block(stamp: Stamp, generation: Generation, block: str, channel: Channel) -> Iterator[End | Mention | DriverMove]:
    edge = _HEAD_END.search(block)
    head = block[: edge.start()] if edge else block
    tags: defaultdict[str, list[str]] = defaultdict(list)
    for tag, value in _HEAD_TAGS.findall(head):
        tags[tag].append(html.unescape(value.strip()))
    if edge is None and not tags:
        return
    summary, event = _body(block, "summary"), _body(block, "event")
    ids, status = tags[generation.id_tag], _first(tags["status"])
    said = _Said(
        stamp=stamp,
        channel=channel,
        tool_use_id=read_id(_first(tags["tool-use-id"])),
        kind=generation.kind or KIND_BY_TASK_TYPE.get(_first(tags["task-type"]) or "") or _kind_of_summary(summary),
        status=status,
        summary=summary,
        note=_body(block.partition("<result>")[0], "note"),
        output_file=read_text(_first(tags["output-file"])),
        monitor_end=event is not None and status is None and _MONITOR_ENDS.match(event) is not None,
        unfinished=any(word.startswith(PSEUDO_ID) for word in ids),
        notice=identify(block),
    )
    yield from said.events(ids)


def _first(values: list[str]) -> str | None:
    return values[0] if values else None


def _kind_of_summary(summary: str | None) -> WorkerKind | None:
    return next((kind for opening, kind in _KIND_BY_SUMMARY if summary and summary.startswith(opening)), None)


def _body(block: str, tag: str) -> str | None:
    """The text between the first opening tag of this name and its close (or the end of the block), unescaped."""
    _, opened, rest = block.partition(f"<{tag}>")
    return html.unescape(rest.partition(f"</{tag}>")[0].strip()) if opened else None


class _Said(Struct, frozen=True, kw_only=True):
    """What one notice says of each id it names. `unfinished`: it names a pseudo-id, which only post-crash notices do."""

    stamp: Stamp
    channel: Channel
    status: str | None
    notice: Raw
    tool_use_id: Raw | None = None
    kind: WorkerKind | None = None
    summary: str | None = None
    note: str | None = None
    output_file: Raw | None = None
    monitor_end: bool = False
    unfinished: bool = False

    def events(self, ids: list[str]) -> Iterator[End | Mention | DriverMove]:
        """What it says of all the ids written in it; where none of them is an id, of its tool call."""
        words = [word for word in ids or self._ids_in_prose() if read_id(word)]
        if _WAKEUP_LOST.match(self.summary or "") or _WAKEUP_LOST.match(self.note or ""):
            yield from (self._lost_wakeup(Raw(word)) for word in words)
        else:
            yield from (self.event(word) for word in words)
            if not words and self.tool_use_id is not None and not self.unfinished:
                yield self.event(None)

    def event(self, word: str | None) -> End | Mention:
        """The end or the mention of one id (None: only the tool call is named)."""
        kind = self.kind or kind_of_id(word)
        outcome = Outcome.SUCCESS if self.monitor_end else OUTCOME_BY_WORD.get((self.status or "").lower())
        interim = self.summary is not None and _INTERIM in self.summary
        # "finished before the previous session ended, but its result was never reported": known, and said as completed
        lost = self._is_lost() and outcome is not Outcome.SUCCESS
        if outcome is None or interim or lost:
            return Mention(
                stamp=self.stamp,
                worker_id=read_id(word),
                tool_use_id=self.tool_use_id,
                notice=True,
                kind=kind,
                lost_track=lost,
                status=read_text(self.status),
                summary=read_text(self.summary),
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

    def _is_lost(self) -> bool:
        """Post-crash words stand in the summary (to 2.1.215) or in a note beside it (2.1.332), never in a result or an event."""
        return self.unfinished or any(words in place for words in LOST_TRACK for place in (self.summary, self.note) if place)

    def _ids_in_prose(self) -> list[str]:
        """The ids in the sentences of a post-crash notice without tags (a container that was restarted, 2.1.332)."""
        return _PROSE_IDS.findall(f"{self.summary or ''} {self.note or ''}") if self._is_lost() else []

    def _lost_wakeup(self, call: Raw) -> DriverMove:
        return DriverMove(stamp=self.stamp, driver_id=call, kind=DriverKind.WAKEUP, state=DriverState.LOST, tool_use_id=call)


def read_object_notice(
    stamp: Stamp, data: JsonObject, channel: Channel, *, id_keys: tuple[str, ...], kind: WorkerKind | None = None
) -> Iterator[End | Mention]:
    """The end or mention that an object with plain fields says (attachments, system notices, JSON in the queue).

    `id_keys`: the fields in which this kind of object names the worker; `kind`: the only kind it speaks of. An object without
    any id says nothing.
    """
    word = next((value for key in id_keys if (value := text_of(data, key)) and read_id(value)), None)
    tool_use_id = read_id(data.get("tool_use_id")) or read_id(object_of(data, "shell").get("toolUseId"))
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
        kind=kind or KIND_BY_TASK_TYPE.get(task_type) or _kind_of_summary(summary),
        summary=summary,
        note=text_of(data, "note") or text_of(data, "deltaSummary"),
        output_file=read_text(data.get("output_file")) or read_text(data.get("outputFilePath")),
        notice=identify(json.dumps([word, status, summary])),
    )
    yield said.event(word)
