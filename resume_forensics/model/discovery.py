"""The sessions of one repository, found over all directories: what was searched for, and one line for each; never what they say."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is searched for. `repository` None: that of the directory itself. `excluded`: session ids, file names or paths of sessions.

    `environment` is asked for one thing: which session is the caller's own.
    """

    repository: str | None = None
    days: int
    cap: int
    excluded: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSession(Generic[T]):
    """One session. `records` are those that could be read."""

    session: T
    session_id: T
    harness: T
    last_activity: datetime
    records: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery(Generic[T]):
    """The sessions of a repository, newest first. `left_out`: more that fit, beyond the cap; `excluded`: those that were not wanted."""

    repository: T
    days: int
    sessions: tuple[FoundSession[T], ...]
    left_out: int
    excluded: int
    warnings: tuple[T, ...] = ()
    redacted_kinds: tuple[str, ...] = ()
