"""The decision table of system 000: how a stage stands, row by row; the first row that fits decides."""

from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.superscientist.sight import Sight
from resume_forensics.vocabulary import (
    ConflictKind,
    DependencySight,
    ExitSight,
    MarkerAge,
    OutputSight,
    Proposal,
    StageStatus,
    TmuxSight,
    Verdict,
)

IN_FLIGHT: Final = frozenset({StageStatus.PREPARING, StageStatus.RUNNING})
_WAITING: Final = frozenset({StageStatus.PENDING, StageStatus.INVALIDATED})
_OLD: Final = frozenset({MarkerAge.ABSENT, MarkerAge.STALE})
_NEW: Final = frozenset({MarkerAge.FRESH, MarkerAge.NEAR, MarkerAge.UNDATABLE})
_UNSURE: Final = frozenset({MarkerAge.NEAR, MarkerAge.UNDATABLE})

_DIED_PREPARING: Final = "subagent died mid-preparation"
_NO_PROCESS: Final = "stale from previous session, no process info"
_DIED_TWICE: Final = "DPDispatcher monitoring process died twice. Check system stability and tmux."
_NO_RESULT: Final = "exit code 0 is DPDispatcher's own, and no scientific result"


class Row(Struct, frozen=True, kw_only=True):
    """Conditions on a `Sight` (None: any), and what follows.

    `sets` is the status that --apply writes, `error` the last_error beside it; `conflict` what the row contradicts in what is
    written; `source` where it is settled: the seed document, the origin's own files, or here.
    """

    status: frozenset[StageStatus] | None = None
    has_process: bool | None = None
    tmux: TmuxSight | None = None
    done: frozenset[MarkerAge] | None = None
    exit: ExitSight | None = None
    exit_age: frozenset[MarkerAge] | None = None
    recovery_attempted: bool | None = None
    can_relaunch: bool | None = None
    can_retry: bool | None = None
    dependencies: DependencySight | None = None
    outputs: OutputSight | None = None
    verdict: Verdict
    proposal: Proposal
    reason: str
    source: str
    sets: StageStatus | None = None
    error: str | None = None
    conflict: ConflictKind | None = None

    def fits(self, sight: Sight) -> bool:
        """Whether every condition holds."""
        return all(_holds(getattr(self, name), getattr(sight, name)) for name in _CONDITIONS)


_CONDITIONS: Final = Sight.__struct_fields__


def _holds(condition: object, seen: object) -> bool:
    return condition is None or (seen in condition if isinstance(condition, frozenset) else seen == condition)


def find_row(sight: Sight) -> Row:
    """The first row that fits; the last one fits everything."""
    return next(row for row in ROWS if row.fits(sight))


ROWS: Final = (
    Row(
        status=frozenset({StageStatus.PREPARING}),
        has_process=False,
        verdict=Verdict.DIED_PREPARING,
        proposal=Proposal.MARK_FAILED,
        reason="it was being prepared, and no process was ever written down: the subagent that prepared it died",
        source="seed, step 5",
        sets=StageStatus.FAILED,
        error=_DIED_PREPARING,
    ),
    Row(
        status=frozenset({StageStatus.RUNNING}),
        has_process=False,
        verdict=Verdict.STALE_NO_PROCESS,
        proposal=Proposal.MARK_FAILED,
        reason="it counts as running, and nothing says which process would be",
        source="seed, step 5",
        sets=StageStatus.FAILED,
        error=_NO_PROCESS,
    ),
    Row(
        status=IN_FLIGHT,
        tmux=TmuxSight.UNASKED,
        verdict=Verdict.UNKNOWN_NO_TMUX,
        proposal=Proposal.ASK_USER,
        reason="tmux could not be asked for its session, so it may still run",
        source="here",
        conflict=ConflictKind.STATUS_VS_PROCESS,
    ),
    Row(
        status=IN_FLIGHT,
        tmux=TmuxSight.ALIVE,
        done=_OLD,
        verdict=Verdict.ALIVE,
        proposal=Proposal.KEEP_MONITORING,
        reason="its tmux session lives and has not finished",
        source="seed, step 5",
        sets=StageStatus.RUNNING,
    ),
    Row(
        status=IN_FLIGHT,
        tmux=TmuxSight.ALIVE,
        verdict=Verdict.ALIVE_AND_DONE,
        proposal=Proposal.RECHECK,
        reason="its marker says that it finished, yet its tmux session lives: look again in a moment, and until then it runs",
        source="here",
        conflict=ConflictKind.TMUX_ALIVE_BUT_DONE,
    ),
    Row(
        status=IN_FLIGHT,
        done=_UNSURE,
        verdict=Verdict.UNKNOWN_MARKER_TIME,
        proposal=Proposal.ASK_USER,
        reason="its marker cannot be dated against the launch, so it may belong to an earlier attempt",
        source="here",
        conflict=ConflictKind.UNDATABLE_MARKER,
    ),
    Row(
        status=IN_FLIGHT,
        done=_NEW,
        exit=ExitSight.ZERO,
        exit_age=_NEW,
        verdict=Verdict.FINISHED_OK,
        proposal=Proposal.VERIFY_RESULT,
        reason=f"it finished; {_NO_RESULT}: verify it",
        source="seed, step 5",
        sets=StageStatus.POST_PROCESSING,
    ),
    Row(
        status=IN_FLIGHT,
        done=_NEW,
        exit=ExitSight.NOT_ZERO,
        exit_age=_NEW,
        verdict=Verdict.FINISHED_FAILED,
        proposal=Proposal.MARK_FAILED,
        reason="it finished with an exit code that is not 0",
        source="seed, step 5",
        sets=StageStatus.FAILED,
    ),
    Row(
        status=IN_FLIGHT,
        done=_NEW,
        verdict=Verdict.UNKNOWN_EXIT_CODE,
        proposal=Proposal.ASK_USER,
        reason="its marker says that it finished, and no exit code of this attempt can be read: this is no success",
        source="here",
        conflict=ConflictKind.DONE_WITHOUT_EXIT_CODE,
    ),
    Row(
        status=IN_FLIGHT,
        has_process=True,
        exit_age=_UNSURE,
        verdict=Verdict.UNKNOWN_MARKER_TIME,
        proposal=Proposal.ASK_USER,
        reason="its exit code cannot be dated against the launch, so it may belong to an earlier attempt",
        source="here",
        conflict=ConflictKind.UNDATABLE_MARKER,
    ),
    Row(
        status=IN_FLIGHT,
        exit=ExitSight.ZERO,
        exit_age=_NEW,
        verdict=Verdict.FINISHED_OK,
        proposal=Proposal.VERIFY_RESULT,
        reason=f"it finished, and died before its last line, which sets the marker; {_NO_RESULT}: verify it",
        source="here",
        sets=StageStatus.POST_PROCESSING,
        conflict=ConflictKind.EXIT_CODE_WITHOUT_DONE,
    ),
    Row(
        status=IN_FLIGHT,
        exit=ExitSight.NOT_ZERO,
        exit_age=_NEW,
        verdict=Verdict.FINISHED_FAILED,
        proposal=Proposal.MARK_FAILED,
        reason="it finished with an exit code that is not 0, and died before its last line, which sets the marker",
        source="here",
        sets=StageStatus.FAILED,
        conflict=ConflictKind.EXIT_CODE_WITHOUT_DONE,
    ),
    Row(
        status=IN_FLIGHT,
        exit_age=_NEW,
        verdict=Verdict.UNKNOWN_EXIT_CODE,
        proposal=Proposal.ASK_USER,
        reason="its exit code file was begun and holds no number: it finished, and nobody knows how",
        source="here",
        conflict=ConflictKind.DONE_WITHOUT_EXIT_CODE,
    ),
    Row(
        status=IN_FLIGHT,
        recovery_attempted=False,
        can_relaunch=True,
        verdict=Verdict.DIED_RECOVERABLE,
        proposal=Proposal.RELAUNCH,
        reason="its tmux session is gone and it did not finish; it was never re-launched",
        source="seed, step 5",
    ),
    Row(
        status=IN_FLIGHT,
        recovery_attempted=True,
        verdict=Verdict.DIED_TWICE,
        proposal=Proposal.MARK_FAILED,
        reason="its tmux session is gone, it did not finish, and it was re-launched before",
        source="seed, step 5",
        sets=StageStatus.FAILED,
        error=_DIED_TWICE,
    ),
    Row(
        status=IN_FLIGHT,
        verdict=Verdict.DIED_RECOVERABLE,
        proposal=Proposal.ASK_USER,
        reason="its tmux session is gone and it did not finish, but what is written of it is not fit to re-launch it by",
        source="here",
    ),
    Row(
        status=frozenset({StageStatus.POST_PROCESSING}),
        verdict=Verdict.VERIFICATION_INTERRUPTED,
        proposal=Proposal.VERIFY_RESULT,
        reason="its result was being verified when the session ended: verify it again",
        source="here",
    ),
    Row(
        status=frozenset({StageStatus.FAILED}),
        tmux=TmuxSight.ALIVE,
        can_retry=True,
        verdict=Verdict.FAILED_RETRYABLE,
        proposal=Proposal.ASK_USER,
        reason="it failed and may be tried again, but a tmux session of it lives: a second run would work beside it",
        source="here",
    ),
    Row(
        status=frozenset({StageStatus.FAILED}),
        can_retry=True,
        verdict=Verdict.FAILED_RETRYABLE,
        proposal=Proposal.RETRY,
        reason="it failed, and its backend allows another try",
        source="origin",
    ),
    Row(
        status=frozenset({StageStatus.FAILED}),
        verdict=Verdict.FAILED_EXHAUSTED,
        proposal=Proposal.ASK_USER,
        reason="it failed, and no try is left, or it is not said how many there were",
        source="origin",
    ),
    Row(
        status=frozenset({StageStatus.READY}),
        tmux=TmuxSight.ALIVE,
        verdict=Verdict.READY_NOW,
        proposal=Proposal.ASK_USER,
        reason="it is ready, but a tmux session of it lives: a second run would work beside it",
        source="here",
    ),
    Row(
        status=frozenset({StageStatus.READY}),
        verdict=Verdict.READY_NOW,
        proposal=Proposal.DISPATCH,
        reason="it is ready",
        source="seed, step 6",
    ),
    Row(
        status=_WAITING,
        tmux=TmuxSight.ALIVE,
        dependencies=DependencySight.COMPLETED,
        verdict=Verdict.READY_NOW,
        proposal=Proposal.ASK_USER,
        reason="everything it depends on is completed, but a tmux session of it lives: a second run would work beside it",
        source="here",
    ),
    Row(
        status=_WAITING,
        dependencies=DependencySight.COMPLETED,
        verdict=Verdict.READY_NOW,
        proposal=Proposal.DISPATCH,
        reason="everything it depends on is completed",
        source="origin",
    ),
    Row(
        status=_WAITING,
        dependencies=DependencySight.FAILED,
        verdict=Verdict.DEPENDENCY_FAILED,
        proposal=Proposal.ASK_USER,
        reason="something it depends on failed or was skipped, or it cannot be read what that is",
        source="origin",
    ),
    Row(
        status=_WAITING,
        dependencies=DependencySight.ABSENT,
        verdict=Verdict.WAITING,
        proposal=Proposal.NONE,
        reason="something it depends on is not in the file, so it waits until somebody adds that or takes it off its depends_on",
        source="origin",
    ),
    Row(
        status=_WAITING,
        verdict=Verdict.WAITING,
        proposal=Proposal.NONE,
        reason="something it depends on is not completed yet",
        source="origin",
    ),
    Row(
        status=frozenset({StageStatus.COMPLETED}),
        outputs=OutputSight.MISSING,
        verdict=Verdict.OUTPUT_MISSING,
        proposal=Proposal.ASK_USER,
        reason="it counts as completed and an output of it is not there; to invalidate it is the user's to say",
        source="here",
        conflict=ConflictKind.OUTPUT_MISSING,
    ),
    Row(
        status=frozenset({StageStatus.COMPLETED}),
        verdict=Verdict.CONFIRMED,
        proposal=Proposal.NONE,
        reason="it is completed, and no output that it names is missing",
        source="here",
    ),
    Row(
        status=frozenset({StageStatus.SKIPPED}),
        verdict=Verdict.CONFIRMED,
        proposal=Proposal.NONE,
        reason="the user skipped it",
        source="here",
    ),
    Row(
        verdict=Verdict.UNKNOWN_STATUS,
        proposal=Proposal.ASK_USER,
        reason="its status is no word of the protocol",
        source="here",
    ),
)
