"""Scans every invented session in `fixtures/` and holds the prose and the document against what was written down and reviewed.

`python tests/test_fixtures.py` writes the expected files anew; the difference is then read against each CASE.md.
"""

import contextlib
import json
import os
import shutil
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec import Struct

import resume_forensics
import resume_forensics.flow.scan as flow
from resume_forensics.render.document import write_document
from resume_forensics.render.prose import write_prose

ROOT = Path(__file__).resolve().parent.parent
TREE = "@@TREE@@"
"""Stands in a fixture for the folder it is laid out in, and in the expected files again."""


class Scan(Struct, frozen=True, kw_only=True):
    """One scan of one fixture. Its expected files bear its name; most fixtures have the one that is called `expected`."""

    fixture: Path
    name: str

    @property
    def label(self) -> str:
        """Harness, case and scan."""
        return "/".join((*self.fixture.parts[-2:], self.name))


def every_scan() -> list[Scan]:
    """All scans of all fixtures."""
    settings = sorted((ROOT / "fixtures").glob("*/*/fixture.json"))
    return [Scan(fixture=path.parent, name=name) for path in settings for name in json.loads(path.read_text("utf-8"))["scans"]]


def lay_out(fixture: Path, tree: Path, settings: dict[str, Any]) -> None:
    """Copy a fixture, fill in where it lies, and set the modification time of every file: `files_at`, plus its own seconds."""
    shutil.copytree(fixture, tree)
    at = datetime.fromisoformat(settings["files_at"])
    for path in sorted(tree.rglob("*")):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(TREE.encode(), str(tree).encode()))
            seconds = settings["files"].get(path.relative_to(tree).as_posix(), 0)
            when = (at + timedelta(seconds=seconds)).timestamp()
            os.utime(path, (when, when))


def answers(scan: Scan, tree: Path) -> dict[str, str]:
    """What the scan of a fixture answers, by file name, without the folder that it happened to lie in.

    Clock and boot are the fixture's own; its paths are given relative to it, so that no cut or line break depends on the folder.
    """
    settings = json.loads((scan.fixture / "fixture.json").read_text("utf-8"))
    lay_out(scan.fixture, tree, settings)
    booted_at = datetime.fromisoformat(settings["booted_at"]) if "booted_at" in settings else None
    with contextlib.chdir(tree), patch.object(flow, "boot_at", lambda: booted_at):
        report = resume_forensics.scan(**settings["scans"][scan.name], now=datetime.fromisoformat(settings["now"]))
    document = json.dumps(json.loads(write_document(report)), indent=2) + "\n"
    written = {f"{scan.name}.txt": write_prose(report), f"{scan.name}.json": document}
    return {name: text.replace(str(tree), TREE) for name, text in written.items()}


@pytest.mark.parametrize("scan", every_scan(), ids=lambda scan: scan.label)
def test_a_fixture_answers_what_was_reviewed(scan: Scan, tmp_path: Path) -> None:
    for name, text in answers(scan, tmp_path.resolve() / "tree").items():
        assert text == (scan.fixture / name).read_text("utf-8"), f"{scan.label}: {name} differs"


def test_every_fixture_says_what_is_true_in_it() -> None:
    fixtures = {scan.fixture for scan in every_scan()}
    assert len(fixtures) >= 6
    assert [fixture.name for fixture in sorted(fixtures) if not (fixture / "CASE.md").read_text("utf-8").startswith("# ")] == []


def write_anew() -> None:
    """Write the expected files of every fixture from what the scans answer now."""
    for scan in every_scan():
        with tempfile.TemporaryDirectory() as folder:
            for name, text in answers(scan, Path(folder).resolve() / "tree").items():
                (scan.fixture / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_anew()
