"""Walks the table of a devteam task row by row: the signs that each row must catch, and near-misses that it must spare."""

import pytest

from resume_forensics.deduce.reconcile.devteam.rows import ORIGIN, OURS, SEED, Row, first_fit
from resume_forensics.deduce.reconcile.devteam.task_rows import NO_CLAIM, TASK_ROWS
from resume_forensics.vocabulary import Proposal, Verdict
from resume_forensics.vocabulary import TeamSign as S

WORSE = {S.UPPER_KEPT, S.WORKER_UNKNOWN, S.SCOPE_DIRTY, S.SCOPE_UNKNOWN, S.COMMITTED, S.FILE_DIRTY, S.NO_HEARTBEAT, S.HEARTBEAT_WAITS}

SAMPLES: list[tuple[set[S], Verdict, Proposal]] = [
    ({S.NO_TITLE, S.ON_BOARD}, Verdict.UNKNOWN_TITLE, Proposal.ASK_CLIENT),
    ({S.NO_TITLE, S.PROCESS_ALIVE}, Verdict.UNKNOWN_TITLE, Proposal.ASK_CLIENT),
    ({S.RUNNING, S.PROCESS_ALIVE, S.QUESTION_OPEN, *WORSE}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.RUNNING, S.AGENT_ALIVE}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.PLANNED, S.PROCESS_ALIVE}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.PLANNED, S.CLAIMED, S.AGENT_ALIVE}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.RUNNING, S.HEARTBEAT_RECENT, *WORSE}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.RUNNING, S.WRITE_RECENT}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.PLANNED, S.CLAIMED, S.WRITE_RECENT}, Verdict.ALIVE, Proposal.LEAVE_ALONE),
    ({S.RUNNING, S.HEARTBEAT_RECENT, S.WRITE_RECENT, S.QUESTION_OPEN, *WORSE}, Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT),
    ({S.PLANNED, S.CLAIMED, S.QUESTION_OPEN}, Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT),
    ({S.BLOCKED, S.QUESTION_OPEN}, Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT),
    ({S.BLOCKED, S.PROCESS_ALIVE, S.SCOPE_DIRTY}, Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT),
    ({S.NEEDS_DECISION}, Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT),
    ({S.RUNNING, *WORSE}, Verdict.STALE_UNPROMOTED, Proposal.PROMOTE_FIRST),
    ({S.RUNNING, *WORSE - {S.UPPER_KEPT}}, Verdict.UNKNOWN_WORKER, Proposal.ASK_CLIENT),
    ({S.RUNNING, *WORSE - {S.UPPER_KEPT, S.WORKER_UNKNOWN}}, Verdict.STALE_DIRTY, Proposal.REDISPATCH_DIRTY),
    ({S.RUNNING, S.NO_HEARTBEAT, S.FILE_DIRTY, S.SCOPE_UNKNOWN, S.COMMITTED}, Verdict.DIED_BEFORE_DISPATCH, Proposal.REDISPATCH),
    ({S.RUNNING, S.FILE_DIRTY, S.SCOPE_UNKNOWN, S.COMMITTED}, Verdict.UNKNOWN_WORKER, Proposal.ASK_CLIENT),
    ({S.RUNNING, S.FILE_DIRTY, S.COMMITTED}, Verdict.STALE_COMMITTED, Proposal.RUN_VERIFIER),
    ({S.RUNNING, S.NO_HEARTBEAT}, Verdict.STALE_CLEAN, Proposal.REDISPATCH),
    ({S.RUNNING, S.FILE_DIRTY, S.HEARTBEAT_WAITS, S.VERIFIED}, Verdict.STALE_CLEAN, Proposal.REDISPATCH),
    ({S.DONE, S.SCOPE_DIRTY, S.HEARTBEAT_WAITS, S.VERIFIED}, Verdict.DONE_DIRTY, Proposal.REDISPATCH_DIRTY),
    ({S.READY_TO_AUDIT, S.SCOPE_DIRTY}, Verdict.DONE_DIRTY, Proposal.REDISPATCH_DIRTY),
    ({S.DONE, S.HEARTBEAT_WAITS, S.VERIFIED, S.SCOPE_UNKNOWN}, Verdict.NOT_RETIRED, Proposal.RUN_VERIFIER),
    ({S.READY_TO_AUDIT, S.HEARTBEAT_WAITS}, Verdict.NOT_RETIRED, Proposal.RUN_VERIFIER),
    ({S.DONE, S.COMMITTED}, Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER),
    ({S.READY_TO_AUDIT, S.SCOPE_UNKNOWN}, Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER),
    ({S.DONE, S.VERIFIED, S.SCOPE_UNKNOWN}, Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER),
    ({S.DONE, S.VERIFIED, S.NO_HEARTBEAT, S.WRITE_RECENT, S.QUESTION_OPEN}, Verdict.CONFIRMED, Proposal.NONE),
    ({S.READY_TO_AUDIT, S.VERIFIED}, Verdict.CONFIRMED, Proposal.NONE),
    ({S.PLANNED, S.CLAIMED, S.SCOPE_DIRTY, S.UPPER_KEPT}, Verdict.NEVER_STARTED, Proposal.START_SUPERVISOR),
]

SILENT: list[set[S]] = [
    {S.ACCEPTED, S.PROCESS_ALIVE, S.SCOPE_DIRTY},
    {S.NO_TITLE, S.NO_FILE},
    {S.PLANNED, S.WRITE_RECENT, S.QUESTION_OPEN, S.SCOPE_DIRTY},
]


def silent(signs: set[S]) -> bool:
    """Whether no claim is made."""
    return any(condition.fits(frozenset(signs)) for condition in NO_CLAIM)


@pytest.mark.parametrize(("signs", "verdict", "proposal"), SAMPLES)
def test_the_first_row_that_fits_decides(signs: set[S], verdict: Verdict, proposal: Proposal) -> None:
    row = first_fit(TASK_ROWS, frozenset(signs))
    assert not silent(signs)
    assert (row.verdict, row.proposal) == (verdict, proposal)


@pytest.mark.parametrize("signs", SILENT)
def test_a_task_that_nobody_claims_makes_no_claim(signs: set[S]) -> None:
    assert silent(signs)


def test_every_row_decides_some_sample_and_every_silence_spares_one() -> None:
    reached = {id(first_fit(TASK_ROWS, frozenset(signs))) for signs, _, _ in SAMPLES}
    assert [row.reason for row in TASK_ROWS if id(row) not in reached] == []
    assert [one.reason for one in NO_CLAIM if not any(one.fits(frozenset(signs)) for signs in SILENT)] == []


def test_every_title_finds_a_row_whatever_else_is_seen() -> None:
    for title in (S.PLANNED, S.RUNNING, S.READY_TO_AUDIT, S.BLOCKED, S.NEEDS_DECISION, S.DONE, S.NO_TITLE):
        assert isinstance(first_fit(TASK_ROWS, frozenset({title})), Row)


def test_every_row_says_why_and_where_it_was_settled() -> None:
    assert {row.source for row in (*NO_CLAIM, *TASK_ROWS)} == {SEED, ORIGIN, OURS}
    assert all(row.reason for row in (*NO_CLAIM, *TASK_ROWS))
