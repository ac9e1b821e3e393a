"""Holds how a task file is taken apart: its title's last part, its scope, its own last report."""

import pytest

from claims.teams import task
from resume_forensics.claims.devteam.tasks import is_within, read_task, settle_path
from resume_forensics.vocabulary import TaskStatus


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("PLANNED", TaskStatus.PLANNED),
        ("RUNNING (since 2026-01-02 03:10, T1-x-0310)", TaskStatus.RUNNING),
        ("READY-TO-AUDIT", TaskStatus.READY_TO_AUDIT),
        ("BLOCKED (on T-2)", TaskStatus.BLOCKED),
        ("NEEDS-DECISION (Q-1)", TaskStatus.NEEDS_DECISION),
        ("ACCEPTED (2026-01-01, D-1)", TaskStatus.ACCEPTED),
        ("DONE (2026-01-02)", TaskStatus.DONE),
        ("DONE\N{EM DASH}ish", TaskStatus.DONE),
        ("RUNING", None),
        ("running", None),
        ("FINISHED-WELL", None),
        ("", None),
    ],
)
def test_the_status_is_the_last_part_of_the_title(words: str, status: TaskStatus | None) -> None:
    assert read_task(task("T-1", words), 1).status is status


@pytest.mark.parametrize(
    ("title", "status", "said"),
    [
        ("# T-1 - Fix a - b - DONE", TaskStatus.DONE, "DONE"),
        ("# T-1 \N{EM DASH} DONE well \N{EM DASH} PLANNED", TaskStatus.PLANNED, "PLANNED"),
        ("# T-1", None, "# T-1"),
        ("# T-2 \N{EM DASH} another \N{EM DASH} DONE", None, "# T-2 \N{EM DASH} another \N{EM DASH} DONE"),
        ("# Parser \N{EM DASH} DONE", None, "# Parser \N{EM DASH} DONE"),
        ("T-1 \N{EM DASH} no heading \N{EM DASH} DONE", None, None),
        ("", None, None),
    ],
)
def test_a_title_must_be_the_tasks_own(title: str, status: TaskStatus | None, said: str | None) -> None:
    found = read_task(title, 1)
    assert (found.status, found.said) == (status, said)


def test_a_title_gives_the_label_of_its_agent() -> None:
    assert read_task(task("T-1", "RUNNING (since 03:10, T1-x-0310)"), 1).labels == ("T1-x-0310",)


def test_the_scope_is_every_indented_item_under_its_field() -> None:
    text = "# T-1\n- **Scope.** what it writes:\n  src/a b/\n\n  - `src/b.py` (new)\n\t* docs\n  -  \n- **Gate.**\n  make test\n"
    assert read_task(text, 1).scope == ("src/a b/", "src/b.py", "docs")


def test_a_file_that_ends_inside_its_scope_is_torn() -> None:
    text = "# T-1\n- **Scope.**\n  src/a/\n  src/b"
    assert read_task(text, 1).is_torn
    assert not read_task(text + "\n", 1).is_torn
    assert not read_task(text + "\n- **Gate.**", 1).is_torn
    assert not read_task("# T-1\n- **Scope.**", 1).is_torn


def test_a_task_without_the_field_has_no_scope() -> None:
    assert read_task("# T-1\n- **Gate.**\n  make\n", 1).scope == ()


def test_the_last_report_of_the_task_itself_counts() -> None:
    step = "REPORT implementer T-1.S-2\nstatus: RED\n"
    text = f"REPORT supervisor T-1\nstatus: BLOCKED\n{step}REPORT supervisor T-1\nstatus: DONE\n  status: no\n{step}"
    assert read_task(text, 1).report == "DONE"
    assert read_task(text, 2).report is None


@pytest.mark.parametrize(
    ("written", "settled"),
    [
        ("src/parser/", "src/parser"),
        ("./src//parser", "src/parser"),
        (".", ""),
        ("./", ""),
        ("src/*.py", "src"),
        ("src/a?/b", "src"),
        ("**/x", ""),
        ("src/par[ab]", "src"),
        ("/etc/passwd", None),
        ("src/../../x", None),
        ("..", None),
        ("a\0b", None),
        ("C:\\x", None),
    ],
)
def test_a_path_stays_inside_the_root(written: str, settled: str | None) -> None:
    assert settle_path(written) == settled


def test_a_path_is_within_a_scope_by_whole_names() -> None:
    assert is_within("src/a/b.py", ["src/a"])
    assert is_within("src/a", ["src/a"])
    assert not is_within("src/ab.py", ["src/a"])
    assert is_within("anything", [""])
    assert not is_within("anything", [])
