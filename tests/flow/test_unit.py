"""Which files are counted together, told from their paths alone."""

import pytest

from resume_forensics.flow.unit import Unit, WorkerPath, group_units, is_checkpoint, list_workers
from resume_forensics.harness import HARNESSES

HARNESS = HARNESSES[0]


def group(*paths: str) -> list[tuple[str | None, tuple[str, ...]]]:
    return [(unit.main, unit.files) for unit in group_units((path, 1) for path in paths)]


def test_a_session_and_all_that_lies_in_its_folder_are_one_unit() -> None:
    files = ("p/x-2.jsonl", "p/x.jsonl", "p/x/head.jsonl", "p/x/subagents/agent-a1.jsonl", "p/x/subagents/workflows/wf_1/journal.jsonl")
    assert group(*files) == [("p/x-2.jsonl", files[:1]), ("p/x.jsonl", files[1:])]


def test_sizes_are_added() -> None:
    assert [unit.size_bytes for unit in group_units([("p/x.jsonl", 5), ("p/x/subagents/agent-a.jsonl", 7), ("p/y.jsonl", 1)])] == [12, 1]


@pytest.mark.parametrize(
    "path",
    [
        "p/agent-a1.jsonl",
        "p/history.jsonl",
        "p/x.sync-conflict-20260101-000000-ABCDEFG.jsonl",
        "p/gone/subagents/agent-a1.jsonl",
        "p/gone/subagents/x.jsonl",
        "0b/9f2ac6f3aa/2/full.jsonl",
    ],
)
def test_other_files_stand_alone_and_are_no_session(path: str) -> None:
    assert group(path) == [(None, (path,))]


def test_paths_of_another_system_are_grouped_too() -> None:
    files = ("p\\x.jsonl", "p\\x\\subagents\\agent-a1.jsonl")
    assert group(*files) == [(files[0], files)]
    assert list_workers(group_units((file, 1) for file in files)[0], HARNESS) == [WorkerPath(file=files[1], run=None)]


def test_workers_of_runs_come_last_and_name_their_run() -> None:
    files = (
        "p/x.jsonl",
        "p/x/other/agent-a9.jsonl",
        "p/x/subagents/agent-a2.jsonl",
        "p/x/subagents/agent-acompact-1.jsonl",
        "p/x/subagents/workflows/wf_1/agent-a1.jsonl",
        "p/x/subagents/workflows/wf_1/journal.jsonl",
        "p/x/subagents/deeper/agent-a3.jsonl",
        "p/x/subagents/workflows/wf_1/deeper/agent-a4.jsonl",
    )
    found = list_workers(Unit(main=files[0], files=files, size_bytes=0), HARNESS)
    assert [(one.file, one.run) for one in found] == [(files[2], None), (files[4], "wf_1")]
    assert list_workers(Unit(main=None, files=files[1:], size_bytes=0), HARNESS) == []


@pytest.mark.parametrize(
    ("path", "cut"),
    [
        ("0b/9f2ac6f3aa/2/full.jsonl", True),
        ("/srv/0b/9f2ac6f3aa/0/full.jsonl", True),
        ("0b\\9f2ac6f3aa\\2\\full.jsonl", True),
        ("0b/9f2ac6f3aa/full.jsonl", False),
        ("p/full.jsonl", False),
        ("0b/9f2ac6f3aa/2/full.jsonl.jsonl", False),
    ],
)
def test_checkpoints_are_known_by_their_place(path: str, *, cut: bool) -> None:
    assert is_checkpoint(path) is cut
