"""The whole answer about a saga: folders, torn ticks, other threads, obligations, warnings, and what is to be read first."""

import json

import pytest

from claims.sagas import NOW, SAGAS, circumstances, contract, exhibit, receipt, thread, tick
from deduce.reconcile.saga.trials import claim_of, conflicts, ids, pull_request, reconcile, words
from resume_forensics.deduce.reconcile.saga.claims import OBLIGATIONS
from resume_forensics.text import Raw
from resume_forensics.vocabulary import ConflictKind, Proposal, Settlement, System, Verdict

V, P = Verdict, Proposal
PAPERS = ("docs/review.md", "../x", "docs/gone.md")
C, R = "docs/c.json", "docs/r.json"
OUT = {"docs/out.md": "written\n"}
BY_CONTRACT = circumstances(contract=C, receipts=(R,))


def other(saga_id: str, **fields: str) -> dict[str, str]:
    return {f"{SAGAS}/{saga_id}/20260102-000000.md": tick("", saga_id=saga_id, **fields)}


def test_the_answer_says_of_what_and_when_it_is() -> None:
    found = reconcile(thread(tick()))
    assert (found.system, found.root, found.generated_at) == (System.SAGA, Raw("/repository"), NOW)
    assert (found.report_lines, found.applied, found.warnings) == ((), None, ())


def test_a_torn_newest_tick_is_said_loudly_and_the_one_before_it_speaks() -> None:
    found = reconcile(thread(tick(lifecycle_phase="plan"), tick(), tick(lifecycle_phase="qa")[:180]))
    torn = claim_of(found, "tick:issue-42/20260102-020000.md")
    assert (torn.verdict, torn.proposal.name, torn.claimed_status) == (V.TORN_TICK, P.USE_PREVIOUS_TICK, None)
    assert words(torn.proposal.reason) == "torn (no closing fence: it was cut in its head); 20260102-010000.md speaks instead"
    assert words(claim_of(found, "saga:issue-42").claim) == "issue-42 stands at work in_progress, active"
    assert conflicts(found) == {"torn-tick:tick:issue-42/20260102-020000.md": False}
    assert "; ".join(words(each) for each in found.warnings) == (
        "the newest tick of issue-42 is torn: 20260102-020000.md (no closing fence: it was cut in its head); "
        "20260102-010000.md is used instead"
    )
    assert "saga:" not in ids(found)


def test_an_older_torn_tick_is_a_claim_but_no_warning() -> None:
    found = reconcile(thread("torn", tick()))
    assert ids(found) == ["tick:issue-42/20260102-000000.md", "saga:issue-42"]
    assert words(claim_of(found, "tick:issue-42/20260102-000000.md").proposal.reason).endswith("no readable tick stands before it")
    assert found.warnings == ()


def test_without_a_readable_tick_the_folder_is_the_claim() -> None:
    found = reconcile({**thread("torn"), ".claude/saga/x": ""})
    folder = claim_of(found, "state-file")
    assert (folder.verdict, folder.proposal.name) == (V.NO_TICKS, P.SESSION_FORENSICS)
    assert words(folder.proposal.command) == "resume-scan discover --days 7 --cap 5"
    assert len(folder.proposal.after) == 6
    assert ids(found) == ["state-file", "tick:issue-42/20260102-000000.md"]
    assert [words(each) for each in found.warnings] == [
        "the newest tick of issue-42 is torn: 20260102-000000.md (it does not open with a fence); and no readable tick stands before it"
    ]


def test_two_state_folders_forbid_to_write_until_one_is_chosen() -> None:
    files = {**thread(tick()), ".claude/saga/sagas/x/20260101-000000.md": tick()}
    found = reconcile(files)
    folder = claim_of(found, "state-file")
    assert (folder.verdict, folder.proposal.name) == (V.TWO_STATE_DIRS, P.CONFIRM_WITH_OPERATOR)
    assert conflicts(found) == {"two-state-dirs:state-file": True}
    assert [words(side) for side in found.conflicts[0].sides] == [".gemini/saga", ".claude/saga"]
    chosen = reconcile(files, circumstances(state_dir=".gemini/saga"))
    assert conflicts(chosen) == {}
    assert "state-file" not in ids(chosen)


def test_open_threads_are_offered_and_closed_ones_are_left_alone() -> None:
    found = reconcile({**thread(tick(branch="x")), **other("it's", branch="y"), **other("issue-1", status="done")})
    assert ids(found) == ["saga:issue-1", "saga:issue-42", "saga:it's"]
    over, ours, odd = (claim_of(found, each) for each in ids(found))
    assert (over.verdict, over.proposal.name, over.proposal.command) == (V.THREAD_CLOSED, P.NONE, None)
    assert (ours.verdict, ours.proposal.name) == (V.THREAD_OPEN, P.SELECT_THREAD)
    assert words(ours.proposal.command) == "resume-scan reconcile --saga-id issue-42"
    assert words(odd.proposal.command) == """resume-scan reconcile --saga-id 'it'"'"'s'"""
    assert words(ours.proposal.reason) == (
        "it is open: work in_progress, active; acme/app#42; 2026-01-02T02:00:00+00:00; x; "
        "ask the operator which thread is meant, one question, and wait"
    )
    assert words(over.claimed_status) == "done"
    assert found.questions_open == ()


def test_the_selected_thread_comes_before_the_others() -> None:
    found = reconcile({**other("a-first"), **thread(tick())}, circumstances(saga_id="issue-42"))
    assert ids(found) == ["saga:issue-42", "saga:a-first"]
    assert claim_of(found, "saga:a-first").verdict is V.THREAD_OPEN


@pytest.mark.parametrize(
    ("fields", "last"),
    [
        ({"destination": "merge"}, "destination merge: stop at the confirmed merge of the pull request"),
        ({"destination": "moon"}, None),
        ({"lifecycle_phase": "qa"}, "build the envelope of the hand-over: python3 plugins/saga/scripts/handoff_envelope.py"),
    ],
)
def test_a_route_carries_its_duties(fields: dict[str, str], last: str | None) -> None:
    after = [words(each) for each in claim_of(reconcile(thread(tick("", **fields))), "saga:issue-42").proposal.after]
    assert after[0].startswith("announce the command with its reason in one line")
    assert any("never `git add`ed" in each for each in after)
    assert last is None or last in after
    assert len(after) == {"merge": 3, "moon": 2}.get(fields.get("destination", ""), 4)


LABELS = {
    Settlement.SATISFIED: receipt(exhibit()),
    Settlement.UNSATISFIED: receipt(claimed_settlement="unsatisfied", settlement_state="unsatisfied"),
    Settlement.UNAVAILABLE: receipt(
        exhibit(verification_state="unknown"), claimed_settlement="unavailable", settlement_state="unavailable"
    ),
    Settlement.CONFLICTING: receipt(exhibit(), settlement_state="conflicting"),
}


@pytest.mark.parametrize("state", LABELS)
def test_an_obligation_is_routed_to_unless_it_is_settled(state: Settlement) -> None:
    files = {**thread(tick()), **OUT, C: contract({"obligation_id": "plan"}), R: LABELS[state]}
    found = reconcile(files, BY_CONTRACT)
    claim = claim_of(found, "obligation:plan")
    assert (claim.verdict, claim.proposal.name) == OBLIGATIONS[state]
    assert words(claim.proposal.command) == ("/plan" if claim.proposal.name is P.ROUTE else "")
    assert conflicts(found) == ({"obligation-conflict:obligation:plan": True} if state is Settlement.CONFLICTING else {})
    way = {Settlement.SATISFIED: "/work", Settlement.CONFLICTING: ""}.get(state, "/plan")
    assert words(claim_of(found, "saga:issue-42").proposal.command) == way


def test_every_settlement_has_its_verdict() -> None:
    assert set(OBLIGATIONS) == set(Settlement)
    assert {f"obligation-{state}" for state in Settlement} == {verdict for verdict, _ in OBLIGATIONS.values()}


@pytest.mark.parametrize(
    ("text", "state", "verdict"),
    [
        (
            receipt(exhibit(kind="fallback-receipt"), claimed_settlement="degraded", settlement_state="degraded"),
            "degraded",
            V.OBLIGATION_DEGRADED,
        ),
        (receipt(exhibit(), contract_id="x"), "conflicting", V.OBLIGATION_CONFLICTING),
    ],
)
def test_an_optional_obligation_is_never_routed_to_and_forbids_nothing(text: str, state: str, verdict: Verdict) -> None:
    fallback = {"state": "degraded", "evidence": [{"kind": "fallback-receipt"}]}
    files = {**thread(tick()), **OUT, C: contract({"obligation_id": "plan", "requirement": "optional", "fallback": fallback}), R: text}
    found = reconcile(files, BY_CONTRACT)
    claim = claim_of(found, "obligation:plan")
    assert (claim.verdict, claim.proposal.name, claim.proposal.command) == (verdict, P.NONE, None)
    assert f"obligation-{state}" == claim.verdict
    assert conflicts(found) == {}
    assert words(found.next_action.command) == "/work"


def test_an_obligation_without_a_command_names_its_producer() -> None:
    found = reconcile({**thread(tick()), C: contract({"obligation_id": "plan", "phase": ""})}, circumstances(contract=C))
    claim = claim_of(found, "obligation:plan")
    assert (claim.proposal.name, words(claim.proposal.command)) == (P.ROUTE, "planner")
    assert words(claim.proposal.reason) == "no receipt settles it; only its producer can settle it: planner"


def test_a_contract_that_cannot_be_read_must_be_adjudicated() -> None:
    found = reconcile(thread(tick()), circumstances(contract="../c.json"))
    claim = claim_of(found, "contract")
    assert (claim.verdict, claim.proposal.name, claim.proposal.command) == (V.CONTRACT_UNREADABLE, P.ADJUDICATE, None)
    assert claim_of(found, "saga:issue-42").proposal.command is None
    assert [each for each in ids(found) if each.startswith("obligation")] == []


@pytest.mark.parametrize(
    ("files", "warning"),
    [
        ({".gemini/saga/state.json": "{"}, "state.json is of no use (no JSON object with `sagas`); it is derived, the ticks stand"),
        (
            {".gemini/saga/state.json": json.dumps({"sagas": {"a": {}, "b": {}}})},
            "state.json names threads that have no folder: a, b",
        ),
        ({".gemini/saga/checkpoints/x.md": ""}, "checkpoints of the format before ticks are there, not read as ticks: x.md"),
        (
            {"docs/outcomes/x/contract.json": ""},
            "contracts lie in the repository and none was given (--contract, --receipt): docs/outcomes/x/contract.json",
        ),
        (
            {f"docs/outcomes/{at:02}/contract.json": "" for at in range(22)},
            "contracts lie in the repository and none was given (--contract, --receipt): "
            + ", ".join(f"docs/outcomes/{at:02}/contract.json" for at in range(20))
            + " and 2 more",
        ),
        ({f"{SAGAS}/a{at:03}/20260101-000000.md": "torn" for at in range(100)}, "1 further threads were not read; name one with --saga-id"),
        (
            {f"{SAGAS}/issue-42/20260101-000000-{at}.md": tick() for at in range(150)},
            "issue-42: 1 older ticks were not read",
        ),
    ],
)
def test_what_no_claim_is_about_is_a_warning(files: dict[str, str], warning: str) -> None:
    assert warning in [words(each) for each in reconcile({**thread(tick()), **files}).warnings]


def test_the_trajectory_and_the_documents_are_read_first() -> None:
    chain = (
        tick(lifecycle_phase="plan", rounds_seen=()),
        tick(
            blockers="quota",
            open_questions=("why?",),
            checks_run=("pytest", "ruff"),
            review_paths=PAPERS,
        ),
    )
    files = {**thread(*chain), "docs/plan.md": "", "docs/review.md": "", ".gemini/saga/checkpoints/issue-42-phase1.md": ""}
    context = reconcile(files, circumstances(prs=(pull_request(57, "#42 round-1", "OPEN", ""),)), dirty=("docs/review.md",)).context
    assert [words(line) for line in context.lines] == [
        "20260102-000000.md: plan in_progress, active",
        "20260102-010000.md: work in_progress, active, rounds 1, blocked, 1 questions open",
        "pull request #57 #42 round-1: OPEN",
        "checkpoint of an older format: issue-42-phase1.md",
    ]
    assert [words(each) for each in context.files] == [
        "docs/plan.md: present (plan_path)",
        "docs/review.md: uncommitted (review_paths)",
        "../x: leads out of the directory, so it was not opened (review_paths)",
        "docs/gone.md: missing (review_paths)",
    ]
    facts = {words(each.name): words(each.value) if isinstance(each.value, Raw) else each.value for each in context.facts}
    assert facts == {
        "tick": "20260102-010000.md",
        "lifecycle_phase": "work",
        "phase_status": "in_progress",
        "status": "active",
        "destination": "pr",
        "issue_ref": "acme/app#42",
        "branch": "feature/export",
        "next_step": "/work: continue",
        "updated_at": "2026-01-02T02:00:00+00:00",
        "checks_run": "pytest; ruff",
        "selected": "it is the only open one",
    }


def test_where_git_cannot_be_asked_nothing_counts_as_committed() -> None:
    found = reconcile({**thread(tick()), "docs/plan.md": ""}, git_problem="no git", branch=None)
    assert [words(each) for each in found.context.files] == [
        "docs/plan.md: present, but whether it is committed could not be asked (plan_path)"
    ]


def test_without_a_thread_there_is_little_to_read() -> None:
    context = reconcile({**thread("torn"), ".gemini/saga/checkpoints/issue-42-phase1.md": ""}).context
    assert [words(line) for line in context.lines] == ["checkpoint of an older format: issue-42-phase1.md"]
    assert (context.facts, context.files) == ((), ())


def test_conflicts_name_their_first_claim() -> None:
    carried = reconcile(thread(tick(blockers="x"), tick(blockers="x"))).conflicts
    assert [(each.kind, [words(claim) for claim in each.claims]) for each in carried] == [
        (ConflictKind.CARRIED_SCALAR, ["blocker", "saga:issue-42"])
    ]


def test_two_runs_are_equal() -> None:
    files = {**thread(tick(), "torn", tick(blockers="x", open_questions=("a", "b"))), **other("b"), C: contract({"obligation_id": "plan"})}
    assert reconcile(files, circumstances(contract=C)) == reconcile(dict(reversed(files.items())), circumstances(contract=C))
