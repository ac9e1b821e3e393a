"""The one write of this protocol, spelled: the session becomes ACTIVE and one resume event is journalled, in one transaction.

It holds only where the session still stands as it was read, and touches no run. What is shown of it is the same SQL with its values.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from resume_forensics.claims.claude_org.cells import read_text
from resume_forensics.claims.claude_org.questions import DATABASE_PATH, Tables, read_tables
from resume_forensics.model.claim import Circumstances, PlannedWrite
from resume_forensics.model.inquiry import Answers, Cell
from resume_forensics.model.write import Statement, Transaction, Write
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import OrgStatus, RunStatus

_RESUMABLE: Final = frozenset({OrgStatus.SUSPENDED, OrgStatus.IDLE})
_VISIBLE: Final = frozenset({RunStatus.IN_USE, RunStatus.REVIEW})
_UPDATE: Final = "UPDATE org_sessions SET status = ?, resumed_at = ?, updated_at = ? WHERE id = 1 AND status = ? AND updated_at IS ?"
_INSERT: Final = "INSERT INTO events(occurred_at, actor, kind, payload_json) VALUES (?, ?, ?, ?)"
_ACTOR: Final = "resume-scan"
_EVENT: Final = "resume"


def spell(answers: Answers, circumstances: Circumstances, planned: tuple[PlannedWrite[Masked], ...]) -> tuple[Write, ...]:
    """Answer the transaction as it will be carried out; nothing where none was planned."""
    statements = tuple(_statements(read_tables(answers), circumstances.now))
    return (Transaction(path=DATABASE_PATH, statements=statements),) if planned and statements else ()


def show_resume(tables: Tables, now: datetime) -> tuple[Raw, ...]:
    """The same transaction as SQL to be read; nothing for a session that is not SUSPENDED or IDLE."""
    shown = tuple(Raw(_inline(statement)) for statement in _statements(tables, now))
    return (Raw("BEGIN IMMEDIATE"), *shown, Raw("COMMIT")) if shown else ()


def _statements(tables: Tables, now: datetime) -> Iterator[Statement]:
    session = next(iter(tables.sessions or ()), None)
    if session is None or session.get("status") not in _RESUMABLE:
        return
    at = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
    visible = (read_text(row.get("task_id")) for row in tables.runs or () if row.get("status") in _VISIBLE)
    payload = json.dumps({"resumed_items": sorted(task_id for task_id in visible if task_id)}, ensure_ascii=False)
    yield Statement(sql=_UPDATE, values=(OrgStatus.ACTIVE.value, at, at, session["status"], session.get("updated_at")), rows=1)
    yield Statement(sql=_INSERT, values=(at, _ACTOR, _EVENT, payload), rows=1)


def _inline(statement: Statement) -> str:
    values = iter(statement.values)
    return re.sub(r"\?", lambda _: _literal(next(values)), statement.sql)


def _literal(value: Cell) -> str:
    """A value as SQL writes it."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else repr(value)
