"""What contradicts what in a saga, and which side stands. In: what was judged. Out: conflicts and warnings. Pure."""

from collections.abc import Iterator

from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.deduce.reconcile.saga.chain import Seen, describe_tick, judge_blockers
from resume_forensics.deduce.reconcile.saga.obligations import Finding
from resume_forensics.deduce.reconcile.saga.pull_requests import describe
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances, Conflict
from resume_forensics.model.thread import SagaState, Thread, TornTick
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import ConflictKind, Settlement, Verdict


def list_conflicts(
    state: SagaState, seen: Seen | None, findings: tuple[Finding, ...], circumstances: Circumstances
) -> Iterator[Conflict[Raw]]:
    """Every contradiction, in a fixed order."""
    if len(state.folders) > 1 and not state.chosen:
        stands = compose(state.folder, " is read; --state-dir chooses another")
        yield find_conflict(ConflictKind.TWO_STATE_DIRS, (Raw("state-file"),), state.folders, circumstances, resolution=stands)
    for thread in state.threads:
        yield from (_tear(thread, torn, circumstances) for torn in thread.torn)
    if seen:
        yield from _of_thread(seen, circumstances)
    for each in findings:
        if each.obligation.required and each.state is Settlement.CONFLICTING:
            claim = compose("obligation:", each.obligation.obligation_id)
            yield find_conflict(
                ConflictKind.OBLIGATION_CONFLICT, (claim,), (Raw("the contract asks for proof"), each.reason), circumstances
            )


def _tear(thread: Thread, torn: TornTick, circumstances: Circumstances) -> Conflict[Raw]:
    claims = (compose("tick:", thread.saga_id, "/", torn.name), compose("saga:", thread.saga_id))
    speaks = compose(torn.previous, " speaks") if torn.previous else Raw("no readable tick stands before it")
    sides = compose(torn.name, ": ", torn.why), speaks
    return find_conflict(ConflictKind.TORN_TICK, claims, sides, circumstances, resolution=Raw("the readable tick stands"))


def _of_thread(seen: Seen, circumstances: Circumstances) -> Iterator[Conflict[Raw]]:
    claim, newest = compose("saga:", seen.thread.saga_id), compose(seen.newest.name, ": ", describe_tick(seen.newest))
    if seen.merged:
        past = Raw("past its work: GitHub outranks the cache, once the operator has confirmed it")
        yield find_conflict(ConflictKind.CACHE_VS_PR, (claim,), (newest, describe(seen.merged)), circumstances, resolution=past)
    if seen.regressions:
        sides = tuple(compose(old.name, " ", old.phase, ", then ", new.name, " ", new.phase) for old, new in seen.regressions)
        later = Raw("the later tick stands; tell that the phase went back")
        yield find_conflict(ConflictKind.PHASE_REGRESSION, (claim,), sides[-LIMITS.evidence_listed :], circumstances, resolution=later)
    if seen.branch_differs:
        said, found = seen.newest.fields.get("branch", Raw("")), Raw(seen.place.branch or "")
        sides = (compose(seen.newest.name, ": ", said), compose("git: ", found))
        yield find_conflict(ConflictKind.BRANCH_VS_GIT, (claim,), sides, circumstances, resolution=Raw("git stands"))
    if seen.index_differences:
        index = seen.thread.index or {}
        sides = tuple(compose("state.json ", name, ": ", index[name]) for name in seen.index_differences)
        yield find_conflict(ConflictKind.INDEX_VS_TICKS, (claim,), (newest, *sides), circumstances, resolution=Raw("the ticks stand"))
    row = judge_blockers(seen)
    if row and row.verdict is Verdict.BLOCKER_CARRIED:
        earlier = seen.thread.ticks[-2].name
        sides = (compose(earlier, " names it"), compose(seen.newest.name, " names it in the same words"))
        yield find_conflict(ConflictKind.CARRIED_SCALAR, (Raw("blocker"), claim), sides, circumstances)


def list_warnings(state: SagaState, seen: Seen | None) -> Iterator[Raw]:
    """What must be said although no claim is about it."""
    for paper, why in seen.refused if seen else ():
        yield compose("refused, and not to be read: ", paper.name, f" ({paper.field} of the newest tick): {why}")
    for thread in state.threads:
        yield from (_warn_of_tear(thread, torn) for torn in thread.torn if torn.newest)
        if thread.unread:
            yield compose(thread.saga_id, f": {thread.unread} older ticks were not read")
    if state.unread_threads:
        yield Raw(f"{state.unread_threads} further threads were not read; name one with --saga-id")
    if state.index_problem:
        yield compose("state.json is of no use (", state.index_problem, "); it is derived, the ticks stand")
    if state.strays:
        yield compose("state.json names threads that have no folder: ", *_joined(state.strays))
    if state.checkpoints:
        yield compose("checkpoints of the format before ticks are there, not read as ticks: ", *_joined(state.checkpoints))
    if state.contracts and state.proof is None:
        yield compose("contracts lie in the repository and none was given (--contract, --receipt): ", *_joined(state.contracts))


def _warn_of_tear(thread: Thread, torn: TornTick) -> Raw:
    instead: tuple[str | Raw, ...] = (torn.previous, " is used instead") if torn.previous else ("and no readable tick stands before it",)
    return compose("the newest tick of ", thread.saga_id, " is torn: ", torn.name, " (", torn.why, "); ", *instead)


def _joined(names: tuple[Raw, ...]) -> tuple[str | Raw, ...]:
    listed = names[: LIMITS.evidence_listed]
    more = f" and {len(names) - len(listed)} more" if len(names) > len(listed) else ""
    return (*(part for at, name in enumerate(listed) for part in ((", ", name) if at else (name,))), more)
