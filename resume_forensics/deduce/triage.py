"""The cheapest safe next step for each worker, and why. In: what was judged of it. Out: one `Proposal`.

The rows are asked in order; the first that holds decides. Where doing it again could do harm, looking comes first.
"""

from collections.abc import Callable

from msgspec import Struct

from resume_forensics.model.report import Digest, Proposal, Sidecar
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Action, Delivery, Ended, Liveness, WorkerKind, WorkerState


class Finding(Struct, frozen=True, kw_only=True):
    """All that was judged of one worker. `liveness` is None where it came back; `own_copy`: its transcript lies in this session."""

    worker: Worker
    liveness: Liveness | None
    digest: Digest[Raw] | None
    sidecar: Sidecar[Raw] | None
    own_copy: bool

    @property
    def answered(self) -> bool:
        """Whether its own transcript ends with an answer."""
        return self.digest is not None and self.digest.recoverable and self.digest.ended is Ended.END_OF_TURN

    @property
    def recoverable(self) -> bool:
        """Whether anything it did survives."""
        return self.digest is not None and self.digest.recoverable

    @property
    def finished(self) -> bool:
        """Whether its sidecar says that it finished; of one that was set to work again since, that may be an earlier run."""
        return self.sidecar is not None and self.sidecar.finished is True and not self.worker.reopened

    def is_a(self, *kinds: WorkerKind) -> bool:
        """Whether the worker is of one of these kinds."""
        return self.worker.kind in kinds


class _Row(Struct, frozen=True, kw_only=True):
    holds: Callable[[Finding], bool]
    action: Action
    reason: str


_REPORTED = (
    _Row(
        holds=lambda f: f.worker.delivery is Delivery.QUEUED,
        action=Action.FOLD_IN,
        reason="it finished, but the model was never told: read its result, do not run it again",
    ),
    _Row(holds=lambda _: True, action=Action.NONE, reason="it came back and the model was told"),
)
_FAILED = (
    _Row(
        holds=lambda f: f.worker.delivery is Delivery.STOPPED,
        action=Action.NONE,
        reason="it was ended on purpose; ask before starting it again",
    ),
    _Row(
        holds=lambda f: f.is_a(WorkerKind.AGENT) and f.answered,
        action=Action.FOLD_IN,
        reason="it is said to have failed, but its own transcript ends with an answer: the hand-off failed, not the work",
    ),
    _Row(
        holds=lambda _: True,
        action=Action.READ_FAILURE,
        reason="it came back broken: read why before doing anything about it",
    ),
)
_UNREPORTED = (
    _Row(
        holds=lambda f: f.worker.superseded_by is not None,
        action=Action.NONE,
        reason="a later worker continued the same run and took its place",
    ),
    _Row(
        holds=lambda f: f.liveness is Liveness.POSSIBLY_LIVE,
        action=Action.VERIFY_FIRST,
        reason="it may still be running; running it again could do its work twice",
    ),
    _Row(
        holds=lambda f: f.liveness not in (Liveness.DEAD, Liveness.DEAD_WITH_PARENT),
        action=Action.VERIFY_FIRST,
        reason="whether it still runs is unknown; check before anything with side effects is run again",
    ),
    _Row(
        holds=lambda f: f.sidecar is not None and f.sidecar.stopped_by_user is True,
        action=Action.NONE,
        reason="a person stopped it; ask before starting it again",
    ),
    _Row(
        holds=lambda f: f.is_a(WorkerKind.WORKFLOW),
        action=Action.RESTART_DRIVER,
        reason="the workflow drove the work and died: start it again from its run, which keeps the finished steps",
    ),
    _Row(
        holds=lambda f: f.is_a(WorkerKind.MONITOR),
        action=Action.RESPAWN_WHOLE,
        reason="a dead monitor watches nothing: start the watch again",
    ),
    _Row(
        holds=lambda f: f.is_a(WorkerKind.BACKGROUND_SHELL),
        action=Action.VERIFY_FIRST,
        reason="a command that died half-way may have changed things: look at what it did before running it again",
    ),
    _Row(
        holds=lambda f: f.answered or (f.recoverable and f.finished),
        action=Action.FOLD_IN,
        reason="its own transcript ends with an answer, only the report was lost: read it, do not run it again",
    ),
    _Row(
        holds=lambda f: f.worker.launch_missing,
        action=Action.VERIFY_FIRST,
        reason="its launch is not in this session's files, so what it was asked is unknown here",
    ),
    _Row(
        holds=lambda f: f.recoverable and f.is_a(WorkerKind.AGENT) and f.own_copy and f.worker.worker_id is not None,
        action=Action.CONTINUE,
        reason="it was cut off in the middle: once this session is resumed, message it by its id, which keeps its context; "
        "from a fresh session hand the remainder to a new one",
    ),
    _Row(
        holds=lambda f: f.recoverable,
        action=Action.RESPAWN_REMAINDER,
        reason="it was cut off in the middle: hand the remainder to a new one, with what it had established",
    ),
    _Row(
        holds=lambda _: True,
        action=Action.RESPAWN_WHOLE,
        reason="nothing of its work survives: start it again from its whole prompt",
    ),
)
_ROWS = {WorkerState.REPORTED: _REPORTED, WorkerState.REPORTED_FAILED: _FAILED, WorkerState.UNREPORTED: _UNREPORTED}


def propose(finding: Finding) -> Proposal[Raw]:
    """Propose the next step for one worker."""
    row = next(row for row in _ROWS[finding.worker.state] if row.holds(finding))
    half = finding.digest.half_written if finding.digest and row.action in (Action.CONTINUE, Action.RESPAWN_REMAINDER) else None
    warning: tuple[str | Raw, ...] = ("; first look at ", half, ", which may be half-written") if half else ()
    return Proposal(name=row.action, reason=compose(row.reason, *warning))
