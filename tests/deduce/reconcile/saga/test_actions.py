"""What comes next in a saga: each row of the order, and which of two that fit goes first."""

import pytest

from claims.sagas import SAGAS, Machine, circumstances, contract, exhibit, receipt, thread, tick
from deduce.reconcile.saga.trials import conflicts, pull_request, reconcile, row_of, words
from resume_forensics.claims.saga import translate
from resume_forensics.deduce.reconcile.saga import judge
from resume_forensics.deduce.reconcile.saga.actions import ACTION_ROWS
from resume_forensics.model.claim import Circumstances, NextAction
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answer, FileState, Inquiry
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, Proposal

P = Proposal
MERGED = pull_request(57, "#42 round-1")
C, R = "docs/c.json", "docs/r.json"
PLAN, REVIEW = {"obligation_id": "plan"}, {"obligation_id": "review"}
OUT = {"docs/out.md": "written\n"}
OTHER = {f"{SAGAS}/issue-43/20260102-000000.md": tick(saga_id="issue-43", issue_ref="acme/app#43", branch="feature/other")}
DONE = thread(tick(status="done"))
BY_CONTRACT = circumstances(contract=C, receipts=(R,))
SETTLED = {C: contract(PLAN), R: receipt(exhibit()), **OUT}
UNSETTLED = {C: contract(PLAN, REVIEW), R: receipt(exhibit()), **OUT}
CONFLICTING = {C: contract(REVIEW, PLAN), R: receipt(exhibit("other\n")), **OUT}

ASK = "give this as --facts: gh pr list --state all --limit 50 --json number,title,state,mergedAt,url,reviewDecision"
DISCOVER = "resume-scan discover --days 7 --cap 5"
CHOICE = {**thread(tick(branch="x")), **OTHER}

SAMPLES = (
    ("a contract that cannot be read", 0, {**thread(tick()), C: "{}"}, circumstances(contract=C), P.ADJUDICATE, "contract", ""),
    ("a contract before torn ticks", 0, {**thread("torn"), C: "{}"}, circumstances(contract=C), P.ADJUDICATE, "contract", ""),
    ("a conflict behind an unsettled one", 0, {**thread(tick()), **CONFLICTING}, BY_CONTRACT, P.ADJUDICATE, "obligation:plan", ""),
    (
        "a conflict before threads to choose",
        0,
        {**CHOICE, **CONFLICTING},
        BY_CONTRACT,
        P.ADJUDICATE,
        "obligation:plan",
        "",
    ),
    ("no readable tick", 1, thread("torn"), None, P.SESSION_FORENSICS, "state-file", DISCOVER),
    ("no tick", 1, {".gemini/saga/state.json": ""}, None, P.SESSION_FORENSICS, "state-file", DISCOVER),
    (
        "none before a contract",
        1,
        {**thread("torn"), **UNSETTLED},
        BY_CONTRACT,
        P.SESSION_FORENSICS,
        "state-file",
        "resume-scan discover --days 7 --cap 5",
    ),
    ("threads to choose", 2, CHOICE, None, P.SELECT_THREAD, "", ""),
    ("threads to choose before a contract", 2, {**CHOICE, **UNSETTLED}, BY_CONTRACT, P.SELECT_THREAD, "", ""),
    ("none of that issue", 2, thread(tick()), circumstances(issue="#9"), P.SELECT_THREAD, "", ""),
    ("an unsettled obligation", 3, {**thread(tick()), **UNSETTLED}, BY_CONTRACT, P.ROUTE, "obligation:review", "/review"),
    ("an unsettled obligation of threads that are over", 3, {**DONE, **UNSETTLED}, BY_CONTRACT, P.ROUTE, "obligation:review", "/review"),
    ("every thread is over", 6, DONE, None, P.NONE, "", ""),
    ("the named thread is over", 6, {**DONE, **OTHER}, circumstances(saga_id="issue-42"), P.NONE, "", ""),
    ("the round is merged", 4, thread(tick()), circumstances(prs=(MERGED,)), P.CONFIRM_WITH_OPERATOR, "saga:issue-42", ""),
    ("a plain thread", 5, thread(tick()), None, P.ROUTE, "saga:issue-42", "/work"),
    ("a settled contract", 5, {**thread(tick()), **SETTLED}, BY_CONTRACT, P.ROUTE, "saga:issue-42", "/work"),
    ("blockers and questions", 5, thread(tick(blockers="x", open_questions=("why?",))), None, P.ROUTE, "saga:issue-42", "/work"),
    ("two state folders", 5, {**thread(tick()), ".claude/saga/x": ""}, None, P.ROUTE, "saga:issue-42", "/work"),
    ("at its end", 5, thread(tick(lifecycle_phase="retro")), None, P.NONE, "", ""),
)


def next_of(files: dict[str, str], said: Circumstances | None = None) -> NextAction[Raw]:
    return reconcile(files, said).next_action


@pytest.mark.parametrize(("files", "said", "name", "target", "command"), [row[2:] for row in SAMPLES], ids=[row[0] for row in SAMPLES])
def test_the_first_row_that_fits_is_next(
    files: dict[str, str], said: Circumstances | None, name: Proposal, target: str, command: str
) -> None:
    action = next_of(files, said)
    assert (action.name, words(action.target), words(action.command)) == (name, target, command)
    assert words(action.reason)


def test_every_row_was_walked() -> None:
    assert [row_of(row[2], row[3]) for row in SAMPLES] == [row[1] for row in SAMPLES]
    assert {row[1] for row in SAMPLES} == set(range(len(ACTION_ROWS)))


def test_a_stale_cache_is_confirmed_and_then_routed() -> None:
    action = next_of(thread(tick()), circumstances(prs=(MERGED,)))
    assert action.then is not None
    assert (action.then.name, words(action.then.target), words(action.then.command)) == (P.ROUTE, "saga:issue-42", "/qa")


def test_an_obligation_that_only_its_producer_settles_leads_to_the_producer() -> None:
    by_producer = {**thread(tick()), C: contract({**PLAN, "phase": ""})}
    action = next_of(by_producer, circumstances(contract=C))
    assert (action.name, words(action.target), words(action.command)) == (P.ROUTE, "obligation:plan", "planner")


def test_the_last_resort_leaves_out_the_session_that_asks() -> None:
    action = next_of(thread("torn"), circumstances(session_id="it's me"))
    assert words(action.command) == """resume-scan discover --days 7 --cap 5 --exclude 'it'"'"'s me'"""


@pytest.mark.parametrize(
    ("said", "before"),
    [
        (circumstances(issue="#42"), [f"{ASK} --search 'in:title #42 round'"]),
        (circumstances(), []),
    ],
)
def test_the_last_resort_looks_at_pull_requests_first_where_there_is_an_issue(said: Circumstances, before: list[str]) -> None:
    assert [words(each) for each in next_of(thread("torn"), said).before] == before


def test_a_route_says_what_to_read_and_whom_to_ask_first() -> None:
    asked = f"{ASK} --repo acme/app --search 'in:title #42 round'"
    assert [words(each) for each in next_of(thread(tick())).before] == [asked, "read docs/plan.md"]
    assert [words(each) for each in next_of(thread(tick()), circumstances(prs=())).before] == ["read docs/plan.md"]
    task = thread(tick(kind="task", issue_ref='""', plan_path='""'))
    assert next_of(task).before == ()


class LinkedOut(Machine, frozen=True):
    """A repository in which `docs/link.md` is a link that leads out."""

    def answer(self, inquiry: Inquiry) -> Answer:
        """Answer as the reading room does."""
        if inquiry == FileState(path=Raw("docs/link.md")):
            return FileFact(path=None, missing=Missing.OUTSIDE)
        return super().answer(inquiry)


def test_what_was_refused_is_named_and_never_to_be_read() -> None:
    papers = tick(review_paths=("/etc/passwd", "../outside.md", "docs/review.md"), qa_paths=("docs/link.md",))
    answers = LinkedOut(files=thread(papers)).gather(circumstances())
    found = judge(translate(answers, circumstances()), answers, circumstances())
    assert [words(each) for each in found.next_action.before][1:] == ["read docs/plan.md", "read docs/review.md"]
    outside = "leads out of the directory, so it was not opened"
    assert [words(each) for each in found.warnings] == [
        f"refused, and not to be read: /etc/passwd (review_paths of the newest tick): {outside}",
        f"refused, and not to be read: ../outside.md (review_paths of the newest tick): {outside}",
        f"refused, and not to be read: docs/link.md (qa_paths of the newest tick): {outside}",
    ]


def test_what_is_adjudicated_names_its_reason() -> None:
    action = next_of({**thread(tick()), **CONFLICTING}, BY_CONTRACT)
    assert words(action.reason).endswith("docs/r.json: a file that it calls verified is missing or was changed since")
    assert conflicts(reconcile({**thread(tick()), **CONFLICTING}, BY_CONTRACT)) == {"obligation-conflict:obligation:plan": True}
