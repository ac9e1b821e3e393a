"""The sum of many sessions, which merges: in which order and in how many parts the rows come changes nothing.

In: rows of units. Out: the plain document `resume-forensics/stats/1`. Nothing but counts, closed words and paths of unreadable files.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from resume_forensics.count.answers import answer_exactly
from resume_forensics.model.count import SeedCount, SessionCount, UnitCount

SCHEMA = "resume-forensics/stats/1"


class Tally(Struct, frozen=True, kw_only=True):
    """What was counted so far. `sessions`: one for each session id, the fullest of its copies; `copies`: how many others there were."""

    seed: SeedCount = field(default_factory=SeedCount)
    sessions: Mapping[int, SessionCount] = field(default_factory=dict)
    copies: int = 0
    checkpoints: int = 0
    unreadable: frozenset[str] = frozenset()

    @classmethod
    def of(cls, row: UnitCount) -> "Tally":
        """The tally of one unit."""
        return cls.total([row])

    @classmethod
    def total(cls, rows: Iterable[UnitCount]) -> "Tally":
        """The tally of many units, in time that grows with their number."""
        adding = Adding()
        for row in rows:
            adding.add(row)
        return adding.answer()

    def __add__(self, other: Self) -> Self:
        """Both together."""
        sessions = dict(self.sessions)
        copies = sum(_enter(sessions, session) for session in other.sessions.values())
        return replace(
            self,
            seed=self.seed + other.seed,
            sessions=sessions,
            copies=self.copies + other.copies + copies,
            checkpoints=self.checkpoints + other.checkpoints,
            unreadable=self.unreadable | other.unreadable,
        )

    def document(self) -> dict[str, Any]:
        """Everything as plain JSON, by both definitions. The same sessions give the same document, whatever their order."""
        return {
            "schema": SCHEMA,
            "seed": _answer_by_seed(self.seed),
            "exact": {
                **answer_exactly(self.sessions.values()),
                "unreadable_files": sorted(self.unreadable),
                "checkpoint_files": self.checkpoints,
                "copies": self.copies,
            },
        }


def _enter(sessions: dict[int, SessionCount], session: SessionCount) -> int:
    """Keep the fuller of two copies; answer how many were left out."""
    there = sessions.get(session.session)
    if there is None or _fullness(there) < _fullness(session):
        sessions[session.session] = session
    return int(there is not None)


def _fullness(session: SessionCount) -> tuple[int, int, str]:
    return session.records, session.size_bytes, session.file


class Adding:
    """Takes rows one by one (`add`) and can be asked for the tally of those it has at any time (`answer`).

    Units without a turn to count, which are nearly all, cost no new value.
    """

    def __init__(self) -> None:
        self._files = self._copies = self._checkpoints = 0
        self._seed = SeedCount()
        self._sessions: dict[int, SessionCount] = {}
        self._unreadable: set[str] = set()

    def add(self, row: UnitCount) -> None:
        """Take one row."""
        if row.seed.resume_turns:
            self._seed += row.seed
        else:
            self._files += row.seed.files_scanned
        self._checkpoints += row.checkpoints
        self._unreadable.update(row.unreadable)
        self._copies += row.copies + (0 if row.session is None else _enter(self._sessions, row.session))

    def answer(self) -> Tally:
        """The tally so far."""
        return Tally(
            seed=self._seed + SeedCount(files_scanned=self._files),
            sessions=self._sessions,
            copies=self._copies,
            checkpoints=self._checkpoints,
            unreadable=frozenset(self._unreadable),
        )


def _answer_by_seed(seed: SeedCount) -> dict[str, int]:
    """The keys of the first scan's summary."""
    numbers = {name: getattr(seed, name) for name in _SEED_KEYS}
    return {**numbers, "distinct_surface_forms": len(seed.forms)}


_SEED_KEYS = (
    "files_scanned",
    "resume_turns",
    "bare_resume",
    "preceded_by_api_error",
    "preceded_by_auth",
    "preceded_by_interrupt",
    "had_inflight_spawn",
    "respawned_after",
    "queried_running_tasks",
    "no_tool_calls_at_all",
    "acknowledged_death_not_restored",
    "acknowledged_death_and_restored",
    "retyped_within_40_records",
)
