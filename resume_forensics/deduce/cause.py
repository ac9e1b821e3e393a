"""What ended a session, or what it survived. In: the events of its tail, in order. Out: a `Termination`.

The last fault decides, unless a later turn came to its normal end; then the session ended well and the fault is told as survived.
"""

from collections.abc import Sequence

from resume_forensics.model.event import Event, Fault, Turn
from resume_forensics.model.report import SurvivedFault, Termination
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker, StopCause

REMEDIES = {
    StopCause.AUTH_EXPIRED: "log in again (/login), then check every other login the work needs, such as `gh auth status`",
    StopCause.USAGE_LIMIT: "note the reset time; do not fan out into the ceiling",
    StopCause.RATE_LIMITED: "back off; make one call before many",
    StopCause.API_OVERLOAD: "retry one call before spawning ten",
    StopCause.API_5XX: "retry one call before spawning ten",
    StopCause.NETWORK: "make one cheap real call; do not assume that the network is back",
    StopCause.STALLED: "the response stopped arriving; retry once before fanning out",
    StopCause.MACHINE_SLEPT: "the machine was suspended in mid-response; nothing is wrong upstream: continue",
    StopCause.CONTEXT_TOO_LONG: "the prompt exceeded the window; shrink it before retrying",
    StopCause.USER_INTERRUPT: "ask what the operator wanted changed before continuing",
    StopCause.API_ERROR_UNCLASSIFIED: "an error that is not recognised: read the evidence; do not treat it as clean",
    StopCause.CLEAN_OR_UNKNOWN: "no sign of an end from outside; the session may have ended normally, or the record may be gone",
}
"""How to clear each cause before anything is started again. The words for `process_shutdown` belong to the harness."""

_OPENS_A_TURN = frozenset({Speaker.HUMAN, Speaker.HARNESS, Speaker.NOTICE})


class Cause:
    """Takes the events of a tail (`see`) and tells what ended the session (`answer`). Events of helpers are passed over."""

    def __init__(self, shutdown_remedy: str) -> None:
        self._shutdown_remedy = shutdown_remedy
        self._fault: Fault | None = None
        self._reopened = False
        self._completed = False
        self._answered = False

    def see(self, event: Event) -> None:
        """Take one event of the tail."""
        if event.stamp.sidechain:
            return
        match event:
            case Fault():
                self._fault = event
                self._reopened = self._completed = self._answered = False
            case Turn() if self._fault is not None and not _is_same_record(event, self._fault):
                self._see_turn(event)
            case _:
                pass

    def _see_turn(self, turn: Turn) -> None:
        if turn.speaker is Speaker.ASSISTANT:
            self._answered = turn.finished and self._reopened
            return
        if turn.finished:  # the harness measured the whole turn
            self._completed = self._completed or self._reopened
        elif _opens(turn):
            self._completed = self._completed or self._answered
            self._reopened = True
        self._answered = False

    def answer(self) -> Termination[Raw]:
        """Tell what ended the session; without any fault it is `clean_or_unknown` without evidence."""
        fault = self._fault
        if fault is None:
            return self._ended_by(StopCause.CLEAN_OR_UNKNOWN, None, None)
        completed = self._completed or self._answered
        survived = SurvivedFault(kind=fault.cause, evidence=fault.evidence, at=fault.stamp.at, completed=completed)
        deciding = None if completed else fault
        return self._ended_by(deciding.cause if deciding else StopCause.CLEAN_OR_UNKNOWN, deciding, survived if self._reopened else None)

    def _ended_by(self, kind: StopCause, fault: Fault | None, survived: SurvivedFault[Raw] | None) -> Termination[Raw]:
        return Termination(
            kind=kind,
            evidence=fault.evidence if fault else None,
            at=fault.stamp.at if fault else None,
            remedy=Raw(self._shutdown_remedy if kind is StopCause.PROCESS_SHUTDOWN else REMEDIES[kind]),
            resets_at=fault.resets_at if fault else None,
            recovered=survived,
        )


class Backwards:
    """Takes the events of a tail record by record, the last record first, until what stands before can change no cause (`settled`)."""

    def __init__(self) -> None:
        self.settled = False
        self._closes = False
        self._next: Turn | None = None

    def see(self, events: Sequence[Event]) -> None:
        """Take the events of the record before, in the order of that record."""
        own = [event for event in events if not event.stamp.sidechain]
        if any(isinstance(event, Fault) for event in own):
            self.settled = True
        for event in reversed(own):
            if isinstance(event, Turn):
                self._see_turn(event)

    def _see_turn(self, turn: Turn) -> None:
        """A normal end that follows the opening of a turn ends whatever fault came before both."""
        if turn.speaker is Speaker.ASSISTANT:
            self._closes = self._closes or (turn.finished and (self._next is None or _opens(self._next)))
        elif turn.finished:
            self._closes = True
        elif _opens(turn):
            self.settled = self.settled or self._closes
        self._next = turn


def _opens(turn: Turn) -> bool:
    return turn.speaker in _OPENS_A_TURN and not turn.finished


def _is_same_record(turn: Turn, fault: Fault) -> bool:
    return turn.stamp.line == fault.stamp.line
