"""A SQLite database of another program goes in, rows come out; it is read from a private copy, so that nothing beside it changes.

Opened in place, a database with a write-ahead log gets a shared-memory file, or shows old rows; a copy of database and logs is both
complete and the reader's own. The database may be a trap: damage, endless views and giant values become a `DatabaseProblem`.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.inquiry import Cell, Rows, RowsFact
from resume_forensics.read.files import observe, open_regular
from resume_forensics.vocabulary import DatabaseProblem, Missing

_LOGS: Final = ("-wal", "-journal")
"""What SQLite itself replays when it opens a database: the write-ahead log, and the rollback journal of a writer that died."""

_STEPS_BETWEEN_LOOKS: Final = 100_000
"""How often SQLite's machine asks whether it may go on."""

_RESTRAINTS: Final = ("query_only = ON", "temp_store = MEMORY", "cell_size_check = ON")
"""`trusted_schema = OFF` is none of them: SQLite 3.40 then takes a CHECK that calls json_valid for damage."""

_NO_DAMAGE: Final = ("ok", "NULL value in", "CHECK constraint failed in", "NUMERIC value in", "TEXT value in", "non-unique")
"""What `PRAGMA quick_check` (SQLite 3.31 to 3.46) says of a sound file: that it is, or that a value breaks a rule of its table."""


_PRIMARY_CODE: Final = 255
"""SQLite's extended result codes hold the primary one in the lowest byte (sqlite.org/rescode.html)."""


class _Refused(Exception):  # noqa: N818 (it never leaves this file)
    """Reading stops; the problem says why, the detail is SQLite's own."""

    def __init__(self, problem: DatabaseProblem, detail: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.detail = detail


def read_rows(path: Path, selects: Sequence[str], *, limits: Limits = LIMITS) -> RowsFact:
    """Answer the rows of each select, at most `LIMITS.database_rows` of each; a value that is a blob is read as text.

    The copy stands in a folder of this user's own (mode 0700) and is deleted in any case.
    """
    missing = observe(path).missing
    if missing not in {None, Missing.EMPTY}:
        return RowsFact(missing=missing)
    try:
        with tempfile.TemporaryDirectory(prefix="resume-forensics-") as folder:
            copy = Path(folder) / "copy.db"
            _copy_settled(path, copy, limits)
            return _ask(copy, selects, limits)
    except _Refused as refused:
        return RowsFact(problem=refused.problem, detail=refused.detail)
    except (OSError, UnreadableFile):
        return RowsFact(problem=DatabaseProblem.UNREADABLE)


def read_code(error: sqlite3.Error) -> int:
    """Answer SQLite's primary result code; an error of the Python module itself has none and counts as SQLITE_ERROR."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE


def _copy_settled(path: Path, copy: Path, limits: Limits) -> None:
    """Copy database and logs as they stood at one moment: again, if one of them changed meanwhile."""
    for _ in range(limits.database_copies):
        before = _signature(path)
        if sum(part[0] for part in before if part) > limits.database_bytes:
            raise _Refused(DatabaseProblem.TOO_LARGE)
        for suffix, part in zip(("", *_LOGS), before, strict=True):
            target = Path(f"{copy}{suffix}")
            target.unlink(missing_ok=True)
            if part is not None:
                _copy_file(Path(f"{path}{suffix}"), target, part[0], limits)
        if _signature(path) == before:
            return
    raise _Refused(DatabaseProblem.CHANGING)


def _signature(path: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Size, modification time and identity of database and logs; None for one that is not there."""
    return tuple(_state(f"{path}{suffix}") for suffix in ("", *_LOGS))


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 (the three files differ by a suffix)
    except FileNotFoundError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _copy_file(source: Path, target: Path, size_bytes: int, limits: Limits) -> None:
    """Copy the bytes that a file had when it was asked."""
    with open_regular(source) as stream, target.open("xb") as out:
        while size_bytes > 0 and (block := stream.read(min(size_bytes, limits.block_bytes))):
            out.write(block)
            size_bytes -= len(block)


def _ask(copy: Path, selects: Sequence[str], limits: Limits) -> RowsFact:
    """Ask the copy."""
    budget = _Budget(limits)
    try:
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=rw", uri=True, isolation_level=None)) as connection:
            _restrain(connection, budget)
            _look_for_damage(connection)
            rows = tuple(_rows(connection, select, budget) for select in selects)
    except sqlite3.Error as error:
        too_much = read_code(error) in {sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG}
        raise _Refused(DatabaseProblem.TOO_LARGE if too_much else DatabaseProblem.DAMAGED, str(error)) from None
    except ValueError:  # a name in the database, or SQLite's sentence about it, is no UTF-8
        raise _Refused(DatabaseProblem.DAMAGED) from None
    return RowsFact(rows=rows, cut=budget.cut)


class _Budget:
    """What a database may cost: steps of SQLite's machine, and bytes of answers."""

    __slots__ = ("cut", "left_bytes", "left_steps", "limits")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left_steps = limits.database_steps
        self.left_bytes = limits.database_answer_bytes
        self.cut = False

    def step(self) -> bool:
        """Count steps; true stops the machine."""
        self.left_steps -= _STEPS_BETWEEN_LOOKS
        return self.left_steps < 0

    def pay(self, value: object) -> None:
        """Count the bytes of an answer."""
        self.left_bytes -= len(value) if isinstance(value, str | bytes) else 8
        if self.left_bytes < 0:
            raise _Refused(DatabaseProblem.TOO_LARGE)


def _restrain(connection: sqlite3.Connection, budget: _Budget) -> None:
    """Keep what the database brings along (views, triggers, functions, giant values) from doing anything but answer."""
    connection.text_factory = _decode
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, budget.limits.database_cell_bytes)
    connection.set_progress_handler(budget.step, _STEPS_BETWEEN_LOOKS)
    for restraint in _RESTRAINTS:
        connection.execute(f"PRAGMA {restraint}")


def _look_for_damage(connection: sqlite3.Connection) -> None:
    """Let SQLite check its pages: a table that lost some of them still answers with the rest."""
    try:
        findings = [str(finding) for (finding,) in connection.execute("PRAGMA quick_check(10)")]
    except sqlite3.OperationalError as error:
        if read_code(error) == sqlite3.SQLITE_ERROR:  # a module or function of its schema is not here: no damage
            return
        raise
    for finding in findings:
        if not finding.startswith(_NO_DAMAGE):
            raise _Refused(DatabaseProblem.DAMAGED, finding)


def _rows(connection: sqlite3.Connection, select: str, budget: _Budget) -> Rows | None:
    """The rows of one select; None where SQLite cannot make sense of it, because a table or column is not there."""
    try:
        cursor = connection.execute(select)
        names = [column[0] for column in cursor.description]
        return tuple(_cells(names, row, budget) for row in _bounded(cursor, budget))
    except sqlite3.OperationalError as error:
        if read_code(error) == sqlite3.SQLITE_ERROR:
            return None
        raise


def _bounded(cursor: sqlite3.Cursor, budget: _Budget) -> Iterator[tuple[object, ...]]:
    for number, row in enumerate(cursor):
        if number == budget.limits.database_rows:
            budget.cut = True
            return
        yield row


def _cells(names: Sequence[str], row: tuple[object, ...], budget: _Budget) -> Mapping[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, value in zip(names, row, strict=True):
        budget.pay(value)
        cells[name] = _decode(value) if isinstance(value, bytes) else value if isinstance(value, str | int | float) else None
    return cells


def _decode(stored: bytes) -> str:
    return stored.decode(errors="replace")
