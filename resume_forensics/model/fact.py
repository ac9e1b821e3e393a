"""What the reading room observed on the machine. Facts carry no judgement; a question that could not be asked says so."""

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing


class FileFact(Struct, frozen=True, kw_only=True):
    """A file as `lstat` and `stat` show it. `missing` says why it is of no use; then the other values are None."""

    path: Path | None
    missing: Missing | None = None
    size_bytes: int | None = None
    modified_at: datetime | None = None


class HolderFact(Struct, frozen=True, kw_only=True):
    """Which processes of this user hold a file open. `asked` false: they could not be asked, so nobody holding it proves nothing."""

    asked: bool
    pids: tuple[int, ...] = ()


class ProcessFact(Struct, frozen=True, kw_only=True):
    """A process id that a registry named, held against the process table. `start` is the kernel's start mark, as text."""

    pid: int
    alive: bool
    started: bool | None
    """True: it is the process that the registry means; False: another one got the number; None: the registry does not say."""


class StartFact(Struct, frozen=True, kw_only=True):
    """The start mark of the process that has the number now; None: nobody has it. `asked` false: it could not be asked."""

    asked: bool
    start: str | None = None


class DirtyFile(Struct, frozen=True, kw_only=True):
    """One path that `git status` names: its two-letter status, and the lines added and removed against HEAD."""

    path: Raw
    status: Raw
    added: int | None = None
    removed: int | None = None


class TreeFact(Struct, frozen=True, kw_only=True):
    """A git work tree, asked read-only. The paths of its dirty files begin at `root`, which may lie above `directory`.

    `problem` says why nothing is known, or which part of the answer is missing; the rest is then empty.
    """

    directory: Raw
    root: Raw | None = None
    problem: Raw | None = None
    branch: Raw | None = None
    upstream: Raw | None = None
    ahead: int | None = None
    behind: int | None = None
    last_commit: Raw | None = None
    last_commit_at: datetime | None = None
    stashes: int | None = None
    in_progress: tuple[str, ...] = ()
    dirty: tuple[DirtyFile, ...] = ()
    dirty_total: int = 0
