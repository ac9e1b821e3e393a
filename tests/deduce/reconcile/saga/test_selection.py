"""Which thread is meant, row by row of the contract's order."""

import json

import pytest

from claims.sagas import SAGAS, THREAD, circumstances, read_state, tick
from resume_forensics.deduce.reconcile.saga.selection import Selection, select_thread
from resume_forensics.text import Raw


def file(saga_id: str, **fields: str) -> dict[str, str]:
    return {f"{SAGAS}/{saga_id}/20260102-000000.md": tick(saga_id=saga_id, **fields)}


OURS, OTHER = file(THREAD), file("issue-43", issue_ref="acme/app#43", branch="feature/other")
DONE = file("issue-1", issue_ref="acme/app#1", status="done")
TASK = file("task-x", issue_ref='""', kind="task", branch="feature/x")


def select(
    *files: dict[str, str], branch: str | None = None, saga_id: str | None = None, issue: str | None = None, index: object = None
) -> Selection:
    held = {path: text for each in files for path, text in each.items()}
    if index is not None:
        held[".gemini/saga/state.json"] = json.dumps({"sagas": index})
    state = read_state(held, circumstances(saga_id=saga_id, issue=issue))
    return select_thread(state, None if branch is None else Raw(branch))


def chosen(selection: Selection) -> Raw | None:
    return selection.thread.saga_id if selection.thread else None


@pytest.mark.parametrize(
    ("selection", "saga_id"),
    [
        (select(OURS, OTHER, saga_id="issue-43"), "issue-43"),
        (select(OURS, DONE, saga_id="issue-1"), "issue-1"),
        (select(OURS, OTHER, issue="acme/app#43"), "issue-43"),
        (select(OURS, OTHER, issue="#43"), "issue-43"),
        (select(OURS, OTHER, issue="43", branch="feature/export"), "issue-43"),
        (select(OURS, DONE, issue="#1"), "issue-1"),
        (select(OURS, TASK, issue="#9", index={"task-x": {"issue_ref": "acme/app#9"}}), "task-x"),
        (select(OURS, file("task-y"), issue="#42", branch="feature/export"), None),
        (select(OURS, file("task-y", status="done"), issue="#42"), THREAD),
        (select(OURS, file("task-y", branch="feature/y"), issue="#42", branch="feature/y"), "task-y"),
        (select(OURS, OTHER, issue="other/app#43"), None),
        (select(OURS, OTHER, issue="#44"), None),
        (select(OURS), THREAD),
        (select(OURS, DONE), THREAD),
        (select(DONE), None),
        (select(OURS, OTHER, branch="feature/other"), "issue-43"),
        (select(OURS, OTHER, branch="main"), None),
        (select(OURS, OTHER), None),
        (select(OURS, OTHER, TASK), None),
    ],
)
def test_the_thread_that_is_meant(selection: Selection, saga_id: str | None) -> None:
    assert chosen(selection) == (None if saga_id is None else Raw(saga_id))
    assert selection.reason
    assert not selection.unreadable


@pytest.mark.parametrize(
    "selection",
    [
        select({f"{SAGAS}/{THREAD}/20260102-000000.md": "torn"}),
        select({f"{SAGAS}/{THREAD}/20260102-000000.md": "torn"}, OTHER, saga_id=THREAD),
        select({".gemini/saga/state.json": "{}"}),
    ],
)
def test_without_a_readable_tick_there_is_no_thread(selection: Selection) -> None:
    assert selection.thread is None
    assert selection.unreadable


def test_a_thread_that_is_torn_does_not_hide_the_one_that_is_not() -> None:
    assert chosen(select({f"{SAGAS}/issue-43/20260102-000000.md": "torn"}, OURS)) == Raw(THREAD)


def test_an_index_does_not_outrank_a_tick() -> None:
    assert chosen(select(OURS, OTHER, issue="#9", index={THREAD: {"issue_ref": "acme/app#9"}})) is None
