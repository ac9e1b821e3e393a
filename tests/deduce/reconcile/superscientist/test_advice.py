"""Proposals about stages: commands that a shell takes as they are meant, whatever the state file calls things."""

import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import LAUNCH, claim_of, lay_out, process, put, reconcile, stage
from resume_forensics.model.claim import Advice
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Proposal, Verdict

RUN = {"stage-1/dpdisp-run.sh": "run"}


def advice(root: Path, *sessions: str) -> Advice[Masked]:
    return claim_of(reconcile(root, sessions), "stage:stage-1").proposal


def command(root: Path, *sessions: str) -> str:
    found = advice(root, *sessions).command
    assert found is not None
    return found


def test_a_relaunch_ends_exactly_its_own_session_first(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=RUN)
    assert command(tmp_path) == (
        "tmux kill-session -t '=dpdisp_stage-1' 2>/dev/null; tmux new-session -d -s 'dpdisp_stage-1' 'bash stage-1/dpdisp-run.sh'"
    )
    assert advice(tmp_path).after == (
        "set running_process.recovery_attempted of stage-1 to true in workflow-state.json: nobody else will",
        'log "Recovering stage-1: re-launching DPDispatcher" in progress.log',
        "run it in the directory of the workflow",
    )


def test_names_are_quoted_twice_where_two_shells_read_them(tmp_path: Path) -> None:
    name = "it's $(touch x)/run me.sh"
    lay_out(tmp_path, stage(1, "running", running_process=process(wrapper_script=name, tmux_session="a'; touch y; '")))
    put(tmp_path, name, "run")
    outer = shlex.split(command(tmp_path), comments=True)
    assert outer[:4] == ["tmux", "kill-session", "-t", "=a'; touch y; '"]
    assert outer[-2] == "a'; touch y; '"
    assert shlex.split(outer[-1]) == ["bash", name]


MISTAKEN = ["#(touch pwned)", "a#b", "#S", "#{version}", "$0", "$+0", "semi;", "pts/0", "/dev/pts/0", "ttys001", "client-7"]
HARMLESS = ["=$0", "@0", "%0", "-d", "x y'$(touch pwned)", "$(touch pwned)", "`touch pwned`", "{last}", "!", "$", "a;b", "=", "~"]
RESPELLED = ["a\\b", "a $HOME", "${x}", "$_"]


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_session_that_tmux_would_mistake_gives_no_command(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(tmux_session=name)), files=RUN)
    claim = claim_of(reconcile(tmp_path), "stage:stage-1")
    assert (claim.proposal.name, claim.proposal.command) == (Proposal.ASK_USER, None)
    assert "not fit to re-launch it by" in str(claim.proposal.reason)
    assert str(claim.evidence[0].value) == "gone; tmux takes this name for something else than a name, so there is no command that holds it"


@pytest.mark.parametrize("name", RESPELLED)
def test_a_session_that_tmux_would_spell_otherwise_cannot_be_asked_for(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(tmux_session=name, recovery_attempted=True)), files=RUN)
    claim = claim_of(reconcile(tmp_path), "stage:stage-1")
    assert (claim.verdict, claim.proposal.command) == (Verdict.UNKNOWN_NO_TMUX, None)


@pytest.fixture
def bystander(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tmux server of the test's own, with session 0 that nobody may end; the folder holds its socket."""
    if shutil.which("tmux") is None:
        pytest.skip("NOT TESTED against the real tmux: it is not installed")
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setenv("TMUX_TMPDIR", str(folder))
    monkeypatch.delenv("TMUX", raising=False)
    subprocess.run(["tmux", "-f", "/dev/null", "new-session", "-d", "-s", "bystander", "sleep 600"], check=True)
    yield folder
    subprocess.run(["tmux", "kill-server"], check=False, capture_output=True)


@pytest.mark.parametrize("name", MISTAKEN + HARMLESS + RESPELLED)
def test_a_real_tmux_does_nothing_but_begin_that_session(tmp_path: Path, bystander: Path, name: str) -> None:
    root = tmp_path / "w"
    lay_out(root, stage(1, "running", running_process=process(tmux_session=name)), files={"stage-1/dpdisp-run.sh": "sleep 600"})
    written = advice(root).command
    assert (written is None) == (name not in HARMLESS)
    for _ in range(2):
        subprocess.run(["bash", "-c", str(written or "true")], cwd=root, check=False, capture_output=True)
    asked = ["tmux", "list-sessions", "-F", "#{session_name}"]
    listed = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()
    assert sorted(listed) == sorted({"bystander"} | ({name} if written else set()))
    assert not list(root.rglob("*pwned*"))
    assert bystander.is_dir()


@pytest.mark.parametrize("wrapper", ["/bin/sh", "../run.sh", "gone.sh", "stage-1", "-c", None])
def test_a_wrapper_that_cannot_be_trusted_gives_no_command(tmp_path: Path, wrapper: str | None) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(wrapper_script=wrapper)), files=RUN)
    found = advice(tmp_path)
    assert (found.name, found.command) == (Proposal.ASK_USER, None)


def test_a_monitor_waits_for_a_marker_of_this_launch(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_DONE": "", "stage-1/DPDISP_EXIT_CODE": "7"})
    written = command(tmp_path, "dpdisp_stage-1")
    assert written == (
        "until [ -n \"$(find stage-1/DPDISP_DONE -newermt '2026-01-02T05:59:59.999999+00:00' 2>/dev/null)\" ]; do sleep 30; done; "
        "cat stage-1/DPDISP_EXIT_CODE"
    )
    test = written.removeprefix("until ").split("; do")[0]
    assert subprocess.run(["sh", "-c", test], cwd=tmp_path, check=False).returncode == 1
    put(tmp_path, "stage-1/DPDISP_DONE", at=LAUNCH)
    assert subprocess.run(["sh", "-c", written], cwd=tmp_path, capture_output=True, text=True, check=False).stdout == "7"


@pytest.mark.parametrize(
    "changes", [{"done_marker": "../DONE"}, {"exit_code_file": "a\nb"}, {"exit_code_file": None}, {"done_marker": "stage-1"}]
)
def test_a_marker_that_cannot_be_looked_at_gives_no_monitor(tmp_path: Path, changes: dict[str, Any]) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(**changes)), files=RUN)
    found = advice(tmp_path, "dpdisp_stage-1")
    assert (found.name, found.command) == (Proposal.KEEP_MONITORING, None)
    assert found.after[0].startswith("run it in the background, with a timeout of 600 s")


def test_a_launch_at_an_unknown_time_is_watched_from_now_on(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(launched_at="some time")))
    assert "-newermt '2026-01-02T08:59:59.999999+00:00'" in command(tmp_path, "dpdisp_stage-1")


@pytest.mark.parametrize(
    ("status", "name", "written", "duties"),
    [
        ("post_processing", Proposal.VERIFY_RESULT, "superscientist:result-verification stage-1", 0),
        ("ready", Proposal.DISPATCH, "superscientist:executing-workflows", 1),
        ("failed", Proposal.RETRY, "superscientist:executing-workflows", 2),
        ("running", Proposal.MARK_FAILED, None, 0),
        ("skipped", Proposal.NONE, None, 0),
    ],
)
def test_other_proposals(tmp_path: Path, status: str, name: Proposal, written: str | None, duties: int) -> None:
    lay_out(tmp_path, stage(1, status))
    found = advice(tmp_path)
    assert (found.name, found.command, len(found.after), found.destroys) == (name, written, duties, ())


def test_a_recheck_asks_again(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_DONE": LAUNCH})
    assert command(tmp_path, "dpdisp_stage-1") == shlex.join(["resume-scan", "reconcile", str(tmp_path)])


def test_running_it_again_would_lose_the_outputs_that_are_there(tmp_path: Path) -> None:
    outputs = ["stage-1/a.out", "stage-1/b.out"]
    lay_out(tmp_path, stage(1, "running", running_process=process(), outputs=outputs), files={**RUN, "stage-1/a.out": "x"})
    assert advice(tmp_path).destroys == ("stage-1/a.out",)
    lay_out(tmp_path, stage(1, "failed", outputs=outputs), files={"stage-1/a.out": "x"})
    assert advice(tmp_path).destroys == ("stage-1/a.out",)
