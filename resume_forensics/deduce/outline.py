"""What a session's records say, one after the other, in; the rows of its skeleton out, tool calls that follow each other in one row.

Held back is only what may still get its result, in bounded number. Events of helpers that stand in between are the caller's to leave out.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Call, End, Event, Fault, KillAll, Mention, Result, Spoken, Stamp
from resume_forensics.model.skeleton import NoticeRow, Row, SpeechRow, StopRow, ToolRow
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Speaker


class _Group(Struct, kw_only=True):
    """Calls of one tool that follow each other."""

    stamp: Stamp
    tool: Raw
    targets: list[Raw] = field(default_factory=list)
    calls: int = 0
    succeeded: int = 0
    failed: int = 0
    interrupted: int = 0

    def row(self) -> ToolRow[Raw]:
        """What is known of them now."""
        return ToolRow(
            at=self.stamp.at,
            tool=self.tool,
            targets=tuple(self.targets),
            calls=self.calls,
            succeeded=self.succeeded,
            failed=self.failed,
            interrupted=self.interrupted,
        )


class Outline:
    """Takes what each record says (`see`), answers the rows that are complete by then, and at the end the rest (`close`)."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._groups: list[_Group] = []
        self._open: dict[Raw, _Group] = {}
        self._told: dict[tuple[object, ...], None] = {}

    def see(self, events: Sequence[Event], spoken: Spoken | None) -> Iterator[Row[Raw]]:
        """Take one record: its events in order, and what it says aloud. The model speaks before it calls tools."""
        if spoken is not None and spoken.speaker is Speaker.ASSISTANT and not any(isinstance(event, Fault) for event in events):
            yield from self._say(spoken)
        stopped = False
        for event in events:
            stopped = stopped or isinstance(event, Fault)
            yield from self._see_event(event)
        if spoken is not None and spoken.speaker not in {Speaker.ASSISTANT, Speaker.NOTICE} and not stopped:
            yield from self._say(spoken)

    def close(self) -> Iterator[Row[Raw]]:
        """Answer what was held back."""
        rows = [group.row() for group in self._groups]
        self._groups = []
        self._open = {}
        yield from rows

    def _see_event(self, event: Event) -> Iterator[Row[Raw]]:
        match event:
            case Call():
                yield from self._take_call(event)
            case Result():
                self._take_result(event)
            case Fault():
                yield from self.close()
                yield StopRow(at=event.stamp.at, cause=event.cause, evidence=event.evidence, resets_at=event.resets_at)
            case End() if event.only_from is None:
                yield from self._tell(event.stamp, event.worker_id or event.tool_use_id, event.status, event.summary)
            case Mention() if event.notice:
                who = event.worker_id or event.tool_use_id
                yield from self._tell(event.stamp, who, event.status, event.summary, lost_track=event.lost_track)
            case KillAll():
                yield from self._tell(event.stamp, None, Raw("stopped"), compose("every ", event.kind, " that was at work was stopped"))
            case _:
                pass

    def _say(self, spoken: Spoken) -> Iterator[Row[Raw]]:
        yield from self.close()
        yield SpeechRow(at=spoken.stamp.at, speaker=spoken.speaker, text=spoken.text)

    def _tell(
        self, stamp: Stamp, worker: Raw | None, status: Raw | None, summary: Raw | None, *, lost_track: bool = False
    ) -> Iterator[Row[Raw]]:
        """A notice, once: the queue, the delivery and re-writes repeat it up to dozens of times."""
        told = (worker, status, summary, lost_track)
        if worker is not None and told in self._told:
            return
        self._told[told] = None
        if len(self._told) > LIMITS.open_calls:
            self._told.pop(next(iter(self._told)))
        yield from self.close()
        yield NoticeRow(at=stamp.at, worker=worker, status=status, summary=summary, lost_track=lost_track)

    def _take_call(self, call: Call) -> Iterator[Row[Raw]]:
        if not self._groups or self._groups[-1].tool != call.tool:
            self._groups.append(_Group(stamp=call.stamp, tool=call.tool))
        group = self._groups[-1]
        group.calls += 1
        target = call.path or call.command or call.topic or call.description or call.prompt or call.target
        if target is not None and len(group.targets) < LIMITS.skeleton_targets:
            group.targets.append(target)
        self._open[call.tool_use_id] = group
        if len(self._open) > LIMITS.open_calls:
            self._open.pop(next(iter(self._open)))
        if len(self._groups) > LIMITS.skeleton_groups:
            yield self._groups.pop(0).row()

    def _take_result(self, result: Result) -> None:
        group = self._open.pop(result.tool_use_id, None)
        if group is None:
            return
        group.interrupted += result.lost
        group.failed += result.failed and not result.lost
        group.succeeded += not result.failed and not result.lost
