"""What a worker had done, from the tail of its own transcript. In: its events, in order. Out: a bounded `Digest`.

Error records are no recovered work: a copy that holds only its prompt and an error has nothing to give, and the reason names the error.
"""

from collections import Counter, OrderedDict, deque
from datetime import datetime

from msgspec import Struct

from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Call, Event, Fault, Result, Turn
from resume_forensics.model.fact import FileFact
from resume_forensics.model.report import Digest, ToolCount
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Ended, Missing, Shape, Speaker, StopCause


class Window(Struct, frozen=True, kw_only=True):
    """How much of the copy was looked at. `cut`: it has older records."""

    size_bytes: int
    records: int
    cut: bool
    age_s: float | None


class WorkDone:
    """Takes the events of a worker's tail (`see`) and sums up what it had done (`answer`).

    `asked_at`: when it was last set to work again; an answer from before is not the answer to that.
    """

    def __init__(self, asked_at: datetime | None = None) -> None:
        self._asked_at = asked_at
        self._texts: deque[Raw] = deque()
        self._text_chars = 0
        self._tools: Counter[Raw] = Counter()
        self._paths: OrderedDict[Raw, None] = OrderedDict()
        self._open_edits: OrderedDict[Raw, Raw] = OrderedDict()
        self._ended: Ended | StopCause = Ended.NOTHING_WRITTEN
        self._fault: Fault | None = None

    def see(self, event: Event) -> None:
        """Take one event of the worker's own transcript."""
        match event:
            case Fault():
                self._ended, self._fault = event.cause, event
            case Turn(speaker=Speaker.ASSISTANT):
                self._say(event)
            case Turn(speaker=Speaker.TOOL):
                self._ended = Ended.MID_TOOL
            case Call():
                self._count(event)
            case Turn(finished=False) if self._ended is Ended.END_OF_TURN:
                self._ended = Ended.MID_TEXT  # asked again, and it did not answer
            case Result(lost=False):
                self._open_edits.pop(event.tool_use_id, None)
            case _:
                pass

    def _say(self, turn: Turn) -> None:
        answered = turn.finished and not self._was_asked_after(turn)
        self._ended = Ended.MID_TOOL if turn.calls else Ended.END_OF_TURN if answered else Ended.MID_TEXT
        if turn.text:
            self._texts.append(turn.text)
            self._text_chars += len(turn.text)
            while len(self._texts) > 1 and self._text_chars > LIMITS.digest_chars:
                self._text_chars -= len(self._texts.popleft())

    def _was_asked_after(self, turn: Turn) -> bool:
        return self._asked_at is not None and turn.stamp.at is not None and turn.stamp.at < self._asked_at

    def _count(self, call: Call) -> None:
        self._tools[call.tool] += 1
        if call.path is not None:
            self._paths[call.path] = None
            self._paths.move_to_end(call.path)
            if len(self._paths) > LIMITS.digest_files:
                self._paths.popitem(last=False)
            if call.edits:
                self._open_edits[call.tool_use_id] = call.path

    def answer(self, window: Window) -> Digest[Raw]:
        """Sum up. Nothing is recoverable where the worker neither said nor did anything."""
        if not self._texts and not self._tools:
            return Digest(recoverable=False, ended=self._ended, reason=self._why_nothing(window))
        return Digest(
            recoverable=True,
            ended=self._ended,
            size_bytes=window.size_bytes,
            records=window.records,
            shape=Shape.TRANSCRIPT,
            truncated_window=window.cut,
            final_text=_join(self._texts),
            tool_counts=tuple(ToolCount(tool=tool, calls=calls) for tool, calls in self._ranked()),
            files_touched=tuple(self._paths),
            half_written=next(reversed(self._open_edits.values()), None),
            mtime_age_s=window.age_s,
        )

    def _ranked(self) -> list[tuple[Raw, int]]:
        return sorted(self._tools.items(), key=lambda item: (-item[1], item[0]))[: LIMITS.digest_tools]

    def _why_nothing(self, window: Window) -> Raw:
        if self._fault is None:
            return Raw("it had written nothing yet" if window.records else "not one record in it could be read")
        return compose(f"it had written nothing before it was stopped ({self._fault.cause}): ", self._fault.evidence)


def _join(texts: deque[Raw]) -> Raw | None:
    parts: list[str | Raw] = []
    for text in texts:
        parts += ["\n\n", text] if parts else [text]
    return compose(*parts) if parts else None


def sum_up_output(text: Raw, window: Window) -> Digest[Raw]:
    """Sum up the end of an output file that is no transcript."""
    return Digest(
        recoverable=True,
        ended=Ended.MID_TEXT,
        size_bytes=window.size_bytes,
        shape=Shape.RAW_STDOUT,
        truncated_window=window.cut,
        final_text=text,
        mtime_age_s=window.age_s,
    )


def explain_nothing(fact: FileFact) -> Digest[Raw]:
    """Say why nothing of a worker's copy can be recovered."""
    return Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN, reason=Raw(fact.missing or Missing.UNREADABLE))
