"""What was seen of a run, item by item, and what a new worker in its directory would destroy. Pure; nothing is decided here."""

from collections.abc import Iterator
from typing import Final

from resume_forensics.deduce.reconcile.claude_org.sight import NOT_ASKED, RunSight
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import ClaimEvidence
from resume_forensics.model.org import Run
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import EvidenceKind, OrgStatus, Says

_COMPLETED: Final = Raw("completed")


def list_evidence(sight: RunSight) -> Iterator[ClaimEvidence[Raw]]:
    """Everything that was seen of an open run."""
    run, tree, place = sight.run, sight.tree, sight.place
    there = "not recorded" if run.directory is None else NOT_ASKED if place is None else "there" if place.is_directory else "not there"
    yield _seen(
        EvidenceKind.DIRECTORY, run.directory or "its directory", there, _for(holds=not sight.is_missing) if place else Says.UNKNOWN
    )
    if place and place.is_directory and tree is None:
        said = place.problem or "not the top of a work tree"
        yield _seen(EvidenceKind.GIT, "work tree", said, _for(holds=False) if sight.is_no_tree else Says.UNKNOWN)
    if tree is not None:
        yield from _list_git(sight)
    if run.pr_url is not None:
        says = Says.UNKNOWN if sight.pull_request is None else _for(holds=not sight.is_merged)
        yield _seen(EvidenceKind.PR, run.pr_url, sight.pull_request or "not among the facts that were given", says)
    if run.inquiries.worker_file is not None:
        says = Says.UNKNOWN if run.worker_says is None else _for(holds=run.worker_says != _COMPLETED)
        yield _seen(EvidenceKind.FILE, run.inquiries.worker_file.path, run.worker_says or "no status was read", says)
    suspended = sight.org_status is OrgStatus.SUSPENDED
    yield _seen(EvidenceKind.DATABASE, "status of the org", sight.org_status or "unknown", Says.AGAINST if suspended else Says.UNKNOWN)


def _list_git(sight: RunSight) -> Iterator[ClaimEvidence[Raw]]:
    """What git says of the work tree."""
    run, dirty = sight.run, sight.dirty
    for branch in dict.fromkeys(branch for branch in (run.branch, run.directory_branch) if branch):
        yield _seen(EvidenceKind.GIT, compose("branch, recorded as ", branch), sight.branch, _for(holds=sight.branch == branch))
    if run.branch is None and run.directory_branch is None:
        yield _seen(EvidenceKind.GIT, "branch, not recorded", sight.branch, Says.UNKNOWN)
    commit = compose("HEAD, recorded as ", run.commit) if run.commit else "HEAD, not recorded"
    yield _seen(EvidenceKind.GIT, commit, sight.head, _for(holds=not sight.is_at_other_commit) if run.commit else Says.UNKNOWN)
    if sight.is_at_other_commit:
        is_other = sight.ancestor is not None and sight.ancestor.is_ancestor is False
        yield _seen(EvidenceKind.GIT, "the recorded commit", sight.ancestry, Says.AGAINST if is_other else Says.UNKNOWN)
    said = sight.git_problem or f"{'more than ' if dirty and dirty.cut else ''}{len(dirty.paths) if dirty else 0} uncommitted paths"
    yield _seen(EvidenceKind.GIT, "status", said, Says.UNKNOWN)
    for one in sight.log.commits if sight.log else ():
        yield _seen(EvidenceKind.GIT, "commit", compose(one.sha[:12], " ", Raw(one.subject)), Says.UNKNOWN)


def list_closed(run: Run) -> Iterator[ClaimEvidence[Raw]]:
    """What the database itself says of a run that nobody is at."""
    for name, said in (("title", run.title), ("pr_url", run.pr_url), ("pr_state", run.pr_state), ("outcome_note", run.outcome)):
        if said is not None:
            yield _seen(EvidenceKind.DATABASE, name, said, Says.FOR)
    for moment in run.moments:
        yield _seen(EvidenceKind.DATABASE, moment.column, moment.text, Says.FOR)


def list_losses(sight: RunSight) -> Iterator[Raw]:
    """What a new worker in that directory may overwrite, path by path; what could not be seen is said in words."""
    directory = sight.run.directory or Raw("")
    if sight.is_missing:
        return
    if sight.is_no_tree:
        yield compose("whatever stands in ", directory, ": it is no work tree of its own, so nothing tells what was kept")
    elif sight.git_problem is not None:
        yield compose("whatever is uncommitted in ", directory, f": not known; {sight.git_problem}")
    paths = sight.dirty.paths if sight.dirty else ()
    yield from (compose(directory, "/", Raw(path)) for path in paths[: LIMITS.losses_listed])
    if sight.dirty and (sight.dirty.cut or len(paths) > LIMITS.losses_listed):
        more = max(0, len(paths) - LIMITS.losses_listed)
        yield compose(f"{more:,}{' or more' if sight.dirty.cut else ''} further uncommitted paths in ", directory)


def _seen(kind: EvidenceKind, what: str | Raw, value: str | Raw, says: Says) -> ClaimEvidence[Raw]:
    return ClaimEvidence(kind=kind, what=compose(what), value=compose(value), says=says)


def _for(*, holds: bool) -> Says:
    return Says.FOR if holds else Says.AGAINST
