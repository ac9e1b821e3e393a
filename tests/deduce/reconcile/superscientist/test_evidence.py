"""What was seen of a stage, in words, and what of it contradicts what is written."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from claims.workflows import LAUNCH, claim_of, lay_out, process, reconcile, stage
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, Says

RUN = {"stage-1/dpdisp-run.sh": "run"}
ALIVE = ["dpdisp_stage-1"]


def seen(root: Path, sessions: list[str] | None = None, *, problem: str | None = None) -> list[tuple[str, str, str, str]]:
    claim = claim_of(reconcile(root, sessions or [], problem=problem), "stage:stage-1")
    return [(one.kind, one.what, one.value, one.says) for one in claim.evidence]


def kinds(root: Path, sessions: list[str] | None = None) -> dict[str, bool]:
    return {conflict.kind: conflict.blocks_apply for conflict in reconcile(root, sessions or []).conflicts}


def test_a_finished_stage_shows_session_marker_and_code(tmp_path: Path) -> None:
    markers = {"stage-1/DPDISP_DONE": LAUNCH + timedelta(hours=1), "stage-1/DPDISP_EXIT_CODE": LAUNCH}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={**RUN, **markers})
    assert seen(tmp_path) == [
        (EvidenceKind.TMUX, "tmux session dpdisp_stage-1", "gone", Says.AGAINST),
        (
            EvidenceKind.MARKER,
            "stage-1/DPDISP_DONE",
            "fresh: written 2026-01-02T07:00:00+00:00, launched 2026-01-02T06:00:00+00:00",
            Says.AGAINST,
        ),
        (
            EvidenceKind.EXIT_CODE,
            "stage-1/DPDISP_EXIT_CODE",
            "0, fresh: written 2026-01-02T06:00:00+00:00, launched 2026-01-02T06:00:00+00:00",
            Says.AGAINST,
        ),
    ]


def test_a_stage_that_died_shows_its_wrapper(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=RUN)
    assert seen(tmp_path)[1:] == [
        (EvidenceKind.MARKER, "stage-1/DPDISP_DONE", "absent: no longer on disk", Says.FOR),
        (EvidenceKind.EXIT_CODE, "stage-1/DPDISP_EXIT_CODE", "absent: no longer on disk", Says.FOR),
        (EvidenceKind.FILE, "stage-1/dpdisp-run.sh", "there", Says.FOR),
    ]


def test_what_is_not_named_says_so(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process={"tmux_session": "a", "launched_at": None}))
    found = seen(tmp_path)
    assert (EvidenceKind.MARKER, "(not named)", "absent: no output path recorded", Says.FOR) in found
    assert (EvidenceKind.FILE, "(not named)", "no output path recorded", Says.UNKNOWN) in found


def test_a_session_that_could_not_be_asked_for_says_why(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()))
    assert seen(tmp_path, problem="tmux is not installed")[0][2:] == ("could not be asked: tmux is not installed", Says.UNKNOWN)
    lay_out(tmp_path, stage(1, "running", running_process=process(tmux_session="")))
    assert seen(tmp_path)[0][1:3] == ("tmux session (not named)", "could not be asked: no session of that name can exist")


def test_an_error_is_quoted(tmp_path: Path) -> None:
    markers = {"stage-1/DPDISP_DONE": LAUNCH, "stage-1/DPDISP_EXIT_CODE": LAUNCH}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={**markers, "stage-1/err": "no space left\n"})
    code = tmp_path / "stage-1/DPDISP_EXIT_CODE"
    at = code.stat().st_mtime
    code.write_text("3\n", "utf-8")
    os.utime(code, (at, at))
    assert (EvidenceKind.LOG, "stage-1/err", "no space left", Says.AGAINST) in seen(tmp_path)


def test_outputs_and_dependencies_are_named(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "completed", outputs=["a", "b", "../c"]), files={"a": "x"})
    assert seen(tmp_path) == [
        (EvidenceKind.FILE, "a", "there", Says.FOR),
        (EvidenceKind.FILE, "b", "no longer on disk", Says.AGAINST),
        (EvidenceKind.FILE, "../c", "leads out of the directory, so it was not opened", Says.UNKNOWN),
    ]
    lay_out(tmp_path, stage(1, depends_on=["stage-2", "stage-3", "stage-4"]), stage(2, "running"), stage(3, None))
    assert [row[1:3] for row in seen(tmp_path)] == [
        ("depends on stage-2", "running"),
        ("depends on stage-3", "without a status"),
        ("depends on stage-4", "no stage of this workflow"),
    ]
    lay_out(tmp_path, stage(1, depends_on="stage-2"))
    assert seen(tmp_path) == [(EvidenceKind.FILE, "depends_on", "cannot be read", Says.UNKNOWN)]


def test_a_copied_tree_is_named(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_DONE": "", "stage-1/DPDISP_EXIT_CODE": "0"})
    for name in ("progress.log", "init.sh"):
        (tmp_path / name).unlink()
    assert EvidenceKind.MTIME in [row[0] for row in seen(tmp_path)]


@pytest.mark.parametrize(
    ("markers", "sessions", "expected"),
    [
        ({}, [], {}),
        ({"stage-1/DPDISP_DONE": LAUNCH - timedelta(hours=1)}, [], {ConflictKind.STALE_DONE_MARKER: False}),
        ({"stage-1/DPDISP_DONE": LAUNCH - timedelta(hours=1)}, ALIVE, {ConflictKind.STALE_DONE_MARKER: False}),
        ({"stage-1/DPDISP_DONE": LAUNCH}, ALIVE, {ConflictKind.TMUX_ALIVE_BUT_DONE: False}),
        ({"stage-1/DPDISP_DONE": LAUNCH}, [], {ConflictKind.DONE_WITHOUT_EXIT_CODE: True}),
        ({"stage-1/DPDISP_EXIT_CODE": LAUNCH}, [], {ConflictKind.EXIT_CODE_WITHOUT_DONE: False}),
        ({"stage-1/DPDISP_DONE": LAUNCH - timedelta(minutes=1)}, [], {ConflictKind.UNDATABLE_MARKER: True}),
        (
            {"stage-1/DPDISP_DONE": LAUNCH - timedelta(hours=1), "stage-1/DPDISP_EXIT_CODE": LAUNCH},
            [],
            {ConflictKind.STALE_DONE_MARKER: False, ConflictKind.EXIT_CODE_WITHOUT_DONE: False},
        ),
    ],
)
def test_conflicts_of_a_stage_in_flight(tmp_path: Path, markers: dict[str, object], sessions: list[str], expected: dict[str, bool]) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={**RUN, **markers})  # type: ignore[dict-item]  # times
    assert kinds(tmp_path, sessions) == expected


@pytest.mark.parametrize("status", ["completed", "failed", "ready", "skipped", "post_processing", "flying"])
def test_a_session_that_lives_contradicts_a_stage_that_should_not_run(tmp_path: Path, status: str) -> None:
    lay_out(tmp_path, stage(1, status, running_process=process()))
    assert kinds(tmp_path, ALIVE) == {ConflictKind.STATUS_VS_PROCESS: True}
    assert kinds(tmp_path, ["dpdisp_stage-10"]) == {}


def test_a_conflict_names_its_claim_and_both_sides(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={**RUN, "stage-1/DPDISP_DONE": LAUNCH - timedelta(hours=1)})
    (conflict,) = reconcile(tmp_path).conflicts
    assert (conflict.id, conflict.claims) == ("stale-done-marker:stage:stage-1", ("stage:stage-1",))
    assert conflict.sides == (
        "the state says: running",
        "its marker was written at 2026-01-02T05:00:00+00:00, before the launch at 2026-01-02T06:00:00+00:00",
    )
    assert conflict.resolution is not None
    assert conflict.resolution.startswith("the launch stands")
