"""Which human turn of a session came to a normal end last. In: a session whose ledger is full. Out: its stamp, and what to remember of it.

The file is read from its end, as far as a bound; what an earlier sweep found in the lines that there were then is taken from it.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from resume_forensics.flow.turns import Story
from resume_forensics.limits import LIMITS, WINDOW
from resume_forensics.model.event import Stamp, Turn
from resume_forensics.model.piece import Ending
from resume_forensics.model.record import Record
from resume_forensics.read.tail import BackwardReading
from resume_forensics.vocabulary import Speaker

_REMEMBERED_BYTES: Final = LIMITS.tail_bytes // 2
"""How far back something remembered may lie: so far any reading backwards reaches, whatever lines it meets."""


class _Place(NamedTuple):
    """Something that one line says, backwards: a human turn (`human`), or that a turn came to a normal end."""

    byte: int
    line: int
    human: bool


class _Search:
    """Goes backwards over places until the last human turn with a normal end behind it is `found`."""

    def __init__(self) -> None:
        self.last: tuple[int, int] | None = None
        self.found: tuple[int, int] | None = None
        self._ends = False

    def see(self, place: _Place) -> None:
        """Take the place before."""
        if self.found is None and place.human:
            self.last = self.last or (place.byte, place.line)
            self.found = (place.byte, place.line) if self._ends else None
        self._ends = self._ends or not place.human


def find_last_finished_turn(story: Story, launches: Sequence[Stamp]) -> tuple[Stamp | None, Ending]:
    """The last human turn that came to a normal end, if it stands behind one of the launches; and how the whole lines end."""
    floor = min(stamp.line if stamp.source is story.main else 0 for stamp in launches)
    known = story.sought.ending
    if known is not None:
        found, ending = _search(story, floor, known)
        if _can_be_believed(story, found, floor, known):
            return _read_stamp(story, found, floor), ending
    found, ending = _search(story, floor, None)
    return _read_stamp(story, found, floor), ending


def _can_be_believed(story: Story, found: tuple[int, int] | None, floor: int, known: Ending) -> bool:
    """Whether a reading of the whole file could say nothing else: it would come as far as what was found, or no further than was looked."""
    if found is not None:
        return story.size_bytes - found[0] <= _REMEMBERED_BYTES
    return floor >= known.down_line or story.size_bytes - known.down_byte >= LIMITS.tail_bytes


def _search(story: Story, floor: int, known: Ending | None) -> tuple[tuple[int, int] | None, Ending]:
    """Search down to a line; with what is `known` of the old lines, the new ones alone."""
    search, whole = _Search(), _Search()
    walk = _Walk(story, floor, known)
    for place in walk:
        search.see(place)
        if place.byte < story.whole_bytes:
            whole.see(place)
        if search.found is not None:
            break
    return search.found, Ending(whole.last, whole.found, walk.byte, walk.line)


class _Walk:
    """The places of a file, the last one first. `byte` and `line`: how far it came; all that stands behind that line was walked over."""

    def __init__(self, story: Story, floor: int, known: Ending | None) -> None:
        self.byte, self.line = story.size_bytes, story.whole_lines + 1
        self._story = story
        self._floor = floor
        self._known = known

    def __iter__(self) -> Iterator[_Place]:
        story, known = self._story, self._known
        lines = story.whole_lines + (story.whole_bytes < story.size_bytes)
        reading = BackwardReading(story.main.path, max_bytes=LIMITS.tail_bytes, end=story.size_bytes, limits=WINDOW)
        for item in reading:
            line = item.place.line + 1 + lines
            if known is not None and item.place.byte < story.sought_bytes:
                break
            if line <= self._floor:
                self.byte, self.line = item.place.byte, line
                return
            self.byte, self.line = item.place.byte, line - 1
            events = story.harness.translate(item, story.main) if isinstance(item, Record) else ()
            turns = [event for event in events if isinstance(event, Turn) and story.is_own(event.stamp)]
            for turn in reversed(turns):
                if turn.speaker is Speaker.HUMAN or turn.finished:
                    yield _Place(item.place.byte, line, turn.speaker is Speaker.HUMAN)
        if known is not None and not reading.cut:
            yield from self._recall(known)

    def _recall(self, known: Ending) -> Iterator[_Place]:
        """The places of the old lines, as far as they matter."""
        self.byte, self.line = known.down_byte, known.down_line
        if known.last is not None and known.last != known.finished:
            yield _Place(*known.last, human=True)
        if known.finished is not None:
            yield _Place(*known.finished, human=False)
            yield _Place(*known.finished, human=True)


def _read_stamp(story: Story, place: tuple[int, int] | None, floor: int) -> Stamp | None:
    """The stamp of the human turn on a line, if that stands behind another."""
    if place is None or place[1] <= floor:
        return None
    events = (event for at, event in story.events_from(*place) if at == place[0])
    return next((event.stamp for event in events if isinstance(event, Turn) and story.is_own(event.stamp)), None)
