"""Rows of a skeleton come in, lines of text go out; the last line is its facts, as JSON.

Only the first line of a row begins at the margin, so nothing that is quoted can pass for a row, or for the facts.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, assert_never

from resume_forensics.limits import LIMITS
from resume_forensics.model.skeleton import BadLineRow, NoticeRow, Row, SkeletonFacts, SpeechRow, StopRow, ToolRow
from resume_forensics.render.page import count, cut
from resume_forensics.render.visible import show_block, show_line
from resume_forensics.render.words import write_time
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Speaker

_INDENT: Final = "    "
_SPEAKERS: Final = {
    Speaker.HUMAN: "user",
    Speaker.ASSISTANT: "assistant",
    Speaker.HARNESS: "harness",
    Speaker.NOTICE: "notice",
    Speaker.TOOL: "user",
}
"""Who speaks. Text beside the result of a tool was typed by the user while the tool ran."""


def write_row(row: Row[Masked]) -> str:
    """Answer one row as text that ends in a newline."""
    match row:
        case SpeechRow():
            return _entry(row.at, _SPEAKERS[row.speaker], _shorten(row.text))
        case ToolRow():
            return _entry(row.at, "tools", _tell_calls(row))
        case NoticeRow():
            return _entry(row.at, "notice", _tell_notice(row))
        case StopRow():
            resets = f" (resets {show_line(row.resets_at)})" if row.resets_at else ""
            return _entry(row.at, "stop", f"{row.cause}{resets}: {_shorten(row.evidence)}")
        case BadLineRow():
            return _entry(None, "unreadable", f"line {row.line:,}: {row.reason}")
        case _:
            assert_never(row)


def write_gap(rows: int) -> str:
    """Answer what stands in the place of the rows that were left out."""
    return _entry(None, "left out", f"{count(rows, 'row')} of the middle; the end follows")


def write_facts(facts: SkeletonFacts) -> str:
    """Answer the last line of a skeleton."""
    return _dump({"_meta": True, **dict(_list_facts(facts))})


def write_outcome(facts: SkeletonFacts) -> str:
    """Answer the same for whoever asked, with what was written where."""
    return _dump({"_meta": True, "wrote": facts.output, "bytes": facts.size_bytes, **dict(_list_facts(facts))})


def _dump(facts: Mapping[str, object]) -> str:
    """One line of plain ASCII, DEL included."""
    return json.dumps(facts).replace("\x7f", "\\u007f") + "\n"


def _list_facts(facts: SkeletonFacts) -> Iterator[tuple[str, object]]:
    yield "session", facts.session
    for name in ("lines", "parse_errors", "user", "assistant", "tool", "notices", "stops", "left_out"):
        yield name, getattr(facts, name)
    yield "changed", facts.changed
    yield "redacted_kinds", list(facts.redacted_kinds)


def _entry(at: datetime | None, label: str, text: str) -> str:
    first, *further = show_block(text).split("\n")
    lines = (f"{write_time(at) if at else '-'} {label}: {first}", *(f"{_INDENT}{line}" for line in further))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _shorten(text: Masked) -> str:
    left = len(text) - LIMITS.skeleton_chars
    return f"{text.head(LIMITS.skeleton_chars)} [+{left:,} characters]" if left > 0 else text


def _tell_calls(row: ToolRow[Masked]) -> str:
    """Calls of one tool in one line: how many, about what, and how they went."""
    times = f"{row.calls:,}x " if row.calls > 1 else ""
    more = row.calls - len(row.targets)
    targets = [cut(show_line(target), LIMITS.skeleton_target_chars) for target in row.targets]
    if row.targets and more:
        targets.append(f"+{more:,} more")
    about = f" ({', '.join(targets)})" if targets else ""
    missing = row.calls - row.succeeded - row.failed - row.interrupted
    went = ((row.succeeded, "ok"), (row.failed, "error"), (row.interrupted, "interrupted"), (missing, "without a result"))
    outcomes = ", ".join(f"{number:,} {word}" if row.calls > 1 else word for number, word in went if number)
    return f"{times}{show_line(row.tool)}{about} -> {outcomes}"


def _tell_notice(row: NoticeRow[Masked]) -> str:
    status = row.status or "spoken of, not ended"
    lost = "; the harness itself lost track of it" if row.lost_track else ""
    summary = f": {_shorten(row.summary)}" if row.summary else ""
    return f"{show_line(row.worker) if row.worker else 'workers'} {show_line(status)}{lost}{summary}"
