"""Which workers were launched, and how each is said to have ended. In: events of a whole session. Out: a `Book` for the join.

Collect first, join after: a notice may precede its receipt, may come 49 times, may carry only one of two ids. What is kept grows
with workers and open calls, never with lines.
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from resume_forensics.deduce.queue import MessageQueue
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Call, DriverMove, End, Event, KillAll, Launch, Link, Mention, PendingCount, QueueMove, Result
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel


class Entry(Struct, kw_only=True):
    """One end of one worker, and every channel on which it became known. It stands where it was first said."""

    end: End
    channels: set[Channel]
    queued_line: int | None
    launches_before: int


class Book(Struct, kw_only=True):
    """What the ledger collected, keyed by ids as written; launches stand in order of first occurrence."""

    queue: MessageQueue
    launches: dict[tuple[Raw | None, Raw | None], Launch] = field(default_factory=dict)
    calls: dict[Raw, Call] = field(default_factory=dict)
    open_calls: OrderedDict[Raw, Call] = field(default_factory=OrderedDict)
    open_spawns: dict[Raw, Call] = field(default_factory=dict)
    lost_calls: dict[Raw, Call] = field(default_factory=dict)
    ends: dict[tuple[Raw | None, Raw | None, Raw], list[Entry]] = field(default_factory=dict)
    mentions: dict[tuple[Raw | None, bool, bool, bool], Mention] = field(default_factory=dict)
    links: dict[Raw, Raw] = field(default_factory=dict)
    kills: list[KillAll] = field(default_factory=list)
    drivers: dict[tuple[Raw, str | None], DriverMove] = field(default_factory=dict)
    counts: PendingCount | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was launched, ended, mentioned or set up, as in nearly all sessions."""
        return not (self.launches or self.open_spawns or self.lost_calls or self.ends or self.mentions or self.drivers)


class Ledger:
    """Takes events (`see`), says which tool calls it still needs (`wanted_calls`), and hands its `book` to the join.

    `traced_since`: see `MessageQueue`. The events of one file must come in file order.
    """

    def __init__(self, traced_since: tuple[int, ...] = ()) -> None:
        self.book = Book(queue=MessageQueue(traced_since))
        self._version: tuple[int, ...] = ()
        self._launched: Counter[Raw | None] = Counter()
        self._unseen_calls: dict[Raw, Launch] = {}
        self._driver_calls: set[Raw] = set()
        self._awaited: set[Raw] = set()
        self._news: list[Raw] = []
        self._finished_spawns: set[Raw] = set()
        self._waiting: defaultdict[Raw, list[End | Mention | DriverMove | Launch]] = defaultdict(list)
        self._wishes: list[Raw] = []

    def see(self, event: Event) -> None:
        """Take one event."""
        if event.stamp.source.owner is None:
            self._version = event.stamp.version or self._version
        elif isinstance(event, QueueMove | PendingCount | KillAll):
            return  # the queue, the counts and the kills of a helper are not the session's
        taker = _TAKERS.get(type(event))
        if taker is not None:
            taker(self, event)

    def wanted_calls(self) -> frozenset[Raw]:
        """The tool calls that were answered in what was seen, but not seen themselves."""
        return frozenset((*self._waiting, *self._unseen_calls, *self._driver_calls))

    def is_wanted(self, tool_use_id: Raw) -> bool:
        """Whether this tool call is one of the wanted."""
        return tool_use_id in self._waiting or tool_use_id in self._unseen_calls or tool_use_id in self._driver_calls

    def take_wishes(self) -> list[Raw]:
        """The tool calls that came to be wanted since this was last asked; some may have been seen meanwhile."""
        wishes, self._wishes = self._wishes, []
        return wishes

    def awaited_calls(self) -> Collection[Raw]:
        """The tool calls seen whose result matters, and that have none yet."""
        return self._awaited

    def take_awaited(self) -> list[Raw]:
        """Of these the calls seen since this was last asked; some may have a result meanwhile."""
        news, self._news = self._news, []
        return news

    def is_awaited(self, tool_use_id: Raw) -> bool:
        """Whether the result of this tool call matters, and was not seen yet."""
        return tool_use_id in self._awaited

    def is_unlinked(self, tool_use_id: Raw) -> bool:
        """Whether it also matters which helper this tool call started, and nothing has tied them together yet."""
        return tool_use_id in self._awaited and tool_use_id not in self.book.links

    def _take_driver(self, move: DriverMove) -> None:
        self._hold_against_call(move, move.tool_use_id if move.only_from else None)

    def _take_said(self, said: End | Mention) -> None:
        self._hold_against_call(said, said.answers)

    def _take_link(self, link: Link) -> None:
        self.book.links.setdefault(link.tool_use_id, link.worker_id)

    def _take_kill(self, kill: KillAll) -> None:
        self.book.kills.append(kill)

    def _take_move(self, move: QueueMove) -> None:
        self.book.queue.see(move, self._version)

    def _take_counts(self, counts: PendingCount) -> None:
        if counts.stamp.copied_from is None:  # those of copied history counted another session's workers
            self.book.counts = counts

    def _open_call(self, call: Call) -> None:
        if call.tool_use_id in self._driver_calls:
            self._driver_calls.discard(call.tool_use_id)
            self.book.calls[call.tool_use_id] = call
        waiting, launch = self._waiting.pop(call.tool_use_id, []), self._unseen_calls.pop(call.tool_use_id, None)
        for event in waiting:
            self._admit(event, call)
        if launch is not None:
            self._confirm(launch, call)
        if waiting or launch or call.tool_use_id in self.book.calls or call.tool_use_id in self._finished_spawns:
            return
        if call.awaited:
            self._awaited.add(call.tool_use_id)
            self._news.append(call.tool_use_id)
        if call.spawns is not None:
            self.book.open_spawns.setdefault(call.tool_use_id, call)
            return
        self.book.open_calls.setdefault(call.tool_use_id, call)
        if len(self.book.open_calls) > LIMITS.open_calls:
            self.book.open_calls.popitem(last=False)

    def _confirm(self, launch: Launch, call: Call) -> None:
        """Keep the call of a launch that was seen before it, or take back a receipt that another tool's result had quoted."""
        if launch.only_from is None or _made_by(call, launch.only_from):
            self.book.calls[call.tool_use_id] = call
        else:
            del self.book.launches[launch.worker_id, launch.tool_use_id]
            self._launched[launch.worker_id] -= 1

    def _close_call(self, result: Result) -> None:
        """Close a call. A spawn that has a true result stays closed, whatever copies of it follow."""
        self._awaited.discard(result.tool_use_id)
        self.book.open_calls.pop(result.tool_use_id, None)
        call = self.book.open_spawns.pop(result.tool_use_id, None) or self.book.lost_calls.get(result.tool_use_id)
        if call is None:
            return
        if result.lost:
            self.book.lost_calls[call.tool_use_id] = call
        else:
            self.book.lost_calls.pop(call.tool_use_id, None)
            self._finished_spawns.add(call.tool_use_id)

    def _keep_call(self, tool_use_id: Raw | None) -> None:
        """Keep a call that started something beyond its result."""
        for open_calls in (self.book.open_calls, self.book.open_spawns):
            if tool_use_id is not None and (call := open_calls.pop(tool_use_id, None)):
                self.book.calls[tool_use_id] = call

    def _take_launch(self, launch: Launch) -> None:
        call = self._call(launch.tool_use_id)
        if call is None and launch.worker_id is None and launch.revival and launch.tool_use_id is not None:
            self._wait_for(launch.tool_use_id, launch)
        else:
            self._launch(launch, call)

    def _launch(self, launch: Launch, call: Call | None) -> None:
        if call is not None and launch.only_from is not None and not _made_by(call, launch.only_from):
            return
        if launch.worker_id is None and launch.revival:
            if call is None or call.target is None:
                return
            launch = replace(launch, worker_id=call.target)
        self._keep_call(launch.tool_use_id)
        key = (launch.worker_id, launch.tool_use_id)
        if key not in self.book.launches:
            self.book.launches[key] = launch
            self._launched[launch.worker_id] += 1
            if call is None and launch.tool_use_id is not None:
                self._unseen_calls[launch.tool_use_id] = launch
                self._wishes.append(launch.tool_use_id)

    def _hold_against_call(self, event: End | Mention | DriverMove, answers: Raw | None) -> None:
        """Admit what stands alone; hold what a text suggested against the tool that was called, now or when the call is seen."""
        guarded = event.only_from is not None or (not isinstance(event, DriverMove) and event.worker_id is None)
        if answers is None or not guarded:
            self._admit(event, None)
            return
        call = self._call(answers)
        if call is None:
            self._wait_for(answers, event)
        else:
            self._admit(event, call)

    def _wait_for(self, tool_use_id: Raw, event: End | Mention | DriverMove | Launch) -> None:
        self._waiting[tool_use_id].append(event)
        self._wishes.append(tool_use_id)

    def _call(self, tool_use_id: Raw | None) -> Call | None:
        if tool_use_id is None:
            return None
        book = self.book
        return book.open_spawns.get(tool_use_id) or book.open_calls.get(tool_use_id) or book.calls.get(tool_use_id)

    def _admit(self, event: End | Mention | DriverMove | Launch, call: Call | None) -> None:
        if call is not None and event.only_from is not None and not _made_by(call, event.only_from):
            return
        match event:
            case Launch():
                self._launch(event, call)
                if call is not None and call.target is not None:
                    self.book.calls[call.tool_use_id] = call
            case DriverMove():
                self._keep_call(event.tool_use_id)
                if event.tool_use_id is not None and event.tool_use_id not in self.book.calls:
                    self._driver_calls.add(event.tool_use_id)
                    self._wishes.append(event.tool_use_id)
                self.book.drivers.setdefault((event.driver_id, event.state), event)
            case Mention():
                said = replace(event, worker_id=event.worker_id or (call.target if call else None))
                key = (said.worker_id or said.tool_use_id, said.notice, said.lost_track, said.registers)
                if said.lost_track:  # the last one counts, for it may follow a revival
                    self.book.mentions[key] = said
                self.book.mentions.setdefault(key, said)
            case End():
                self._enter(replace(event, worker_id=event.worker_id or (call.target if call else None)))

    def _enter(self, end: End) -> None:
        """Enter an end. A further copy joins the entry, unless the worker was set to work again in between."""
        if end.worker_id is None and end.tool_use_id is None:
            return
        entries = self.book.ends.setdefault((end.worker_id, end.tool_use_id, end.notice or end.status), [])
        last = entries[-1] if entries else None
        launches = self._launched[end.worker_id]
        if last is not None:
            arrives = end.channel is Channel.DELIVERED and Channel.DELIVERED not in last.channels
            if arrives or last.launches_before == launches:
                last.channels.add(end.channel)
                return
        source = end.stamp.source
        line = end.stamp.line if end.channel is Channel.QUEUED and source.owner is None and not source.later else None
        if line is not None:
            self.book.queue.watch(line)
        entries.append(Entry(end=end, channels={end.channel}, queued_line=line, launches_before=launches))


def _made_by(call: Call, tools: frozenset[str]) -> bool:
    return any(call.tool == Raw(tool) for tool in tools)


_TAKERS: Mapping[type[Event], Callable[[Ledger, Any], None]] = {
    Call: Ledger._open_call,  # noqa: SLF001 (the table belongs to the class)
    Result: Ledger._close_call,  # noqa: SLF001
    Launch: Ledger._take_launch,  # noqa: SLF001
    End: Ledger._take_said,  # noqa: SLF001
    Mention: Ledger._take_said,  # noqa: SLF001
    Link: Ledger._take_link,  # noqa: SLF001
    KillAll: Ledger._take_kill,  # noqa: SLF001
    DriverMove: Ledger._take_driver,  # noqa: SLF001
    QueueMove: Ledger._take_move,  # noqa: SLF001
    PendingCount: Ledger._take_counts,  # noqa: SLF001
}
"""Which event goes where; turns, faults and belongings answer other questions and have no row."""
