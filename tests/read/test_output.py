"""A file that the user asked for is whole or not there, and never replaces another unasked."""

from io import FileIO
from pathlib import Path

import pytest

from resume_forensics.errors import WrongUse
from resume_forensics.read.output import refuse_existing, write_file


def test_a_new_file_is_written(tmp_path: Path) -> None:
    write_file(tmp_path / "a.svg", b"one")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.svg": b"one"}


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")
    with pytest.raises(WrongUse, match="is there already; --force replaces it"):
        refuse_existing(path, force=False)
    with pytest.raises(WrongUse, match="is there already; --force replaces it"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"


def test_force_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")
    refuse_existing(path, force=True)
    write_file(path, b"new", force=True)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a.svg": b"new"}


def test_force_replaces_a_link_and_not_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(WrongUse, match="--force"):
        write_file(tmp_path / "link", b"new")
    write_file(tmp_path / "link", b"new", force=True)
    assert ((tmp_path / "target").read_bytes(), (tmp_path / "link").read_bytes()) == (b"kept", b"new")


def test_a_dangling_link_is_taken_too(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(WrongUse, match="--force"):
        write_file(tmp_path / "link", b"new")
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize(("name", "why"), [("gone/a.svg", "no such folder"), ("folder", "it is a folder")])
def test_a_place_where_nothing_can_stand_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(WrongUse, match=why):
        write_file(tmp_path / name, b"new", force=True)


@pytest.mark.parametrize("force", [False, True])
def test_where_writing_fails_nothing_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, force: bool) -> None:
    path = tmp_path / "a.svg"
    if force:
        path.write_bytes(b"old")

    class Full(FileIO):
        def write(self, content: object) -> int:
            del content
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda file, mode: Full(file, mode.removesuffix("b")))
    with pytest.raises(WrongUse, match="No space left on device"):
        write_file(path, b"new", force=force)
    monkeypatch.undo()
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({"a.svg": b"old"} if force else {})


def test_where_the_old_file_cannot_be_replaced_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(WrongUse, match="Permission denied"):
        write_file(path, b"new", force=True)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a.svg": b"old"}
