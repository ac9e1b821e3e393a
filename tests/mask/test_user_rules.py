"""A user's own rules: used when they hold, refused with one sentence when they do not."""

import pytest

from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.mask.user_rules import parse_user_rules
from resume_forensics.text import Raw

RULE = """
[[rule]]
kind = "acme-key"
keywords = ["ACME_"]
pattern = "acme_[a-z0-9]{20}"
catch = ["acme_<l:20>"]
spare = ["acme_widgets"]
"""


def test_rules_and_allowed_values_are_used() -> None:
    masker = parse_user_rules('allow = ["acme_stays0stays0stays0a"]\n' + RULE).make_masker()
    assert masker.mask(Raw("acme_" + "a1b2c" * 4)) == "[REDACTED:acme-key#1]"
    assert masker.mask(Raw("acme_stays0stays0stays0a")) == "acme_stays0stays0stays0a"
    assert masker.kinds == ("acme-key",)


def test_ours_go_on_beside_them() -> None:
    masker = parse_user_rules(RULE).make_masker()
    assert masker.mask(Raw("AKI" + "A" + "Q7RT5YHN3WVB6JK2")) == "[REDACTED:aws-key#1]"


def test_an_empty_file_changes_nothing() -> None:
    rules = parse_user_rules("")
    assert rules.rules == ()
    assert rules.allowed == frozenset()


def test_a_tail_and_what_stands_before_are_optional_parts() -> None:
    text = RULE.replace('spare = ["acme_widgets"]', 'spare = []\nbefore = "(?:x-)?"\ntail = "[a-z0-9]*"\nseen = "our wiki"')
    (rule,) = parse_user_rules(text).rules
    assert rule.seen == "our wiki"
    assert parse_user_rules(text).make_masker().mask(Raw("x-acme_" + "a1b2c" * 7 + "!")) == "[REDACTED:acme-key#1]!"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("kind = ", "no TOML"),
        ("rules = 1", "unknown entries: rules"),
        ("rule = 1", "tables named"),
        ("rule = [1]", "rule 1 is no table"),
        ("allow = 1", "allow must be a list"),
        ("allow = [1]", "allow must be a list"),
        (RULE + 'colour = "red"', "unknown entries: colour"),
        (RULE.replace("acme-key", "Acme Key"), "kind must be"),
        (RULE.replace('["ACME_"]', "[]"), "keywords must be at least"),
        (RULE.replace('["ACME_"]', '["ac"]'), "keywords must be at least"),
        (RULE.replace('pattern = "acme_[a-z0-9]{20}"', ""), "pattern is missing"),
        (RULE.replace("{20}", "{20"), "does not catch|does not compile"),
        (RULE.replace("[a-z0-9]{20}", "[a-z0-9"), "does not compile"),
        (RULE.replace("{20}", "+"), "must be bounded"),
        (RULE.replace("{20}", "{20,}"), "must be bounded"),
        (RULE.replace("[a-z0-9]{20}", "(?:(?:a{1,40}){1,40}){1,40}b[a-z0-9]{20}"), "takes too long"),
        (RULE.replace('["acme_<l:20>"]', "[]"), "at least one sample"),
        (RULE.replace("<l:20>", "<U:20>"), "does not catch"),
        (RULE.replace("acme_widgets", "acme_<l:20>"), "should spare"),
        (RULE.replace('catch = ["', 'seen = 1\ncatch = ["'), "seen must be a text"),
        (RULE * (LIMITS.mask_rules + 1), "at most"),
        ("#" * (LIMITS.mask_rules_bytes + 1), "larger than"),
    ],
)
def test_what_does_not_hold_is_refused(text: str, reason: str) -> None:
    with pytest.raises(WrongUse, match=reason):
        parse_user_rules(text)


def test_a_refusal_quotes_no_sample() -> None:
    with pytest.raises(WrongUse) as refused:
        parse_user_rules(RULE.replace("<l:20>", "<U:20>"))
    assert "acme_" not in str(refused.value)


def test_a_keyword_beyond_ascii_nominates_only_itself() -> None:
    text = RULE.replace("ACME_", "äcme_").replace("acme_[", "äcme_[").replace("acme_<", "äcme_<")
    masker = parse_user_rules(text).make_masker()
    assert masker.mask(Raw("äcme_" + "a1b2c" * 4 + " öcme_" + "a1b2c" * 4)) == "[REDACTED:acme-key#1] öcme_" + "a1b2c" * 4
