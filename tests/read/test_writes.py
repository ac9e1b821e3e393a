"""The writes: whole or not at all, on the disk before the next, and only while the file is what was read."""

import errno
import hashlib
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from resume_forensics.errors import ForensicsError
from resume_forensics.model.write import Append, Create, Replace, Statement, Transaction, Write
from resume_forensics.read import writes
from resume_forensics.read.writes import carry_out, foresee_refusal
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Refusal

NAME = Raw("state.json")


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def replacement(old: bytes = b"old", new: bytes = b"new") -> Replace:
    return Replace(path=NAME, content=new, digest=digest(old))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def do(write: Write, root: Path) -> Refusal | None:
    """As the flow does: ask first, then write."""
    return foresee_refusal(write, root) or carry_out(write, root)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o440])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    assert do(replacement(), tmp_path) is None
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode), names(tmp_path)) == (b"new", mode, ["state.json"])


def test_a_file_that_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"newer")
    assert foresee_refusal(replacement(), tmp_path) is Refusal.CHANGED_SINCE_READ
    assert carry_out(replacement(), tmp_path) is Refusal.CHANGED_SINCE_READ
    assert (path.read_bytes(), names(tmp_path)) == (b"newer", ["state.json"])


def test_a_file_that_is_gone_has_changed(tmp_path: Path) -> None:
    assert foresee_refusal(replacement(), tmp_path) is Refusal.CHANGED_SINCE_READ


def test_a_link_inside_the_root_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_bytes(b"old")
    (tmp_path / "state.json").symlink_to("real.json")
    assert do(replacement(), tmp_path) is None
    assert (tmp_path / "state.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == b"new"


@pytest.mark.parametrize(("before", "after"), [(None, b"a\nb\n"), (b"", b"a\nb\n"), (b"x\n", b"x\na\nb\n"), (b"x", b"x\na\nb\n")])
def test_lines_are_added_at_the_end(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    path = tmp_path / "state.json"
    if before is not None:
        path.write_bytes(before)
    assert do(Append(path=NAME, content=b"a\nb\n"), tmp_path) is None
    assert path.read_bytes() == after


def test_a_new_file_is_whole_and_never_overwrites(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        assert do(Create(path=NAME, content=b"new"), tmp_path) is None
    finally:
        os.umask(mask)
    path = tmp_path / "state.json"
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode), names(tmp_path)) == (b"new", 0o640, ["state.json"])
    assert foresee_refusal(Create(path=NAME, content=b"2"), tmp_path) is Refusal.CHANGED_SINCE_READ
    assert carry_out(Create(path=NAME, content=b"2"), tmp_path) is Refusal.CHANGED_SINCE_READ
    assert (path.read_bytes(), names(tmp_path)) == (b"new", ["state.json"])


def test_a_name_that_dangles_is_taken(tmp_path: Path) -> None:
    (tmp_path / "state.json").symlink_to("nowhere")
    assert carry_out(Create(path=Raw("./state.json"), content=b"new"), tmp_path) is None
    assert (tmp_path / "nowhere").read_bytes() == b"new"


def test_a_database_takes_a_transaction(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "state.json")) as database:
        database.execute("create table t (a)")
    statement = Statement(sql="insert into t values (?)", values=("x",), rows=1)
    assert do(Transaction(path=NAME, statements=(statement,)), tmp_path) is None
    with closing(sqlite3.connect(tmp_path / "state.json")) as database:
        assert database.execute("select a from t").fetchall() == [("x",)]


@pytest.mark.parametrize(
    "write", [Append(path=Raw("../x"), content=b""), Create(path=Raw("/x"), content=b""), Replace(path=Raw("a/.."), content=b"", digest="")]
)
def test_no_write_leads_out(tmp_path: Path, write: Write) -> None:
    with pytest.raises(ForensicsError, match="nothing was written"):
        carry_out(write, tmp_path)


class FullDisk:
    """Stands in for `os` and fails at one function."""

    def __init__(self, function: str) -> None:
        self._function = function

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any attribute of os)
        if name == self._function:
            raise OSError(errno.ENOSPC, "No space left on device")
        return getattr(os, name)


@pytest.mark.parametrize("write", [replacement(), Create(path=Raw("other.json"), content=b"new"), Append(path=NAME, content=b"new")])
def test_a_full_disk_is_one_sentence_and_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    (tmp_path / "state.json").write_bytes(b"old")
    function = "open" if isinstance(write, Append) else "fsync"
    monkeypatch.setattr(writes, "os", FullDisk(function))
    with pytest.raises(ForensicsError, match="is as it was: No space left on device"):
        carry_out(write, tmp_path)
    assert names(tmp_path) == ["state.json"]
    assert (tmp_path / "state.json").read_bytes() == b"old"


def test_a_folder_that_cannot_be_synchronised_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "state.json").write_bytes(b"old")
    real = os.open

    def refuse_folders(path: Any, *arguments: Any, **options: Any) -> int:  # noqa: ANN401 (as os.open)
        if Path(path) == tmp_path:
            raise OSError(errno.EACCES, "no")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse_folders)
    assert carry_out(replacement(), tmp_path) is None
    assert (tmp_path / "state.json").read_bytes() == b"new"
