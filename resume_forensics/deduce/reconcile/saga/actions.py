"""What comes next in a saga: a table whose first fitting row decides. In: a position. Out: the next action. Pure."""

from collections.abc import Callable
from typing import Final

from resume_forensics.deduce.reconcile.saga.chain import Seen, judge_thread
from resume_forensics.deduce.reconcile.saga.position import Position, find_way
from resume_forensics.deduce.reconcile.saga.selection import is_open
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Advice, Circumstances, FollowingAction, NextAction
from resume_forensics.model.thread import IssueRef
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import Proposal, Verdict

_ONE_QUESTION: Final = "ask one question, a choice from what is listed, and wait for the answer"
_PULL_REQUESTS: Final = "gh pr list --state all --limit 50 --json number,title,state,mergedAt,url,reviewDecision"

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


def _adjudicate(position: Position) -> NextAction[Raw] | None:
    """Nothing else is done while the contract cannot be read, or while receipts conflict."""
    proof, conflicting = position.state.proof, position.conflicting
    if conflicting:
        target, reason = compose("obligation:", conflicting.obligation.obligation_id), conflicting.reason
    elif proof and proof.problem:
        target, reason = Raw("contract"), proof.problem
    else:
        return None
    stop = compose("an operator must decide; neither time nor narrative chooses: ", reason)
    return NextAction(name=Proposal.ADJUDICATE, target=target, reason=stop, before=(Raw(_ONE_QUESTION),))


def _reconstruct(position: Position) -> NextAction[Raw] | None:
    """Without a readable tick only pull requests and sessions are left."""
    if not position.selection.unreadable:
        return None
    advice = advise_forensics(position.circumstances)
    before = (ask_github(position.state.asked_issue),) if position.state.asked_issue else ()
    return NextAction(name=advice.name, target=Raw("state-file"), reason=advice.reason, command=advice.command, before=before)


def _select(position: Position) -> NextAction[Raw] | None:
    """A thread must be meant before anything is said of one."""
    if position.seen or not any(map(is_open, position.state.threads)):
        return None
    reason = compose(position.selection.reason, "; name the one that is meant with --saga-id")
    return NextAction(name=Proposal.SELECT_THREAD, reason=reason, before=(Raw(_ONE_QUESTION),))


def _settle_first(position: Position) -> NextAction[Raw] | None:
    """The earliest unsettled obligation goes before every phase."""
    unsettled = position.unsettled
    if unsettled is None:
        return None
    return NextAction(
        name=Proposal.ROUTE,
        target=compose("obligation:", unsettled.obligation.obligation_id),
        reason=compose("the earliest required obligation that is not settled: ", unsettled.reason),
        command=unsettled.destination,
        before=_before(position.seen) if position.seen else (),
    )


def _confirm(position: Position) -> NextAction[Raw] | None:
    """A cache that GitHub outranks is confirmed before it is routed."""
    seen = position.seen
    row = judge_thread(seen) if seen else None
    if seen is None or row is None or row.verdict is not Verdict.CACHE_STALE:
        return None
    way = find_way(position, seen)
    return NextAction(
        name=Proposal.CONFIRM_WITH_OPERATOR,
        target=compose("saga:", seen.thread.saga_id),
        reason=Raw(row.reason),
        before=(Raw(_ONE_QUESTION),),
        then=FollowingAction(name=Proposal.ROUTE, target=way.target, command=way.command),
    )


def _route(position: Position) -> NextAction[Raw] | None:
    """An open thread goes where the dispatch table says, unless that is nowhere."""
    seen = position.seen
    if seen is None or seen.newest.closed:
        return None
    way = find_way(position, seen)
    name = Proposal.NONE if way.ends else Proposal.ROUTE
    before = () if way.ends else _before(seen)
    return NextAction(name=name, target=None if way.ends else way.target, reason=way.reason, command=way.command, before=before)


def _rest(_: Position) -> NextAction[Raw]:
    return NextAction(name=Proposal.NONE, reason=Raw("every thread that is meant is done or abandoned"))


def ask_github(issue: IssueRef) -> Raw:
    """The command that lists the pull requests of an issue's rounds, as `--facts` takes them."""
    repository: tuple[str | Raw, ...] = (" --repo ", quote(issue.repository)) if issue.repository else ()
    return compose("give this as --facts: ", _PULL_REQUESTS, *repository, f" --search 'in:title #{issue.number} round'")


def _before(seen: Seen) -> tuple[Raw, ...]:
    """What to read first: the pull requests that nobody told of, and the documents that the thread points at and that stay inside."""
    refused = {paper.name for paper, _ in seen.refused}
    named = (paper.name for paper in seen.newest.papers[: LIMITS.evidence_listed])
    papers = (compose("read ", name) for name in named if name not in refused)
    untold = seen.newest.issue if seen.prs is None and not seen.by_contract else None
    return (*((ask_github(untold),) if untold else ()), *papers)


ACTION_ROWS: Final[tuple[Callable[[Position], NextAction[Raw] | None], ...]] = (
    _adjudicate,
    _reconstruct,
    _select,
    _settle_first,
    _confirm,
    _route,
    _rest,
)
"""The order in which the next action is sought: the first that does not answer None."""


def find_next_action(position: Position) -> NextAction[Raw]:
    """Answer the one thing to do first. Blockers and open questions never change it; they stand in their own claims."""
    return next(action for row in ACTION_ROWS if (action := row(position)))
