"""The shared cases that this state of the project must pass, each judged by the checker that stands beside them."""

import subprocess
import sys
from pathlib import Path

import pytest

MUST_PASS = {
    "claude-code": "01 03 04 05 07 09 11 13 14 15 17 18 20 21 23 25 27 28 30 32 33 35 37 39 41 42 44 46 48 50 51 60 62",
}
"""Case numbers by harness; a case that passes is added here, and none is taken away."""


@pytest.mark.parametrize("number", [number for numbers in MUST_PASS.values() for number in numbers.split()])
def test_shared_case_passes(number: str, shared: Path) -> None:
    checker, cases = str(shared / "check_cases.py"), str(shared / "cases")
    command = [sys.executable, checker, "--scan", f"{sys.executable} -m resume_forensics", cases, number]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert judged.stdout.splitlines()[-1].startswith("1 passed, 0 failed"), judged.stdout
