"""The exact answers over all sessions. In: every session once. Out: the `exact` part of the document, as plain JSON.

A share carries its denominator and its interval; what is no share of anything is a number.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from statistics import quantiles
from typing import Any, TypeAlias

from msgspec.structs import asdict

from resume_forensics.count.neighbours import count_redone, find_resumed, group_directories, lost_kinds, settle_workers, sort_by_end
from resume_forensics.model.count import SessionCount, TurnCount, WorkerCount
from resume_forensics.model.share import measure_share
from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState

Json: TypeAlias = "dict[str, Any]"

UNKNOWN = "unknown"
"""The version or month of a session that names none."""


def answer_exactly(sessions: Iterable[SessionCount]) -> Json:
    """Every exact answer; the order of the sessions changes nothing."""
    settled = settle_workers(sessions)
    directories = group_directories(settled)
    turns = [turn for session in settled for turn in session.turns]
    return {
        "transcripts": len(settled),
        "records": sum(one.records for one in settled),
        "bytes": sum(one.size_bytes for one in settled),
        "unparsable_records": sum(one.unparsable for one in settled),
        **_answer_turns(turns),
        "auto_continuations": sum(one.auto_continuations for one in settled),
        **_answer_before(directories),
        **_answer_workers([worker for session in settled for worker in session.workers], sum(map(count_redone, directories))),
        "by_version": _answer_groups(settled, lambda one: one.version or UNKNOWN, _version_order),
        "by_month": _answer_groups(settled, _month_of, lambda month: (month == UNKNOWN, month)),
    }


def _share(n: int, of: int) -> Json:
    return asdict(measure_share(n, of))


def _answer_turns(turns: Sequence[TurnCount]) -> Json:
    """What a resume-class turn is and what came of it, each as a share of all of them."""

    def share(holds: Callable[[TurnCount], bool]) -> Json:
        return _share(sum(map(holds, turns)), len(turns))

    causes = Counter(turn.preceded_by for turn in turns)
    return {
        "resume_turns": len(turns),
        "bare_resume": share(lambda one: one.bare),
        "surface_forms": len({turn.form for turn in turns}),
        "preceded_by": {cause.value: causes[cause] for cause in StopCause},
        "respawned_after": share(lambda one: one.respawned),
        "queried_workers": share(lambda one: one.queried),
        "no_tool_calls": share(lambda one: one.no_calls),
        "acknowledged_death": {
            "restored": share(lambda one: one.acknowledged and one.respawned),
            "not_restored": share(lambda one: one.acknowledged and not one.respawned),
        },
        "retyped": share(lambda one: one.retyped),
    }


def _answer_before(directories: Iterable[list[SessionCount]]) -> Json:
    """What was in flight at each turn, and how long the silence before it was."""
    kinds: Counter[WorkerKind] = Counter()
    silences: list[int] = []
    with_workers = turns = 0
    for directory in directories:
        ended = sort_by_end(directory)
        for session in directory:
            for turn in session.turns:
                resumed = find_resumed(turn, session, ended) if turn.opens_file else None
                in_flight = turn.in_flight + (lost_kinds(resumed) if resumed else ())
                kinds.update(in_flight)
                with_workers += bool(in_flight)
                turns += 1
                silent = measure_silence(turn, resumed)
                if silent is not None:
                    silences.append(silent)
    return {
        "in_flight": {"turns": _share(with_workers, turns), "workers": {kind.value: kinds[kind] for kind in WorkerKind}},
        "seconds_to_resume": _quartiles(silences),
    }


def measure_silence(turn: TurnCount, resumed: SessionCount | None) -> int | None:
    """Milliseconds from the last record before a turn to it. A turn that opens its file resumes another session, or nothing."""
    if not turn.opens_file:
        return turn.silent_ms
    if resumed is None or resumed.last_ms is None or turn.at_ms is None:
        return None
    return turn.at_ms - resumed.last_ms


def _quartiles(milliseconds: Sequence[int]) -> Json:
    """Number, quartiles and median in seconds; between two values the straight line."""
    if not milliseconds:
        return {"n": 0, "q1": None, "median": None, "q3": None}
    seconds = [value / 1000 for value in milliseconds]
    q1, median, q3 = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    return {"n": len(seconds), "q1": q1, "median": median, "q3": q3}


def _answer_workers(workers: Sequence[WorkerCount], redone: int) -> Json:
    """What became of the workers, by kind. One whose launch is in no file of its session is counted by itself."""
    fates: defaultdict[WorkerKind, Counter[WorkerState]] = defaultdict(Counter)
    missing = Counter(worker.kind for worker in workers if worker.launch_missing)
    known = [worker for worker in workers if not worker.launch_missing]
    for worker in known:
        fates[worker.kind][worker.state] += 1
    reported = [worker for worker in known if worker.state is WorkerState.REPORTED]
    lost = [worker for worker in known if worker.state is WorkerState.UNREPORTED]
    return {
        "workers": {
            kind.value: {
                "launched": fates[kind].total(),
                **{state.value: fates[kind][state] for state in WorkerState},
                "launch_missing": missing[kind],
            }
            for kind in WorkerKind
        },
        "queued_never_delivered": _share(sum(one.unheard for one in reported), len(reported)),
        "redone_though_finished": _share(redone, len(reported)),
        "dead_while_session_went_on": _share(sum(one.survived for one in lost), len(lost)),
    }


def _answer_groups(sessions: Iterable[SessionCount], key: Callable[[SessionCount], str], order: Callable[[str], Any]) -> Json:
    groups: defaultdict[str, list[SessionCount]] = defaultdict(list)
    for session in sessions:
        groups[key(session)].append(session)
    return {name: _answer_group(groups[name]) for name in sorted(groups, key=order)}


def _answer_group(group: Sequence[SessionCount]) -> Json:
    workers = [worker for session in group for worker in session.workers if not worker.launch_missing]
    lost = sum(worker.state is WorkerState.UNREPORTED for worker in workers)
    return {
        "transcripts": len(group),
        "records": sum(one.records for one in group),
        "resume_turns": sum(len(one.turns) for one in group),
        "workers_launched": len(workers),
        "workers_unreported": _share(lost, len(workers)),
    }


def _version_order(version: str) -> tuple[bool, list[int], str]:
    parts = version.split(".")
    numbers = [int(part) for part in parts] if all(part.isdecimal() for part in parts) else []
    return not numbers, numbers, version


def _month_of(session: SessionCount) -> str:
    if session.last_ms is None:
        return UNKNOWN
    return f"{datetime.fromtimestamp(session.last_ms / 1000, tz=UTC):%Y-%m}"
