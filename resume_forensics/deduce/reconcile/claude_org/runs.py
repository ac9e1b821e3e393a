"""What became of a run: the decision table of claude-org's runs, and the conflicts between database and machine.

Whether a worker still lives cannot be seen in this system; nothing here says so. Pure: the answers of the machine come in.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.claude_org.sight import RunSight
from resume_forensics.deduce.reconcile.claude_org.witness import list_closed, list_evidence, list_losses
from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.model.claim import Advice, Circumstances, Claim, Conflict
from resume_forensics.model.org import Run
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import ConflictKind, OrgStatus, Proposal, RunStatus, Verdict

_MERGED: Final = Raw("merged")
_COMPLETED: Final = Raw("completed")
_CLOSED: Final = frozenset({RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.ABANDONED})


class RunRow(Struct, frozen=True, kw_only=True):
    """One row: what holds, what it means, what to do, and where that is written down."""

    verdict: Verdict
    proposal: Proposal
    holds: Callable[[RunSight], bool]
    reason: str
    source: str
    conflict: ConflictKind | None = None


RUN_ROWS: Final = (
    RunRow(
        verdict=Verdict.UNKNOWN_STATUS,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.run.status is None,
        reason="the database gives it a status that is not known",
        source="ours",
    ),
    RunRow(
        verdict=Verdict.CLOSED,
        proposal=Proposal.REPORT_RESULTS,
        holds=lambda sight: sight.run.status in _CLOSED,
        reason="the database says that it came to its end: just report its result",
        source="seed 004, phase 3",
    ),
    RunRow(
        verdict=Verdict.QUEUED,
        proposal=Proposal.CHECK_BLOCKER,
        holds=lambda sight: sight.run.status is RunStatus.QUEUED,
        reason="it waits: check whether what blocks it was resolved, and judge whether it is now actionable",
        source="seed 004, phase 3",
    ),
    RunRow(
        verdict=Verdict.DIR_MISSING,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.is_missing,
        reason="the database says that it is being worked on, but its directory is not there",
        source="seed 004, phase 2",
        conflict=ConflictKind.DIR_VS_DB,
    ),
    RunRow(
        verdict=Verdict.DIR_NOT_GIT,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.is_no_tree,
        reason="its directory is not the top of a git work tree, so neither branch nor commit can be held against it",
        source="ours",
        conflict=ConflictKind.DIR_VS_DB,
    ),
    RunRow(
        verdict=Verdict.BRANCH_DIFFERS,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.is_on_other_branch,
        reason="its directory is on another branch than the database says",
        source="seed 004, phase 2",
        conflict=ConflictKind.BRANCH_VS_DB,
    ),
    RunRow(
        verdict=Verdict.HEAD_DIFFERS,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.is_at_other_commit,
        reason="the last commit in its directory is not the one that the database recorded",
        source="seed 004, phase 2",
        conflict=ConflictKind.HEAD_VS_DB,
    ),
    RunRow(
        verdict=Verdict.MERGED_NOT_CLOSED,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.is_merged and sight.run.pr_state != _MERGED,
        reason="its pull request is merged, and the database does not know",
        source="ours",
        conflict=ConflictKind.PR_VS_DB,
    ),
    RunRow(
        verdict=Verdict.RECORD_DISAGREES,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.run.worker_says == _COMPLETED,
        reason="its worker file says completed, the database does not",
        source="seed 004, phase 2; origin",
        conflict=ConflictKind.WORKER_FILE_VS_DB,
    ),
    RunRow(
        verdict=Verdict.UNKNOWN_NO_GIT,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda sight: sight.git_problem is not None,
        reason="git did not tell everything about its directory: look yourself before anything is dispatched there",
        source="ours",
        conflict=ConflictKind.DIR_VS_DB,
    ),
    RunRow(
        verdict=Verdict.WORK_UNCOMMITTED,
        proposal=Proposal.DISPATCH_CONTINUE,
        holds=lambda sight: sight.dirty is not None and bool(sight.dirty.paths),
        reason="There are uncommitted changes. Shall I dispatch a worker to continue?",
        source="seed 004, phase 3",
    ),
    RunRow(
        verdict=Verdict.LEFT_IN_USE,
        proposal=Proposal.DISPATCH_CONTINUE,
        holds=lambda sight: sight.org_status is OrgStatus.SUSPENDED,
        reason="suspending the org left it open with nobody at it, and its directory is as recorded. Shall I dispatch a worker?",
        source="origin, I4",
    ),
    RunRow(
        verdict=Verdict.CONFIRMED,
        proposal=Proposal.ASK_HUMAN,
        holds=lambda _: True,
        reason="nothing speaks against it, but whether a worker lives cannot be seen",
        source="ours",
    ),
)
"""Contract, section 7; the first row that holds decides."""


def judge_run(sight: RunSight) -> Claim[Raw]:
    """Answer what became of the claim that a run makes."""
    run, row = sight.run, next(row for row in RUN_ROWS if row.holds(sight))
    is_open = row.proposal in {Proposal.DISPATCH_CONTINUE, Proposal.ASK_HUMAN} and run.status is not None
    return Claim(
        id=name_run(run),
        claim=compose("run ", run.task_id, " is ", run.claimed, *((" in ", run.directory) if run.directory else ())),
        claimed_status=run.claimed,
        evidence=tuple(list_evidence(sight) if is_open else list_closed(run)),
        verdict=row.verdict,
        proposal=Advice(
            name=row.proposal,
            reason=Raw(row.reason),
            destroys=tuple(list_losses(sight)) if is_open else (),
            after=(_delegate(run),) if row.proposal is Proposal.DISPATCH_CONTINUE else (),
        ),
    )


def name_run(run: Run) -> Raw:
    """The id of the claim that a run makes."""
    return compose("run:", run.task_id)


def list_conflicts(sight: RunSight, circumstances: Circumstances) -> Iterator[Conflict[Raw]]:
    """Every contradiction of an open run, also those that its verdict does not name."""
    if sight.run.status is None or sight.run.status in _CLOSED or sight.run.status is RunStatus.QUEUED:
        return
    for row in RUN_ROWS:
        if row.conflict and row.holds(sight):
            sides = _SIDES[row.verdict](sight)
            yield find_conflict(row.conflict, (name_run(sight.run),), sides, circumstances)


def _delegate(run: Run) -> Raw:
    file = run.inquiries.worker_file
    if file is None or run.worker_says is None:
        return Raw("once the human said so: /org-delegate; there is no worker file with a status to pass on as context")
    return compose("once the human said so: /org-delegate, with the contents of ", file.path, " passed to the new worker as context")


_SIDES: Final[dict[Verdict, Callable[[RunSight], tuple[Raw, Raw]]]] = {
    Verdict.DIR_MISSING: lambda sight: (
        compose("the database: ", sight.run.claimed, " in ", sight.run.directory or "no recorded directory"),
        Raw("the machine: no directory is there"),
    ),
    Verdict.DIR_NOT_GIT: lambda sight: (
        compose("the database: ", sight.run.claimed, " in ", sight.run.directory or ""),
        Raw("the machine: it is not the top of a git work tree"),
    ),
    Verdict.UNKNOWN_NO_GIT: lambda sight: (
        compose("the database: ", sight.run.claimed, " in ", sight.run.directory or ""),
        Raw(f"the machine: unknown; {sight.git_problem}"),
    ),
    Verdict.BRANCH_DIFFERS: lambda sight: (
        compose("the database: branch ", sight.run.branch or ""),
        compose("git: ", sight.branch),
    ),
    Verdict.HEAD_DIFFERS: lambda sight: (
        compose("the database: commit ", sight.run.commit or ""),
        compose("git: HEAD is ", sight.head, "; ", sight.ancestry),
    ),
    Verdict.MERGED_NOT_CLOSED: lambda sight: (
        compose("the database: pr_state ", sight.run.pr_state or "null"),
        compose("the facts: ", sight.run.pr_url or "", " is ", sight.pull_request or ""),
    ),
    Verdict.RECORD_DISAGREES: lambda sight: (
        compose("the database: ", sight.run.claimed),
        compose("the worker file: ", sight.run.worker_says or ""),
    ),
}
"""The two sides of each conflict, by the verdict that names it."""
