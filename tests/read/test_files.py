"""Paths of every kind: what is opened, what is refused and in which words, and that nothing blocks."""

import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import Limits
from resume_forensics.model.fact import FileFact
from resume_forensics.read import files
from resume_forensics.read.files import list_folder, observe, observe_named, open_regular, read_document
from resume_forensics.text import CUT_MARK, Raw
from resume_forensics.vocabulary import Missing

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def make_every_kind(folder: Path) -> dict[str, Path]:
    """One path of each kind that is no readable file."""
    (folder / "directory").mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "dangling").symlink_to(folder / "nowhere")
    (folder / "circle").symlink_to(folder / "circle")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
    (folder / "file").write_bytes(b"x")
    return {name: folder / name for name in ("directory", "fifo", "dangling", "circle", "socket", "nowhere")} | {
        "device": Path(os.devnull),
        "below a file": folder / "file" / "below",
        "too long": folder / ("n" * 5000),
        "nul": folder / "a\0b",
    }


EXPECTED = {
    "directory": Missing.DIRECTORY,
    "fifo": Missing.NOT_REGULAR,
    "dangling": Missing.DANGLING_LINK,
    "circle": Missing.DANGLING_LINK,
    "socket": Missing.NOT_REGULAR,
    "nowhere": Missing.GONE,
    "device": Missing.NOT_REGULAR,
    "below a file": Missing.GONE,
    "too long": Missing.GONE,
    "nul": Missing.GONE,
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_each_kind_of_path_is_observed_and_refused_with_its_reason(tmp_path: Path, kind: str) -> None:
    path = make_every_kind(tmp_path)[kind]
    fact = observe(path)
    assert (fact.missing, fact.size_bytes, fact.modified_at) == (EXPECTED[kind], None, None)
    with pytest.raises(UnreadableFile, match=r"^cannot read .*: (there|it) .*[a-z]$"):
        open_regular(path)


def test_a_regular_file_and_a_link_to_one_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("file", "link"):
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"abc"


def test_the_sentence_of_a_refusal_shows_control_characters_as_escapes(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        open_regular(tmp_path / "a\x1b[2Jb")
    assert "\x1b" not in str(refusal.value)
    assert str(refusal.value).endswith(": there is no such file")


def test_a_file_exchanged_for_a_fifo_while_it_is_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.setattr(files, "_status", lambda _: (None, None))
    with pytest.raises(UnreadableFile, match="not a regular file"):
        open_regular(tmp_path / "fifo")


def test_a_file_that_vanishes_while_it_is_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_status", lambda _: (None, None))
    with pytest.raises(UnreadableFile, match="may not be read"):
        open_regular(tmp_path / "gone")


def test_a_file_without_permission_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    path.chmod(0)
    if AS_ROOT:
        monkeypatch.setattr(os, "access", lambda *_: False)
    assert observe(path).missing is Missing.UNREADABLE


def test_a_file_in_a_folder_without_permission_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> os.stat_result:
        raise PermissionError

    monkeypatch.setattr(Path, "stat", refuse)
    assert observe(tmp_path / "file").missing is Missing.UNREADABLE


def test_a_file_has_its_size_and_time_and_an_empty_one_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    (tmp_path / "empty").touch()
    for name in ("file", "empty"):
        os.utime(tmp_path / name, (1_000_000_000, 1_000_000_000))
    at = datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    file, empty = observe(tmp_path / "file"), observe(tmp_path / "empty")
    assert (file.missing, file.size_bytes, file.modified_at) == (None, 3, at)
    assert (empty.missing, empty.size_bytes, empty.modified_at) == (Missing.EMPTY, 0, at)


@pytest.mark.parametrize(("seconds", "year"), [(1e15, 9999), (-1e15, 1)])
def test_a_time_outside_the_calendar_is_its_nearest_end(seconds: float, year: int) -> None:
    status = os.stat_result((0, 0, 0, 0, 0, 0, 0, seconds, seconds, seconds))
    assert (files.time_of(status).year, files.time_of(status).tzinfo) == (year, UTC)


def test_no_path_is_not_recorded() -> None:
    for fact in (observe(None), observe_named(None), observe_named(Raw(""))):
        assert (fact.path, fact.missing) == (None, Missing.NOT_RECORDED)


@pytest.mark.parametrize("named", ["relative/file", "~/file", "/a\0b", "//host/share", "\\\\host\\share", "/home/half" + CUT_MARK])
def test_a_named_path_that_no_file_here_can_have_gives_no_path_back(named: str) -> None:
    fact = observe_named(Raw(named))
    assert (fact.path, fact.missing) == (None, Missing.UNREADABLE)


def test_a_named_path_is_observed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert observe_named(Raw(str(tmp_path / "file"))).size_bytes == 3
    assert observe_named(Raw(str(tmp_path / ("n" * 5000)))).missing is Missing.GONE
    assert observe_named(Raw("/dev/null")).missing is Missing.NOT_REGULAR


def test_a_named_path_without_the_suffix_of_outputs_is_not_even_asked_for(tmp_path: Path) -> None:
    for name in ("id_rsa", "b1.output.txt", "b1.OUTPUT"):
        (tmp_path / name).write_bytes(b"abc")
        assert observe_named(Raw(str(tmp_path / name)), suffix=".output") == FileFact(path=None, missing=Missing.FOREIGN)
    (tmp_path / "b1.output").write_bytes(b"abc")
    assert observe_named(Raw(str(tmp_path / "b1.output")), suffix=".output").size_bytes == 3


def test_a_folder_is_listed_by_name_with_what_links_point_to(tmp_path: Path) -> None:
    make_every_kind(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    listing = list_folder(tmp_path)
    assert [(entry.name, entry.is_file, entry.is_dir, entry.is_link, entry.size_bytes) for entry in listing if not entry.is_dir] == [
        ("circle", False, False, True, None),
        ("dangling", False, False, True, None),
        ("fifo", False, False, False, 0),
        ("file", True, False, False, 1),
        ("link", True, False, True, 1),
        ("socket", False, False, False, 0),
    ]
    assert (len(listing), listing.cut) == (7, False)


def test_a_long_folder_is_cut_and_says_so(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).touch()
    listing = list_folder(tmp_path, limits=Limits(directory_entries=4))
    assert (len(listing), listing.cut) == (4, True)
    assert not list_folder(tmp_path, limits=Limits(directory_entries=5)).cut


def test_a_folder_that_is_none_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "gone", tmp_path / "file", tmp_path / "a\0b"):
        assert len(list_folder(path)) == 0


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{\n  "a": 1\n}\n', {"a": 1}),
        (b'\xef\xbb\xbf{"a": NaN, "b": "\\ud800"}', None),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b"[1]", None),
        (b"", None),
        (b'{"a": 1', None),
        (b'{"a": 1}{"b": 2}', None),
        (b'{"a": "' + b"x" * 100 + b'"}', None),
    ],
)
def test_a_document_is_one_object_or_nothing(tmp_path: Path, content: bytes, expected: dict[str, object] | None) -> None:
    (tmp_path / "document").write_bytes(content)
    answer = read_document(tmp_path / "document", limits=Limits(document_bytes=60))
    if content.startswith(b"\xef"):
        assert answer is not None
        assert list(answer) == ["a", "b"]
    else:
        assert answer == expected


def test_a_document_that_cannot_be_opened_is_nothing(tmp_path: Path) -> None:
    assert read_document(tmp_path) is None
