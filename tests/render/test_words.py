"""Every word of the vocabulary has words for people, and those about liveness prevent harm."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pytest

from resume_forensics.render import words
from resume_forensics.vocabulary import (
    Action,
    Delivery,
    DriverKind,
    DriverState,
    Ended,
    Liveness,
    StepState,
    StopCause,
    WorkerKind,
)


@pytest.mark.parametrize(
    ("table", "vocabulary"),
    [
        (words.KINDS, WorkerKind),
        (words.CAUSES, StopCause),
        (words.LIVENESS, Liveness),
        (words.ENDS, Ended),
        (words.DELIVERIES, Delivery),
        (words.ACTIONS, Action),
        (words.STEPS, StepState),
        (words.DRIVERS, DriverKind),
        (words.DRIVER_STATES, DriverState),
    ],
)
def test_each_table_has_a_row_for_each_word(table: Mapping[StrEnum, str], vocabulary: type[StrEnum]) -> None:
    assert set(table) == set(vocabulary)
    assert all(text and text.isascii() and not text.endswith(".") for text in table.values())


@pytest.mark.parametrize("liveness", list(Liveness))
def test_what_is_not_known_dead_is_never_said_to_be(liveness: Liveness) -> None:
    said = words.describe_liveness(liveness)
    if liveness is Liveness.POSSIBLY_LIVE:
        assert said.startswith("POSSIBLY STILL RUNNING: check before re-running")
    elif liveness in {Liveness.DEAD, Liveness.DEAD_WITH_PARENT}:
        assert said.startswith("DEAD: ")
    else:
        assert said.startswith("UNKNOWN: ")
        assert said.endswith("verify before re-running anything with side effects")


def test_an_end_by_an_error_is_told_from_an_end_of_its_own() -> None:
    assert words.describe_end(Ended.MID_TOOL) == "in the middle of a tool call (mid-tool)"
    assert words.describe_end(StopCause.API_OVERLOAD) == "with an error: the API was overloaded (api_overload)"


@pytest.mark.parametrize(
    ("span", "written"),
    [
        (timedelta(seconds=0.9), "0 s"),
        (timedelta(seconds=59), "59 s"),
        (timedelta(seconds=60), "1 min"),
        (timedelta(seconds=681), "11 min 21 s"),
        (timedelta(hours=5, minutes=3, seconds=9), "5 h 3 min"),
        (timedelta(days=2, hours=1), "2 d 1 h"),
        (timedelta(seconds=-90), "1 min 30 s"),
    ],
)
def test_spans_in_their_largest_units(span: timedelta, written: str) -> None:
    assert words.write_span(span) == written


def test_times_in_utc_to_the_second() -> None:
    assert words.write_time(datetime(2026, 9, 14, 9, 10, 21, 999_000, tzinfo=UTC)) == "2026-09-14 09:10:21 UTC"
    assert words.write_time(None) == "at an unknown time"
