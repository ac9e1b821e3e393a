"""Cells are read as text whatever they hold; times of every spelling are read as far as they can be."""

from datetime import UTC, datetime

import pytest

from resume_forensics.claims.claude_org.cells import read_count, read_moments, read_payload, read_raw, read_text
from resume_forensics.model.inquiry import Cell
from resume_forensics.text import Raw


@pytest.mark.parametrize(("cell", "said"), [(None, None), ("", None), (" \n", None), (" a ", "a"), (7, "7"), (1.5, "1.5"), (0, "0")])
def test_a_cell_says_what_it_would_print_as(cell: Cell, said: str | None) -> None:
    assert read_text(cell) == said
    assert read_raw({"column": cell}, "column") == (None if said is None else Raw(said))


def test_a_column_that_is_not_there_says_nothing() -> None:
    assert read_raw({}, "column") is None


@pytest.mark.parametrize(
    ("spelled", "at", "exact"),
    [
        ("2026-01-02T03:04:05.678Z", datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC), True),
        ("2026-01-02 03:04:05", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), True),
        ("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC), True),
        ("2026-01-02T03:04:678901Z", datetime(2026, 1, 2, 3, 4, tzinfo=UTC), False),
        ("2026-13-02T03:04:678901Z", None, False),
        ("2026-01-02T03:04:678901", None, False),
        ("0001-01-01T00:00:00+23:00", None, False),
        ("2026-01-02", None, False),
        ("yesterday", None, False),
        ("1767225600", None, False),
        (1767225600, None, False),
    ],
)
def test_a_time_is_read_as_far_as_it_can_be(spelled: Cell, at: datetime | None, exact: bool) -> None:  # noqa: FBT001
    (moment,) = read_moments({"resumed_at": spelled}, "resumed_at")
    assert (moment.column, moment.text, moment.at, moment.exact) == ("resumed_at", Raw(str(spelled)), at, exact)


def test_times_come_in_the_order_that_was_asked_and_blank_ones_not_at_all() -> None:
    row = {"a": "2026-01-01T00:00:00Z", "b": None, "c": " ", "d": "x"}
    assert [moment.column for moment in read_moments(row, "d", "b", "c", "a", "e")] == ["d", "a"]


@pytest.mark.parametrize("cell", [None, 7, "", "[1]", "{", '"a"', "[" * 100_000, '{"a": ' + "9" * 10_000 + "}"])
def test_what_is_no_object_carries_nothing(cell: Cell) -> None:
    assert read_payload(cell) == {}


@pytest.mark.parametrize(
    ("payload", "count"),
    [
        ('{"active_workers_count": 2}', 2),
        ('{"active_workers": ["a", "b", "c"]}', 3),
        ('{"active_workers_count": 0, "active_workers": ["a"]}', 0),
        ('{"active_workers_count": true, "active_workers": []}', 0),
        ('{"active_workers_count": -1}', None),
        ('{"active_workers_count": 1e3}', None),
        ('{"active_workers_count": 99999999999999999999}', None),
        ('{"active_workers": "ab"}', None),
        ("{}", None),
    ],
)
def test_a_count_is_a_number_or_the_length_of_a_list(payload: str, count: int | None) -> None:
    assert read_count(read_payload(payload), "active_workers") == count
