"""The scope of a devteam task held against git and the disk: what is uncommitted under it, written last, committed since its claim."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from resume_forensics.claims.devteam import places
from resume_forensics.claims.devteam.markdown import bound_text, find_tasks, read_beginning
from resume_forensics.claims.devteam.tasks import is_within, settle_path
from resume_forensics.model.board import Scope, ScopeCommit
from resume_forensics.model.inquiry import Answers, Commit, GitLog
from resume_forensics.text import Raw, compose

_NO_SCOPE: Final = "no path of its scope is written down"
_MORE_DIRTY: Final = "more is uncommitted than was listed"
_CLAIM: Final = re.compile(r"board:.{0,200}?\b(?:re-?)?claims?\b")
_SHORT_CHARS: Final = 9


def settle_scope(written: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """The paths of a scope relative to the root, each once, and how many could not be trusted."""
    settled = [settle_path(path) for path in written]
    return tuple(dict.fromkeys(path for path in settled if path is not None)), settled.count(None)


def see_scope(paths: Sequence[str], number: int, claim: Commit | None, answers: Answers) -> Scope:
    """What the machine shows of the settled paths of a task's scope, and of what was committed there since `claim`."""
    if not paths:
        return Scope(paths=(), problem=Raw(_NO_SCOPE))
    log, fact = places.ask_commits(paths), answers.dirty(places.DIRTY)
    touched = list_commits(log, answers)
    writes = [answers.newest(question) for question in map(places.ask_newest, paths) if question in answers]
    at, newest = max(((write.at, write.path) for write in writes if write.at and write.path), default=(None, None))
    covered = frozenset(paths)
    dirty = tuple(Raw(path) for path in fact.paths if is_within(path, covered))
    unlogged = answers.log(log).problem if log in answers else None
    problem = fact.problem or (_MORE_DIRTY if fact.cut and not dirty else unlogged)
    return Scope(
        paths=tuple(Raw(path or ".") for path in paths),
        problem=Raw(problem) if problem else None,
        dirty=dirty,
        newest=Raw(newest.removeprefix("./")) if newest else None,
        newest_at=at,
        claimed_by=describe_commit(claim) if claim else None,
        commits=tuple(
            ScopeCommit(said=describe_commit(one), own=number in find_tasks(read_beginning(one.subject)))
            for one in _since(claim, touched, answers)
        ),
        committed_at=touched[0].at if touched else None,
    )


def list_commits(log: GitLog, answers: Answers) -> tuple[Commit, ...]:
    """The commits of a log, none where it was not asked for."""
    return answers.log(log).commits if log in answers else ()


def describe_commit(commit: Commit) -> Raw:
    """A commit as its short hash and subject."""
    return compose(commit.sha[:_SHORT_CHARS], " ", bound_text(commit.subject))


def find_claims(answers: Answers) -> Mapping[int, Commit]:
    """The newest commit that claims each task: `board: claim T-n`, also `board: claim T-3 and T-2`, `board: re-claim T-n`."""
    claims: dict[int, Commit] = {}
    for commit in (*list_commits(places.HISTORY, answers), *list_commits(places.CLAIMS, answers)):
        found = _CLAIM.match(commit.subject)
        for number in find_tasks(read_beginning(commit.subject[found.end() :])) if found else ():
            claims.setdefault(number, commit)
    return claims


def _since(claim: Commit | None, touched: Sequence[Commit], answers: Answers) -> tuple[Commit, ...]:
    """Those of some commits that came after a claim: by their order where the history shows it, else by the clock."""
    if claim is None:
        return ()
    order = [commit.sha for commit in list_commits(places.HISTORY, answers)]
    if claim.sha in order:
        later = frozenset(order[: order.index(claim.sha)])
        return tuple(commit for commit in touched if commit.sha in later)
    return tuple(commit for commit in touched if commit.at > claim.at)
