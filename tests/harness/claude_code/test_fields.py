"""Ids, times, versions and blocks as every version spelled them, and what is none of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.claude_code.builders import STAMP, make_record
from resume_forensics.harness.claude_code.fields import (
    KIND_BY_LETTER,
    KIND_BY_TASK_TYPE,
    block_texts,
    content_blocks,
    identify,
    is_counted_id,
    kind_of_id,
    read_epoch_ms,
    read_id,
    read_stamp,
    read_text,
    read_time,
    read_version,
    read_whole,
    result_text,
)
from resume_forensics.model.event import Stamp
from resume_forensics.model.record import JsonObject
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import WorkerKind

NOT_STRINGS: Sequence[object] = (None, True, 7, 1.5, ["a"], {"a": "b"})


@pytest.mark.parametrize(
    "word",
    [
        "a1b2c3d",
        "b0zk4q9wx",
        "bash_3",
        "3f2a91bc",
        "ausrbin-v2c-c-0123456789abcdef",
        "scout@harbor",
        "toolu_01",
        "wf_0a1b2c3d-4e5",
        "x" * 200,
    ],
)
def test_ids_of_every_version_are_ids(word: str) -> None:
    assert read_id(word) == Raw(word)
    assert read_id(f" {word}\n") == Raw(word)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "   ",
        "REDACTED",
        "redacted-1",
        "[REDACTED]",
        "<ID>",
        "two words",
        "__orphan_summary__:agent",
        "__orphan_summary_live__:a1",
        "x" * 201,
        "a\x00b",
        *NOT_STRINGS,
    ],
)
def test_placeholders_pseudo_ids_and_other_values_are_no_ids(word: object) -> None:
    assert read_id(word) is None


def test_a_text_that_says_something_is_kept_whole() -> None:
    assert read_text(" a\n") == Raw(" a\n")
    assert [read_text(value) for value in ("", *NOT_STRINGS)] == [None] * 7


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-03-01T10:00:00.000Z", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T12:00:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T10:00:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("0001-01-01T00:00:00+05:00", None),
        ("9999-12-31T23:59:59-05:00", None),
        ("[trimmed for fixture]", None),
        ("", None),
        *((value, None) for value in NOT_STRINGS),
    ],
)
def test_times_are_aware_utc_or_nothing(value: object, moment: datetime | None) -> None:
    assert read_time(value) == moment


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (1_772_359_200_000, datetime(2026, 3, 1, 10, tzinfo=UTC)),
        (0.0, datetime(1970, 1, 1, tzinfo=UTC)),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        (-(10**18), None),
        (True, None),
        ("1772359200000", None),
    ],
)
def test_epoch_milliseconds_out_of_range_are_nothing(value: object, moment: datetime | None) -> None:
    assert read_epoch_ms(value) == moment


@pytest.mark.parametrize(
    ("value", "whole"), [(3, 3), (3.9, 3), (float("nan"), None), (float("-inf"), None), (True, None), ("3", None), (None, None)]
)
def test_a_number_that_is_not_finite_is_no_count(value: object, whole: int | None) -> None:
    assert read_whole(value) == whole


@pytest.mark.parametrize(
    ("value", "version"),
    [
        ("2.1.215", (2, 1, 215)),
        ("2.0", (2, 0)),
        ("2.1.3-beta.1", (2, 1, 3)),
        ("", ()),
        ("next", ()),
        (2, ()),
        (None, ()),
        ("1" * 99, (111111,)),
    ],
)
def test_a_version_is_its_leading_numbers(value: object, version: tuple[int, ...]) -> None:
    assert read_version(value) == version


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("b0zk4q9wx", WorkerKind.BACKGROUND_SHELL),
        ("b1a2b3c", WorkerKind.BACKGROUND_SHELL),
        ("bash_12", WorkerKind.BACKGROUND_SHELL),
        ("a1b2c3d", WorkerKind.AGENT),
        ("a0123456789abcdef", WorkerKind.AGENT),
        ("ausrbin-v2c-c-0123456789abcdef", WorkerKind.AGENT),
        ("b3f0a1c2", WorkerKind.AGENT),  # eight hex digits are an agent of 2.0.42
        ("rabcdefgh", WorkerKind.REMOTE_AGENT),
        ("tabcdefgh", WorkerKind.TEAMMATE),
        ("scout@harbor", WorkerKind.TEAMMATE),
        ("wabcdefgh", WorkerKind.WORKFLOW),
        ("mabcdefgh", WorkerKind.MONITOR),
        ("kabcdefgh", None),
        ("toolu_01AbC", None),
        ("Build", None),
        ("", None),
        (None, None),
    ],
)
def test_the_shape_of_an_id_tells_its_kind(word: str | None, kind: WorkerKind | None) -> None:
    assert kind_of_id(word) is kind


def test_letters_and_task_types_name_every_kind() -> None:
    assert set(KIND_BY_LETTER.values()) == set(WorkerKind)
    assert set(KIND_BY_TASK_TYPE.values()) == set(WorkerKind)


def test_only_old_shell_ids_are_counters() -> None:
    assert is_counted_id("bash_3")
    assert not any(is_counted_id(word) for word in ("bash_", "bash_x", "b1", "xbash_3", 3, None))


def test_a_stand_in_is_equal_for_equal_texts_up_to_outer_white_space() -> None:
    assert identify("a\nb") == identify("  a\nb\n")
    assert identify("a\nb") != identify("a b")
    assert identify("\ud800") == identify("?")


def test_a_stamp_says_where_and_whose_a_record_is() -> None:
    assert read_stamp(make_record("user"), STAMP.source) == STAMP
    source = Source(path=Path("agent-a1.jsonl"), order=2, owner=Raw("a1"))
    fields: JsonObject = {
        "isSidechain": True,
        "agentId": "a1",
        "forkedFrom": {"sessionId": "s0"},
        "version": None,
        "timestamp": 5,
        "sessionId": "REDACTED",
    }
    expected = Stamp(source=source, line=7, copied_from=Raw("s0"), sidechain=True, actor=Raw("a1"))
    assert read_stamp(make_record("user", fields), source) == expected


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ({"content": "plain"}, ["plain"]),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, 5, "loose", {"type": "text", "text": "b"}]}, ["a", "b"]),
        ({"content": [{"type": "text", "text": 5}, {"text": "typeless"}]}, []),
        ({"content": {"type": "text", "text": "a"}}, []),
        ({"content": None}, []),
        ({}, []),
    ],
)
def test_texts_of_a_message_are_its_text_blocks(message: JsonObject, texts: list[str]) -> None:
    assert list(block_texts(message)) == texts
    assert len(content_blocks(message)) >= len(texts)


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"content": "one"}, "one"),
        ({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}, "one\ntwo"),
        ({"content": []}, ""),
        ({}, ""),
    ],
)
def test_the_text_of_a_result_is_its_string_or_its_parts_one_a_line(block: JsonObject, text: str) -> None:
    assert result_text(block) == text
