"""A cluster of two real processes gives the totals of this process, to the digit, from paths and from URLs."""

import sys
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from flow.builders import S1, S2, Transcript, helper, helper_path, write_json
from flow.corpora import sweep_serially
from resume_forensics.errors import MissingExtra, UnreadableFile, WrongUse
from resume_forensics.flow import afar
from resume_forensics.flow.afar import count_on_cluster, count_task, plan_afar
from resume_forensics.flow.engines import Task
from resume_forensics.flow.sweep import Swept, run_sweep
from resume_forensics.model.count import SeedCount, UnitCount
from resume_forensics.read import remote


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Sessions with workers, a worker's own transcript and its sidecar, a bad line."""
    folder = tmp_path / "projects"
    for session in (S1, S2):
        transcript = Transcript(session)
        transcript.human("build the shop")
        transcript.agent("a1", "toolu_1")
        transcript.human("resume")
        transcript.answer()
        transcript.add_line("{bad")
        main = transcript.write(folder)
        helper("a1").write_to(helper_path(main, "a1"))
        write_json(helper_path(main, "a1").with_name("agent-a1.meta.json"), {"agentType": "general-purpose", "toolUseId": "toolu_1"})
    return folder


def here(*roots: str) -> Swept:
    """A sweep by the functions that a worker runs, in this process."""
    return run_sweep(plan_afar(roots), lambda tasks: ((unit, count_task((unit, pieces))) for unit, pieces in tasks))


def test_two_processes_count_as_one_does(root: Path) -> None:
    expected = sweep_serially(root).tally.document()
    assert expected["exact"]["resume_turns"] == 2
    assert run_sweep(plan_afar([str(root)]), count_on_cluster).tally.document() == expected
    assert run_sweep(plan_afar([f"file://{root}"]), count_on_cluster).tally.document() == expected


def test_a_store_elsewhere_gives_the_same_totals(root: Path) -> None:
    store = MemoryFileSystem()
    store.store.clear()
    store.put(str(root), "/bucket/projects", recursive=True)
    store.pipe("/bucket/projects/.hidden/x.jsonl", b"{}\n")
    store.pipe("/bucket/projects/notes.txt", b"{}\n")
    assert here("memory://bucket/projects").tally.document() == sweep_serially(root).tally.document()
    assert len(plan_afar(["memory://bucket/projects"], limit=3).units) == 2


def test_what_cannot_be_fetched_is_named(root: Path) -> None:
    store = MemoryFileSystem()
    store.store.clear()
    store.put(str(root), "/bucket/projects", recursive=True)
    plan = plan_afar(["memory://bucket/projects"])
    gone = plan.units[0].main
    assert gone is not None
    store.rm(gone)
    tally = run_sweep(plan, lambda tasks: ((unit, count_task((unit, pieces))) for unit, pieces in tasks)).tally
    assert tally.unreadable == {gone}
    assert len(tally.sessions) == 1


def test_a_unit_that_is_given_up_is_named(root: Path) -> None:
    (unit, *_) = plan_afar([str(root)]).units
    task: Task = (unit, {})
    assert afar._give_up(task).row == UnitCount(seed=SeedCount(), unreadable=unit.files)
    assert afar._weigh(task) == unit.size_bytes > 0


@pytest.mark.parametrize(
    ("url", "error", "why"),
    [
        ("memory://nothing/there", UnreadableFile, "there is nothing"),
        ("nonsense://bucket", WrongUse, "no kind of store"),
    ],
)
def test_a_root_that_cannot_be_listed_is_refused(url: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        plan_afar([url])


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"resume-forensics\[dask\]"):
        plan_afar(["memory://x"])


def test_a_missing_kind_of_store_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise ImportError

    monkeypatch.setattr("fsspec.core.url_to_fs", refuse)
    with pytest.raises(MissingExtra, match="s3:// needs a package"):
        plan_afar(["s3://x"])


def test_a_store_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(MemoryFileSystem, "find", refuse)
    with pytest.raises(UnreadableFile, match="PermissionError"):
        remote.list_remote("memory://x")
