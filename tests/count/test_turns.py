"""Walks the table of forms: every sample is a resume-class turn, every near-miss is none."""

import pytest

from resume_forensics.count.turns import FILLERS, OPENINGS, OPENS, acknowledges_death, is_bare, is_resume
from resume_forensics.text import Raw


@pytest.mark.parametrize("text", [sample for form in OPENINGS for sample in form.samples])
def test_every_sample_of_an_opening_is_a_resume_turn(text: str) -> None:
    assert is_resume(Raw(text))
    assert OPENS.match(text)


@pytest.mark.parametrize("text", [near for form in OPENINGS for near in form.near_misses])
def test_every_near_miss_of_an_opening_is_none(text: str) -> None:
    assert not is_resume(Raw(text))


@pytest.mark.parametrize("opening", [form.words for form in OPENINGS])
def test_every_opening_stands_alone_and_has_a_sample_and_a_near_miss(opening: str) -> None:
    row = next(form for form in OPENINGS if form.words == opening)
    assert row.samples
    assert row.near_misses
    assert is_resume(Raw(f"  {opening.upper()} \n"))
    assert not is_resume(Raw(f"{opening}d"))
    assert not is_resume(Raw(f"now {opening}"))


@pytest.mark.parametrize("filler", [sample for form in FILLERS for sample in form.samples])
def test_every_filler_may_follow_every_opening(filler: str) -> None:
    assert [form.words for form in OPENINGS if not is_resume(Raw(f"{form.words}, {filler}!"))] == []
    assert is_resume(Raw(f"continue {filler} please. Thanks!"))


@pytest.mark.parametrize("object_", [near for form in FILLERS for near in form.near_misses])
def test_any_other_object_makes_a_near_miss(object_: str) -> None:
    assert not is_resume(Raw(f"continue {object_}"))
    assert OPENS.match(f"continue {object_}")


@pytest.mark.parametrize(("text", "bare"), [("resume", True), (" Resume!. ", True), ("resume please", False), ("/resume", False)])
def test_bare_is_the_one_word(text: str, *, bare: bool) -> None:
    assert is_bare(Raw(text)) is bare


@pytest.mark.parametrize(
    ("text", "acknowledged"),
    [
        ("Three sub-agents died on the session limit.", True),
        ("It was killed mid-review", True),
        ("the worker never reported", True),
        ("they hit the weekly usage limit", True),
        ("the deadline", False),
        ("skilled work", False),
        ("I hit a limit", False),
    ],
)
def test_words_of_death(text: str, *, acknowledged: bool) -> None:
    assert acknowledges_death(Raw(text)) is acknowledged


def test_a_long_run_of_fillers_is_judged_at_once() -> None:
    assert is_resume(Raw("continue" + " and then please" * 20_000))
    assert not is_resume(Raw("continue" + " and then please" * 20_000 + " zebra"))
