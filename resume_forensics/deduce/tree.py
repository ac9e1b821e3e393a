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
        changed=tuple(_changed(file, half.get(compose(fact.directory, "/", file.path)) or half.get(file.path)) for file in fact.dirty),
        half_written=tuple(_half(path, by) for path, by in half.items()),
        not_looked_at=tuple(NotLookedAt(what=Raw(what), command=Raw(command)) for what, command in _NOT_LOOKED_AT),
    )


def _half(path: Raw, by: Raw) -> ChangedFile[Raw]:
    return ChangedFile(path=path, status=Raw("?"), added=None, removed=None, half_written_by=by)


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
