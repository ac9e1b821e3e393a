"""Masked reconciliations made by hand, for renderers that never see raw text."""

from datetime import UTC, datetime
from typing import Any

from resume_forensics.model.claim import (
    Advice,
    Applied,
    Change,
    Claim,
    ClaimEvidence,
    Conflict,
    Context,
    FollowingAction,
    Named,
    NextAction,
    OpenQuestion,
    PlannedWrite,
    Reconciliation,
    TranscriptMention,
)
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, Proposal, Refusal, Says, System, Verdict, WriteKind

AT = datetime(2026, 1, 2, 9, tzinfo=UTC)


def claim(number: int = 1, proposal: Proposal = Proposal.NONE, **advice: Any) -> Claim[Masked]:  # noqa: ANN401 (any field of the advice)
    """A claim about a stage that is as it is written, unless the proposal says otherwise."""
    return Claim(
        id=forge(f"stage:stage-{number}"),
        claim=forge(f"stage-{number} is running"),
        claimed_status=forge("running"),
        verdict=Verdict.CONFIRMED,
        evidence=(ClaimEvidence(kind=EvidenceKind.TMUX, what=forge("tmux session s"), value=forge("gone"), says=Says.AGAINST),),
        proposal=Advice(name=proposal, reason=forge("it is so"), **advice),
    )


def plain(**changes: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any field)
    """An answer with as little in it as there can be."""
    least: dict[str, Any] = {
        "system": System.SUPERSCIENTIST,
        "root": forge("/home/dev/w"),
        "generated_at": AT,
        "context": Context(),
        "claims": (claim(),),
        "next_action": NextAction(name=Proposal.COMPLETE_WORKFLOW, reason=forge("every stage is completed")),
    }
    return Reconciliation(**{**least, **changes})


def full() -> Reconciliation[Masked]:
    """An answer with something in every field."""
    return plain(
        context=Context(
            lines=(forge("[t] first"), forge("[t] last\x1b[2J")),
            commits=(forge("0123456789 add inputs"),),
            facts=(Named(name=forge("session_cost"), value=5.5), Named(name=forge("exit_reason"), value=None)),
            files=(forge("docs/plan.md: missing"),),
        ),
        claims=(
            claim(1),
            claim(
                2,
                Proposal.RELAUNCH,
                command=forge("tmux kill-session -t '=a'; tmux new-session"),
                destroys=(forge("stage-2/a.out"),),
                after=(forge("log it"),),
            ),
        ),
        conflicts=(
            Conflict(
                id=forge("undatable-marker:stage:stage-2"),
                kind=ConflictKind.UNDATABLE_MARKER,
                claims=(forge("stage:stage-2"),),
                sides=(forge("the state says: running"), forge("the marker says otherwise")),
                blocks_apply=True,
            ),
            Conflict(
                id=forge("stale-done-marker:stage:stage-2"),
                kind=ConflictKind.STALE_DONE_MARKER,
                claims=(forge("stage:stage-2"),),
                sides=(forge("a"), forge("b")),
                blocks_apply=False,
                resolution=forge("the launch stands"),
            ),
        ),
        questions_open=(
            OpenQuestion(id=forge("Q-1"), text=forge("Which way?"), source=forge("QUESTIONS.md"), raised_at=AT, age_s=3 * 86_400 + 5),
            OpenQuestion(id=forge("Q-2"), text=forge("And then?"), source=forge("QUESTIONS.md")),
        ),
        next_action=NextAction(
            name=Proposal.RELAUNCH,
            target=forge("stage:stage-2"),
            reason=forge("it died"),
            command=forge("tmux new-session\nsleep 1"),
            before=(forge("bash init.sh"),),
            then=FollowingAction(name=Proposal.DISPATCH, target=forge("stage:stage-3"), command=forge("run it")),
        ),
        report_lines=(forge("writer: nobody"), forge("Stop and wait")),
        writes_planned=(
            PlannedWrite(path=forge("progress.log"), kind=WriteKind.APPEND, lines=(forge("[t] Session 5 started."),)),
            PlannedWrite(
                path=forge("workflow-state.json"),
                kind=WriteKind.REPLACE,
                changes=(Change(pointer=forge("/a"), before=None, after=0), Change(pointer=forge("/b"), before=forge("x"), after=None)),
            ),
            PlannedWrite(path=forge("t.md"), kind=WriteKind.CREATE, fields=(Named(name=forge("status"), value=forge("paused")),)),
            PlannedWrite(path=forge("state.db"), kind=WriteKind.TRANSACTION, statements=(forge("UPDATE org_sessions"),)),
        ),
        refusals=(Refusal.EVIDENCE_CONFLICTS,),
        transcripts=TranscriptMention(session=forge("/p/s.jsonl"), unreported=2, command=forge("resume-scan --session /p/s.jsonl")),
        warnings=(forge("PAUSE is there"),),
        redacted_kinds=("github-token",),
    )


def applied(*, done: bool) -> Reconciliation[Masked]:
    """The same after --apply."""
    if done:
        return plain(applied=Applied(done=True, written=(forge("progress.log"), forge("workflow-state.json"))))
    return plain(applied=Applied(done=False, refusals=(Refusal.ALREADY_APPLIED,)))
