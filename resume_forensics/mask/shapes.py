r"""From a shape in recipe notation (`ghp_<w:36>`) to a rule: the vendor's literal nominates, the body is taken generously.

A row of `tokens.py` comes in, rules come out. A body may be short, because harnesses cut tokens, and of a wider alphabet than the
vendor's, because formats grow; in return it must look generated, so that `npm_config_registry` stays.
"""

# ruff: noqa: E501, PLR2004 (as in values.py)

import re
from functools import cache, partial
from typing import Final

from resume_forensics.mask.recipe import PART
from resume_forensics.mask.rule import Candidate, Rule, Test
from resume_forensics.mask.values import count_digits, has_spread, is_opaque, mean_run

SHORTEST_CHARS: Final = 8
LONG_WORD_CHARS: Final = 16
LONGEST_RUN: Final = 200
_WORDS_CHARS: Final = 40
_NUMBERS_BEFORE: Final = "|".join(rf"(?<=(?<![A-Za-z0-9-])[0-9]{{{size}}})" for size in range(1, 7))
_COLOURS_BEFORE: Final = "|".join(rf"(?<=\[[0-9;]{{{size}}}m)" for size in range(10))
LETTER_BEFORE: Final = rf"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{{2}})|(?<=\\u[0-9A-Fa-f]{{4}})|(?<=\\x[0-9A-Fa-f]{{2}})|(?<=[0-9])(?:{_NUMBERS_BEFORE})|(?<=m)(?:{_COLOURS_BEFORE}))"
"""No letter or digit stands before, but for a line number or the end of an escape: a newline, a colour, a percent code."""

NOT_IN_BASE64: Final = r"(?<![A-Za-z0-9+/\r\n\\]{60})"
"""Not in the middle of a long base64 stretch, where any few letters turn up by chance."""

_WIDE: Final = r"[A-Za-z0-9_\-]"
_WIDE_SLASH: Final = r"(?:[A-Za-z0-9_\-+/]|\\{1,8}/)"
_NARROW: Final = r"[A-Za-z0-9]"
_NARROW_SLASH: Final = r"(?:[A-Za-z0-9+/]|\\{1,8}/)"
_IN_WIDE: Final = re.compile(r"[A-Za-z0-9_\-]*")
_WORDS: Final = re.compile(r"(?:[_.-]?(?:[a-z]+[0-9]{0,3}|[A-Z]{1,2}[a-z]{2,}[0-9]{0,3}|[A-Z]{3,}|v?[0-9]{1,8})(?![A-Za-z0-9]))+[_.-]?")
_SIGNS: Final = re.compile(r"[^A-Za-z0-9]")
_SINGLE_CASE: Final = re.compile(r"[a-z0-9]+|[A-Z0-9]+")


def token(kind: str, *shapes: str, seen: str, spare: tuple[str, ...] = (), weak: bool = False) -> tuple[Rule, ...]:
    """Rules for tokens that begin with a literal of their vendor.

    `weak`: the literal also occurs in ordinary words, so nothing but an escape may stand before it, and the body must be whole
    (or be the last thing in the text).
    """
    return tuple(_one_shape(kind, shape, seen, spare, weak=weak) for shape in shapes)


def _one_shape(kind: str, shape: str, seen: str, spare: tuple[str, ...], *, weak: bool) -> Rule:
    literal = shape[: shape.index("<")]
    return Rule(
        kind=kind,
        keywords=(literal.lower(),),
        pattern=partial(_write_pattern, shape, literal, weak=weak),
        tail="" if weak else f"{_alphabet(shape, weak=weak)}+={{0,2}}",
        accepts=_body_test(shape, literal, weak=weak),
        catch=(shape,),
        spare=spare or (f"{literal}your_token_here", f"{literal}{'x' * _WORDS_CHARS}", f"{literal}..."),
        seen=seen,
    )


def _write_pattern(shape: str, literal: str, *, weak: bool) -> str:
    guard = LETTER_BEFORE if weak else ""
    if literal.isalnum():
        guard += NOT_IN_BASE64
    char, full = _alphabet(shape, weak=weak), _count_chars(shape)
    body = _run_pattern(char, _find_partings(shape, weak=weak), min(SHORTEST_CHARS, full))
    ends = r"(?![A-Za-z0-9])" if weak else ""
    return f"{guard}{re.escape(literal)}{_no_words(shape, char, full, weak=weak)}{body}={{0,2}}{ends}"


def _alphabet(shape: str, *, weak: bool) -> str:
    """The characters of a body: wider than the vendor's, but for a weak literal."""
    if weak and not ("<u:" in shape or "<uuid>" in shape):
        return _NARROW_SLASH if "<s:" in shape else _NARROW
    return _WIDE_SLASH if "<s:" in shape else _WIDE


def _find_partings(shape: str, *, weak: bool) -> tuple[str, ...]:
    """The literals that part the runs of the body; what a run can hold itself parts nothing."""
    between = PART.split(shape)[PART.groups + 1 : -1 : PART.groups + 1]
    return tuple(text for text in between if text and (weak or not _IN_WIDE.fullmatch(text)))


def _run_pattern(char: str, partings: tuple[str, ...], shortest: int) -> str:
    later = ""
    for parting in reversed(partings):
        later = f"(?:{re.escape(parting)}(?>{char}{{1,{LONGEST_RUN}}}){later})?"
    return f"(?>{char}{{{shortest},{LONGEST_RUN}}}){later}"


def _no_words(shape: str, char: str, full: int, *, weak: bool) -> str:
    """A look that costs little: there is more than a few words in lower case, which no test of a body accepts."""
    longest = _WORDS_CHARS if weak else min(_WORDS_CHARS, max(full * 9 // 10, LONG_WORD_CHARS) - 1)
    signs, behind = ("", r"_\-") if char in (_NARROW, _NARROW_SLASH) else (r"_\-", "")
    stop = "|=[^=.\u2026\\[]" if "." in shape else "|=[^=.\u2026\\[]|\\.[^.]"
    return rf"(?![a-z{signs}]{{1,{longest}}}+(?:[\s\"'`,;(){{}}\]<>{behind}]{stop}))"


@cache
def _count_chars(shape: str) -> int:
    """Generated characters in a shape."""
    return sum(int(part["count"] or 36) for part in PART.finditer(shape))


def _body_test(shape: str, literal: str, *, weak: bool) -> Test:
    def accepts(found: Candidate) -> bool:
        full = _count_chars(shape)
        body = found.value[len(literal) :].rstrip("=")
        if is_opaque(body):
            return not weak or len(body) >= full or found.is_last
        if not has_spread(body):
            return len(body) >= full and _is_mixed_pattern(body)
        if weak and len(body) < full and not found.is_last:
            return False
        if literal.endswith("/") and len(body) >= full and count_digits(body):
            return True
        return _is_whole(body, full, weak=weak) or (found.is_last and _may_be_half(body, weak=weak))

    return accepts


def _is_mixed_pattern(body: str) -> bool:
    """Whether letters and numerals take turns in it, few as they may be: a row of one character, whatever leads it in, is no token."""
    commonest = max(map(body.count, set(body)))
    return any(map(str.isdigit, body)) and any(map(str.isalpha, body)) and commonest * 3 <= len(body) * 2


def _is_whole(body: str, full: int, *, weak: bool) -> bool:
    """Whether it has the length of a whole token and is no row of words: after a vendor's literal that is enough."""
    numerals = count_digits(body)
    if len(body) < full * 9 // 10 or (numerals < 2 if weak else not numerals and len(body) < LONG_WORD_CHARS):
        return False
    longest = max(_SIGNS.split(body), key=len)
    return numerals * 10 >= len(body) * 3 or _SINGLE_CASE.fullmatch(body) is not None or mean_run(longest) <= 5


def _may_be_half(body: str, *, weak: bool) -> bool:
    """Whether the first characters of a token that was cut look like the start of one: after a strong literal, unless they are words."""
    if not weak:
        return _WORDS.fullmatch(body) is None
    longest = max(_SIGNS.split(body), key=len)
    run = mean_run(body)
    if len(longest) < SHORTEST_CHARS:
        return run <= 2.2
    return any(map(str.isalpha, longest)) and (run <= 3 or (run <= 4.5 and count_digits(longest) > 0))
