"""Git, asked in real repositories: plain ones, odd ones, and ones that are traps."""

import os
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.fact import DirtyFile, TreeFact
from resume_forensics.read import git as module
from resume_forensics.read.git import (
    NO_ANSWER,
    NO_DIRECTORY,
    NO_GIT,
    NO_REPOSITORY,
    NOT_OWNED,
    ODD_FILTER,
    TOO_MUCH,
    TOO_SLOW,
    observe_tree,
)
from resume_forensics.text import Raw, reveal

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

WHO = ("-c", "user.name=n", "-c", "user.email=e@example.invalid", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    """Run git as a person would."""
    at = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
    done = subprocess.run(["git", *WHO, *arguments], cwd=folder, env=os.environ | at, check=check, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "file").write_text("one\ntwo\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "The first one")
    return folder


def problem_of(directory: Path, limits: Limits | None = None) -> str | None:
    """The problem in words."""
    fact = observe_tree(directory, limits=limits or Limits())
    return None if fact.problem is None else reveal(fact.problem)


def test_a_clean_tree(tree: Path) -> None:
    commit = git(tree, "rev-parse", "--short", "HEAD")
    assert observe_tree(tree) == TreeFact(
        directory=Raw(str(tree)),
        root=Raw(str(tree.resolve())),
        branch=Raw("main"),
        last_commit=Raw(f"{commit} The first one"),
        last_commit_at=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        stashes=0,
    )


def test_in_a_subfolder_paths_begin_at_the_root(tree: Path) -> None:
    folder = tree / "deep"
    folder.mkdir()
    (folder / "new").write_text("x\n")
    fact = observe_tree(folder)
    assert (fact.root, [file.path for file in fact.dirty]) == (Raw(str(tree.resolve())), [Raw("deep/")])


def test_dirty_files_have_status_and_numbers_tracked_ones_first(tree: Path) -> None:
    for name in ("gone", "binary", "moved"):
        (tree / name).write_text("x\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "more")
    (tree / "file").write_text("one\n2\nthree\n")
    (tree / "gone").unlink()
    (tree / "binary").write_bytes(b"\0\1\2")
    git(tree, "mv", "moved", "näw name\n")
    (tree / "a new one").write_text("x")
    facts = observe_tree(Raw(str(tree)))
    assert facts.dirty == (
        DirtyFile(path=Raw("binary"), status=Raw(".M"), added=None, removed=None),
        DirtyFile(path=Raw("file"), status=Raw(".M"), added=2, removed=1),
        DirtyFile(path=Raw("gone"), status=Raw(".D"), added=0, removed=1),
        DirtyFile(path=Raw("moved"), status=Raw("D."), added=0, removed=1),
        DirtyFile(path=Raw("näw name\n"), status=Raw("A."), added=1, removed=0),
        DirtyFile(path=Raw("a new one"), status=Raw("??"), added=None, removed=None),
    )
    assert facts.dirty_total == 6


def test_only_so_many_dirty_files_are_named(tree: Path) -> None:
    for number in range(5):
        (tree / f"new{number}").touch()
    facts = observe_tree(tree, limits=Limits(tree_files=2))
    assert (len(facts.dirty), facts.dirty_total) == (2, 5)


def test_the_distance_to_upstream_and_the_stashes_are_counted(tree: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(tree), "clone")
    clone = tmp_path / "clone"
    git(tree, "commit", "-q", "--allow-empty", "-m", "theirs")
    for _ in range(2):
        git(clone, "commit", "-q", "--allow-empty", "-m", "ours")
    git(clone, "fetch", "-q")
    (clone / "file").write_text("changed\n")
    git(clone, "stash")
    facts = observe_tree(clone)
    assert (facts.upstream, facts.ahead, facts.behind, facts.stashes) == (Raw("origin/main"), 2, 1, 1)


def test_a_detached_head_and_a_repository_without_commits(tree: Path, tmp_path: Path) -> None:
    git(tree, "checkout", "-q", "--detach")
    assert (observe_tree(tree).branch, observe_tree(tree).last_commit is None) == (None, False)
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    (empty / "file").touch()
    facts = observe_tree(empty)
    assert (facts.problem, facts.branch, facts.last_commit, facts.last_commit_at) == (None, Raw("main"), None, None)
    assert facts.dirty_total == 1


def test_what_is_in_progress_is_said(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "other")
    (tree / "file").write_text("theirs\n")
    git(tree, "commit", "-q", "-am", "theirs")
    git(tree, "checkout", "-q", "main")
    (tree / "file").write_text("ours\n")
    git(tree, "commit", "-q", "-am", "ours")
    for command, word in (("merge", "merge"), ("cherry-pick", "cherry-pick"), ("rebase", "rebase")):
        git(tree, command, "other", check=False)
        facts = observe_tree(tree)
        assert facts.in_progress == (word,)
        assert facts.dirty[0].status == Raw("UU")
        git(tree, command, "--abort")
    git(tree, "bisect", "start")
    assert observe_tree(tree).in_progress == ("bisect",)


def test_a_folder_inside_the_tree_and_a_linked_work_tree_answer_too(tree: Path, tmp_path: Path) -> None:
    (tree / "below").mkdir()
    (tree / "file").write_text("changed\n")
    assert observe_tree(tree / "below").dirty == (DirtyFile(path=Raw("file"), status=Raw(".M"), added=1, removed=2),)
    git(tree, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert observe_tree(tmp_path / "linked").branch == Raw("linked")


@pytest.mark.parametrize("named", ["relative", "", "/a\0b", "--upload-pack=x", "/nonexistent/folder", "/" + "n" * 5000])
def test_a_directory_that_is_none_is_harmless(named: str) -> None:
    assert observe_tree(Raw(named)) == TreeFact(directory=Raw(named), problem=Raw(NO_DIRECTORY))


def test_what_is_no_work_tree_is_said(tree: Path, tmp_path: Path) -> None:
    assert problem_of(tree / "file") == NO_DIRECTORY
    assert problem_of(tmp_path) == NO_REPOSITORY
    assert problem_of(tree / ".git") == NO_REPOSITORY
    git(tmp_path, "init", "-q", "--bare", "bare")
    assert problem_of(tmp_path / "bare") == NO_REPOSITORY


def test_a_damaged_repository_gives_no_answer(tree: Path) -> None:
    (tree / ".git" / "config").write_text("[broken\n")
    assert problem_of(tree) == NO_ANSWER


def test_absent_git_is_said(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for found in (None, "git"):
        monkeypatch.setattr(shutil, "which", lambda _, found=found: found)
        assert problem_of(tree) == NO_GIT


def pretend(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program of our own in the place of git."""
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setattr(shutil, "which", lambda _: str(program))


def test_a_repository_of_somebody_else_is_said(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path, monkeypatch, f"echo \"fatal: detected dubious ownership in repository at '{tree}'\" >&2; exit 128")
    assert problem_of(tree) == NOT_OWNED


def test_a_program_that_cannot_be_started_gives_no_answer(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: str(tree / "file"))
    assert problem_of(tree) == NO_REPOSITORY


def test_git_that_hangs_is_stopped_with_all_it_started(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path, monkeypatch, "sleep 60 & sleep 60")
    begun = time.monotonic()
    assert problem_of(tree, Limits(git_s=1)) == TOO_SLOW
    assert time.monotonic() - begun < 10


def test_git_that_hangs_later_leaves_what_was_learned(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which("git")
    pretend(tmp_path, monkeypatch, f'case "$*" in *numstat*) sleep 60;; esac; exec {real} "$@"')
    (tree / "file").write_text("changed\n")
    facts = observe_tree(tree, limits=Limits(git_s=1))
    assert (facts.problem, facts.branch, facts.last_commit, facts.stashes) == (Raw(TOO_SLOW), Raw("main"), None, None)
    assert facts.dirty == (DirtyFile(path=Raw("file"), status=Raw(".M")),)


def test_an_answer_beyond_the_bound_is_cut_at_a_row(tree: Path) -> None:
    for number in range(100):
        (tree / f"new file {number:03}").touch()
    facts = observe_tree(tree, limits=Limits(git_bytes=1000))
    assert facts.problem == Raw(TOO_MUCH)
    assert facts.branch == Raw("main")
    assert 0 < facts.dirty_total < 100
    assert all(len(file.path) == len("new file 000") for file in facts.dirty)


TRAPS = {
    "fsmonitor": ["config core.fsmonitor {trap}"],
    "filter": ["config filter.trap.clean {trap}", "config filter.trap.required true"],
    "filter process": ["config filter.trap.process {trap}"],
    "external diff": ["config diff.external {trap}"],
    "text conversion": ["config diff.trap.textconv {trap}", "config diff.trap.command {trap}"],
    "signature": ["config log.showSignature true", "config gpg.program {trap}"],
    "pager": ["config core.pager {trap}", "config pager.status true", "config pager.log true"],
    "hooks": ["config core.hooksPath {hooks}"],
}


@pytest.mark.parametrize("kind", TRAPS)
def test_no_program_that_the_repository_names_is_run(tree: Path, tmp_path: Path, kind: str) -> None:
    sprung = tmp_path / "sprung"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    trap = hooks / "post-index-change"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o700)
    (tree / ".gitattributes").write_text("file filter=trap diff=trap\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "attributes")
    for command in TRAPS[kind]:
        git(tree, *command.format(trap=trap, hooks=hooks).split())
    (tree / "file").write_text("changed\n")
    sprung.unlink(missing_ok=True)
    facts = observe_tree(tree)
    assert not sprung.exists()
    assert (facts.problem, facts.branch, facts.dirty_total) == (None, Raw("main"), 1)
    if kind in {"fsmonitor", "filter", "filter process", "hooks"}:  # the trap is a real one
        os.utime(tree / ".gitattributes", (1, 1))  # what the index says of it must be written anew, which is what runs the hook
        git(tree, "status", check=False)
        assert sprung.exists()


def test_a_filter_that_cannot_be_switched_off_stops_the_question(tree: Path) -> None:
    git(tree, "config", "filter.a=b.clean", "false")
    assert problem_of(tree) == ODD_FILTER


def test_the_repository_is_left_as_it_was(tree: Path) -> None:
    (tree / "file").write_text("changed\n")
    os.utime(tree / "file", (1, 1))

    def look() -> list[tuple[str, int, int]]:
        return sorted((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in tree.rglob("*"))

    before = look()
    observe_tree(tree)
    assert look() == before


def test_the_environment_of_git_holds_nothing_that_redirects_it(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert observe_tree(tree).branch == Raw("main")


@pytest.mark.parametrize("answer", [b"", b"x", b"99999999999999999999 abc subject"])
def test_a_commit_with_an_impossible_time_has_none(answer: bytes) -> None:
    commit, at = module._read_commit(answer)
    assert at is None
    assert (commit is None) == (b" " not in answer)
