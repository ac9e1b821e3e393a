"""Joins launches with ends by id, and says of each worker whether it came back and how that is known.

In: the book of a ledger and the session's own id. Out: workers in launch order, and drivers.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate

from msgspec import Struct, field

from resume_forensics.deduce.drivers import list_drivers
from resume_forensics.deduce.ledger import Book, Entry
from resume_forensics.deduce.order import is_before, merge_in_order
from resume_forensics.model.event import Call, End, Event, KillAll, Launch, Mention, Stamp
from resume_forensics.model.worker import Driver, Worker
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Delivery, Habitat, Outcome, WorkerKind, WorkerState

_STRENGTH = (
    (Channel.STOPPED, Delivery.STOPPED),
    (Channel.DELIVERED, Delivery.DELIVERED),
    (Channel.FETCHED, Delivery.FETCHED),
    (Channel.QUEUED, Delivery.QUEUED),
)
_KILLED = Raw("killed")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class _Case(Struct, kw_only=True):
    """All that the book holds of one worker."""

    launches: list[Launch] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    foreground: bool = False
    own: bool = False


class Joined(Struct, frozen=True, kw_only=True):
    """The answer: workers in launch order, and drivers."""

    workers: tuple[Worker, ...]
    drivers: tuple[Driver, ...]


_NOTHING = Joined(workers=(), drivers=())


def join(book: Book, own_id: Raw | None) -> Joined:
    """Join a book. `own_id`: the session's id; records of another session are copied history (None: all are its own)."""
    return _NOTHING if book.is_empty else _Join(book, own_id).answer()


class _Join:
    def __init__(self, book: Book, own_id: Raw | None) -> None:
        self._book = book
        self._own_id = own_id
        self._cases: dict[Raw, _Case] = {}
        self._ids = _workers_by_call(book)
        self._aliases = {launch.alias: launch.worker_id for launch in book.launches.values() if launch.alias and launch.worker_id}
        self._runs = _latest_of_each_run(book)
        self._driver_ids = {move.driver_id for move in book.drivers.values()}
        self._kill_peaks = list(accumulate((kill.stamp.at or _LONG_AGO for kill in book.kills), max))

    def answer(self) -> Joined:
        """Fill one case per worker, then judge each."""
        calls = {call.tool_use_id: call for call in (*self._book.lost_calls.values(), *self._book.open_spawns.values())}
        for launch in merge_in_order([*self._book.launches.values(), *map(self._launch_of, calls.values())]):
            self._add_launch(launch, foreground=launch.tool_use_id in calls)
        for entries in self._book.ends.values():
            for entry in entries:
                self._add_entry(entry)
        for mention in self._book.mentions.values():
            self._add_mention(mention)
        workers = [self._judge(key, case) for key, case in self._cases.items() if case.own]
        return Joined(workers=tuple(workers), drivers=tuple(list_drivers(self._book, self._is_own)))

    # -- filling the cases

    def _is_own(self, stamp: Stamp) -> bool:
        if stamp.source.owner is not None or stamp.source.later or self._own_id is None:
            return True
        return stamp.copied_from is None and stamp.session_id in (None, self._own_id)

    def _launch_of(self, call: Call) -> Launch:
        """A foreground call that died in flight, as the launch it was."""
        return Launch(
            stamp=call.stamp,
            kind=call.spawns or WorkerKind.AGENT,
            habitat=Habitat.IN_PROCESS,
            worker_id=self._ids.get(call.tool_use_id) or call.target,
            tool_use_id=call.tool_use_id,
            description=call.description,
            prompt=call.prompt,
            subagent_type=call.subagent_type,
        )

    def _case(self, key: Raw) -> _Case:
        return self._cases.setdefault(key, _Case())

    def _add_launch(self, launch: Launch, *, foreground: bool) -> None:
        key = launch.worker_id or launch.tool_use_id
        if key is None:
            return
        case = self._case(key)
        case.launches.append(launch)
        case.foreground = foreground
        case.own = case.own or self._is_own(launch.stamp)

    def _key_of(self, worker_id: Raw | None, tool_use_id: Raw | None) -> Raw | None:
        if worker_id is not None:
            return worker_id if worker_id in self._cases else self._aliases.get(worker_id, worker_id)
        return None if tool_use_id is None else self._ids.get(tool_use_id, tool_use_id)

    def _add_entry(self, entry: Entry) -> None:
        end = entry.end
        key = self._key_of(end.worker_id, end.tool_use_id)
        own = self._is_own(end.stamp)
        if key is None or key in self._driver_ids or (key not in self._cases and (not own or end.notice is None)):
            return
        case = self._case(key)
        case.entries.append(entry)
        case.own = case.own or own

    def _add_mention(self, mention: Mention) -> None:
        key = self._key_of(mention.worker_id, mention.tool_use_id)
        own = self._is_own(mention.stamp)
        lists = own and (mention.notice or mention.registers)
        if key is None or key in self._driver_ids or (key not in self._cases and not lists):
            return
        case = self._case(key)
        case.mentions.append(mention)
        case.own = case.own or own

    # -- judging one case

    def _judge(self, key: Raw, case: _Case) -> Worker:
        latest = case.launches[-1] if case.launches else None
        said: list[Event] = [*(entry.end for entry in case.entries), *case.mentions]
        counted = [entry for entry in case.entries if _counts(entry, case, latest)]
        killed = self._killed(latest, counted)
        decided = killed or _decide(counted)
        launch = _description_of(case, latest)
        call = self._book.calls.get(launch.tool_use_id) if launch and launch.tool_use_id else None
        registered = next((mention for mention in case.mentions if mention.registers), None)
        return Worker(
            worker_id=key if _said("worker_id", *([launch] if launch else said)) else None,
            tool_use_id=latest.tool_use_id if latest else _said("tool_use_id", *said),
            kind=launch.kind if launch else _kind_said(case),
            habitat=latest.habitat if latest else Habitat.NOT_SAID,
            state=_state_of(decided),
            delivery=self._delivery(counted, killed),
            tool=call.tool if call else None,
            description=_said("description", launch, call, registered),
            command=_said("command", launch, call),
            prompt=_said("prompt", launch, call),
            subagent_type=_said("subagent_type", launch, call),
            output_file=_said("output_file", latest, launch, decided),
            run_id=_said("run_id", latest, launch),
            parent_worker_id=_parent_of(launch),
            spawned_at=launch.stamp.at if launch else registered.stamp.at if registered else None,
            status=decided.status if decided else None,
            summary=decided.summary if decided else None,
            lost_track=decided is None and any(mention.lost_track and _follows(mention, case) for mention in case.mentions),
            launch_missing=launch is None and registered is None,
            foreground=case.foreground,
            superseded_by=self._successor(latest),
            reopened=sum(1 for one in case.launches if one is not launch and _reopens(one, case)),
            counted_id=latest.counted_id if latest else False,
            copied_from=None if launch is None or self._is_own(launch.stamp) else launch.stamp.copied_from or launch.stamp.session_id,
            launch=latest.stamp if latest else registered.stamp if registered else None,
            end=decided.stamp if decided else None,
        )

    def _killed(self, latest: Launch | None, counted: list[Entry]) -> End | None:
        """The end that a kill of all agents means for an agent that was outstanding then."""
        if latest is None or latest.kind is not WorkerKind.AGENT:
            return None
        kill = self._first_kill_after(latest.stamp)
        if kill is None or any(is_before(entry.end.stamp, kill.stamp) for entry in counted):
            return None
        return _kill_end(kill, latest)

    def _first_kill_after(self, stamp: Stamp) -> KillAll | None:
        kills = self._book.kills
        if kills and kills[0].stamp.source is stamp.source:
            at = bisect_right(kills, stamp.line, key=lambda kill: kill.stamp.line)
            return kills[at] if at < len(kills) else None
        at = bisect_right(self._kill_peaks, stamp.at) if stamp.at else len(kills)  # where the peak passes a time, it is first passed
        return kills[at] if at < len(kills) else None

    def _successor(self, latest: Launch | None) -> Raw | None:
        """The later launch that continued the same workflow run (`resumeFromRunId`, or the run's id in its receipt)."""
        if latest is None or latest.kind is not WorkerKind.WORKFLOW or latest.run_id is None:
            return None
        later = self._runs.get(latest.run_id)
        return later.worker_id if later and later.worker_id != latest.worker_id and is_before(latest.stamp, later.stamp) else None

    def _delivery(self, counted: list[Entry], killed: End | None) -> Delivery:
        channels = {channel for entry in counted for channel in entry.channels} | ({Channel.STOPPED} if killed else set())
        told = any(entry.queued_line is not None and self._book.queue.reached_model(entry.queued_line) for entry in counted)
        if told:
            channels.add(Channel.DELIVERED)
        return next((delivery for channel, delivery in _STRENGTH if channel in channels), Delivery.NONE)


def _workers_by_call(book: Book) -> dict[Raw, Raw]:
    """The worker that each tool call started, as links and launches say, else the notices that name both."""
    named = ((said.tool_use_id, said.worker_id) for said in _notices(book))
    launched = ((call, worker) for worker, call in book.launches)
    return {call: worker for call, worker in (*named, *launched, *book.links.items()) if call is not None and worker is not None}


def _notices(book: Book) -> Iterator[End | Mention]:
    yield from (entry.end for entries in book.ends.values() for entry in entries)
    yield from (mention for mention in book.mentions.values() if mention.notice)


def _latest_of_each_run(book: Book) -> dict[Raw, Launch]:
    """The last workflow launch of each run, by the run that it is and by the run that it was asked to continue."""
    latest: dict[Raw, Launch] = {}
    for launch in book.launches.values():
        call = book.calls.get(launch.tool_use_id) if launch.tool_use_id else None
        for run in (launch.run_id, call.target if call else None):
            if launch.kind is WorkerKind.WORKFLOW and run is not None:
                latest[run] = launch
    return latest


def _counts(entry: Entry, case: _Case, latest: Launch | None) -> bool:
    """Whether an end is of the latest launch. Where only one was made, every end is, also one that was written before it."""
    if latest is None or len(case.launches) == 1:
        return True
    named = entry.end.tool_use_id
    if named is not None and named == latest.tool_use_id:
        return True
    other_spawn = any(launch.tool_use_id == named for launch in case.launches) and not _reopens(latest, case)
    return not other_spawn and is_before(latest.stamp, entry.end.stamp)


def _follows(mention: Mention, case: _Case) -> bool:
    """Whether a mention is of the latest launch; where only one was made, every mention is."""
    return not case.launches[1:] or is_before(case.launches[-1].stamp, mention.stamp)


def _reopens(launch: Launch, case: _Case) -> bool:
    """Whether a launch set an earlier worker to work again; a counter that was issued twice names another worker."""
    return launch.revival or (launch.kind is WorkerKind.AGENT and launch is not case.launches[0] and not launch.counted_id)


def _description_of(case: _Case, latest: Launch | None) -> Launch | None:
    """The launch that says what was asked: the latest that was no revival, else the latest."""
    spawns = [launch for launch in case.launches if not _reopens(launch, case)]
    return spawns[-1] if spawns else latest


def _decide(counted: list[Entry]) -> End | None:
    """Of several ends a successful stop decides, else the last."""
    stops = [entry for entry in counted if Channel.STOPPED in entry.channels]
    last: End | None = None
    for entry in stops or counted:
        if last is None or not is_before(entry.end.stamp, last.stamp):
            last = entry.end
    return last


def _kill_end(kill: KillAll, launch: Launch) -> End:
    return End(stamp=kill.stamp, outcome=Outcome.FAILURE, channel=Channel.STOPPED, status=_KILLED, worker_id=launch.worker_id)


def _kind_said(case: _Case) -> WorkerKind:
    """The kind that notices name where no launch is left; an agent where none does."""
    said = (*(entry.end.kind for entry in case.entries), *(mention.kind for mention in case.mentions))
    return next((kind for kind in said if kind), WorkerKind.AGENT)


def _state_of(end: End | None) -> WorkerState:
    if end is None:
        return WorkerState.UNREPORTED
    return WorkerState.REPORTED if end.outcome is Outcome.SUCCESS else WorkerState.REPORTED_FAILED


def _parent_of(launch: Launch | None) -> Raw | None:
    if launch is None:
        return None
    return launch.stamp.source.owner or (launch.stamp.actor if launch.stamp.sidechain else None)


def _said(name: str, *events: Event | None) -> Raw | None:
    """The text under this name in the first event that has it."""
    found: Raw | None = next((text for event in events if (text := getattr(event, name, None))), None)
    return found
