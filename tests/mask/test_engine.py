"""The engine: numbering, placeholders, cuts, kinds, the allow-list, and work that grows with the text only."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

from random import Random

import pytest

from resume_forensics.limits import LIMITS
from resume_forensics.mask.engine import Masker, Nominator, Span, Work, find_spans, mask_text, merge_spans
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rules import RULES
from resume_forensics.text import CUT_MARK, Masked, Raw


def secret(recipe: str, seed: int = 1) -> str:
    return write_sample(recipe, Random(seed)).text


GITHUB = secret("ghp_<w:36>")
OTHER = secret("ghp_<w:36>", 2)


def test_equal_values_get_equal_numbers_across_the_texts_of_one_masker() -> None:
    masker = Masker()
    first = masker.mask(Raw(f"{GITHUB} and {OTHER}"))
    second = masker.mask(Raw(f"again {OTHER}, {GITHUB}"))
    assert first == "[REDACTED:github-token#1] and [REDACTED:github-token#2]"
    assert second == "again [REDACTED:github-token#2], [REDACTED:github-token#1]"
    assert isinstance(second, Masked)


def test_another_masker_starts_at_one() -> None:
    Masker().mask(Raw(GITHUB))
    assert Masker().mask(Raw(OTHER)) == "[REDACTED:github-token#1]"


def test_kinds_are_sorted_and_named_per_text_and_per_report() -> None:
    masker = Masker()
    cover = masker.cover(Raw(f"{GITHUB} " + secret("AKIA<b:16>")))
    assert cover.kinds == ("aws-key", "github-token")
    assert masker.cover(Raw("nothing here")).kinds == ()
    masker.mask(Raw(secret("sk_live_<w:24>")))
    assert masker.kinds == ("aws-key", "github-token", "stripe-key")
    assert masker.counts == {"aws-key": 1, "github-token": 1, "stripe-key": 1}


def test_a_kind_seen_before_is_named_again_for_a_later_text() -> None:
    masker = Masker()
    masker.mask(Raw(GITHUB))
    assert masker.cover(Raw(f"x {GITHUB}")).kinds == ("github-token",)


def test_what_is_no_secret_stays_character_for_character() -> None:
    text = "a\x00b\x1b[31mred\x1b[0m\u202e \u200b\u00e9 \U0001f600\r\n\ttab"
    assert mask_text(text) == text
    assert mask_text(f"\u00e9\U0001f600 {GITHUB} \u202e") == "\u00e9\U0001f600 [REDACTED:github-token#1] \u202e"


def test_masked_text_is_masked_to_itself_also_as_a_value() -> None:
    for text in (
        f"TOKEN={GITHUB}",
        f'{{"password": "{secret("<w:14>")}"}}',
        f"Cookie: sid={secret('<w:32>')}; a=b",
        f"x://u:{secret('<w:12>')}@h/",
    ):
        once = mask_text(text)
        assert "[REDACTED:" in once
        assert mask_text(once) == once
        assert Masker().cover(Raw(once)).kinds == ()


def test_placeholders_in_a_text_keep_their_numbers_to_themselves() -> None:
    masked = mask_text(f"[REDACTED:github-token#1] [REDACTED:jwt#3] {GITHUB} {OTHER} " + secret("sk_live_<w:24>"))
    assert (
        masked == "[REDACTED:github-token#1] [REDACTED:jwt#3] [REDACTED:github-token#2] [REDACTED:github-token#4] [REDACTED:stripe-key#5]"
    )


def test_a_placeholder_inside_a_wider_secret_stays_and_the_rest_goes() -> None:
    rest = secret("<w:24>")
    masked = mask_text(f"Cookie: a=[REDACTED:jwt#1]; sid={rest}")
    assert "[REDACTED:jwt#1]" in masked
    assert rest not in masked
    assert mask_text(masked) == masked


def test_a_giant_string_that_was_cut_shows_nothing_beside_the_cut() -> None:
    body = secret("<w:600>")
    raw = Raw("words " * 200 + "tail" * 127 + body[:3] + CUT_MARK)
    masked = Masker().mask(raw)
    assert len(masked) == len(raw) - LIMITS.cut_margin_chars
    assert masked == ("words " * 200 + "tail" * 127)[: len(masked)]
    assert Masker().mask(Raw("short" + CUT_MARK)) == ""


@pytest.mark.parametrize("kept", range(1, 48))
def test_a_secret_that_the_cut_parts_does_not_show(kept: int) -> None:
    raw = Raw("words " * 200 + "x" * 480 + " " + GITHUB[:kept] + CUT_MARK)
    assert GITHUB[4:12] not in Masker().mask(raw)


def test_a_secret_across_the_margin_is_one_placeholder() -> None:
    token = secret("sk-ant-api03-<u:93>AA")
    raw = Raw("words " + token + " " + "y" * (LIMITS.cut_margin_chars - 20) + CUT_MARK)
    assert Masker().mask(raw) == "words [REDACTED:anthropic-key#1]"


def test_allowed_values_stay() -> None:
    masker = Masker(allowed=frozenset({GITHUB}))
    assert masker.mask(Raw(f"{GITHUB} {OTHER}")) == f"{GITHUB} [REDACTED:github-token#1]"


def test_no_cut_after_masking_shows_half_a_secret() -> None:
    chance = Random(11)
    for rule in RULES[:: len(RULES) // 60]:
        sample = write_sample(rule.catch[0], chance)
        masked = mask_text(f"before {sample.text} after")
        for chars in range(len(masked)):
            head = masked.head(chars)
            assert not any(body[:8] in head for body in sample.bodies if len(body) >= 8)


LITERAL_KINDS = (
    "anthropic-key",
    "github-token",
    "github-pat",
    "gitlab-token",
    "npm-token",
    "google-key",
    "sendgrid-key",
    "stripe-key",
    "jwt",
    "pem",
)


@pytest.mark.parametrize("kind", LITERAL_KINDS)
def test_a_secret_that_the_harness_cut_anywhere_shows_less_than_eight_characters(kind: str) -> None:
    chance = Random(5)
    for rule in RULES:
        if rule.kind != kind:
            continue
        sample = write_sample(rule.catch[0], chance)
        start, end = sample.secrets[0]
        for cut in range(start + 8, end + 1):
            masked = mask_text("ran with " + sample.text[:cut])
            assert sample.text[start : start + 8] not in masked, cut - start


def test_a_cut_before_an_ellipsis_is_a_cut_too() -> None:
    assert mask_text(f"key {GITHUB[:14]}\u2026 rejected") == "key [REDACTED:github-token#1]\u2026 rejected"
    assert mask_text(f"key {GITHUB[:14]}... rejected") == "key [REDACTED:github-token#1]... rejected"


def test_overlapping_spans_become_one_named_by_the_longest() -> None:
    spans = [Span(0, 10, 5), Span(4, 8, 1), Span(20, 30, 7), Span(20, 30, 2), Span(9, 12, 0)]
    assert merge_spans(spans, "x" * 40) == [Span(0, 12, 5), Span(20, 30, 2)]


def test_touching_spans_stay_apart() -> None:
    assert merge_spans([Span(0, 5, 1), Span(5, 9, 1)], "x" * 9) == [Span(0, 5, 1), Span(5, 9, 1)]


def repeated(literal: str, chars: int) -> str:
    return literal * (chars // len(literal))


END = "\n" * LIMITS.mask_reach_chars
"""Blank text behind, so that no pattern sees less than its reach because the text ends."""


def measure(text: str) -> Work:
    work = Work()
    find_spans(text, READY, work)
    return work


READY = Nominator(RULES)


def hold_twice(unit: str, chars: int) -> None:
    """Twice the units, twice the work; what the two ends of a text add is a constant."""
    count = max(4, chars // len(unit))
    small, large = measure(unit * count + END), measure(unit * 2 * count + END)
    assert large.nominations <= 2 * small.nominations + 60, unit
    assert large.attempts <= 2 * small.attempts + 60, unit
    assert large.visited <= 2 * small.visited + 100 * LIMITS.mask_reach_chars, unit


@pytest.mark.parametrize("part", range(8))
def test_twice_of_a_rules_own_literal_is_at_most_twice_the_work(part: int) -> None:
    common = [rule for rule in RULES if len(rule.keywords) < 200]
    literals = sorted({word for rule in common for word in rule.keywords} | {rule.keywords[0] for rule in RULES})
    for literal in literals[part::8]:
        hold_twice(literal, 3_000)


@pytest.mark.parametrize("part", range(8))
def test_twice_of_a_rules_own_samples_is_at_most_twice_the_work(part: int) -> None:
    for rule in RULES[part::8]:
        hold_twice(write_sample(rule.catch[0], Random(3)).text, 3_000)


AWKWARD = (
    "-----BEGIN RSA " + "PRIVATE KEY-----\n",
    "token: ",
    "sk-",
    "eyJ" + "hbGci.",
    "://a:",
    "\\u002d",
    "%2D",
    "'key' ",
    "=",
    "A",
    "key=\\",
)


@pytest.mark.parametrize("unit", AWKWARD)
def test_twice_of_an_awkward_text_is_at_most_twice_the_work(unit: str) -> None:
    hold_twice(unit, 20_000)
