"""The transcripts below a root are those that the standard library's `glob` names, and nothing else is opened or followed in circles."""

import glob
import os
from pathlib import Path

import pytest

from resume_forensics.errors import UnreadableFile
from resume_forensics.read.transcripts import find_transcripts


def make_tree(root: Path) -> None:
    for name in (
        "b.jsonl",
        "a/x.jsonl",
        "a/x/subagents/agent-1.jsonl",
        "a-2.jsonl",
        "a/é \n.jsonl",
        ".hidden.jsonl",
        ".dir/y.jsonl",
        "c.json",
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n" * len(name), encoding="utf-8")
    (root / "link.jsonl").symlink_to(root / "b.jsonl")
    (root / "linked").symlink_to(root / "a")


def test_files_are_those_of_glob_in_its_order(tmp_path: Path) -> None:
    make_tree(tmp_path)
    found = find_transcripts(tmp_path)
    assert [path for path, _ in found] == sorted(glob.glob(f"{tmp_path}/**/*.jsonl", recursive=True))  # noqa: PTH207 (as the first scan did)
    assert len(found) == 9
    assert all(size == Path(path).stat().st_size for path, size in found)


def test_a_folder_is_not_followed_into_itself(tmp_path: Path) -> None:
    make_tree(tmp_path / "root")
    (tmp_path / "root" / "a" / "again").symlink_to(tmp_path / "root")
    assert len(find_transcripts(tmp_path / "root")) == 9


def test_what_is_no_regular_file_has_no_size(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    assert find_transcripts(tmp_path) == [(str(tmp_path / "gone.jsonl"), -1), (str(tmp_path / "pipe.jsonl"), -1)]


def test_a_file_is_itself(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"{}\n")
    (tmp_path / "empty.jsonl").touch()
    assert find_transcripts(tmp_path / "x") == [(str(tmp_path / "x"), 3)]
    assert find_transcripts(tmp_path / "empty.jsonl") == [(str(tmp_path / "empty.jsonl"), 0)]


def test_a_folder_that_may_not_be_read_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("resume_forensics.read.transcripts.os.scandir", refuse)
    assert find_transcripts(tmp_path) == []


@pytest.mark.parametrize(("make", "why"), [(None, "there is no such folder"), (os.mkfifo, "it is not a regular file")])
def test_a_root_of_another_kind_is_refused(tmp_path: Path, make: object, why: str) -> None:
    if callable(make):
        make(tmp_path / "root")
    with pytest.raises(UnreadableFile, match=why):
        find_transcripts(tmp_path / "root")
