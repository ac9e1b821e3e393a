"""A devteam on an invented machine: its files, its git, its processes; inquiries are answered from them as the reading room would."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct, field

from resume_forensics.claims.devteam import SYSTEM, translate
from resume_forensics.deduce.reconcile.devteam import judge
from resume_forensics.model.board import TeamState
from resume_forensics.model.claim import Circumstances, Claim, ListedAgent, Reconciliation
from resume_forensics.model.fact import FileFact, StartFact
from resume_forensics.model.inquiry import (
    Answer,
    Answers,
    Commit,
    DirtyFact,
    FileText,
    FolderFact,
    FolderNames,
    GitDirty,
    GitLog,
    Inquiry,
    LogFact,
    NewestWrite,
    ProcessStart,
    TextFact,
    WriteFact,
)
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing

NOW = datetime(2026, 1, 2, 9, tzinfo=UTC)
LONG_AGO = NOW - timedelta(hours=6)
ME = "5e0f-new-session"

TASK_HEAD = "| Task | Title | Discharges | Depends on | Scope | State |\n|---|---|---|---|---|---|\n"


def board(rows: Mapping[str, str] | None = None, *, writer: str = f"**Writer.** `{ME}` since 2026-01-01", more: str = "") -> str:
    """A BOARD.md with a row for each task: its identifier and its state."""
    table = "".join(f"| {name} | A title | R-1 | \N{EM DASH} | src/{name}/ | {state} |\n" for name, state in (rows or {}).items())
    return f"# BOARD\n\n**Project.** demo\n{writer}\n\n## Tasks\n\n{TASK_HEAD}{table}\n{more}"


def task(name: str, status: str, *, scope: str | None = None, more: str = "") -> str:
    """A task file with one path in its scope, `src/<name>/`."""
    path = f"src/{name}/" if scope is None else scope
    title = f"# {name} \N{EM DASH} A well-known title \N{EM DASH} {status}\n"
    return f"{title}\n- **Discharges.** R-1\n- **Scope.**\n  {path}\n- **Depends on.** none\n{more}"


def commit(sha: str, subject: str, at: datetime = LONG_AGO, *paths: str) -> Commit:
    """A commit with a whole hash made of a short one."""
    return Commit(sha=sha * 10, at=at, subject=subject, paths=paths)


class Team(Struct, kw_only=True):
    """What is on the machine. Paths are relative to the root, or absolute; `touched` says which commits touched which path."""

    files: dict[str, str] = field(default_factory=dict)
    written: dict[str, datetime] = field(default_factory=dict)
    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    missing: dict[str, Missing] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    dirty: tuple[str, ...] = ()
    dirty_problem: str | None = None
    dirty_cut: bool = False
    log_problem: str | None = None
    history: tuple[Commit, ...] = ()
    touched: dict[str, tuple[Commit, ...]] = field(default_factory=dict)
    newest: dict[str, datetime] = field(default_factory=dict)
    starts: dict[int, str] = field(default_factory=dict)
    has_proc: bool = True

    def answer(self, inquiry: Inquiry) -> Answer:
        """Answer one question."""
        match inquiry:
            case FileText():
                return self._text(reveal(inquiry.path))
            case FolderNames():
                return self._names(reveal(inquiry.path), deep=inquiry.deep)
            case NewestWrite():
                path = reveal(inquiry.path)
                return WriteFact(path=f"{path}/code.py", at=self.newest[path]) if path in self.newest else WriteFact()
            case ProcessStart():
                return StartFact(asked=self.has_proc, start=self.starts.get(inquiry.pid) if self.has_proc else None)
            case GitDirty() | GitLog():
                return self._git(inquiry)
            case _:
                raise AssertionError(f"a devteam asks for no {type(inquiry).__name__}")

    def _git(self, inquiry: GitDirty | GitLog) -> Answer:
        if isinstance(inquiry, GitDirty):
            return DirtyFact(problem=self.dirty_problem, paths=tuple(sorted(self.dirty)), cut=self.dirty_cut)
        found = (one for path in inquiry.paths for one in self.touched.get(reveal(path), ()))
        commits = tuple(dict.fromkeys(found)) if inquiry.paths else self.history
        return LogFact(commits=commits[: inquiry.commits], problem=self.log_problem)

    def _text(self, path: str) -> TextFact:
        if path in self.files and path not in self.missing:
            text = self.files[path]
            fact = FileFact(path=Path(path), size_bytes=len(text), modified_at=self.written.get(path, LONG_AGO))
            return TextFact(file=fact, text=text, cut=path in self.cut)
        return TextFact(file=FileFact(path=Path(path), missing=self.missing.get(path, Missing.GONE)))

    def _names(self, path: str, *, deep: bool) -> FolderFact:
        if path in self.missing:
            return FolderFact(missing=self.missing[path])
        below = {name[len(path) + 1 :] for name in self.files if name.startswith(f"{path}/")} | set(self.folders.get(path, ()))
        names = below if deep else {name.split("/")[0] for name in below}
        return FolderFact(names=tuple(sorted(names))) if below or path in self.folders else FolderFact(missing=Missing.GONE)


def circumstances(*, session: str | None = ME, agents: tuple[ListedAgent, ...] | None = None, recent_s: int = 300) -> Circumstances:
    """What the caller says."""
    own = None if session is None else Raw(session)
    return Circumstances(now=NOW, root=Raw("/home/mira/demo"), session_id=own, agents=agents, recent_s=recent_s)


def agent(name: str, status: str = "running", ref: str = "r-1") -> ListedAgent:
    """A row of the list of agents."""
    return ListedAgent(name=name, ref=ref, status=status)


def ask(team: Team, around: Circumstances) -> Answers:
    """Ask until nothing new is named; more than six rounds would be a chain without an end."""
    held: dict[Inquiry, Answer] = {}
    for _ in range(6):
        wanted = [inquiry for inquiry in SYSTEM.inquire(Answers(held), around) if inquiry not in held]
        if not wanted:
            return Answers(held)
        held |= {inquiry: team.answer(inquiry) for inquiry in wanted}
    raise AssertionError("the questions do not end")


def read(team: Team, around: Circumstances | None = None) -> TeamState:
    """The typed state of a team."""
    known = around or circumstances()
    return translate(ask(team, known), known)


def reconcile(team: Team, around: Circumstances | None = None) -> Reconciliation[Raw]:
    """The whole answer about a team."""
    known = around or circumstances()
    answers = ask(team, known)
    return judge(translate(answers, known), answers, known)


def show(raw: Raw | None) -> str:
    """The characters, for a test to look at."""
    return "" if raw is None else reveal(raw)


def claims_of(found: Reconciliation[Raw]) -> dict[str, Claim[Raw]]:
    """The claims by their id; each id stands once."""
    claims = {show(claim.id): claim for claim in found.claims}
    assert len(claims) == len(found.claims)
    return claims


def team_of(name: str, status: str, state: str = "CLAIMED T1-x-0310", *, heartbeat: str | None = "waiting on S-1 (implementer)") -> Team:
    """A team with one task whose scope is clean and quiet."""
    files = {
        "devteam/BOARD.md": board({name: state}),
        "devteam/QUESTIONS.md": "# QUESTIONS\n",
        "devteam/RECORD.md": "# RECORD\n",
        f"devteam/tasks/{name}.md": task(name, status),
    }
    if heartbeat is not None:
        files[f"devteam/.run/locks/{name}.heartbeat"] = heartbeat
    return Team(files=files)
