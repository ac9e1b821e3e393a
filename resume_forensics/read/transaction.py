"""SQL statements for a database of another program go in; it takes all of them or none, and a refusal says why none.

It never waits long for another writer, and leaves the file as SQLite leaves it: what a dying process had begun, the next one undoes.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.write import Statement
from resume_forensics.read.database import read_code
from resume_forensics.read.files import observe
from resume_forensics.vocabulary import Refusal


def commit(path: Path, statements: Sequence[Statement], *, limits: Limits = LIMITS) -> Refusal | None:
    """Run the statements in one BEGIN IMMEDIATE transaction; answer None once it is committed, else why nothing was changed.

    `changed-since-read`: a statement met another number of rows than it names, or another writer held the database for
    `LIMITS.database_wait_s`. `state-unreadable`: there is no database, or SQLite could not write it.
    """
    if observe(path).missing is not None:
        return Refusal.STATE_UNREADABLE
    place = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(place, uri=True, isolation_level=None, timeout=limits.database_wait_s)) as connection:
            return _take(connection, statements)
    except sqlite3.Error as error:
        busy = read_code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        return Refusal.CHANGED_SINCE_READ if busy else Refusal.STATE_UNREADABLE


def _take(connection: sqlite3.Connection, statements: Sequence[Statement]) -> Refusal | None:
    """The transaction itself; closing the connection before COMMIT takes everything back."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements:
        changed = connection.execute(statement.sql, statement.values).rowcount
        if statement.rows is not None and changed != statement.rows:
            return Refusal.CHANGED_SINCE_READ
    connection.execute("COMMIT")
    return None
