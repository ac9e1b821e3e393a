"""What stands around the resume-class turns of one session: before them the stop and the workers in flight, after them what was done.

In: a session whose ledger is full, and the lines of its candidate turns. Out: a `TurnCount` for each turn that is one.
"""

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from itertools import chain

from msgspec import Struct

from resume_forensics.count.aftermath import Aftermath
from resume_forensics.count.turns import is_bare, is_resume
from resume_forensics.deduce.cause import Backwards, Cause
from resume_forensics.deduce.cut import cut_book
from resume_forensics.deduce.join import Joined, join
from resume_forensics.deduce.ledger import Book
from resume_forensics.limits import LIMITS, WINDOW
from resume_forensics.model.count import TurnCount
from resume_forensics.model.event import Event, Stamp, Turn
from resume_forensics.model.layout import Harness
from resume_forensics.model.piece import Followed, Sought
from resume_forensics.model.record import Record
from resume_forensics.model.session import Source
from resume_forensics.read.records import decode_line
from resume_forensics.read.tail import BackwardReading
from resume_forensics.read.windows import read_lines_from
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker, StopCause, WorkerKind, WorkerState


class Story(Struct, frozen=True, kw_only=True, dict=True):
    """The main transcript of a session, and what its ledger holds.

    `size_bytes`: how long it is; of it `whole_bytes` are the first `whole_lines` lines, the rest is one without its newline. `sought`:
    what an earlier sweep found in the lines that there were then, the end of which is `sought_bytes`.
    """

    main: Source
    harness: Harness
    book: Book
    joined: Joined
    own_id: Raw | None
    size_bytes: int
    whole_bytes: int
    whole_lines: int
    sought: Sought
    sought_bytes: int

    def is_own(self, stamp: Stamp) -> bool:
        """Whether a record is the session's own: no copied history, and no helper's inside the main file."""
        if stamp.sidechain or stamp.copied_from is not None:
            return False
        return self.own_id is None or stamp.session_id in (None, self.own_id)

    @cached_property
    def names(self) -> frozenset[int]:
        """Every name by which the session's workers are called, as a fingerprint."""
        ids = (worker.worker_id for worker in self.joined.workers)
        aliases = (launch.alias for launch in self.book.launches.values())
        return frozenset(name.fingerprint() for name in (*ids, *aliases) if name is not None)

    @cached_property
    def first_human_byte(self) -> int | None:
        """Where the first human turn of the file stands."""
        if self.sought.first_human is not None:
            return self.sought.first_human
        lines = ((byte, event) for byte, event in self.events_from(0, 1) if isinstance(event, Turn))
        return next((byte for byte, turn in lines if turn.speaker is Speaker.HUMAN and not turn.stamp.sidechain), None)

    def events_from(self, byte: int, number: int) -> Iterator[tuple[int, Event]]:
        """The events of the main file from the line at `byte` on, each with the byte of its line."""
        for line in read_lines_from(self.main.path, byte, number=number, end=self.size_bytes, limits=WINDOW):
            for item in decode_line(line):
                if isinstance(item, Record):
                    for event in self.harness.translate(item, self.main):
                        yield line.byte, event


class Counting:
    """The resume-class turns of a session. `turns` of them in file order, `continuations`: how many turns the harness typed to go on.

    `followed`: what came of each, to go on from it once the file has grown.
    """

    def __init__(self, story: Story, openings: dict[int, int]) -> None:
        self.turns: list[TurnCount] = []
        self.continuations = 0
        self.followed: list[Followed] = []
        self._story = story
        self._known = {one.byte: one for one in story.sought.followed}
        for byte, number in sorted(openings.items()):
            self._count(byte, number)

    def _count(self, byte: int, number: int) -> None:
        """Count what stands on one line."""
        said, rest = _split_events(self._story, byte, number)
        self.continuations += sum(turn.continues for turn in said)
        resumes = [turn for turn in said if _is_resume_turn(turn)]
        if resumes:
            after = self._follow(byte, rest)
            self.turns += (_count_turn(self._story, turn, byte, after) for turn in resumes)

    def _follow(self, byte: int, rest: Iterator[tuple[int, Event]]) -> Aftermath:
        """What came after a line. What a line without its newline says is not kept."""
        story, known, kept = self._story, self._known.get(byte), None
        after = Aftermath(known)
        for at, event in rest if known is None else story.events_from(known.read_to, known.line):
            if after.closed:
                break
            if at >= story.whole_bytes and kept is None:
                kept = after.keep(byte, read_to=story.whole_bytes, line=story.whole_lines + 1)
            after.see(event)
        if byte < story.whole_bytes:
            self.followed.append(kept or after.keep(byte, read_to=story.whole_bytes, line=story.whole_lines + 1))
        return after


def _split_events(story: Story, byte: int, number: int) -> tuple[list[Turn], Iterator[tuple[int, Event]]]:
    """The session's own turns on one line, and the events of the lines after it."""
    said: list[Turn] = []
    events = story.events_from(byte, number)
    for at, event in events:
        if at > byte:
            return said, chain([(at, event)], events)
        if isinstance(event, Turn) and story.is_own(event.stamp):
            said.append(event)
    return said, events


def _is_resume_turn(turn: Turn) -> bool:
    return turn.speaker is Speaker.HUMAN and not turn.continues and turn.text is not None and is_resume(turn.text)


def _count_turn(story: Story, turn: Turn, byte: int, after: Aftermath) -> TurnCount:
    line, at, text = turn.stamp.line, turn.stamp.at, turn.text or Raw("")
    cause, last_at = _look_back(story, byte)
    return TurnCount(
        form=text.folded().fingerprint(),
        bare=is_bare(text),
        at_ms=to_ms(at),
        preceded_by=cause,
        in_flight=_in_flight(story, turn.stamp),
        respawned=after.spawned or _launches_between(story, line, after.next_line),
        queried=not story.names.isdisjoint(after.targets),
        no_calls=not after.called,
        acknowledged=after.acknowledged,
        retyped=after.retyped,
        opens_file=story.first_human_byte in (None, byte),
        silent_ms=_between(last_at, at),
    )


def _look_back(story: Story, byte: int) -> tuple[StopCause, datetime | None]:
    """What had stopped the session before a turn, and when it had written its last record.

    As a scan of the file up to there says it, whose tail is read only as far back as it can change the answer.
    """
    kept: list[tuple[Event, ...]] = []
    backwards, counted, last_at = Backwards(), 0, None
    for item in BackwardReading(story.main.path, max_bytes=LIMITS.tail_bytes, end=byte, limits=WINDOW):
        if isinstance(item, Record):
            kept.append(tuple(story.harness.translate(item, story.main)))
            backwards.see(kept[-1])
            if story.harness.is_activity(item):
                counted += 1
                last_at = last_at or story.harness.time_of(item)
            if counted >= LIMITS.tail_records or (backwards.settled and last_at is not None):
                break
    cause = Cause(story.harness.shutdown_remedy)
    for event in chain.from_iterable(reversed(kept)):
        cause.see(event)
    return cause.answer().kind, last_at


def _in_flight(story: Story, moment: Stamp) -> tuple[WorkerKind, ...]:
    """The kinds of the workers that were launched and had not ended at a record."""
    if not story.joined.workers:
        return ()
    workers = join(cut_book(story.book, moment), story.own_id).workers
    return tuple(sorted(one.kind for one in workers if one.state is WorkerState.UNREPORTED and not one.launch_missing))


def _launches_between(story: Story, line: int, next_line: int | None) -> bool:
    """Whether the session launched, or set to work again, a worker between two lines of its main file."""
    stamps = (launch.stamp for launch in story.book.launches.values() if launch.stamp.source is story.main)
    return any(line < stamp.line and (next_line is None or stamp.line < next_line) and story.is_own(stamp) for stamp in stamps)


def to_ms(moment: datetime | None) -> int | None:
    """Milliseconds since 1970."""
    return None if moment is None else round(moment.timestamp() * 1000)


def _between(earlier: datetime | None, later: datetime | None) -> int | None:
    return None if earlier is None or later is None else max(0, round((later - earlier).total_seconds() * 1000))
