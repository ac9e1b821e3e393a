"""A user's own rules: the text of a TOML file in, rows like ours out, held to the same check of their samples.

    allow = ["a value that stays"]

    [[rule]]
    kind = "acme-key"
    keywords = ["acme_"]
    pattern = "acme_[a-z0-9]{20}"
    catch = ["acme_<l:20>"]
    spare = ["acme_widgets"]

A file that does not hold is refused with one sentence; nothing of it is used.
"""

# ruff: noqa: S311 (samples, no secrets)

import re
import tomllib
from random import Random
from typing import Final

import regex
from msgspec import Struct

from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.mask.engine import Masker, Nominator, Work, find_spans
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rule import Rule

_KIND: Final = re.compile(r"[a-z][a-z0-9-]{1,63}")
_ATOMS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\}[+?]")
_UNBOUNDED: Final = re.compile(r"[*+]|\{[0-9]*,\}")
_TRIAL_S: Final = 0.5
_FIELDS: Final = {"kind", "keywords", "pattern", "before", "tail", "catch", "spare", "seen"}
_SEEDS: Final = 5
_SHORTEST_KEYWORD: Final = 3


class UserRules(Struct, frozen=True, kw_only=True):
    """What a file of a user's own rules says."""

    rules: tuple[Rule, ...] = ()
    allowed: frozenset[str] = frozenset()

    def make_masker(self) -> Masker:
        """A mask for one report that knows these rules too."""
        return Masker(rules=self.rules, allowed=self.allowed)


def parse_user_rules(toml: str) -> UserRules:
    """Answer the rules that a TOML text declares. Raises `WrongUse` with the reason where one of them does not hold."""
    if len(toml.encode()) > LIMITS.mask_rules_bytes:
        raise WrongUse(f"the file of masking rules is larger than {LIMITS.mask_rules_bytes} bytes")
    try:
        data = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise WrongUse(f"the file of masking rules is no TOML: {error}") from None
    if unknown := sorted(set(data) - {"allow", "rule"}):
        raise WrongUse(f"the file of masking rules has unknown entries: {', '.join(unknown)}")
    rows = data.get("rule", [])
    if not isinstance(rows, list) or len(rows) > LIMITS.mask_rules:
        raise WrongUse(f"masking rules are at most {LIMITS.mask_rules} tables named [[rule]]")
    return UserRules(rules=tuple(map(_make_rule, rows, range(1, len(rows) + 1))), allowed=frozenset(_texts(data, "allow", "the file")))


def _make_rule(row: object, number: int) -> Rule:
    if not isinstance(row, dict):
        raise WrongUse(f"masking rule {number} is no table")
    name = f"masking rule {number}"
    if unknown := sorted(set(row) - _FIELDS):
        raise WrongUse(f"{name} has unknown entries: {', '.join(unknown)}")
    kind, pattern = row.get("kind"), row.get("pattern")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise WrongUse(f"{name}: kind must be lower-case letters, digits and dashes")
    keywords = _texts(row, "keywords", name)
    if not keywords or any(len(word) < _SHORTEST_KEYWORD for word in keywords):
        raise WrongUse(f"{name}: keywords must be at least one text of three characters or more")
    if not isinstance(pattern, str):
        raise WrongUse(f"{name}: pattern is missing")
    rule = Rule(
        kind=kind,
        keywords=tuple(word.lower() for word in keywords),
        pattern=pattern if "".join(keywords).isascii() else f"(?=(?i:{'|'.join(map(re.escape, keywords))}))(?:{pattern})",
        by_regex=True,
        before=_text(row, "before", name),
        tail=_text(row, "tail", name),
        catch=_texts(row, "catch", name),
        spare=_texts(row, "spare", name),
        seen=_text(row, "seen", name) or "a user's own rule",
    )
    _check_patterns(rule, name)
    _check_samples(rule, name)
    return rule


def _check_patterns(rule: Rule, name: str) -> None:
    try:
        compiled = (rule.forward, rule.backward, rule.onward)
    except regex.error as error:
        raise WrongUse(f"{name}: a pattern does not compile: {error}") from None
    if any(_UNBOUNDED.search(_ATOMS.sub("a", one.pattern)) for one in compiled[:2] if one is not None):
        raise WrongUse(f"{name}: pattern and before must be bounded: write {{1,200}} instead of + or *")
    trial = regex.compile(rule.forward.pattern, regex.VERSION0)
    try:
        for word in rule.keywords:
            for filler in ("a", "0", word):
                trial.match((word + filler * LIMITS.mask_reach_chars)[: LIMITS.mask_reach_chars], timeout=_TRIAL_S)
    except TimeoutError:
        raise WrongUse(f"{name}: its pattern takes too long on a row of equal characters") from None


def _check_samples(rule: Rule, name: str) -> None:
    """The same check that every row of ours passes: samples are caught, near-misses are spared."""
    if not rule.catch:
        raise WrongUse(f"{name}: catch must hold at least one sample")
    ready = Nominator((rule,))
    for recipe in rule.catch:
        for seed in range(_SEEDS):
            if not find_spans(write_sample(recipe, Random(seed)).text, ready, Work()):
                raise WrongUse(f"{name}: its pattern does not catch a sample of its own")
    for recipe in rule.spare:
        if find_spans(write_sample(recipe, Random(0)).text, ready, Work()):
            raise WrongUse(f"{name}: its pattern catches what it should spare")


def _write(recipe: str, seed: int) -> str:
    return write_sample(recipe, Random(seed)).text


def _text(row: dict[str, object], key: str, name: str) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise WrongUse(f"{name}: {key} must be a text")
    return value


def _texts(row: dict[str, object], key: str, name: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise WrongUse(f"{name}: {key} must be a list of texts")
    return tuple(item for item in value if isinstance(item, str))
