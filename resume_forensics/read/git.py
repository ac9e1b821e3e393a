"""A directory goes in, what git knows of its work tree comes out; git is asked read-only, in bounded time and bytes.

The directory comes from a transcript and may be a trap. No program that the repository's own configuration names is run: no
hook, pager, file monitor, filter, signature check or external diff, and nothing is fetched.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Timer
from typing import IO, Final, Literal

from msgspec import Struct

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.fact import DirtyFile, TreeFact
from resume_forensics.read.machine import environment
from resume_forensics.text import Raw, reveal

NO_GIT: Final = "git is not installed"
NO_DIRECTORY: Final = "the directory is not there"
NO_REPOSITORY: Final = "not a git work tree"
NOT_OWNED: Final = "git refuses: the repository belongs to another user"
NO_ANSWER: Final = "git gave no answer"
TOO_SLOW: Final = "git did not answer in time"
TOO_MUCH: Final = "git answered more than is read; the rest is not counted"
ODD_FILTER: Final = "not asked: the repository names a filter program that cannot be switched off"

_KEPT: Final = frozenset({"PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE"})
"""What git needs of the environment: its programs, and the user's own settings (ignored files, directories declared safe)."""

_QUIET: Final = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_SSH_COMMAND": "false",
}

_SETTINGS: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "diff.external=",
    "log.showSignature=false",
    "safe.bareRepository=explicit",
)

_PLACE: Final = ("rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--show-toplevel")
_CONFIGURATION: Final = ("config", "--list", "--show-scope", "--name-only", "-z")
_LOOK: Final = ("--no-renames", "--ignore-submodules=dirty")
"""Submodules are not entered: git would start itself there, under that repository's configuration."""
_STATUS: Final = ("status", "--porcelain=v2", "--branch", "--untracked-files=normal", "-z", *_LOOK)
_CHANGES: Final = ("diff", "--numstat", "-z", "--no-ext-diff", "--no-textconv", *_LOOK, "HEAD", "--")
_COMMIT: Final = ("log", "-1", "--no-show-signature", "--no-color", "--format=%ct %h %s", "HEAD", "--")
_STASHES: Final = ("rev-list", "--walk-reflogs", "--count", "refs/stash", "--")
_FILTER: Final = re.compile(rb"filter\.(.*)\.(?:clean|smudge|process|required)", re.DOTALL)
_OWN_SCOPES: Final = frozenset({b"system", b"global"})
_REFUSALS: Final = (
    (b"dubious ownership", NOT_OWNED),
    (b"unsafe repository", NOT_OWNED),
    (b"not a git repository", NO_REPOSITORY),
    (b"must be run in a work tree", NO_REPOSITORY),
    (b"cannot use bare repository", NO_REPOSITORY),
)
"""Sentences of git 2.35 to 2.50 on standard error."""

_FIELDS_BEFORE_PATH: Final = {"1": 8, "u": 10, "?": 1}
"""Rows of `status --porcelain=v2` (git-status(1)): changed, unmerged, untracked. Renames are not asked for."""

_MARKS: Final = (
    ("MERGE_HEAD", "merge"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)
"""What stands in the git folder while something is in progress (git's own wt-status.c looks for the same)."""


def observe_tree(directory: Raw | Path, *, limits: Limits = LIMITS) -> TreeFact:
    """Answer branch, distance to upstream, dirty files, last commit, stashes and what is in progress.

    `problem` says why nothing is known, or, where only a part of the answer is missing, which; what was learned is kept. Dirty
    files are the first `LIMITS.tree_files`, tracked ones before untracked, each group by path; their status is the two signs of
    porcelain v2 (`.M`, `A.`, `UU`), `??` for untracked.
    """
    named = directory if isinstance(directory, Raw) else Raw(str(directory))
    git = Git(folder=reveal(named), limits=limits)
    place = git.find_repository()
    if place is None:
        return TreeFact(directory=named, problem=Raw(git.problem))
    head = _read_status(git.ask(*_STATUS))
    numbers = _read_numbers(git.ask(*_CHANGES))
    commit, commit_at = _read_commit(git.ask(*_COMMIT))
    stashes = _read_count(git.ask(*_STASHES))
    dirty = sorted(head.dirty, key=lambda row: (row[1] == "??", row[0]))
    return TreeFact(
        directory=named,
        root=git.root,
        problem=Raw(git.problem) if git.problem else None,
        branch=head.branch,
        upstream=head.upstream,
        ahead=head.ahead,
        behind=head.behind,
        last_commit=commit,
        last_commit_at=commit_at,
        stashes=None if git.problem == TOO_SLOW else stashes,
        in_progress=tuple(dict.fromkeys(word for mark, word in _MARKS if os.path.lexists(place / mark))),
        dirty=tuple(_dirty_file(path, status, numbers) for path, status in dirty[: limits.tree_files]),
        dirty_total=len(dirty),
    )


class Git(Struct, kw_only=True):
    """Git, asked in one directory. `problem` is the first thing that went wrong, "" if nothing did."""

    folder: str
    limits: Limits
    problem: str = ""
    program: str = ""
    root: Raw | None = None
    settings: tuple[str, ...] = _SETTINGS

    def find_repository(self) -> Path | None:
        """The git folder of the work tree, once it is safe to ask there; else None and a `problem`."""
        self.program = shutil.which("git") or ""
        if not Path(self.program).is_absolute():
            self.problem = NO_GIT
        elif "\0" in self.folder or not Path(self.folder).is_absolute() or not os.path.isdir(self.folder):  # noqa: PTH112 (it never raises)
            self.problem = NO_DIRECTORY
        else:
            inside, place, root = (*self.ask(*_PLACE).split(b"\n"), b"", b"")[:3]
            if inside == b"true" and self._switch_filters_off():
                self.root = Raw(os.fsdecode(root))
                return Path(os.fsdecode(place))
            self.problem = self.problem or self._explain_refusal()
        return None

    def ask(self, *arguments: str, listen: Literal["stdout", "stderr"] = "stdout") -> bytes:
        """Run one git command and answer what it wrote; nothing if it failed, what there was if it wrote too much.

        A command that runs out of time is the last one asked.
        """
        if self.problem == TOO_SLOW:
            return b""
        command = [self.program, "--no-pager", "--no-optional-locks"]
        for setting in self.settings:
            command += ["-c", setting]
        try:
            code, answer = _run([*command, *arguments], self.folder, listen, self.limits)
        except (OSError, ValueError):
            return b""
        if code is None:
            self.problem = TOO_SLOW
            return b""
        if len(answer) > self.limits.git_bytes:
            self.problem = self.problem or TOO_MUCH
            return answer[: answer.rfind(b"\0") + 1]
        return answer if code == 0 or listen == "stderr" else b""

    def _switch_filters_off(self) -> bool:
        """Silence the clean filters that the repository itself names: `status` and `diff` would run them over changed files."""
        items = self.ask(*_CONFIGURATION).split(b"\0")
        names = {
            found[1]
            for scope, key in zip(items[::2], items[1::2], strict=False)
            if scope not in _OWN_SCOPES and (found := _FILTER.fullmatch(key))
        }
        if any(b"=" in name for name in names):
            self.problem = ODD_FILTER
        for name in sorted(os.fsdecode(name) for name in names):
            self.settings += (f"filter.{name}.clean=", f"filter.{name}.process=", f"filter.{name}.required=false")
        return not self.problem

    def _explain_refusal(self) -> str:
        """Why git does not answer in this directory."""
        words = self.ask(*_PLACE, listen="stderr")
        return self.problem or next((reason for sign, reason in _REFUSALS if sign in words), NO_REPOSITORY if not words else NO_ANSWER)


def _run(command: Sequence[str], folder: str, listen: Literal["stdout", "stderr"], limits: Limits) -> tuple[int | None, bytes]:
    """Run a command; answer its exit status (None: it was stopped after `LIMITS.git_s`) and at most one byte more than the bound."""
    variables = {name: value for name, value in environment() if name.upper() in _KEPT} | _QUIET
    channels: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, listen: subprocess.PIPE}
    with subprocess.Popen(  # noqa: S603 (a fixed argument vector, no shell)
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        stdout=channels["stdout"],
        stderr=channels["stderr"],
    ) as process:
        stopped = Event()
        timer = Timer(limits.git_s, _stop, (process, stopped))
        timer.start()
        try:
            stream: IO[bytes] | None = getattr(process, listen)
            answer = stream.read(limits.git_bytes + 1) if stream else b""
            if len(answer) > limits.git_bytes:
                _stop(process, Event())
            code = process.wait()
        finally:
            timer.cancel()
            _stop(process, Event())
    return (None if stopped.is_set() else code), answer


def _stop(process: subprocess.Popen[bytes], stopped: Event) -> None:
    """End a command and whatever it started, unless it has ended and been waited for: then its number may be another's."""
    if process.returncode is not None:
        return
    stopped.set()
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Status(Struct, kw_only=True):
    """What `git status` says. Dirty files as path and status."""

    branch: Raw | None = None
    upstream: Raw | None = None
    ahead: int | None = None
    behind: int | None = None
    dirty: tuple[tuple[str, str], ...] = ()


def _read_status(answer: bytes) -> _Status:
    """Read porcelain v2, NUL between the rows."""
    rows = _decode_rows(answer)
    heads = dict(row[2:].split(" ", 1) for row in rows if row.startswith("# branch."))
    branch, upstream, distance = heads.get("branch.head"), heads.get("branch.upstream"), heads.get("branch.ab", "").split()
    return _Status(
        branch=None if branch in {None, "(detached)"} else Raw(str(branch)),
        upstream=None if upstream is None else Raw(upstream),
        ahead=abs(int(distance[0])) if distance else None,
        behind=abs(int(distance[1])) if distance else None,
        dirty=tuple(_read_dirty(rows)),
    )


def _read_dirty(rows: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The path and status of each row that names a file."""
    for row in rows:
        before = _FIELDS_BEFORE_PATH.get(row[0])
        fields = row.split(" ", before) if before else []
        if before and len(fields) > before:
            yield fields[before], "??" if row[0] == "?" else fields[1]


def _read_numbers(answer: bytes) -> Mapping[str, tuple[int | None, int | None]]:
    """Read `diff --numstat`: lines added and removed by path, None for a binary file."""
    rows = (row.split("\t", 2) for row in _decode_rows(answer))
    return {row[2]: (_number(row[0]), _number(row[1])) for row in rows if len(row) == 3}  # noqa: PLR2004 (the three columns of numstat)


def _read_commit(answer: bytes) -> tuple[Raw | None, datetime | None]:
    """Read the last commit: short hash and subject, and when it was made."""
    seconds, _, words = answer.decode(errors="replace").strip().partition(" ")
    if not words:
        return None, None
    try:
        return Raw(words), datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return Raw(words), None


def _read_count(answer: bytes) -> int:
    """Read a count; no answer is none, for there is no list of stashes where there are no stashes."""
    return _number(answer.decode(errors="replace").strip()) or 0


def _number(digits: str) -> int | None:
    """A number as git writes it, None for anything else."""
    return int(digits) if digits.isdecimal() else None


def _decode_rows(answer: bytes) -> list[str]:
    """The rows of an answer with NUL between them."""
    return [row for row in answer.decode(errors="replace").split("\0") if row]


def _dirty_file(path: str, status: str, numbers: Mapping[str, tuple[int | None, int | None]]) -> DirtyFile:
    """One dirty file with its numbers, if `diff` gave any."""
    added, removed = numbers.get(path, (None, None))
    return DirtyFile(path=Raw(path), status=Raw(status), added=added, removed=removed)
