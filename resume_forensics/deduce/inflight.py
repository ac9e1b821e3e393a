"""Which of the session's own tool calls was running when it ended. In: the events of its tail, in order. Out: the calls without result."""

from collections import OrderedDict

from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Call, Event, Result, Turn
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker


class InFlight:
    """Takes the events of a tail (`see`) and names the calls of the last turn that never got a result (`answer`).

    A call that starts a worker is the ledger's business, and so are the calls of helpers.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[Raw, Call] = OrderedDict()

    def see(self, event: Event) -> None:
        """Take one event of the tail."""
        if event.stamp.sidechain:
            return
        match event:
            case Call(spawns=None):
                self._open[event.tool_use_id] = event
                if len(self._open) > LIMITS.running_calls:
                    self._open.popitem(last=False)
            case Result():
                self._open.pop(event.tool_use_id, None)
            case Turn(speaker=Speaker.HUMAN):
                self._open.clear()
            case _:
                pass

    def answer(self) -> tuple[Call, ...]:
        """The calls without a result, in the order in which they were made."""
        return tuple(self._open.values())
