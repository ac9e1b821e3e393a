"""What sets up or ends a driver (a schedule, a wake-up, a remote trigger). In: one tool result. Out: `DriverMove` events."""

import re
from collections.abc import Iterator

from resume_forensics.harness.claude_code.fields import read_epoch_ms, read_id, read_text, read_time
from resume_forensics.model.event import DriverMove, Stamp
from resume_forensics.model.record import JsonObject, number_of, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DriverKind, DriverState

CRON_TOOLS = frozenset({"CronCreate"})
CRON_ENDS = frozenset({"CronDelete"})
TRIGGER_TOOLS = frozenset({"RemoteTrigger"})

_SCHEDULED = re.compile(r"\s*Scheduled (?:recurring|one-shot) (?:job|task) (?P<id>[\w-]{1,200}) \([^\n]*?\)\.\s*(?P<fate>[^\n]*)")


def read_driver(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Iterator[DriverMove]:
    """The driver that a structured result says: CronCreate (2.1.87+), ScheduleWakeup (2.1.112+), RemoteTrigger, CronDelete."""
    job = read_id(result.get("id"))
    if "scheduledFor" in result:
        yield DriverMove(
            stamp=stamp,
            driver_id=tool_use_id,
            kind=DriverKind.WAKEUP,
            state=DriverState.REMOVED if result.get("stopped") is True else DriverState.LOST,
            tool_use_id=tool_use_id,
            next_at=read_epoch_ms(number_of(result, "scheduledFor")),
        )
    elif job and text_of(result, "humanSchedule") is not None:
        yield DriverMove(
            stamp=stamp,
            driver_id=job,
            kind=DriverKind.SCHEDULE,
            state=DriverState.DURABLE if result.get("durable") is True else DriverState.LOST,
            tool_use_id=tool_use_id,
            prompt=read_text(result.get("prompt")),
            next_at=read_epoch_ms(number_of(result, "nextFireAt")) or read_time(result.get("nextFireAt")),
        )
    elif job:
        yield DriverMove(
            stamp=stamp,
            driver_id=job,
            kind=DriverKind.SCHEDULE,
            state=DriverState.REMOVED,
            tool_use_id=tool_use_id,
            only_from=CRON_ENDS,
        )
    trigger = read_id(result.get("trigger_id")) or read_id(result.get("triggerId"))
    if trigger:
        yield DriverMove(
            stamp=stamp,
            driver_id=trigger,
            kind=DriverKind.TRIGGER,
            state=DriverState.DURABLE,
            tool_use_id=tool_use_id,
            only_from=TRIGGER_TOOLS,
        )


def read_text_driver(stamp: Stamp, text: str, tool_use_id: Raw) -> Iterator[DriverMove]:
    """The schedule that the text of a result says, where there is no structured one (subagent files). The ledger checks the tool."""
    found = _SCHEDULED.match(text)
    job = read_id(found["id"]) if found else None
    if found and job:
        yield DriverMove(
            stamp=stamp,
            driver_id=job,
            kind=DriverKind.SCHEDULE,
            state=DriverState.LOST if found["fate"].startswith("Session-only") else DriverState.DURABLE,
            tool_use_id=tool_use_id,
            only_from=CRON_TOOLS,
        )


def read_fire(stamp: Stamp, record: JsonObject) -> Iterator[DriverMove]:
    """The loop that a `scheduled_task_fire` record names (2.1.87+); a plain schedule was named by its receipt."""
    job = read_id(record.get("taskId"))
    if job and record.get("taskKind") == "loop":
        yield DriverMove(
            stamp=stamp,
            driver_id=job,
            kind=DriverKind.LOOP,
            state=None,
            prompt=read_text(record.get("prompt")),
        )
