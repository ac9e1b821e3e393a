"""A database is read from a private copy, whole, and nothing beside it changes; what is wrong with it is a value."""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.read import database
from resume_forensics.read.database import read_rows
from resume_forensics.vocabulary import DatabaseProblem, Missing

RUNS = "CREATE TABLE runs(id INTEGER PRIMARY KEY, task_id TEXT, note); INSERT INTO runs VALUES (1, 'oauth', 1.5), (2, 'search', NULL);"
ALL = "SELECT * FROM runs ORDER BY id"
ENDLESS = "CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c;"


def make(path: Path, *scripts: str) -> Path:
    """A database of scripts, without one of the runs."""
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts or (RUNS,):
            connection.executescript(script)
    return path


def photograph(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything in a folder: mode, modification time, content; and of the folder itself."""
    return {
        str(path): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in (folder, *sorted(folder.rglob("*")))
    }


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for private copies, so that a test sees what was left behind."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder for the database."""
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


@pytest.fixture
def logged(place: Path) -> Path:
    """A database whose newest row stands in the write-ahead log alone, as after a crash: no shared-memory file beside it."""
    with closing(sqlite3.connect(place / "made.db", isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {RUNS} PRAGMA wal_checkpoint(TRUNCATE);")
        connection.execute("INSERT INTO runs VALUES (3, 'in the log', 'x')")
        for suffix in ("", "-wal"):
            Path(f"{place / 'state.db'}{suffix}").write_bytes(Path(f"{place / 'made.db'}{suffix}").read_bytes())
    (place / "made.db").unlink()
    return place / "state.db"


def test_rows_come_in_the_order_of_the_selects(place: Path) -> None:
    fact = read_rows(make(place / "state.db"), [ALL, "SELECT count(*) AS n FROM runs"])
    assert (fact.missing, fact.problem, fact.cut) == (None, None, False)
    assert fact.rows == (
        ({"id": 1, "task_id": "oauth", "note": 1.5}, {"id": 2, "task_id": "search", "note": None}),
        ({"n": 2},),
    )


def test_rows_of_the_log_are_seen_and_nothing_beside_it_changes(logged: Path, temporary: Path) -> None:
    before = photograph(logged.parent)
    fact = read_rows(logged, ["SELECT task_id FROM runs ORDER BY id DESC LIMIT 1"])
    assert fact.rows == (({"task_id": "in the log"},),)
    assert photograph(logged.parent) == before
    assert list(temporary.iterdir()) == []


def test_a_transaction_that_died_is_rolled_back(place: Path) -> None:
    """Without its rollback journal the copy would show half of a transaction."""
    path = make(place / "made.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("PRAGMA cache_size = 1; BEGIN; UPDATE runs SET task_id = 'half';")
        connection.executemany("INSERT INTO runs(note) VALUES (?)", [("x" * 1000,)] * 100)
        for suffix in ("", "-journal"):
            Path(f"{place / 'state.db'}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
        connection.execute("ROLLBACK")
    assert b"half" in (place / "state.db").read_bytes()
    assert read_rows(place / "state.db", ["SELECT task_id FROM runs ORDER BY id"]).rows == (({"task_id": "oauth"}, {"task_id": "search"}),)


def test_the_copy_is_this_users_own_and_is_deleted_when_reading_fails(
    logged: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []

    def fail(*_: object) -> None:
        modes.extend(stat.st_mode & 0o777 for stat in map(Path.stat, temporary.iterdir()))
        raise OSError

    monkeypatch.setattr(database, "_ask", fail)
    assert read_rows(logged, [ALL]).problem is DatabaseProblem.UNREADABLE
    assert modes == [0o700]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("select", ["SELECT * FROM nobody", "SELECT nothing FROM runs", "SELECT nofunction(1) FROM runs"])
def test_what_is_not_there_is_none_and_the_rest_is_answered(place: Path, select: str) -> None:
    fact = read_rows(make(place / "state.db"), [select, "SELECT count(*) AS n FROM runs"])
    assert fact.rows == (None, ({"n": 2},))


def test_a_blob_and_text_that_is_no_utf8_are_read_as_text(place: Path) -> None:
    path = make(place / "state.db", "CREATE TABLE t(a, b); INSERT INTO t VALUES (X'41FF', CAST(X'42FE' AS TEXT));")
    assert read_rows(path, ["SELECT * FROM t"]).rows == (({"a": "A�", "b": "B�"},),)


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + bytes(range(256)) * 16, b"no database at all" * 100, b"SQLite format 3\0"])
def test_damage_is_a_value(place: Path, content: bytes) -> None:
    path = place / "state.db"
    path.write_bytes(content)
    before = photograph(place)
    fact = read_rows(path, [ALL])
    assert (fact.problem, fact.rows) == (DatabaseProblem.DAMAGED, ())
    assert fact.detail
    assert photograph(place) == before


def test_a_page_that_was_lost_is_damage_even_where_no_select_meets_it(place: Path) -> None:
    path = make(place / "state.db", RUNS, "CREATE TABLE other(x); INSERT INTO other VALUES (zeroblob(20000));")
    os.truncate(path, path.stat().st_size - 4096)
    assert read_rows(path, [ALL]).problem is DatabaseProblem.DAMAGED


def test_a_broken_rule_of_a_table_is_no_damage(place: Path) -> None:
    path = make(
        place / "state.db",
        "CREATE TABLE t(a INTEGER CHECK(a > 0)); PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (-1);",
    )
    assert read_rows(path, ["SELECT a FROM t"]).rows == (({"a": -1},),)


def test_a_rule_that_calls_a_function_is_no_damage(place: Path) -> None:
    path = make(place / "state.db", "CREATE TABLE t(a CHECK(json_valid(a))); INSERT INTO t VALUES ('{}');")
    assert read_rows(path, ["SELECT a FROM t"]).rows == (({"a": "{}"},),)


def test_a_module_of_the_schema_that_is_not_here_is_no_damage(place: Path) -> None:
    path = make(
        place / "state.db",
        RUNS,
        "PRAGMA writable_schema = ON;"
        "INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING nowhere(a)'); PRAGMA writable_schema = OFF;",
    )
    assert read_rows(path, ["SELECT count(*) AS n FROM runs"]).rows == (({"n": 2},),)


def test_an_empty_file_is_a_database_without_tables(place: Path) -> None:
    (place / "state.db").touch()
    assert read_rows(place / "state.db", [ALL]).rows == (None,)


def test_a_name_that_is_no_utf8_is_damage(place: Path) -> None:
    path = make(place / "state.db", "CREATE TABLE t(abcdefg);")
    path.write_bytes(path.read_bytes().replace(b"abcdefg", b"abc\xff\xfe\xfdg"))
    assert read_rows(path, ["SELECT * FROM t"]).problem is DatabaseProblem.DAMAGED


def test_what_is_no_regular_file_is_missing(place: Path) -> None:
    os.mkfifo(place / "pipe")
    (place / "link").symlink_to(place / "nowhere")
    assert read_rows(place / "state.db", [ALL]).missing is Missing.GONE
    assert read_rows(place, [ALL]).missing is Missing.DIRECTORY
    assert read_rows(place / "pipe", [ALL]).missing is Missing.NOT_REGULAR
    assert read_rows(place / "link", [ALL]).missing is Missing.DANGLING_LINK


@pytest.mark.parametrize(
    ("limits", "script"),
    [
        (Limits(database_bytes=100), ""),
        (Limits(database_steps=100_000), ENDLESS),
        (Limits(database_cell_bytes=2_000), "INSERT INTO runs VALUES (3, zeroblob(5000), 0);"),
        (Limits(database_answer_bytes=20), ""),
    ],
)
def test_a_database_that_costs_too_much_is_not_read(place: Path, limits: Limits, script: str) -> None:
    fact = read_rows(make(place / "state.db", RUNS, script), ["SELECT * FROM runs", "SELECT * FROM endless"], limits=limits)
    assert (fact.problem, fact.rows) == (DatabaseProblem.TOO_LARGE, ())


def test_rows_beyond_the_bound_are_said_to_be_cut(place: Path) -> None:
    fact = read_rows(make(place / "state.db"), ["SELECT id FROM runs ORDER BY id"], limits=Limits(database_rows=1))
    assert (fact.rows, fact.cut) == ((({"id": 1},),), True)


def test_a_database_that_changes_while_it_is_copied_is_copied_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(place / "state.db")
    copies: list[Path] = []
    copy_file = database._copy_file

    def copy_and_write(source: Path, target: Path, size_bytes: int, limits: Limits) -> None:
        copy_file(source, target, size_bytes, limits)
        copies.append(source)
        if len(copies) == 1:
            make(path, "INSERT INTO runs VALUES (3, 'late', 0);")

    monkeypatch.setattr(database, "_copy_file", copy_and_write)
    assert read_rows(path, ["SELECT count(*) AS n FROM runs"]).rows == (({"n": 3},),)
    assert copies == [path, path]


def test_a_database_that_never_rests_is_not_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(place / "state.db")
    moments = iter(range(1000))
    monkeypatch.setattr(database, "_signature", lambda _: ((1, next(moments), 1), None, None))
    assert read_rows(path, [ALL]).problem is DatabaseProblem.CHANGING


def test_every_cut_of_a_database_is_answered(place: Path) -> None:
    """A database cut anywhere gives rows, or says what is wrong; it never raises."""
    whole = make(place / "whole.db").read_bytes()
    path = place / "state.db"
    outcomes = set()
    for size in [*range(120), *range(120, len(whole), 97)]:
        path.write_bytes(whole[:size])
        fact = read_rows(path, [ALL])
        outcomes.add(fact.problem)
        assert fact.problem is not None or fact.rows == (None,)
    assert outcomes == {None, DatabaseProblem.DAMAGED}
