"""Inquiries come in, the machine's answers go out: bounded, read-only, and without judgement.

Whatever a state file names is hostile: relative paths stay inside the root, only regular files are opened, and nothing here raises.
"""

import hashlib
import os
from io import FileIO
from pathlib import Path
from typing import Final, assert_never

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import (
    AncestorFact,
    Answer,
    DatabaseRows,
    DirtyFact,
    FileState,
    FileText,
    FolderFact,
    FolderNames,
    GitAncestor,
    GitDirty,
    GitLog,
    GitPlace,
    Inquiry,
    LogFact,
    NewestWrite,
    PlaceFact,
    ProcessStart,
    RowsFact,
    TextFact,
    TmuxSessions,
    WriteFact,
)
from resume_forensics.read.database import read_rows
from resume_forensics.read.enclosure import locate
from resume_forensics.read.files import Entry, list_folder, observe, open_regular, read_at_most
from resume_forensics.read.processes import start_mark_of
from resume_forensics.read.tmux import list_sessions
from resume_forensics.read.worktree import is_ancestor, list_commits, list_dirty, observe_place
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing

_GIT_OWN: Final = frozenset({".git"})
"""What git writes there, also when it is only asked, is no work on the files."""
_GIT: Final = (GitPlace, GitDirty, GitLog, GitAncestor)


def answer(inquiry: Inquiry, root: Path, *, limits: Limits = LIMITS) -> Answer:
    """Ask the machine one thing. `root` is the directory that is reconciled, absolute."""
    if isinstance(inquiry, _GIT):
        return _ask_git(inquiry, _directory(inquiry.directory, root), limits)
    if isinstance(inquiry, TmuxSessions):
        return list_sessions(limits=limits)
    return start_mark_of(inquiry.pid) if isinstance(inquiry, ProcessStart) else _ask_disk(inquiry, root, limits)


def _ask_git(inquiry: GitPlace | GitDirty | GitLog | GitAncestor, directory: Path | None, limits: Limits) -> Answer:
    match inquiry:
        case GitPlace():
            return observe_place(directory, limits=limits) if directory else PlaceFact(is_directory=False)
        case GitDirty():
            return list_dirty(directory, limits=limits) if directory else DirtyFact(problem=Missing.OUTSIDE)
        case GitLog():
            return list_commits(directory, inquiry.commits, inquiry.paths, limits=limits) if directory else LogFact(problem=Missing.OUTSIDE)
        case GitAncestor():
            return is_ancestor(directory, inquiry.commit, limits=limits) if directory else AncestorFact(is_ancestor=None)
        case _:
            assert_never(inquiry)


def _ask_disk(inquiry: FileText | FileState | FolderNames | NewestWrite | DatabaseRows, root: Path, limits: Limits) -> Answer:
    place = locate(inquiry.path, root, anywhere=isinstance(inquiry, FileText | FolderNames) and inquiry.anywhere)
    match inquiry:
        case FileText():
            return _read_text(_observe(place), inquiry.limit_bytes, limits)
        case FileState():
            return _observe(place)
        case FolderNames():
            return _list_names(_observe(place), limits, deep=inquiry.deep)
        case NewestWrite():
            return _find_newest(_observe(place), reveal(inquiry.path), limits)
        case DatabaseRows():
            return RowsFact(missing=place) if isinstance(place, Missing) else read_rows(place, inquiry.selects, limits=limits)
        case _:
            assert_never(inquiry)


def _directory(named: Raw, root: Path) -> Path | None:
    """Where a directory is: worker directories are named absolutely, others below the root. None: no directory can have that name."""
    place = locate(named, root, anywhere=Path(reveal(named)).is_absolute())
    return None if isinstance(place, Missing) else place


def _observe(place: Path | Missing) -> FileFact:
    return FileFact(path=None, missing=place) if isinstance(place, Missing) else observe(place)


def _read_text(fact: FileFact, limit_bytes: int | None, limits: Limits) -> TextFact:
    if fact.path is None or fact.missing not in (None, Missing.EMPTY):
        return TextFact(file=fact)
    bound = limits.document_bytes if limit_bytes is None else limit_bytes
    try:
        with open_regular(fact.path) as stream:
            content, cut = _read_end(stream, bound)
    except (UnreadableFile, OSError):
        return TextFact(file=FileFact(path=fact.path, missing=Missing.UNREADABLE))
    digest = None if cut else hashlib.sha256(content).hexdigest()
    return TextFact(file=fact, text=content.decode(errors="surrogateescape"), cut=cut, digest=digest)


def _read_end(stream: FileIO, bound: int) -> tuple[bytes, bool]:
    """The last bytes of a file, and whether there are more before them; then from the beginning of a line on, if there is one."""
    size = os.fstat(stream.fileno()).st_size
    if size <= bound:
        content = read_at_most(stream, bound + 1)
        if len(content) <= bound:
            return content, False
        size = len(content)
    stream.seek(size - bound)
    content = read_at_most(stream, bound)
    return content[content.find(b"\n") + 1 :], True


def _list_names(fact: FileFact, limits: Limits, *, deep: bool) -> FolderFact:
    if fact.path is None or fact.missing is not Missing.DIRECTORY:
        return FolderFact(missing=fact.missing or Missing.NOT_REGULAR)
    if not os.access(fact.path, os.R_OK | os.X_OK):
        return FolderFact(missing=Missing.UNREADABLE)
    if not deep:
        listing = list_folder(fact.path, limits=limits)
        return FolderFact(names=tuple(entry.name for entry in listing), cut=listing.cut)
    found, cut = _list_below(fact.path, limits)
    return FolderFact(names=tuple(sorted(name for name, _ in found)), cut=cut)


def _find_newest(fact: FileFact, named: str, limits: Limits) -> WriteFact:
    """The file written last among a file or all files below a folder; of equal times the last path."""
    if fact.path is not None and fact.missing is Missing.DIRECTORY:
        found, cut = _list_below(fact.path, limits, leave_out=_GIT_OWN)
        files = [(entry.modified_at, name) for name, entry in found if entry.is_file and not entry.is_link and entry.modified_at]
        newest = max(files, default=None)
        return WriteFact(path=f"{named.rstrip('/')}/{newest[1]}", at=newest[0], cut=cut) if newest else WriteFact(cut=cut)
    return WriteFact() if fact.modified_at is None else WriteFact(path=named, at=fact.modified_at)


def _list_below(top: Path, limits: Limits, *, leave_out: frozenset[str] = frozenset()) -> tuple[list[tuple[str, Entry]], bool]:
    """What stands below a folder and is no folder, relative to it, and whether there may be more; links are not followed."""
    found: list[tuple[str, Entry]] = []
    waiting, looked_at, cut = [""], 0, False
    while waiting and len(found) <= limits.claim_paths and looked_at <= limits.directory_entries:
        below = waiting.pop()
        listing = list_folder(top / below, limits=limits)
        cut = cut or listing.cut or not os.access(top / below, os.R_OK | os.X_OK)
        looked_at += len(listing) + 1
        for entry in listing:
            if not entry.is_dir or entry.is_link:
                found.append((f"{below}{entry.name}", entry))
            elif entry.name not in leave_out:
                waiting.append(f"{below}{entry.name}/")
    return found[: limits.claim_paths], cut or bool(waiting) or len(found) > limits.claim_paths
