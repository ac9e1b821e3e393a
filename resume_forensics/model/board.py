"""The written state of a devteam, taken apart, each piece beside what the machine shows of it.

The claims room fills it from the files of `devteam/`; `deduce` judges it. It holds facts only, no verdict.
"""

from datetime import datetime

from msgspec import Struct

from resume_forensics.model.claim import OpenQuestion
from resume_forensics.text import Raw
from resume_forensics.vocabulary import BoardState, SandboxProcess, TaskStatus


class BoardRow(Struct, frozen=True, kw_only=True):
    """What the board's table of tasks says of one task: the whole cell, and its first word (None: no word of the board's)."""

    state: BoardState | None
    said: Raw


class Heartbeat(Struct, frozen=True, kw_only=True):
    """The first line of a heartbeat. `waiting`: it still says `waiting on`; `sandbox`: the one that it waits for."""

    said: Raw
    waiting: bool
    sandbox: Raw | None = None
    written_at: datetime | None = None


class Sandbox(Struct, frozen=True, kw_only=True):
    """A worker's sandbox as its lock line names it. `there` None: its root could not be looked at.

    `exit` is the worker's exit code, None where nothing says that it ended. `upper` are the files that it wrote, relative to its
    `upper/`; None: they could not be listed; `upper_cut`: there are more than are listed.
    """

    id: Raw
    task: Raw
    root: Raw
    there: bool | None
    process: SandboxProcess
    pid: Raw | None = None
    exit: Raw | None = None
    upper: tuple[Raw, ...] | None = ()
    upper_cut: bool = False


class ScopeCommit(Struct, frozen=True, kw_only=True):
    """A commit that touched a scope: short hash and subject. `own`: the subject names the task."""

    said: Raw
    own: bool


class Scope(Struct, frozen=True, kw_only=True):
    """The paths that a task may write, and what the machine shows of them. `problem`: why it is not known what is uncommitted.

    `claimed_by` is the commit that claimed the task, `commits` those that touched the scope since; newest first.
    """

    paths: tuple[Raw, ...]
    problem: Raw | None = None
    dirty: tuple[Raw, ...] = ()
    newest: Raw | None = None
    newest_at: datetime | None = None
    claimed_by: Raw | None = None
    commits: tuple[ScopeCommit, ...] = ()
    committed_at: datetime | None = None


class Task(Struct, frozen=True, kw_only=True):
    """One task: its title, its row on the board, its locks, its scope, and who or what still names it.

    `status` None: the title cannot be read; `said` None: there is no title at all. `is_lock_torn`: its `.sandbox` file does not say
    which sandbox it means. `agents` are listed, alive, and carry its label; `questions` are open and name it; `verified` is the line
    of the record that says a verifier passed it; `report` the status of its own last report.
    """

    id: Raw
    file: Raw
    status: TaskStatus | None
    said: Raw | None
    scope: Scope
    has_file: bool = True
    is_claimed: bool = False
    board: BoardRow | None = None
    is_file_dirty: bool = False
    heartbeat: Heartbeat | None = None
    sandboxes: tuple[Sandbox, ...] = ()
    is_lock_torn: bool = False
    agents: tuple[Raw, ...] = ()
    questions: tuple[Raw, ...] = ()
    verified: Raw | None = None
    report: Raw | None = None


class Writer(Struct, frozen=True, kw_only=True):
    """Who holds the board: the session of its Writer line and that of the manager file; None: nobody is named."""

    line: Raw | None
    manager: Raw | None


class Rotation(Struct, frozen=True, kw_only=True):
    """The pointer of a planned handoff: who rotated out, at which checkpoint, and who completed it (None: nobody yet)."""

    session: Raw | None
    checkpoint: Raw | None = None
    completed: Raw | None = None


class TeamState(Struct, frozen=True, kw_only=True):
    """Everything that is written under `devteam/`. `problem`: the board cannot be read, and nothing else is claimed.

    `entries` are the last of the record, `strays` the uncommitted paths outside the scope of every claimed task; both in the order
    of their source.
    """

    writer: Writer
    problem: Raw | None = None
    rotation: Rotation | None = None
    tasks: tuple[Task, ...] = ()
    sandboxes: tuple[Sandbox, ...] = ()
    questions: tuple[OpenQuestion[Raw], ...] = ()
    entries: tuple[Raw, ...] = ()
    commits: tuple[Raw, ...] = ()
    strays: tuple[Raw, ...] = ()
    agents_alive: tuple[Raw, ...] | None = None
    warnings: tuple[Raw, ...] = ()
