"""A database takes all statements or none; a process that dies at any step leaves the old rows or the new ones."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.write import Statement
from resume_forensics.read.database import read_rows
from resume_forensics.read.transaction import commit
from resume_forensics.vocabulary import Refusal

STATEMENTS = (
    Statement(sql="UPDATE s SET status = ? WHERE status = ?", values=("ACTIVE", "SUSPENDED"), rows=1),
    Statement(sql="INSERT INTO e(kind) VALUES (?)", values=("resume",)),
)
OLD, NEW = ("SUSPENDED", 0), ("ACTIVE", 1)

CHILD = """
import os, signal, sqlite3, sys
from pathlib import Path
steps = int(sys.argv[2])
class Mortal(sqlite3.Connection):
    def execute(self, *args):
        global steps
        if steps == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        steps -= 1
        return super().execute(*args)
connect = sqlite3.connect
sqlite3.connect = lambda *args, **named: connect(*args, factory=Mortal, **named)
from resume_forensics.model.write import Statement
from resume_forensics.read.transaction import commit
commit(Path(sys.argv[1]), [
    Statement(sql="UPDATE s SET status = ? WHERE status = ?", values=("ACTIVE", "SUSPENDED"), rows=1),
    Statement(sql="INSERT INTO e(kind) VALUES (?)", values=("resume",)),
])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(params=["DELETE", "WAL"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A small database in each of SQLite's journal modes."""
    made = tmp_path / "state.db"
    with closing(sqlite3.connect(made)) as connection:
        connection.execute(f"PRAGMA journal_mode = {request.param}")
        connection.executescript("CREATE TABLE s(status); CREATE TABLE e(kind); INSERT INTO s VALUES ('SUSPENDED');")
    return made


def seen(path: Path) -> tuple[object, object]:
    """The status, and the number of events."""
    (row,) = read_rows(path, ["SELECT status, (SELECT count(*) FROM e) AS events FROM s"]).rows[0] or ()
    return row["status"], row["events"]


def test_all_statements_are_taken(path: Path) -> None:
    assert commit(path, STATEMENTS) is None
    assert seen(path) == NEW


def test_a_statement_that_meets_other_rows_takes_everything_back(path: Path) -> None:
    late = Statement(sql="UPDATE s SET status = 'x' WHERE status = 'IDLE'", rows=1)
    assert commit(path, [STATEMENTS[1], late]) is Refusal.CHANGED_SINCE_READ
    assert seen(path) == OLD


def test_a_statement_that_fails_takes_everything_back(path: Path) -> None:
    assert commit(path, [*STATEMENTS, Statement(sql="INSERT INTO nobody VALUES (1)")]) is Refusal.STATE_UNREADABLE
    assert seen(path) == OLD


def test_a_second_time_finds_nothing_to_change(path: Path) -> None:
    commit(path, STATEMENTS)
    assert commit(path, STATEMENTS) is Refusal.CHANGED_SINCE_READ
    assert seen(path) == NEW


def test_another_writer_is_not_waited_for_long(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert commit(path, STATEMENTS, limits=Limits(database_wait_s=0)) is Refusal.CHANGED_SINCE_READ
    assert seen(path) == OLD


def test_what_is_no_database_is_not_written(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"no database" * 1000)
    assert commit(damaged, STATEMENTS) is Refusal.STATE_UNREADABLE
    assert commit(tmp_path / "nowhere.db", STATEMENTS) is Refusal.STATE_UNREADABLE
    assert damaged.read_bytes() == b"no database" * 1000
    assert [entry.name for entry in tmp_path.iterdir()] == ["damaged.db"]


@pytest.mark.parametrize("steps", range(5))
def test_a_process_that_dies_between_two_steps_leaves_the_old_state_or_the_new(path: Path, steps: int) -> None:
    """Steps: begin, update, insert, commit; then the connection is closed and the process dies in any case."""
    died = subprocess.run([sys.executable, "-c", CHILD, str(path), str(steps)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert seen(path) == (NEW if steps == 4 else OLD)
    assert commit(path, STATEMENTS) is (Refusal.CHANGED_SINCE_READ if steps == 4 else None)
    assert seen(path) == NEW
