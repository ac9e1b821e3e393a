"""The sessions of one repository, found over all directories: what was searched for, and one line for each; never what they say."""

from datetime import datetime
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Search(Struct, frozen=True, kw_only=True):
    """What is searched for. `repository` None: that of the directory itself. `excluded`: session ids, file names or paths of sessions.

    `environment` is asked for one thing: which session is the caller's own.
    """

    repository: str | None = None
    days: int
    cap: int
    excluded: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


class FoundSession(Struct, Generic[T], frozen=True, kw_only=True):
    """One session. `records` are those that could be read."""

    session: T
    session_id: T
    harness: T
    last_activity: datetime
    records: int
    size_bytes: int


class Discovery(Struct, Generic[T], frozen=True, kw_only=True):
    """The sessions of a repository, newest first. `left_out`: more that fit, beyond the cap; `excluded`: those that were not wanted."""

    repository: T
    days: int
    sessions: tuple[FoundSession[T], ...]
    left_out: int
    excluded: int
    warnings: tuple[T, ...] = ()
    redacted_kinds: tuple[str, ...] = ()
