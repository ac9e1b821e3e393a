"""The engine: raw text in, masked text out. The only place that forges `Masked`.

A keyword automaton over bytes nominates places; only there are a rule's anchored, bounded patterns tried. A rule skips the
nominations inside its own last span, so the work grows with the text and with nothing else.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from ahocorasick_rs import BytesAhoCorasick, Implementation
from msgspec import Struct, field

from resume_forensics.limits import LIMITS
from resume_forensics.mask.rule import Candidate, Found, Rule
from resume_forensics.mask.rules import RULES
from resume_forensics.mask.view import IDLE_COLOUR, SIGNS, find_invisible, unescape, windows
from resume_forensics.text import Masked, Raw, forge, reveal

_RUN: Final = re.compile(r"[^\s\"'`]*+")
PLACEHOLDER: Final = re.compile(r"\[REDACTED:(?P<kind>[a-z0-9][a-z0-9-]{0,63})#(?P<number>[0-9]{1,9})\]")


class Span(NamedTuple):
    """Characters to hide, and the rank of the rule that says so (the lower, the more it knows)."""

    start: int
    end: int
    rank: int


class Work(Struct):
    """How much was done: places nominated, patterns tried, characters those patterns could reach."""

    nominations: int = 0
    attempts: int = 0
    visited: int = 0


Hit: TypeAlias = tuple[int, int, int]
"""A keyword (its number) with the characters at which it begins and ends."""

Look: TypeAlias = tuple[int, Callable[[str, int, int], "Found | None"]]
"""The rank of a rule, and its pattern made ready."""


class Nominator:
    """Rules made ready: one automaton over the keywords of all, and over the signs of an escape, which have the first numbers."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        ranks: dict[str, list[int]] = {sign: [] for sign in SIGNS}
        for rank, rule in enumerate(rules):
            for word in rule.keywords:
                ranks.setdefault(word, []).append(rank)
        self._ranks = list(ranks.values())
        self.looks: list[list[Look] | None] = [None] * len(ranks)
        self._words = list(map(_fold, ranks))
        self._automaton = BytesAhoCorasick(self._words, implementation=Implementation.ContiguousNFA)
        self._until_fast_chars: int | None = LIMITS.mask_fast_chars

    def compile_looks(self, word: int) -> list[Look]:
        """What is to be tried behind a keyword that is met for the first time."""
        looks = self.looks[word] = [(rank, self.rules[rank].forward.match) for rank in self._ranks[word]]
        return looks

    def nominate(self, text: str) -> list[Hit]:
        """Every place of interest, in the order in which they end. Upper and lower case of ASCII letters are one."""
        if self._until_fast_chars is not None:
            self._until_fast_chars -= len(text)
            if self._until_fast_chars < 0:
                self._automaton = BytesAhoCorasick(self._words, implementation=Implementation.DFA)
                self._until_fast_chars = None
        return self._automaton.find_matches_as_indexes(_fold(text), overlapping=True)


def _fold(text: str) -> bytes:
    """Its ASCII characters in lower case, one byte for each character, so that places in bytes are places in the text.

    Whatever is not ASCII becomes a question mark: a keyword with such characters nominates a little too much, and its pattern decides.
    """
    return text.encode("ascii", "replace").lower()


@cache
def _nominator(rules: tuple[Rule, ...]) -> Nominator:
    return Nominator((*rules, *RULES))


def find_spans(text: str, ready: Nominator, work: Work) -> list[Span]:
    """Every stretch of one text that some rule hides, in no order, overlaps included; also where escapes hide it."""
    hits = ready.nominate(text)
    signs = len(SIGNS)
    is_idle = IDLE_COLOUR.match
    sites = [start for word, start, _ in hits if word < signs and not is_idle(text, start)]
    if not text.isascii() and (unseen := find_invisible(text)):
        sites = sorted(sites + unseen)
    spans = _spans_at(hits, text, ready, work) if hits else []
    for start, end in windows(sites, text):
        view = unescape(text, start, end, sites)
        if view is not None:
            found = _spans_at(ready.nominate(view.text), view.text, ready, work)
            spans += (Span(view.place(span.start), view.place_end(span.end), span.rank) for span in found)
    return spans


def _spans_at(hits: list[Hit], text: str, ready: Nominator, work: Work) -> list[Span]:
    spans: list[Span] = []
    rules, ready_looks, reach_chars = ready.rules, ready.looks, LIMITS.mask_reach_chars
    skip_to = [0] * len(rules)
    attempts = 0
    for word, at, _ in hits:
        looks = ready_looks[word]
        for rank, match_at in ready.compile_looks(word) if looks is None else looks:
            if at < skip_to[rank]:
                continue
            attempts += 1
            match = match_at(text, at, at + reach_chars)
            if match is not None and (span := _judge(rules[rank], text, at, match)) is not None:
                spans.append(Span(*span, rank))
                skip_to[rank] = span[1]
    work.nominations += len(hits)
    work.attempts += attempts
    work.visited += attempts * reach_chars + sum(end - start for start, end, _ in spans)
    return spans


def _judge(rule: Rule, text: str, at: int, match: Found) -> tuple[int, int] | None:
    """The characters that a rule hides where its pattern fits, or None."""
    start, end = match.span("s") if rule.names_secret else match.span()
    if rule.backward is not None:
        before = rule.backward.match(text, max(0, at - LIMITS.mask_lookback_chars), at)
        if before is None:
            return None
        start = start if rule.names_secret else before.start()
    if not rule.accepts(Candidate(text, at, start, end, match)):
        return None
    if rule.onward is not None and (rest := rule.onward.match(text, end)) is not None:
        end = rest.end()
    return start, end


def merge_spans(spans: list[Span], text: str) -> list[Span]:
    """The same characters as disjoint spans in order, none of which touches a placeholder that already stands in the text.

    Where spans overlap, the longest gives its rank (and so the kind), among equally long ones the one that knows most.
    """
    merged: list[Span] = []
    best = 0
    for span in sorted(spans):
        size = span.end - span.start
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            rank = span.rank if (size, -span.rank) > (best, -last.rank) else last.rank
            best = max(best, size)
            merged[-1] = Span(last.start, max(last.end, span.end), rank)
        else:
            merged.append(span)
            best = size
    return _around_placeholders(merged, text)


def _around_placeholders(spans: list[Span], text: str) -> list[Span]:
    if "[REDACTED:" not in text:
        return spans
    kept: list[Span] = []
    for span in spans:
        start = span.start
        for found in PLACEHOLDER.finditer(text, max(0, span.start - LIMITS.mask_lookback_chars)):
            if found.start() >= span.end:
                break
            if found.end() > start:
                kept.append(Span(start, max(start, found.start()), span.rank))
                start = found.end()
        kept.append(Span(start, max(start, span.end), span.rank))
    return [span for span in kept if text[span.start : span.end].strip()]


class Cover(Struct, frozen=True):
    """One masked text and the kinds that were masked in it, sorted."""

    text: Masked
    kinds: tuple[str, ...]


class Masker(Struct):
    """The mask of one report: equal secrets get equal numbers everywhere in it.

    `rules` are a user's own, tried before those of the package; `allowed` are exact values that stay. `counts` says how often each
    kind was masked. Making one is cheap: the rules are made ready once in a process.
    """

    rules: tuple[Rule, ...] = ()
    allowed: frozenset[str] = frozenset()
    counts: Counter[str] = field(default_factory=Counter)
    work: Work = field(default_factory=Work)
    _numbers: dict[str, int] = field(default_factory=dict)
    _taken: set[int] = field(default_factory=set)
    _open: Rule | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind masked so far, sorted."""
        return tuple(sorted(self.counts))

    def mask(self, raw: Raw) -> Masked:
        """The text with every secret replaced by its placeholder. Nothing within `cut_margin_chars` of a cut is shown."""
        return self.cover(raw).text

    def cover(self, raw: Raw) -> Cover:
        """The same, with the kinds that were masked in this one text."""
        self.reserve(raw)
        text = reveal(raw)
        shown = max(0, len(text) - LIMITS.cut_margin_chars) if raw.cut else len(text)
        return self.cover_text(text, shown)

    def cover_text(self, text: str, shown: int) -> Cover:
        """Mask the whole of a text and answer its first `shown` characters; a placeholder is never parted."""
        before = self.counts.copy()
        masked, _ = self._write(text, self.find(text), 0, shown)
        return Cover(masked, tuple(sorted(self.counts - before)))

    def advance(self, text: str, start: int, until: int, *, final: bool) -> tuple[Masked, int]:
        """Mask what stands between two places of a longer text, and answer it with the place where it really ends.

        That is before a secret that reaches beyond `until`, so that it is masked whole later on; unless more than `mask_held_chars`
        would have to be held for it: then it is masked as far as it is known, and its rule goes on where it ended. Secrets that
        begin before `start` were answered already.
        """
        self.reserve(Raw(text))
        spans = [*self._go_on(text, start), *(pair for pair in self.find(text) if pair[0].start >= start)]
        for span, _ in spans:
            if not final and span.start < until < span.end and len(text) - span.start < LIMITS.mask_held_chars:
                until = span.start
        masked, end = self._write(text, spans, start, until)
        if end == start and not final:
            return masked, end
        reaching = [span for span, _ in spans if not final and span.start < until and span.end == len(text)]
        self._open = _nominator(self.rules).rules[reaching[-1].rank] if reaching else None
        return masked, end

    def _go_on(self, text: str, start: int) -> list[tuple[Span, str]]:
        """The rest of a secret of which the beginning was too long to hold."""
        if self._open is None:
            return []
        rest = (self._open.onward or _RUN).match(text, start)
        end = rest.end() if rest is not None else start
        rank = _nominator(self.rules).rules.index(self._open)
        return [(Span(start, end, rank), self._open.kind)] if end > start else []

    def _write(self, text: str, spans: list[tuple[Span, str]], start: int, until: int) -> tuple[Masked, int]:
        """The characters from `start` to `until` with placeholders for the spans that begin there, and where that ends."""
        pieces: list[str] = []
        done = start
        for span, kind in spans:
            if span.start >= until:
                break
            if span.start < done:
                continue
            pieces += (text[done : span.start], f"[REDACTED:{kind}#{self._number(text[span.start : span.end])}]")
            self.counts[kind] += 1
            done = span.end
        pieces.append(text[done : max(done, until)])
        return forge("".join(pieces)), max(done, until)

    def find(self, text: str) -> list[tuple[Span, str]]:
        """Every disjoint span of a text that is to be hidden, in order, with its kind."""
        ready = _nominator(self.rules)
        spans = find_spans(text, ready, self.work)
        if not spans:
            return []
        if self.allowed:
            spans = [span for span in spans if text[span.start : span.end] not in self.allowed]
        return [(span, ready.rules[span.rank].kind) for span in merge_spans(spans, text)]

    def reserve(self, raw: Raw) -> None:
        """Leave out the numbers of placeholders that a text already holds, so that none of ours is taken for one of them."""
        if "[REDACTED:" in (text := reveal(raw)):
            self._taken.update(int(found["number"]) for found in PLACEHOLDER.finditer(text))

    def _number(self, value: str) -> int:
        number = self._numbers.get(value)
        if number is None:
            number = len(self._numbers) + 1
            while number in self._taken:
                number += 1
            self._taken.add(number)
            self._numbers[value] = number
        return number


def mask_text(text: str) -> Masked:
    """Mask one text that belongs to no report: for importers, and for sentences about what could not be read."""
    return Masker().mask(Raw(text))
