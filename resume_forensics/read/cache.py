"""What was counted before: paths go in, and for each comes what is known of the file and how much of it is still to be read.

An SQLite file in the user's cache folder. It holds hashes, sizes, times and the counts that the caller packed, never text of a
transcript. It is a convenience: whatever goes wrong with it costs time, never an answer, and ends in a sentence among the remarks.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from zlib import crc32

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read.fingerprint import Identity, identify
from resume_forensics.read.freshness import Kept, Seen, compare, compare_whole
from resume_forensics.read.private import alone, make_private_file, make_private_folder

FILE: Final = "stats.sqlite3"
_APPLICATION: Final = 0x52465354
"""What SQLite writes into the head of the file, so that another program's is told apart."""

_TABLES: Final = (
    f"PRAGMA application_id = {_APPLICATION}",
    "CREATE TABLE about (definition TEXT NOT NULL)",
    """CREATE TABLE file (
      key INTEGER PRIMARY KEY, identity TEXT, samples BLOB, whole BLOB, counted INTEGER, payload BLOB, checksum INTEGER, used_on INTEGER
    )""",
    "CREATE INDEX file_used_on ON file (used_on)",
)
_FIND: Final = "SELECT identity, samples, whole, counted, payload, checksum, used_on FROM file WHERE key = ?"
_KEEP: Final = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_USE: Final = "UPDATE file SET used_on = ? WHERE key = ?"
_FORGET_OLD: Final = "DELETE FROM file WHERE used_on < ?"
_FORGET_MANY: Final = "DELETE FROM file WHERE key IN (SELECT key FROM file ORDER BY used_on, key LIMIT ?)"

_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Cache:
    """Ask `look` before a file is read, and tell `keep` what was counted. `remarks`: sentences about what went wrong.

    `folder` None: nothing is known and nothing is kept. `definition`: what the payloads mean; of another one nothing is taken over.
    `verify`: what the file system says is not believed, each file is read and compared in full. `today` orders what is forgotten first.
    """

    def __init__(self, folder: Path | None, definition: str, *, today: date, verify: bool = False, limits: Limits = LIMITS) -> None:
        self.remarks: list[str] = []
        self._folder = folder
        self._definition = definition
        self._today = today.toordinal()
        self._verify = verify
        self._limits = limits
        self._kept: dict[int, tuple[object, ...]] = {}
        self._used: list[tuple[int, int]] = []
        self._rebuilt = False
        self._connection: sqlite3.Connection | None = None
        if folder is not None:
            with self._survive():
                self._connection = self._open(folder)

    def look(self, path: Path) -> Seen:
        """Answer what is known of a file. Where all of it is known the file is not even opened (unless it is to be verified)."""
        identity = None if self._connection is None else identify(path)
        if identity is None:
            return Seen()
        kept = self._find(self._key(path))
        self._write(self._limits.cache_batch)
        return (compare_whole if self._verify else compare)(path, identity, kept, self._limits)

    def keep(self, path: Path, seen: Seen, payload: bytes, *, counted_bytes: int) -> None:
        """Remember what was counted of a file as it stood when it was seen.

        `counted_bytes`: the end of its last whole line, where counting goes on once the file has grown.
        """
        too_large = len(payload) > self._limits.cache_payload_bytes
        if self._connection is None or seen.identity is None or seen.samples is None or too_large:
            return
        row = (":".join(map(str, seen.identity)), seen.samples, seen.whole, counted_bytes, payload)
        self._kept[self._key(path)] = (*row, _checksum(*row), self._today)
        self._write(self._limits.cache_batch)

    def close(self) -> None:
        """Write what is still to be written, forget what is too old or too much, and let go of the file."""
        self._write(1)
        if self._connection is not None:
            with self._survive():
                self._forget(self._connection)
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        """Use it as a context; it is closed at the end, also where the sweep was interrupted."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close."""
        self.close()

    # -- the table

    def _key(self, path: Path) -> int:
        """A number for a path and what is kept of it; another path's is different with near certainty, and its identity in any case."""
        name = b"\0".join((self._definition.encode(), os.fsencode(os.path.abspath(path))))  # noqa: PTH100
        return int.from_bytes(blake2b(name, digest_size=8).digest(), signed=True)

    def _find(self, key: int) -> Kept | None:
        """What is kept under a key; a line that was damaged counts as none."""
        found = None
        if self._connection is not None:
            with self._survive():
                found = self._connection.execute(_FIND, (key,)).fetchone()
        if found is None or _checksum(*found[:5]) != found[5]:
            return None
        if found[6] != self._today:
            self._used.append((self._today, key))
        identity, *rest = found[:5]
        return Kept(Identity(*map(int, identity.split(":"))), *rest)

    def _write(self, at_least: int) -> None:
        """Write what waits, once there is so much of it. Where another sweep holds the file for long, it waits for the next time."""
        if self._connection is None or len(self._kept) + len(self._used) < at_least:
            return
        with self._survive():
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_USE, self._used)
            self._connection.executemany(_KEEP, ((key, *row) for key, row in self._kept.items()))
            self._connection.execute("COMMIT")
            self._used.clear()
            self._kept.clear()

    def _forget(self, connection: sqlite3.Connection) -> None:
        """Keep to the bounds: first what nobody asked for in a long time, then the oldest."""
        connection.execute(_FORGET_OLD, (self._today - self._limits.cache_days,))
        (files,) = connection.execute("SELECT count(*) FROM file").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
        surplus = files - self._limits.cache_files
        if pages * page_bytes > self._limits.cache_bytes:
            surplus = max(surplus, files - files * self._limits.cache_bytes // (2 * pages * page_bytes))
        if surplus > 0:
            connection.execute(_FORGET_MANY, (surplus,))
            connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free a single page

    # -- the file of the cache

    def _open(self, folder: Path) -> sqlite3.Connection:
        """Open the cache, or build it where there is none, it is damaged, or another version made it."""
        make_private_folder(folder)
        with alone(folder / f"{FILE}.lock"):
            connection, trouble = self._connect(folder)
            if trouble is not None:
                connection.close()
                self._remove(folder, trouble)
                connection, trouble = self._connect(folder)
        if trouble is not None:
            raise sqlite3.DatabaseError
        return connection

    def _connect(self, folder: Path) -> tuple[sqlite3.Connection, str | None]:
        """Open the file, and make the tables where it is empty; beside it why the file cannot be used, if so."""
        make_private_file(folder / FILE)
        connection = sqlite3.connect(folder / FILE, timeout=self._limits.cache_wait_s, isolation_level=None)
        try:
            return connection, self._prepare(connection)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                connection.close()
                raise
            return connection, "damaged"

    def _prepare(self, connection: sqlite3.Connection) -> str | None:
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._make_tables(connection)
        elif connection.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
            return "made by another program"
        elif connection.execute("SELECT definition FROM about").fetchall() != [(self._definition,)]:
            self._begin_again(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return None

    def _begin_again(self, connection: sqlite3.Connection) -> None:
        """Empty the cache of another version in place: a sweep of that version that still runs has keys of its own."""
        self.remarks.append(f"the cache in {self._folder} was made by another version; it is built anew")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM file")
        connection.execute("UPDATE about SET definition = ?", (self._definition,))
        connection.execute("COMMIT")

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        """All of them or none, whenever the process is killed."""
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute("INSERT INTO about VALUES (?)", (self._definition,))
        connection.execute("COMMIT")

    def _remove(self, folder: Path, trouble: str) -> None:
        """Take the files of the cache away. A sweep that has them open goes on with what it has, and disturbs nobody."""
        self.remarks.append(f"the cache in {folder} was {trouble}; it is built anew")
        for suffix in ("", "-wal", "-shm"):
            (folder / f"{FILE}{suffix}").unlink(missing_ok=True)

    @contextmanager
    def _survive(self) -> Iterator[None]:
        """Let nothing that goes wrong with the cache stop the sweep."""
        try:
            yield
        except sqlite3.Error as error:
            self._roll_back()
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in _DAMAGED and not self._rebuilt and self._folder is not None:
                self._rebuild(self._folder)
            elif code not in _BUSY:
                self._give_up(str(getattr(error, "sqlite_errorname", type(error).__name__)))
        except OSError as error:
            self._give_up(error.strerror or type(error).__name__)

    def _rebuild(self, folder: Path) -> None:
        """Begin again with an empty cache, once in a sweep."""
        self._rebuilt = True
        self._let_go()
        self._used.clear()
        with self._survive():
            with alone(folder / f"{FILE}.lock"):
                self._remove(folder, "damaged")
            self._connection = self._open(folder)

    def _give_up(self, why: str) -> None:
        self.remarks.append(f"the cache in {self._folder} could not be used ({why}); everything was counted without it from there on")
        self._let_go()

    def _roll_back(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def _let_go(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _checksum(identity: object, samples: object, whole: object, counted: object, payload: object) -> int:
    """Of one line, whatever the damaged file of a cache gives."""
    return crc32(payload if isinstance(payload, bytes) else b"", crc32(repr((identity, samples, whole, counted)).encode()))
