"""The whole answer for an org: what is read first, what is next, what would be written, and why not."""

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from deduce.reconcile.claude_org.sights import CIRCUMSTANCES, RUN
from resume_forensics.deduce.reconcile.claude_org import judge
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import FollowingAction, Named, Reconciliation
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.org import Moment, Org, OrgEvent, OrgSession, Suspension
from resume_forensics.text import Raw
from resume_forensics.vocabulary import ConflictKind, OrgStatus, Proposal, Refusal, RunStatus, System, Verdict, WriteKind

BEFORE = (Raw("python3 tools/state_migrate.py (on exit 1 or 2: report to the human and stop)"),)
COMMAND = Raw("resume-scan reconcile /org --system claude-org --apply")
STATEMENTS = (Raw("BEGIN IMMEDIATE"), Raw("COMMIT"))
SUSPENDED_AT = Moment(column="suspended_at", text=Raw("2026-01-01T18:00:00Z"), at=datetime(2026, 1, 1, 18, tzinfo=UTC))
AT = Moment(column="events.occurred_at", text=Raw("soon"), at=None, exact=False)
SUSPEND = OrgEvent(kind=Raw("suspend"), at=AT, actor=Raw("secretary"))
SESSION = OrgSession(
    claimed=Raw("SUSPENDED"), status=OrgStatus.SUSPENDED, objective=Raw("the blog"), instructions=Raw("First."), moments=(SUSPENDED_AT,)
)
ORG = Org(session=SESSION, resume=STATEMENTS)
QUEUED = replace(RUN, task_id=Raw("docs"), status=RunStatus.QUEUED, claimed=Raw("queued"))
LOST = replace(RUN, directory=None)


def judged(**fields: Any) -> Reconciliation[Raw]:  # noqa: ANN401 (any field of the state)
    """What became of the org with fields of its own."""
    return judge(replace(ORG, **fields), Answers({}), CIRCUMSTANCES)


def test_a_suspended_org_waits_for_the_human_and_then_resumes() -> None:
    found = judged(runs=(QUEUED,))
    assert (found.system, found.root, found.generated_at) == (System.CLAUDE_ORG, Raw("/org"), CIRCUMSTANCES.now)
    assert [claim.id for claim in found.claims] == [Raw("org-session"), Raw("run:docs")]
    action = found.next_action
    assert (action.name, action.target, action.command, action.before) == (Proposal.ASK_HUMAN, Raw("org-session"), None, BEFORE)
    assert action.reason == Raw("wait for the human's confirmation before acting, and dispatch no worker on your own")
    assert action.then == FollowingAction(name=Proposal.RESUME_ORG, target=Raw("org-session"), command=COMMAND)
    (write,) = found.writes_planned
    assert (write.path, write.kind, write.statements) == (Raw(".state/state.db"), WriteKind.TRANSACTION, STATEMENTS)
    assert (found.refusals, found.conflicts) == ((), ())


def test_a_run_that_disagrees_forbids_the_write_and_is_reported_first() -> None:
    found = judged(runs=(QUEUED, LOST))
    assert found.refusals == (Refusal.EVIDENCE_CONFLICTS,)
    assert (found.next_action.target, found.next_action.then) == (Raw("run:oauth"), None)
    assert found.next_action.reason == Raw(
        "1 of 2 runs disagree with the machine: report each; "
        "wait for the human's confirmation before acting, and dispatch no worker on your own"
    )


def test_an_accepted_conflict_forbids_nothing() -> None:
    accepting = replace(CIRCUMSTANCES, accepted=frozenset({Raw("dir-vs-db:run:oauth")}))
    found = judge(replace(ORG, runs=(LOST,)), Answers({}), accepting)
    assert (found.refusals, [conflict.blocks_apply for conflict in found.conflicts]) == ((), [False])
    assert found.next_action.then is not None


@pytest.mark.parametrize("session", [None, replace(SESSION, status=OrgStatus.ACTIVE), replace(SESSION, status=None)])
def test_an_org_that_is_not_suspended_is_not_resumed(session: OrgSession | None) -> None:
    found = judged(session=session, resume=())
    assert (found.refusals, found.writes_planned, found.next_action.then) == ((Refusal.NOT_SUSPENDED,), (), None)
    assert (found.next_action.name, found.next_action.target) == (Proposal.ASK_HUMAN, Raw("org-session"))


def test_both_reasons_are_told() -> None:
    assert judged(resume=(), runs=(LOST,)).refusals == (Refusal.EVIDENCE_CONFLICTS, Refusal.NOT_SUSPENDED)


@pytest.mark.parametrize("damage", [Verdict.DB_MISSING, Verdict.DB_CORRUPT, Verdict.SCHEMA_UNKNOWN])
def test_a_database_that_cannot_be_believed_stops_everything(damage: Verdict) -> None:
    found = judge(Org(damage=damage, detail=Raw("seen")), Answers({}), CIRCUMSTANCES)
    (claim,) = found.claims
    assert (claim.verdict, claim.id) == (damage, Raw("state-file"))
    assert (found.next_action.name, found.next_action.target) == (Proposal.STOP_AND_REPORT, Raw("state-file"))
    assert (found.next_action.command, found.next_action.before) == (claim.proposal.command, BEFORE)
    assert (found.refusals, found.writes_planned) == ((Refusal.STATE_UNREADABLE,), ())


def test_what_the_summary_is_made_of_stands_in_the_context() -> None:
    suspension = Suspension(event=SUSPEND, reason=Raw("night"), active_workers=2, pending_items=None)
    bare = OrgEvent(kind=Raw("resume"))
    found = judged(suspension=suspension, events=(SUSPEND, bare), runs=(RUN, QUEUED, QUEUED), files=(Raw("notes/lead.md"),))
    assert found.context.lines == (Raw("soon secretary suspend"), Raw("at no time nobody resume"))
    assert found.context.facts == (
        Named(name=Raw("objective"), value=Raw("the blog")),
        Named(name=Raw("suspended_at"), value=SUSPENDED_AT.text),
        Named(name=Raw("resumed_at"), value=None),
        Named(name=Raw("resume_instructions"), value=Raw("First.")),
        Named(name=Raw("last_suspend_at"), value=Raw("soon")),
        Named(name=Raw("last_suspend_reason"), value=Raw("night")),
        Named(name=Raw("active_workers"), value=2),
        Named(name=Raw("pending_items"), value=None),
        Named(name=Raw("runs in_use"), value=1),
        Named(name=Raw("runs queued"), value=2),
    )
    assert found.context.files == (Raw("notes/lead.md"),)


def test_unreadable_times_are_told_once_each_and_block_nothing() -> None:
    spoiled = replace(QUEUED, moments=(replace(AT, column="dispatched_at"),))
    found = judged(events=(SUSPEND,), suspension=Suspension(event=SUSPEND), runs=(spoiled,))
    assert [(conflict.kind, conflict.claims) for conflict in found.conflicts] == [
        (ConflictKind.UNREADABLE_TIME, (Raw("org-session"),)),
        (ConflictKind.UNREADABLE_TIME, (Raw("run:docs"),)),
    ]
    assert found.conflicts[0].sides == (Raw("events.occurred_at is soon"),)
    assert found.refusals == ()


def test_an_org_without_session_has_no_facts_of_one() -> None:
    assert judged(session=None).context.facts == ()


def test_stray_worker_files_are_warned_of() -> None:
    files = tuple(Raw(f"f{n}") for n in range(LIMITS.org_names + 2))
    warnings = judged(warnings=(Raw("first"),), stray_worker_files=files).warnings
    assert len(warnings) == LIMITS.org_names + 2
    assert warnings[:2] == (Raw("first"), Raw("f0 is the worker file of a run that the database does not know"))
    assert warnings[-1] == Raw("2 more worker files of unknown runs than are listed")
