"""What sets up a driver, what removes it, and what lives on."""

from datetime import UTC, datetime
from typing import Final

import pytest
from msgspec.structs import replace

from harness.claude_code.builders import CALL, STAMP, assert_linear, read_events, tool_result
from resume_forensics.harness.claude_code.drivers import CRON_ENDS, CRON_TOOLS, TRIGGER_TOOLS, read_text_driver
from resume_forensics.model.event import DriverMove
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DriverKind, DriverState

JOB: Final = DriverMove(stamp=STAMP, driver_id=Raw("f0257541"), kind=DriverKind.SCHEDULE, state=DriverState.LOST, tool_use_id=CALL)
WAKEUP: Final = replace(JOB, driver_id=CALL, kind=DriverKind.WAKEUP)
TEN: Final = datetime(2026, 3, 1, 10, tzinfo=UTC)
TEN_MS: Final = 1_772_359_200_000


def moves(content: Json, structured: Json = None, *, is_error: bool = False) -> list[DriverMove]:
    """What the result of a call says of drivers."""
    return [event for event in tool_result(content, structured, is_error=is_error) if isinstance(event, DriverMove)]


@pytest.mark.parametrize(
    ("result", "move"),
    [
        ({"id": "f0257541", "humanSchedule": "Every minute", "recurring": True, "durable": False}, JOB),
        ({"id": "f0257541", "humanSchedule": "Every minute"}, JOB),
        ({"id": "f0257541", "humanSchedule": "", "durable": True}, replace(JOB, state=DriverState.DURABLE)),
        ({"id": "f0257541", "humanSchedule": "x", "prompt": "check", "nextFireAt": TEN_MS}, replace(JOB, prompt=Raw("check"), next_at=TEN)),
        ({"id": "f0257541", "humanSchedule": "x", "nextFireAt": "2026-03-01T10:00:00Z"}, replace(JOB, next_at=TEN)),
        ({"id": "f0257541"}, replace(JOB, state=DriverState.REMOVED, only_from=CRON_ENDS)),
        ({"scheduledFor": TEN_MS, "clampedDelaySeconds": 60, "wasClamped": False}, replace(WAKEUP, next_at=TEN)),
        ({"scheduledFor": TEN_MS, "stopped": False}, replace(WAKEUP, next_at=TEN)),
        ({"scheduledFor": 0, "stopped": True}, replace(WAKEUP, state=DriverState.REMOVED, next_at=datetime(1970, 1, 1, tzinfo=UTC))),
        ({"scheduledFor": float("nan")}, WAKEUP),
        (
            {"trigger_id": "trig_1"},
            replace(JOB, driver_id=Raw("trig_1"), kind=DriverKind.TRIGGER, state=DriverState.DURABLE, only_from=TRIGGER_TOOLS),
        ),
        (
            {"triggerId": "trig_1"},
            replace(JOB, driver_id=Raw("trig_1"), kind=DriverKind.TRIGGER, state=DriverState.DURABLE, only_from=TRIGGER_TOOLS),
        ),
    ],
)
def test_a_structured_result_moves_a_driver(result: JsonObject, move: DriverMove) -> None:
    assert moves("Scheduled recurring job zz (x). Session-only.", result) == [move]


@pytest.mark.parametrize("result", [{}, {"id": 5}, {"id": "REDACTED", "humanSchedule": "x"}, {"trigger_id": None}, {"humanSchedule": "x"}])
def test_other_structured_results_move_none(result: JsonObject) -> None:
    assert moves("Scheduled recurring job zz (x). Session-only.", result) == []


SESSION: Final = "Session-only (not written to disk, dies when Claude exits). Auto-expires after 7 days. Use CronDelete to cancel sooner."


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"Scheduled recurring job f0257541 (Every minute). {SESSION}", DriverState.LOST),
        (f"Scheduled recurring job f0257541 (At 09:00 (local), daily).\n{SESSION}", DriverState.LOST),
        (f"Scheduled one-shot task f0257541 (Mar 1). {SESSION}", DriverState.LOST),
        ("Scheduled recurring job f0257541 (Every minute). Persisted to .claude/scheduled_tasks.json.", DriverState.DURABLE),
    ],
)
def test_a_text_says_the_schedule_where_there_is_no_object(text: str, state: DriverState) -> None:
    assert moves(text) == [replace(JOB, state=state, only_from=CRON_TOOLS)]
    assert moves(text, is_error=True) == []


@pytest.mark.parametrize(
    "text", ["", "Scheduled", "I read: Scheduled recurring job f0257541 (x). y", "Scheduled recurring job REDACTED (x). y"]
)
def test_other_texts_move_none(text: str) -> None:
    assert moves(text) == []


def test_a_loop_is_known_by_its_fire() -> None:
    fields: JsonObject = {
        "subtype": "scheduled_task_fire",
        "taskId": "f0257541",
        "taskKind": "loop",
        "prompt": "check",
        "cron": "* * * * *",
    }
    assert read_events("system", fields) == [replace(JOB, kind=DriverKind.LOOP, state=None, tool_use_id=None, prompt=Raw("check"))]


@pytest.mark.parametrize(
    "fields", [{"taskId": "f0257541"}, {"taskKind": "loop"}, {"taskId": "REDACTED", "taskKind": "loop"}, {"taskId": [], "taskKind": "loop"}]
)
def test_another_fire_names_no_driver(fields: JsonObject) -> None:
    assert read_events("system", {"subtype": "scheduled_task_fire", **fields}) == []


def test_hostile_schedules_take_linear_time() -> None:
    assert_linear(lambda size: list(read_text_driver(STAMP, "Scheduled recurring job a (" + ")." * size, CALL)))
    assert_linear(lambda size: list(read_text_driver(STAMP, "Scheduled recurring job a (" + ")" * size, CALL)))
    assert_linear(lambda size: list(read_text_driver(STAMP, " " * size, CALL)))
