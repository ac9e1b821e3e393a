"""The next action: the work of step 5 first, then what runs, then what is ready, then what may be tried again."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import LAUNCH, lay_out, process, reconcile, stage
from resume_forensics.model.claim import NextAction
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Proposal

DONE = stage(1, "completed")
SKIPPED = stage(2, "skipped")
ALIVE = stage(3, "running", running_process=process(3))
DEAD = stage(4, "running", running_process=process(4))
VERIFY = stage(5, "post_processing")
READY = stage(6, "ready")
FAILED = stage(7, "failed")
LOST = stage(8, "preparing")
EXHAUSTED = stage(9, "failed", retry_count=3)
UNSURE = stage(10, "running", running_process=process(10))
RECHECK = stage(11, "running", running_process=process(11))
LATER = stage(12, "ready")

FILES: dict[str, Any] = {
    "stage-4/dpdisp-run.sh": "run",
    "stage-10/DPDISP_DONE": LAUNCH - timedelta(minutes=1),
    "stage-11/DPDISP_DONE": LAUNCH,
}
SESSIONS = ["dpdisp_stage-3", "dpdisp_stage-11"]


def action(root: Path, *stages: dict[str, Any]) -> NextAction[Masked]:
    lay_out(root, *stages, files=FILES)
    return reconcile(root, SESSIONS).next_action


@pytest.mark.parametrize(
    ("stages", "name", "target"),
    [
        ((READY, ALIVE, DEAD, VERIFY), Proposal.RELAUNCH, "stage:stage-4"),
        ((VERIFY, DEAD), Proposal.VERIFY_RESULT, "stage:stage-5"),
        ((READY, ALIVE, FAILED), Proposal.KEEP_MONITORING, "stage:stage-3"),
        ((READY, RECHECK), Proposal.RECHECK, "stage:stage-11"),
        ((FAILED, READY, LATER), Proposal.DISPATCH, "stage:stage-6"),
        ((LOST, FAILED), Proposal.RETRY, "stage:stage-7"),
        ((DONE, SKIPPED), Proposal.COMPLETE_WORKFLOW, None),
        ((DONE, EXHAUSTED), Proposal.ASK_USER, "stage:stage-9"),
        ((DONE, LOST), Proposal.ASK_USER, "stage:stage-8"),
        ((DONE, UNSURE), Proposal.ASK_USER, "stage:stage-10"),
        ((UNSURE, READY), Proposal.DISPATCH, "stage:stage-6"),
        ((LOST, UNSURE), Proposal.ASK_USER, "stage:stage-10"),
    ],
)
def test_the_first_that_fits(tmp_path: Path, stages: tuple[dict[str, Any], ...], name: Proposal, target: str | None) -> None:
    found = action(tmp_path, *stages)
    assert (found.name, found.target) == (name, target)
    assert found.reason
    assert found.before == ("bash init.sh",)


def test_what_follows_is_the_first_ready_stage(tmp_path: Path) -> None:
    then = action(tmp_path, ALIVE, READY, LATER).then
    assert then is not None
    assert (then.name, then.target, then.command) == (Proposal.DISPATCH, "stage:stage-6", "superscientist:executing-workflows")
    after_dispatch = action(tmp_path, READY, LATER).then
    assert after_dispatch is not None
    assert after_dispatch.target == "stage:stage-12"
    assert action(tmp_path, ALIVE).then is None


def test_the_command_is_that_of_the_claim(tmp_path: Path) -> None:
    found = action(tmp_path, DEAD)
    assert found.command is not None
    assert "tmux new-session -d -s 'dpdisp_stage-4'" in found.command
    assert action(tmp_path, DONE).command == "superscientist:workflow-completion"


def test_a_workflow_whose_outputs_are_missing_is_not_complete(tmp_path: Path) -> None:
    found = action(tmp_path, stage(1, "completed", outputs=["gone.txt"]))
    assert (found.name, found.target) == (Proposal.ASK_USER, "stage:stage-1")


def test_a_stage_that_waits_for_nothing_that_moves(tmp_path: Path) -> None:
    found = action(tmp_path, stage(1, depends_on=["stage-2"]), stage(2, depends_on=["stage-1"]))
    assert (found.name, found.target, found.reason) == (Proposal.ASK_USER, None, "no stage can go on by itself")


def test_without_an_init_script_nothing_comes_before(tmp_path: Path) -> None:
    lay_out(tmp_path, READY)
    (tmp_path / "init.sh").unlink()
    assert reconcile(tmp_path).next_action.before == ()
