"""tmux is asked by a program of the test that answers as tmux 3.3 does, and once by the real one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.inquiry import TmuxFact
from resume_forensics.read.tmux import NO_ANSWER, NOT_INSTALLED, TOO_SLOW, list_sessions


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is searched first; what is written there as `tmux` is called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "tmux"


def write(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("printf 'b\\na\\nstage-10\\n'", TmuxFact(sessions=("a", "b", "stage-10"))),
        ("true", TmuxFact()),
        ("echo 'no server running on /tmp/tmux-0/default' >&2; exit 1", TmuxFact()),
        ("echo 'error connecting to /tmp/tmux-0/default (No such file or directory)' >&2; exit 1", TmuxFact()),
        ("echo 'error connecting to /tmp/tmux-0/default (Permission denied)' >&2; exit 1", TmuxFact(problem=NO_ANSWER)),
        ("echo 'protocol version mismatch' >&2; exit 1", TmuxFact(problem=NO_ANSWER)),
        ("exit 127", TmuxFact(problem=NO_ANSWER)),
    ],
)
def test_what_tmux_says(stand_in: Path, script: str, answer: TmuxFact) -> None:
    write(stand_in, script)
    assert list_sessions() == answer


def test_only_the_names_are_asked_for(stand_in: Path, tmp_path: Path) -> None:
    write(stand_in, f'printf "%s|" "$@" > {tmp_path}/asked')
    list_sessions()
    assert (tmp_path / "asked").read_text("utf-8") == "-u|-f|/dev/null|list-sessions|-F|#{session_name}|"


def test_a_program_that_cannot_be_run_or_does_not_end(stand_in: Path) -> None:
    stand_in.write_bytes(b"\x00\x01")
    stand_in.chmod(0o755)
    assert list_sessions() == TmuxFact(problem=NO_ANSWER)
    write(stand_in, "exec sleep 30")
    assert list_sessions(limits=Limits(tmux_s=1)) == TmuxFact(problem=TOO_SLOW)


def test_without_tmux_nothing_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list_sessions() == TmuxFact(problem=NOT_INSTALLED)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A real server of the test's own; its pieces are ended by the server itself."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))
    monkeypatch.delenv("TMUX", raising=False)
    command = ["tmux", "-f", "/dev/null"]
    for name in ("dpdisp_stage-10", "a.b"):
        subprocess.run([*command, "new-session", "-d", "-s", name, "sleep 60"], check=True)
    yield ["a_b", "dpdisp_stage-10"]
    subprocess.run([*command, "kill-server"], check=False)


def test_the_real_tmux(server: list[str]) -> None:
    assert list_sessions() == TmuxFact(sessions=tuple(server))
