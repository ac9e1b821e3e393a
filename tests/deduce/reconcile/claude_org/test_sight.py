"""A run is put beside the answers that were given about it, and each question about it has one answer."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from deduce.reconcile.claude_org.sights import CIRCUMSTANCES, CLEAN, HEAD, LOG, TREE, sight, tree
from resume_forensics.deduce.reconcile.claude_org.sight import NOT_ASKED, see_run
from resume_forensics.model.claim import PullRequest
from resume_forensics.model.inquiry import AncestorFact, Answers, DirtyFact, GitAncestor, GitDirty, GitLog, GitPlace, PlaceFact
from resume_forensics.model.org import Run, RunInquiries
from resume_forensics.text import Raw
from resume_forensics.vocabulary import OrgStatus, RunStatus

HERE = Raw("/w")
ASKED = RunInquiries(
    place=GitPlace(directory=HERE),
    dirty=GitDirty(directory=HERE),
    log=GitLog(directory=HERE, commits=5),
    ancestor=GitAncestor(directory=HERE, commit=Raw("abc1")),
)
ASKED_RUN = Run(
    task_id=Raw("t"),
    claimed=Raw("in_use"),
    status=RunStatus.IN_USE,
    directory=HERE,
    pr_url=Raw("https://example.invalid/7"),
    inquiries=ASKED,
)


def request(url: str, state: str, merged_at: datetime | None = None) -> PullRequest:
    """A row of the facts."""
    return PullRequest(number=7, title="t", state=state, url=url, merged_at=merged_at)


def test_what_was_answered_is_put_beside_the_run() -> None:
    assert ASKED.place is not None
    assert ASKED.dirty is not None
    assert ASKED.log is not None
    assert ASKED.ancestor is not None
    answers = Answers({ASKED.place: TREE, ASKED.dirty: CLEAN, ASKED.log: LOG, ASKED.ancestor: AncestorFact(is_ancestor=True)})
    seen = see_run(ASKED_RUN, OrgStatus.IDLE, answers, CIRCUMSTANCES)
    assert (seen.place, seen.dirty, seen.log, seen.ancestor) == (TREE, CLEAN, LOG, AncestorFact(is_ancestor=True))
    assert (seen.org_status, seen.pull_request, seen.is_merged) == (OrgStatus.IDLE, None, False)


def test_what_was_not_answered_is_none() -> None:
    seen = see_run(ASKED_RUN, None, Answers({}), CIRCUMSTANCES)
    assert (seen.place, seen.dirty, seen.log, seen.ancestor) == (None, None, None, None)
    assert seen.git_problem == NOT_ASKED


@pytest.mark.parametrize(
    ("found", "state", "merged"),
    [
        (request("https://example.invalid/7", "MERGED"), "MERGED", True),
        (request("https://example.invalid/7/", "CLOSED", datetime(2026, 1, 1, tzinfo=UTC)), "CLOSED", True),
        (request("https://example.invalid/7", "OPEN"), "OPEN", False),
        (request("https://example.invalid/70", "MERGED"), None, False),
        (request("", "MERGED"), None, False),
    ],
)
def test_a_pull_request_is_found_by_its_address(found: PullRequest, state: str | None, merged: bool) -> None:  # noqa: FBT001
    seen = see_run(ASKED_RUN, None, Answers({}), replace(CIRCUMSTANCES, prs=(request("x", "OPEN"), found)))
    assert (seen.pull_request, seen.is_merged) == (None if state is None else Raw(state), merged)


@pytest.mark.parametrize(
    ("place", "missing", "no_tree", "problem"),
    [
        (TREE, False, False, None),
        (None, False, False, NOT_ASKED),
        (PlaceFact(is_directory=False), True, False, None),
        (PlaceFact(is_directory=True), False, True, None),
        (PlaceFact(is_directory=True, problem="none there", no_repository=True), False, True, None),
        (PlaceFact(is_directory=True, problem="slow"), False, False, "slow"),
        (tree(problem="slow"), False, False, "slow"),
    ],
)
def test_a_directory_is_missing_or_no_tree_or_unknown(place: PlaceFact | None, missing: bool, no_tree: bool, problem: str | None) -> None:  # noqa: FBT001
    seen = sight(place=place)
    assert (seen.is_missing, seen.is_no_tree, seen.git_problem) == (missing, no_tree, problem)
    assert (seen.tree is not None) == (seen.place is TREE)


def test_a_run_without_directory_is_missing_whatever_else_was_seen() -> None:
    assert sight(run={"directory": None}).is_missing


@pytest.mark.parametrize(("fact", "problem"), [(CLEAN, None), (DirtyFact(problem="slow"), "slow"), (None, NOT_ASKED)])
def test_uncommitted_paths_that_were_not_told_are_a_problem(fact: DirtyFact | None, problem: str | None) -> None:
    assert sight(dirty=fact).git_problem == problem


@pytest.mark.parametrize(
    ("run", "place", "differs"),
    [
        ("feat/oauth", TREE, False),
        ("feat/oauth", tree(branch="hotfix"), True),
        ("feat/oauth", tree(branch=None), True),
        (None, tree(branch="hotfix"), False),
        ("feat/oauth", tree(branch="hotfix", is_top=False), False),
        ("feat/oauth", tree(branch="hotfix", problem="slow"), False),
        ("feat/oauth", None, False),
    ],
)
def test_branches_are_compared_where_both_are_known(run: str | None, place: PlaceFact | None, differs: bool) -> None:  # noqa: FBT001
    assert sight(run={"branch": Raw(run) if run else None}, place=place).is_on_other_branch is differs


@pytest.mark.parametrize(
    ("commit", "head", "differs"),
    [
        ("abc1234", HEAD, False),
        ("a", HEAD, False),
        (HEAD, HEAD, False),
        (HEAD + "0", HEAD, True),
        ("abc1235", HEAD, True),
        ("abc1234", None, True),
        (None, HEAD, False),
    ],
)
def test_the_commit_is_named_by_its_first_digits(commit: str | None, head: str | None, differs: bool) -> None:  # noqa: FBT001
    assert sight(run={"commit": Raw(commit) if commit else None}, place=tree(head=head)).is_at_other_commit is differs


def test_what_git_said_is_put_into_words() -> None:
    assert (sight().branch, sight().head) == (Raw("feat/oauth"), Raw(HEAD))
    bare = sight(place=tree(branch=None, head=None))
    assert (bare.branch, bare.head) == (Raw("no branch (a detached HEAD)"), Raw("no commit yet"))


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (AncestorFact(is_ancestor=True), "abc1234 is an ancestor of HEAD: work went on"),
        (AncestorFact(is_ancestor=False), "abc1234 is no ancestor of HEAD"),
        (AncestorFact(is_ancestor=None), "abc1234 is not known to be an ancestor of HEAD"),
        (None, "abc1234 is not known to be an ancestor of HEAD"),
    ],
)
def test_ancestry_is_put_into_words(fact: AncestorFact | None, words: str) -> None:
    assert sight(ancestor=fact).ancestry == Raw(words)
