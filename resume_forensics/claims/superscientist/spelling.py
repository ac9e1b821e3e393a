"""Planned changes come in, the bytes that carry them out go out: every other byte of the file stays as it is.

The text is edited in place, so that foreign keys, their order, the spelling of numbers and escapes, the indent and the last line's end
survive.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from resume_forensics.claims.superscientist.document import LOG, STATE
from resume_forensics.model.claim import Circumstances, PlannedWrite
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.write import Append, Replace, Write
from resume_forensics.text import Masked
from resume_forensics.vocabulary import WriteKind

Wanted: TypeAlias = "Mapping[str, str | Wanted]"
"""New values as JSON text, by key or by position, nested as the document is."""

_DECODER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n"


def spell(answers: Answers, circumstances: Circumstances, planned: tuple[PlannedWrite[Masked], ...]) -> tuple[Write, ...]:
    """Answer the append to progress.log and the replacement of workflow-state.json, in the order they were planned in."""
    del circumstances
    return tuple(_spell_lines(write) if write.kind is WriteKind.APPEND else _spell_changes(write, answers) for write in planned)


def _spell_lines(write: PlannedWrite[Masked]) -> Append:
    """One line each, whatever was quoted into it."""
    lines = ("".join(char if char.isprintable() else " " for char in line) for line in write.lines)
    return Append(path=LOG.path, content="".join(f"{line}\n" for line in lines).encode())


def _spell_changes(write: PlannedWrite[Masked], answers: Answers) -> Replace:
    wanted: dict[str, str | Wanted] = {}
    for change in write.changes:
        *above, last = change.pointer.split("/")[1:]
        place = wanted
        for key in above:
            place = place.setdefault(key, {})  # type: ignore[assignment]  # pointers to a value and below it are never planned together
        place[last] = json.dumps(change.after)
    fact = answers.text(STATE)
    text = edit(fact.text or "", wanted)
    return Replace(path=STATE.path, content=text.encode(errors="surrogateescape"), digest=fact.digest or "")


class _Member(Struct, frozen=True):
    """A value of an object or list: its key, where that begins (in a list: where the value does), and where the value stands."""

    key: str
    begin: int
    start: int
    end: int


def edit(text: str, wanted: Wanted) -> str:
    """Answer a JSON text with new values in it. A key that an object does not have is added at its end; the text must be valid JSON."""
    pieces, done = [], 0
    for start, end, new in sorted(_edits(text, _skip(text, 0), wanted)):
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]])


def _edits(text: str, at: int, wanted: Wanted) -> Iterator[tuple[int, int, str]]:
    """What to put in place of which stretch. Of equal keys in one object the last counts, as for every reader."""
    members = {member.key: member for member in _members(text, at)}
    for key, new in wanted.items():
        member = members.get(key)
        if member is None:
            yield _insertion(text, at, tuple(members.values()), key, new)
        elif isinstance(new, str):
            yield member.start, member.end, new
        elif text[member.start] in "{[":
            yield from _edits(text, member.start, new)
        else:
            yield member.start, member.end, _write(new)


def _members(text: str, at: int) -> Iterator[_Member]:
    """Walk the values of the object or list that begins here."""
    is_object = text[at] == "{"
    number = 0
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        begin, key = at, str(number)
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        yield _Member(key, begin, at, end)
        number += 1
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _insertion(text: str, at: int, members: tuple[_Member, ...], key: str, new: "str | Wanted") -> tuple[int, int, str]:
    """A further member behind the last one, with the space that stands before the first."""
    member = f"{json.dumps(key)}: {_write(new)}"
    if not members:
        return at + 1, at + 1, member
    last = max(member.end for member in members)
    return last, last, f",{text[at + 1 : _skip(text, at + 1)] or ' '}{member}"


def _write(new: "str | Wanted") -> str:
    if isinstance(new, str):
        return new
    return "{" + ", ".join(f"{json.dumps(key)}: {_write(value)}" for key, value in new.items()) + "}"


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
