"""What comes next in a saga: a table whose first fitting row decides. In: a position. Out: the next action. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from resume_forensics.deduce.reconcile.saga.chain import Seen, judge_thread
from resume_forensics.deduce.reconcile.saga.position import Position, find_way
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Advice, Circumstances, FollowingAction, NextAction
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import Proposal, Verdict

_ONE_QUESTION: Final = "ask one question, a choice from what is listed, and wait for the answer"
_PULL_REQUESTS: Final = "gh pr list --state all --json number,title,state,mergedAt,url,reviewDecision"

FORENSICS: Final = (
    "take at most five sessions of the last days, never the current one",
    "extract each to a scratch folder: resume-scan skeleton --session FILE --output FILE; never read a transcript or a skeleton yourself",
    "let one generic agent read the skeletons by their paths; it reproduces no tool output and no thinking",
    "it answers what was tried, what did not work, what was decided and what is related",
    "on a machine that has no sessions of this work read the committed docs/ instead",
    "only here a new saga is made: saga.py save without --saga-id; then route by what was found, and delete the scratch folder",
)
"""The rules of the last resort, seed 002 phase 3b."""


def advise_forensics(circumstances: Circumstances) -> Advice[Raw]:
    """The last resort: what the sessions of this machine still know."""
    own: tuple[str | Raw, ...] = (" --exclude ", quote(circumstances.session_id)) if circumstances.session_id else ()
    return Advice(
        name=Proposal.SESSION_FORENSICS,
        reason=Raw("no tick can be read, so only transcripts, pull requests and committed documents can say what happened"),
        command=compose("resume-scan discover --days 7 --cap 5", *own),
        after=tuple(map(Raw, FORENSICS)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One row of the order in which the next action is sought; `make` is asked only where `fits` holds."""

    fits: Callable[[Position], bool]
    make: Callable[[Position], NextAction[Raw]]


def _adjudicate(position: Position) -> NextAction[Raw]:
    conflicting = position.conflicting
    target = compose("obligation:", conflicting.obligation.obligation_id) if conflicting else Raw("contract")
    reason = conflicting.reason if conflicting else (position.state.proof.problem if position.state.proof else None)
    stop = compose("an operator must decide; neither time nor narrative chooses: ", reason or Raw("the contract cannot be read"))
    return NextAction(name=Proposal.ADJUDICATE, target=target, reason=stop, before=(Raw(_ONE_QUESTION),))


def _reconstruct(position: Position) -> NextAction[Raw]:
    advice = advise_forensics(position.circumstances)
    before = (Raw(_PULL_REQUESTS),) if position.state.asked_issue else ()
    return NextAction(name=advice.name, target=Raw("state-file"), reason=advice.reason, command=advice.command, before=before)


def _select(position: Position) -> NextAction[Raw]:
    reason = compose(position.selection.reason, "; name the one that is meant with --saga-id")
    return NextAction(name=Proposal.SELECT_THREAD, reason=reason, before=(Raw(_ONE_QUESTION),))


def _settle_first(position: Position) -> NextAction[Raw]:
    unsettled = position.unsettled
    if unsettled is None:
        raise ValueError("a row that needs an unsettled obligation was asked without one")
    return NextAction(
        name=Proposal.ROUTE,
        target=compose("obligation:", unsettled.obligation.obligation_id),
        reason=compose("the earliest required obligation that is not settled: ", unsettled.reason),
        command=unsettled.destination,
        before=_before(position.seen) if position.seen else (),
    )


def _confirm(position: Position) -> NextAction[Raw]:
    seen = _require(position)
    way = find_way(position, seen)
    return NextAction(
        name=Proposal.CONFIRM_WITH_OPERATOR,
        target=compose("saga:", seen.thread.saga_id),
        reason=Raw(judge_thread(seen).reason),
        before=(Raw(_ONE_QUESTION),),
        then=FollowingAction(name=Proposal.ROUTE, target=way.target, command=way.command),
    )


def _route(position: Position) -> NextAction[Raw]:
    seen = _require(position)
    way = find_way(position, seen)
    return NextAction(name=Proposal.ROUTE, target=way.target, reason=way.reason, command=way.command, before=_before(seen))


def _rest(position: Position) -> NextAction[Raw]:
    reason = find_way(position, position.seen).reason if position.seen and not position.seen.newest.closed else None
    return NextAction(name=Proposal.NONE, reason=reason or Raw("every thread that is meant is done or abandoned"))


def _require(position: Position) -> Seen:
    if position.seen is None:
        raise ValueError("a row that needs a thread was asked without one")
    return position.seen


def _before(seen: Seen) -> tuple[Raw, ...]:
    """What to read first: the documents that the thread points at, and the pull requests that nobody told of."""
    papers = (compose("read ", paper.name) for paper in seen.newest.papers[: LIMITS.evidence_listed])
    untold = seen.prs is None and seen.newest.issue is not None and not seen.by_contract
    asked = (compose("see what GitHub says, and give it as --facts: ", _PULL_REQUESTS),) if untold else ()
    return (*asked, *papers)


ACTION_ROWS: Final = (
    ActionRow(fits=lambda p: p.contract_unreadable or p.conflicting is not None, make=_adjudicate),
    ActionRow(fits=lambda p: p.selection.unreadable, make=_reconstruct),
    ActionRow(fits=lambda p: p.seen is None and any(t.newest and not t.newest.closed for t in p.state.threads), make=_select),
    ActionRow(fits=lambda p: p.unsettled is not None, make=_settle_first),
    ActionRow(fits=lambda p: p.seen is None or p.seen.newest.closed, make=_rest),
    ActionRow(fits=lambda p: p.seen is not None and judge_thread(p.seen).verdict is Verdict.CACHE_STALE, make=_confirm),
    ActionRow(fits=lambda p: p.seen is not None and not find_way(p, p.seen).ends, make=_route),
    ActionRow(fits=lambda _: True, make=_rest),
)


def find_next_action(position: Position) -> NextAction[Raw]:
    """Answer the one thing to do first. Blockers and open questions never change it; they stand in their own claims."""
    return next(row for row in ACTION_ROWS if row.fits(position)).make(position)
