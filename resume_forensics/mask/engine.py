"""The engine: raw text in, masked text out. The only place that forges `Masked`.

A keyword automaton over UTF-8 bytes nominates places; only there are a rule's anchored, bounded patterns tried. A rule skips the
nominations inside its own last span, so the work grows with the text and with nothing else.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from ahocorasick_rs import BytesAhoCorasick

from resume_forensics.limits import LIMITS
from resume_forensics.mask.rule import Candidate, Rule
from resume_forensics.mask.rules import RULES
from resume_forensics.mask.view import View, unescape
from resume_forensics.text import Masked, Raw, forge, reveal

PLACEHOLDER: Final = re.compile(r"\[REDACTED:(?P<kind>[a-z0-9][a-z0-9-]{0,63})#(?P<number>[0-9]{1,9})\]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters to hide, and the rank of the rule that says so (the lower, the more it knows)."""

    start: int
    end: int
    rank: int


@dataclass(slots=True)
class Work:
    """How much was done: places nominated, patterns tried, characters those patterns could reach."""

    nominations: int = 0
    attempts: int = 0
    visited: int = 0


class Nominator:
    """Rules made ready: one automaton over the keywords of all."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        keywords = sorted({word for rule in rules for word in rule.keywords})
        self._ranks = [tuple(rank for rank, rule in enumerate(rules) if word in rule.keywords) for word in keywords]
        self._automaton = BytesAhoCorasick([word.encode() for word in keywords])

    def nominate(self, text: str) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every place (in characters) where a keyword begins, in order of its end, with the ranks of the rules it belongs to."""
        data = text.encode()
        hits = self._automaton.find_matches_as_indexes(data.lower(), overlapping=True)
        if len(data) == len(text):
            return ((start, self._ranks[word]) for word, start, _ in hits)
        return self._in_chars(data, hits)

    def _in_chars(self, data: bytes, hits: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, tuple[int, ...]]]:
        bytes_done = chars_done = 0
        for word, start, _ in sorted(hits, key=lambda hit: hit[1]):
            chars_done += len(data[bytes_done:start].decode())
            bytes_done = start
            yield chars_done, self._ranks[word]


@cache
def _nominator(rules: tuple[Rule, ...]) -> Nominator:
    return Nominator((*rules, *RULES))


def find_spans(text: str, ready: Nominator, work: Work) -> list[Span]:
    """Every stretch of one text that some rule hides, in no order, overlaps included."""
    spans: list[Span] = []
    skip_to = [0] * len(ready.rules)
    for at, ranks in ready.nominate(text):
        work.nominations += 1
        for rank in ranks:
            if at < skip_to[rank]:
                continue
            span = _try_rule(ready.rules[rank], text, at, work)
            if span is not None:
                spans.append(Span(*span, rank))
                skip_to[rank] = span[1]
    return spans


def _try_rule(rule: Rule, text: str, at: int, work: Work) -> tuple[int, int] | None:
    """The characters that a rule hides at one place, or None."""
    reach = min(at + LIMITS.mask_reach_chars, len(text))
    match = rule.forward.match(text, at, reach)
    work.attempts += 1
    work.visited += (match.end() if match else reach) - at
    if match is None:
        return None
    start, end = match.span("s") if rule.names_secret else match.span()
    if rule.backward is not None:
        before = rule.backward.match(text, max(0, at - LIMITS.mask_lookback_chars), at)
        if before is None:
            return None
        start = start if rule.names_secret else before.start()
    if not rule.accepts(Candidate(text=text, at=at, start=start, end=end, match=match)):
        return None
    if rule.onward is not None and (rest := rule.onward.match(text, end)) is not None:
        work.visited += rest.end() - end
        end = rest.end()
    return start, end


def merge_spans(spans: list[Span], text: str) -> list[Span]:
    """The same characters as disjoint spans in order, none of which touches a placeholder that already stands in the text.

    Where spans overlap, the longest gives its rank (and so the kind), among equally long ones the one that knows most.
    """
    merged: list[Span] = []
    best = 0
    for span in sorted(spans, key=lambda one: (one.start, -one.end, one.rank)):
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


@dataclass(frozen=True, slots=True)
class Cover:
    """One masked text and the kinds that were masked in it, sorted."""

    text: Masked
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Masker:
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
        pieces: list[str] = []
        kinds: set[str] = set()
        done = 0
        for span, kind in self.find(text):
            if span.start >= shown:
                break
            value = text[span.start : span.end]
            pieces += (text[done : span.start], f"[REDACTED:{kind}#{self._number(value)}]")
            self.counts[kind] += 1
            kinds.add(kind)
            done = span.end
        pieces.append(text[done : max(done, shown)])
        return Cover(forge("".join(pieces)), tuple(sorted(kinds)))

    def find(self, text: str) -> list[tuple[Span, str]]:
        """Every disjoint span of a text that is to be hidden, in order, with its kind."""
        ready = _nominator(self.rules)
        spans = find_spans(text, ready, self.work)
        view = unescape(text)
        if view is not None:
            spans += _spans_of_view(view, ready, self.work)
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


def _spans_of_view(view: View, ready: Nominator, work: Work) -> list[Span]:
    """The spans found in a text without its escapes, as places of the text itself."""
    return [Span(view.place(span.start), view.place_end(span.end), span.rank) for span in find_spans(view.text, ready, work)]


def mask_text(text: str) -> Masked:
    """Mask one text that belongs to no report: for importers, and for sentences about what could not be read."""
    return Masker().mask(Raw(text))
