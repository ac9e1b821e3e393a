"""What the table sees of a stage: ages of markers, sessions by their exact names, dependencies and outputs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import EARLY, LAUNCH, circumstances, gather, lay_out, process, put, stage
from resume_forensics.claims.superscientist import translate
from resume_forensics.deduce.reconcile.superscientist.sight import Sight, judge_age, look_at
from resume_forensics.model.fact import FileFact
from resume_forensics.vocabulary import DependencySight, ExitSight, MarkerAge, Missing, OutputSight, TmuxSight


def sights(root: Path, *sessions: str, problem: str | None = None) -> list[Sight]:
    answers = gather(root, sessions, problem=problem)
    workflow = translate(answers, circumstances(root))
    return [look_at(one, workflow, answers) for one in workflow.stages]


def sight(root: Path, *sessions: str, problem: str | None = None) -> Sight:
    return sights(root, *sessions, problem=problem)[0]


def written(at: datetime | None, missing: Missing | None = None) -> FileFact:
    return FileFact(path=None, missing=missing, modified_at=at)


@pytest.mark.parametrize(
    ("file", "launched_at", "age"),
    [
        (None, LAUNCH, MarkerAge.ABSENT),
        (written(None, Missing.GONE), LAUNCH, MarkerAge.ABSENT),
        (written(LAUNCH, Missing.DIRECTORY), LAUNCH, MarkerAge.ABSENT),
        (written(None, Missing.OUTSIDE), None, MarkerAge.ABSENT),
        (written(LAUNCH), LAUNCH, MarkerAge.FRESH),
        (written(LAUNCH, Missing.EMPTY), LAUNCH, MarkerAge.FRESH),
        (written(LAUNCH + timedelta(days=9)), LAUNCH, MarkerAge.FRESH),
        (written(LAUNCH - timedelta(seconds=1)), LAUNCH, MarkerAge.NEAR),
        (written(LAUNCH - timedelta(seconds=600)), LAUNCH, MarkerAge.NEAR),
        (written(LAUNCH - timedelta(seconds=601)), LAUNCH, MarkerAge.STALE),
        (written(LAUNCH), None, MarkerAge.UNDATABLE),
        (written(datetime.min.replace(tzinfo=UTC)), datetime.max.replace(tzinfo=UTC), MarkerAge.STALE),
    ],
)
def test_a_marker_is_as_old_as_its_time_against_the_launch(file: FileFact | None, launched_at: datetime | None, age: MarkerAge) -> None:
    assert judge_age(file, launched_at) is age


@pytest.mark.parametrize(
    ("sessions", "problem", "seen"),
    [
        (["dpdisp_stage-1"], None, TmuxSight.ALIVE),
        (["dpdisp_stage-10", "other"], None, TmuxSight.GONE),
        (["dpdisp_stage-"], None, TmuxSight.GONE),
        ([], None, TmuxSight.GONE),
        (["dpdisp_stage-1"], "tmux is not installed", TmuxSight.UNASKED),
    ],
)
def test_a_session_is_alive_by_its_whole_name(tmp_path: Path, sessions: list[str], problem: str | None, seen: TmuxSight) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()))
    assert sight(tmp_path, *sessions, problem=problem).tmux is seen


def test_a_name_with_dots_is_compared_as_tmux_stores_it(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process(tmux_session="a.b:c")))
    assert sight(tmp_path, "a_b_c").tmux is TmuxSight.ALIVE


def test_a_process_that_names_no_session_cannot_be_asked_for(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process="yes"))
    seen = sight(tmp_path)
    assert (seen.has_process, seen.tmux, seen.can_relaunch) == (True, TmuxSight.UNASKED, False)


def test_times_of_a_copied_tree_date_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_DONE": "", "stage-1/DPDISP_EXIT_CODE": "0"})
    for name in ("workflow-state.json", "progress.log", "init.sh"):
        put(tmp_path, name, (tmp_path / name).read_text("utf-8"), at=EARLY)
    seen = sight(tmp_path)
    assert (seen.done, seen.exit_age) == (MarkerAge.UNDATABLE, MarkerAge.UNDATABLE)


@pytest.mark.parametrize(("code", "seen"), [("0", ExitSight.ZERO), ("-1", ExitSight.NOT_ZERO), ("?", ExitSight.NOTHING)])
def test_what_the_exit_code_file_holds(tmp_path: Path, code: str, seen: ExitSight) -> None:
    lay_out(tmp_path, stage(1, "running", running_process=process()), files={"stage-1/DPDISP_EXIT_CODE": code})
    assert sight(tmp_path).exit is seen


@pytest.mark.parametrize(
    ("changes", "usable"),
    [
        ({}, True),
        ({"wrapper_script": None}, False),
        ({"wrapper_script": "gone.sh"}, False),
        ({"wrapper_script": "../stage-1/dpdisp-run.sh"}, False),
        ({"wrapper_script": "stage-1"}, False),
        ({"tmux_session": None}, False),
        ({"done_marker": "/tmp/DONE"}, False),  # noqa: S108 (a path that leads out)
        ({"exit_code_file": "stage-1"}, False),
        ({"done_marker": None}, True),
    ],
)
def test_a_wrapper_can_be_launched_again_if_every_name_is_usable(tmp_path: Path, changes: dict[str, Any], usable: bool) -> None:  # noqa: FBT001 (a parameter)
    lay_out(tmp_path, stage(1, "running", running_process=process(**changes)), files={"stage-1/dpdisp-run.sh": "run"})
    assert sight(tmp_path).can_relaunch is usable


@pytest.mark.parametrize(("count", "left"), [(0, True), (2, True), (3, False), (None, False), ("1", False)])
def test_how_often_it_may_still_be_tried(tmp_path: Path, count: object, left: bool) -> None:  # noqa: FBT001 (a parameter)
    lay_out(tmp_path, stage(1, "failed", retry_count=count))
    assert sight(tmp_path).can_retry is left


@pytest.mark.parametrize(
    ("others", "needs", "seen"),
    [
        ((), [], DependencySight.COMPLETED),
        (("completed", "completed"), ["stage-2", "stage-3"], DependencySight.COMPLETED),
        (("completed", "running"), ["stage-2", "stage-3"], DependencySight.WAITING),
        (("completed", "flying"), ["stage-2", "stage-3"], DependencySight.WAITING),
        (("running", "failed"), ["stage-2", "stage-3"], DependencySight.FAILED),
        (("skipped",), ["stage-2"], DependencySight.FAILED),
        (("completed",), ["stage-2", "stage-9"], DependencySight.ABSENT),
        (("failed",), ["stage-2", "stage-9"], DependencySight.FAILED),
        ((), "stage-2", DependencySight.FAILED),
    ],
)
def test_dependencies(tmp_path: Path, others: tuple[str, ...], needs: object, seen: DependencySight) -> None:
    rest = [stage(number, status) for number, status in enumerate(others, 2)]
    lay_out(tmp_path, stage(1, depends_on=needs), *rest)
    assert sight(tmp_path).dependencies is seen


@pytest.mark.parametrize(
    ("outputs", "seen"),
    [
        ([], OutputSight.THERE),
        (["here.txt", "empty.txt", "folder"], OutputSight.THERE),
        (["here.txt", "gone.txt"], OutputSight.MISSING),
        (["../gone.txt", "/gone.txt"], OutputSight.THERE),
    ],
)
def test_an_output_is_missing_only_where_it_could_be_looked_for(tmp_path: Path, outputs: list[str], seen: OutputSight) -> None:
    lay_out(tmp_path, stage(1, "completed", outputs=outputs), files={"here.txt": "x", "empty.txt": "", "folder/x": "x"})
    assert sight(tmp_path).outputs is seen
