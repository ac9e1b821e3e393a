"""What came of a resume-class turn. In: the events of the records after it, in order. Out: what was done up to the next human turn."""

from resume_forensics.count.turns import acknowledges_death, is_resume
from resume_forensics.model.event import Call, Event, Turn
from resume_forensics.model.piece import Followed
from resume_forensics.vocabulary import Speaker


class Aftermath:
    """Takes events (`see`) until `closed`. What helpers did inside a main file is passed over.

    `known`: what earlier events said. `targets`: fingerprints of the ids that calls other than launches speak to. `spawned`: a call
    starts a worker. `next_line`: that of the next human turn, None where the file ends before one.
    """

    def __init__(self, known: Followed | None = None) -> None:
        self.called, self.spawned, self.acknowledged, self.retyped = known[3:7] if known else (False,) * 4
        self.next_line = known.next_line if known else None
        self.targets: set[int] = set(known.targets) if known else set()

    def keep(self, byte: int, *, read_to: int, line: int) -> Followed:
        """What was seen so far after the turn at a byte, to go on from it at the beginning of a line."""
        flags = (self.called, self.spawned, self.acknowledged, self.retyped)
        return Followed(byte, read_to, line, *flags, self.next_line, tuple(sorted(self.targets)))

    @property
    def closed(self) -> bool:
        """Whether the next human turn was seen."""
        return self.next_line is not None

    def see(self, event: Event) -> None:
        """Take the next event."""
        if self.closed or event.stamp.sidechain:
            return
        match event:
            case Call():
                self.called = True
                self.spawned = self.spawned or event.spawns is not None
                if event.spawns is None and event.target is not None:
                    self.targets.add(event.target.fingerprint())
            case Turn(speaker=Speaker.HUMAN):
                self.next_line = event.stamp.line
                self.retyped = event.text is not None and is_resume(event.text)
            case Turn(speaker=Speaker.ASSISTANT, text=text) if text is not None:
                self.acknowledged = self.acknowledged or acknowledges_death(text)
            case _:
                pass
