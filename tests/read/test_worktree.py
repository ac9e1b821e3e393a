"""What git says of directories that state files name: real repositories, and traps in them that must not spring."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.inquiry import AncestorFact
from resume_forensics.read.git import NO_REPOSITORY
from resume_forensics.read.worktree import is_ancestor, list_commits, list_dirty, observe_place
from resume_forensics.text import Raw

WHO = ("-c", "user.name=T", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false")
AT = "2026-01-02T03:04:05+00:00"


def git(folder: Path, *arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_AUTHOR_DATE": AT, "GIT_COMMITTER_DATE": AT}
    done = subprocess.run(["git", *WHO, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree without a commit."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


def test_a_place_is_named_by_branch_and_head(tree: Path) -> None:
    empty = observe_place(tree)
    assert (empty.is_directory, empty.is_top, empty.branch, empty.head, empty.problem) == (True, True, "main", None, None)
    sha = commit(tree, "one", sub__a="1")
    there = observe_place(tree)
    below = observe_place(tree / "sub")
    assert (there.is_top, there.branch, there.head) == (True, "main", sha)
    assert (below.is_top, below.branch, below.head) == (False, "main", sha)
    git(tree, "checkout", "-q", "--detach")
    assert observe_place(tree).branch is None


def test_a_place_reached_by_a_link_is_the_top_too(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tree)
    assert observe_place(tmp_path / "link").is_top


def test_what_is_no_work_tree_says_so(tmp_path: Path) -> None:
    assert observe_place(tmp_path / "gone").is_directory is False
    bare = observe_place(tmp_path)
    assert (bare.is_directory, bare.is_top, bare.problem) == (True, False, NO_REPOSITORY)
    assert list_dirty(tmp_path).problem == NO_REPOSITORY
    assert list_commits(tmp_path, 5).problem == NO_REPOSITORY


def test_uncommitted_paths_are_relative_to_the_directory(tree: Path) -> None:
    commit(tree, "one", sub__a="1", sub__b="1", top="1")
    (tree / "sub/a").write_text("2", "utf-8")
    (tree / "sub/b").unlink()
    (tree / "sub/new dir").mkdir()
    (tree / "sub/new dir/é 1").write_text("x", "utf-8")
    (tree / "top").write_text("2", "utf-8")
    assert list_dirty(tree).paths == ("sub/a", "sub/b", "sub/new dir/é 1", "top")
    assert list_dirty(tree / "sub").paths == ("a", "b", "new dir/é 1")


def test_a_conflict_is_uncommitted(tree: Path) -> None:
    commit(tree, "one", a="1")
    git(tree, "checkout", "-q", "-b", "other")
    commit(tree, "two", a="2")
    git(tree, "checkout", "-q", "main")
    commit(tree, "three", a="3")
    subprocess.run(["git", *WHO, "merge", "-q", "other"], cwd=tree, capture_output=True, check=False)
    assert list_dirty(tree).paths == ("a",)


def test_a_long_list_is_cut_and_says_so(tree: Path) -> None:
    for number in range(5):
        (tree / f"f{number}").write_text("x", "utf-8")
    whole = list_dirty(tree)
    assert (len(whole.paths), whole.cut) == (5, False)
    short = list_dirty(tree, limits=Limits(claim_paths=3))
    assert (short.paths, short.cut) == (("f0", "f1", "f2"), True)
    for number in range(5, 300):
        (tree / f"f{number}").write_text("x", "utf-8")
    much = list_dirty(tree, limits=Limits(git_bytes=1_000))
    assert (much.cut, much.problem) == (True, None)
    assert 0 < len(much.paths) < 300


def test_commits_are_newest_first_with_their_paths(tree: Path) -> None:
    assert list_commits(tree, 5).commits == ()
    first = commit(tree, "board: claim T-1", sub__a="1", top="1")
    second = commit(tree, "empty")
    third = commit(tree, "two\n\nbody", sub__b="1")
    found = list_commits(tree, 5).commits
    assert [(one.sha, one.subject, one.paths) for one in found] == [
        (third, "two", ("sub/b",)),
        (second, "empty", ()),
        (first, "board: claim T-1", ("sub/a", "top")),
    ]
    assert found[0].at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert [one.sha for one in list_commits(tree, 1).commits] == [third]
    assert [one.sha for one in list_commits(tree, 5, (Raw("sub"),)).commits] == [third, first]
    assert [one.paths for one in list_commits(tree / "sub", 5, (Raw("a"),)).commits] == [("a",)]


@pytest.mark.parametrize("path", ["--all", ":(glob)**", ":/", "*", "no such file"])
def test_a_path_is_taken_literally(tree: Path, path: str) -> None:
    commit(tree, "one", a="1")
    assert list_commits(tree, 5, (Raw(path),)).commits == ()


def test_a_commit_from_before_time(tree: Path) -> None:
    commit(tree, "one", a="1")
    answer = list_commits(tree, 1, limits=Limits(git_bytes=30))
    assert answer.commits == ()
    assert answer.problem is not None


def test_ancestors(tree: Path) -> None:
    first = commit(tree, "one", a="1")
    second = commit(tree, "two", a="2")
    git(tree, "checkout", "-q", "-b", "side", first)
    side = commit(tree, "three", a="3")
    assert is_ancestor(tree, Raw(first)) == AncestorFact(is_ancestor=True)
    assert is_ancestor(tree, Raw(side[:7])) == AncestorFact(is_ancestor=True)
    assert is_ancestor(tree, Raw(second)) == AncestorFact(is_ancestor=False)


@pytest.mark.parametrize("name", ["HEAD", "main", "", "--all", "abc", "0" * 40, "g" * 7])
def test_what_is_no_known_commit_is_no_answer(tree: Path, name: str) -> None:
    commit(tree, "one", a="1")
    assert is_ancestor(tree, Raw(name)) == AncestorFact(is_ancestor=None)


def test_no_ancestor_outside_git(tmp_path: Path) -> None:
    assert is_ancestor(tmp_path, Raw("abcdef1")) == AncestorFact(is_ancestor=None)


def test_the_index_is_not_refreshed(tree: Path) -> None:
    commit(tree, "one", a="1")
    (tree / "a").touch()
    before = (tree / ".git/index").stat().st_mtime_ns, (tree / ".git").stat().st_mtime_ns
    list_dirty(tree)
    observe_place(tree)
    list_commits(tree, 3)
    assert ((tree / ".git/index").stat().st_mtime_ns, (tree / ".git").stat().st_mtime_ns) == before
