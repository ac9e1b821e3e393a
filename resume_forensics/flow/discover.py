"""Which sessions belong to a directory, newest first. In: a selection and a harness. Out: `Session` values; nothing is joined here."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from resume_forensics.errors import NoSession, UnreadableFile
from resume_forensics.limits import LIMITS, WINDOW
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Record
from resume_forensics.model.session import Selection, Session, Source
from resume_forensics.read.files import Entry, list_folder, observe
from resume_forensics.read.places import Place
from resume_forensics.read.records import read_records
from resume_forensics.read.tail import BackwardReading
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def find_store(selection: Selection, harness: Harness) -> Path | None:
    """The store that is searched: the one named, the one that the session's path implies, else the user's own."""
    if selection.store is not None:
        return selection.store
    if selection.session is not None:
        return harness.store_of(selection.session)
    return harness.find_store(selection.home, dict(selection.environment)) if selection.home else None


def choose_session(selection: Selection, harness: Harness) -> tuple[Session, tuple[Session, ...]]:
    """Choose the session that is meant, and name the others of its directory, newest first.

    Raises `NoSession` where none fits, `UnreadableFile` where the named file is no readable regular file.
    """
    if selection.session is not None:
        chosen = open_session(selection.session, harness)
        return chosen, ()
    sessions = find_sessions(selection, harness)
    if selection.position >= len(sessions):
        raise NoSession(_explain_none(selection, len(sessions), explain_store(selection, harness)))
    chosen = sessions[selection.position]
    return chosen, tuple(one for one in sessions if one is not chosen)


def explain_store(selection: Selection, harness: Harness) -> str | None:
    """Why the store that is searched holds nothing at all; None where it is a folder."""
    store = find_store(selection, harness)
    if store is None:
        return "no home folder is known to look for a store in"
    return None if observe(store).missing is Missing.DIRECTORY else f"there is no store at {str(store)!r}"


def _explain_none(selection: Selection, found: int, no_store: str | None) -> str:
    where = f"{str(selection.directory)!r}"
    if found == 0:
        why = f" ({no_store})" if no_store else ""
        others = "name another directory with --cwd, a store with --projects-dir, or a file with --session"
        return f"no session of {where} was found{why}; {others}"
    return f"{where} has only {found} session{'s' if found > 1 else ''}; --list-sessions shows them"


def open_session(path: Path, harness: Harness) -> Session:
    """Look at one session file. Where it is gone but its folder is left, the session is what is left."""
    fact = observe(path)
    left = list_folder(path.with_suffix("")) if fact.missing in (Missing.GONE, Missing.DANGLING_LINK) and path.suffix else ()
    if any(left):
        when = max((entry.modified_at for entry in left if entry.modified_at), default=_LONG_AGO)
        return Session(path=path, session_id=Raw(path.stem), main_exists=False, size_bytes=0, last_activity_at=when, directories=())
    return probe(path, fact.size_bytes or 0, fact.modified_at, harness)


def find_sessions(selection: Selection, harness: Harness) -> list[Session]:
    """Every session of the selection's directory, newest first.

    Folders named after the directory are searched first, and all others only where these hold none: a slug is lossy and a project
    may have moved, so the records decide.
    """
    store = find_store(selection, harness)
    if store is None:
        return []
    place = Place(selection.directory)
    folders = [entry.name for entry in list_folder(store) if entry.is_dir]
    named = [name for name in folders if place.matches_folder(name, harness.slug, harness.slug_prefix_chars)]
    found = [session for name in named for session in probe_folder(store / name, harness) if _belongs(session, place, by_name=True)]
    if not found:
        others = (name for name in folders if name not in named)
        found = [session for name in others for session in probe_folder(store / name, harness) if _belongs(session, place, by_name=False)]
    return sort_newest_first(found)


def sort_newest_first(sessions: list[Session]) -> list[Session]:
    """Newest activity first; equal times by path."""
    return sorted(sorted(sessions, key=lambda one: str(one.path)), key=lambda one: one.last_activity_at, reverse=True)


def _belongs(session: Session, place: Place, *, by_name: bool) -> bool:
    """A session says itself where it belongs; one that does not say belongs where its folder's name points."""
    return any(place.is_named(directory) for directory in session.directories) if session.directories else by_name


def session_entries(folder: Path, harness: Harness) -> Iterator[Entry]:
    """The session files of a folder: regular, not empty, named as sessions are."""
    return (entry for entry in list_folder(folder) if entry.is_file and entry.size_bytes and harness.is_session_name(entry.name))


def probe_folder(folder: Path, harness: Harness) -> Iterator[Session]:
    """Look at the head and the end of every session file in a folder. A file that cannot be opened is passed over."""
    for entry in session_entries(folder, harness):
        try:
            yield probe(folder / entry.name, entry.size_bytes or 0, entry.modified_at, harness)
        except UnreadableFile:
            continue


def probe(path: Path, size_bytes: int, modified_at: datetime | None, harness: Harness) -> Session:
    """Look at the head of one session file for its directories and at its end for its last activity."""
    source = Source(path=path)
    directories: dict[Raw, None] = {}
    moved: Raw | None = None
    for number, item in enumerate(read_records(path, max_bytes=LIMITS.probe_bytes, limits=WINDOW)):
        if number >= LIMITS.probe_lines:
            break
        if isinstance(item, Record) and (belonging := harness.belonging_of(item, source)):
            moved = belonging.moved_to or moved
            if belonging.directory:
                directories[belonging.directory] = None
    ended_at, moved_late, directory = _probe_end(path, source, harness)
    moved = moved_late or moved
    when = ended_at or modified_at
    if directory:
        directories.pop(directory, None)  # the last one named stands last
        directories[directory] = None
    return Session(
        path=path,
        session_id=Raw(path.stem),
        main_exists=True,
        size_bytes=size_bytes,
        last_activity_at=when or _LONG_AGO,
        directories=(moved,) if moved else tuple(directories),
    )


def _probe_end(path: Path, source: Source, harness: Harness) -> tuple[datetime | None, Raw | None, Raw | None]:
    """The time of the last activity, where a later record says that the session moved to, and the directory of that activity."""
    moved: Raw | None = None
    for item in BackwardReading(path, max_bytes=LIMITS.probe_bytes, limits=WINDOW):
        if not isinstance(item, Record):
            continue
        belonging = harness.belonging_of(item, source)
        moved = moved or (belonging.moved_to if belonging else None)
        when = harness.time_of(item)
        if when is not None and harness.is_activity(item):
            return when, moved, belonging.directory if belonging else None
    return None, moved, None
