"""What the sweep keeps of the files of one session: closed words, numbers and fingerprints, never text of a transcript.

Every value can be pickled and written as JSON (`to_plain`, `from_plain`), so that processes, machines and a cache can hand it on.
A fingerprint is the 64-bit one of `Raw.fingerprint`: equal for equal texts, and to be salted before it leaves the machine.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Self

from msgspec import Struct

from resume_forensics.model.piece import Piece, Plain
from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState


def _values(value: Any) -> list[Any]:  # noqa: ANN401 (any of the values below)
    return [getattr(value, name) for name in value.__struct_fields__]


class SeedCount(Struct, frozen=True, kw_only=True):
    """The sums of the first scan's own definitions (`count/seed.py`), over one file or many. `forms`: fingerprints."""

    files_scanned: int = 0
    resume_turns: int = 0
    bare_resume: int = 0
    preceded_by_api_error: int = 0
    preceded_by_auth: int = 0
    preceded_by_interrupt: int = 0
    had_inflight_spawn: int = 0
    respawned_after: int = 0
    queried_running_tasks: int = 0
    no_tool_calls_at_all: int = 0
    acknowledged_death_not_restored: int = 0
    acknowledged_death_and_restored: int = 0
    retyped_within_40_records: int = 0
    forms: frozenset[int] = frozenset()

    def __add__(self, other: Self) -> Self:
        """Both together."""
        if not (self.resume_turns or other.resume_turns):
            return type(self)(files_scanned=self.files_scanned + other.files_scanned)
        sums = {name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__ if name != "forms"}
        return type(self)(**sums, forms=self.forms | other.forms)

    def to_plain(self) -> Plain:
        """The fields in their order; what is zero at the end of a count without turns is left out."""
        if not self.resume_turns:
            return [self.files_scanned]
        return [*_values(self)[:-1], sorted(self.forms)]

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        given: dict[str, Any] = dict(zip(cls.__struct_fields__, plain, strict=False))
        return cls(**{**given, "forms": frozenset(given.get("forms", ()))})


class TurnCount(Struct, frozen=True, kw_only=True, gc=False):
    """One resume-class turn, by the exact definitions.

    `form`: fingerprint of its surface form. `preceded_by`: the termination of the file cut at the turn. `in_flight`: the kinds of the
    workers launched and not ended at that record, sorted, one entry each. `opens_file`: it is the first human turn of its file, so
    that what it resumes lies in an earlier session. `silent_ms`: from the last record before it; None where a time is missing.
    """

    form: int
    bare: bool
    at_ms: int | None
    preceded_by: StopCause
    in_flight: tuple[WorkerKind, ...]
    respawned: bool
    queried: bool
    no_calls: bool
    acknowledged: bool
    retyped: bool
    opens_file: bool
    silent_ms: int | None

    def to_plain(self) -> Plain:
        """The fields in their order."""
        return _values(self)

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        given = dict(zip(cls.__struct_fields__, plain, strict=True))
        cause, kinds = StopCause(given["preceded_by"]), tuple(WorkerKind(kind) for kind in given["in_flight"])
        return cls(**{**given, "preceded_by": cause, "in_flight": kinds})


class WorkerCount(Struct, frozen=True, kw_only=True, gc=False):
    """One worker of a session, as its ledger ends.

    `unheard`: reported, and the notice never left the queue. `launch_missing`: only its notice is in this session's files. `work`:
    fingerprint of its whole prompt or command. `name` and `call`: fingerprints of its id (None where that is a counter of one
    process) and of the tool call that launched it. `redone`: the same work was launched again later in this session. `survived`: it
    is unreported although a later human turn came to a normal end.
    """

    kind: WorkerKind
    state: WorkerState
    unheard: bool
    launch_missing: bool
    work: int | None
    name: int | None
    call: int | None
    launched_ms: int | None
    ended_ms: int | None
    redone: bool
    survived: bool

    def to_plain(self) -> Plain:
        """The fields in their order."""
        return _values(self)

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        given = dict(zip(cls.__struct_fields__, plain, strict=True))
        return cls(**{**given, "kind": WorkerKind(given["kind"]), "state": WorkerState(given["state"])})


class SessionCount(Struct, frozen=True, kw_only=True, gc=False):
    """One session, by the exact definitions. `session` and `directory` are fingerprints; so is `folder`, that of its transcript.

    `file` is the path of the main transcript as it was listed. `version` is that of its last record that names one, "" where none
    does. `unparsable`: its lines that could not be read.
    """

    file: str
    harness: str
    session: int
    directory: int
    folder: int
    version: str
    first_ms: int | None
    last_ms: int | None
    records: int
    size_bytes: int
    unparsable: int
    auto_continuations: int = 0
    turns: tuple[TurnCount, ...] = ()
    workers: tuple[WorkerCount, ...] = ()

    def to_plain(self) -> Plain:
        """The fields in their order, turns and workers as lists of theirs."""
        plain = _values(self)
        plain[-2:] = [one.to_plain() for one in self.turns], [one.to_plain() for one in self.workers]
        return plain

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        given = dict(zip(_SESSION_FIELDS, plain, strict=True))
        turns = tuple(map(TurnCount.from_plain, given["turns"]))
        workers = tuple(map(WorkerCount.from_plain, given["workers"]))
        shared = {name: share(given[name]) for name in ("harness", "version", "directory", "folder")}
        return cls(**{**given, **shared, "turns": turns, "workers": workers})


_SESSION_FIELDS = SessionCount.__struct_fields__


@lru_cache(maxsize=4096)
def share(value: Any) -> Any:  # noqa: ANN401 (words and numbers)
    """One object for equal words and numbers that very many sessions have in common."""
    return value


class UnitCount(Struct, frozen=True, kw_only=True):
    """Everything the files of one unit contribute: the sums over all of them, and the session that they hold, if they are one's.

    `copies` and `checkpoints` count files that repeat a session (left by a sync client, or cut at commit time). `unreadable`: the
    paths of files that could not be read.
    """

    seed: SeedCount
    session: SessionCount | None = None
    copies: int = 0
    checkpoints: int = 0
    unreadable: tuple[str, ...] = ()

    def to_plain(self) -> Plain:
        """The fields in their order."""
        session = None if self.session is None else self.session.to_plain()
        return [self.seed.to_plain(), session, self.copies, self.checkpoints, list(self.unreadable)]

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        seed, session, copies, checkpoints, unreadable = plain
        return cls(
            seed=SeedCount.from_plain(seed),
            session=None if session is None else SessionCount.from_plain(session),
            copies=copies,
            checkpoints=checkpoints,
            unreadable=tuple(unreadable),
        )


class Counted(Struct, frozen=True, kw_only=True):
    """What counting one unit gave: its row, and how far each file was read, by path."""

    row: UnitCount
    pieces: Mapping[str, Piece]
