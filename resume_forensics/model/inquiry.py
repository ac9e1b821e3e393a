"""What a claim asks of the machine, and what the machine answered. Inquiries are values: equal questions are asked once.

The claims rooms and `deduce` name inquiries; only the reading room answers them; an answer carries no judgement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from resume_forensics.model.fact import FileFact
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """The text of one regular file. `path` is relative to the root, or absolute where the protocol says so (`anywhere`).

    At most the last `limit_bytes` (None: `LIMITS.document_bytes`) are read.
    """

    path: Raw
    limit_bytes: int | None = None
    anywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """Whether a file is there, a regular one inside the root, and since when."""

    path: Raw
    anywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderNames:
    """The entries of a folder; with `deep`, the regular files anywhere below it, as paths relative to it."""

    path: Raw
    deep: bool = False
    anywhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TmuxSessions:
    """The names of the tmux sessions of this user's server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessStart:
    """The start mark of a process id, as `/proc/<pid>/stat` field 22 writes it."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GitPlace:
    """Of a directory: the top of its work tree, its branch, its HEAD."""

    directory: Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class GitDirty:
    """The uncommitted paths of a directory's work tree, untracked files one by one."""

    directory: Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class GitLog:
    """The last `commits` commits of a directory's work tree; with `paths`, those that touch one of them."""

    directory: Raw
    commits: int
    paths: tuple[Raw, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GitAncestor:
    """Whether a commit is an ancestor of HEAD."""

    directory: Raw
    commit: Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseRows:
    """The rows of SQLite tables, read from a private copy of database and write-ahead log."""

    path: Raw
    selects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFact:
    """What a file said. `text` is None where `file.missing` says why; `cut`: only its end was read; `digest` is its SHA-256 in hex."""

    file: FileFact
    text: str | None = None
    cut: bool = False
    digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFact:
    """What stands in a folder, sorted; `cut` where more stands there than is listed."""

    missing: Missing | None = None
    names: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TmuxFact:
    """The sessions as tmux names them; `problem` says why they could not be asked. No server running is an answer: none."""

    sessions: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFact:
    """The start mark of the process that has the number now; None: nobody has it. `asked` false: it could not be asked."""

    asked: bool
    start: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceFact:
    """Where a directory stands in git; `problem` says why nothing is known. `is_top`: it is the top of its work tree."""

    is_directory: bool
    problem: str | None = None
    is_top: bool = False
    branch: str | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirtyFact:
    """Uncommitted paths, relative to the top of the work tree, sorted; `cut` where more were not listed."""

    problem: str | None = None
    paths: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit of the log."""

    sha: str
    at: datetime
    subject: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFact:
    """Commits, newest first."""

    problem: str | None = None
    commits: tuple[Commit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AncestorFact:
    """The answer of git, None where it could not be asked."""

    is_ancestor: bool | None


Cell: TypeAlias = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsFact:
    """For each select its rows, in order; `missing` or `problem` say why there are none (no file; damaged; a table is not there)."""

    missing: Missing | None = None
    problem: str | None = None
    rows: tuple[tuple[Mapping[str, Cell], ...], ...] = ()


Inquiry: TypeAlias = (
    FileText | FileState | FolderNames | TmuxSessions | ProcessStart | GitPlace | GitDirty | GitLog | GitAncestor | DatabaseRows
)
Answer: TypeAlias = TextFact | FileFact | FolderFact | TmuxFact | StartFact | PlaceFact | DirtyFact | LogFact | AncestorFact | RowsFact

_Kind = TypeVar("_Kind")


def _of(kind: type[_Kind], answer: Answer) -> _Kind:
    if not isinstance(answer, kind):
        raise TypeError(f"a {type(answer).__name__} answers no question for a {kind.__name__}")
    return answer


class Answers:
    """What was asked so far, with one typed question a kind; asking what was not inquired is a defect and raises KeyError."""

    __slots__ = ("_held",)

    def __init__(self, held: Mapping[Inquiry, Answer]) -> None:
        self._held = held

    def __contains__(self, inquiry: object) -> bool:
        """Whether it was asked."""
        return inquiry in self._held

    def text(self, inquiry: FileText) -> TextFact:
        """The answer to a question of this kind."""
        return _of(TextFact, self._held[inquiry])

    def file(self, inquiry: FileState) -> FileFact:
        """The answer to a question of this kind."""
        return _of(FileFact, self._held[inquiry])

    def folder(self, inquiry: FolderNames) -> FolderFact:
        """The answer to a question of this kind."""
        return _of(FolderFact, self._held[inquiry])

    def tmux(self) -> TmuxFact:
        """The answer to the one question of this kind."""
        return _of(TmuxFact, self._held[TmuxSessions()])

    def start(self, inquiry: ProcessStart) -> StartFact:
        """The answer to a question of this kind."""
        return _of(StartFact, self._held[inquiry])

    def place(self, inquiry: GitPlace) -> PlaceFact:
        """The answer to a question of this kind."""
        return _of(PlaceFact, self._held[inquiry])

    def dirty(self, inquiry: GitDirty) -> DirtyFact:
        """The answer to a question of this kind."""
        return _of(DirtyFact, self._held[inquiry])

    def log(self, inquiry: GitLog) -> LogFact:
        """The answer to a question of this kind."""
        return _of(LogFact, self._held[inquiry])

    def ancestor(self, inquiry: GitAncestor) -> AncestorFact:
        """The answer to a question of this kind."""
        return _of(AncestorFact, self._held[inquiry])

    def rows(self, inquiry: DatabaseRows) -> RowsFact:
        """The answer to a question of this kind."""
        return _of(RowsFact, self._held[inquiry])
