"""The report: everything a scan says, in the shape of the JSON document (schema `resume-forensics/scan/1`).

`Report[Raw]` is what the deducing rooms assemble; `seal` turns it into `Report[Masked]`, the only kind that may be shown.
Every text in it is a `T`: also paths, tool names, ids and sentences of our own, so that nothing passes beside the mask.
"""

from datetime import datetime
from typing import Generic, TypeVar

from msgspec import Struct

from resume_forensics.vocabulary import (
    Action,
    Delivery,
    DriverKind,
    DriverState,
    Ended,
    Liveness,
    Shape,
    StepState,
    StopCause,
    WorkerKind,
    WorkerState,
)

T = TypeVar("T")


class Position(Struct, Generic[T], frozen=True, kw_only=True):
    """A line of a file, as evidence."""

    file: T
    line: int


class BadLine(Struct, Generic[T], frozen=True, kw_only=True):
    """A line that could not be read."""

    line: int
    byte: int
    reason: T
    salvaged: bool


class SurvivedFault(Struct, Generic[T], frozen=True, kw_only=True):
    """A fault after which the session went on. `completed`: a later turn came to its normal end."""

    kind: StopCause
    evidence: T
    at: datetime | None
    completed: bool


class Termination(Struct, Generic[T], frozen=True, kw_only=True):
    """What ended the session, how to clear it, and what it had survived before."""

    kind: StopCause
    evidence: T | None
    at: datetime | None
    remedy: T
    resets_at: T | None
    recovered: SurvivedFault[T] | None


class SessionLife(Struct, Generic[T], frozen=True, kw_only=True):
    """The session is not dead: this process runs it, and began at `since` (None: unknown); what was launched before is not in it."""

    pid: int
    evidence: T
    since: datetime | None = None


class ToolCount(Struct, Generic[T], frozen=True, kw_only=True):
    """How often a tool was called."""

    tool: T
    calls: int


class Digest(Struct, Generic[T], frozen=True, kw_only=True):
    """What a worker had done, from its own copy. Where nothing is recoverable, `reason` says why and the rest is empty."""

    recoverable: bool
    ended: Ended | StopCause
    reason: T | None = None
    size_bytes: int | None = None
    records: int | None = None
    shape: Shape | None = None
    truncated_window: bool = False
    final_text: T | None = None
    tool_counts: tuple[ToolCount[T], ...] = ()
    files_touched: tuple[T, ...] = ()
    half_written: T | None = None
    mtime_age_s: float | None = None
    redacted_kinds: tuple[str, ...] = ()


class Step(Struct, Generic[T], frozen=True, kw_only=True):
    """One agent inside a workflow run."""

    agent_id: T
    label: T | None
    state: StepState


class Sidecar(Struct, Generic[T], frozen=True, kw_only=True):
    """What the harness noted beside a worker's transcript. None: not said."""

    file: T
    finished: bool | None = None
    report_taken: bool | None = None
    stopped_by_user: bool | None = None
    parent_worker_id: T | None = None
    tool_use_id: T | None = None
    is_fork: bool | None = None


class Proposal(Struct, Generic[T], frozen=True, kw_only=True):
    """The cheapest safe next step for one worker, and why."""

    name: Action
    reason: T


class Evidence(Struct, Generic[T], frozen=True, kw_only=True):
    """Where the launch and the deciding end of a worker stand."""

    launch: Position[T] | None
    notice: Position[T] | None


class WorkerReport(Struct, Generic[T], frozen=True, kw_only=True):
    """One worker, with all that is known of it."""

    worker_id: T | None
    tool_use_id: T | None
    tool: T | None
    kind: WorkerKind
    description: T | None
    command: T | None
    prompt: T | None
    subagent_type: T | None
    spawned_at: datetime | None
    parent_worker_id: T | None
    state: WorkerState
    status: T | None
    summary: T | None
    delivery: Delivery
    lost_track: bool
    launch_missing: bool
    foreground: bool
    reopened: int
    steps: tuple[Step[T], ...]
    sidecar: Sidecar[T] | None
    liveness: Liveness | None
    liveness_evidence: T | None
    recent_write_s: float | None
    output_file: T | None
    durable_transcript: T | None
    digest: Digest[T] | None
    action: Proposal[T]
    evidence: Evidence[T]
    cut_while_reading: tuple[str, ...] = ()
    redacted_kinds: tuple[str, ...] = ()

    @property
    def possibly_live(self) -> bool:
        """Whether it may still run, so that re-running it could do the work twice."""
        return self.liveness is Liveness.POSSIBLY_LIVE


class RunningCall(Struct, Generic[T], frozen=True, kw_only=True):
    """A tool call of the session itself that has no result. `half_written`: the file it was changing when it was cut off."""

    tool: T
    tool_use_id: T
    description: T | None
    command: T | None
    path: T | None
    half_written: bool
    evidence: Position[T]


class DriverReport(Struct, Generic[T], frozen=True, kw_only=True):
    """Something that starts work by itself."""

    id: T
    kind: DriverKind
    prompt: T | None
    next_at: datetime | None
    state: DriverState
    evidence: T


class OtherSession(Struct, Generic[T], frozen=True, kw_only=True):
    """Another session of the same directory."""

    session: T
    last_activity: datetime
    size_bytes: int


class WrittenState(Struct, Generic[T], frozen=True, kw_only=True):
    """State that some system wrote down on purpose; `resume-scan reconcile` reads it."""

    system: str
    path: T


class ChangedFile(Struct, Generic[T], frozen=True, kw_only=True):
    """A file that differs from the last commit. `half_written_by`: the worker whose edit of it never got a result."""

    path: T
    status: T
    added: int | None
    removed: int | None
    half_written_by: T | None


class NotLookedAt(Struct, Generic[T], frozen=True, kw_only=True):
    """Something that the scan does not ask, with the command that does."""

    what: T
    command: T


class Tree(Struct, Generic[T], frozen=True, kw_only=True):
    """The work tree of the session's directory, as git tells it read-only. `problem`: why git told nothing."""

    directory: T
    problem: T | None
    branch: T | None
    upstream: T | None
    ahead: int | None
    behind: int | None
    last_commit: T | None
    last_commit_at: datetime | None
    stashes: int | None
    in_progress: tuple[T, ...]
    dirty_total: int
    changed: tuple[ChangedFile[T], ...]
    half_written: tuple[ChangedFile[T], ...]
    not_looked_at: tuple[NotLookedAt[T], ...]


class Report(Struct, Generic[T], frozen=True, kw_only=True):
    """Everything a scan of one session says. Workers stand in launch order within each of the three lists."""

    harness: T
    session: T
    session_id: T | None
    main_exists: bool
    records: int
    unparsable_records: int
    unparsable: tuple[BadLine[T], ...]
    died_at: datetime | None
    session_live: SessionLife[T] | None
    termination: Termination[T]
    unreported: tuple[WorkerReport[T], ...]
    reported_failed: tuple[WorkerReport[T], ...]
    reported: tuple[WorkerReport[T], ...]
    drivers: tuple[DriverReport[T], ...]
    running_calls: tuple[RunningCall[T], ...]
    other_sessions: tuple[OtherSession[T], ...]
    written_state: tuple[WrittenState[T], ...]
    tree: Tree[T] | None
    warnings: tuple[T, ...]
    redacted_kinds: tuple[str, ...] = ()

    @property
    def spawns_total(self) -> int:
        """Every worker listed."""
        return len(self.unreported) + len(self.reported_failed) + len(self.reported)

    @property
    def was_resumed(self) -> bool:
        """Whether the session is alive in a process that began after some of its workers, which it therefore does not hold."""
        since = self.session_live.since if self.session_live else None
        workers = (*self.unreported, *self.reported_failed, *self.reported)
        return since is not None and any(worker.spawned_at is not None and worker.spawned_at < since for worker in workers)

    @property
    def needs_attention(self) -> bool:
        """Whether something was lost, came back broken or unheard, could not be read, or ended the session from outside."""
        unheard = any(worker.delivery is Delivery.QUEUED for worker in self.reported)
        lost = any(driver.state is DriverState.LOST for driver in self.drivers)
        unread = not self.main_exists or self.records == 0
        stopped = self.termination.kind is not StopCause.CLEAN_OR_UNKNOWN
        return bool(self.unreported or self.reported_failed) or unheard or lost or unread or stopped


class SessionList(Struct, Generic[T], frozen=True, kw_only=True):
    """The sessions of one directory, newest first."""

    sessions: tuple[OtherSession[T], ...]
    warnings: tuple[T, ...] = ()
    redacted_kinds: tuple[str, ...] = ()
