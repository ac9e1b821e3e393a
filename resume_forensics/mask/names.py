"""Does a name mean a secret, and is what stands beside it one: the tests that all rules of assignments share.

A candidate goes in, yes or no comes out. The patterns that find candidates stand in `assigned.py`.
"""

# ruff: noqa: PLR2004 (as in values.py)

import re
from string import ascii_letters, digits
from typing import Final

from resume_forensics.mask.rule import Candidate, Test
from resume_forensics.mask.values import is_opaque, is_password, is_token

_SPARE_ENDINGS: Final = (
    "count", "limit", "type", "url", "urls", "uri", "uris", "endpoint", "path", "file", "dir", "name", "names", "id", "ids", "length",
    "len", "size", "ttl", "budget", "usage", "used", "window", "prompt", "field", "label", "hint", "policy", "env", "index", "status",
    "version", "format", "alg", "algorithm", "provider", "regex", "pattern", "prefix", "suffix", "error", "required", "enabled", "valid",
    "ref", "arn", "store", "manager", "source", "placeholder", "title", "description", "message", "reset", "change", "strategy", "rule",
    "rules", "mode", "scope", "scopes", "issuer", "audience", "per", "rate", "price", "cost", "total", "max", "min", "class", "handler",
    "service", "helper", "input", "output", "column", "table",
)  # fmt: skip
_SPARE_LAST: Final = re.compile(r"(?:expir|hash_?algo)\w*$")
_SPARE_STARTS: Final = re.compile(
    r"(?i)(?:^|[_\-.])(?:next|page|prev|previous|continuation|sync|cursor|pagination|max|min|num|total|input|output|prompt|completion|cache|cached|read|stop"
    r"|eos|bos|pad|unk|mask|special|public|primary|foreign|sort|partition|idempotency|dedupe|etag|commit|git|object|storage|query|row|group"
    r"|index|map|lookup|translation|i18n|hot|short|arrow|host|known|reserved|design|syntax|lexer|parse|start|end|first|last|reasoning|budget)"
    r"(?:(?:[_\-. ]|(?-i:(?=[A-Z][a-z])))[a-z]{1,12})?[_\-. ]?$"
)
_NAME_CHARS: Final = ascii_letters + digits + "_.-"


def name_parts(found: Candidate) -> tuple[str, str]:
    """What the name has before its keyword, and the name from the keyword on."""
    before = found.text[max(0, found.at - 40) : found.at]
    name = found.match["n"] if "n" in found.match.re.groupindex else ""
    return before[len(before.rstrip(_NAME_CHARS)) :], name or ""


def names_secret(found: Candidate) -> bool:
    """Whether the name means the secret itself: not its length, its place or its cursor, no type, no resource."""
    before, name = name_parts(found)
    start = found.at - len(before)
    scope = found.text[max(0, start - 120) : start].rsplit(maxsplit=1)[-1:]
    if scope and (scope[0].endswith("::") or "arn:" in scope[0]):
        return False
    lower = name.lower()
    return not (lower.endswith(_SPARE_ENDINGS) or _SPARE_LAST.search(lower) or _SPARE_STARTS.search(before))


def _is_argument(found: Candidate) -> bool:
    """Whether name and value, parted by a comma or a parenthesis, are the arguments of a call rather than items of a list."""
    before, name = name_parts(found)
    match found.match["sep"]:
        case ",":
            start = found.at - len(before)
            opened = found.text[max(0, start - 12) : start].rstrip("\"'`\\ ").endswith("(")
            return opened and is_opaque(found.value)
        case "(":
            return "." not in name
    return True


def _is_closed(found: Candidate) -> bool:
    """Whether a quoted value ends with its quotation mark (or with the text), so that it is no first word of a sentence."""
    return found.is_last or found.text[found.end] in "\"'`\\&"


_STANDS_ALONE: Final = re.compile(r"[A-Za-z0-9_+=~.-]{12,}")
"""What may be a secret with nothing but a blank between it and its name: no path, no short word."""


def in_place(test: Test) -> Test:
    """A test of the value, and of the place that the pattern found for it."""

    def accepts(found: Candidate) -> bool:
        if not (test(found) and names_secret(found)):
            return False
        if found.match["blank"] and not (_STANDS_ALONE.fullmatch(found.value) and is_token(found.value)):
            return False
        if found.match["q"] is None:
            return found.text[found.end : found.end + 1] not in ("(", "[", "{")
        return _is_argument(found) and (_is_closed(found) or (len(found.value) >= 16 and is_token(found.value)))

    return accepts


def value_is_password(found: Candidate) -> bool:
    """Whether it may be a password."""
    return is_password(plain_value(found.value))


def value_is_token(found: Candidate) -> bool:
    """Whether it may be a token."""
    return is_token(plain_value(found.value))


def value_is_long_token(found: Candidate) -> bool:
    """Whether it may be a token and is long, where the name says little."""
    return len(found.value) >= 20 and value_is_token(found)


def plain_value(value: str) -> str:
    """The value without escapes of the slash and without the end of a sentence."""
    return re.sub(r"\\+/", "/", value).rstrip(".,:!?*")


def value_is_any_key(found: Candidate) -> bool:
    """A long opaque value under a name that ends in key: digests and ids have such names too, so one case of hex is not enough."""
    value = plain_value(found.value)
    before, _ = name_parts(found)
    if (len(before.strip("_-.")) < 2 and not found.text.startswith("KEY=", found.at)) or not is_token(value) or len(value) < 20:
        return False
    return before.isupper() or not before or not re.fullmatch(r"[0-9a-f-]+", value)
