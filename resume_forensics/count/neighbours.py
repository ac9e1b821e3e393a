"""What only several sessions together tell: ends told later, work done again next time, and what a fresh session resumes.

In: every session of a corpus. Out: the same sessions with their workers settled, and each session's neighbours in its directory.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from resume_forensics.limits import LIMITS
from resume_forensics.model.count import SessionCount, TurnCount, WorkerCount
from resume_forensics.vocabulary import WorkerKind, WorkerState


def settle_workers(sessions: Iterable[SessionCount]) -> list[SessionCount]:
    """The sessions in order of their directories and beginnings; each worker with the end that a later session of its folder told.

    Such an end is then no longer listed as a worker of the later session.
    """
    folders: defaultdict[int, list[SessionCount]] = defaultdict(list)
    for session in sessions:
        folders[session.folder].append(session)
    settled = [one for folder in folders.values() for one in _settle_folder(sorted(folder, key=_by_end))]
    return sorted(settled, key=lambda one: (one.directory, *_by_beginning(one)))


def group_directories(sessions: Iterable[SessionCount]) -> list[list[SessionCount]]:
    """The sessions of each directory, in the order given."""
    directories: defaultdict[int, list[SessionCount]] = defaultdict(list)
    for session in sessions:
        directories[session.directory].append(session)
    return list(directories.values())


def count_redone(directory: Sequence[SessionCount]) -> int:
    """How many workers of a directory reported, and yet were launched again in their session or in the next one."""
    redone = 0
    for index, session in enumerate(directory):
        following = directory[index + 1] if index + 1 < len(directory) else None
        launched = _last_launches(following) if following else {}
        reported = (one for one in session.workers if one.state is WorkerState.REPORTED and not one.launch_missing)
        redone += sum(one.redone or _is_launched_after(one, launched) for one in reported)
    return redone


def sort_by_end(directory: Iterable[SessionCount]) -> list[SessionCount]:
    """The sessions whose end is known, the earliest first."""
    return sorted((one for one in directory if one.last_ms is not None), key=_by_end)


def find_resumed(turn: TurnCount, session: SessionCount, ended: Sequence[SessionCount]) -> SessionCount | None:
    """The session that a turn resumes which opens its file: the newest of its directory that had ended by then.

    `ended`: the sessions of the directory, sorted by their end.
    """
    if turn.at_ms is None:
        return None
    until = bisect_right(ended, turn.at_ms, key=lambda one: one.last_ms or 0)
    return next((one for one in reversed(ended[max(0, until - 2) : until]) if one is not session), None)


def lost_kinds(session: SessionCount) -> tuple[WorkerKind, ...]:
    """The kinds of the workers that a session left behind."""
    return tuple(one.kind for one in session.workers if one.state is WorkerState.UNREPORTED and not one.launch_missing)


def _by_end(session: SessionCount) -> tuple[int, str]:
    return session.last_ms or 0, session.file


def _by_beginning(session: SessionCount) -> tuple[int, str]:
    return session.first_ms or session.last_ms or 0, session.file


def _last_launches(session: SessionCount) -> Mapping[tuple[WorkerKind, int], int]:
    launched: dict[tuple[WorkerKind, int], int] = {}
    for one in session.workers:
        if one.work is not None and one.launched_ms is not None:
            launched[one.kind, one.work] = max(one.launched_ms, launched.get((one.kind, one.work), one.launched_ms))
    return launched


def _is_launched_after(worker: WorkerCount, launched: Mapping[tuple[WorkerKind, int], int]) -> bool:
    if worker.work is None or worker.ended_ms is None:
        return False
    return launched.get((worker.kind, worker.work), worker.ended_ms) > worker.ended_ms


def _settle_folder(folder: list[SessionCount]) -> list[SessionCount]:
    """Move each end that names a worker of an earlier session to that worker. `folder` stands in the order of its ends."""
    tellers: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, session in enumerate(folder):
        for place, worker in enumerate(session.workers):
            if worker.launch_missing and worker.state is not WorkerState.UNREPORTED:
                for name in {worker.name, worker.call} - {None}:
                    tellers[name or 0].append((index, place))
    if not tellers:
        return folder
    taken: set[tuple[int, int]] = set()
    workers = [list(session.workers) for session in folder]
    ends = [session.last_ms or 0 for session in folder]
    for index, own in enumerate(workers):
        reach = _reach(ends, index)
        for place, worker in enumerate(own):
            found = _find_teller(worker, tellers, reach) if worker.state is WorkerState.UNREPORTED else None
            if found is not None:
                told = folder[found[0]].workers[found[1]]
                own[place] = replace(worker, state=told.state, unheard=told.unheard, ended_ms=told.ended_ms, survived=False)
                taken.add(found)
    kept = [tuple(one for place, one in enumerate(own) if (index, place) not in taken) for index, own in enumerate(workers)]
    return [replace(session, workers=kept[index]) for index, session in enumerate(folder)]


def _reach(ends: Sequence[int], index: int) -> range:
    """The sessions in which the end of a worker is looked for: those that went on as long as its own, or longer; the nearest ones."""
    first = bisect_left(ends, ends[index])
    return range(first, min(first + LIMITS.later_sessions + 1, len(ends)))


def _find_teller(worker: WorkerCount, tellers: Mapping[int, list[tuple[int, int]]], reach: range) -> tuple[int, int] | None:
    names = [name for name in (worker.name, worker.call) if name is not None]
    return next((place for name in names for place in tellers.get(name, ()) if place[0] in reach), None)
