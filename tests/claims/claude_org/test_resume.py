"""The one write: two statements that hold only where the session still stands as it was read, and the same as SQL to be read."""

import pytest

from claims.orgs import CIRCUMSTANCES, Row, answer
from resume_forensics.claims.claude_org import spell, translate
from resume_forensics.model.claim import PlannedWrite
from resume_forensics.model.inquiry import Cell
from resume_forensics.model.write import Transaction
from resume_forensics.text import Masked, Raw, forge
from resume_forensics.vocabulary import WriteKind

PLANNED: tuple[PlannedWrite[Masked], ...] = (PlannedWrite(path=forge(".state/state.db"), kind=WriteKind.TRANSACTION),)
AT = "2026-01-02T09:00:00.045Z"
UPDATE = (
    "UPDATE org_sessions SET status = 'ACTIVE', resumed_at = '2026-01-02T09:00:00.045Z', updated_at = '2026-01-02T09:00:00.045Z'"
    " WHERE id = 1 AND status = 'IDLE' AND updated_at IS "
)
INSERT = "INSERT INTO events(occurred_at, actor, kind, payload_json)"
RUNS: list[Row] = [
    {"task_id": "search", "status": "in_use"},
    {"task_id": "oauth", "status": "review"},
    {"task_id": "docs", "status": "queued"},
    {"task_id": "old", "status": "completed"},
    {"task_id": "parked", "status": "suspended"},
    {"task_id": None, "status": "in_use"},
]


def spelled(session: Row) -> tuple[tuple[Cell, ...], ...]:
    """The values of the statements for one session."""
    writes = spell(answer(sessions=[session], runs=RUNS), CIRCUMSTANCES, PLANNED)
    if not writes:
        return ()
    (write,) = writes
    assert isinstance(write, Transaction)
    assert write.path == Raw(".state/state.db")
    assert [statement.rows for statement in write.statements] == [1, 1]
    return tuple(statement.values for statement in write.statements)


@pytest.mark.parametrize("status", ["SUSPENDED", "IDLE"])
def test_the_session_becomes_active_and_one_event_is_journalled(status: str) -> None:
    assert spelled({"status": status, "updated_at": "before"}) == (
        ("ACTIVE", AT, AT, status, "before"),
        (AT, "resume-scan", "resume", '{"resumed_items": ["oauth", "search"]}'),
    )


@pytest.mark.parametrize("session", [{"status": "ACTIVE"}, {"status": "suspended"}, {"status": None}, {}])
def test_a_session_that_is_not_suspended_gives_nothing_to_write(session: Row) -> None:
    assert spelled(session) == ()
    assert translate(answer(sessions=[session]), CIRCUMSTANCES).resume == ()


def test_nothing_is_spelled_that_was_not_planned() -> None:
    assert spell(answer(sessions=[{"status": "IDLE"}]), CIRCUMSTANCES, ()) == ()


def shown(updated_at: Cell, task_id: str = "oauth") -> tuple[Raw, ...]:
    """What is shown for an idle session with one open run."""
    rows: list[Row] = [{"task_id": task_id, "status": "in_use"}]
    return translate(answer(sessions=[{"status": "IDLE", "updated_at": updated_at}], runs=rows), CIRCUMSTANCES).resume


def test_what_is_shown_is_the_same_sql_with_its_values() -> None:
    event = """'{"resumed_items": ["it''s?"]}'"""
    assert shown(None, "it's?") == (
        Raw("BEGIN IMMEDIATE"),
        Raw(UPDATE + "NULL"),
        Raw(f"{INSERT} VALUES ('{AT}', 'resume-scan', 'resume', {event})"),
        Raw("COMMIT"),
    )


def test_a_number_is_shown_as_a_number() -> None:
    assert shown(7.5)[1] == Raw(UPDATE + "7.5")
