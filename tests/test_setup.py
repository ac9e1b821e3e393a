"""The two commands of the README, where they cannot do their work: one clear sentence, status 2, and nothing half made."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def checkout(folder: Path, *, declaration: str) -> Path:
    """A copy of the scripts beside another declaration."""
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    (folder / "pyproject.toml").write_text(declaration)
    return folder


def run(script: Path, *arguments: str, python: str = sys.executable, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": python, "PIP_NO_INDEX": "1", "PIP_NO_INPUT": "1"}
    return subprocess.run(["sh", script, *arguments], capture_output=True, text=True, cwd=cwd, env=environment, check=False)


@pytest.mark.parametrize("script", ["scan", "test"])
def test_no_python_is_one_sentence(script: str, tmp_path: Path) -> None:
    there = checkout(tmp_path / "a checkout", declaration="")
    ended = run(there / "scripts" / script, python="/nowhere/python3")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "set-up: Python 3.11 or newer is needed, and /nowhere/python3 is not that; set PYTHON to one that is\n"
    assert not (there / ".venv").exists()


def test_an_old_python_is_one_sentence(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    ended = run(checkout(tmp_path / "there", declaration="") / "scripts/scan", python=str(old))
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "Python 3.11 or newer is needed" in ended.stderr


def test_a_failed_installation_is_said_and_leaves_no_stamp(tmp_path: Path) -> None:
    there = checkout(tmp_path / "there", declaration="[project]\nname = 'no name at all'\n")
    for _ in range(2):
        ended = run(there / "scripts/scan", "demo", cwd=tmp_path)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.splitlines()[-1].startswith("set-up: pip could not install the project")
        assert list((there / ".venv").glob("installed-*")) == []
    assert "making .venv" not in ended.stderr


def test_a_venv_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    there = checkout(tmp_path / "there", declaration="")
    (there / ".venv").write_text("a file in the way")
    ended = run(there / "scripts/scan", cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("set-up: this Python cannot make a virtual environment")


def test_the_scripts_are_plain_sh() -> None:
    for script in ("scripts/scan", "scripts/test", "scripts/python.sh", ".ci/run"):
        assert subprocess.run(["sh", "-n", ROOT / script], capture_output=True, check=False).returncode == 0
        assert "[[" not in (ROOT / script).read_text()
