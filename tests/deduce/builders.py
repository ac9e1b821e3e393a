"""Makes events as a harness file would: a `Tape` is one transcript, and each of its methods writes the next record of it."""

# ruff: noqa: ANN401 (a builder takes any field of the event it builds)

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from resume_forensics.deduce.join import Joined, join
from resume_forensics.deduce.ledger import Ledger
from resume_forensics.model.event import (
    Call,
    DriverMove,
    End,
    Event,
    Fault,
    KillAll,
    Launch,
    Link,
    Mention,
    PendingCount,
    QueueMove,
    Result,
    Stamp,
    Turn,
)
from resume_forensics.model.session import Source
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import (
    Channel,
    Delivery,
    DriverKind,
    DriverState,
    Habitat,
    Outcome,
    QueueStep,
    Speaker,
    StopCause,
    WorkerKind,
    WorkerState,
)

E = TypeVar("E", bound=Event)
START = datetime(2026, 9, 14, 9, 0, tzinfo=UTC)
TRACED = (2, 1, 90)
"""From this version a delivered notice leaves a record, as Claude Code declares it."""

MAIN = Source(path=Path("/store/-work/s1.jsonl"))
OWN = "s1"
FAILURES = frozenset({"failed", "killed", "stopped"})


def raw(chars: str | None) -> Raw | None:
    """Raw text, or None."""
    return None if chars is None else Raw(chars)


def plain(text: Raw | None) -> str | None:
    """The characters of raw text, or None."""
    return None if text is None else reveal(text)


def _texts(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with their strings as raw text."""
    return {name: Raw(value) if isinstance(value, str) and type(value) is str else value for name, value in fields.items()}


class Tape:
    """One transcript. Every record stands a line and a second after the one before; fields of its stamp can be set for all."""

    def __init__(self, source: Source = MAIN, *, at: datetime | None = START, line: int = 0, **fields: Any) -> None:
        self.events: list[Event] = []
        self._stamp = Stamp(source=source, line=line, at=at, **{"version": (2, 1, 200), "session_id": Raw(OWN), **fields})

    def wait(self, seconds: float) -> None:
        """Let time pass, or step the clock back."""
        self._stamp = replace(self._stamp, at=(self._stamp.at or START) + timedelta(seconds=seconds))

    def now(self) -> datetime:
        """The time of the last record."""
        return self._stamp.at or START

    def set(self, **fields: Any) -> None:
        """Change what the stamps of all further records say."""
        self._stamp = replace(self._stamp, **fields)

    def stamp(self) -> Stamp:
        """The stamp of the next record."""
        at = None if self._stamp.at is None else self._stamp.at + timedelta(seconds=1)
        self._stamp = replace(self._stamp, line=self._stamp.line + 1, at=at)
        return self._stamp

    def add(self, event: E) -> E:
        """Write an event."""
        self.events.append(event)
        return event

    # -- calls and launches

    def call(self, call: str, tool: str = "Agent", **fields: Any) -> Call:
        """A tool call."""
        texts = _texts(fields)
        return self.add(Call(stamp=self.stamp(), tool_use_id=Raw(call), tool=Raw(tool), **texts))

    def spawn(self, call: str, **fields: Any) -> Call:
        """A call that is a foreground agent unless its result says else."""
        return self.call(call, "Agent", spawns=WorkerKind.AGENT, awaited=True, **fields)

    def result(self, call: str, *, lost: bool = False) -> Result:
        """The answer to a call."""
        return self.add(Result(stamp=self.stamp(), tool_use_id=Raw(call), lost=lost))

    def launch(self, worker: str | None, call: str | None = None, kind: WorkerKind = WorkerKind.AGENT, **fields: Any) -> Launch:
        """The receipt of a launch."""
        texts = _texts(fields)
        given: dict[str, Any] = {"habitat": Habitat.IN_PROCESS, "tool_use_id": raw(call), **texts}
        return self.add(Launch(stamp=self.stamp(), kind=kind, worker_id=raw(worker), **given))

    def link(self, call: str, worker: str) -> Link:
        """A record that ties a call to the id of its worker."""
        return self.add(Link(stamp=self.stamp(), tool_use_id=Raw(call), worker_id=Raw(worker)))

    # -- ends

    def end(
        self, worker: str | None, status: str = "completed", channel: Channel = Channel.DELIVERED, *, notice: str | None = "", **fields: Any
    ) -> End:
        """An end, by default a delivered notice; its copies are equal if worker, status and `notice` are."""
        texts = _texts(fields)
        outcome = Outcome.FAILURE if status in FAILURES else Outcome.SUCCESS
        told = None if notice is None else Raw(f"{worker} {status} {notice}")
        return self.add(
            End(stamp=self.stamp(), outcome=outcome, channel=channel, status=Raw(status), worker_id=raw(worker), notice=told, **texts)
        )

    def poll(self, worker: str | None, status: str = "completed", **fields: Any) -> End:
        """A poll that found an end."""
        return self.end(worker, status, Channel.FETCHED, notice=None, **fields)

    def stop(self, worker: str | None, **fields: Any) -> End:
        """A successful stop."""
        return self.end(worker, "stopped", Channel.STOPPED, notice=None, **fields)

    def mention(self, worker: str | None, **fields: Any) -> Mention:
        """A record that names a worker without ending it."""
        texts = _texts(fields)
        return self.add(Mention(stamp=self.stamp(), worker_id=raw(worker), **texts))

    def kill(self) -> KillAll:
        """All agents were stopped."""
        return self.add(KillAll(stamp=self.stamp(), kind=WorkerKind.AGENT))

    # -- the queue

    def enqueue(self, worker: str, status: str = "completed", notice: str = "", **fields: Any) -> End:
        """A notice enters the queue: one record that is a move and an end."""
        self.move(QueueStep.ENQUEUE, f"{worker} {status} {notice}")
        end = self.end(worker, status, Channel.QUEUED, notice=notice, **fields)
        same = replace(end, stamp=self.events[-2].stamp)
        self.events[-1] = same
        return same

    def move(self, step: QueueStep, content: str | None = None, *, told: bool = False) -> QueueMove:
        """The queue moves."""
        return self.add(QueueMove(stamp=self.stamp(), step=step, content=raw(content), told=told))

    # -- the rest

    def driver(self, driver: str, state: DriverState | None, kind: DriverKind = DriverKind.SCHEDULE, **fields: Any) -> DriverMove:
        """A driver is set up, or its fate becomes known."""
        texts = _texts(fields)
        return self.add(DriverMove(stamp=self.stamp(), driver_id=Raw(driver), kind=kind, state=state, **texts))

    def count(self, agents: int | None, workflows: int | None = None) -> PendingCount:
        """The harness's own count at the end of a turn."""
        return self.add(PendingCount(stamp=self.stamp(), agents=agents, workflows=workflows))

    def turn(self, speaker: Speaker, text: str | None = None, *, finished: bool = False, calls: bool = False) -> Turn:
        """A record of the conversation."""
        return self.add(Turn(stamp=self.stamp(), speaker=speaker, text=raw(text), finished=finished, calls=calls))

    def fault(self, cause: StopCause = StopCause.API_OVERLOAD, evidence: str = "API Error: 529", resets_at: str | None = None) -> Fault:
        """Something stopped the work."""
        return self.add(Fault(stamp=self.stamp(), cause=cause, evidence=Raw(evidence), resets_at=raw(resets_at)))


def helper_tape(worker: str, order: int = 1, **fields: Any) -> Tape:
    """A worker's own transcript in the session's folder."""
    return Tape(Source(path=Path(f"/store/-work/s1/subagents/agent-{worker}.jsonl"), order=order, owner=Raw(worker)), **fields)


def feed(*tapes: Tape) -> Ledger:
    """A ledger that has seen the tapes, one after the other."""
    ledger = Ledger(TRACED)
    for tape in tapes:
        for event in tape.events:
            ledger.see(event)
    return ledger


def join_tapes(*tapes: Tape, own: str | None = OWN) -> Joined:
    """What the tapes join to."""
    return join(feed(*tapes).book, raw(own))


def workers_of(*tapes: Tape, own: str | None = OWN) -> dict[str, Worker]:
    """The workers of the tapes, by worker id, or by tool-use id where they have none; in the order of the answer."""
    return {reveal(one.worker_id or one.tool_use_id or Raw("?")): one for one in join_tapes(*tapes, own=own).workers}


def only(workers: Iterable[Worker]) -> Worker:
    """The one worker there is."""
    (worker,) = workers
    return worker


def verdict(worker: Worker) -> tuple[WorkerState, str | None, Delivery]:
    """State, status and delivery."""
    return worker.state, plain(worker.status), worker.delivery
