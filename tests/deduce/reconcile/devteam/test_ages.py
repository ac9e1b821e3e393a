"""Holds how long ago is said."""

from datetime import UTC, datetime, timedelta

import pytest

from resume_forensics.deduce.reconcile.devteam.ages import age_s, describe_age

NOW = datetime(2026, 1, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (3_599, "59 minutes"),
        (3_600, "1 hour"),
        (86_399, "23 hours"),
        (86_400, "1 day"),
        (200_000, "2 days"),
    ],
)
def test_an_age_is_said_in_its_largest_whole_unit(seconds: int, words: str) -> None:
    assert describe_age(NOW, NOW - timedelta(seconds=seconds)) == words


def test_a_clock_ahead_of_ours_gives_no_negative_age() -> None:
    assert age_s(NOW, NOW + timedelta(days=1)) == 0
    assert age_s(NOW, NOW - timedelta(seconds=1.9)) == 1
