"""The claims of a saga in words: ticks, threads, blockers, questions, contract, obligations. In: what was judged. Out: claims. Pure."""

from collections.abc import Iterator
from typing import Final

from resume_forensics.deduce.reconcile.saga.actions import advise_forensics
from resume_forensics.deduce.reconcile.saga.chain import (
    Question,
    Seen,
    describe_tick,
    judge_blockers,
    judge_thread,
    list_questions,
    show_thread,
)
from resume_forensics.deduce.reconcile.saga.obligations import Finding
from resume_forensics.deduce.reconcile.saga.position import Position, find_way, follow
from resume_forensics.deduce.reconcile.saga.pull_requests import describe
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Advice, Claim, ClaimEvidence
from resume_forensics.model.thread import SagaState, Thread, TornTick
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import EvidenceKind, Proposal, Says, Settlement, Verdict

_ONE_CHOICE: Final = "ask the operator which thread is meant, one question, and wait"

OBLIGATIONS: Final = {
    Settlement.SATISFIED: (Verdict.OBLIGATION_SATISFIED, Proposal.NONE),
    Settlement.UNSATISFIED: (Verdict.OBLIGATION_UNSATISFIED, Proposal.ROUTE),
    Settlement.DEGRADED: (Verdict.OBLIGATION_DEGRADED, Proposal.ROUTE),
    Settlement.UNAVAILABLE: (Verdict.OBLIGATION_UNAVAILABLE, Proposal.ROUTE),
    Settlement.CONFLICTING: (Verdict.OBLIGATION_CONFLICTING, Proposal.ADJUDICATE),
}
"""What the settlement of a required obligation means; an optional one is never routed to."""


def list_claims(position: Position) -> Iterator[Claim[Raw]]:
    """Every claim of the state, in a fixed order."""
    yield from _claim_folder(position)
    for thread in position.state.threads:
        yield from (_claim_torn(thread, torn) for torn in thread.torn)
    if position.seen:
        yield _claim_selected(position, position.seen)
    for thread in position.state.threads:
        if thread.newest and (position.seen is None or thread is not position.seen.thread):
            yield _claim_other(thread)
    if position.seen:
        yield from _claim_blockers(position.seen)
        yield from (_claim_question(number, each) for number, each in enumerate(list_questions(position.seen.thread), start=1))
    if position.contract_unreadable:
        yield _claim_contract(position.state)
    yield from map(_claim_obligation, position.findings)


def _claim_folder(position: Position) -> Iterator[Claim[Raw]]:
    """The state folder itself, where something is wrong with it."""
    state = position.state
    others = tuple(
        ClaimEvidence(kind=EvidenceKind.DIRECTORY, what=name, value=Raw("stands there"), says=Says.FOR) for name in state.folders
    )
    claim = compose(state.folder, " holds the threads of this repository")
    if position.selection.unreadable:
        yield Claim(
            id=Raw("state-file"), claim=claim, verdict=Verdict.NO_TICKS, proposal=advise_forensics(position.circumstances), evidence=others
        )
    elif len(state.folders) > 1 and not state.chosen:
        reason = compose("several state folders stand there; ", state.folder, " is read; --state-dir chooses another")
        advice = Advice(name=Proposal.CONFIRM_WITH_OPERATOR, reason=reason)
        yield Claim(id=Raw("state-file"), claim=claim, verdict=Verdict.TWO_STATE_DIRS, proposal=advice, evidence=others)


def _claim_torn(thread: Thread, torn: TornTick) -> Claim[Raw]:
    """A torn tick: whatever speaks for its thread, its own defaults never do."""
    instead: tuple[str | Raw, ...] = (torn.previous, " speaks instead") if torn.previous else ("no readable tick stands before it",)
    return Claim(
        id=compose("tick:", thread.saga_id, "/", torn.name),
        claim=compose(torn.name, " is a snapshot of ", thread.saga_id),
        verdict=Verdict.TORN_TICK,
        proposal=Advice(name=Proposal.USE_PREVIOUS_TICK, reason=compose("torn (", torn.why, "); ", *instead)),
        evidence=(ClaimEvidence(kind=EvidenceKind.TICK, what=torn.name, value=torn.why, says=Says.AGAINST),),
    )


def _claim_selected(position: Position, seen: Seen) -> Claim[Raw]:
    row = judge_thread(seen)
    way = find_way(position, seen)
    leads = row.proposal is not Proposal.NONE and not way.ends
    advice = Advice(
        name=row.proposal if leads else Proposal.NONE,
        reason=compose(row.reason, "; ", way.reason) if row.proposal is not Proposal.NONE else Raw(row.reason),
        command=way.command if leads else None,
        after=follow(way, seen) if leads else (),
    )
    return Claim(
        id=compose("saga:", seen.thread.saga_id),
        claim=compose(seen.thread.saga_id, " stands at ", describe_tick(seen.newest)),
        claimed_status=seen.newest.fields.get("status"),
        verdict=row.verdict,
        proposal=advice,
        evidence=tuple(show_thread(seen)),
    )


def _claim_other(thread: Thread) -> Claim[Raw]:
    """A thread that is not the selected one: over, or one that could be meant."""
    newest = thread.ticks[-1]
    known = [newest.fields.get(name) for name in ("issue_ref", "updated_at", "branch")]
    described = compose(*(part for text in (describe_tick(newest), *known) if text and len(text) for part in (text, "; ")))
    choose = Advice(
        name=Proposal.SELECT_THREAD,
        reason=compose("it is open: ", described, _ONE_CHOICE),
        command=compose("resume-scan reconcile --saga-id ", quote(thread.saga_id)),
    )
    over = Advice(name=Proposal.NONE, reason=Raw("its newest tick says that it is over"))
    return Claim(
        id=compose("saga:", thread.saga_id),
        claim=compose(thread.saga_id, " stands at ", describe_tick(newest)),
        claimed_status=newest.fields.get("status"),
        verdict=Verdict.THREAD_CLOSED if newest.closed else Verdict.THREAD_OPEN,
        proposal=over if newest.closed else choose,
        evidence=(ClaimEvidence(kind=EvidenceKind.TICK, what=newest.name, value=described, says=Says.FOR),),
    )


def _claim_blockers(seen: Seen) -> Iterator[Claim[Raw]]:
    row = judge_blockers(seen)
    if row is None:
        return
    named = [tick for tick in seen.thread.ticks if tick.blockers is not None]
    last = named[-1]
    evidence = [ClaimEvidence(kind=EvidenceKind.TICK, what=tick.name, value=tick.blockers or Raw(""), says=Says.FOR) for tick in named]
    against = _show_clearing(seen)
    yield Claim(
        id=Raw("blocker"),
        claim=compose("blocked: ", last.blockers or ""),
        verdict=row.verdict,
        proposal=Advice(name=row.proposal, reason=Raw(row.reason)),
        evidence=(*evidence[-LIMITS.evidence_listed :], *([against] if against else [])),
    )


def _show_clearing(seen: Seen) -> ClaimEvidence[Raw] | None:
    """What says that the blockers are no more: a merged pull request, or a newest tick that leaves them blank."""
    if seen.newest.blockers is None:
        return ClaimEvidence(kind=EvidenceKind.TICK, what=seen.newest.name, value=Raw("blank"), says=Says.AGAINST)
    if seen.merged is None:
        return None
    return ClaimEvidence(kind=EvidenceKind.PR, what=Raw(seen.merged.url), value=describe(seen.merged), says=Says.AGAINST)


def _claim_question(number: int, question: Question) -> Claim[Raw]:
    """A question of the thread. One that is in an earlier list only was answered; it is never asked again."""
    still = "the newest tick asks it" if question.is_open else "a later tick no longer lists it: it was answered"
    says = Says.FOR if question.is_open else Says.AGAINST
    return Claim(
        id=Raw(f"question:{number}"),
        claim=question.text,
        verdict=Verdict.QUESTION_OPEN if question.is_open else Verdict.QUESTION_ANSWERED,
        proposal=Advice(name=Proposal.ASK_OPERATOR if question.is_open else Proposal.NONE, reason=Raw(still)),
        evidence=(ClaimEvidence(kind=EvidenceKind.TICK, what=question.last.name, value=Raw("the last to ask it"), says=says),),
    )


def _claim_contract(state: SagaState) -> Claim[Raw]:
    path, problem = (state.proof.path, state.proof.problem) if state.proof else (Raw(""), None)
    return Claim(
        id=Raw("contract"),
        claim=compose(path, " and its receipts say what is settled"),
        verdict=Verdict.CONTRACT_UNREADABLE,
        proposal=Advice(
            name=Proposal.ADJUDICATE, reason=compose("an operator must decide, for it cannot be read: ", problem or Raw("no reason"))
        ),
        evidence=(ClaimEvidence(kind=EvidenceKind.FILE, what=path, value=problem or Raw("no reason"), says=Says.AGAINST),),
    )


def _claim_obligation(finding: Finding) -> Claim[Raw]:
    verdict, proposal = OBLIGATIONS[finding.state]
    routed = proposal is Proposal.ROUTE and finding.obligation.required
    producer: tuple[str | Raw, ...] = ("; only its producer can settle it: ", finding.obligation.producer)
    optional = "" if finding.obligation.required else "; it is optional"
    reason = compose(finding.reason, optional, *(producer if routed and finding.by_producer else ()))
    return Claim(
        id=compose("obligation:", finding.obligation.obligation_id),
        claim=compose(finding.obligation.subject, " is settled"),
        verdict=verdict,
        proposal=Advice(
            name=proposal if finding.obligation.required else Proposal.NONE,
            reason=reason,
            command=finding.destination if routed else None,
        ),
        evidence=finding.evidence[: LIMITS.evidence_listed],
    )
