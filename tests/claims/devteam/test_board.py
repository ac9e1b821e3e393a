"""Holds how BOARD.md, QUESTIONS.md and RECORD.md are taken apart."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from claims.teams import board
from resume_forensics.claims.devteam.board import (
    find_verified,
    read_board,
    read_entries,
    read_questions,
    read_state,
    read_time,
    read_writer,
    split_cell,
)
from resume_forensics.vocabulary import BoardState

FLIGHT = "## In flight\n\n| Task | Title | Agent label | Since | Model | Scope | Note |\n|---|---|---|---|---|---|---|\n"


def test_rows_are_told_from_the_samples_beside_them() -> None:
    sample = "<!-- example:begin -->\n| T-1 | s | R-1 | none | x | DONE |\n| T-9 | s | R-1 | none | x | DONE |\n<!-- example:end -->\n"
    text = board({"T-1": "CLAIMED T1-x-0310"}).replace("| T-1 |", sample + "| T-1 |")
    found = read_board(text)
    assert found.states == {1: "CLAIMED T1-x-0310"}
    assert found.labels == {1: ("T1-x-0310",)}
    assert found.scopes == {1: "src/T-1/"}
    assert found.writer == "5e0f-new-session"


def test_who_is_in_flight_is_claimed_with_its_label() -> None:
    flight = FLIGHT + "| T-4 | Net | T4-net-0500 | 05:00 | m | src/net/ | S-1 |\n| \N{EM DASH} | \N{EM DASH} | | | | | nothing |\n"
    found = read_board(board({}, more=flight))
    assert found.in_flight == {4}
    assert found.labels == {4: ("T4-net-0500",)}
    assert found.states == {}


def test_of_two_rows_of_one_task_the_first_counts() -> None:
    found = read_board(board({"T-1": "DONE"}) + "\n\n" + board({"T-1": "CLAIMED T1-x-0310"}))
    assert found.states == {1: "DONE"}
    assert found.twice == (1,)


def test_questions_of_the_board_are_kept_by_their_number() -> None:
    head = "## Questions for the client\n\n| # | Class | Raised | Question |\n|---|---|---|---|\n"
    table = f"{head}| Q-1 | CHARTER | 2026-01-01 | Which? |\n| - | | | none |\n"
    questions = read_board(board({}, more=table)).questions
    assert {name: row["raised"] for name, row in questions.items()} == {"Q-1": "2026-01-01"}


def test_a_text_without_writer_and_table_is_no_board() -> None:
    found = read_board("# BOARD\n\n| a | b |\n")
    assert (found.has_writer, found.has_tasks) == (False, False)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("`5e0f` since 2026-01-01", "5e0f"),
        ("` 5e0f ` since", "5e0f"),
        ("`` since 2026-01-01", None),
        ("` ` since", None),
        ("`<session id>` since <date>", None),
        ("none", None),
        ("\N{EM DASH}", None),
        ("", None),
        ("nobody since 2026", None),
        ("5e0f-plain since 2026", "5e0f-plain"),
        ("vacated by hand", None),
    ],
)
def test_the_writer_line_names_a_session_or_nobody(value: str, name: str | None) -> None:
    assert read_writer(value) == name


@pytest.mark.parametrize(
    ("cell", "state"),
    [
        ("\N{EM DASH}", BoardState.OPEN),
        ("-", BoardState.OPEN),
        ("\N{EN DASH}", BoardState.OPEN),
        ("CLAIMED T1-x-0310", BoardState.CLAIMED),
        ("BLOCKED on T-2, Q-1", BoardState.BLOCKED),
        ("DONE", BoardState.DONE),
        ("ACCEPTED (2026-01-01, D-1)", BoardState.ACCEPTED),
        ("done", None),
        ("", None),
    ],
)
def test_a_state_is_one_of_the_five_words(cell: str, state: BoardState | None) -> None:
    assert read_state(cell) is state


QUESTIONS = """# Open questions

<!-- example:begin -->
### Q-9 \N{EM DASH} a sample about T-1
- **Status.** open
<!-- example:end -->
### Q-1 \N{EM DASH} which formatter - and why?

- **Class.** REVERSIBLE
- **Raised.** 2026-01-01 by T-1
- **Status.** open

### ~~Q-2 \N{EM DASH} settled~~

- **Status.** answered D-1

### Q-3 \N{EM DASH} nobody gave it a status, T-4.S-1 asked

### Q-4 \N{EM DASH} gone

- **Status.** ~~open~~ withdrawn

### ~~Q-5 \N{EM DASH} struck through, without a word~~

### Q-6 \N{EM DASH} decided alone

- **Status.** proceeded-unreviewed D-2
"""


def test_a_question_waits_until_a_word_says_that_it_is_settled() -> None:
    found = {question.id: question for question in read_questions(QUESTIONS)}
    assert list(found) == ["Q-1", "Q-2", "Q-3", "Q-4", "Q-5", "Q-6"]
    assert [name for name, question in found.items() if question.is_open] == ["Q-1", "Q-3", "Q-4"]
    assert found["Q-1"].title == "which formatter \N{EM DASH} and why?"
    assert found["Q-1"].raised == "2026-01-01 by T-1"
    assert (found["Q-1"].tasks, found["Q-3"].tasks, found["Q-2"].tasks) == ({1}, {4}, set())


def test_a_file_without_questions_has_none() -> None:
    assert list(read_questions("# QUESTIONS\n")) == []


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("2026-01-01 by T-1", datetime(2026, 1, 1, tzinfo=UTC)),
        ("on 2026-01-01T10:30Z", datetime(2026, 1, 1, 10, 30, tzinfo=UTC)),
        ("2026-01-01 10:30:01+02:00", datetime(2026, 1, 1, 10, 30, 1, tzinfo=timezone(timedelta(hours=2)))),
        ("2026-13-45", None),
        ("yesterday", None),
        (None, None),
    ],
)
def test_a_date_is_read_where_there_is_one(words: str | None, at: datetime | None) -> None:
    assert read_time(words) == at


def test_the_last_entries_of_the_record_keep_their_day_and_their_further_lines() -> None:
    text = "# RECORD\n\n- early\n\n## 2026-01-01\n\n- one\n- two\n  goes on\n\n## 2026-01-02\n- three\n"
    assert read_entries(text, 3) == ("2026-01-01: - one", "2026-01-01: - two goes on", "2026-01-02: - three")
    assert read_entries(text, 1) == ("2026-01-02: - three",)
    assert read_entries("- bare\n", 3) == ("- bare",)
    assert read_entries("", 3) == ()


@pytest.mark.parametrize(
    ("line", "passed"),
    [
        ("- verify T-7.S-2 PASS (2026-01-01)", {7}),
        ("- `verify T7-log-0310 PASS` \N{EM DASH} clean", {7}),
        ("- verify T-7 and T-8 PASS", {7, 8}),
        ("- verify T-7 FAIL", set()),
        ("- verify T-3 PASS, T-7 FAIL", {3}),
        ("- verify T-70 PASS", {70}),
        ("- T-7 PASS", set()),
        ("- verify T-7: the tests pass", set()),
        ("- verify PASS, closes T-7", set()),
        ("- verify T-7 BYPASS", set()),
    ],
)
def test_a_task_is_verified_by_a_line_that_says_so(line: str, passed: set[int]) -> None:
    assert set(find_verified(line)) == passed


def test_a_later_failure_takes_the_pass_back_and_a_later_pass_gives_it() -> None:
    assert find_verified("verify T-1 PASS\nverify T-1 FAIL") == {}
    assert find_verified("verify T-1 FAIL\nverify T-1 PASS") == {1: "verify T-1 PASS"}


def test_a_sample_verifies_nothing() -> None:
    assert find_verified("<!-- example:begin -->\nverify T-1 PASS\n<!-- example:end -->") == {}


def test_a_cell_may_hold_several_paths() -> None:
    assert list(split_cell("src/a/, src/b.py<br>docs")) == ["src/a/", "src/b.py", "docs"]
    assert list(split_cell("\N{EM DASH}")) == []
