"""The planned write, value by value and line by line, and what forbids it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import LAUNCH, NOW, lay_out, process, put, reconcile, stage
from resume_forensics.model.claim import Reconciliation
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import Refusal, WriteKind

STAMP = "[2026-01-02T09:00:00+00:00] "
SESSION = {"session_budget": 6, "session_count": 4, "session_id": "2026-01-02T02:50:00+00:00", "session_cost": 5.5, "exit_reason": None}
TWICE = process(recovery_attempted=True)
SECRET = "ghp_" + "Zk3" * 12


def lines(found: Reconciliation[Masked]) -> list[str]:
    return [line.removeprefix(STAMP) for write in found.writes_planned for line in write.lines]


def changes(found: Reconciliation[Masked]) -> dict[str, tuple[object, object]]:
    return {change.pointer: (change.before, change.after) for write in found.writes_planned for change in write.changes}


def finished(root: Path, code: str) -> None:
    put(root, "stage-1/DPDISP_EXIT_CODE", code, at=LAUNCH)
    put(root, "stage-1/DPDISP_DONE", at=LAUNCH)


def test_the_log_comes_first_and_every_line_bears_the_time(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    log, state = reconcile(tmp_path).writes_planned
    assert (log.path, log.kind, state.path, state.kind) == ("progress.log", WriteKind.APPEND, "workflow-state.json", WriteKind.REPLACE)
    assert all(line.startswith(STAMP) for line in log.lines)


def test_a_session_is_counted_and_its_budget_is_fresh(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    found = reconcile(tmp_path)
    assert changes(found) == {
        "/session_config/session_count": (4, 5),
        "/session_config/session_id": ("2026-01-02T02:50:00+00:00", "2026-01-02T09:00:00+00:00"),
        "/session_config/session_cost": (5.5, 0),
        "/session_config/exit_reason": ("budget_exhausted", None),
    }
    assert lines(found) == [
        "Session 5 started. Reading workflow-state.json... stage-1 ready-now",
        "Previous session ended: exit_reason=budget_exhausted, cost=5.5/6",
    ]


def test_without_an_exit_reason_none_is_logged(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), stage(2, "skipped"), session_config=SESSION)
    assert lines(reconcile(tmp_path)) == ["Session 5 started. Reading workflow-state.json... stage-1 ready-now, stage-2 confirmed"]


@pytest.mark.parametrize(
    ("one", "code", "after", "logged"),
    [
        (stage(1, "preparing"), None, ("failed", "subagent died mid-preparation"), "status -> failed (subagent died mid-preparation)"),
        (
            stage(1, "running"),
            None,
            ("failed", "stale from previous session, no process info"),
            "status -> failed (stale from previous session, no process info)",
        ),
        (
            stage(1, "running", running_process=TWICE),
            None,
            ("failed", "DPDispatcher monitoring process died twice. Check system stability and tmux."),
            "status -> failed (DPDispatcher monitoring process died twice. Check system stability and tmux.)",
        ),
        (
            stage(1, "running", running_process=process()),
            "0",
            ("post_processing", None),
            "status -> post_processing (DPDispatcher finished with exit code 0)",
        ),
        (
            stage(1, "preparing", running_process=process()),
            "3",
            ("failed", "DPDispatcher exit code 3"),
            "status -> failed (DPDispatcher exit code 3)",
        ),
    ],
)
def test_a_transition_is_written_and_logged(
    tmp_path: Path, one: dict[str, Any], code: str | None, after: tuple[str, str | None], logged: str
) -> None:
    lay_out(tmp_path, one, session_config=SESSION)
    if code is not None:
        finished(tmp_path, code)
    found = reconcile(tmp_path)
    assert lines(found)[0] == f"stage-1: {logged}"
    assert changes(found)["/stages/0/status"] == (one["status"], after[0])
    assert changes(found).get("/stages/0/last_error", (None, None)) == (None, after[1])


def test_a_failure_quotes_the_log_under_the_mask(tmp_path: Path) -> None:
    lay_out(
        tmp_path, stage(1, "running", running_process=process()), files={"stage-1/err": f"bad token {SECRET}\n"}, session_config=SESSION
    )
    finished(tmp_path, "3")
    found = reconcile(tmp_path)
    error = changes(found)["/stages/0/last_error"][1]
    assert str(error).startswith("DPDispatcher exit code 3: bad token [REDACTED:")
    assert SECRET not in str(found)


@pytest.mark.parametrize(("status", "expected"), [("preparing", 2), ("running", 1)])
def test_a_stage_that_lives_is_said_to_run(tmp_path: Path, status: str, expected: int) -> None:
    lay_out(tmp_path, stage(7, status, running_process=process(7)), session_config=SESSION)
    found = reconcile(tmp_path, ["dpdisp_stage-7"])
    said = ["stage-7: status -> running (tmux: dpdisp_stage-7)", "Stage 7 still running (tmux: dpdisp_stage-7)"]
    assert lines(found)[:-1] == said[2 - expected :]
    assert ("/stages/0/status" in changes(found)) == (expected == 2)
    assert "/stages/0/last_error" not in changes(found)


def test_a_stage_to_launch_again_is_not_touched(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/dpdisp-run.sh": "run"})
    assert [pointer for pointer in changes(reconcile(tmp_path)) if pointer.startswith("/stages")] == []


def test_a_missing_log_begins_with_a_note(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), session_config=SESSION)
    (tmp_path / "progress.log").unlink()
    found = reconcile(tmp_path)
    assert lines(found)[0].startswith("Recovery note: progress.log was missing")
    assert any("progress.log is not there" in warning for warning in found.warnings)


def test_lines_that_an_unfinished_attempt_left_are_not_planned_again(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "preparing"), session_config=SESSION)
    first = lines(reconcile(tmp_path))
    earlier = (tmp_path / "progress.log").read_text("utf-8")
    put(tmp_path, "progress.log", earlier + "".join(f"[2026-01-02T08:59:00+00:00] {line}\n" for line in first))
    assert [write.path for write in reconcile(tmp_path).writes_planned] == ["workflow-state.json"]
    put(tmp_path, "progress.log", earlier + "".join(f"[2026-01-02T08:59:00+00:00] {line}\n" for line in first[:-1]))
    assert lines(reconcile(tmp_path)) == first


@pytest.mark.parametrize(
    ("session", "age_s", "applied"),
    [
        ({"session_cost": 0, "exit_reason": None}, 0, True),
        ({"session_cost": 0.0, "exit_reason": None}, 119, True),
        ({"session_cost": 0, "exit_reason": None}, 120, True),
        ({"session_cost": 0, "exit_reason": None}, 121, False),
        ({"session_cost": 0, "exit_reason": None}, -1, False),
        ({"session_cost": 1, "exit_reason": None}, 60, False),
        ({"session_cost": 0, "exit_reason": "completed"}, 60, False),
        ({"session_cost": None, "exit_reason": None}, 60, False),
    ],
)
def test_a_session_that_has_just_begun_is_the_one_that_asks(tmp_path: Path, session: dict[str, Any], age_s: int, applied: bool) -> None:  # noqa: FBT001 (a parameter)
    began = (NOW - timedelta(seconds=age_s)).isoformat()
    lay_out(tmp_path, stage(1, "ready"), session_config={"session_count": 5, "session_id": began, **session})
    found = reconcile(tmp_path)
    assert found.refusals == ((Refusal.ALREADY_APPLIED,) if applied else ())
    assert bool(found.writes_planned) is not applied


def test_what_conflicts_forbids_the_write_until_it_is_accepted(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "completed", outputs=["gone"]))
    found = reconcile(tmp_path)
    assert (found.refusals, found.conflicts[0].blocks_apply) == ((Refusal.EVIDENCE_CONFLICTS,), True)
    accepted = reconcile(tmp_path, accepted=frozenset({Raw(found.conflicts[0].id)}))
    assert (accepted.refusals, accepted.conflicts[0].blocks_apply) == ((), False)
    assert accepted.conflicts[0].resolution == "accepted by the caller"


def test_a_session_that_cannot_be_counted(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"), session_config={"session_count": "four"})
    found = reconcile(tmp_path)
    assert found.refusals == (Refusal.EVIDENCE_CONFLICTS,)
    assert found.conflicts[0].id == "session-count-missing:session"
    assert changes(found)["/session_config/session_count"] == ("four", 1)


def test_a_log_that_cannot_be_written_forbids_the_write(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    (tmp_path / "progress.log").unlink()
    (tmp_path / "progress.log").mkdir()
    assert reconcile(tmp_path).refusals == (Refusal.STATE_UNREADABLE,)
