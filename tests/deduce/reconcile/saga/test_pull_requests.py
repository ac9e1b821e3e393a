"""Which pull requests are about a thread: whole numbers, its own repository, its newest round."""

from datetime import UTC, datetime

import pytest

from claims.sagas import read_state, thread, tick
from deduce.reconcile.saga.trials import pull_request, words
from resume_forensics.deduce.reconcile.saga.pull_requests import describe, is_about, is_merged, of_newest_round, of_thread, round_of
from resume_forensics.model.claim import PullRequest
from resume_forensics.model.thread import Tick


def newest(**fields: str | tuple[str, ...]) -> Tick:
    found = read_state(thread(tick("", **fields))).threads[0].newest
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("title", "about"),
    [
        ("#42 round-2: export", True),
        ("export (#42)", True),
        ("acme/app#42 round-2", True),
        ("ACME/App#42", True),
        ("other/app#42 round-2", False),
        ("#421 round-2", False),
        ("#4 round-2", False),
        ("42 round-2", False),
        ("#42", True),
        ("", False),
    ],
)
def test_a_title_names_the_issue_by_its_whole_number(title: str, about: bool) -> None:  # noqa: FBT001
    assert is_about(pull_request(57, title), newest()) is about


def test_a_number_is_never_taken_for_the_beginning_of_a_longer_one() -> None:
    assert is_about(pull_request(57, "#123456789"), newest(issue_ref="acme/app#123456789"))
    assert not is_about(pull_request(57, "#1234567890"), newest(issue_ref="acme/app#123456789"))


def test_a_pull_request_that_the_tick_names_is_about_its_thread() -> None:
    assert is_about(pull_request(57, "no number"), newest(pr_refs=("acme/app#57",)))
    assert not is_about(pull_request(58, "no number"), newest(pr_refs=("acme/app#57",)))


def test_a_task_without_issue_knows_only_what_it_names() -> None:
    assert not is_about(pull_request(57, "#42 round-1"), newest(kind="task", issue_ref='""'))


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("#42 round-2: x", 2),
        ("Round-10", 10),
        ("round-2 of round-3", 2),
        ("round 2", None),
        ("round-", None),
        ("round-" + "9" * 5_000, None),
    ],
)
def test_the_round_stands_in_the_title(title: str, number: int | None) -> None:
    assert round_of(pull_request(57, title)) == number


@pytest.mark.parametrize(("state", "merged"), [("MERGED", True), ("merged", True), ("OPEN", False), ("CLOSED", False), ("", False)])
def test_merged_is_what_github_calls_merged(state: str, merged: bool) -> None:  # noqa: FBT001
    assert is_merged(pull_request(57, "x", state)) is merged


def test_a_time_of_merging_is_a_merge() -> None:
    assert is_merged(PullRequest(number=57, title="x", state="", url="", merged_at=datetime(2026, 1, 2, tzinfo=UTC)))


def test_those_of_a_thread_come_by_round_and_number() -> None:
    given = [pull_request(9, "#42 round-2"), pull_request(8, "#42"), pull_request(7, "#42 round-2"), pull_request(6, "#43 round-1")]
    assert [each.number for each in of_thread(given, newest())] == [8, 7, 9]
    assert [each.number for each in of_newest_round(given, newest(rounds_seen=("1", "2")))] == [7, 9]
    assert of_newest_round(given, newest(rounds_seen=())) == ()


def test_a_line_says_number_title_state_time_and_review() -> None:
    merged = PullRequest(
        number=57, title="#42", state="MERGED", url="", merged_at=datetime(2026, 1, 2, 1, tzinfo=UTC), review_decision="APPROVED"
    )
    assert words(describe(merged)) == "#57 #42: MERGED at 2026-01-02T01:00:00Z, review APPROVED"
    assert words(describe(PullRequest(number=None, title="x", state="", url=""))) == "(no number) x: no state"
