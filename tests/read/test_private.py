"""What the program keeps for itself: nobody else may look in, one process at a time, and a salt that stays."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from resume_forensics.read import private
from resume_forensics.read.private import SALT_BYTES, alone, make_private_file, make_private_folder, read_salt


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_file_are_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    make_private_folder(folder)
    make_private_file(folder / "file")
    assert (rights(folder), rights(folder / "file")) == (0o700, 0o600)


def test_what_was_open_is_shut(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "file").chmod(0o644)
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    make_private_file(tmp_path / "file")
    assert (rights(tmp_path), rights(tmp_path / "file")) == (0o700, 0o600)
    assert (tmp_path / "file").read_text() == "kept"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").touch(mode=0o644)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="link"):
        make_private_file(tmp_path / "link")
    assert rights(tmp_path / "target") == 0o644


def test_two_processes_take_turns(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from resume_forensics.read.private import alone\n"
        "log, lock = Path(sys.argv[1]), Path(sys.argv[2])\n"
        "for _ in range(20):\n"
        "    with alone(lock):\n"
        "        before = log.read_text(); log.write_text(before + 'x')\n"
    )
    log = tmp_path / "log"
    log.touch()
    both = [subprocess.Popen([sys.executable, "-c", script, str(log), str(tmp_path / "lock")]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert log.read_text() == "x" * 40


def test_a_machine_without_locks_holds_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with alone(tmp_path / "lock"), alone(tmp_path / "lock"):
        assert rights(tmp_path / "lock") == 0o600


def test_the_salt_stays_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    salt = read_salt(folder)
    assert len(salt) == SALT_BYTES
    assert read_salt(folder) == salt
    assert read_salt(tmp_path / "other") != salt
    assert rights(folder / "salt") == 0o600


def test_a_broken_salt_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "salt").write_bytes(b"short")
    salt = read_salt(tmp_path)
    assert len(salt) == SALT_BYTES
    assert read_salt(tmp_path) == salt


def test_without_a_folder_that_can_be_written_each_salt_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_salt(None) != read_salt(None)

    def refuse(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(private, "make_private_folder", refuse)
    assert read_salt(tmp_path) != read_salt(tmp_path)
