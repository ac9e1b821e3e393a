"""Serial and pool give the same rows; batches keep every task; a process that dies loses nothing."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from flow.builders import Transcript, notice
from resume_forensics.count.tally import Tally
from resume_forensics.flow import engines
from resume_forensics.flow.count import count_unit
from resume_forensics.flow.engines import Task, batch_tasks, count_here, count_in_pool
from resume_forensics.flow.sweep import Plan, choose_engine, plan_sweep, run_sweep
from resume_forensics.flow.unit import Unit
from resume_forensics.limits import LIMITS
from resume_forensics.model.count import Counted

POOL = 2


def write_many(store: Path, number: int) -> Plan:
    """Sessions that differ."""
    for index in range(number):
        told = Transcript(f"{index:08d}-0a43-4f6e-9f0e-6f2f6f1a7c11", cwd=f"/work/{index % 3}")
        told.human("build")
        told.agent(f"a{index}", "toolu_1")
        for _ in range(index % 4):
            told.human("resume")
            told.answer("It died.")
        if index % 2:
            told.human(notice(f"a{index}"))
        told.write(store)
    return plan_sweep([store])


def test_the_pool_gives_the_rows_and_pieces_of_this_process(tmp_path: Path) -> None:
    tasks: list[Task] = [(unit, {}) for unit in write_many(tmp_path, 40).units]
    here = {unit.files: counted for unit, counted in count_here(tasks)}
    there = {unit.files: counted for unit, counted in count_in_pool(tasks, jobs=POOL)}
    assert there == here
    assert len(there) == 40


def test_the_pool_reads_on_from_the_pieces_it_is_given(tmp_path: Path) -> None:
    units = write_many(tmp_path, 3).units
    tasks: list[Task] = [(unit, dict(counted.pieces)) for unit, counted in count_here((unit, {}) for unit in units)]
    assert {unit.files for unit, _ in count_in_pool(tasks, jobs=POOL)} == {unit.files for unit in units}


def test_no_tasks_are_no_rows() -> None:
    assert list(count_in_pool([], jobs=POOL)) == []
    assert list(count_here([])) == []


def task(number: int, size_bytes: int) -> Task:
    return Unit(main=None, files=(f"{number}.jsonl",), size_bytes=size_bytes), {}


def test_batches_hold_the_largest_first_and_small_ones_together() -> None:
    big, half = LIMITS.sweep_batch_bytes, LIMITS.sweep_batch_bytes // 2
    tasks = [task(1, half), task(2, big + 1), task(3, half), task(4, 0)]
    assert [[unit.files[0][0] for unit, _ in batch] for batch in batch_tasks(tasks)] == [["2"], ["1", "3"], ["4"]]
    many = [task(number, 1) for number in range(2 * LIMITS.sweep_batch_units + 1)]
    assert [len(batch) for batch in batch_tasks(many)] == [LIMITS.sweep_batch_units, LIMITS.sweep_batch_units, 1]


_HERE = os.getpid()


def die_elsewhere(*_: object, **__: object) -> Counted:
    """Be killed, but not in the process of the tests."""
    if os.getpid() != _HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return count_unit(*_, **__)  # type: ignore[arg-type]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the patch reaches forked processes alone")
def test_what_a_killed_process_had_is_counted_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = write_many(tmp_path, 5)
    tasks: list[Task] = [(unit, {}) for unit in plan.units]
    expected = {unit.files: counted for unit, counted in count_here(tasks)}
    monkeypatch.setattr(engines, "count_unit", die_elsewhere)
    monkeypatch.setattr(engines, "_choose_context", lambda: multiprocessing.get_context("fork"))
    assert {unit.files: counted for unit, counted in count_in_pool(tasks, jobs=POOL)} == expected


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_processes_may_be_started_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("this system has no such way")
    monkeypatch.setattr(engines, "_choose_context", lambda: multiprocessing.get_context(method))
    tasks: list[Task] = [(unit, {}) for unit in write_many(tmp_path, 3).units]
    assert Tally.total(one.row for _, one in count_in_pool(tasks, jobs=POOL)) == Tally.total(one.row for _, one in count_here(tasks))


def test_small_sweeps_start_no_processes(tmp_path: Path) -> None:
    plan = write_many(tmp_path, 3)
    large = Plan(units=plan.units, files=plan.files, size_bytes=LIMITS.sweep_pool_bytes)
    assert choose_engine(plan, jobs=8).func is count_here  # type: ignore[attr-defined]
    assert choose_engine(large, jobs=1).func is count_here  # type: ignore[attr-defined]
    assert choose_engine(large, jobs=8).func is count_in_pool  # type: ignore[attr-defined]
    assert run_sweep(large, choose_engine(large, jobs=2)).tally == run_sweep(plan, choose_engine(plan, jobs=1)).tally


def test_one_session_of_many_bytes_starts_no_processes() -> None:
    unit, _ = task(1, LIMITS.sweep_pool_bytes)
    assert choose_engine(Plan(units=(unit,), files=1, size_bytes=unit.size_bytes), jobs=8).func is count_here  # type: ignore[attr-defined]


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    plan = write_many(tmp_path, 12)
    told: list[int] = []

    def interrupt(files: int, _bytes: int) -> None:
        told.append(files)
        raise KeyboardInterrupt

    swept = run_sweep(plan, lambda tasks: count_in_pool(tasks, jobs=POOL), advance=interrupt)
    assert (swept.files, swept.interrupted, told) == (1, True, [1])
    for child in multiprocessing.active_children():
        child.join(timeout=30)
    assert multiprocessing.active_children() == []
