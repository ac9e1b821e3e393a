"""Where a reconciliation stands once everything was judged: the thread, its obligations, its conflicts, its way. Pure."""

from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.saga.chain import Seen
from resume_forensics.deduce.reconcile.saga.obligations import Finding
from resume_forensics.deduce.reconcile.saga.routes import HANDOFF, HORIZONS, find_route
from resume_forensics.deduce.reconcile.saga.selection import Selection
from resume_forensics.model.claim import Circumstances, Conflict
from resume_forensics.model.thread import SagaState
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Settlement

_ANNOUNCE: Final = "announce the command with its reason in one line; do not build, test, review, deploy or file anything while resuming"
_ONE_TICK: Final = (
    "write the one re-entry tick (--apply); it is git-ignored and never `git add`ed; paths in it stay relative to the repository"
)
_ENVELOPE: Final = "build the envelope of the hand-over: python3 plugins/saga/scripts/handoff_envelope.py"


class Position(Struct, frozen=True, kw_only=True):
    """Everything that was judged, before it is said what follows."""

    state: SagaState
    circumstances: Circumstances
    selection: Selection
    seen: Seen | None
    findings: tuple[Finding, ...]
    conflicts: tuple[Conflict[Raw], ...]

    @property
    def unsettled(self) -> Finding | None:
        """The first required obligation that is not settled."""
        return next((each for each in self.findings if each.obligation.required and each.state is not Settlement.SATISFIED), None)

    @property
    def conflicting(self) -> Finding | None:
        """The first required obligation whose receipts conflict."""
        return next((each for each in self.findings if each.obligation.required and each.state is Settlement.CONFLICTING), None)

    @property
    def contract_unreadable(self) -> bool:
        """Whether a contract was given that cannot be read."""
        return self.state.proof is not None and self.state.proof.problem is not None


class Way(Struct, frozen=True, kw_only=True):
    """Where the selected thread leads: a command (None: there is none to name), why, and what it is about."""

    command: Raw | None
    reason: Raw
    target: Raw
    ends: bool = False


def find_way(position: Position, seen: Seen) -> Way:
    """Answer the way of the selected thread: its first unsettled obligation goes before the phase that its ticks name."""
    target = compose("saga:", seen.thread.saga_id)
    if position.contract_unreadable or position.conflicting:
        return Way(command=None, reason=Raw("what the contract says must be adjudicated first"), target=target)
    if position.unsettled:
        name = position.unsettled.obligation.obligation_id
        reason = compose("the earliest unsettled obligation goes before the phase: ", position.unsettled.reason)
        return Way(command=position.unsettled.destination, reason=reason, target=compose("obligation:", name))
    complete = seen.complete or seen.merged is not None
    route = find_route(seen.newest.phase, complete=complete, findings=bool(seen.newest.findings))
    command = None if route.command is None else Raw(route.command)
    return Way(command=command, reason=Raw(route.reason), target=target, ends=command is None)


def follow(way: Way, seen: Seen) -> tuple[Raw, ...]:
    """The duties that come with a way."""
    horizon = HORIZONS.get(seen.newest.destination) if seen.newest.destination else None
    envelope = _ENVELOPE if way.command == Raw(HANDOFF) else None
    return tuple(Raw(text) for text in (_ANNOUNCE, horizon, _ONE_TICK, envelope) if text)
