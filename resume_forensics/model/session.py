"""A session: the files that hold it, and what is known of it before its events are joined."""

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from resume_forensics.text import Raw


class Source(Struct, frozen=True, kw_only=True):
    """One transcript file. `order` ranks the files of a scan; `owner` is the worker whose own transcript it is.

    `later` marks a later session of the same directory, which is searched for the ends of workers alone.
    """

    path: Path
    order: int = 0
    owner: Raw | None = None
    later: bool = False


class Session(Struct, frozen=True, kw_only=True):
    """One session on disk.

    `path` is the main transcript, also where that file is gone and only `<id>/` is left (`main_exists` false).
    `last_activity_at`: newest timestamp of a user, assistant or system record, else the modification time.
    `directories`: every working directory that its probed records name, oldest first.
    """

    path: Path
    session_id: Raw
    main_exists: bool
    size_bytes: int
    last_activity_at: datetime
    directories: tuple[Raw, ...]


class Selection(Struct, frozen=True, kw_only=True):
    """Which session is meant, and where sessions are looked for.

    `session`: that file and no other; `store` is then what its path implies. Else the sessions that belong to `directory` are
    ordered newest first and `position` picks one (0 the newest, 1 the one before). `store`: the folder that `--projects-dir`
    named; where it is None, `home` and `environment` tell where each harness keeps its own.
    """

    directory: Path
    session: Path | None = None
    position: int = 0
    store: Path | None = None
    harness: str | None = None
    home: Path | None = None
    environment: tuple[tuple[str, str], ...] = ()
