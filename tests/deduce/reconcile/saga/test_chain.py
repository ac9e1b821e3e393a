"""The selected thread, its blockers and its questions: every row of the tables, held against git, index and pull requests."""

import json
from datetime import UTC, datetime

import pytest

from claims.sagas import circumstances, contract, thread, tick
from deduce.reconcile.saga.trials import claim_of, conflicts, ids, pull_request, reconcile, words
from resume_forensics.deduce.reconcile.saga.chain import BLOCKER_ROWS, THREAD_ROWS
from resume_forensics.model.claim import PullRequest
from resume_forensics.vocabulary import EvidenceKind, Proposal, Says, Verdict

MERGED = pull_request(57, "#42 round-1: export")
INDEX = ".gemini/saga/state.json"

V, P = Verdict, Proposal

THREADS = (
    ("nothing against it", (tick(),), None, V.CONFIRMED, P.ROUTE, "/work"),
    ("nobody was asked", (tick(rounds_seen=("1",)),), None, V.CONFIRMED, P.ROUTE, "/work"),
    ("nothing was found", (tick(),), (), V.CONFIRMED, P.ROUTE, "/work"),
    ("it is still open", (tick(),), (pull_request(57, "#42 round-1", "OPEN"),), V.CONFIRMED, P.ROUTE, "/work"),
    ("it was closed unmerged", (tick(),), (pull_request(57, "#42 round-1", "CLOSED"),), V.CONFIRMED, P.ROUTE, "/work"),
    ("an earlier round", (tick(rounds_seen=("1", "2")),), (MERGED,), V.CONFIRMED, P.ROUTE, "/work"),
    ("another issue", (tick(),), (pull_request(57, "#43 round-1"),), V.CONFIRMED, P.ROUTE, "/work"),
    ("a longer number", (tick(),), (pull_request(57, "#421 round-1"),), V.CONFIRMED, P.ROUTE, "/work"),
    ("no round in its title", (tick(),), (pull_request(57, "#42"),), V.CONFIRMED, P.ROUTE, "/work"),
    ("no round was seen", (tick(rounds_seen=()),), (MERGED,), V.CONFIRMED, P.ROUTE, "/work"),
    ("the work is complete", (tick(phase_status="complete"),), (MERGED,), V.CONFIRMED, P.ROUTE, "/qa"),
    ("not in work yet", (tick(lifecycle_phase="review"),), (MERGED,), V.CONFIRMED, P.ROUTE, "/doc-review"),
    ("this round is merged", (tick(),), (MERGED,), V.CACHE_STALE, P.CONFIRM_WITH_OPERATOR, "/qa"),
    ("this round is merged, not begun", (tick(phase_status="pending"),), (MERGED,), V.CACHE_STALE, P.CONFIRM_WITH_OPERATOR, "/qa"),
    (
        "named by the tick",
        (tick(pr_refs=("57",)),),
        (pull_request(57, "round-1 of something"),),
        V.CACHE_STALE,
        P.CONFIRM_WITH_OPERATOR,
        "/qa",
    ),
    ("two of this round", (tick(),), (pull_request(56, "#42 round-1", "CLOSED"), MERGED), V.CACHE_STALE, P.CONFIRM_WITH_OPERATOR, "/qa"),
    ("back to the plan", (tick(), tick(lifecycle_phase="plan")), None, V.PHASE_REGRESSED, P.ROUTE, "/plan"),
    ("back and on again", (tick(), tick(lifecycle_phase="plan"), tick()), None, V.PHASE_REGRESSED, P.ROUTE, "/work"),
    ("back, and merged", (tick(), tick(lifecycle_phase="plan"), tick()), (MERGED,), V.CACHE_STALE, P.CONFIRM_WITH_OPERATOR, "/qa"),
    ("only onward", (tick(lifecycle_phase="plan"), tick(), tick(lifecycle_phase="qa")), None, V.CONFIRMED, P.ROUTE, "/handoff"),
    ("at its end", (tick(lifecycle_phase="retro"),), None, V.CONFIRMED, P.NONE, None),
    ("a word of its own", (tick(phase_status="halfway"),), None, V.CONFIRMED, P.ROUTE, "/work"),
    (
        "findings open",
        (tick(lifecycle_phase="review", phase_status="complete", gate_verdicts=("P1 open",)),),
        None,
        V.CONFIRMED,
        P.ROUTE,
        "/plan",
    ),
)


@pytest.mark.parametrize(("ticks", "prs", "verdict", "proposal", "command"), [row[1:] for row in THREADS], ids=[row[0] for row in THREADS])
def test_a_thread_is_what_its_chain_and_the_outside_say(
    ticks: tuple[str, ...], prs: tuple[PullRequest, ...] | None, verdict: Verdict, proposal: Proposal, command: str | None
) -> None:
    claim = claim_of(reconcile(thread(*ticks), circumstances(prs=prs)), "saga:issue-42")
    assert (claim.verdict, claim.proposal.name) == (verdict, proposal)
    assert words(claim.proposal.command) == (command or "")
    assert claim.claimed_status is not None
    assert words(claim.claimed_status) == "active"


def test_a_thread_that_was_named_although_it_is_over_stays_over() -> None:
    found = reconcile(thread(tick(status="done", blockers="quota")), circumstances(saga_id="issue-42", prs=(MERGED,)))
    assert conflicts(found) == {}
    claim = claim_of(found, "saga:issue-42")
    assert (claim.verdict, claim.proposal.name, claim.proposal.command) == (V.THREAD_CLOSED, P.NONE, None)
    assert claim.proposal.after == ()


def test_every_row_of_the_thread_was_walked() -> None:
    assert {row.verdict for row in THREAD_ROWS} == {row[3] for row in THREADS} | {V.THREAD_CLOSED}


def test_a_merged_round_is_a_conflict_that_forbids_to_write() -> None:
    found = reconcile(thread(tick()), circumstances(prs=(MERGED,)))
    assert conflicts(found) == {"cache-vs-pr:saga:issue-42": True}
    against = [each for each in claim_of(found, "saga:issue-42").evidence if each.says is Says.AGAINST]
    assert [(each.kind, words(each.value)) for each in against] == [(EvidenceKind.PR, "#57 #42 round-1: export: MERGED, review APPROVED")]
    accepted = reconcile(thread(tick()), circumstances(prs=(MERGED,), accepted=("cache-vs-pr:saga:issue-42",)))
    assert conflicts(accepted) == {"cache-vs-pr:saga:issue-42": False}


def test_with_a_contract_a_merged_round_settles_nothing_by_itself() -> None:
    files = {**thread(tick(blockers="quota")), "docs/c.json": contract({"obligation_id": "plan"})}
    found = reconcile(files, circumstances(prs=(MERGED,), contract="docs/c.json"))
    assert claim_of(found, "saga:issue-42").verdict is V.CONFIRMED
    assert claim_of(found, "blocker").verdict is V.BLOCKER_OPEN
    assert conflicts(found) == {}
    told = [each.says for each in claim_of(found, "saga:issue-42").evidence if each.kind is EvidenceKind.PR]
    assert told == [Says.UNKNOWN]


def test_a_regression_is_told_and_forbids_nothing() -> None:
    found = reconcile(thread(tick(), tick(lifecycle_phase="plan")))
    assert conflicts(found) == {"phase-regression:saga:issue-42": False}
    (conflict,) = found.conflicts
    assert [words(side) for side in conflict.sides] == ["20260102-000000.md work, then 20260102-010000.md plan"]
    back = [words(each.value) for each in claim_of(found, "saga:issue-42").evidence if each.says is Says.AGAINST]
    assert back == ["back from work (20260102-000000.md) to plan"]


@pytest.mark.parametrize(
    ("branch", "said", "conflict", "says"),
    [
        ("feature/export", "feature/export", {}, Says.FOR),
        ("main", "feature/export", {"branch-vs-git:saga:issue-42": False}, Says.AGAINST),
        (None, "feature/export", {}, Says.UNKNOWN),
        ("main", '""', {}, Says.FOR),
        ("main", None, {}, Says.FOR),
    ],
)
def test_git_outranks_the_branch_of_a_tick(branch: str | None, said: str | None, conflict: dict[str, bool], says: Says) -> None:
    found = reconcile(thread(tick(branch=said)), branch=branch)
    assert conflicts(found) == conflict
    (git,) = [each for each in claim_of(found, "saga:issue-42").evidence if each.kind is EvidenceKind.GIT]
    assert git.says is says


@pytest.mark.parametrize(
    ("entry", "differs"),
    [
        ({}, []),
        ({"lifecycle_phase": "work", "phase_status": "in_progress", "status": "active", "branch": "feature/export"}, []),
        ({"lifecycle_phase": "qa", "status": "paused"}, ["state.json lifecycle_phase: qa", "state.json status: paused"]),
        ({"destination": "merge", "phase": 9, "next_step": "other", "updated_at": "then"}, ["state.json destination: merge"]),
        ({"plan_path": ""}, ["state.json plan_path: "]),
    ],
)
def test_the_ticks_outrank_the_index(entry: dict[str, object], differs: list[str]) -> None:
    found = reconcile({**thread(tick()), INDEX: json.dumps({"sagas": {"issue-42": entry}})})
    assert conflicts(found) == ({"index-vs-ticks:saga:issue-42": False} if differs else {})
    assert [words(side) for conflict in found.conflicts for side in conflict.sides[1:]] == differs
    assert claim_of(found, "saga:issue-42").verdict is V.CONFIRMED


BLOCKERS = (
    ("newly written", (tick(), tick(blockers="quota")), None, V.BLOCKER_OPEN, P.CONFIRM_WITH_OPERATOR),
    ("in the only tick", (tick(blockers="quota"),), None, V.BLOCKER_OPEN, P.CONFIRM_WITH_OPERATOR),
    ("in other words", (tick(blockers="quota"), tick(blockers="quota again")), None, V.BLOCKER_OPEN, P.CONFIRM_WITH_OPERATOR),
    ("blank between", (tick(blockers="quota"), tick(), tick(blockers="quota")), None, V.BLOCKER_OPEN, P.CONFIRM_WITH_OPERATOR),
    ("the same words", (tick(blockers="quota"), tick(blockers="quota")), None, V.BLOCKER_CARRIED, P.CONFIRM_WITH_OPERATOR),
    ("left out", (tick(blockers="quota"), tick(blockers=None)), None, V.BLOCKER_CARRIED, P.CONFIRM_WITH_OPERATOR),
    ("a torn one between", (tick(blockers="quota"), "torn", tick(blockers="quota")), None, V.BLOCKER_CARRIED, P.CONFIRM_WITH_OPERATOR),
    ("blank now", (tick(blockers="quota"), tick()), None, V.BLOCKER_CLEARED, P.NONE),
    ("a blank in quotes", (tick(blockers="quota"), tick(blockers='" "')), None, V.BLOCKER_CLEARED, P.NONE),
    ("the list of a bare key", (tick(blockers="quota"), tick(blockers='"[]"')), None, V.BLOCKER_CLEARED, P.NONE),
    ("blank for long", (tick(blockers="quota"), tick(), tick()), None, V.BLOCKER_CLEARED, P.NONE),
    ("its round is merged", (tick(blockers="review of 57"),), (MERGED,), V.BLOCKER_CLEARED, P.DROP_BLOCKER),
    ("carried, its round is merged", (tick(blockers="quota"), tick(blockers="quota")), (MERGED,), V.BLOCKER_CLEARED, P.DROP_BLOCKER),
    (
        "merged before the gate",
        (tick(phase_status="complete", blockers="approval"),),
        (MERGED,),
        V.BLOCKER_OPEN,
        P.CONFIRM_WITH_OPERATOR,
    ),
)


@pytest.mark.parametrize(("ticks", "prs", "verdict", "proposal"), [row[1:] for row in BLOCKERS], ids=[row[0] for row in BLOCKERS])
def test_a_blocker_is_open_carried_or_cleared(
    ticks: tuple[str, ...], prs: tuple[PullRequest, ...] | None, verdict: Verdict, proposal: Proposal
) -> None:
    found = reconcile(thread(*ticks), circumstances(prs=prs))
    claim = claim_of(found, "blocker")
    assert (claim.verdict, claim.proposal.name, claim.proposal.command) == (verdict, proposal, None)
    assert (conflicts(found).get("carried-scalar:blocker") is True) is (verdict is V.BLOCKER_CARRIED)
    assert found.next_action.name in {P.ROUTE, P.CONFIRM_WITH_OPERATOR}


def test_every_row_of_the_blockers_was_walked() -> None:
    assert {(row.verdict, row.proposal) for row in BLOCKER_ROWS} == {row[3:] for row in BLOCKERS}


def test_without_a_blocker_there_is_no_claim_of_one() -> None:
    assert "blocker" not in ids(reconcile(thread(tick(), tick())))


def test_what_clears_a_blocker_is_shown() -> None:
    later = claim_of(reconcile(thread(tick(blockers="quota"), tick())), "blocker").evidence[-1]
    assert (later.kind, words(later.what), later.says) == (EvidenceKind.TICK, "20260102-010000.md", Says.AGAINST)
    merged = claim_of(reconcile(thread(tick(blockers="quota")), circumstances(prs=(MERGED,))), "blocker").evidence[-1]
    assert (merged.kind, merged.says) == (EvidenceKind.PR, Says.AGAINST)


def test_questions_are_counted_by_first_appearance_and_answered_when_they_are_gone() -> None:
    chain = (
        tick(open_questions=("why?", "how?")),
        tick(open_questions=("how?", "when?")),
        "torn",
        tick(open_questions=("when?", "why?")),
    )
    found = reconcile(thread(*chain))
    assert [
        (each, claim_of(found, each).verdict, claim_of(found, each).proposal.name) for each in ids(found) if each.startswith("question")
    ] == [
        ("question:1", V.QUESTION_OPEN, P.ASK_OPERATOR),
        ("question:2", V.QUESTION_ANSWERED, P.NONE),
        ("question:3", V.QUESTION_OPEN, P.ASK_OPERATOR),
    ]
    assert [words(claim_of(found, f"question:{number}").claim) for number in (1, 2, 3)] == ["why?", "how?", "when?"]
    assert [(words(each.id), words(each.text), words(each.source), each.age_s) for each in found.questions_open] == [
        ("question:1", "why?", "20260102-000000.md", 9 * 3600),
        ("question:3", "when?", "20260102-010000.md", 8 * 3600),
    ]
    assert [each.raised_at is not None and each.raised_at.hour for each in found.questions_open] == [0, 1]


def test_a_question_of_no_known_time_has_no_age() -> None:
    found = reconcile({".gemini/saga/sagas/issue-42/99999999-000000.md": tick(open_questions=("why?",))})
    assert [(each.raised_at, each.age_s) for each in found.questions_open] == [(None, None)]


def test_a_clock_that_runs_behind_makes_no_question_younger_than_new() -> None:
    found = reconcile(thread(tick(open_questions=("why?",))), circumstances(now=datetime(2026, 1, 1, tzinfo=UTC)))
    assert [each.age_s for each in found.questions_open] == [0]


def test_questions_of_threads_that_are_not_meant_are_not_asked() -> None:
    other = {".gemini/saga/sagas/issue-43/20260102-000000.md": tick(saga_id="issue-43", open_questions=("why?",), blockers="quota")}
    found = reconcile({**thread(tick()), **other}, circumstances(saga_id="issue-42"))
    assert ids(found) == ["saga:issue-42", "saga:issue-43"]
    assert found.questions_open == ()
