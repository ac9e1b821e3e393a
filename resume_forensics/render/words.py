"""How each word of the vocabulary reads to a person in trouble. Tables only: no text of a transcript is in here."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from resume_forensics.vocabulary import (
    Action,
    Delivery,
    DriverKind,
    DriverState,
    Ended,
    Liveness,
    StepState,
    StopCause,
    WorkerKind,
)

KINDS: Final[Mapping[WorkerKind, str]] = {
    WorkerKind.AGENT: "agent",
    WorkerKind.BACKGROUND_SHELL: "background shell",
    WorkerKind.WORKFLOW: "workflow",
    WorkerKind.MONITOR: "monitor",
    WorkerKind.TEAMMATE: "teammate",
    WorkerKind.REMOTE_AGENT: "remote agent",
}

CAUSES: Final[Mapping[StopCause, str]] = {
    StopCause.AUTH_EXPIRED: "the login had expired or was refused",
    StopCause.USAGE_LIMIT: "a usage limit was reached",
    StopCause.RATE_LIMITED: "requests came too fast and were refused",
    StopCause.API_OVERLOAD: "the API was overloaded",
    StopCause.API_5XX: "the API failed with a server error",
    StopCause.NETWORK: "the network failed",
    StopCause.STALLED: "the response stopped arriving",
    StopCause.MACHINE_SLEPT: "the machine went to sleep in mid-response",
    StopCause.CONTEXT_TOO_LONG: "the conversation no longer fitted the model's window",
    StopCause.USER_INTERRUPT: "somebody interrupted it",
    StopCause.PROCESS_SHUTDOWN: "the harness was told to stop",
    StopCause.API_ERROR_UNCLASSIFIED: "an error that this scan does not recognise; read the evidence",
    StopCause.CLEAN_OR_UNKNOWN: "no fault is recorded at the end; it ended normally, or what ended it left no record",
}

LIVENESS: Final[Mapping[Liveness, str]] = {
    Liveness.POSSIBLY_LIVE: "POSSIBLY STILL RUNNING: check before re-running; a second run may do its work twice",
    Liveness.DEAD: "DEAD: nothing shows that it went on after the session ended",
    Liveness.DEAD_WITH_PARENT: "DEAD: it ran inside the session's process and died with it",
    Liveness.UNKNOWN_TEAMMATE: "UNKNOWN: it is not said whether it ran inside the session's process",
    Liveness.UNKNOWN_WORKFLOW: "UNKNOWN: it is not said whether it ran inside the session's process",
    Liveness.UNKNOWN_NO_OUTPUT_FILE: "UNKNOWN: there is no output file to judge by",
    Liveness.UNKNOWN_MTIMES: "UNKNOWN: the times of these files cannot be trusted",
    Liveness.UNKNOWN_OUTPUT_NOT_ITS_OWN: "UNKNOWN: its output is written by the harness, so that silence says nothing about the worker",
}
VERIFY: Final = "; verify before re-running anything with side effects"
"""What is added to every liveness that is unknown."""

ENDS: Final[Mapping[Ended, str]] = {
    Ended.END_OF_TURN: "at the normal end of a turn: the work may be done, and only the report lost",
    Ended.MID_TOOL: "in the middle of a tool call",
    Ended.MID_TEXT: "in the middle of its work, before the end of a turn",
    Ended.NOTHING_WRITTEN: "before it wrote anything",
}

DELIVERIES: Final[Mapping[Delivery, str]] = {
    Delivery.STOPPED: "it was stopped on purpose",
    Delivery.DELIVERED: "the model was told",
    Delivery.FETCHED: "the model fetched the result itself",
    Delivery.QUEUED: "the notice waited in the queue: the model was NEVER TOLD",
    Delivery.NONE: "no end is recorded",
}

ACTIONS: Final[Mapping[Action, str]] = {
    Action.FOLD_IN: "the work is finished: read its result and use it, do not run it again",
    Action.CONTINUE: "once the session is resumed, message it by its id: it still has its context; a fresh session hands the "
    "remainder to a new worker",
    Action.RESPAWN_REMAINDER: "start a new worker for what is left, and hand it what this one established",
    Action.RESPAWN_WHOLE: "start it again from its whole prompt or command",
    Action.VERIFY_FIRST: "find out whether it runs or what it did, before anything is run again",
    Action.READ_FAILURE: "read what went wrong, then decide; a failed worker is not a finished one",
    Action.RESTART_DRIVER: "restart what drove the arc; the arc is not over because its engine died",
    Action.NONE: "nothing needs doing",
}

STEPS: Final[Mapping[StepState, str]] = {
    StepState.DONE: "done",
    StepState.FAILED: "failed",
    StepState.IN_FLIGHT: "in flight when the session ended",
}

DRIVERS: Final[Mapping[DriverKind, str]] = {
    DriverKind.SCHEDULE: "schedule",
    DriverKind.WAKEUP: "wake-up",
    DriverKind.LOOP: "loop",
    DriverKind.TRIGGER: "trigger",
}

DRIVER_STATES: Final[Mapping[DriverState, str]] = {
    DriverState.LOST: "LOST with the session: restart it",
    DriverState.POSSIBLY_LIVE: "may still run, in the process that runs the session: do not start it twice",
    DriverState.DURABLE: "durable: it outlives the session",
    DriverState.FIRED: "its time had come when the next one was set",
    DriverState.REMOVED: "removed before the end",
}


def describe_end(ended: Ended | StopCause) -> str:
    """How a worker's own transcript ends, in words."""
    if isinstance(ended, StopCause):
        return f"with an error: {CAUSES[ended]} ({ended})"
    return f"{ENDS[ended]} ({ended})"


def describe_liveness(liveness: Liveness) -> str:
    """Whether it may still run, in words that prevent harm."""
    words = LIVENESS[liveness]
    return words + VERIFY if words.startswith("UNKNOWN") else words


def write_time(at: datetime | None) -> str:
    """A point in time as people write it, to the second, in UTC."""
    return at.strftime("%Y-%m-%d %H:%M:%S UTC") if at else "at an unknown time"


def write_span(span: timedelta) -> str:
    """A length of time in its largest one or two units."""
    seconds = int(abs(span.total_seconds()))
    for unit_s, unit, next_s, next_unit in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")):
        if seconds >= unit_s:
            rest = seconds % unit_s // next_s
            return f"{seconds // unit_s} {unit}" + (f" {rest} {next_unit}" if rest else "")
    return f"{seconds} s"
