"""The file of facts: both of its forms, rows that say little, and files that are none."""

import json
from datetime import UTC, datetime

import pytest

from resume_forensics.claims.facts import Facts, read_facts
from resume_forensics.errors import WrongUse
from resume_forensics.model.claim import ListedAgent, PullRequest

ROW = {
    "number": 7,
    "title": "Round 2 of #12",
    "state": "MERGED",
    "mergedAt": "2026-01-02T03:04:05Z",
    "url": "https://example.invalid/pull/7",
    "reviewDecision": "APPROVED",
}
MERGED = PullRequest(
    number=7,
    title="Round 2 of #12",
    state="MERGED",
    url="https://example.invalid/pull/7",
    merged_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    review_decision="APPROVED",
)
EMPTY = PullRequest(number=None, title="", state="", url="")


def test_the_bare_list_of_gh() -> None:
    assert read_facts(json.dumps([ROW])) == Facts(prs=(MERGED,))


def test_the_object_with_a_schema() -> None:
    agents = [{"name": "T1", "ref": "r", "status": "exited"}]
    found = read_facts(json.dumps({"schema": "resume-forensics/facts/1", "prs": [ROW], "agents": agents}))
    assert found == Facts(prs=(MERGED,), agents=(ListedAgent(name="T1", ref="r", status="exited"),))


def test_what_is_not_said_is_told_from_what_is_empty() -> None:
    assert read_facts('{"schema": "resume-forensics/facts/1"}') == Facts()
    assert read_facts('{"schema": "resume-forensics/facts/1", "agents": []}') == Facts(agents=())
    assert read_facts("[]") == Facts(prs=())


@pytest.mark.parametrize(
    "row", [{}, {"number": "7", "title": 3, "mergedAt": "soon"}, {"mergedAt": None, "number": 1.5}, {"mergedAt": "2026-01-02T03:04:05"}]
)
def test_a_row_of_odd_values_says_nothing(row: dict[str, object]) -> None:
    assert read_facts(json.dumps([row])) == Facts(prs=(EMPTY,))


def test_what_is_no_row_is_passed_over() -> None:
    assert read_facts(json.dumps([3, None, "x", [], ROW])) == Facts(prs=(MERGED,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "3",
        '"x"',
        "null",
        "{}",
        '{"schema": "other", "prs": []}',
        '{"prs": []}',
        "[" * 100_000,
        '{"schema": "resume-forensics/facts/1", "prs": {}}',
        "\ufeff[]",
    ],
)
def test_a_file_of_another_kind_is_wrong_use(text: str) -> None:
    with pytest.raises(WrongUse, match="facts"):
        read_facts(text)
