"""A claude-org's written state and the machine's answers in, the whole reconciliation out (seed 004; contract, section 7).

Nothing is dispatched and no run is touched: every way on begins with the human's word. Pure.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from resume_forensics.deduce.reconcile.claude_org.runs import judge_run, list_conflicts, name_run
from resume_forensics.deduce.reconcile.claude_org.session import ORG_SESSION, judge_damage, judge_session, list_unreadable, spell_apply
from resume_forensics.deduce.reconcile.claude_org.sight import see_run
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import (
    Circumstances,
    Claim,
    Conflict,
    Context,
    FollowingAction,
    Named,
    NextAction,
    PlannedWrite,
    Reconciliation,
)
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.org import Moment, Org, OrgEvent, find_moment
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Proposal, Refusal, System, WriteKind

_DATABASE: Final = Raw(".state/state.db")
_BEFORE: Final = (Raw("python3 tools/state_migrate.py (on exit 1 or 2: report to the human and stop)"),)


def judge(org: Org, answers: Answers, circumstances: Circumstances) -> Reconciliation[Raw]:
    """Answer what became of every claim that the state makes, and what to do next."""
    damage = judge_damage(org)
    if damage is not None:
        return _stop(damage, circumstances)
    sights = [see_run(run, org.session.status if org.session else None, answers, circumstances) for run in org.runs]
    conflicts = (
        *list_unreadable(ORG_SESSION, _list_moments(org), circumstances),
        *(one for sight in sights for one in list_unreadable(name_run(sight.run), sight.run.moments, circumstances)),
        *(one for sight in sights for one in list_conflicts(sight, circumstances)),
    )
    return Reconciliation(
        system=System.CLAUDE_ORG,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=_give_context(org),
        claims=(judge_session(org, circumstances), *map(judge_run, sights)),
        next_action=_ask_human(org, conflicts, circumstances),
        conflicts=conflicts,
        writes_planned=_plan(org),
        refusals=tuple(_refuse(org, conflicts)),
        warnings=(*org.warnings, *_warn(org)),
    )


def _list_moments(org: Org) -> tuple[Moment, ...]:
    """The times of the session and of the events that are shown, each once."""
    events = (*org.events, *((org.suspension.event,) if org.suspension else ()))
    return tuple(dict.fromkeys((*(org.session.moments if org.session else ()), *(event.at for event in events if event.at))))


def _stop(damage: Claim[Raw], circumstances: Circumstances) -> Reconciliation[Raw]:
    """The answer where the database cannot be believed: one claim, and nothing is written."""
    return Reconciliation(
        system=System.CLAUDE_ORG,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=Context(),
        claims=(damage,),
        next_action=NextAction(
            name=Proposal.STOP_AND_REPORT,
            target=damage.id,
            reason=damage.proposal.reason,
            command=damage.proposal.command,
            before=_BEFORE,
        ),
        refusals=(Refusal.STATE_UNREADABLE,),
    )


def _plan(org: Org) -> tuple[PlannedWrite[Raw], ...]:
    return (PlannedWrite(path=_DATABASE, kind=WriteKind.TRANSACTION, statements=org.resume),) if org.resume else ()


def _refuse(org: Org, conflicts: Sequence[Conflict[Raw]]) -> Iterator[Refusal]:
    if any(conflict.blocks_apply for conflict in conflicts):
        yield Refusal.EVIDENCE_CONFLICTS
    if not org.resume:
        yield Refusal.NOT_SUSPENDED


def _ask_human(org: Org, conflicts: Sequence[Conflict[Raw]], circumstances: Circumstances) -> NextAction[Raw]:
    """The one next action of this system: the human decides, whatever was found."""
    blocking = [conflict for conflict in conflicts if conflict.blocks_apply]
    disagreeing = len({claim for conflict in blocking for claim in conflict.claims})
    found = f"{disagreeing} of {len(org.runs)} runs disagree with the machine: report each; " if disagreeing else ""
    resumes = bool(org.resume) and not blocking
    return NextAction(
        name=Proposal.ASK_HUMAN,
        target=blocking[0].claims[0] if blocking else ORG_SESSION,
        reason=Raw(f"{found}wait for the human's confirmation before acting, and dispatch no worker on your own"),
        before=_BEFORE,
        then=FollowingAction(name=Proposal.RESUME_ORG, target=ORG_SESSION, command=spell_apply(circumstances)) if resumes else None,
    )


def _give_context(org: Org) -> Context[Raw]:
    return Context(lines=tuple(map(_tell, org.events)), facts=tuple(_list_facts(org)), files=org.files)


def _tell(event: OrgEvent) -> Raw:
    """One event as a line, its time as it was written."""
    return compose(event.at.text if event.at else "at no time", " ", event.actor or "nobody", " ", event.kind)


def _list_facts(org: Org) -> Iterator[Named[Raw]]:
    """What the protocol's summary for the human is made of."""
    session, suspension = org.session, org.suspension
    if session:
        yield Named(name=Raw("objective"), value=session.objective)
        yield Named(name=Raw("suspended_at"), value=_time(find_moment(session.moments, "suspended_at")))
        yield Named(name=Raw("resumed_at"), value=_time(find_moment(session.moments, "resumed_at")))
        yield Named(name=Raw("resume_instructions"), value=session.instructions)
    if suspension:
        yield Named(name=Raw("last_suspend_at"), value=_time(suspension.event.at))
        yield Named(name=Raw("last_suspend_reason"), value=suspension.reason)
        yield Named(name=Raw("active_workers"), value=suspension.active_workers)
        yield Named(name=Raw("pending_items"), value=suspension.pending_items)
    for status, runs in sorted(Counter(run.claimed for run in org.runs).items()):
        yield Named(name=compose("runs ", status), value=runs)


def _time(moment: Moment | None) -> Raw | None:
    return moment.text if moment else None


def _warn(org: Org) -> Iterator[Raw]:
    for file in org.stray_worker_files[: LIMITS.org_names]:
        yield compose(file, " is the worker file of a run that the database does not know")
    if len(org.stray_worker_files) > LIMITS.org_names:
        yield Raw(f"{len(org.stray_worker_files) - LIMITS.org_names:,} more worker files of unknown runs than are listed")
