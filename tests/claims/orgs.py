"""Makes the state of a claude-org: a database as its schema has it, on the disk, or as the answers that its rows would give."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from resume_forensics.claims.claude_org.questions import DATABASE, MATERIAL, WORKERS
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import Answer, Answers, Cell, FolderFact, FolderNames, Inquiry, RowsFact
from resume_forensics.text import Raw

NOW = datetime(2026, 1, 2, 9, 0, 0, 45_000, UTC)
CIRCUMSTANCES = Circumstances(now=NOW, root=Raw("/org"))

SCHEMA = """
CREATE TABLE worker_dirs(id INTEGER PRIMARY KEY, abs_path TEXT NOT NULL UNIQUE, current_branch TEXT);
CREATE TABLE runs(id INTEGER PRIMARY KEY, task_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL DEFAULT 'a title',
  status TEXT NOT NULL DEFAULT 'in_use', branch TEXT, pr_url TEXT, pr_state TEXT, dispatched_at TEXT, completed_at TEXT,
  worker_dir_id INTEGER REFERENCES worker_dirs(id), commit_short TEXT, outcome_note TEXT);
CREATE TABLE events(id INTEGER PRIMARY KEY AUTOINCREMENT, occurred_at TEXT NOT NULL, actor TEXT, kind TEXT NOT NULL,
  payload_json TEXT NOT NULL DEFAULT '{}' CHECK(json_valid(payload_json)));
CREATE TABLE org_sessions(id INTEGER PRIMARY KEY CHECK(id=1), status TEXT NOT NULL DEFAULT 'ACTIVE', started_at TEXT, updated_at TEXT,
  suspended_at TEXT, resumed_at TEXT, objective TEXT, resume_instructions TEXT);
CREATE TABLE schema_migrations(version INTEGER PRIMARY KEY, description TEXT NOT NULL);
INSERT INTO schema_migrations VALUES (1, 'first'), (2, 'sessions'), (3, 'deliveries');
"""
SUSPENDED = "INSERT INTO org_sessions(id, status, updated_at, objective) VALUES (1, 'SUSPENDED', '2026-01-01T18:00:00.000Z', 'the blog');"


def write_database(path: Path, *scripts: str, wal: bool = False) -> Path:
    """A database of the schema and further scripts, in the write-ahead mode of the origin if so wished."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
        for script in (SCHEMA, *scripts):
            connection.executescript(script)
    return path


Row = Mapping[str, Cell]


def answer(  # noqa: PLR0913 (one table each)
    *,
    versions: Sequence[Row] | None = ({"version": 1}, {"version": 3}),
    sessions: Sequence[Row] | None = (),
    runs: Sequence[Row] | None = (),
    events: Sequence[Row] | None = (),
    suspensions: Sequence[Row] | None = (),
    cut: bool = False,
    folders: Mapping[str, Sequence[str]] | None = None,
    others: Mapping[Any, Answer] | None = None,
) -> Answers:
    """The answers that a database of these rows gives, with the names in its folders, and any others."""
    tables = tuple(None if rows is None else tuple(rows) for rows in (versions, sessions, runs, events, suspensions))
    return answer_fact(RowsFact(rows=tables, cut=cut), folders, others)


def answer_fact(fact: RowsFact, folders: Mapping[str, Sequence[str]] | None = None, others: Mapping[Any, Answer] | None = None) -> Answers:
    """The same for any fact about the database."""
    places = (WORKERS, *(FolderNames(path=Raw(name)) for name in MATERIAL))
    held: dict[Inquiry, Answer] = {FolderNames(path=Raw(name)): FolderFact(names=tuple(names)) for name, names in (folders or {}).items()}
    return Answers({DATABASE: fact, **{place: FolderFact() for place in places}, **held, **(others or {})})
