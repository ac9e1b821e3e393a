"""mypy and pyright reject the wrong uses of text, line by line: the files in tests/typing/ mark each with `# E`."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FILES = sorted((HERE / "typing").glob("*.py"))

Line = tuple[str, int]


def marked() -> set[Line]:
    """The lines that must be rejected, as file name and line number."""
    return {
        (file.name, number) for file in FILES for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if line.endswith("# E")
    }


def rejected_by_mypy(cache: Path) -> Iterator[Line]:
    """The lines that mypy rejects."""
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json", f"--cache-dir={cache}", *map(str, FILES)]
    for line in subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield Path(found["file"]).name, found["line"]


def rejected_by_pyright(folder: Path) -> Iterator[Line]:
    """The lines that pyright rejects in its standard mode."""
    settings = folder / "pyrightconfig.json"
    settings.write_text(json.dumps({"include": [str(HERE / "typing")], "extraPaths": [str(ROOT)], "typeCheckingMode": "standard"}))
    command = [
        str(Path(sys.executable).with_name("basedpyright")),
        "--outputjson",
        "--project",
        str(settings),
        "--pythonpath",
        sys.executable,
    ]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    for found in json.loads(answer.stdout)["generalDiagnostics"]:
        if found["severity"] == "error":
            yield Path(found["file"]).name, found["range"]["start"]["line"] + 1


@pytest.mark.parametrize("checker", [rejected_by_mypy, rejected_by_pyright])
def test_wrong_uses_are_rejected_and_right_ones_are_not(checker: Callable[[Path], Iterator[Line]], tmp_path: Path) -> None:
    assert len(marked()) > 40
    assert sorted(set(checker(tmp_path))) == sorted(marked())
