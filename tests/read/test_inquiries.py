"""Every kind of question to the machine, and hostile names in it: bounded answers, reasons instead of errors, nothing touched."""

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.fact import StartFact
from resume_forensics.model.inquiry import (
    AncestorFact,
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
    TmuxFact,
    TmuxSessions,
    WriteFact,
)
from resume_forensics.read.files import observe
from resume_forensics.read.inquiries import answer
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing

AT = datetime(2026, 1, 2, tzinfo=UTC)


def put(root: Path, name: str, content: bytes = b"x", at: datetime = AT) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def text(root: Path, name: str = "a", *, limit_bytes: int | None = None, limits: Limits | None = None) -> TextFact:
    found = answer(FileText(path=Raw(name), limit_bytes=limit_bytes), root, limits=limits or Limits())
    assert isinstance(found, TextFact)
    return found


def folder(root: Path, name: str, *, deep: bool = False, limits: Limits | None = None) -> FolderFact:
    found = answer(FolderNames(path=Raw(name), deep=deep), root, limits=limits or Limits())
    assert isinstance(found, FolderFact)
    return found


def newest(root: Path, name: str, *, limits: Limits | None = None) -> WriteFact:
    found = answer(NewestWrite(path=Raw(name)), root, limits=limits or Limits())
    assert isinstance(found, WriteFact)
    return found


def test_a_text_comes_with_its_digest_and_time(tmp_path: Path) -> None:
    put(tmp_path, "a", b"one\ntwo\n")
    found = text(tmp_path)
    assert (found.text, found.cut, found.file.modified_at) == ("one\ntwo\n", False, AT)
    assert found.digest == hashlib.sha256(b"one\ntwo\n").hexdigest()


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    put(tmp_path, "a", b"\xff\x00\xed\xa0\x80")
    found = text(tmp_path).text
    assert found is not None
    assert found.encode(errors="surrogateescape") == b"\xff\x00\xed\xa0\x80"


def test_an_empty_file_has_a_text(tmp_path: Path) -> None:
    put(tmp_path, "a", b"")
    found = text(tmp_path)
    assert (found.text, found.file.missing) == ("", Missing.EMPTY)


@pytest.mark.parametrize(
    ("content", "limit", "end"),
    [(b"one\ntwo\nthree\n", 8, "three\n"), (b"one\ntwo", 7, "one\ntwo"), (b"x" * 20, 5, "x" * 5), (b"a\nb\n", 0, "")],
)
def test_a_long_text_is_its_end_from_the_beginning_of_a_line(tmp_path: Path, content: bytes, limit: int, end: str) -> None:
    put(tmp_path, "a", content)
    found = text(tmp_path, limit_bytes=limit)
    assert found.text == end
    assert found.cut is (len(content) > limit)
    assert (found.digest is None) is found.cut


def test_without_a_bound_of_its_own_that_of_documents_holds(tmp_path: Path) -> None:
    put(tmp_path, "a", b"x" * 11)
    assert text(tmp_path, limits=Limits(document_bytes=10)).cut
    assert not text(tmp_path, limits=Limits(document_bytes=11)).cut


def test_what_is_no_file_says_why(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere")
    reasons = {name: text(tmp_path, name).file.missing for name in ("folder", "pipe", "dangling", "gone", "../a", "", "a\0")}
    assert reasons == {
        "folder": Missing.DIRECTORY,
        "pipe": Missing.NOT_REGULAR,
        "dangling": Missing.GONE,
        "gone": Missing.GONE,
        "../a": Missing.OUTSIDE,
        "": Missing.NOT_RECORDED,
        "a\0": Missing.UNREADABLE,
    }
    assert text(tmp_path, "folder").text is None


def test_a_file_that_is_exchanged_while_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a")

    def fail(*_: object, **__: object) -> int:
        raise OSError

    monkeypatch.setattr(os, "open", fail)
    assert text(tmp_path).file.missing is Missing.UNREADABLE


def test_a_file_is_observed_without_being_opened(tmp_path: Path) -> None:
    put(tmp_path, "a")
    assert answer(FileState(path=Raw("a")), tmp_path) == observe(tmp_path / "a")


def test_the_names_of_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "d/b")
    put(tmp_path, "d/a/x")
    assert folder(tmp_path, "d") == FolderFact(names=("a", "b"))
    assert folder(tmp_path, "d", deep=True) == FolderFact(names=("a/x", "b"))
    assert folder(tmp_path, "d/b").missing is Missing.NOT_REGULAR
    assert folder(tmp_path, "e").missing is Missing.GONE
    assert folder(tmp_path, "..").missing is Missing.OUTSIDE
    assert folder(tmp_path, "d", limits=Limits(directory_entries=1)).cut


def test_deep_names_follow_no_link_and_are_bounded(tmp_path: Path) -> None:
    for number in range(4):
        put(tmp_path, f"d/{number}/x")
    (tmp_path / "d/round").symlink_to(tmp_path / "d")
    (tmp_path / "d/link").symlink_to(tmp_path / "d/0/x")
    assert folder(tmp_path, "d", deep=True).names == ("0/x", "1/x", "2/x", "3/x", "link", "round")
    few = folder(tmp_path, "d", deep=True, limits=Limits(claim_paths=2))
    assert (len(few.names), few.cut) == (2, True)
    assert folder(tmp_path, "d", deep=True, limits=Limits(directory_entries=3)).cut


def test_a_file_that_grows_while_it_is_read_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a", b"one\ntwo\nthree\n")
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result((0o100644, 0, 0, 0, 0, 0, 3, 0, 0, 0)))
    found = text(tmp_path, limit_bytes=6)
    assert (found.cut, found.digest) == (True, None)


def test_the_newest_write(tmp_path: Path) -> None:
    put(tmp_path, "d/old")
    put(tmp_path, "d/sub/new", at=datetime(2026, 1, 3, tzinfo=UTC))
    (tmp_path / "empty").mkdir()
    assert newest(tmp_path, "d") == WriteFact(path="d/sub/new", at=datetime(2026, 1, 3, tzinfo=UTC))
    assert newest(tmp_path, "d/") == newest(tmp_path, "d")
    assert newest(tmp_path, "d/old") == WriteFact(path="d/old", at=AT)
    assert newest(tmp_path, "empty") == WriteFact()
    assert newest(tmp_path, "gone") == WriteFact()
    assert newest(tmp_path, "../x") == WriteFact()
    assert newest(tmp_path, "d", limits=Limits(claim_paths=1)).cut


def test_processes_and_tmux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = answer(ProcessStart(pid=os.getpid()), tmp_path)
    assert isinstance(own, StartFact)
    assert own.asked
    assert own.start is not None
    assert own.start.isdecimal()
    assert answer(ProcessStart(pid=2**30), tmp_path) == StartFact(asked=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = answer(TmuxSessions(), tmp_path)
    assert isinstance(found, TmuxFact)
    assert found.problem is not None


@pytest.mark.parametrize(
    ("inquiry", "found"),
    [
        (GitPlace(directory=Raw("../x")), PlaceFact(is_directory=False)),
        (GitDirty(directory=Raw("../x")), DirtyFact(problem=Missing.OUTSIDE)),
        (GitLog(directory=Raw("a\0b"), commits=1), LogFact(problem=Missing.OUTSIDE)),
        (GitAncestor(directory=Raw("//host/x"), commit=Raw("abcdef")), AncestorFact(is_ancestor=None)),
        (GitPlace(directory=Raw("gone")), PlaceFact(is_directory=False)),
        (DatabaseRows(path=Raw("../x"), selects=()), RowsFact(missing=Missing.OUTSIDE)),
        (DatabaseRows(path=Raw("gone"), selects=()), RowsFact(missing=Missing.GONE)),
    ],
)
def test_directories_and_databases_that_cannot_be_asked(tmp_path: Path, inquiry: Inquiry, found: object) -> None:
    assert answer(inquiry, tmp_path) == found


def test_git_is_asked_in_the_root_and_elsewhere(tmp_path: Path) -> None:
    for directory in (".", str(tmp_path)):
        place = answer(GitPlace(directory=Raw(directory)), tmp_path)
        assert isinstance(place, PlaceFact)
        assert place.is_directory
    for inquiry in (GitDirty(directory=Raw(".")), GitLog(directory=Raw("."), commits=1)):
        known = answer(inquiry, tmp_path)
        assert isinstance(known, DirtyFact | LogFact)
        assert known.problem is not None
    assert answer(GitAncestor(directory=Raw("."), commit=Raw("abcdef")), tmp_path) == AncestorFact(is_ancestor=None)
