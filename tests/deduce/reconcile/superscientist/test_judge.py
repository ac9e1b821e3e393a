"""The whole answer about a workflow: claims, context, warnings, and what is said where there is nothing to judge."""

from datetime import UTC, datetime
from pathlib import Path

from claims.workflows import circumstances, claim_of, gather, lay_out, put, reconcile, stage
from resume_forensics.claims.superscientist import translate
from resume_forensics.claims.superscientist.inquiry import ask_commits
from resume_forensics.deduce.reconcile.superscientist import judge
from resume_forensics.model.inquiry import Answers, Commit, LogFact
from resume_forensics.text import Raw, forge
from resume_forensics.vocabulary import Proposal, Refusal, System, Verdict


def test_every_stage_and_the_session_are_claims(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "completed"), stage(2, "ready"))
    found = reconcile(tmp_path)
    assert [claim.id for claim in found.claims] == ["stage:stage-1", "stage:stage-2", "session"]
    assert (found.system, found.root, found.refusals) == (System.SUPERSCIENTIST, str(tmp_path), ())
    one = claim_of(found, "stage:stage-1")
    assert (one.claim, one.claimed_status, one.verdict) == ("stage-1 is completed", "completed", Verdict.CONFIRMED)


def test_the_session_is_begun_by_the_write(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    session = claim_of(reconcile(tmp_path), "session")
    assert (session.claim, session.verdict, session.proposal.name) == (
        "4 sessions were begun",
        Verdict.SESSION_COUNTED,
        Proposal.START_SESSION,
    )
    assert session.proposal.command == f"resume-scan reconcile {tmp_path} --apply"
    assert session.proposal.after == (
        "if init.sh fails: superscientist:systematic-debugging, and nothing else before it",
        "then resume work by superscientist:executing-workflows",
    )


def test_a_session_without_a_count_is_the_users(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), session_config=None)
    session = claim_of(reconcile(tmp_path), "session")
    assert (session.verdict, session.proposal.name, session.evidence[0].value) == (
        Verdict.SESSION_UNCOUNTED,
        Proposal.ASK_USER,
        "not written",
    )


def test_the_reading_half(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), stage(2, "ready"), stage(3, None))
    put(tmp_path, "progress.log", "".join(f"line {number}\n" for number in range(80)))
    held = gather(tmp_path)
    told = circumstances(tmp_path)
    log = LogFact(commits=(Commit(sha="0123456789abcdef", at=datetime(2026, 1, 1, tzinfo=UTC), subject="add inputs"),))
    answers = Answers({**held._held, ask_commits(told): log})
    context = judge(translate(answers, told), answers, told).context
    assert context.lines == tuple(Raw(f"line {number}") for number in range(80))
    assert context.commits == (Raw("0123456789 add inputs"),)
    facts = {fact.name: fact.value for fact in context.facts}
    assert facts[Raw("stages ready")] == 2
    assert facts[Raw("stages (none)")] == 1
    assert facts[Raw("session_budget")] == 6
    assert Raw("git") not in facts


def test_what_git_does_not_know_is_said(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    facts = {fact.name: fact.value for fact in reconcile(tmp_path).context.facts}
    assert facts[forge("git")] == "not a git work tree"


def test_warnings(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), files={"PAUSE": ""})
    assert len(reconcile(tmp_path).warnings) == 1
    (tmp_path / "init.sh").unlink()
    (tmp_path / "progress.log").unlink()
    (tmp_path / "progress.log").mkdir()
    warnings = reconcile(tmp_path).warnings
    assert [next(name for name in ("PAUSE", "progress.log", "init.sh") if name in warning) for warning in warnings] == [
        "PAUSE",
        "progress.log",
        "init.sh",
    ]
    assert "cannot be written either" in warnings[1]


def test_a_state_that_is_not_there_stops_everything(tmp_path: Path) -> None:
    put(tmp_path, "progress.log", "last words\n")
    put(tmp_path, "init.sh")
    found = reconcile(tmp_path)
    assert [(claim.id, claim.verdict, claim.proposal.name) for claim in found.claims] == [
        ("state-file", Verdict.STATE_MISSING, Proposal.STOP_AND_ALERT)
    ]
    assert (found.next_action.name, found.next_action.before, found.writes_planned) == (Proposal.STOP_AND_ALERT, (), ())
    assert found.refusals == (Refusal.STATE_UNREADABLE,)
    assert found.context.lines == ("last words",)
    assert found.warnings == ("workflow-state.json cannot be read: no longer on disk",)
