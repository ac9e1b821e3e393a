"""A file is written whole or not at all, and takes no other's place unasked."""

import os
from pathlib import Path

import pytest

from resume_forensics.errors import ForensicsError, WrongUse
from resume_forensics.read import output
from resume_forensics.read.output import write_file, write_whole


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The file that an output is made of."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"session\n")
    return path


def write(path: Path, session: Path, content: bytes = b"new", *, force: bool = False) -> None:
    """Write a file in two pieces."""
    with write_whole(path, force=force, spared=session) as stream:
        stream.write(content[:1])
        stream.write(content[1:])


def names(folder: Path) -> list[str]:
    """What stands in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("force", [False, True])
def test_a_new_file_is_written_and_is_this_users_own(tmp_path: Path, session: Path, *, force: bool) -> None:
    path = tmp_path / "o.txt"
    write(path, session, force=force)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
    assert names(tmp_path) == ["o.txt", "s.jsonl"]


def test_a_file_that_is_there_is_refused_unless_it_may_be_written_over(tmp_path: Path, session: Path) -> None:
    path = tmp_path / "o.txt"
    path.write_bytes(b"old")
    with pytest.raises(WrongUse, match="is there already; --force"):
        write(path, session)
    assert path.read_bytes() == b"old"
    write(path, session, force=True)
    assert path.read_bytes() == b"new"


def test_what_is_no_regular_file_is_never_written_over(tmp_path: Path, session: Path) -> None:
    """A device, or a link to standard output, would lose its name."""
    for name, target in (("dangling", tmp_path / "nowhere"), ("link", session), ("device", Path(os.devnull))):
        (tmp_path / name).symlink_to(target)
        for force in (False, True):
            with pytest.raises(WrongUse):
                write(tmp_path / name, session, force=force)
        assert (tmp_path / name).is_symlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WrongUse, match="is no regular file"):
        write(tmp_path / "pipe", session, force=True)


@pytest.mark.parametrize("link", [False, True])
def test_the_session_itself_is_never_written_over(tmp_path: Path, session: Path, *, link: bool) -> None:
    path = tmp_path / "o.txt" if link else session
    if link:
        os.link(session, path)
    with pytest.raises(WrongUse, match="is the session itself"):
        write(path, session, force=True)
    assert session.read_bytes() == b"session\n"


def test_a_directory_is_no_file(tmp_path: Path, session: Path) -> None:
    with pytest.raises(WrongUse, match="is no regular file"):
        write(tmp_path, session, force=True)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path, session: Path) -> None:
    with pytest.raises(WrongUse, match="cannot be written: there is no such folder"):
        write(tmp_path / "nowhere/o.txt", session)


def test_what_was_begun_and_not_finished_leaves_nothing(tmp_path: Path, session: Path) -> None:
    def write_half() -> None:
        with write_whole(tmp_path / "o.txt", force=False, spared=session) as stream:
            stream.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert names(tmp_path) == ["s.jsonl"]


def test_somebody_who_took_the_name_meanwhile_keeps_it(tmp_path: Path, session: Path) -> None:
    path = tmp_path / "o.txt"
    with pytest.raises(WrongUse, match="meanwhile"), write_whole(path, force=False, spared=session):
        path.write_bytes(b"theirs")
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["o.txt", "s.jsonl"]


def test_a_full_disk_is_one_sentence(tmp_path: Path, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output, "_settle", refuse)
    with pytest.raises(ForensicsError, match="No space left on device"):
        write(tmp_path / "o.txt", session)
    assert names(tmp_path) == ["s.jsonl"]


def test_content_at_hand_is_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    write_file(path, b"one")
    with pytest.raises(WrongUse, match="--force"):
        write_file(path, b"two")
    assert path.read_bytes() == b"one"
    write_file(path, b"two", force=True)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a.svg": b"two"}
