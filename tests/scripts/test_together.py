"""Processes that a command starts are measured with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.bench.together import measure_together

HOLD = "import time; held = bytearray(b'x') * 30_000_000; time.sleep(0.6)"
START = f"import subprocess, sys; [one.wait() for one in [subprocess.Popen([sys.executable, '-c', {HOLD!r}]) for _ in range(2)]]"


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells what processes share")
def test_the_sum_is_that_of_all_processes(tmp_path: Path) -> None:
    found = measure_together([sys.executable, "-c", START], {}, tmp_path / "out")
    assert found is not None
    assert 60_000_000 < found < 120_000_000


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        measure_together([sys.executable, "-c", "raise SystemExit(3)"], {}, tmp_path / "out")
