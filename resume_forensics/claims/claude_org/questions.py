"""What a claude-org's state asks of the machine: first its database and folders, then what each open run names.

Nothing is asked for a run beyond `LIMITS.org_runs`, nor at a path that a task id would lead out of its folder.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from resume_forensics.claims.claude_org.cells import read_text
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import (
    Answers,
    Cell,
    DatabaseRows,
    FileText,
    FolderNames,
    GitAncestor,
    GitDirty,
    GitLog,
    GitPlace,
    Inquiry,
    Rows,
)
from resume_forensics.model.org import RunInquiries
from resume_forensics.text import Raw
from resume_forensics.vocabulary import RunStatus

OPEN: Final = frozenset({RunStatus.IN_USE, RunStatus.REVIEW, RunStatus.SUSPENDED})
"""The statuses of a run that some worker may be at. The origin never writes `suspended`, and suspending the org leaves `in_use`."""

_VERSIONS: Final = "SELECT version FROM schema_migrations"
_SESSION: Final = "SELECT * FROM org_sessions WHERE id = 1"
_RUNS: Final = (
    "SELECT runs.*, worker_dirs.abs_path AS directory, worker_dirs.current_branch AS directory_branch"
    " FROM runs LEFT JOIN worker_dirs ON worker_dirs.id = runs.worker_dir_id"
    " ORDER BY runs.status IN ('completed', 'failed', 'abandoned'), runs.id"
)
_NEWEST: Final = f"ORDER BY id DESC LIMIT {LIMITS.org_events}"
_EVENTS: Final = (
    f"SELECT occurred_at, actor, kind FROM events WHERE kind NOT IN ('events_dropped', 'secretary_identity_restored') {_NEWEST}"  # noqa: S608 (a number of our own)
)
_SUSPENSION: Final = "SELECT occurred_at, actor, kind, payload_json FROM events WHERE kind = 'suspend' ORDER BY id DESC LIMIT 1"
"""Tables of the origin's schema.sql, migrations 1 to 3. Events go by their ids, for their times may be unreadable."""

DATABASE_PATH: Final = Raw(".state/state.db")
DATABASE: Final = DatabaseRows(path=DATABASE_PATH, selects=(_VERSIONS, _SESSION, _RUNS, _EVENTS, _SUSPENSION))
WORKERS: Final = FolderNames(path=Raw(".state/workers"))
MATERIAL: Final = ("notes", "knowledge/raw")
"""Folders of free-form notes, and of learnings that nobody sorted yet."""

_FILE_NAME: Final = re.compile(r"[^/\\\0]{1,200}")
_HASH: Final = re.compile(r"[0-9a-f]{4,40}")


class Tables(NamedTuple):
    """The rows of `DATABASE`; None for a table that is not there."""

    versions: Rows | None
    sessions: Rows | None
    runs: Rows | None
    events: Rows | None
    suspensions: Rows | None


def inquire(answers: Answers, circumstances: Circumstances) -> Iterator[Inquiry]:
    """Name what is still to be asked; the state needs nothing that the caller says."""
    del circumstances
    yield DATABASE
    yield WORKERS
    yield from (FolderNames(path=Raw(folder)) for folder in MATERIAL)
    if DATABASE in answers:
        for inquiries in list_inquiries(read_tables(answers)).values():
            yield from _ask_of_run(inquiries, answers)


def read_tables(answers: Answers) -> Tables:
    """The rows by the tables they come from; nothing where the database gave none."""
    rows = answers.rows(DATABASE).rows
    return Tables(*rows) if rows else Tables(None, None, None, None, None)


def list_open_rows(tables: Tables) -> list[Mapping[str, Cell]]:
    """The rows of runs that some worker may be at."""
    return [row for row in tables.runs or () if row.get("status") in OPEN]


def list_inquiries(tables: Tables) -> Mapping[str | None, RunInquiries]:
    """What is asked for each open run, by task id."""
    return {read_text(row.get("task_id")): _find_inquiries(row) for row in list_open_rows(tables)[: LIMITS.org_runs]}


def _find_inquiries(row: Mapping[str, Cell]) -> RunInquiries:
    """What is asked for one open run, by its row alone."""
    task_id, directory, commit = (read_text(row.get(column)) for column in ("task_id", "directory", "commit_short"))
    worker_file = FileText(path=Raw(f".state/workers/worker-{task_id}.md")) if task_id and _FILE_NAME.fullmatch(task_id) else None
    if directory is None:
        return RunInquiries(worker_file=worker_file)
    here = Raw(directory)
    return RunInquiries(
        worker_file=worker_file,
        place=GitPlace(directory=here),
        dirty=GitDirty(directory=here),
        log=GitLog(directory=here, commits=LIMITS.org_commits),
        ancestor=GitAncestor(directory=here, commit=Raw(commit)) if commit and _HASH.fullmatch(commit.lower()) else None,
    )


def _ask_of_run(inquiries: RunInquiries, answers: Answers) -> Iterator[Inquiry]:
    if inquiries.worker_file:
        yield inquiries.worker_file
    if inquiries.place is None:
        return
    yield inquiries.place
    if inquiries.place in answers and answers.place(inquiries.place).is_top:
        yield from (inquiry for inquiry in (inquiries.dirty, inquiries.log, inquiries.ancestor) if inquiry)
