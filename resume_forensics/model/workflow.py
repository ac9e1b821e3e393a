"""The written state of a superscientist workflow, as its files say it; nothing here is judged yet."""

from datetime import datetime

from msgspec import Struct

from resume_forensics.model.fact import FileFact
from resume_forensics.text import Raw
from resume_forensics.vocabulary import StageStatus, Verdict


class NamedFile(Struct, frozen=True, kw_only=True):
    """A file that the state names, relative to the root. `is_plain`: the name can stand in a command as it is."""

    path: Raw
    file: FileFact
    is_plain: bool


class Process(Struct, frozen=True, kw_only=True):
    """What `running_process` says of a launched wrapper, with the files that it names.

    `session`: the tmux session as tmux itself spells it, None where none can have that name. `exit_code`: the number that the exit
    code file holds, None where it holds none. `launched_at` None: no time that can be compared. `error`: the last line that the
    wrapper's own logs hold, asked only where it failed, and `error_source` the file it stands in. `session_is_plain`: the name can
    stand in a command of tmux, which takes it for a name and nothing else.
    """

    session: Raw | None
    wrapper: NamedFile | None
    done: NamedFile | None
    exit: NamedFile | None
    exit_code: int | None
    recovery_attempted: bool | None
    launched: Raw | None
    launched_at: datetime | None
    error: Raw | None = None
    error_source: Raw | None = None
    session_is_plain: bool = True


class Stage(Struct, frozen=True, kw_only=True):
    """One stage, at `index` of the list. `number` is its id without `stage-`; `status` None: a word that the protocol does not have.

    `depends_on` None: it cannot be read. `retry_count` None: no number; `retry_limit` is that of its backend. `process` None: none
    is written; `last_error` is what stands there now.
    """

    index: int
    id: Raw
    number: Raw
    status: StageStatus | None
    status_word: Raw | None
    depends_on: tuple[Raw, ...] | None
    outputs: tuple[NamedFile, ...]
    retry_count: int | None
    retry_limit: int
    process: Process | None
    last_error: Raw | None


class SessionConfig(Struct, frozen=True, kw_only=True):
    """The counters of a session. `count` None: no whole number; the others are the values as they are written, None for null."""

    count: int | None
    count_word: Raw | None
    id: Raw | None
    began_at: datetime | None
    cost: Raw | float | None
    budget: Raw | float | None
    exit_reason: Raw | None


class Workflow(Struct, frozen=True, kw_only=True):
    """The whole state. Where `problem` names a verdict, the file is missing or no workflow, `reason` says why, and the rest is empty.

    `log` holds the last lines of progress.log, None where there is none to be read; `entries` the same without their times.
    `was_copied`: the files' times are so close that they are those of a copy. `exists` says which of the protocol's own files are
    there.
    """

    problem: Verdict | None = None
    reason: str = ""
    id: Raw | None = None
    word: Raw | None = None
    stages: tuple[Stage, ...] = ()
    session: SessionConfig | None = None
    log: tuple[Raw, ...] | None = None
    entries: tuple[Raw, ...] = ()
    log_can_grow: bool = True
    was_copied: bool = False
    has_init: bool = False
    is_paused: bool = False
