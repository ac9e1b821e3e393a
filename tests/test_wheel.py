"""Builds the wheel and looks at what it carries: everything that `resume-scan demo` and a type checker need, and nothing else."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_carries_the_whole_package(carried: set[str]) -> None:
    package = ROOT / "resume_forensics"
    files = {path.relative_to(ROOT).as_posix() for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert {"resume_forensics/py.typed", "resume_forensics/schema/scan-1.json"} <= files
    assert any(name.startswith("resume_forensics/demo/projects/") and name.endswith(".jsonl") for name in files)
    assert files <= carried


def test_the_wheel_carries_nothing_else(carried: set[str]) -> None:
    assert [name for name in carried if not name.startswith(("resume_forensics/", "resume_forensics-"))] == []
    assert [name for name in carried if name.endswith(".pyc")] == []


def test_the_wheel_names_both_commands(carried: set[str]) -> None:
    assert "resume_forensics-0.1.0.dist-info/entry_points.txt" in carried
    assert "resume_forensics-0.1.0.dist-info/licenses/LICENSE" in carried
