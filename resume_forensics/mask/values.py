"""Is a value a secret or a word? Pure tests on the characters of one suspected value.

A value goes in, yes or no comes out. Nothing here knows where the value stands or what names it.
"""

# ruff: noqa: E501, PLR0911, PLR2004 (lengths and run lengths measured on names and on tokens; each stands where its sentence is)

import re
from functools import lru_cache
from typing import Final

_SEEN: Final = 64
"""Values of which the answers are kept: several rules ask about one value, one after the other."""

_SMALL, _CAPITAL, _DIGIT = 1, 2, 8
_CLASSES: Final = bytes(48) + bytes([_DIGIT] * 10) + bytes(7) + bytes([_CAPITAL] * 26) + bytes(6) + bytes([_SMALL] * 26) + bytes(133)
"""What a character is, in one bit that no neighbour's bit is shifted onto by a single place: see `mean_run`."""

_BREAKS: Final = re.compile(r"[^A-Za-z0-9]+")
_HEX: Final = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_ONE_CASE: Final = re.compile(r"[a-z0-9]+|[A-Z0-9]+")
_NUMBERS: Final = re.compile(r"[0-9]+")

_IDENTIFIERS: Final = re.compile(
    r"""(?x)
      [0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}.*          # uuid
    | (?:toolu|srvtoolu|msg|req|call|chatcmpl|resp|run|wf|session|sess|evt|event|task|agent|thread|container|file|item|rs|fc|ws|cse|env
        |trace|span|job|batch|asst|turn|gen|prompt|conv|user|org|usr|proj|acct|cus|pi|ch|sub|price|prod|in|team|dpl|prj|dep|srv|ctc_)
      _[A-Za-z0-9_-]+                                                                       # typed ids
    | (?:sha1|sha224|sha256|sha384|sha512|md5|blake2b|blake3|h1)[-:=][A-Za-z0-9+/=_-]+         # digests
    | [0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T_ ].*)?                                                 # dates
    | v?[0-9]+(?:\.[0-9]+){1,4}(?:[-+.][A-Za-z0-9.-]+)?                                       # versions, addresses
    | [0-9]+(?:[.,_][0-9]+)*(?:[a-zA-Z%]{1,3})?                                               # numbers with a unit
    | 0[xX][0-9a-fA-F]{1,16}
    | .*aws4_request                                                                         # scope of a signature
    """
)
_CODE: Final = re.compile(
    r"""(?x)
      [A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+(?:[(\[].*)?      # dotted names, calls on them
    | [A-Za-z_$][\w$.]*(?:\(|\[).*                                          # calls, subscripts
    | (?:\$|%|\#|@|&|\*|!)?\{.*                                              # templates
    | \$[\w({].*                                                             # variables
    | (?:\{\{|<%|<|\[|\().*                                                  # templates, markup, lists
    | .*(?:\$\{|\{\{|\}\}|\$\(|%\(|=>|\(\)|\[\]).*                             # the same inside
    | %[A-Za-z_]+%? | %\(.*                                                   # variables of Windows, formats of C
    | \\.*
    """
)
_DOTTED: Final = re.compile(r"[\w.$-]+")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{32,}={0,2}")
_TEMPLATES: Final = re.compile(r"(?:\$|%|#|@|&|\*|!)?\{.*|\$[\w({].*|(?:/|~/|\.{1,2}/|[a-z][a-z0-9+.-]*://).*|.*[(\[].*")
_PATHS: Final = re.compile(
    r"""(?x)
      (?:~|\.{1,2})?/[\w.@~+-]*(?:/.*|\.[A-Za-z]{1,5}|[a-z]+)?
    | [A-Za-z]:[\\/].*
    | [a-z][a-z0-9+.-]*://.*
    | (?:[\w.@-]+/)+[\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,5}
    | (?:[a-z][a-z0-9._-]*/){1,8}[a-z][a-z0-9._-]*
    | [\w-]+(?:\.[\w-]+)*\.(?:py|js|ts|tsx|jsx|json|ya?ml|toml|md|txt|sh|go|rs|java|rb|php|pem|key|crt|env|com|org|net|io|dev|local|internal)(?:[:/].*)?
    """
)
PLACEHOLDERS: Final = re.compile(
    r"(?i)your|example|placeholder|change[-_ ]?me|redacted|dummy|x{4,}|\*{3,}|\.{3,}|<|>|insert|replace|todo|sample|hidden|masked|_here\b|"
    r"\bfoo|\bbar\b|\bmy[-_ ]|\bsome[-_ ]?|\bthe[-_]|\btest\b|\bnull\b|\bnone\b|undefined|\btrue\b|\bfalse\b|lorem|123456789|abcdef"
)
_WORDS: Final = frozenset(
    (
        "password", "passwd", "pass", "pwd", "secret", "token", "user", "username", "admin", "root", "postgres", "mysql", "mariadb", "redis",
        "rabbitmq", "guest", "test", "tester", "testing", "default", "none", "null", "nil", "true", "false", "string", "number", "boolean",
        "required", "optional", "empty", "undefined", "hidden", "text", "bearer", "basic", "digest", "foo", "bar", "baz", "qux", "example",
        "dev", "prod", "production", "staging", "local", "localhost", "invalid", "valid", "wrong", "incorrect", "correct", "secure",
    ),
)  # fmt: skip


def has_spread(value: str) -> bool:
    """Whether it uses enough different characters not to be a row of x or a repeated pattern."""
    chars = len(value)
    enough = 9 if chars >= 48 else 6 if chars >= 12 else max(4, chars // 2)
    return len(set(value[:32])) >= enough or (chars > 32 and len(set(value)) >= enough)


def _classify(value: str) -> bytes:
    """A byte for each character: a small letter, a capital or a digit of ASCII, or zero for everything else."""
    return value.encode("latin-1", "replace").translate(_CLASSES)


def count_digits(value: str) -> int:
    """How many digits of ASCII it has."""
    return _classify(value).count(_DIGIT)


@lru_cache(maxsize=_SEEN)
def mean_run(value: str) -> float:
    """How long its runs of one kind (word, capitals, number) are on average: about 1.7 in random text, 4 and more in names.

    All characters are compared with their neighbours at once, as the bytes of one number: a run begins where a bit is set that was
    not set in the byte before. A capital that stands alone before small letters begins their run.
    """
    return _mean_run(_classify(value))


def _mean_run(classes: bytes) -> float:
    row = int.from_bytes(classes)
    titles = row & row >> 9 & ~(row >> 17)
    runs = (row & ~(row >> 8)).bit_count() - titles.bit_count()
    return row.bit_count() / runs if runs else 0.0


@lru_cache(maxsize=_SEEN)
def is_opaque(value: str) -> bool:
    """Whether it looks generated: letters and digits mixed more finely than in any name that people give.

    One such stretch without a sign in it is enough; where all stretches are short, the value as a whole decides.
    """
    classes = _classify(value)
    both = _DIGIT in classes and (_SMALL in classes or _CAPITAL in classes)
    if not both and (value.islower() or value.isupper()):
        return False
    if not has_spread(value):
        return False
    if both and len(value) >= 20 and _mean_run(classes) <= 2.4:
        return True
    stretches = [stretch for stretch in _BREAKS.split(value) if len(stretch) >= 8]
    if stretches:
        return any(map(_is_mixed, stretches))
    long_enough = len(value) >= 24 and classes.count(_DIGIT) >= 4
    return both and _mean_run(classes) <= (3.0 if long_enough else 2.3)


def _is_mixed(stretch: str) -> bool:
    """Whether one stretch of letters and digits is no word or name. The bounds were measured on names and on tokens."""
    if len(stretch) >= 16 and _HEX.fullmatch(stretch):
        return _has_both(stretch)
    run = mean_run(stretch)
    if not _has_digit(stretch):
        return len(stretch) >= 12 and run <= 2.4
    if not _has_both(stretch):
        return False
    if len(stretch) < 16:
        return run <= 2.9
    if run <= (3.3 if len(stretch) < 28 else 3.6):
        return True
    numbers = _NUMBERS.findall(stretch)
    if len(numbers) < 2:
        return False
    return (run <= 4.6 and sum(map(len, numbers)) * 8 >= len(stretch)) or (len(stretch) >= 28 and _ONE_CASE.fullmatch(stretch) is not None)


def _has_both(value: str) -> bool:
    signs = _classify(value)
    return _DIGIT in signs and (_SMALL in signs or _CAPITAL in signs)


def _has_digit(value: str) -> bool:
    return _DIGIT in _classify(value)


def is_identifier(value: str) -> bool:
    """Whether it is spelled like an id, a digest, a date, a version or a number, none of which open anything."""
    return _IDENTIFIERS.fullmatch(value) is not None


@lru_cache(maxsize=_SEEN)
def is_code(value: str) -> bool:
    """Whether it is a variable, a call, a template or a path instead of a value."""
    if len(value) >= 10 and mean_run(value) <= 2.0 and _DOTTED.fullmatch(value):
        return False
    if _BASE64.fullmatch(value) and mean_run(value) <= 2.6:
        return False
    if any(len(stretch) >= 20 and _is_mixed(stretch) and mean_run(stretch) <= 3.3 for stretch in _BREAKS.split(value)):
        return _TEMPLATES.fullmatch(value) is not None
    return _CODE.fullmatch(value) is not None or _PATHS.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether it only stands where a secret would stand."""
    return value.lower() in _WORDS or not has_spread(value) or PLACEHOLDERS.search(value) is not None


def is_token(value: str) -> bool:
    """Whether a value that something calls a token, a key or a secret is one."""
    if len(value) < 8 or value.endswith("*") or "<" in value:
        return False
    return is_opaque(value) and not (is_identifier(value) or is_code(value))


def is_password(value: str) -> bool:
    """Whether a value that something calls a password is one: shorter and more like a word than a token may be."""
    if not 6 <= len(value) <= 128 or not has_spread(value) or is_identifier(value) or is_code(value):
        return False
    if is_opaque(value):
        return True
    signs = _classify(value)
    mixed = (_SMALL in signs or _CAPITAL in signs) and (_DIGIT in signs or re.search(r"[!#$%^&*?~+=]", value) is not None)
    return mixed and not is_placeholder(value)
