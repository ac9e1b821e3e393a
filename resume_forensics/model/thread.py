"""A saga as its ticks tell it: threads, each a chain of snapshots, and what else its state folder holds.

Filled by the claims room from files; every text of a file is `Raw`, every closed word one of the vocabulary. Nothing is judged here.
"""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from resume_forensics.model.obligation import Proof
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Destination, LifecyclePhase, PhaseStatus, ThreadStatus


class IssueRef(Struct, frozen=True, kw_only=True):
    """An issue by its number; `repository` (`owner/repo`, in small letters) is None where only the number is said."""

    number: int
    repository: Raw | None = None

    def means(self, other: "IssueRef") -> bool:
        """Whether both can be the same issue: equal numbers, and no two repositories that differ."""
        return self.number == other.number and (None in (self.repository, other.repository) or self.repository == other.repository)


class Paper(Struct, frozen=True, kw_only=True):
    """A document of the repository that a tick points at. `path` is None where the tick climbs out of the repository."""

    field: str
    name: Raw
    path: Raw | None


class Tick(Struct, frozen=True, kw_only=True):
    """One readable snapshot. A list that its file left out, and blockers that it left out, are carried from the tick before.

    `written_at` is the time in the file's name (UTC); `phase_status` and `status` are None where the file has a word of its own,
    `blockers` None where they are blank. `fields` are what `state.json` repeats of a tick, as they are spelled.
    """

    path: Raw
    name: Raw
    written_at: datetime | None
    phase: LifecyclePhase
    phase_status: PhaseStatus | None
    status: ThreadStatus | None
    destination: Destination | None
    fields: Mapping[str, Raw]
    blockers: Raw | None = None
    questions: tuple[Raw, ...] = ()
    checks: tuple[Raw, ...] = ()
    findings: tuple[Raw, ...] = ()
    """Gate verdicts, blockers and questions that speak of an open finding of priority P0 or P1."""
    rounds: tuple[int, ...] = ()
    pull_requests: tuple[int, ...] = ()
    issue: IssueRef | None = None
    papers: tuple[Paper, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether its thread says that it is over."""
        return self.status in (ThreadStatus.DONE, ThreadStatus.ABANDONED)


class TornTick(Struct, frozen=True, kw_only=True):
    """A tick that cannot be read as one, and why. `previous` is the name of the readable tick before it; None: there is none."""

    name: Raw
    why: Raw
    newest: bool
    previous: Raw | None


class Thread(Struct, frozen=True, kw_only=True):
    """One saga: its readable ticks, oldest first, and its torn ones.

    `newest_key` is the order key of its newest file, torn or not (None: no tick at all); `index` is its entry in `state.json`.
    `unread` counts older ticks that were not read.
    """

    saga_id: Raw
    folder: Raw
    ticks: tuple[Tick, ...] = ()
    torn: tuple[TornTick, ...] = ()
    newest_key: tuple[str, int] | None = None
    index: Mapping[str, Raw] | None = None
    index_issue: IssueRef | None = None
    unread: int = 0

    @property
    def newest(self) -> Tick | None:
        """The tick that speaks for the thread."""
        return self.ticks[-1] if self.ticks else None


class SagaState(Struct, frozen=True, kw_only=True):
    """All that is written down. `folder` is the state folder in use, `folders` are all that stand there; `chosen`: the caller chose.

    `asked_thread` and `asked_issue` are what the caller chose. `strays` are entries of `state.json` without a folder; `checkpoints`
    names of the format before ticks; `contracts` contracts that lie in the repository and were not given.
    """

    folder: Raw
    folders: tuple[Raw, ...]
    chosen: bool
    threads: tuple[Thread, ...]
    asked_thread: Raw | None = None
    asked_issue: IssueRef | None = None
    proof: Proof | None = None
    index_problem: Raw | None = None
    strays: tuple[Raw, ...] = ()
    checkpoints: tuple[Raw, ...] = ()
    contracts: tuple[Raw, ...] = ()
    unread_threads: int = 0
