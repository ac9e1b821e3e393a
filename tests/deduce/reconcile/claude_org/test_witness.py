"""Everything that was seen stands under the claim, and what a new worker would destroy is listed path by path."""

import pytest

from deduce.reconcile.claude_org.sights import HEAD, dirty, sight, tree
from resume_forensics.deduce.reconcile.claude_org.sight import RunSight
from resume_forensics.deduce.reconcile.claude_org.witness import list_closed, list_evidence, list_losses
from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import AncestorFact, PlaceFact
from resume_forensics.model.org import Moment, RunInquiries
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import EvidenceKind, OrgStatus, Says

GONE = PlaceFact(is_directory=False)


def told(seen: RunSight) -> list[tuple[EvidenceKind, str, str, Says]]:
    """The evidence as plain rows."""
    return [(one.kind, reveal(one.what), reveal(one.value), one.says) for one in list_evidence(seen)]


def of(kind: EvidenceKind, seen: RunSight) -> list[tuple[str, str, Says]]:
    """The evidence of one kind."""
    return [row[1:] for row in told(seen) if row[0] is kind]


def test_a_run_that_is_as_recorded() -> None:
    assert told(sight(run={"worker_says": Raw("active"), "pr_url": Raw("u")}, pull_request=Raw("OPEN"))) == [
        (EvidenceKind.DIRECTORY, "/w/oauth", "there", Says.FOR),
        (EvidenceKind.GIT, "branch, recorded as feat/oauth", "feat/oauth", Says.FOR),
        (EvidenceKind.GIT, "HEAD, recorded as abc1234", HEAD, Says.FOR),
        (EvidenceKind.GIT, "status", "0 uncommitted paths", Says.UNKNOWN),
        (EvidenceKind.GIT, "commit", f"{HEAD[:12]} work", Says.UNKNOWN),
        (EvidenceKind.PR, "u", "OPEN", Says.FOR),
        (EvidenceKind.FILE, ".state/workers/worker-oauth.md", "active", Says.FOR),
        (EvidenceKind.DATABASE, "status of the org", "ACTIVE", Says.UNKNOWN),
    ]


def test_a_run_that_is_not() -> None:
    seen = sight(
        run={"worker_says": Raw("completed"), "pr_url": Raw("u"), "directory_branch": Raw("hotfix")},
        org_status=OrgStatus.SUSPENDED,
        place=tree(branch="hotfix", head="f" * 40),
        ancestor=AncestorFact(is_ancestor=False),
        dirty=dirty("a", "b", cut=True),
        log=None,
        pull_request=Raw("MERGED"),
        is_merged=True,
    )
    assert told(seen) == [
        (EvidenceKind.DIRECTORY, "/w/oauth", "there", Says.FOR),
        (EvidenceKind.GIT, "branch, recorded as feat/oauth", "hotfix", Says.AGAINST),
        (EvidenceKind.GIT, "branch, recorded as hotfix", "hotfix", Says.FOR),
        (EvidenceKind.GIT, "HEAD, recorded as abc1234", "f" * 40, Says.AGAINST),
        (EvidenceKind.GIT, "the recorded commit", "abc1234 is no ancestor of HEAD", Says.AGAINST),
        (EvidenceKind.GIT, "status", "more than 2 uncommitted paths", Says.UNKNOWN),
        (EvidenceKind.PR, "u", "MERGED", Says.AGAINST),
        (EvidenceKind.FILE, ".state/workers/worker-oauth.md", "completed", Says.AGAINST),
        (EvidenceKind.DATABASE, "status of the org", "SUSPENDED", Says.AGAINST),
    ]


def test_a_commit_that_is_merely_ahead_does_not_speak_against_the_run() -> None:
    seen = sight(place=tree(head="f" * 40), ancestor=AncestorFact(is_ancestor=True))
    assert ("the recorded commit", "abc1234 is an ancestor of HEAD: work went on", Says.UNKNOWN) in of(EvidenceKind.GIT, seen)


def test_what_was_not_recorded_or_not_asked_is_unknown() -> None:
    run = {"directory": None, "branch": None, "commit": None, "pr_url": Raw("u"), "inquiries": RunInquiries()}
    assert told(sight(run=run, org_status=None, place=None)) == [
        (EvidenceKind.DIRECTORY, "its directory", "not recorded", Says.UNKNOWN),
        (EvidenceKind.PR, "u", "not among the facts that were given", Says.UNKNOWN),
        (EvidenceKind.DATABASE, "status of the org", "unknown", Says.UNKNOWN),
    ]
    assert of(EvidenceKind.GIT, sight(run={"branch": None, "commit": None}))[:2] == [
        ("branch, not recorded", "feat/oauth", Says.UNKNOWN),
        ("HEAD, not recorded", HEAD, Says.UNKNOWN),
    ]
    assert of(EvidenceKind.DIRECTORY, sight(place=None)) == [("/w/oauth", "it was not asked", Says.UNKNOWN)]
    assert of(EvidenceKind.FILE, sight()) == [(".state/workers/worker-oauth.md", "no status was read", Says.UNKNOWN)]


@pytest.mark.parametrize(
    ("place", "rows"),
    [
        (GONE, []),
        (PlaceFact(is_directory=True), [("work tree", "not the top of a work tree", Says.AGAINST)]),
        (PlaceFact(is_directory=True, problem="none", no_repository=True), [("work tree", "none", Says.AGAINST)]),
        (PlaceFact(is_directory=True, problem="slow"), [("work tree", "slow", Says.UNKNOWN)]),
    ],
)
def test_what_git_said_of_a_directory_that_is_no_work_tree(place: PlaceFact, rows: list[tuple[str, str, Says]]) -> None:
    assert of(EvidenceKind.GIT, sight(place=place)) == rows


def test_a_directory_that_is_gone_speaks_against_the_run() -> None:
    assert of(EvidenceKind.DIRECTORY, sight(place=GONE)) == [("/w/oauth", "not there", Says.AGAINST)]


def test_a_status_that_git_did_not_tell_is_told_as_such() -> None:
    assert ("status", "slow", Says.UNKNOWN) in of(EvidenceKind.GIT, sight(dirty=dirty(problem="slow")))


def test_of_a_closed_run_the_database_speaks() -> None:
    moment = Moment(column="completed_at", text=Raw("yesterday"), at=None, exact=False)
    run = sight(run={"title": Raw("Log in"), "pr_state": Raw("merged"), "outcome": Raw("done"), "moments": (moment,)}).run
    assert [(reveal(one.what), reveal(one.value)) for one in list_closed(run)] == [
        ("title", "Log in"),
        ("pr_state", "merged"),
        ("outcome_note", "done"),
        ("completed_at", "yesterday"),
    ]


def losses(seen: RunSight) -> list[str]:
    """What would be lost."""
    return [reveal(one) for one in list_losses(seen)]


def test_uncommitted_paths_are_listed_with_their_directory() -> None:
    assert losses(sight(dirty=dirty("a b", "c/d"))) == ["/w/oauth/a b", "/w/oauth/c/d"]
    assert losses(sight()) == []


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (sight(place=GONE), []),
        (
            sight(place=PlaceFact(is_directory=True), dirty=None),
            ["whatever stands in /w/oauth: it is no work tree of its own, so nothing tells what was kept"],
        ),
        (sight(place=None, dirty=None), ["whatever is uncommitted in /w/oauth: not known; it was not asked"]),
        (sight(dirty=dirty(problem="slow")), ["whatever is uncommitted in /w/oauth: not known; slow"]),
    ],
)
def test_what_is_not_known_is_said_and_never_an_empty_list(seen: RunSight, words: list[str]) -> None:
    assert losses(seen) == words


def test_more_paths_than_are_listed_are_counted() -> None:
    many = [f"{n:04}" for n in range(LIMITS.losses_listed + 3)]
    assert losses(sight(dirty=dirty(*many)))[-2:] == ["/w/oauth/0199", "3 further uncommitted paths in /w/oauth"]
    assert losses(sight(dirty=dirty(*many, cut=True)))[-1] == "3 or more further uncommitted paths in /w/oauth"
    assert losses(sight(dirty=dirty("a", cut=True)))[-1] == "0 or more further uncommitted paths in /w/oauth"
