"""Rows of counted sessions, spelled short; what a test does not name is zero, false or missing."""

from typing import Any

from resume_forensics.model.count import SeedCount, SessionCount, TurnCount, UnitCount, WorkerCount
from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState

MINUTE = 60_000


def worker(state: WorkerState = WorkerState.UNREPORTED, kind: WorkerKind = WorkerKind.AGENT, **more: Any) -> WorkerCount:  # noqa: ANN401 (any field)
    """One worker."""
    plain: dict[str, Any] = {"unheard": False, "launch_missing": False, "redone": False, "survived": False}
    absent = dict.fromkeys(("work", "name", "call", "launched_ms", "ended_ms"))
    return WorkerCount(kind=kind, state=state, **{**plain, **absent, **more})


def turn(**more: Any) -> TurnCount:  # noqa: ANN401 (any field)
    """One resume-class turn."""
    no = dict.fromkeys(("bare", "respawned", "queried", "no_calls", "acknowledged", "retyped", "opens_file"), False)
    plain: dict[str, Any] = {"form": 1, "at_ms": None, "preceded_by": StopCause.CLEAN_OR_UNKNOWN, "in_flight": (), "silent_ms": None}
    return TurnCount(**{**no, **plain, **more})


def session(number: int, **more: Any) -> SessionCount:  # noqa: ANN401 (any field)
    """One session, ten minutes long, that begins at minute `number`."""
    plain: dict[str, Any] = {
        "file": f"p/{number}.jsonl",
        "harness": "claude-code",
        "session": number,
        "directory": 7,
        "folder": 7,
        "version": "2.1.200",
        "first_ms": number * MINUTE,
        "last_ms": (number + 10) * MINUTE,
        "records": 1,
        "size_bytes": 1,
        "unparsable": 0,
    }
    return SessionCount(**{**plain, **more})


def row(one: SessionCount | None, **seed: int) -> UnitCount:
    """The row of a unit with this session."""
    return UnitCount(seed=SeedCount(files_scanned=1, **seed), session=one)  # type: ignore[arg-type]
