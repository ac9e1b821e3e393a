"""Which sessions of all directories belong to one repository, newest first. In: a selection and a search. Out: a sealed `Discovery`.

Only the head and the end of a session are looked at, and its records counted; nothing that it says comes out.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path, PurePath

from resume_forensics.errors import UnreadableFile
from resume_forensics.flow.discover import explain_store, find_store, probe, session_entries, sort_newest_first
from resume_forensics.flow.scan import find_harness
from resume_forensics.flow.surroundings import find_own_sessions
from resume_forensics.harness import HARNESSES
from resume_forensics.limits import LIMITS
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.discovery import Discovery, FoundSession, Search
from resume_forensics.model.layout import Harness
from resume_forensics.model.session import Selection, Session
from resume_forensics.read.files import Entry, list_folder
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.repositories import name_repository, names_repository
from resume_forensics.read.search import Needles
from resume_forensics.text import Masked, Raw

_SPARE = timedelta(days=1)
"""A file is written after its last record; a day is left for clocks that differ."""

_UNKNOWN_SELF = "which session is your own could not be known; if it is among these, name it with --exclude"


def discover(selection: Selection, search: Search, *, now: datetime) -> Discovery[Masked]:
    """Answer the newest sessions whose records name a directory of the repository, at most `search.cap`.

    Every harness is searched, or the one that is named; with a store named, that harness alone. Raises `WrongUse` for a harness
    that there is none of.
    """
    repository = search.repository or name_repository(selection.directory)
    unwanted = {name for value in search.excluded for name in map(_read_id, value.split(",")) if name}
    found: list[tuple[Session, Harness]] = []
    warnings: list[Raw] = []
    own: set[Raw] = set()
    for harness in _choose_harnesses(selection):
        store = find_store(selection, harness)
        own |= find_own_sessions(store.parent if store else None, dict(search.environment), harness)
        fitting, cut = _find_fitting(store, harness, repository, now - timedelta(days=search.days))
        found += ((session, harness) for session in fitting)
        warnings += _warn(selection, harness, cut=cut)
    wanted = [session for session, _ in found if session.session_id not in own and session.path.stem not in unwanted]
    harnesses = {session.path: harness for session, harness in found}
    newest = sort_newest_first(wanted)
    described = (_describe(session, harnesses[session.path]) for session in newest)
    listed = tuple(islice((one for one in described if one), search.cap))
    known = own or not listed
    answer: Discovery[Raw] = Discovery(
        repository=Raw(repository),
        days=search.days,
        sessions=listed,
        left_out=max(0, len(newest) - search.cap),
        excluded=len(found) - len(wanted),
        warnings=(*warnings, *(() if known else (Raw(_UNKNOWN_SELF),))),
    )
    return seal(answer, Masker())


def _choose_harnesses(selection: Selection) -> tuple[Harness, ...]:
    everywhere = selection.harness is None and selection.store is None
    return HARNESSES if everywhere else (find_harness(selection),)


def _read_id(value: str) -> str:
    """A session's id, from the id, the name of its file, or the path."""
    name = PurePath(value.strip()).name
    return name.removesuffix(PurePath(name).suffix) if name.endswith((".jsonl", ".json")) else name


def _find_fitting(store: Path | None, harness: Harness, repository: str, since: datetime) -> tuple[list[Session], bool]:
    """The sessions of a store that fit, and whether there were more files than are looked at."""
    entries = sorted(_list_entries(store, harness, since), key=lambda pair: (pair[1].modified_at or since, str(pair[0])), reverse=True)
    belongs: dict[Raw, bool] = {}
    fitting: list[Session] = []
    for folder, entry in entries[: LIMITS.discovered_files]:
        try:
            session = probe(folder / entry.name, entry.size_bytes or 0, entry.modified_at, harness)
        except UnreadableFile:
            continue
        for directory in session.directories:
            if directory not in belongs:
                belongs[directory] = names_repository(directory, repository)
        if session.last_activity_at >= since and any(belongs[directory] for directory in session.directories):
            fitting.append(session)
    return fitting, len(entries) > LIMITS.discovered_files


def _list_entries(store: Path | None, harness: Harness, since: datetime) -> Iterator[tuple[Path, Entry]]:
    """The session files of a store that may have been at work since then."""
    for folder in list_folder(store) if store else ():
        if folder.is_dir and store:
            for entry in session_entries(store / folder.name, harness):
                if entry.modified_at and entry.modified_at >= since - _SPARE:
                    yield store / folder.name, entry


def _describe(session: Session, harness: Harness) -> FoundSession[Raw] | None:
    """One line about a session; None where it is gone meanwhile."""
    reading = NominatedReading(session.path, Needles(()))
    try:
        for _ in reading:
            pass
    except UnreadableFile:
        return None
    return FoundSession(
        session=Raw(str(session.path)),
        session_id=session.session_id,
        harness=Raw(harness.name),
        last_activity=session.last_activity_at,
        records=reading.records,
        size_bytes=session.size_bytes,
    )


def _warn(selection: Selection, harness: Harness, *, cut: bool) -> Iterator[Raw]:
    no_store = explain_store(selection, harness)
    if no_store and (selection.store or len(HARNESSES) == 1):
        yield Raw(no_store)
    if cut:
        yield Raw(f"{harness.name}: more than {LIMITS.discovered_files:,} session files; those written longest ago were not looked at")
