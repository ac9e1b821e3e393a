"""Measuring processes: the cost is that of the child alone, and a child that fails, hangs or wants too much is said, not waited for."""

import os
import sys
from pathlib import Path

from scripts.bench.measure import MIB, Contestant, measure, run


def enter(folder: Path, code: str, name: str = "one") -> Contestant:
    command = [sys.executable, "-I", "-S", "-c", code]
    return Contestant(name=name, command=command, environment=dict(os.environ), output=folder / f"{name}.out")


def test_the_peak_of_the_parent_is_not_that_of_the_child(tmp_path: Path) -> None:
    ballast = bytearray(200 * MIB)
    ballast[::4096] = b"\1" * len(range(0, len(ballast), 4096))  # touched, so that it is resident
    small, large = enter(tmp_path, "pass", "small"), enter(tmp_path, f"bytearray(b'x') * {100 * MIB}", "large")
    measure([small, large], rounds=1, slow_s=60, limit_s=60)
    assert len(ballast) == 200 * MIB
    assert small.peak_bytes < 40 * MIB
    assert 100 * MIB < large.peak_bytes < 150 * MIB


def test_processor_time_is_that_of_the_work(tmp_path: Path) -> None:
    busy, idle = "import time\nwhile time.process_time() < 0.3: pass", "import time; time.sleep(0.3)"
    contestants = [enter(tmp_path, busy, "busy"), enter(tmp_path, idle, "idle")]
    measure(contestants, rounds=2, slow_s=60, limit_s=60)
    assert [len(one.costs) for one in contestants] == [2, 2]
    assert contestants[0].cpu_s >= 0.3 > contestants[1].cpu_s
    assert contestants[1].wall_s >= 0.3


def test_what_it_prints_is_kept(tmp_path: Path) -> None:
    one = enter(tmp_path, "print('an answer')")
    assert run(one, 60).status == 0
    assert one.output.read_text() == "an answer\n"


def test_a_failure_is_said_and_not_run_again(tmp_path: Path) -> None:
    one = enter(tmp_path, "import sys; sys.exit('the file | is gone')")
    measure([one], rounds=3, slow_s=60, limit_s=60)
    assert len(one.costs) == 1
    assert one.failure(60) == "failed with status 1: the file / is gone"


def test_a_status_may_be_an_answer(tmp_path: Path) -> None:
    one = enter(tmp_path, "raise SystemExit(2)")
    one.statuses = (0, 2)
    measure([one], rounds=2, slow_s=60, limit_s=60)
    assert len(one.costs) == 2
    assert one.failure(60) is None


def test_one_that_hangs_is_stopped_with_its_children(tmp_path: Path) -> None:
    one = enter(tmp_path, "import time; time.sleep(60)")
    measure([one], rounds=2, slow_s=60, limit_s=1)
    assert len(one.costs) == 1
    assert 1 <= one.wall_s < 30
    assert one.failure(1) == "stopped after 1 s"


def test_a_slow_one_runs_once(tmp_path: Path) -> None:
    one, other = enter(tmp_path, "import time; time.sleep(0.2)", "slow"), enter(tmp_path, "pass", "fast")
    measure([one, other], rounds=3, slow_s=0.19, limit_s=60)
    assert len(one.costs) == 1
    assert len(other.costs) >= 1
