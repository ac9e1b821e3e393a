"""A repository in memory held against what a caller says, for the tests of the saga's tables."""

from collections.abc import Mapping

from claims.sagas import BRANCH, Machine, circumstances
from resume_forensics.claims.saga import translate
from resume_forensics.deduce.reconcile.saga import judge, take_position
from resume_forensics.deduce.reconcile.saga.actions import ACTION_ROWS
from resume_forensics.model.claim import Circumstances, Claim, PullRequest, Reconciliation
from resume_forensics.text import Raw, reveal


def reconcile(
    files: Mapping[str, str | bytes],
    said: Circumstances | None = None,
    *,
    branch: str | None = BRANCH,
    dirty: tuple[str, ...] = (),
    git_problem: str | None = None,
) -> Reconciliation[Raw]:
    """Ask, translate and judge."""
    known = said or circumstances()
    answers = Machine(files=files, branch=branch, dirty=dirty, git_problem=git_problem).gather(known)
    return judge(translate(answers, known), answers, known)


def row_of(files: Mapping[str, str | bytes], said: Circumstances | None = None) -> int:
    """The row that gave the next action."""
    known = said or circumstances()
    answers = Machine(files=files).gather(known)
    position = take_position(translate(answers, known), answers, known)
    return next(at for at, row in enumerate(ACTION_ROWS) if row(position))


def claim_of(found: Reconciliation[Raw], claim_id: str) -> Claim[Raw]:
    """The one claim of that id."""
    (only,) = [claim for claim in found.claims if claim.id == Raw(claim_id)]
    return only


def ids(found: Reconciliation[Raw]) -> list[str]:
    """The ids of all claims, in order."""
    return [reveal(claim.id) for claim in found.claims]


def conflicts(found: Reconciliation[Raw]) -> dict[str, bool]:
    """The ids of all conflicts, and whether each forbids to write."""
    return {reveal(conflict.id): conflict.blocks_apply for conflict in found.conflicts}


def words(raw: Raw | None) -> str:
    """What a sentence says, for comparison with what it should."""
    return "" if raw is None else reveal(raw)


def pull_request(number: int, title: str, state: str = "MERGED", review: str = "APPROVED") -> PullRequest:
    """A row of what GitHub says."""
    return PullRequest(number=number, title=title, state=state, url=f"https://example.invalid/pr/{number}", review_decision=review)
