"""The shared cases of written state, each judged by the checker that stands beside them: real git, tmux, processes and databases."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASES = "01 03 05 07 09 11 13 14 16 19 20 23"
"""Case numbers; a case that passes is added here, and none is taken away."""


@pytest.mark.parametrize("number", CASES.split())
def test_shared_reconcile_case_passes(number: str, shared: Path) -> None:
    missing = [program for program in ("tmux", "git") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"shared material is absent: {' and '.join(missing)} not installed, so no case can be set up")
    command = [sys.executable, str(shared / "check_reconcile.py"), "--command", f"{sys.executable} -m resume_forensics reconcile"]
    judged = subprocess.run([*command, str(shared / "reconcile_cases"), number], capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert judged.stdout.splitlines()[-1] == "1 passed, 0 failed", judged.stdout
