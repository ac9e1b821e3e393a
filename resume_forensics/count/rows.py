"""Sessions and resume turns as plain rows, for tables that others go on counting with. In: sessions. Out: rows of counts and closed words.

Sessions and directories are named by what the caller makes of their fingerprints; no fingerprint stands in a row itself.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TypeAlias

from resume_forensics.count.answers import measure_silence
from resume_forensics.count.neighbours import find_resumed, group_directories, lost_kinds, settle_workers, sort_by_end
from resume_forensics.model.count import SessionCount, WorkerCount
from resume_forensics.vocabulary import WorkerState

Name: TypeAlias = Callable[[int], str]
"""What a fingerprint is called outside."""

Row: TypeAlias = "dict[str, Any]"


def list_session_rows(sessions: Iterable[SessionCount], name: Name, *, paths: bool = False) -> list[Row]:
    """One row for each session, by directory and beginning. `paths`: with the path of its transcript."""
    return [_describe_session(one, name, paths=paths) for one in settle_workers(sessions)]


def list_turn_rows(sessions: Iterable[SessionCount], name: Name, *, paths: bool = False) -> list[Row]:
    """One row for each resume-class turn, session after session."""
    return [row for directory in group_directories(settle_workers(sessions)) for row in _describe_turns(directory, name, paths=paths)]


def _describe_session(session: SessionCount, name: Name, *, paths: bool) -> Row:
    workers = [one for one in session.workers if not one.launch_missing]
    return {
        **_identify(session, name, paths=paths),
        "harness": session.harness,
        "version": session.version or None,
        "first_at": _to_time(session.first_ms),
        "last_at": _to_time(session.last_ms),
        "records": session.records,
        "bytes": session.size_bytes,
        "unparsable_records": session.unparsable,
        "auto_continuations": session.auto_continuations,
        "resume_turns": len(session.turns),
        "workers_launched": len(workers),
        **{f"workers_{state.value}": sum(one.state is state for one in workers) for state in WorkerState},
        "queued_never_delivered": _count(workers, lambda one: one.unheard),
        "dead_while_session_went_on": _count(workers, lambda one: one.survived),
    }


def _describe_turns(directory: list[SessionCount], name: Name, *, paths: bool) -> Iterator[Row]:
    ended = sort_by_end(directory)
    for session in directory:
        for turn in session.turns:
            resumed = find_resumed(turn, session, ended) if turn.opens_file else None
            in_flight = turn.in_flight + (lost_kinds(resumed) if resumed else ())
            silent_ms = measure_silence(turn, resumed)
            yield {
                **_identify(session, name, paths=paths),
                "at": _to_time(turn.at_ms),
                "form": name(turn.form),
                "bare_resume": turn.bare,
                "preceded_by": turn.preceded_by.value,
                "workers_in_flight": len(in_flight),
                "kinds_in_flight": " ".join(sorted({kind.value for kind in in_flight})),
                "respawned_after": turn.respawned,
                "queried_workers": turn.queried,
                "no_tool_calls": turn.no_calls,
                "acknowledged_death": turn.acknowledged,
                "retyped": turn.retyped,
                "seconds_to_resume": None if silent_ms is None else silent_ms / 1000,
            }


def _identify(session: SessionCount, name: Name, *, paths: bool) -> Row:
    named = {"session": name(session.session), "directory": name(session.directory)}
    return {**named, "path": session.file} if paths else named


def _count(workers: Iterable[WorkerCount], holds: Callable[[WorkerCount], bool]) -> int:
    return sum(map(holds, workers))


def _to_time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
