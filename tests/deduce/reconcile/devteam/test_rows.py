"""Walks the tables of sandboxes, writer and rotation: the signs that each row must catch."""

import pytest

from resume_forensics.deduce.reconcile.devteam.rows import ROTATION_ROWS, SANDBOX_ROWS, WRITER_ROWS, Row, any_of, first_fit
from resume_forensics.vocabulary import Proposal, Verdict
from resume_forensics.vocabulary import TeamSign as S

Sample = tuple[set[S], Verdict, Proposal]

SANDBOXES: list[Sample] = [
    ({S.ROOT_GONE, S.EXITED, S.PROCESS_ALIVE}, Verdict.SANDBOX_GONE, Proposal.ASK_CLIENT),
    ({S.PROCESS_ALIVE, S.EXITED, S.UPPER_HOLDS}, Verdict.SANDBOX_ALIVE, Proposal.LEAVE_ALONE),
    ({S.EXITED, S.UPPER_HOLDS}, Verdict.SANDBOX_UNPROMOTED, Proposal.PROMOTE_FIRST),
    ({S.PROCESS_DEAD, S.UPPER_HOLDS}, Verdict.SANDBOX_UNPROMOTED, Proposal.PROMOTE_FIRST),
    ({S.EXITED, S.UPPER_UNKNOWN}, Verdict.SANDBOX_UNKNOWN, Proposal.ASK_CLIENT),
    ({S.EXITED}, Verdict.SANDBOX_EXITED, Proposal.NONE),
    ({S.EXITED, S.PROCESS_DEAD}, Verdict.SANDBOX_EXITED, Proposal.NONE),
    ({S.PROCESS_DEAD}, Verdict.SANDBOX_DEAD, Proposal.NONE),
    (set(), Verdict.SANDBOX_UNKNOWN, Proposal.ASK_CLIENT),
    ({S.UPPER_HOLDS}, Verdict.SANDBOX_UNKNOWN, Proposal.ASK_CLIENT),
]

WRITERS: list[Sample] = [
    ({S.LINE_VACANT, S.SELF_UNKNOWN}, Verdict.WRITER_VACANT, Proposal.ASK_CLIENT),
    ({S.SELF_UNKNOWN}, Verdict.WRITER_UNKNOWN, Proposal.ASK_CLIENT),
    ({S.LINE_MINE}, Verdict.WRITER_MINE, Proposal.NONE),
    (set(), Verdict.WRITER_OTHER, Proposal.ASK_CLIENT),
]

ROTATIONS: list[Sample] = [
    ({S.SELF_UNKNOWN, S.COMPLETED}, Verdict.ROTATION_UNKNOWN, Proposal.NONE),
    ({S.NAMES_NOBODY, S.LINE_MINE}, Verdict.ROTATION_UNKNOWN, Proposal.NONE),
    ({S.NAMES_ME, S.LINE_MINE}, Verdict.ROTATION_WAITING, Proposal.KEEP_WORKING),
    ({S.NAMES_ME, S.LINE_VACANT}, Verdict.ROTATION_WAITING, Proposal.KEEP_WORKING),
    ({S.NAMES_ME, S.LINE_MINE, S.COMPLETED}, Verdict.ROTATION_CLOSED, Proposal.NONE),
    ({S.NAMES_ME, S.COMPLETED}, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING),
    ({S.NAMES_ME}, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING),
    ({S.NAMES_ME, S.LINE_VACANT, S.COMPLETED}, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING),
    ({S.PREDECESSOR_GONE}, Verdict.ROTATION_SUCCESSOR, Proposal.NONE),
    ({S.LINE_MINE}, Verdict.ROTATION_SUCCESSOR, Proposal.ASK_PREDECESSOR),
    ({S.COMPLETED, S.PREDECESSOR_GONE}, Verdict.ROTATION_COMPLETED, Proposal.NONE),
]


@pytest.mark.parametrize(("table", "samples"), [(SANDBOX_ROWS, SANDBOXES), (WRITER_ROWS, WRITERS), (ROTATION_ROWS, ROTATIONS)])
def test_the_first_row_that_fits_decides_and_every_row_decides_some_sample(table: tuple[Row, ...], samples: list[Sample]) -> None:
    found = [first_fit(table, frozenset(signs)) for signs, _, _ in samples]
    assert [(row.verdict, row.proposal) for row in found] == [(verdict, proposal) for _, verdict, proposal in samples]
    assert {id(row) for row in found} == {id(row) for row in table}


def test_a_condition_wants_one_of_every_group_and_none_of_the_unseen() -> None:
    row = Row(
        seen=(any_of(S.DONE, S.RUNNING), any_of(S.VERIFIED)), unseen=any_of(S.SCOPE_DIRTY), verdict=Verdict.CONFIRMED, reason="", source=""
    )
    assert row.fits(frozenset({S.DONE, S.VERIFIED}))
    assert row.fits(frozenset({S.RUNNING, S.VERIFIED, S.COMMITTED}))
    assert not row.fits(frozenset({S.DONE}))
    assert not row.fits(frozenset({S.DONE, S.VERIFIED, S.SCOPE_DIRTY}))
