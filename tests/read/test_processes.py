"""The process table, the real one of this machine and made-up ones."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.fact import HolderFact, ProcessFact
from resume_forensics.read import processes
from resume_forensics.read.processes import boot_at, find_holders, list_ancestors, observe_process, process_began_at
from resume_forensics.text import Raw

LINUX = Path("/proc/self/stat").exists()
needs_proc = pytest.mark.skipif(not LINUX, reason="needs a Linux process file system")
NO_PROC = Path("/nonexistent/proc")


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A child process that holds a file open."""
    path = tmp_path / "held.output"
    with path.open("wb") as stream, subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=stream) as child:
        yield child, path
        child.kill()


def stat_row(pid: int, state: str, start: int, name: str = "a) b (c") -> str:
    """A row of /proc/<pid>/stat with a command name that tries to mislead: state is field 3, start field 22."""
    return f"{pid} ({name}) {state} " + " ".join(str(number) for number in range(4, 22)) + f" {start} 23 24\n"


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A made-up process file system: one process that runs, one that has ended but is still in the table."""
    folder = tmp_path / "proc"
    for pid, state in ((101, "S"), (102, "Z"), (os.getpid(), "R")):
        (folder / str(pid) / "fd").mkdir(parents=True)
        (folder / str(pid) / "stat").write_text(stat_row(pid, state, 5000 + pid))
    (folder / "self").symlink_to(str(os.getpid()))
    (folder / "stat").write_text("cpu  1 2 3\nbtime 1700000000\nprocesses 5\n")
    return folder


@needs_proc
def test_a_child_that_holds_a_file_is_found_under_every_spelling_of_it(holder: tuple[subprocess.Popen[bytes], Path]) -> None:
    child, path = holder
    link = path.with_name("link")
    link.symlink_to(path)
    free, gone = path.with_name("free"), path.with_name("gone")
    free.write_bytes(b"x")
    with free.open("rb"):  # our own process does not count
        facts = find_holders([path, link, free, gone])
    held = HolderFact(asked=True, pids=(child.pid,))
    assert facts == {path: held, link: held, free: HolderFact(asked=True), gone: HolderFact(asked=True)}


def test_the_same_is_found_without_a_process_file_system(holder: tuple[subprocess.Popen[bytes], Path]) -> None:
    child, path = holder
    assert find_holders([path], proc=NO_PROC)[path].pids == (child.pid,)


def test_no_paths_no_holders() -> None:
    assert find_holders([]) == {}
    assert find_holders([Path("/a\0b")]) == {Path("/a\0b"): HolderFact(asked=True)}


def test_descriptors_are_compared_by_file_and_not_by_name(proc: Path, tmp_path: Path) -> None:
    wanted, other = tmp_path / "a" / "out", tmp_path / "b" / "out"
    for path in (wanted, other):
        path.parent.mkdir()
        path.write_bytes(b"x")
    (proc / "101" / "fd" / "0").symlink_to("pipe:[12]")
    (proc / "101" / "fd" / "1").symlink_to(other)
    (proc / "101" / "fd" / "2").symlink_to(wanted)
    (proc / "101" / "fd" / "3").write_bytes(b"no link")
    (proc / "102" / "fd" / "1").symlink_to(tmp_path / "gone" / "out")
    assert find_holders([wanted], proc=proc) == {wanted: HolderFact(asked=True, pids=(101,))}


def test_a_table_longer_than_the_bound_is_not_wholly_asked(proc: Path, tmp_path: Path) -> None:
    held, free = tmp_path / "held", tmp_path / "free"
    for path in (held, free):
        path.write_bytes(b"x")
    (proc / "101" / "fd" / "1").symlink_to(held)
    facts = find_holders([held, free], proc=proc, limits=Limits(processes=1))
    assert facts == {held: HolderFact(asked=True, pids=(101,)), free: HolderFact(asked=False)}


def test_a_table_that_cannot_be_listed_was_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x")
    monkeypatch.setattr(processes, "_has_proc", lambda _: True)
    assert find_holders([path], proc=NO_PROC) == {path: HolderFact(asked=False)}


def test_processes_that_may_not_be_looked_into_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x")

    def refuse() -> list[object]:
        raise psutil.AccessDenied

    table = [
        SimpleNamespace(pid=1, open_files=refuse),
        SimpleNamespace(pid=2, open_files=lambda: [SimpleNamespace(path=str(path)), SimpleNamespace(path="/a\0b")]),
        SimpleNamespace(pid=os.getpid(), open_files=lambda: [SimpleNamespace(path=str(path))]),
    ]
    monkeypatch.setattr(psutil, "process_iter", lambda: iter(table))
    assert find_holders([path], proc=NO_PROC) == {path: HolderFact(asked=True, pids=(2,))}
    assert find_holders([path], proc=NO_PROC, limits=Limits(processes=1)) == {path: HolderFact(asked=False)}


@pytest.mark.parametrize(
    ("pid", "start", "alive", "started"),
    [
        (101, "5101", True, True),
        (101, Raw("5101"), True, True),
        (101, Raw("5102"), True, False),
        (101, None, True, None),
        (102, "5102", False, None),
        (103, "5103", False, None),
        (0, "1", False, None),
        (-1, "1", False, None),
    ],
)
def test_a_process_is_held_against_its_start_mark(
    proc: Path, pid: int, start: Raw | str | None, *, alive: bool, started: bool | None
) -> None:
    assert observe_process(pid, start, proc=proc) == ProcessFact(pid=pid, alive=alive, started=started)


def test_a_row_that_is_no_row_is_no_process(proc: Path) -> None:
    (proc / "101" / "stat").write_text("101 (x) S 1\n")
    assert not observe_process(101, None, proc=proc).alive


@needs_proc
def test_our_own_process_runs() -> None:
    start = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    assert observe_process(os.getpid(), start) == ProcessFact(pid=os.getpid(), alive=True, started=True)


def test_without_a_process_file_system_the_mark_is_the_local_start_of_ps_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 9, 4, 9, 0, 21, 500_000, tzinfo=UTC).timestamp()
    table = {7: "running", 8: psutil.STATUS_ZOMBIE}

    def look_up(pid: int) -> SimpleNamespace:
        if pid not in table:
            raise psutil.NoSuchProcess(pid)
        return SimpleNamespace(status=lambda: table[pid], create_time=lambda: at)

    monkeypatch.setattr(psutil, "Process", look_up)
    assert observe_process(7, "Fri Sep  4 09:00:21 2026", proc=NO_PROC).started is True
    assert observe_process(7, "Fri Sep  4 09:00:22 2026", proc=NO_PROC).started is False
    assert not observe_process(8, None, proc=NO_PROC).alive
    assert not observe_process(9, None, proc=NO_PROC).alive


def test_when_a_process_began(holder: tuple[subprocess.Popen[bytes], Path]) -> None:
    at = process_began_at(holder[0].pid)
    assert at is not None
    assert abs(datetime.now(UTC) - at) < timedelta(minutes=10)
    assert process_began_at(2**30) is None
    assert process_began_at(-1) is None


def test_the_boot_time_is_read_from_the_table(proc: Path) -> None:
    assert boot_at(proc=proc) == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    for row in ("cpu 1\n", "btime\n", "btime x\n", "btime 1e30\n"):
        (proc / "stat").write_text(row)
        assert boot_at(proc=proc) is None
    (proc / "stat").unlink()
    assert boot_at(proc=proc) is None


def test_both_ways_to_the_boot_time_agree() -> None:
    one, other = boot_at(), boot_at(proc=NO_PROC)
    assert one is not None
    assert other is not None
    assert abs(one - other) <= timedelta(seconds=2)


def test_the_processes_this_one_came_from_are_known() -> None:
    assert {os.getpid(), os.getppid()} <= list_ancestors()


def test_where_they_cannot_be_told_it_is_this_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil, "Process", refuse)
    assert list_ancestors() == {os.getpid()}
