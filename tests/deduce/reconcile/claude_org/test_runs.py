"""Every row of the runs' decision table: what it catches, what it leaves to the next, and what it proposes."""

from typing import Any

import pytest
from msgspec.structs import replace

from deduce.reconcile.claude_org.sights import CIRCUMSTANCES, dirty, sight, tree
from resume_forensics.deduce.reconcile.claude_org.runs import RUN_ROWS, RunRow, judge_run, list_conflicts
from resume_forensics.deduce.reconcile.claude_org.sight import RunSight
from resume_forensics.model.inquiry import AncestorFact, PlaceFact
from resume_forensics.model.org import RunInquiries
from resume_forensics.text import Raw
from resume_forensics.vocabulary import ConflictKind, OrgStatus, Proposal, RunStatus, Verdict

MERGED: dict[str, Any] = {"pull_request": Raw("MERGED"), "is_merged": True}
SUSPENDED: dict[str, Any] = {"org_status": OrgStatus.SUSPENDED}
GONE = PlaceFact(is_directory=False)

SAMPLES: dict[Verdict, tuple[RunSight, ...]] = {
    Verdict.UNKNOWN_STATUS: (sight(run={"status": None, "claimed": Raw("odd")}), sight(run={"status": None}, place=GONE)),
    Verdict.CLOSED: (
        sight(run={"status": RunStatus.COMPLETED}),
        sight(run={"status": RunStatus.FAILED}, place=GONE),
        sight(run={"status": RunStatus.ABANDONED}, **MERGED),
    ),
    Verdict.QUEUED: (sight(run={"status": RunStatus.QUEUED}), sight(run={"status": RunStatus.QUEUED, "directory": None}, place=None)),
    Verdict.DIR_MISSING: (sight(place=GONE), sight(run={"directory": None}, place=None), sight(place=GONE, **MERGED)),
    Verdict.DIR_NOT_GIT: (
        sight(place=PlaceFact(is_directory=True)),
        sight(place=PlaceFact(is_directory=True, problem="none there", no_repository=True)),
        sight(place=tree(is_top=False, branch="other")),
    ),
    Verdict.BRANCH_DIFFERS: (
        sight(place=tree(branch="hotfix")),
        sight(place=tree(branch=None, head="f" * 40), dirty=dirty("a")),
        sight(run={"status": RunStatus.REVIEW}, place=tree(branch="hotfix")),
    ),
    Verdict.HEAD_DIFFERS: (sight(place=tree(head="f" * 40)), sight(place=tree(head=None), dirty=dirty("a"), **MERGED)),
    Verdict.MERGED_NOT_CLOSED: (sight(**MERGED), sight(run={"pr_state": Raw("open"), "worker_says": Raw("completed")}, **MERGED)),
    Verdict.RECORD_DISAGREES: (
        sight(run={"worker_says": Raw("completed")}),
        sight(run={"worker_says": Raw("completed")}, dirty=dirty("a"), **SUSPENDED),
        sight(run={"worker_says": Raw("completed"), "pr_state": Raw("merged")}, **MERGED),
    ),
    Verdict.UNKNOWN_NO_GIT: (
        sight(place=PlaceFact(is_directory=True, problem="git is not installed")),
        sight(place=None),
        sight(dirty=dirty(problem="slow"), **SUSPENDED),
    ),
    Verdict.WORK_UNCOMMITTED: (sight(dirty=dirty("b.txt")), sight(dirty=dirty("b.txt"), **SUSPENDED)),
    Verdict.LEFT_IN_USE: (
        sight(**SUSPENDED),
        sight(run={"status": RunStatus.SUSPENDED, "branch": None, "commit": None}, **SUSPENDED),
    ),
    Verdict.CONFIRMED: (sight(), sight(org_status=OrgStatus.IDLE), sight(org_status=None, run={"worker_says": Raw("active")})),
}

PROPOSALS = {
    Verdict.CLOSED: Proposal.REPORT_RESULTS,
    Verdict.QUEUED: Proposal.CHECK_BLOCKER,
    Verdict.WORK_UNCOMMITTED: Proposal.DISPATCH_CONTINUE,
    Verdict.LEFT_IN_USE: Proposal.DISPATCH_CONTINUE,
}
CONFLICTS = {
    Verdict.DIR_MISSING: ConflictKind.DIR_VS_DB,
    Verdict.DIR_NOT_GIT: ConflictKind.DIR_VS_DB,
    Verdict.UNKNOWN_NO_GIT: ConflictKind.DIR_VS_DB,
    Verdict.BRANCH_DIFFERS: ConflictKind.BRANCH_VS_DB,
    Verdict.HEAD_DIFFERS: ConflictKind.HEAD_VS_DB,
    Verdict.MERGED_NOT_CLOSED: ConflictKind.PR_VS_DB,
    Verdict.RECORD_DISAGREES: ConflictKind.WORKER_FILE_VS_DB,
}


@pytest.mark.parametrize("row", RUN_ROWS, ids=lambda row: row.verdict)
def test_every_row_decides_its_samples(row: RunRow) -> None:
    assert len(SAMPLES[row.verdict]) > 1
    assert (row.proposal, row.conflict) == (PROPOSALS.get(row.verdict, Proposal.ASK_HUMAN), CONFLICTS.get(row.verdict))
    for sample in SAMPLES[row.verdict]:
        claim = judge_run(sample)
        assert claim.verdict is row.verdict
        assert (claim.proposal.name, claim.proposal.reason) == (row.proposal, Raw(row.reason))
        kinds = [conflict.kind for conflict in list_conflicts(sample, CIRCUMSTANCES)]
        assert row.conflict is None or row.conflict in kinds


def test_the_table_is_the_contract_in_its_order() -> None:
    assert [row.verdict for row in RUN_ROWS] == list(SAMPLES)
    assert all(row.source for row in RUN_ROWS)


@pytest.mark.parametrize("verdict", [Verdict.UNKNOWN_STATUS, Verdict.CLOSED, Verdict.QUEUED])
def test_a_run_that_nobody_is_at_contradicts_nothing(verdict: Verdict) -> None:
    for sample in SAMPLES[verdict]:
        assert list(list_conflicts(sample, CIRCUMSTANCES)) == []
        assert judge_run(sample).proposal.destroys == ()


@pytest.mark.parametrize("verdict", [Verdict.WORK_UNCOMMITTED, Verdict.LEFT_IN_USE, Verdict.CONFIRMED])
def test_where_nothing_disagrees_there_is_no_conflict(verdict: Verdict) -> None:
    assert [one for sample in SAMPLES[verdict] for one in list_conflicts(sample, CIRCUMSTANCES)] == []


def test_a_claim_names_the_run_and_what_the_database_says() -> None:
    claim = judge_run(sight())
    assert (claim.id, claim.claimed_status) == (Raw("run:oauth"), Raw("in_use"))
    assert claim.claim == Raw("run oauth is in_use in /w/oauth")
    assert judge_run(sight(run={"directory": None})).claim == Raw("run oauth is in_use")


def test_each_contradiction_is_told_with_both_sides_and_blocks() -> None:
    seen = sight(
        run={"worker_says": Raw("completed"), "pr_url": Raw("https://example.invalid/7")},
        place=tree(branch="hotfix", head="f" * 40),
        ancestor=AncestorFact(is_ancestor=False),
        **MERGED,
    )
    found = list(list_conflicts(seen, CIRCUMSTANCES))
    assert [conflict.sides for conflict in found] == [
        (Raw("the database: branch feat/oauth"), Raw("git: hotfix")),
        (Raw("the database: commit abc1234"), Raw("git: HEAD is " + "f" * 40 + "; abc1234 is no ancestor of HEAD")),
        (Raw("the database: pr_state null"), Raw("the facts: https://example.invalid/7 is MERGED")),
        (Raw("the database: in_use"), Raw("the worker file: completed")),
    ]
    assert all(conflict.blocks_apply and conflict.resolution is None and conflict.claims == (Raw("run:oauth"),) for conflict in found)
    assert found[0].id == Raw("branch-vs-db:run:oauth")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (GONE, "the machine: no directory is there"),
        (PlaceFact(is_directory=True), "the machine: it is not the top of a git work tree"),
        (PlaceFact(is_directory=True, problem="slow"), "the machine: unknown; slow"),
    ],
)
def test_the_sides_of_a_directory(place: PlaceFact, said: str) -> None:
    (conflict,) = list_conflicts(sight(place=place), CIRCUMSTANCES)
    assert conflict.sides == (Raw("the database: in_use in /w/oauth"), Raw(said))


def test_a_directory_that_was_never_recorded_is_a_side_too() -> None:
    (conflict,) = list_conflicts(sight(run={"directory": None}, place=None), CIRCUMSTANCES)
    assert conflict.sides[0] == Raw("the database: in_use in no recorded directory")


def test_a_conflict_that_a_person_accepted_blocks_nothing() -> None:
    accepting = replace(CIRCUMSTANCES, accepted=frozenset({Raw("dir-vs-db:run:oauth")}))
    (conflict,) = list_conflicts(sight(place=GONE), accepting)
    assert conflict.blocks_apply is False


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (
            {"worker_says": Raw("active")},
            (
                "once the human said so: /org-delegate,"
                " with the contents of .state/workers/worker-oauth.md passed to the new worker as context"
            ),
        ),
        ({}, "once the human said so: /org-delegate; there is no worker file with a status to pass on as context"),
        (
            {"inquiries": RunInquiries()},
            "once the human said so: /org-delegate; there is no worker file with a status to pass on as context",
        ),
    ],
)
def test_a_new_worker_is_given_the_old_worker_file(run: dict[str, Any], words: str) -> None:
    assert judge_run(sight(run=run, **SUSPENDED)).proposal.after == (Raw(words),)
    assert judge_run(sight(run=run)).proposal.after == ()
