"""What git knows of a directory that a state file is about: where it stands, what is uncommitted, what was committed.

Git is asked through the same guard as the tree of a session (`read/git.py`): read-only, bounded, nothing of the repository is run.
"""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.inquiry import AncestorFact, Commit, DirtyFact, LogFact, PlaceFact
from resume_forensics.read.git import NO_REPOSITORY, TOO_MUCH, Git
from resume_forensics.text import Raw, reveal

_BRANCH: Final = ("symbolic-ref", "--quiet", "--short", "HEAD")
_HEAD: Final = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
_STATUS: Final = ("status", "--porcelain=v2", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty", "-z", "--", ".")
_LOG: Final = (
    "log",
    "--no-show-signature",
    "--no-color",
    "--no-renames",
    "--name-only",
    "--relative",
    "-z",
    "--format=%x1e%H%x00%ct%x00%s",
)
_SEPARATOR: Final = "\x1e"
_COMMIT_FIELDS: Final = 3
_FIELDS_BEFORE_PATH: Final = {"1": 8, "u": 10, "?": 1}
"""Rows of `status --porcelain=v2` (git-status(1)) that name a file: changed, unmerged, untracked."""

_SHA: Final = re.compile(r"[0-9a-fA-F]{4,64}")


def observe_place(directory: Path, *, limits: Limits = LIMITS) -> PlaceFact:
    """Answer whether a directory is the top of a work tree, its branch (None: detached) and its whole HEAD (None: no commit yet)."""
    if not os.path.isdir(directory):  # noqa: PTH112 (it never raises)
        return PlaceFact(is_directory=False)
    git = Git(folder=str(directory), limits=limits)
    if git.find_repository() is None or git.root is None:
        return PlaceFact(is_directory=True, problem=git.problem, no_repository=git.problem == NO_REPOSITORY)
    return PlaceFact(
        is_directory=True,
        is_top=os.path.realpath(reveal(git.root)) == os.path.realpath(directory),
        branch=_line(git.ask(*_BRANCH)),
        head=_line(git.ask(*_HEAD)),
        problem=git.problem or None,
    )


def list_dirty(directory: Path, *, limits: Limits = LIMITS) -> DirtyFact:
    """Answer the uncommitted paths below a directory, relative to it; at most `LIMITS.claim_paths`."""
    git = Git(folder=str(directory), limits=limits)
    if git.find_repository() is None or git.root is None:
        return DirtyFact(problem=git.problem)
    rows = _rows(git.ask(*_STATUS))
    above = os.path.relpath(os.path.realpath(directory), os.path.realpath(reveal(git.root)))
    paths = sorted({path if above == "." else os.path.relpath(path, above) for path in _dirty_paths(rows)})
    too_many = len(paths) > limits.claim_paths or git.problem == TOO_MUCH
    problem = git.problem if git.problem != TOO_MUCH else ""
    return DirtyFact(problem=problem or None, paths=tuple(paths[: limits.claim_paths]), cut=too_many)


def list_commits(directory: Path, commits: int, paths: Sequence[Raw] = (), *, limits: Limits = LIMITS) -> LogFact:
    """Answer the newest commits of HEAD, newest first. `paths` are taken literally, and so is one that begins with a dash."""
    git = Git(folder=str(directory), limits=limits)
    if git.find_repository() is None:
        return LogFact(problem=git.problem)
    if not _line(git.ask(*_HEAD)):
        return LogFact(problem=git.problem or None)
    answer = git.ask("--literal-pathspecs", *_LOG, f"--max-count={commits}", "HEAD", "--", *(reveal(path) for path in paths))
    return LogFact(problem=git.problem or None, commits=tuple(_read_commits(answer.decode(errors="replace"))))


def is_ancestor(directory: Path, commit: Raw, *, limits: Limits = LIMITS) -> AncestorFact:
    """Answer whether a commit, named by the digits of its hash or the first of them, is HEAD or one that HEAD grew from."""
    digits = reveal(commit)
    git = Git(folder=str(directory), limits=limits)
    if not _SHA.fullmatch(digits) or git.find_repository() is None:
        return AncestorFact(is_ancestor=None)
    whole = _line(git.ask("rev-parse", "--verify", "--quiet", f"{digits}^{{commit}}"))
    base = _line(git.ask("merge-base", whole, "HEAD")) if whole else None
    return AncestorFact(is_ancestor=None if whole is None or git.problem else base == whole)


def _dirty_paths(rows: Sequence[str]) -> Iterator[str]:
    for row in rows:
        before = _FIELDS_BEFORE_PATH.get(row[0])
        fields = row.split(" ", before) if before else []
        if before and len(fields) > before:
            yield fields[before]


def _read_commits(answer: str) -> Iterator[Commit]:
    """Read hash, time, subject and then the paths of each commit; a row that was cut off is left out."""
    for row in answer.split(_SEPARATOR)[1:]:
        fields = row.split("\0")
        if len(fields) < _COMMIT_FIELDS or not fields[1].isdecimal():
            continue
        sha, seconds, subject, *paths = fields
        yield Commit(
            sha=sha,
            at=datetime.fromtimestamp(min(int(seconds), _LAST_SECOND), UTC),
            subject=subject.rstrip("\n"),
            paths=tuple(name for path in paths if (name := path.lstrip("\n"))),
        )


_LAST_SECOND: Final = int(datetime.max.replace(tzinfo=UTC).timestamp())


def _rows(answer: bytes) -> list[str]:
    return [row for row in answer.decode(errors="replace").split("\0") if row]


def _line(answer: bytes) -> str | None:
    return answer.decode(errors="replace").strip("\n") or None
