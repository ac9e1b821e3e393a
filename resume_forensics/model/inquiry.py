"""What a claim asks of the machine, and what the machine answered. Inquiries are values: equal questions are asked once.

The claims rooms and `deduce` name inquiries; only the reading room answers them; an answer carries no judgement.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias, TypeVar

from msgspec import Struct

from resume_forensics.model.fact import FileFact, StartFact
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DatabaseProblem, Missing


class FileText(Struct, frozen=True, kw_only=True):
    """The text of one regular file. `path` is relative to the root, or absolute where the protocol says so (`anywhere`).

    At most the last `limit_bytes` (None: `LIMITS.document_bytes`) are read, from the beginning of a line on where there is one.
    """

    path: Raw
    limit_bytes: int | None = None
    anywhere: bool = False


class FileState(Struct, frozen=True, kw_only=True):
    """Whether a file is there, a regular one inside the root, and since when."""

    path: Raw


class FolderNames(Struct, frozen=True, kw_only=True):
    """The entries of a folder; with `deep`, everything below it that is no folder, as paths relative to it.

    Links are not followed. Also a device or a link is listed: in the upper layer of an overlay it is work, such as a deletion.
    """

    path: Raw
    deep: bool = False
    anywhere: bool = False


class NewestWrite(Struct, frozen=True, kw_only=True):
    """The file that was written last, at a path relative to the root or anywhere below it; links are not followed, nor `.git`."""

    path: Raw


class TmuxSessions(Struct, frozen=True, kw_only=True):
    """The names of the tmux sessions of this user's server."""


class ProcessStart(Struct, frozen=True, kw_only=True):
    """The start mark of a process id, as `/proc/<pid>/stat` field 22 writes it."""

    pid: int


class GitPlace(Struct, frozen=True, kw_only=True):
    """Of a directory: the top of its work tree, its branch, its HEAD."""

    directory: Raw


class GitDirty(Struct, frozen=True, kw_only=True):
    """The uncommitted paths below a directory, untracked files one by one."""

    directory: Raw


class GitLog(Struct, frozen=True, kw_only=True):
    """The last `commits` commits that HEAD leads to; with `paths` (below the directory), those that touch one of them."""

    directory: Raw
    commits: int
    paths: tuple[Raw, ...] = ()


class GitAncestor(Struct, frozen=True, kw_only=True):
    """Whether a commit is an ancestor of HEAD."""

    directory: Raw
    commit: Raw


class DatabaseRows(Struct, frozen=True, kw_only=True):
    """The rows of SQLite tables, read from a private copy of database and write-ahead log."""

    path: Raw
    selects: tuple[str, ...]


class TextFact(Struct, frozen=True, kw_only=True):
    """What a file said. `text` is None where `file.missing` says why, "" where it is empty; `cut`: only its end was read.

    Bytes that are no UTF-8 are lone surrogates in `text`, so that encoding it with `surrogateescape` gives the bytes back. `digest`
    is the SHA-256 of the whole file in hex, None where it was cut.
    """

    file: FileFact
    text: str | None = None
    cut: bool = False
    digest: str | None = None


class FolderFact(Struct, frozen=True, kw_only=True):
    """What stands in a folder, sorted; `cut` where more stands there than is listed."""

    missing: Missing | None = None
    names: tuple[str, ...] = ()
    cut: bool = False


class WriteFact(Struct, frozen=True, kw_only=True):
    """The newest write and its file, relative to the root; both None where no file is there. `cut`: not every file was looked at."""

    path: str | None = None
    at: datetime | None = None
    cut: bool = False


class TmuxFact(Struct, frozen=True, kw_only=True):
    """The sessions as tmux names them; `problem` says why they could not be asked. No server running is an answer: none."""

    sessions: tuple[str, ...] = ()
    problem: str | None = None


class PlaceFact(Struct, frozen=True, kw_only=True):
    """Where a directory stands in git; `problem` says why nothing is known. `is_top`: it is the top of its work tree.

    `no_repository`: git says that no work tree is there, which is an answer, although `problem` names it.
    """

    is_directory: bool
    problem: str | None = None
    no_repository: bool = False
    is_top: bool = False
    branch: str | None = None
    head: str | None = None


class DirtyFact(Struct, frozen=True, kw_only=True):
    """Uncommitted paths, relative to the directory that was asked, sorted; `cut` where more were not listed."""

    problem: str | None = None
    paths: tuple[str, ...] = ()
    cut: bool = False


class Commit(Struct, frozen=True, kw_only=True):
    """One commit of the log. `sha` is whole; `paths` are those it touched, relative to the directory that was asked."""

    sha: str
    at: datetime
    subject: str
    paths: tuple[str, ...] = ()


class LogFact(Struct, frozen=True, kw_only=True):
    """Commits, newest first."""

    problem: str | None = None
    commits: tuple[Commit, ...] = ()


class AncestorFact(Struct, frozen=True, kw_only=True):
    """The answer of git, None where it could not be asked."""

    is_ancestor: bool | None


Cell: TypeAlias = str | int | float | None


Rows: TypeAlias = tuple[Mapping[str, Cell], ...]


class RowsFact(Struct, frozen=True, kw_only=True):
    """For each select its rows, in order; None where a table or column that it names is not there.

    `missing` or `problem` say why there are none at all; `detail` is what SQLite said. `cut`: a select had more rows than are read.
    """

    missing: Missing | None = None
    problem: DatabaseProblem | None = None
    detail: str | None = None
    rows: tuple[Rows | None, ...] = ()
    cut: bool = False


Inquiry: TypeAlias = (
    FileText
    | FileState
    | FolderNames
    | NewestWrite
    | TmuxSessions
    | ProcessStart
    | GitPlace
    | GitDirty
    | GitLog
    | GitAncestor
    | DatabaseRows
)
Answer: TypeAlias = (
    TextFact | FileFact | FolderFact | WriteFact | TmuxFact | StartFact | PlaceFact | DirtyFact | LogFact | AncestorFact | RowsFact
)

ROOT_NAMES = FolderNames(path=Raw("."))
"""What stands directly below the root; it is always asked first."""

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

    def newest(self, inquiry: NewestWrite) -> WriteFact:
        """The answer to a question of this kind."""
        return _of(WriteFact, self._held[inquiry])

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
