"""The rows of a claude-org's database and its worker files in, the typed written state out; nothing is held against the machine here."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from resume_forensics.claims.claude_org.cells import read_count, read_moments, read_payload, read_raw, read_text
from resume_forensics.claims.claude_org.questions import (
    DATABASE,
    MATERIAL,
    WORKERS,
    Tables,
    list_inquiries,
    list_open_rows,
    read_tables,
)
from resume_forensics.claims.claude_org.resume import show_resume
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import Answers, Cell, FileText, FolderNames, RowsFact
from resume_forensics.model.org import Org, OrgEvent, OrgSession, Run, RunInquiries, Suspension, find_moment
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import DatabaseProblem, Missing, OrgStatus, RunStatus, Verdict

_NEWEST_SCHEMA: Final = 3
_SESSIONS_SINCE: Final = 2
"""The migration that made the table org_sessions."""

_DAMAGED: Final = frozenset({Missing.DIRECTORY, Missing.NOT_REGULAR, Missing.DANGLING_LINK})
_STATUS: Final = re.compile(r"status:\s*([a-z][a-z_-]*)", re.IGNORECASE)
_STATUS_LINE: Final = re.compile(r"status:", re.IGNORECASE)
_WORKER_FILE: Final = re.compile(r"worker-(.+)\.md")

_Word = TypeVar("_Word", OrgStatus, RunStatus)


def translate(answers: Answers, circumstances: Circumstances) -> Org:
    """Answer what the state says. A database that cannot be believed gives its damage and nothing else."""
    fact, tables = answers.rows(DATABASE), read_tables(answers)
    damage = _find_damage(fact, tables)
    if damage is not None:
        return Org(damage=damage[0], detail=damage[1])
    inquiries = list_inquiries(tables)
    runs = tuple(_read_run(row, answers, inquiries.get(read_text(row.get("task_id")), RunInquiries())) for row in tables.runs or ())
    files, left_out = _list_material(answers)
    session = _read_session(tables)
    return Org(
        session=session,
        runs=runs,
        events=tuple(_read_event(row) for row in tables.events or ()),
        suspension=_read_suspension(tables),
        files=files,
        stray_worker_files=_list_strays(answers, runs),
        warnings=tuple(_warn(fact, tables, left_out)),
        resume=show_resume(tables, circumstances.now) if session else (),
    )


def _find_damage(fact: RowsFact, tables: Tables) -> tuple[Verdict, Raw] | None:
    """Why nothing that the database says may be believed, and what was seen of it."""
    if fact.missing is Missing.GONE:
        return Verdict.DB_MISSING, Raw(fact.missing)
    if fact.missing is not None:
        return (Verdict.DB_CORRUPT if fact.missing in _DAMAGED else Verdict.SCHEMA_UNKNOWN), Raw(fact.missing)
    if fact.problem is not None:
        seen = compose(fact.problem, *((": ", Raw(fact.detail)) if fact.detail else ()))
        return (Verdict.DB_CORRUPT if fact.problem is DatabaseProblem.DAMAGED else Verdict.SCHEMA_UNKNOWN), seen
    versions = [row.get("version") for row in tables.versions or ()]
    newest = max((version for version in versions if isinstance(version, int)), default=None)
    if newest is None or newest > _NEWEST_SCHEMA:
        return Verdict.SCHEMA_UNKNOWN, Raw("it names no version of its schema" if newest is None else f"its schema has version {newest}")
    if tables.runs is None or (tables.sessions is None and newest >= _SESSIONS_SINCE):
        return Verdict.DB_CORRUPT, Raw("a table of its schema, or a column of it, is not there")
    return None


def _read_session(tables: Tables) -> OrgSession | None:
    row = next(iter(tables.sessions or ()), None)
    if row is None:
        return None
    instructions = read_text(row.get("resume_instructions"))
    return OrgSession(
        claimed=read_raw(row, "status") or Raw(""),
        status=_read_word(OrgStatus, row),
        objective=read_raw(row, "objective"),
        instructions=Raw(instructions.splitlines()[0].strip()) if instructions else None,
        moments=read_moments(row, "started_at", "updated_at", "suspended_at", "resumed_at"),
    )


def _read_run(row: Mapping[str, Cell], answers: Answers, inquiries: RunInquiries) -> Run:
    return Run(
        task_id=read_raw(row, "task_id") or Raw(""),
        claimed=read_raw(row, "status") or Raw(""),
        status=_read_word(RunStatus, row),
        title=read_raw(row, "title"),
        directory=read_raw(row, "directory"),
        branch=read_raw(row, "branch"),
        directory_branch=read_raw(row, "directory_branch"),
        commit=_read_lower(row, "commit_short"),
        pr_url=read_raw(row, "pr_url"),
        pr_state=_read_lower(row, "pr_state"),
        outcome=read_raw(row, "outcome_note"),
        worker_says=_read_worker_file(inquiries.worker_file, answers),
        moments=read_moments(row, "dispatched_at", "completed_at"),
        inquiries=inquiries,
    )


def _read_lower(row: Mapping[str, Cell], column: str) -> Raw | None:
    chars = read_text(row.get(column))
    return Raw(chars.lower()) if chars else None


def _read_word(words: type[_Word], row: Mapping[str, Cell]) -> _Word | None:
    chars = row.get("status")
    return words(chars) if isinstance(chars, str) and chars in tuple(words) else None


def _read_worker_file(inquiry: FileText | None, answers: Answers) -> Raw | None:
    """The word of the first line that begins with `status:`. A file of which only the end was read has no first line."""
    fact = answers.text(inquiry) if inquiry and inquiry in answers else None
    if fact is None or fact.text is None or fact.cut:
        return None
    lines = (line.strip() for line in fact.text.splitlines())
    said = _STATUS.match(next((line for line in lines if _STATUS_LINE.match(line)), ""))
    return Raw(said[1].lower()) if said else None


def _read_event(row: Mapping[str, Cell]) -> OrgEvent:
    at = find_moment(read_moments(row, "occurred_at"), "occurred_at")
    return OrgEvent(
        kind=read_raw(row, "kind") or Raw(""),
        at=replace(at, column="events.occurred_at") if at else None,
        actor=read_raw(row, "actor"),
    )


def _read_suspension(tables: Tables) -> Suspension | None:
    row = next(iter(tables.suspensions or ()), None)
    if row is None:
        return None
    payload = read_payload(row.get("payload_json"))
    reason = payload.get("reason")
    return Suspension(
        event=_read_event(row),
        reason=Raw(reason) if isinstance(reason, str) and reason.strip() else None,
        active_workers=read_count(payload, "active_workers"),
        pending_items=read_count(payload, "pending_items"),
    )


def _list_material(answers: Answers) -> tuple[tuple[Raw, ...], int]:
    """The names of notes and unsorted files, and how many were left out; hidden ones (`.gitkeep`) are none."""
    found = [
        f"{folder}/{name}"
        for folder in MATERIAL
        for name in answers.folder(FolderNames(path=Raw(folder))).names
        if not name.startswith(".")
    ]
    return tuple(map(Raw, found[: LIMITS.org_names])), max(0, len(found) - LIMITS.org_names)


def _list_strays(answers: Answers, runs: Sequence[Run]) -> tuple[Raw, ...]:
    """Worker files of which the database knows no run."""
    known = {run.task_id for run in runs}
    named = ((name, _WORKER_FILE.fullmatch(name)) for name in answers.folder(WORKERS).names)
    return tuple(Raw(f".state/workers/{name}") for name, worker in named if worker and Raw(worker[1]) not in known)


def _warn(fact: RowsFact, tables: Tables, left_out: int) -> Iterator[Raw]:
    open_runs = len(list_open_rows(tables))
    if fact.cut:
        yield Raw(f"the database holds more than {LIMITS.database_rows:,} runs; the later ones were not read")
    if open_runs > LIMITS.org_runs:
        yield Raw(f"{open_runs - LIMITS.org_runs:,} more open runs than the {LIMITS.org_runs} that were held against the machine")
    if left_out:
        yield Raw(f"{left_out:,} more names under {' and '.join(MATERIAL)} than are listed")
    for what, rows in (("events", tables.events), ("org_sessions", tables.sessions)):
        if rows is None:
            yield Raw(f"the database has no table {what}")
