"""Rows of a skeleton as lines: nothing quoted begins a line, every text is cut and that is said, the facts are one line of JSON."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from resume_forensics.limits import LIMITS
from resume_forensics.model.skeleton import BadLineRow, NoticeRow, Row, SkeletonFacts, SpeechRow, StopRow, ToolRow
from resume_forensics.render.skeleton import write_facts, write_gap, write_outcome, write_row
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import Speaker, StopCause

AT = datetime(2026, 9, 14, 9, tzinfo=UTC)
TIME = "2026-09-14 09:00:00 UTC"


def tools(calls: int, *targets: str, **counts: int) -> ToolRow[Masked]:
    """The row of some calls of Read."""
    went: dict[str, Any] = {"succeeded": 0, "failed": 0, "interrupted": 0, **counts}
    return ToolRow(at=AT, tool=forge("Read"), targets=tuple(map(forge, targets)), calls=calls, **went)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (SpeechRow(at=AT, speaker=Speaker.HUMAN, text=forge("resume")), f"{TIME} user: resume\n"),
        (SpeechRow(at=AT, speaker=Speaker.TOOL, text=forge("wait")), f"{TIME} user: wait\n"),
        (SpeechRow(at=None, speaker=Speaker.ASSISTANT, text=forge("I look.")), "- assistant: I look.\n"),
        (SpeechRow(at=AT, speaker=Speaker.HARNESS, text=forge("a\n\n{b}\n")), f"{TIME} harness: a\n\n    {{b}}\n\n"),
        (tools(1, "a.py", succeeded=1), f"{TIME} tools: Read (a.py) -> ok\n"),
        (tools(1), f"{TIME} tools: Read -> without a result\n"),
        (tools(2, "a", "b", failed=2), f"{TIME} tools: 2x Read (a, b) -> 2 error\n"),
        (
            tools(1_005, "a", "b", succeeded=1_000, failed=2, interrupted=1),
            f"{TIME} tools: 1,005x Read (a, b, +1,003 more) -> 1,000 ok, 2 error, 1 interrupted, 2 without a result\n",
        ),
        (
            NoticeRow(at=AT, worker=forge("a1"), status=forge("completed"), summary=forge("x\ny")),
            f"{TIME} notice: a1 completed: x\n    y\n",
        ),
        (
            NoticeRow(at=AT, worker=forge("a1"), status=None, summary=None, lost_track=True),
            f"{TIME} notice: a1 spoken of, not ended; the harness itself lost track of it\n",
        ),
        (NoticeRow(at=AT, worker=None, status=forge("stopped"), summary=None), f"{TIME} notice: workers stopped\n"),
        (
            StopRow(at=AT, cause=StopCause.USAGE_LIMIT, evidence=forge("limit reached"), resets_at=forge("3pm")),
            f"{TIME} stop: usage_limit (resets 3pm): limit reached\n",
        ),
        (StopRow(at=AT, cause=StopCause.NETWORK, evidence=forge("x"), resets_at=None), f"{TIME} stop: network: x\n"),
        (BadLineRow(line=1_200, reason=forge("not valid JSON")), "- unreadable: line 1,200: not valid JSON\n"),
    ],
)
def test_each_row_has_its_form(row: Row[Masked], text: str) -> None:
    assert write_row(row) == text


def test_nothing_quoted_begins_a_line() -> None:
    text = 'a\n{"_meta": true}\r\n2026-09-14 user: b\u2028c\x1b[2J\rd'
    lines = write_row(SpeechRow(at=AT, speaker=Speaker.HUMAN, text=forge(text))).splitlines()
    assert lines == [f"{TIME} user: a", '    {"_meta": true}', "    2026-09-14 user: b\\u2028c\\x1b[2J\\rd"]
    named = NoticeRow(at=AT, worker=forge("a\nb"), status=forge("c\nd"), summary=None)
    assert write_row(named) == f"{TIME} notice: a\\nb c\\nd\n"
    assert write_row(tools(1, "a\nb", succeeded=1)) == f"{TIME} tools: Read (a\\nb) -> ok\n"


def test_a_long_text_is_cut_and_that_is_said() -> None:
    long = forge("x" * (LIMITS.skeleton_chars + 1_500))
    assert (
        write_row(SpeechRow(at=AT, speaker=Speaker.HUMAN, text=long)) == f"{TIME} user: {'x' * LIMITS.skeleton_chars} [+1,500 characters]\n"
    )
    assert write_row(SpeechRow(at=AT, speaker=Speaker.HUMAN, text=long.head(800))).endswith("x\n")
    assert write_row(tools(1, "y" * 200, succeeded=1)) == f"{TIME} tools: Read ({'y' * 117}...) -> ok\n"


def test_the_rows_left_out_are_counted_in_their_place() -> None:
    assert write_gap(1_200) == "- left out: 1,200 rows of the middle; the end follows\n"


FACTS = SkeletonFacts(
    session=forge("/p/s\x7f.jsonl"),
    output=forge("/o.txt"),
    size_bytes=99,
    lines=9,
    parse_errors=1,
    user=2,
    assistant=3,
    tool=4,
    notices=5,
    stops=6,
    left_out=7,
    changed=None,
    redacted_kinds=("aws-key",),
)


def test_the_facts_are_one_line_of_json() -> None:
    line = write_facts(FACTS)
    assert line.isascii()
    assert line.endswith("}\n")
    assert "\x7f" not in line
    facts = {
        "_meta": True,
        "session": "/p/s\x7f.jsonl",
        "lines": 9,
        "parse_errors": 1,
        "user": 2,
        "assistant": 3,
        "tool": 4,
        "notices": 5,
        "stops": 6,
        "left_out": 7,
        "changed": None,
        "redacted_kinds": ["aws-key"],
    }
    assert json.loads(line) == facts
    assert json.loads(write_outcome(FACTS)) == {**facts, "wrote": "/o.txt", "bytes": 99}
