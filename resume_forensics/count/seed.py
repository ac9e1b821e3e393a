"""Counts resume turns by the first scan's own definitions, so that published tables can be compared; `exact` is counted elsewhere.

In: the records of one file, in order, as plain JSON objects. Out: the sums. These definitions are kept as they were, with their faults.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.count.turns import OPENS
from resume_forensics.model.count import SeedCount
from resume_forensics.model.record import JsonObject, object_of, objects_of, text_of
from resume_forensics.text import Raw

BEFORE_RECORDS: Final = 120
_CAUSE_RECORDS: Final = 6
_AFTER_RECORDS: Final = 79
_RETYPE_RECORDS: Final = 39
_TURN_CHARS: Final = 120
_RETYPED_CHARS: Final = 60

_SPAWNS: Final = frozenset({"Agent", "Task", "Workflow"})
_QUERIES: Final = frozenset({"TaskOutput", "SendMessage", "TaskStop"})
_NO_TURN: Final = ("<system-reminder>", "<local-command-caveat>", "Caveat:")


def _words(*words: str) -> tuple[str, ...]:
    """Whole words, spelled so that each pattern begins with its letters: such a pattern is looked for many times as fast."""
    return tuple(rf"{word}(?<!\w{'.' * len(word)})\b" for word in words)


def _signs(*forms: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of text in lower case."""
    return tuple(re.compile(form) for form in forms)


_AUTH: Final = _signs(
    "login expired",
    "please run /login",
    "authentication_error",
    "invalid[_ ]api[_ ]key",
    "failed to authenticate",
    "oauth (?:session|token) expired",
    "oauth token has expired",
    *_words("401"),
)
_INTERRUPT: Final = _signs(r"\[request interrupted", "interrupted by user")
_API_ERROR: Final = _signs(
    "api error",
    "rate.?limit",
    *_words("429", "529", "500", "502", "503", "520", "521", "522", "523", "524"),
    "overloaded",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "enotfound",
    "econnreset",
    "etimedout",
    "connectionrefused",
    "connection error",
    "connection lost",
    "connection closed mid-response",
    "response stalled mid-stream",
    "socket hang up",
    "fetch failed",
    "unable to connect",
    "can't reach the api",
    "response stopped arriving",
    "stopped responding",
)
_DEATH: Final = _signs(
    *_words("died", "killed", "dead", "mid-flight", "mid-review", "mid-call", "never returned", "never reported"),
    r"hit (?<!\w.{4})(?:an|the) .{0,25}limit\b",
)


def _shows(signs: tuple[re.Pattern[str], ...], lowered: str) -> bool:
    return any(sign.search(lowered) for sign in signs)


def human_text(data: JsonObject) -> str | None:
    """What a human turn says, stripped; None where the record is none. A notice typed as user text is one here."""
    if data.get("type") != "user" or data.get("isSidechain"):
        return None
    text = " ".join(_block_texts(object_of(data, "message"))).strip()
    return text if text and not any(mark in text for mark in _NO_TURN) else None


def is_resume_turn(text: str) -> bool:
    """Whether a human turn is a resume turn by the first scan's rule: short, and of a known opening, whatever follows it."""
    return len(text) <= _TURN_CHARS and OPENS.match(text) is not None


class _Turn(Struct, kw_only=True):
    """A resume turn, and what the records after it have shown so far. `window`: more of them count."""

    form: str
    causes: str
    spawned: bool
    seen: int = 0
    window: bool = True
    respawned: bool = False
    queried: bool = False
    called: bool = False
    acknowledged: bool = False
    retyped: bool | None = None

    def follow(self, data: JsonObject, human: str | None) -> None:
        """Take the next record after the turn."""
        self.seen += 1
        self.window = self.window and human is None and self.seen <= _AFTER_RECORDS
        if self.retyped is None and human is not None and self.seen <= _RETYPE_RECORDS:
            self.retyped = len(human) <= _RETYPED_CHARS and OPENS.match(human) is not None
        if self.window and data.get("type") == "assistant":
            names = _call_names(data)
            self.called = self.called or bool(names)
            self.respawned = self.respawned or not _SPAWNS.isdisjoint(names)
            self.queried = self.queried or not _QUERIES.isdisjoint(names)
            self.acknowledged = self.acknowledged or _shows(_DEATH, _record_text(data).lower())

    @property
    def waits(self) -> bool:
        """Whether a further record could still change it."""
        return self.window or (self.retyped is None and self.seen < _RETYPE_RECORDS)

    def count(self) -> SeedCount:
        """The sums of this one turn."""
        return SeedCount(
            resume_turns=1,
            bare_resume=self.form == "resume",
            preceded_by_api_error=_shows(_API_ERROR, self.causes),
            preceded_by_auth=_shows(_AUTH, self.causes),
            preceded_by_interrupt=_shows(_INTERRUPT, self.causes),
            had_inflight_spawn=self.spawned,
            respawned_after=self.respawned,
            queried_running_tasks=self.queried,
            no_tool_calls_at_all=not self.called,
            acknowledged_death_not_restored=self.acknowledged and not self.respawned,
            acknowledged_death_and_restored=self.acknowledged and self.respawned,
            retyped_within_40_records=bool(self.retyped),
            forms=frozenset({Raw(self.form).fingerprint()}),
        )


class SeedTurns:
    """Takes the records of one file in order (`see`) and adds up its resume turns (`answer`)."""

    def __init__(self) -> None:
        self._before: deque[JsonObject] = deque(maxlen=_CAUSE_RECORDS)
        self._spawns: deque[bool] = deque(maxlen=BEFORE_RECORDS)
        self._waiting: list[_Turn] = []
        self._sum = SeedCount()

    def precede(self, records: Iterable[JsonObject]) -> None:
        """Take records before a turn that is counted; none of them is counted itself."""
        for data in records:
            self._before.append(data)
            self._spawns.append(not _SPAWNS.isdisjoint(_call_names(data)))

    def see(self, data: JsonObject, *, counts: bool = True) -> None:
        """Take one record. `counts` false: it stands in the window of another turn, and is no turn of its own."""
        human = human_text(data) if counts or self._waiting else None
        if self._waiting:
            for turn in self._waiting:
                turn.follow(data, human)
            self._settle(everything=False)
        if counts and human is not None and is_resume_turn(human):
            causes = " || ".join(map(_cause_text, self._before)).lower()
            self._waiting.append(_Turn(form=human.lower().rstrip(".!"), causes=causes, spawned=any(self._spawns)))
        if counts:
            self.precede((data,))

    @property
    def waits(self) -> bool:
        """Whether a further record could still change a turn that was seen."""
        return bool(self._waiting)

    def answer(self) -> SeedCount:
        """The sums; the file ends here."""
        self._settle(everything=True)
        return self._sum

    def _settle(self, *, everything: bool) -> None:
        for turn in [one for one in self._waiting if everything or not one.waits]:
            self._sum += turn.count()
            self._waiting.remove(turn)


def _call_names(data: JsonObject) -> list[str]:
    blocks = objects_of(object_of(data, "message"), "content")
    return [name for block in blocks if block.get("type") == "tool_use" and isinstance(name := block.get("name"), str)]


def _block_texts(holder: JsonObject) -> Iterator[str]:
    """The texts of the text blocks under `content`; a string is one."""
    plain = text_of(holder, "content")
    if plain is not None:
        yield plain
    for block in objects_of(holder, "content"):
        text = text_of(block, "text")
        if block.get("type") == "text" and text is not None:
            yield text


def _cause_text(data: JsonObject) -> str:
    """The text of a record before a turn, where a flag says as much as the words."""
    return f"API Error {_record_text(data)}" if data.get("isApiErrorMessage") else _record_text(data)


def _record_text(data: JsonObject) -> str:
    """The text of a record: text blocks and tool results, joined by one space."""
    message = object_of(data, "message")
    plain = text_of(message, "content")
    if plain is not None:
        return plain
    return " ".join(text for block in objects_of(message, "content") for text in _said(block))


def _said(block: JsonObject) -> Iterator[str]:
    text = text_of(block, "text")
    if block.get("type") == "text" and text is not None:
        yield text
    if block.get("type") == "tool_result":
        yield from _block_texts(block)
