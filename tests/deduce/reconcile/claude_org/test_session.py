"""Every row of the two tables about the database and the session, and the times that could not be read."""

from datetime import UTC, datetime

import pytest

from deduce.reconcile.claude_org.sights import CIRCUMSTANCES
from resume_forensics.deduce.reconcile.claude_org.session import (
    DAMAGE_ROWS,
    ORG_SESSION,
    SESSION_ROWS,
    DamageRow,
    SessionRow,
    judge_damage,
    judge_session,
    list_unreadable,
)
from resume_forensics.model.org import Moment, Org, OrgSession
from resume_forensics.text import Raw
from resume_forensics.vocabulary import EvidenceKind, OrgStatus, Proposal, Says, Verdict

EXACT = Moment(column="started_at", text=Raw("2026-01-01T00:00:00Z"), at=datetime(2026, 1, 1, tzinfo=UTC))
TO_THE_MINUTE = Moment(column="resumed_at", text=Raw("2026-01-02T03:04:678901Z"), at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC), exact=False)
UNREADABLE = Moment(column="updated_at", text=Raw("soon"), at=None, exact=False)

PROPOSALS = {
    Verdict.SESSION_SUSPENDED: Proposal.RESUME_ORG,
    Verdict.SESSION_IDLE: Proposal.RESUME_ORG,
    Verdict.SESSION_ACTIVE: Proposal.ASK_HUMAN,
    Verdict.UNKNOWN_STATUS: Proposal.ASK_HUMAN,
}


@pytest.mark.parametrize("row", DAMAGE_ROWS, ids=lambda row: row.verdict)
def test_every_row_of_damage(row: DamageRow) -> None:
    claim = judge_damage(Org(damage=row.verdict, detail=Raw("what was seen")))
    assert claim is not None
    assert (claim.id, claim.verdict, claim.proposal.name) == (Raw("state-file"), row.verdict, Proposal.REBUILD_DB)
    (seen,) = claim.evidence
    assert (seen.kind, seen.value, seen.says) == (EvidenceKind.DATABASE, Raw("what was seen"), Says.AGAINST)


def test_only_where_nothing_is_there_a_rebuild_is_commanded() -> None:
    commands = {row.verdict: row.command for row in DAMAGE_ROWS}
    assert commands == {
        Verdict.DB_MISSING: "python -m tools.state_db.importer --db .state/state.db --root . --rebuild",
        Verdict.DB_CORRUPT: None,
        Verdict.SCHEMA_UNKNOWN: None,
    }


def test_a_database_that_can_be_believed_is_no_damage() -> None:
    assert judge_damage(Org()) is None


@pytest.mark.parametrize("row", SESSION_ROWS, ids=lambda row: row.verdict)
def test_every_row_of_the_session(row: SessionRow) -> None:
    session = OrgSession(claimed=Raw("a word"), status=row.status, moments=(EXACT,))
    claim = judge_session(Org(session=session), CIRCUMSTANCES)
    assert (claim.id, claim.verdict, claim.claimed_status) == (ORG_SESSION, row.verdict, Raw("a word"))
    assert (claim.proposal.name, claim.proposal.reason) == (PROPOSALS[row.verdict], Raw(row.reason))
    resumes = row.proposal is Proposal.RESUME_ORG
    assert claim.proposal.command == (Raw("resume-scan reconcile /org --system claude-org --apply") if resumes else None)
    assert len(claim.proposal.after) == (4 if resumes else 0)
    assert [(seen.what, seen.value) for seen in claim.evidence] == [(Raw("started_at"), EXACT.text)]


def test_every_status_has_one_row() -> None:
    assert {row.status for row in SESSION_ROWS} == {*OrgStatus, None}
    assert len(SESSION_ROWS) == len(OrgStatus) + 1


def test_a_session_without_a_row_is_missing() -> None:
    claim = judge_session(Org(), CIRCUMSTANCES)
    assert (claim.verdict, claim.proposal.name, claim.claimed_status) == (Verdict.SESSION_MISSING, Proposal.ASK_HUMAN, None)


def test_times_that_could_not_be_read_whole_are_one_conflict_that_blocks_nothing() -> None:
    (conflict,) = list_unreadable(Raw("run:a"), (EXACT, TO_THE_MINUTE, UNREADABLE), CIRCUMSTANCES)
    assert (conflict.id, conflict.claims, conflict.blocks_apply) == (Raw("unreadable-time:run:a"), (Raw("run:a"),), False)
    assert conflict.sides == (Raw("resumed_at is 2026-01-02T03:04:678901Z"), Raw("updated_at is soon"))
    assert conflict.resolution == Raw(
        "resumed_at: read to the minute as 2026-01-02T03:04Z; its seconds were written over by microseconds; updated_at: left as text"
    )


def test_times_that_were_read_are_no_conflict() -> None:
    assert list(list_unreadable(ORG_SESSION, (EXACT,), CIRCUMSTANCES)) == []
