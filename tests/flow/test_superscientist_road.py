"""The whole road of a workflow on a real disk: nothing changes without leave, and a kill at any line of the write harms nothing."""

import hashlib
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

import resume_forensics
from claims.workflows import LAUNCH, NOW, lay_out, process, put, stage
from resume_forensics.flow import reconcile as flow
from resume_forensics.model.claim import Reconciliation
from resume_forensics.model.inquiry import TmuxFact
from resume_forensics.read import inquiries
from resume_forensics.render.claim_document import write_claim_document
from resume_forensics.render.claim_prose import write_claim_prose
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Refusal

SECRET = "ghp_" + "Zk3" * 12
STAMP = re.compile(r"^\[[^]]*\] ")


@pytest.fixture(autouse=True)
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tmux session lives, whatever else runs on this machine."""
    monkeypatch.setattr(inquiries, "list_sessions", lambda **_: TmuxFact())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workflow of which one stage failed, one died while it was prepared, and one may be launched again."""
    folder = tmp_path / "work"
    stages = (
        stage(1, "running", running_process=process(1), foreign={"kept": [1.50, "é"]}),
        stage(2, "preparing"),
        stage(3, "running", running_process=process(3)),
    )
    files: dict[str, Any] = {"stage-3/dpdisp-run.sh": "run", "stage-1/err": f"token {SECRET} refused\n"}
    lay_out(folder, *stages, files=files, odd="\ud83d\ude00")
    put(folder, "stage-1/DPDISP_EXIT_CODE", "3\n", at=LAUNCH)
    put(folder, "stage-1/DPDISP_DONE", at=LAUNCH + timedelta(seconds=1))
    (folder / "workflow-state.json").chmod(0o640)
    return folder


def reconcile(root: Path, **options: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any option of the face)
    """The whole road, with no transcripts."""
    return resume_forensics.reconcile(root, **{"now": NOW, "projects_dir": root / "nowhere", **options})


def photograph(root: Path) -> dict[str, tuple[int, int, str]]:
    """Everything below a folder, with mode, time and digest."""
    return {
        str(path.relative_to(root)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in [root, *root.rglob("*")]
    }


def state(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / "workflow-state.json").read_bytes())
    return document


def log(root: Path) -> list[str]:
    return [STAMP.sub("", line) for line in (root / "progress.log").read_text("utf-8").splitlines()]


def test_nothing_changes_without_leave(root: Path) -> None:
    before = photograph(root)
    found = reconcile(root)
    write_claim_document(found)
    write_claim_prose(found)
    assert photograph(root) == before
    assert found.applied is None


def test_a_refused_write_changes_nothing(root: Path) -> None:
    put(root, "stage-1/DPDISP_EXIT_CODE", "", at=LAUNCH)
    before = photograph(root)
    applied = reconcile(root, apply=True).applied
    assert applied is not None
    assert (applied.done, applied.refusals, applied.written) == (False, (Refusal.EVIDENCE_CONFLICTS,), ())
    assert photograph(root) == before


def test_the_write_is_what_was_shown(root: Path) -> None:
    planned = reconcile(root).writes_planned
    before, text = state(root), (root / "workflow-state.json").read_text("utf-8")
    found = reconcile(root, apply=True)
    assert found.writes_planned == planned
    assert found.applied is not None
    assert (found.applied.done, found.applied.written) == (True, ("progress.log", "workflow-state.json"))
    after = state(root)
    for change in planned[1].changes:
        *above, last = change.pointer.split("/")[1:]
        old: Any = before
        new: Any = after
        for key in above:
            old, new = (place[int(key)] if isinstance(place, list) else place[key] for place in (old, new))
        assert (old[last], new[last]) == (change.before, change.after)
        old[last] = new[last]
    assert (after, list(after), list(after["stages"][0])) == (before, list(before), list(before["stages"][0]))
    assert (root / "progress.log").read_text("utf-8").splitlines()[1:] == list(planned[0].lines)
    changed = [
        (one, other)
        for one, other in zip(text.split("\n"), (root / "workflow-state.json").read_text("utf-8").split("\n"), strict=True)
        if one != other
    ]
    assert len(changed) == len(planned[1].changes)
    assert (root / "workflow-state.json").stat().st_mode & 0o777 == 0o640


def test_a_secret_is_not_carried_into_the_state(root: Path) -> None:
    reconcile(root, apply=True)
    error = state(root)["stages"][0]["last_error"]
    assert error.startswith("DPDispatcher exit code 3: token [REDACTED:")
    assert SECRET not in (root / "progress.log").read_text("utf-8") + (root / "workflow-state.json").read_text("utf-8")


def test_a_key_in_the_log_is_masked_whole_wherever_the_end_of_the_log_begins(root: Path) -> None:
    body = [b64encode(Random(number).randbytes(48)).decode() for number in range(25)]  # noqa: S311 (nothing is guarded)
    key = ["-----BEGIN RSA " + "PRIVATE KEY-----", *body, "-----END RSA " + "PRIVATE KEY-----"]
    put(root, "progress.log", "\n".join(["first", *key, *(f"line {number}" for number in range(30))]) + "\n")
    lines = reconcile(root).context.lines
    assert lines[:2] == ("first", "[REDACTED:pem#1]")
    assert lines[-1] == "line 29"
    put(root, "progress.log", "\n".join(f"line {number}" for number in range(80)) + "\n")
    assert reconcile(root).context.lines == tuple(f"line {number}" for number in range(30, 80))


def test_what_was_done_is_not_done_again(root: Path) -> None:
    reconcile(root, apply=True)
    before = photograph(root)
    again = reconcile(root, apply=True, now=NOW + timedelta(seconds=120))
    assert again.applied is not None
    assert again.applied.refusals == (Refusal.ALREADY_APPLIED,)
    assert photograph(root) == before
    later = reconcile(root, apply=True, now=NOW + timedelta(seconds=121))
    assert later.applied is not None
    assert later.applied.done
    assert state(root)["session_config"]["session_count"] == 6


@pytest.mark.parametrize("moment", ["before the first write", "between the writes"])
def test_a_state_that_changed_since_it_was_read_is_left_alone(root: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    name = "foresee_refusal" if moment == "before the first write" else "carry_out"
    real = getattr(flow, name)

    def change_first(write: object, where: Path) -> Refusal | None:
        (root / "workflow-state.json").write_text('{"somebody": "else"}', "utf-8")
        answer: Refusal | None = real(write, where)
        return answer

    monkeypatch.setattr(flow, name, change_first)
    applied = reconcile(root, apply=True).applied
    assert applied is not None
    assert (applied.done, applied.refusals) == (False, (Refusal.CHANGED_SINCE_READ,))
    assert (root / "workflow-state.json").read_text("utf-8") == '{"somebody": "else"}'
    assert applied.written == (() if moment == "before the first write" else ("progress.log",))


def test_a_log_that_is_missing_is_begun(root: Path) -> None:
    (root / "progress.log").unlink()
    reconcile(root, apply=True)
    assert log(root)[0].startswith("Recovery note: progress.log was missing")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process can be killed at a line only where it can be forked")
def test_a_kill_at_any_line_leaves_the_old_state_or_the_new_one(root: Path, tmp_path: Path) -> None:
    """And whatever it left, the next --apply brings to the same end: one session counted, every line logged once."""
    copies = tmp_path / "copies"
    driver = Path(__file__).with_name("killed.py")
    done = subprocess.run(
        [sys.executable, str(driver), str(root), str(copies), NOW.isoformat()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    last = int(done.stdout)
    assert last > 40
    old, new = state(root), state(copies / str(last))
    assert new["session_config"]["session_count"] == 5
    seen: dict[tuple[bool, int, int], Path] = {}
    for number in range(1, last + 1):
        copy = copies / str(number)
        left = state(copy)
        assert left in (old, new), number
        assert log(copy) in (log(root), log(copies / str(last))), number
        seen[left == new, len(log(copy)), len(list(copy.iterdir()))] = copy
    assert len(seen) >= 4, "killed before the log, after it, with the new state beside the old one, and after both"
    for copy in seen.values():
        reconcile(copy, apply=True, now=NOW)
        assert state(copy) == new, copy.name
        assert log(copy) == log(copies / str(last)), copy.name
        assert {path.name for path in copy.iterdir() if not path.name.startswith(".resume-scan-")} == {path.name for path in root.iterdir()}
