"""What became of the selected thread: its chain of ticks held against git, the index, and the pull requests that are known. Pure.

The newest readable tick speaks, the chain before it says how it came to be so; the first row of a table that fits decides.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.saga.pull_requests import describe, is_merged, of_newest_round, of_thread
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import ClaimEvidence, PullRequest
from resume_forensics.model.inquiry import PlaceFact
from resume_forensics.model.thread import Paper, Thread, Tick
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, LifecyclePhase, Missing, PhaseStatus, Proposal, Says, Verdict

_PHASES: Final = tuple(LifecyclePhase)


class Seen(Struct, frozen=True, kw_only=True):
    """All that was seen of the selected thread. `prs` None: nobody said; `by_contract`: a contract decides, GitHub by itself does not.

    `refused` are the documents of its newest tick that are not opened, and why.
    """

    thread: Thread
    newest: Tick
    place: PlaceFact
    prs: tuple[PullRequest, ...] | None
    by_contract: bool
    refused: tuple[tuple[Paper, Missing], ...] = ()

    @property
    def complete(self) -> bool:
        """Whether its newest tick calls its phase complete."""
        return self.newest.phase_status is PhaseStatus.COMPLETE

    @property
    def merged(self) -> PullRequest | None:
        """The merged pull request of its newest round, which says that its work is done although its ticks do not."""
        at_work = self.newest.phase is LifecyclePhase.WORK and not self.complete and not self.newest.closed
        if self.by_contract or not at_work:
            return None
        return next(filter(is_merged, of_newest_round(self.prs or (), self.newest)), None)

    @property
    def regressions(self) -> tuple[tuple[Tick, Tick], ...]:
        """Neighbouring ticks of which the later one is in an earlier phase."""
        pairs = zip(self.thread.ticks, self.thread.ticks[1:], strict=False)
        return tuple((old, new) for old, new in pairs if _PHASES.index(new.phase) < _PHASES.index(old.phase))

    @property
    def branch_differs(self) -> bool:
        """Whether another branch is checked out than its newest tick names."""
        said = self.newest.fields.get("branch")
        return bool(said) and self.place.branch is not None and said != Raw(self.place.branch)

    @property
    def index_differences(self) -> tuple[str, ...]:
        """The fields of `state.json` that say something else than its newest tick."""
        index, fields = self.thread.index or {}, self.newest.fields
        return tuple(name for name in sorted(index) if index[name] != fields.get(name, Raw("")))


class ThreadRow(Struct, frozen=True, kw_only=True):
    """A row for the thread. `conflict` names the contradiction that it stands for."""

    fits: Callable[[Seen], bool]
    verdict: Verdict
    proposal: Proposal
    reason: str
    conflict: ConflictKind | None = None


THREAD_ROWS: Final = (
    ThreadRow(
        fits=lambda s: s.newest.closed,
        verdict=Verdict.THREAD_CLOSED,
        proposal=Proposal.NONE,
        reason="its newest tick says that it is over",
    ),
    ThreadRow(
        fits=lambda s: s.merged is not None,
        verdict=Verdict.CACHE_STALE,
        proposal=Proposal.CONFIRM_WITH_OPERATOR,
        reason="the pull request of its newest round is merged, so the thread is past its work: GitHub outranks the cache",
        conflict=ConflictKind.CACHE_VS_PR,
    ),
    ThreadRow(
        fits=lambda s: bool(s.regressions),
        verdict=Verdict.PHASE_REGRESSED,
        proposal=Proposal.ROUTE,
        reason="its phase went back; that is an event to tell, and the later tick stands",
        conflict=ConflictKind.PHASE_REGRESSION,
    ),
    ThreadRow(
        fits=lambda _: True,
        verdict=Verdict.CONFIRMED,
        proposal=Proposal.ROUTE,
        reason="nothing speaks against its newest readable tick",
    ),
)
"""The merged pull request stands before a regression: a route that ignores it would send finished work back to be done again."""


class BlockerRow(Struct, frozen=True, kw_only=True):
    """A row for the blockers of the thread."""

    fits: Callable[[Seen], bool]
    verdict: Verdict
    proposal: Proposal
    reason: str


BLOCKER_ROWS: Final = (
    BlockerRow(
        fits=lambda s: s.newest.blockers is not None and s.merged is not None,
        verdict=Verdict.BLOCKER_CLEARED,
        proposal=Proposal.DROP_BLOCKER,
        reason="the pull request of this round was merged since: the blocker is cleared, not open",
    ),
    BlockerRow(
        fits=lambda s: s.newest.blockers is not None and s.newest.blockers == blockers_before(s),
        verdict=Verdict.BLOCKER_CARRIED,
        proposal=Proposal.CONFIRM_WITH_OPERATOR,
        reason="the same words stand in the tick before: saga.py carries a scalar on and cannot empty it, so it may hold no more",
    ),
    BlockerRow(
        fits=lambda s: s.newest.blockers is not None,
        verdict=Verdict.BLOCKER_OPEN,
        proposal=Proposal.CONFIRM_WITH_OPERATOR,
        reason="the newest tick wrote it",
    ),
    BlockerRow(
        fits=lambda s: any(tick.blockers for tick in s.thread.ticks),
        verdict=Verdict.BLOCKER_CLEARED,
        proposal=Proposal.NONE,
        reason="a later tick left it blank: it was cleared",
    ),
)
"""Where none fits there never was a blocker, and no claim."""


def blockers_before(seen: Seen) -> Raw | None:
    """What the readable tick before the newest one names as blockers."""
    earlier = seen.thread.ticks[:-1]
    return earlier[-1].blockers if earlier else None


def judge_thread(seen: Seen) -> ThreadRow:
    """Answer the row of the thread."""
    return next(row for row in THREAD_ROWS if row.fits(seen))


def judge_blockers(seen: Seen) -> BlockerRow | None:
    """Answer the row of the blockers, None where there never were any."""
    return next((row for row in BLOCKER_ROWS if row.fits(seen)), None)


class Question(Struct, frozen=True, kw_only=True):
    """One question of the thread, by its first appearance. `last` is the newest tick that asks it."""

    text: Raw
    first: Tick
    last: Tick
    is_open: bool


def list_questions(thread: Thread) -> tuple[Question, ...]:
    """Every question that a readable tick ever asked, in the order of first appearance: gone from a later list means answered."""
    first: dict[Raw, Tick] = {}
    last: dict[Raw, Tick] = {}
    for tick in thread.ticks:
        for text in tick.questions:
            first.setdefault(text, tick)
            last[text] = tick
    return tuple(Question(text=text, first=tick, last=last[text], is_open=last[text] is thread.newest) for text, tick in first.items())


def show_thread(seen: Seen) -> Iterator[ClaimEvidence[Raw]]:
    """Everything that was seen of the thread, for it and against it."""
    yield ClaimEvidence(kind=EvidenceKind.TICK, what=seen.newest.name, value=describe_tick(seen.newest), says=Says.FOR)
    for torn in seen.thread.torn:
        if torn.newest:
            yield ClaimEvidence(kind=EvidenceKind.TICK, what=torn.name, value=compose("newer, but torn: ", torn.why), says=Says.UNKNOWN)
    for old, new in seen.regressions[-LIMITS.evidence_listed :]:
        went_back = compose("back from ", old.phase, " (", old.name, ") to ", new.phase)
        yield ClaimEvidence(kind=EvidenceKind.TICK, what=new.name, value=went_back, says=Says.AGAINST)
    yield _show_branch(seen)
    for name in seen.index_differences:
        index = (seen.thread.index or {})[name]
        yield ClaimEvidence(kind=EvidenceKind.FILE, what=Raw(f"state.json {name}"), value=index, says=Says.AGAINST)
    yield from _show_pull_requests(seen)


def describe_tick(tick: Tick) -> Raw:
    """Phase and status of a tick in a few words."""
    state = tick.fields.get("phase_status", Raw("no phase status")), tick.fields.get("status", Raw("no status"))
    return compose(tick.phase, " ", state[0], ", ", state[1])


def _show_branch(seen: Seen) -> ClaimEvidence[Raw]:
    if seen.place.branch is None:
        return ClaimEvidence(kind=EvidenceKind.GIT, what=Raw("branch"), value=Raw(seen.place.problem or "none"), says=Says.UNKNOWN)
    says = Says.AGAINST if seen.branch_differs else Says.FOR
    return ClaimEvidence(kind=EvidenceKind.GIT, what=Raw("branch"), value=Raw(seen.place.branch), says=says)


def _show_pull_requests(seen: Seen) -> Iterator[ClaimEvidence[Raw]]:
    if seen.prs is None:
        yield ClaimEvidence(kind=EvidenceKind.PR, what=Raw("GitHub"), value=Raw("not asked: no --facts were given"), says=Says.UNKNOWN)
        return
    against = seen.merged
    for each in of_thread(seen.prs, seen.newest)[-LIMITS.evidence_listed :]:
        says = Says.AGAINST if each is against else Says.UNKNOWN if seen.by_contract else Says.FOR
        yield ClaimEvidence(kind=EvidenceKind.PR, what=Raw(each.url), value=describe(each), says=says)
