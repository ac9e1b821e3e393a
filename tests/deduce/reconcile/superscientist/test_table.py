"""Every row of the decision table of system 000, each with samples; what decides is the first row that fits."""

from typing import Any

import pytest

from resume_forensics.deduce.reconcile.superscientist.sight import Sight
from resume_forensics.deduce.reconcile.superscientist.table import ROWS, find_row
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

ABSENT, STALE, NEAR, FRESH, UNDATABLE = MarkerAge.ABSENT, MarkerAge.STALE, MarkerAge.NEAR, MarkerAge.FRESH, MarkerAge.UNDATABLE
ZERO, NOT_ZERO, NOTHING = ExitSight.ZERO, ExitSight.NOT_ZERO, ExitSight.NOTHING
ALIVE, UNASKED = TmuxSight.ALIVE, TmuxSight.UNASKED


def seen(status: StageStatus | None, **how: Any) -> Sight:  # noqa: ANN401 (any field of a sight)
    return Sight(status=status, **how)


def flying(status: StageStatus | None = StageStatus.RUNNING, **how: Any) -> Sight:  # noqa: ANN401 (as above)
    """A stage with a process that died and was never launched again, unless fields say otherwise."""
    return seen(status, **{"has_process": True, "recovery_attempted": False, **how})


PREPARING, RUNNING, FAILED = StageStatus.PREPARING, StageStatus.RUNNING, StageStatus.FAILED
DONE_AND_ZERO: dict[str, Any] = {"done": FRESH, "exit": ZERO, "exit_age": FRESH}

CASES: tuple[tuple[Sight, Verdict, Proposal, StageStatus | None, ConflictKind | None], ...] = (
    (seen(PREPARING), Verdict.DIED_PREPARING, Proposal.MARK_FAILED, FAILED, None),
    (seen(RUNNING), Verdict.STALE_NO_PROCESS, Proposal.MARK_FAILED, FAILED, None),
    (flying(tmux=ALIVE), Verdict.ALIVE, Proposal.KEEP_MONITORING, RUNNING, None),
    (flying(PREPARING, tmux=ALIVE, done=STALE, exit=ZERO, exit_age=STALE), Verdict.ALIVE, Proposal.KEEP_MONITORING, RUNNING, None),
    (flying(tmux=ALIVE, exit=ZERO, exit_age=FRESH), Verdict.ALIVE, Proposal.KEEP_MONITORING, RUNNING, None),
    (flying(tmux=ALIVE, recovery_attempted=True), Verdict.ALIVE, Proposal.KEEP_MONITORING, RUNNING, None),
    (flying(tmux=ALIVE, **DONE_AND_ZERO), Verdict.ALIVE_AND_DONE, Proposal.RECHECK, None, ConflictKind.TMUX_ALIVE_BUT_DONE),
    (flying(tmux=ALIVE, done=NEAR), Verdict.ALIVE_AND_DONE, Proposal.RECHECK, None, ConflictKind.TMUX_ALIVE_BUT_DONE),
    (flying(tmux=ALIVE, done=UNDATABLE), Verdict.ALIVE_AND_DONE, Proposal.RECHECK, None, ConflictKind.TMUX_ALIVE_BUT_DONE),
    (flying(**DONE_AND_ZERO), Verdict.FINISHED_OK, Proposal.VERIFY_RESULT, StageStatus.POST_PROCESSING, None),
    (
        flying(PREPARING, **DONE_AND_ZERO, recovery_attempted=True),
        Verdict.FINISHED_OK,
        Proposal.VERIFY_RESULT,
        StageStatus.POST_PROCESSING,
        None,
    ),
    (flying(done=FRESH, exit=ZERO, exit_age=NEAR), Verdict.FINISHED_OK, Proposal.VERIFY_RESULT, StageStatus.POST_PROCESSING, None),
    (flying(done=FRESH, exit=NOT_ZERO, exit_age=FRESH), Verdict.FINISHED_FAILED, Proposal.MARK_FAILED, FAILED, None),
    (
        flying(exit=ZERO, exit_age=FRESH),
        Verdict.FINISHED_OK,
        Proposal.VERIFY_RESULT,
        StageStatus.POST_PROCESSING,
        ConflictKind.EXIT_CODE_WITHOUT_DONE,
    ),
    (
        flying(done=STALE, exit=NOT_ZERO, exit_age=FRESH),
        Verdict.FINISHED_FAILED,
        Proposal.MARK_FAILED,
        FAILED,
        ConflictKind.EXIT_CODE_WITHOUT_DONE,
    ),
    (flying(done=FRESH), Verdict.UNKNOWN_EXIT_CODE, Proposal.ASK_USER, None, ConflictKind.DONE_WITHOUT_EXIT_CODE),
    (flying(done=FRESH, exit_age=FRESH), Verdict.UNKNOWN_EXIT_CODE, Proposal.ASK_USER, None, ConflictKind.DONE_WITHOUT_EXIT_CODE),
    (
        flying(done=FRESH, exit=ZERO, exit_age=STALE),
        Verdict.UNKNOWN_EXIT_CODE,
        Proposal.ASK_USER,
        None,
        ConflictKind.DONE_WITHOUT_EXIT_CODE,
    ),
    (flying(exit_age=FRESH), Verdict.UNKNOWN_EXIT_CODE, Proposal.ASK_USER, None, ConflictKind.DONE_WITHOUT_EXIT_CODE),
    (flying(done=NEAR, exit=ZERO, exit_age=NEAR), Verdict.UNKNOWN_MARKER_TIME, Proposal.ASK_USER, None, ConflictKind.UNDATABLE_MARKER),
    (
        flying(done=UNDATABLE, exit=ZERO, exit_age=UNDATABLE),
        Verdict.UNKNOWN_MARKER_TIME,
        Proposal.ASK_USER,
        None,
        ConflictKind.UNDATABLE_MARKER,
    ),
    (flying(exit=ZERO, exit_age=NEAR), Verdict.UNKNOWN_MARKER_TIME, Proposal.ASK_USER, None, ConflictKind.UNDATABLE_MARKER),
    (
        flying(done=STALE, exit=ZERO, exit_age=UNDATABLE),
        Verdict.UNKNOWN_MARKER_TIME,
        Proposal.ASK_USER,
        None,
        ConflictKind.UNDATABLE_MARKER,
    ),
    (flying(), Verdict.DIED_RECOVERABLE, Proposal.RELAUNCH, None, None),
    (flying(done=STALE, exit=ZERO, exit_age=STALE), Verdict.DIED_RECOVERABLE, Proposal.RELAUNCH, None, None),
    (flying(can_relaunch=False), Verdict.DIED_RECOVERABLE, Proposal.ASK_USER, None, None),
    (flying(recovery_attempted=None), Verdict.DIED_RECOVERABLE, Proposal.ASK_USER, None, None),
    (flying(recovery_attempted=True), Verdict.DIED_TWICE, Proposal.MARK_FAILED, FAILED, None),
    (flying(recovery_attempted=True, can_relaunch=False), Verdict.DIED_TWICE, Proposal.MARK_FAILED, FAILED, None),
    (flying(tmux=UNASKED), Verdict.UNKNOWN_NO_TMUX, Proposal.ASK_USER, None, ConflictKind.STATUS_VS_PROCESS),
    (flying(tmux=UNASKED, **DONE_AND_ZERO), Verdict.UNKNOWN_NO_TMUX, Proposal.ASK_USER, None, ConflictKind.STATUS_VS_PROCESS),
    (seen(StageStatus.POST_PROCESSING), Verdict.VERIFICATION_INTERRUPTED, Proposal.VERIFY_RESULT, None, None),
    (flying(StageStatus.POST_PROCESSING, **DONE_AND_ZERO), Verdict.VERIFICATION_INTERRUPTED, Proposal.VERIFY_RESULT, None, None),
    (seen(FAILED, can_retry=True), Verdict.FAILED_RETRYABLE, Proposal.RETRY, None, None),
    (flying(FAILED, can_retry=True, tmux=UNASKED), Verdict.FAILED_RETRYABLE, Proposal.RETRY, None, None),
    (flying(FAILED, can_retry=True, tmux=ALIVE), Verdict.FAILED_RETRYABLE, Proposal.ASK_USER, None, None),
    (seen(FAILED), Verdict.FAILED_EXHAUSTED, Proposal.ASK_USER, None, None),
    (seen(StageStatus.READY), Verdict.READY_NOW, Proposal.DISPATCH, None, None),
    (seen(StageStatus.READY, dependencies=DependencySight.WAITING), Verdict.READY_NOW, Proposal.DISPATCH, None, None),
    (flying(StageStatus.READY, tmux=ALIVE), Verdict.READY_NOW, Proposal.ASK_USER, None, None),
    (seen(StageStatus.PENDING), Verdict.READY_NOW, Proposal.DISPATCH, None, None),
    (seen(StageStatus.INVALIDATED), Verdict.READY_NOW, Proposal.DISPATCH, None, None),
    (flying(StageStatus.INVALIDATED, tmux=ALIVE), Verdict.READY_NOW, Proposal.ASK_USER, None, None),
    (seen(StageStatus.PENDING, dependencies=DependencySight.FAILED), Verdict.DEPENDENCY_FAILED, Proposal.ASK_USER, None, None),
    (seen(StageStatus.INVALIDATED, dependencies=DependencySight.WAITING), Verdict.WAITING, Proposal.NONE, None, None),
    (seen(StageStatus.PENDING, dependencies=DependencySight.ABSENT), Verdict.WAITING, Proposal.NONE, None, None),
    (seen(StageStatus.COMPLETED), Verdict.CONFIRMED, Proposal.NONE, None, None),
    (
        seen(StageStatus.COMPLETED, outputs=OutputSight.MISSING),
        Verdict.OUTPUT_MISSING,
        Proposal.ASK_USER,
        None,
        ConflictKind.OUTPUT_MISSING,
    ),
    (seen(StageStatus.SKIPPED, outputs=OutputSight.MISSING), Verdict.CONFIRMED, Proposal.NONE, None, None),
    (seen(None), Verdict.UNKNOWN_STATUS, Proposal.ASK_USER, None, None),
    (flying(None, tmux=ALIVE), Verdict.UNKNOWN_STATUS, Proposal.ASK_USER, None, None),
)


@pytest.mark.parametrize(("sight", "verdict", "proposal", "sets", "conflict"), CASES)
def test_the_first_row_that_fits_is_the_contracts(
    sight: Sight, verdict: Verdict, proposal: Proposal, sets: StageStatus | None, conflict: ConflictKind | None
) -> None:
    row = find_row(sight)
    assert (row.verdict, row.proposal, row.sets, row.conflict) == (verdict, proposal, sets, conflict)


def test_every_row_has_a_sample() -> None:
    hit = {id(find_row(sight)) for sight, *_ in CASES}
    assert [row.verdict for row in ROWS if id(row) not in hit] == []


def test_every_row_says_why_and_where_it_is_settled() -> None:
    assert [row.verdict for row in ROWS if not (row.reason and row.source)] == []
    assert {row.source.split(",")[0] for row in ROWS} == {"seed", "origin", "here"}


@pytest.mark.parametrize("done", MarkerAge)
@pytest.mark.parametrize("code", ExitSight)
@pytest.mark.parametrize("age", MarkerAge)
def test_only_a_finish_of_this_launch_with_code_0_is_a_success(done: MarkerAge, code: ExitSight, age: MarkerAge) -> None:
    row = find_row(flying(done=done, exit=code, exit_age=age))
    if row.verdict is Verdict.FINISHED_OK:
        assert code is ZERO
        assert FRESH in {done, age}
        assert age in {FRESH, NEAR, UNDATABLE}


@pytest.mark.parametrize("status", StageStatus)
@pytest.mark.parametrize("done", MarkerAge)
def test_nothing_is_started_again_beside_a_session_that_lives(status: StageStatus, done: MarkerAge) -> None:
    row = find_row(flying(status, tmux=ALIVE, done=done, can_retry=True))
    assert row.proposal not in {Proposal.RELAUNCH, Proposal.RETRY, Proposal.DISPATCH}
    assert row.sets in {None, RUNNING}
