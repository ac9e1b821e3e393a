"""What a rule of the mask is: a frozen row that carries the shape of one kind of secret together with its proof.

Nothing of a transcript comes in here. A row is compiled on first use and never changes.
"""

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    import regex


Found: TypeAlias = "re.Match[str] | regex.Match[str]"
"""What a pattern found, by either library."""


class Candidate(NamedTuple):
    """A place where a rule's pattern fits, handed to the rule's test before anything is masked.

    `start` and `end` bound the suspected secret in `text`; `at` is where the keyword begins; `match` is what the pattern found.
    """

    text: str
    at: int
    start: int
    end: int
    match: Found

    @property
    def value(self) -> str:
        """The suspected secret."""
        return self.text[self.start : self.end]

    @property
    def is_last(self) -> bool:
        """Whether it runs to the end of the text or to an ellipsis, so that it may be the first half of something longer."""
        return self.end == len(self.text) or self.text.startswith(("...", "\u2026", "[..."), self.end)


Test: TypeAlias = Callable[[Candidate], bool]


def always(_: Candidate) -> bool:
    """Accept whatever the pattern fits."""
    return True


def _compile_regex(pattern: str) -> "regex.Pattern[str]":
    """Compile with the library `regex`, which is loaded by the first place that needs it and not before: most texts have none."""
    import regex  # noqa: PLC0415 (see above)

    return regex.compile(pattern, regex.VERSION0)


class Rule(Struct, frozen=True, kw_only=True, dict=True):
    """One kind of secret, in one of its shapes.

    `keywords` (lower case) nominate places; `pattern` (or what writes it, once it is needed) is matched there and nowhere else,
    `before` backwards from there. The group `s` is the secret, or all that was matched. `accepts` has the last word. `tail` then
    runs on from the end, without bound.
    `catch` holds recipes (see `recipe.py`) of text in which everything a recipe generates must be masked, `spare` text in which
    nothing may be. `seen` says where the shape is known from. `by_regex`: the patterns need the library `regex`, which says more
    and can be stopped, but takes six times as long at each place as the standard library.
    """

    kind: str
    keywords: tuple[str, ...]
    pattern: str | Callable[[], str]
    before: str = ""
    tail: str = ""
    accepts: Test = always
    catch: tuple[str, ...]
    spare: tuple[str, ...]
    seen: str
    by_regex: bool = False

    @cached_property
    def forward(self) -> "re.Pattern[str] | regex.Pattern[str]":
        """The compiled pattern."""
        return self._compile(self.pattern if isinstance(self.pattern, str) else self.pattern())

    @cached_property
    def backward(self) -> "regex.Pattern[str] | None":
        """The compiled pattern for what stands before the keyword, read backwards."""
        return _compile_regex(f"(?r){self.before}") if self.before else None

    @cached_property
    def onward(self) -> "re.Pattern[str] | regex.Pattern[str] | None":
        """The compiled pattern for the rest of an accepted secret."""
        return self._compile(self.tail) if self.tail else None

    @cached_property
    def names_secret(self) -> bool:
        """Whether the pattern marks the secret inside of what it matches."""
        return "s" in self.forward.groupindex

    def _compile(self, pattern: str) -> "re.Pattern[str] | regex.Pattern[str]":
        return _compile_regex(pattern) if self.by_regex else re.compile(pattern)
