"""The typed workflow: what the files say, with everything odd in them counted as not said."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import EARLY, LAUNCH, circumstances, document, gather, lay_out, process, put, stage
from resume_forensics.claims.superscientist import translate
from resume_forensics.model.workflow import Process, Stage, Workflow
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing, StageStatus, Verdict


def read(root: Path) -> Workflow:
    return translate(gather(root), circumstances(root))


def only_stage(root: Path) -> Stage:
    (found,) = read(root).stages
    return found


def only_process(root: Path) -> Process:
    found = only_stage(root).process
    assert found is not None
    return found


def test_a_whole_workflow(tmp_path: Path) -> None:
    files: dict[str, Any] = {"stage-1/DPDISP_DONE": LAUNCH, "stage-1/DPDISP_EXIT_CODE": LAUNCH, "stage-1/dpdisp-run.sh": "run"}
    lay_out(tmp_path, stage(1, "running", running_process=process(), retry_count=2), files=files, workflow_status="in_progress")
    found = read(tmp_path)
    assert (found.id, found.word, found.problem, found.has_init, found.is_paused) == (Raw("w"), Raw("in_progress"), None, True, False)
    assert found.log == (Raw("[2026-01-02T02:50:00+00:00] Session 4 started."),)
    assert found.entries == (Raw("Session 4 started."),)
    assert found.session is not None
    assert (found.session.count, found.session.cost, found.session.budget) == (4, 5.5, 6)
    assert found.session.exit_reason == Raw("budget_exhausted")
    assert found.session.began_at == datetime(2026, 1, 2, 2, 50, tzinfo=UTC)
    (one,) = found.stages
    assert (one.id, one.number, one.status, one.retry_count, one.retry_limit) == (Raw("stage-1"), Raw("1"), StageStatus.RUNNING, 2, 3)
    assert one.process is not None
    assert one.process.session == Raw("dpdisp_stage-1")
    assert (one.process.launched_at, one.process.exit_code, one.process.recovery_attempted) == (LAUNCH, 0, False)
    assert one.process.done is not None
    assert one.process.done.file.modified_at == LAUNCH


def test_a_missing_state_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    put(tmp_path, "progress.log", "x\n")
    assert read(tmp_path).problem is Verdict.STATE_MISSING
    (tmp_path / "workflow-state.json").mkdir()
    assert read(tmp_path).problem is Verdict.STATE_CORRUPT


@pytest.mark.parametrize(
    ("written", "as_tmux_spells_it"),
    [("a.b:c", "a_b_c"), ("dpdisp_stage-1", "dpdisp_stage-1"), ("", None), ("a\nb", None), (None, None), (7, None)],
)
def test_a_session_is_named_as_tmux_names_it(tmp_path: Path, written: object, as_tmux_spells_it: str | None) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(tmux_session=written)))
    assert only_process(tmp_path).session == (None if as_tmux_spells_it is None else Raw(as_tmux_spells_it))


@pytest.mark.parametrize(
    ("text", "code"),
    [("0\n", 0), (" 3 ", 3), ("-9", -9), ("", None), ("no", None), ("1 2", None), ("0x1", None), ("9" * 30, None), ("1" * 5_000, None)],
)
def test_an_exit_code_is_one_number_and_nothing_else(tmp_path: Path, text: str, code: int | None) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_EXIT_CODE": text})
    assert only_process(tmp_path).exit_code == code


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "x/../../y"])
def test_a_marker_that_leads_out_is_not_looked_at(tmp_path: Path, name: str) -> None:
    root = lay_out(tmp_path / "root", stage(1, "running", running_process=process(done_marker=name, exit_code_file=name)))
    put(tmp_path, "out", "0\n")
    found = only_process(root)
    assert found.done is not None
    assert found.exit is not None
    assert (found.done.file.missing, found.exit.file.missing, found.exit_code) == (Missing.OUTSIDE, Missing.OUTSIDE, None)


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "root", stage(1, "running", running_process=process()))
    put(tmp_path, "out", "0\n")
    (root / "stage-1").mkdir()
    (root / "stage-1/DPDISP_DONE").symlink_to(tmp_path / "out")
    found = only_process(root).done
    assert found is not None
    assert found.file.missing is Missing.OUTSIDE


@pytest.mark.parametrize(
    ("name", "plain"),
    [("a/b.sh", True), ("a b.sh", True), ("-c", False), ("a\nb", False), ("a\x1b[2J", False), ("+x", False), ("!", False)],
)
def test_a_name_is_plain_if_it_shows_and_is_no_option(tmp_path: Path, name: str, plain: bool) -> None:  # noqa: FBT001 (a parameter)
    lay_out(tmp_path, stage(1, "running", running_process=process(wrapper_script=name, exit_code_file=name)))
    found = only_process(tmp_path)
    assert found.wrapper is not None
    assert found.exit is not None
    assert (found.wrapper.is_plain, found.exit.is_plain) == (plain, plain)


@pytest.mark.parametrize("launched", ["about three", "2026-01-02T06:00:00", "", None, 5])
def test_a_launch_without_an_instant_is_no_time(tmp_path: Path, launched: object) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(launched_at=launched)))
    assert only_process(tmp_path).launched_at is None


def test_the_error_is_the_last_line_of_the_stages_own_log(tmp_path: Path) -> None:
    files = {"stage-1/DPDISP_EXIT_CODE": "3", "stage-1/err": "first\nno space left\n\n", "dpdispatcher.log": "later\n"}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=files)
    found = only_process(tmp_path)
    assert (found.error, found.error_source) == (Raw("no space left"), Raw("stage-1/err"))


def test_else_the_last_line_of_dpdispatchers_log(tmp_path: Path) -> None:
    files = {"stage-1/DPDISP_EXIT_CODE": "3", "stage-1/err": "\n \n", "dpdispatcher.log": "job failed\n"}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=files)
    found = only_process(tmp_path)
    assert (found.error, found.error_source) == (Raw("job failed"), Raw("dpdispatcher.log"))


@pytest.mark.parametrize("code", ["0", "no"])
def test_no_error_is_quoted_where_none_is_known(tmp_path: Path, code: str) -> None:
    files = {"stage-1/DPDISP_EXIT_CODE": code, "stage-1/err": "a warning\n"}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=files)
    assert only_process(tmp_path).error is None


BEGIN, END = "-----BEGIN " + "X KEY-----", "-----END " + "X KEY-----"


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["why", BEGIN, "body", END], "why"),
        (["why", BEGIN, "body"], "why"),
        (["body", END, "why"], "why"),
        (["body", "body", END], None),
        (["why", BEGIN + "body" + END], "why"),
        ([BEGIN, "body", END, "why", BEGIN, "body"], "why"),
    ],
)
def test_a_line_of_a_key_is_no_error(tmp_path: Path, lines: list[str], error: str | None) -> None:
    files = {"stage-1/DPDISP_EXIT_CODE": "3", "stage-1/err": "\n".join(lines)}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=files)
    assert only_process(tmp_path).error == (None if error is None else Raw(error))


def test_a_giant_last_line_is_cut_and_says_so(tmp_path: Path) -> None:
    files = {"stage-1/DPDISP_EXIT_CODE": "3", "stage-1/err": "x" * 5_000}
    lay_out(tmp_path, stage(1, "running", running_process=process()), files=files)
    error = only_process(tmp_path).error
    assert error is not None
    assert (len(error), error.cut) == (1_000, True)


@pytest.mark.parametrize(
    ("backend", "default", "limit"),
    [(None, "local", 3), ("cluster", "local", 5), (None, "cluster", 5), ("remote", "local", 5), ("unheard", "cluster", 3), (None, None, 3)],
)
def test_the_backend_decides_how_often_is_tried(tmp_path: Path, backend: str | None, default: str | None, limit: int) -> None:
    lay_out(tmp_path, stage(1, "failed", backend=backend), default_backend=default)
    assert only_stage(tmp_path).retry_limit == limit


@pytest.mark.parametrize(("written", "found"), [([], ()), (None, ()), (["a"], (Raw("a"),)), ("a", None), (["a", 3], None), ({}, None)])
def test_dependencies_that_cannot_be_read_are_not_none(tmp_path: Path, written: object, found: object) -> None:
    lay_out(tmp_path, stage(1, depends_on=written))
    assert only_stage(tmp_path).depends_on == found


@pytest.mark.parametrize("status", ["flying", "", "Running", None, 4, []])
def test_a_status_is_a_word_of_the_protocol(tmp_path: Path, status: object) -> None:
    lay_out(tmp_path, stage(1, status))
    one = only_stage(tmp_path)
    assert one.status is None
    assert one.status_word == (Raw(status) if isinstance(status, str) else None)


@pytest.mark.parametrize("count", [None, "4", 4.0, True, -1, []])
def test_a_count_is_a_whole_number(tmp_path: Path, count: object) -> None:
    lay_out(tmp_path, stage(1), session_config={"session_count": count})
    session = read(tmp_path).session
    assert session is not None
    assert session.count is None


def test_odd_session_values_are_shown_as_text(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1), session_config={"session_cost": "5.5", "session_budget": [6], "exit_reason": 3, "session_id": 9})
    session = read(tmp_path).session
    assert session is not None
    assert (session.cost, session.budget, session.exit_reason, session.id) == (Raw("5.5"), Raw("[6]"), Raw("3"), None)


def test_files_of_one_time_are_those_of_a_copy(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_DONE": "", "stage-1/DPDISP_EXIT_CODE": "0"})
    assert not read(tmp_path).was_copied
    for number, path in enumerate(sorted(one for one in tmp_path.rglob("*") if one.is_file())):
        at = (EARLY + timedelta(milliseconds=400 * number)).timestamp()
        os.utime(path, (at, at))
    assert read(tmp_path).was_copied


def test_two_files_of_one_time_prove_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1))
    (tmp_path / "init.sh").unlink()
    put(tmp_path, "progress.log", "x\n")
    assert not read(tmp_path).was_copied


def test_a_log_that_is_no_file_cannot_grow(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1))
    (tmp_path / "progress.log").unlink()
    gone = read(tmp_path)
    (tmp_path / "progress.log").mkdir()
    folder = read(tmp_path)
    assert (gone.log, gone.log_can_grow, folder.log, folder.log_can_grow) == (None, True, None, False)


def test_pause_is_seen(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1), files={"PAUSE": ""})
    assert read(tmp_path).is_paused


HOSTILE: tuple[Any, ...] = (None, True, 3, -1.5, "x", [], {}, [1, None, {}], {"a": {"b": []}}, "\x00", "\ud800", "../" * 50)


@pytest.mark.parametrize("value", HOSTILE, ids=repr)
def test_any_value_anywhere_is_read_without_an_error(tmp_path: Path, value: Any) -> None:  # noqa: ANN401 (any JSON)
    whole = document(stage(1, "running", running_process=process()))
    for key in whole:
        root = tmp_path / f"top-{key}"
        lay_out(root, stage(1, "running", running_process=process()), **{key: value})
        read(root)
    for key in whole["stages"][0]:
        root = tmp_path / f"stage-{key}"
        lay_out(root, {**stage(1, "running", running_process=process()), key: value})
        read(root)
    for key in process():
        root = tmp_path / f"process-{key}"
        lay_out(root, stage(1, "running", running_process=process(**{key: value})))
        read(root)
    for key in whole["session_config"]:
        root = tmp_path / f"session-{key}"
        lay_out(root, stage(1), session_config={key: value})
        read(root)


def test_bytes_that_are_no_utf_8_show_as_replacement(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1))
    path = tmp_path / "workflow-state.json"
    path.write_bytes(path.read_bytes().replace(b'"w"', b'"\xff"'))
    found = read(tmp_path).id
    assert found is not None
    assert reveal(found) == "�"
