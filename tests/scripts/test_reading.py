"""The reading bench, on small files: everybody who can read them is in the table, and who cannot is named with the reason."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from resume_forensics.limits import LIMITS
from scripts.bench import contestants, reading
from scripts.bench.transcripts import Recipe, write_project

SMALL = Recipe(size_bytes=60_000, workers=6, quotes=4)


@pytest.fixture
def small_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = reading.Plan(
        name="files",
        about="three sessions",
        make=lambda store: tuple(write_project(store / "projects", 3, SMALL, 1)),
    )
    monkeypatch.setattr(reading, "PLANS", (reading._plan_session("one", "one session", SMALL), folder))
    monkeypatch.setattr(reading, "DOUBLINGS", (5, 10))


@pytest.mark.usefixtures("small_plans")
def test_the_tables_hold_programs_costs_and_answers(capsys: pytest.CaptureFixture[str]) -> None:
    reading.main(["--only", "one,files", "--rounds", "1"])
    lines = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert [row[0] for row in rows if row[0] == "resume-scan"] == ["resume-scan"] * 2
    assert [row[0] for row in rows if row[0] == "wc -l"] == ["wc -l"] * 2
    assert {row[-1] for row in rows if row[0].startswith("resume-scan")} == {"agrees with the truth"}
    assert {row[3] for row in rows if row[0] == "wc -l"} == {"1.0"}
    assert "- ccusage: skipped, it is not installed (--rivals names the folder with its venv or node_modules)." in lines


@pytest.mark.usefixtures("small_plans")
@pytest.mark.skipif(shutil.which("taskset") is None, reason="needs taskset")
def test_a_large_session_is_measured_in_one_process_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contestants, "LIMITS", replace(LIMITS, segment_bytes=10_000))
    reading.main(["--only", "one", "--rounds", "1"])
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| resume-scan, one process |"))
    assert row.endswith("| agrees with the truth |")


@pytest.mark.usefixtures("small_plans")
def test_a_rival_is_run_where_it_is_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "rivals" / "node_modules" / ".bin" / "ccusage"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\ntest -d "$CLAUDE_CONFIG_DIR/projects" && test -z "$(ls -A "$HOME")"\n')
    program.chmod(0o755)
    reading.main(["--only", "one", "--rounds", "1", "--rivals", str(tmp_path / "rivals")])
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| ccusage"))
    assert row.endswith("| tokens and costs |")


@pytest.mark.usefixtures("small_plans")
def test_growth_start_up_and_profile_are_shown_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reading.main(["--only", "one", "--rounds", "1", "--doubling", "--profile", "--keep", str(tmp_path / "kept")])
    printed = capsys.readouterr().out
    growth = printed.partition("## Twice as many workers")[2].partition("##")[0]
    assert growth.count("agrees with the truth") == 2
    assert "| share | own s | function |" in printed
    assert "| python, nothing |" in printed.partition("## What starting costs")[2]
    assert len(list((tmp_path / "kept").rglob("*.jsonl"))) == 4


def test_a_folder_to_keep_must_be_new(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        reading.main(["--only", "", "--keep", str(tmp_path)])
