"""What the work tree says about the workers that died over it. In: the observed tree and the workers' reports. Out: `Tree`."""

from collections.abc import Iterable

from resume_forensics.model.fact import DirtyFile, TreeFact
from resume_forensics.model.report import ChangedFile, NotLookedAt, Tree, WorkerReport
from resume_forensics.text import Raw, compose

_NOT_LOOKED_AT = (
    ("open pull requests", "gh pr list --state open"),
    ("continuous integration", "gh run list --limit 5"),
)


def describe_tree(fact: TreeFact, workers: Iterable[WorkerReport[Raw]]) -> Tree[Raw]:
    """Tie the changed files to the workers whose last edit of them never got a result."""
    half = _half_written(workers)
    changed = tuple(_changed(file, _writer(file, fact, half)) for file in fact.dirty)
    return Tree(
        directory=fact.directory,
        problem=fact.problem,
        branch=fact.branch,
        upstream=fact.upstream,
        ahead=fact.ahead,
        behind=fact.behind,
        last_commit=fact.last_commit,
        last_commit_at=fact.last_commit_at,
        stashes=fact.stashes,
        in_progress=tuple(Raw(word) for word in fact.in_progress),
        dirty_total=fact.dirty_total,
        changed=changed,
        half_written=tuple(_half(path, by, fact) for path, by in half.items()),
        not_looked_at=tuple(NotLookedAt(what=Raw(what), command=Raw(command)) for what, command in _NOT_LOOKED_AT),
    )


def _names(file: DirtyFile, fact: TreeFact) -> tuple[Raw, ...]:
    """The ways in which an edit may name a file that git names: whole, below the root, below the session's directory."""
    return (file.path, *(compose(folder, "/", file.path) for folder in (fact.root, fact.directory) if folder))


def _writer(file: DirtyFile, fact: TreeFact, half: dict[Raw, Raw]) -> Raw | None:
    return next((half[name] for name in _names(file, fact) if name in half), None)


def _half(path: Raw, by: Raw, fact: TreeFact) -> ChangedFile[Raw]:
    """A half-written file as its worker names it, with what git says of it, if git names it at all."""
    file = next((file for file in fact.dirty if path in _names(file, fact)), None)
    if file is None:
        return ChangedFile(path=path, status=Raw("not named by git"), added=None, removed=None, half_written_by=by)
    return ChangedFile(path=path, status=file.status, added=file.added, removed=file.removed, half_written_by=by)


def _half_written(workers: Iterable[WorkerReport[Raw]]) -> dict[Raw, Raw]:
    found: dict[Raw, Raw] = {}
    for worker in workers:
        path = worker.digest.half_written if worker.digest else None
        name = worker.worker_id or worker.tool_use_id
        if path is not None and name is not None:
            found[path] = name
    return found


def _changed(file: DirtyFile, by: Raw | None) -> ChangedFile[Raw]:
    return ChangedFile(path=file.path, status=file.status, added=file.added, removed=file.removed, half_written_by=by)
