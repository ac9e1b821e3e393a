"""The one write of system 000: log lines and changes of the state file, in the order of the protocol, and what forbids it."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.superscientist.table import Row
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Change, Circumstances, Conflict, PlannedWrite
from resume_forensics.model.workflow import SessionConfig, Stage, Workflow
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Refusal, StageStatus, Verdict, WriteKind

STATE: Final = Raw("workflow-state.json")
LOG: Final = Raw("progress.log")
_RECOVERED: Final = "Recovery note: progress.log was missing; begun anew while resuming from workflow-state.json"


class Judged(Struct, frozen=True, kw_only=True):
    """A stage and the row that decided it."""

    stage: Stage
    row: Row


def plan_writes(workflow: Workflow, judged: tuple[Judged, ...], circumstances: Circumstances) -> tuple[PlannedWrite[Raw], ...]:
    """Answer the append to the log, then the replacement of the state.

    Lines that end the log already, from an attempt that died between the two, are not planned again.
    """
    session = workflow.session
    if session is None:
        return ()
    number = (session.count or 0) + 1
    lines = tuple(_list_lines(workflow, session, judged, number))
    state = PlannedWrite(path=STATE, kind=WriteKind.REPLACE, changes=tuple(_list_changes(session, judged, number, circumstances.now)))
    if workflow.entries[-len(lines) :] == lines:
        return (state,)
    stamp = f"[{write_moment(circumstances.now)}] "
    return (PlannedWrite(path=LOG, kind=WriteKind.APPEND, lines=tuple(compose(stamp, line) for line in lines)), state)


def find_refusals(workflow: Workflow, conflicts: Iterable[Conflict[Raw]], circumstances: Circumstances) -> tuple[Refusal, ...]:
    """Why nothing may be written."""
    if workflow.problem is not None:
        return (Refusal.STATE_UNREADABLE,)
    reasons = (
        (not workflow.log_can_grow, Refusal.STATE_UNREADABLE),
        (was_applied(workflow.session, circumstances.now), Refusal.ALREADY_APPLIED),
        (any(conflict.blocks_apply for conflict in conflicts), Refusal.EVIDENCE_CONFLICTS),
    )
    return tuple(refusal for holds, refusal in reasons if holds)


def was_applied(session: SessionConfig | None, now: datetime) -> bool:
    """Whether the session that is written down has only just begun and done nothing yet: then it is the one that asks."""
    if session is None or session.began_at is None or session.cost != 0 or session.exit_reason is not None:
        return False
    return timedelta() <= now - session.began_at <= timedelta(seconds=LIMITS.applied_s)


def write_moment(now: datetime) -> str:
    """A time as `date -Iseconds` writes it."""
    return now.isoformat(timespec="seconds")


def explain_failure(judged: Judged) -> Raw | None:
    """Why a stage is marked failed: the row's own words, else the exit code. Nothing of a log is in it, so that it stays the same."""
    row, process = judged.row, judged.stage.process
    if row.sets is not StageStatus.FAILED:
        return None
    return Raw(row.error or f"DPDispatcher exit code {process.exit_code if process else None}")


def error_of(judged: Judged) -> Raw | None:
    """The last_error of a stage that is marked failed: why, and where it is the exit code, what the wrapper's logs say last."""
    why, process = explain_failure(judged), judged.stage.process
    if why is None or judged.row.error is not None or process is None or process.error is None:
        return why
    return compose(why, ": ", process.error)


def _list_lines(workflow: Workflow, session: SessionConfig, judged: tuple[Judged, ...], number: int) -> Iterator[Raw]:
    if workflow.log is None:
        yield Raw(_RECOVERED)
    for one in judged:
        yield from _list_transitions(one)
    summary = [compose(", " if index else "", one.stage.id, " ", one.row.verdict) for index, one in enumerate(judged)]
    yield compose(f"Session {number} started. Reading workflow-state.json... ", *summary)
    if session.exit_reason is not None:
        spent = compose(_show(session.cost), "/", _show(session.budget))
        yield compose("Previous session ended: exit_reason=", session.exit_reason, ", cost=", spent)


def _list_transitions(judged: Judged) -> Iterator[Raw]:
    stage, row = judged.stage, judged.row
    session = stage.process.session if stage.process else None
    tmux = compose("tmux: ", session or "")
    if row.sets is not None and row.sets is not stage.status:
        why = tmux if row.verdict is Verdict.ALIVE else explain_failure(judged) or Raw("DPDispatcher finished with exit code 0")
        yield compose(stage.id, f": status -> {row.sets} (", why, ")")
    if row.verdict is Verdict.ALIVE:
        yield compose("Stage ", stage.number, " still running (", tmux, ")")


def _list_changes(session: SessionConfig, judged: tuple[Judged, ...], number: int, now: datetime) -> Iterator[Change[Raw]]:
    above = "/session_config/"
    yield Change(
        pointer=Raw(f"{above}session_count"), before=session.count if session.count is not None else session.count_word, after=number
    )
    yield Change(pointer=Raw(f"{above}session_id"), before=session.id, after=Raw(write_moment(now)))
    yield Change(pointer=Raw(f"{above}session_cost"), before=session.cost, after=0)
    yield Change(pointer=Raw(f"{above}exit_reason"), before=session.exit_reason, after=None)
    for one in judged:
        stage, row, error = one.stage, one.row, error_of(one)
        if row.sets is not None and row.sets is not stage.status:
            yield Change(pointer=Raw(f"/stages/{stage.index}/status"), before=stage.status_word, after=Raw(row.sets))
        if error is not None:
            yield Change(pointer=Raw(f"/stages/{stage.index}/last_error"), before=stage.last_error, after=error)


def _show(value: Raw | float | None) -> Raw:
    if isinstance(value, Raw):
        return value
    return Raw("null" if value is None else str(value))
