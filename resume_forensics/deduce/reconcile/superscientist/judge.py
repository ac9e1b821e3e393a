"""The written state of a workflow and the machine's answers come in, the whole `Reconciliation` goes out."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.deduce.reconcile.superscientist.action import choose_action, name_stage
from resume_forensics.deduce.reconcile.superscientist.advice import DEBUG, EXECUTE, advise
from resume_forensics.deduce.reconcile.superscientist.evidence import find_conflicts, see_stage
from resume_forensics.deduce.reconcile.superscientist.plan import LOG, STATE, Judged, find_refusals, plan_writes, was_applied
from resume_forensics.deduce.reconcile.superscientist.sight import look_at
from resume_forensics.deduce.reconcile.superscientist.table import find_row
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Advice, Circumstances, Claim, ClaimEvidence, Conflict, Context, Named, NextAction, Reconciliation
from resume_forensics.model.inquiry import Answers, GitLog
from resume_forensics.model.workflow import Workflow
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, Proposal, Says, System, Verdict

_SESSION: Final = Raw("session")
_STATE_FILE: Final = Raw("state-file")


def judge(workflow: Workflow, answers: Answers, circumstances: Circumstances) -> Reconciliation[Raw]:
    """Answer every claim of the workflow. Of a state file that is missing or no workflow nothing is claimed but that."""
    if workflow.problem is not None:
        return _stop(workflow, workflow.problem, answers, circumstances)
    claims: list[Claim[Raw]] = []
    judged: list[Judged] = []
    conflicts: list[Conflict[Raw]] = []
    for stage in workflow.stages:
        sight = look_at(stage, workflow, answers)
        one = Judged(stage=stage, row=find_row(sight))
        found = tuple(find_conflicts(stage, sight, one.row, name_stage(one), circumstances))
        evidence = tuple(see_stage(stage, sight, one.row, workflow, answers))
        judged.append(one)
        conflicts += found
        claims.append(_claim_stage(one, evidence, circumstances))
    session, missing = _claim_session(workflow, circumstances)
    conflicts += missing
    every = tuple(judged)
    return Reconciliation(
        system=System.SUPERSCIENTIST,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=_describe(workflow, answers, circumstances),
        claims=(*claims, session),
        conflicts=tuple(conflicts),
        next_action=choose_action(workflow, every, conflicts, circumstances),
        writes_planned=() if was_applied(workflow.session, circumstances.now) else plan_writes(workflow, every, circumstances),
        refusals=find_refusals(workflow, conflicts, circumstances),
        warnings=tuple(_warn(workflow)),
    )


def _stop(workflow: Workflow, verdict: Verdict, answers: Answers, circumstances: Circumstances) -> Reconciliation[Raw]:
    reason = Raw("nothing may be done before the user has seen to the state file: an empty or partial reading is no answer")
    claim = Claim(
        id=_STATE_FILE,
        claim=Raw("workflow-state.json holds the state of the workflow"),
        verdict=verdict,
        evidence=(ClaimEvidence(kind=EvidenceKind.FILE, what=STATE, value=Raw(workflow.reason), says=Says.AGAINST),),
        proposal=Advice(name=Proposal.STOP_AND_ALERT, reason=reason),
    )
    return Reconciliation(
        system=System.SUPERSCIENTIST,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=_describe(workflow, answers, circumstances),
        claims=(claim,),
        next_action=NextAction(name=Proposal.STOP_AND_ALERT, target=_STATE_FILE, reason=compose(workflow.reason, "; ", reason)),
        refusals=find_refusals(workflow, (), circumstances),
        warnings=(Raw(workflow.reason),),
    )


def _claim_stage(one: Judged, evidence: tuple[ClaimEvidence[Raw], ...], circumstances: Circumstances) -> Claim[Raw]:
    stage = one.stage
    return Claim(
        id=name_stage(one),
        claim=compose(stage.id, " is ", stage.status_word or "without a status"),
        claimed_status=stage.status_word,
        evidence=evidence,
        verdict=one.row.verdict,
        proposal=advise(stage, one.row, circumstances),
    )


def _claim_session(workflow: Workflow, circumstances: Circumstances) -> tuple[Claim[Raw], tuple[Conflict[Raw], ...]]:
    """The count of sessions: only session_count itself may be counted on, never the log."""
    session = workflow.session
    count = session.count if session else None
    word = session.count_word if session else None
    evidence = (
        ClaimEvidence(
            kind=EvidenceKind.FILE,
            what=Raw("/session_config/session_count"),
            value=word or Raw("not written"),
            says=Says.UNKNOWN if count is None else Says.FOR,
        ),
    )
    duties = (Raw(f"if init.sh fails: {DEBUG}, and nothing else before it"), Raw(f"then resume work by {EXECUTE}"))
    if count is not None:
        reason = Raw(f"session {count + 1} has not been counted yet; --apply counts it and resets the budget")
        command = compose("resume-scan reconcile ", quote(circumstances.root), " --apply")
        advice = Advice(name=Proposal.START_SESSION, reason=reason, command=command, after=duties)
        claim = Claim(
            id=_SESSION, claim=Raw(f"{count} sessions were begun"), evidence=evidence, verdict=Verdict.SESSION_COUNTED, proposal=advice
        )
        return claim, ()
    reason = Raw("which session this is comes from session_count alone, and that is no whole number")
    advice = Advice(name=Proposal.ASK_USER, reason=reason)
    claim = Claim(id=_SESSION, claim=Raw("sessions are counted"), evidence=evidence, verdict=Verdict.SESSION_UNCOUNTED, proposal=advice)
    sides = (compose("session_count: ", word or "not written"), reason)
    return claim, (find_conflict(ConflictKind.SESSION_COUNT_MISSING, (_SESSION,), sides, circumstances),)


def _describe(workflow: Workflow, answers: Answers, circumstances: Circumstances) -> Context[Raw]:
    """The reading half: the end of the log (which is cut once it is masked), the last commits, how many stages stand where."""
    git = answers.log(GitLog(directory=circumstances.root, commits=LIMITS.workflow_commits))
    stages = Counter(stage.status_word or Raw("(none)") for stage in workflow.stages)
    session = workflow.session
    facts = [
        Named(name=Raw("workflow_id"), value=workflow.id),
        Named(name=Raw("workflow_status"), value=workflow.word),
        *(Named(name=compose("stages ", word), value=number) for word, number in sorted(stages.items())),
        Named(name=Raw("session_count"), value=session.count if session else None),
        Named(name=Raw("session_cost"), value=session.cost if session else None),
        Named(name=Raw("session_budget"), value=session.budget if session else None),
        Named(name=Raw("exit_reason"), value=session.exit_reason if session else None),
        Named(name=Raw("git"), value=None if git.problem is None else Raw(git.problem)),
    ]
    return Context(
        lines=workflow.log or (),
        commits=tuple(Raw(f"{commit.sha[:10]} {commit.subject}") for commit in git.commits),
        facts=tuple(fact for fact in facts if fact.value is not None or fact.name == Raw("exit_reason")),
    )


def _warn(workflow: Workflow) -> Iterator[Raw]:
    if workflow.is_paused:
        yield Raw("PAUSE is there: somebody asked the workflow to stop; ask before new work is begun")
    if workflow.log is None:
        told = "--apply begins a new one with a recovery note" if workflow.log_can_grow else "and it cannot be written either"
        yield compose(LOG, " is not there to be read; ", told)
    if not workflow.has_init:
        yield Raw("init.sh is not there, so the environment cannot be checked by it")
