"""From a shape to a rule: whole tokens, cut tokens, words that begin like tokens."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

from random import Random

import pytest

from resume_forensics.mask.engine import Nominator, Work, find_spans
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rule import Rule
from resume_forensics.mask.shapes import token

STRONG = token("strong-key", "acmekey_<w:32>", seen="tests")
WEAK = token("weak-key", "ak_<w:24>", seen="tests", weak=True, spare=("ak_one",))
PARTED = token("parted-key", "AP.<u:22>.<u:43>", seen="tests")
BODY = write_sample("<w:32>", Random(4)).text


def spans(rules: tuple[Rule, ...], text: str) -> list[str]:
    return sorted({text[span.start : span.end] for span in find_spans(text, Nominator(rules), Work())})


@pytest.mark.parametrize("before", ["", "x", "nnn", "\\n", "%3D", "\x1b[31m", "12", "=", "a-"])
def test_a_strong_literal_needs_no_boundary(before: str) -> None:
    assert spans(STRONG, f"{before}acmekey_{BODY} after") == [f"acmekey_{BODY}"]


@pytest.mark.parametrize(
    ("before", "found"), [("", 1), ("\\n", 1), ("%3D", 1), ("\x1b[31m", 1), ("12", 1), ("m", 0), ("task", 0), ("97ab", 0), ("a-97", 0)]
)
def test_a_weak_literal_needs_one_unless_an_escape_or_a_line_number_ends_there(before: str, found: int) -> None:
    assert len(spans(WEAK, f"{before}ak_{BODY[:24]} after")) == found


def test_a_strong_literal_takes_a_short_body_and_runs_to_the_end_of_a_long_one() -> None:
    assert spans(STRONG, f"acmekey_{BODY[:10]} after") == [f"acmekey_{BODY[:10]}"]
    assert spans(STRONG, f"acmekey_{BODY * 30} after") == [f"acmekey_{BODY * 30}"]


def test_a_weak_literal_takes_a_short_body_at_the_end_of_the_text_only() -> None:
    assert spans(WEAK, f"ak_{BODY[:12]} after") == []
    assert spans(WEAK, f"see ak_{BODY[:12]}") == [f"ak_{BODY[:12]}"]


def test_a_parted_body_may_end_in_any_part() -> None:
    first, second = write_sample("<w:22>", Random(1)).text, write_sample("<w:43>", Random(2)).text
    assert spans(PARTED, f"AP.{first}.{second} x") == [f"AP.{first}.{second}"]
    assert spans(PARTED, f"AP.{first}. Then") == [f"AP.{first}"]


@pytest.mark.parametrize(
    "word", ["acmekey_client_name", "acmekey_", "acmekey_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "acmekey_your_token_here", "acmekey_version_2"]
)
def test_words_and_fillers_are_spared(word: str) -> None:
    assert spans(STRONG, f"{word} after") == []


def test_a_literal_of_letters_is_not_sought_inside_base64() -> None:
    rule = token("plain-key", "ACME<U:16>", seen="tests")
    value = "ACME" + write_sample("<U:16>", Random(3)).text
    assert spans(rule, f"id {value} x") == [value]
    assert spans(rule, "Qk" * 40 + f"{value}x") == []


@pytest.mark.parametrize("part", ["Zk3", "Q7", "a1b2"])
def test_a_whole_body_of_few_characters_is_a_token_if_letters_and_numerals_take_turns(part: str) -> None:
    body = (part * 32)[:32]
    assert spans(STRONG, f"use acmekey_{body} here") == [f"acmekey_{body}"]


@pytest.mark.parametrize("body", ["x" * 32, "0" * 32, "v1-" + "x" * 29, "ab" * 16, "12" * 16, "Q7" * 15])
def test_a_row_of_one_character_or_of_one_kind_is_a_filler(body: str) -> None:
    assert spans(STRONG, f"use acmekey_{body} here") == []
