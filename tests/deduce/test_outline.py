"""The rows of a skeleton: what is said in its order, calls that follow each other as one, each notice once, nothing held too long."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from resume_forensics.deduce import outline as module
from resume_forensics.deduce.outline import Outline
from resume_forensics.limits import Limits
from resume_forensics.model.event import Call, End, Event, Fault, KillAll, Link, Mention, Result, Spoken, Stamp
from resume_forensics.model.session import Source
from resume_forensics.model.skeleton import NoticeRow, Row, SpeechRow, StopRow, ToolRow
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Outcome, Speaker, StopCause, WorkerKind

AT = datetime(2026, 9, 14, 9, tzinfo=UTC)
STAMP = Stamp(source=Source(path=Path("s.jsonl")), line=1, at=AT)
Said = tuple[Sequence[Event], Spoken | None]


def say(speaker: Speaker, text: str, *events: Event) -> Said:
    """A record in which somebody speaks."""
    return events, Spoken(stamp=STAMP, speaker=speaker, text=Raw(text))


def do(*events: Event) -> Said:
    """A record in which nobody speaks."""
    return events, None


def call(number: int, tool: str = "Read") -> Call:
    """A tool call that touches a file of its number."""
    return Call(stamp=STAMP, tool_use_id=Raw(f"t{number}"), tool=Raw(tool), path=Raw(f"f{number}"))


def result(number: int, *, failed: bool = False, lost: bool = False) -> Result:
    """Its result."""
    return Result(stamp=STAMP, tool_use_id=Raw(f"t{number}"), failed=failed, lost=lost)


def end(worker: str | None = "a1", **fields: Any) -> End:  # noqa: ANN401 (any field of an end)
    """The end of a worker."""
    plain = End(
        stamp=STAMP,
        outcome=Outcome.SUCCESS,
        channel=Channel.DELIVERED,
        status=Raw("completed"),
        worker_id=Raw(worker) if worker else None,
        summary=Raw("it is done"),
    )
    return replace(plain, **fields)


def rows(*records: Said) -> list[Row[Raw]]:
    """The rows of a whole session."""
    outline = Outline()
    return [*(row for events, spoken in records for row in outline.see(events, spoken)), *outline.close()]


def speech(speaker: Speaker, text: str) -> SpeechRow[Raw]:
    """The row of a speech."""
    return SpeechRow(at=AT, speaker=speaker, text=Raw(text))


def tools(tool: str, *targets: str, calls: int, ok: int = 0, failed: int = 0, lost: int = 0) -> ToolRow[Raw]:
    """The row of some calls."""
    return ToolRow(at=AT, tool=Raw(tool), targets=tuple(map(Raw, targets)), calls=calls, succeeded=ok, failed=failed, interrupted=lost)


def test_the_model_speaks_before_it_calls_and_calls_stand_before_what_follows() -> None:
    assert rows(
        say(Speaker.HUMAN, "resume"),
        say(Speaker.ASSISTANT, "I look.", call(1)),
        do(result(1)),
        say(Speaker.ASSISTANT, "Now the rest.", call(2)),
    ) == [
        speech(Speaker.HUMAN, "resume"),
        speech(Speaker.ASSISTANT, "I look."),
        tools("Read", "f1", calls=1, ok=1),
        speech(Speaker.ASSISTANT, "Now the rest."),
        tools("Read", "f2", calls=1),
    ]


def test_calls_of_one_tool_that_follow_each_other_are_one_row() -> None:
    assert rows(
        do(call(1), call(2), call(3)),
        do(result(2, failed=True)),
        do(result(1)),
        do(call(4, "Bash"), call(5)),
        do(result(4, lost=True, failed=True), result(9)),
    ) == [
        tools("Read", "f1", "f2", calls=3, ok=1, failed=1),
        tools("Bash", "f4", calls=1, lost=1),
        tools("Read", "f5", calls=1),
    ]


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ({"path": "p", "command": "c"}, "p"),
        ({"command": "c", "topic": "t"}, "c"),
        ({"topic": "t", "description": "d"}, "t"),
        ({"description": "d", "prompt": "x"}, "d"),
        ({"prompt": "x", "target": "a1"}, "x"),
        ({"target": "a1"}, "a1"),
        ({}, None),
    ],
)
def test_a_call_is_about_the_most_telling_thing_it_names(fields: dict[str, str], target: str | None) -> None:
    plain = Call(stamp=STAMP, tool_use_id=Raw("t1"), tool=Raw("X"))
    asked = replace(plain, **{name: Raw(value) for name, value in fields.items()})
    assert rows(do(asked)) == [tools("X", *([target] if target else []), calls=1)]


def test_a_notice_is_told_once_however_often_it_is_repeated() -> None:
    found = rows(do(end()), do(end(channel=Channel.QUEUED)), say(Speaker.NOTICE, "<task-notification>", end()), do(end("a2")))
    assert [row.worker for row in found if isinstance(row, NoticeRow)] == [Raw("a1"), Raw("a2")]
    assert len(found) == 2


def test_what_a_notice_says_stands_in_its_row() -> None:
    lost = Mention(stamp=STAMP, worker_id=Raw("a1"), notice=True, lost_track=True, summary=Raw("gone"))
    waits = Mention(stamp=STAMP, tool_use_id=Raw("t1"), notice=True, status=Raw("running"))
    assert rows(do(lost, waits, end(None, tool_use_id=Raw("t2")))) == [
        NoticeRow(at=AT, worker=Raw("a1"), status=None, summary=Raw("gone"), lost_track=True),
        NoticeRow(at=AT, worker=Raw("t1"), status=Raw("running"), summary=None),
        NoticeRow(at=AT, worker=Raw("t2"), status=Raw("completed"), summary=Raw("it is done")),
    ]


def test_what_is_no_notice_or_only_looks_like_an_end_is_not_told() -> None:
    quoted = end(only_from=frozenset({"TaskOutput"}))
    poll = Mention(stamp=STAMP, worker_id=Raw("a1"))
    assert rows(do(quoted, poll, Link(stamp=STAMP, tool_use_id=Raw("t1"), worker_id=Raw("a1")))) == []


def test_a_stop_of_all_is_told_each_time() -> None:
    stopped = KillAll(stamp=STAMP, kind=WorkerKind.AGENT)
    row = NoticeRow(at=AT, worker=None, status=Raw("stopped"), summary=Raw("every agent that was at work was stopped"))
    assert rows(do(stopped), do(stopped)) == [row, row]


@pytest.mark.parametrize("speaker", [Speaker.HARNESS, Speaker.ASSISTANT, Speaker.HUMAN])
def test_a_stop_cause_is_told_once_and_after_the_calls_it_cut_off(speaker: Speaker) -> None:
    fault = Fault(stamp=STAMP, cause=StopCause.USER_INTERRUPT, evidence=Raw("[Request interrupted]"), resets_at=Raw("3pm"))
    assert rows(do(call(1)), say(speaker, "[Request interrupted]", fault)) == [
        tools("Read", "f1", calls=1),
        StopRow(at=AT, cause=StopCause.USER_INTERRUPT, evidence=Raw("[Request interrupted]"), resets_at=Raw("3pm")),
    ]


def test_no_more_is_held_than_the_bounds_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", Limits(skeleton_groups=2, open_calls=2))
    outline = Outline()
    early = [row for number in range(6) for row in outline.see([call(number, f"T{number % 2}")], None)]
    assert [row.tool for row in early if isinstance(row, ToolRow)] == [Raw("T0"), Raw("T1"), Raw("T0"), Raw("T1")]
    assert list(outline.see([result(0), result(4), result(5)], None)) == []
    assert [row.succeeded for row in outline.close() if isinstance(row, ToolRow)] == [1, 1]
    told = [row for number in (1, 2, 3, 1) for row in outline.see([end(f"a{number}")], None)]
    assert len(told) == 4
