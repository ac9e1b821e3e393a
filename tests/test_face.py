"""The public face: exactly these names, cheap to import, and its defaults."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import resume_forensics
from resume_forensics import Masked, Report, SessionList, WrongUse
from resume_forensics.flow import scan as flow
from resume_forensics.model.session import Selection
from resume_forensics.read import machine
from resume_forensics.text import forge

NOW = datetime(2026, 9, 14, 12, tzinfo=UTC)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Selection, datetime, int | None]]:
    """Every call that reaches the flow, in order; nothing is scanned."""
    calls: list[tuple[Selection, datetime, int | None]] = []

    def scan(selection: Selection, *, now: datetime, live_window_s: int | None = None, plain: bool = False) -> str:
        assert not plain
        calls.append((selection, now, live_window_s))
        return "the report"

    def list_sessions(selection: Selection, *, now: datetime) -> str:
        calls.append((selection, now, None))
        return "the list"

    monkeypatch.setattr(flow, "scan", scan)
    monkeypatch.setattr(flow, "list_sessions", list_sessions)
    return calls


Asked = list[tuple[Selection, datetime, int | None]]


def test_the_names_are_sorted_and_all_there() -> None:
    assert list(resume_forensics.__all__) == sorted(resume_forensics.__all__)
    assert {"mask", "scan", "sessions", "Report", "ForensicsError", "Raw", "Masked"} <= set(resume_forensics.__all__)
    assert all(hasattr(resume_forensics, name) for name in resume_forensics.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = ["orjson", "regex", "stringzilla", "rich", "ahocorasick_rs", "psutil", "ijson", "typer", "json", "sqlite3", "subprocess"]
    script = f"import sys, resume_forensics; print(sorted(set(sys.modules) & {set(heavy)!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_defaults_ask_the_machine(asked: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", str(tmp_path))
    monkeypatch.setattr(machine, "now", lambda: NOW)
    resume_forensics.scan()
    selection, now, live_window_s = asked[0]
    assert selection.directory == tmp_path
    assert (selection.session, selection.position, selection.store, selection.harness) == (None, 0, None, None)
    assert selection.home == machine.home()
    assert selection.environment == machine.environment()
    assert (now, live_window_s) == (NOW, 90)


def test_with_a_store_nothing_outside_is_asked(asked: Asked) -> None:
    resume_forensics.scan(projects_dir="/p", cwd="/x", previous=True, harness="codex", now=NOW, live_window_s=5)
    expected = Selection(directory=Path("/x"), position=1, store=Path("/p"), harness="codex")
    assert asked == [(expected, NOW, 5)]


def test_with_a_transcript_neither_home_nor_directory_is_asked(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "working_directory", lambda: None)
    resume_forensics.scan("/s.jsonl", now=NOW)
    assert asked[0][0] == Selection(directory=Path(), session=Path("/s.jsonl"))


def test_nth_counts_from_one(asked: Asked) -> None:
    resume_forensics.scan(nth=3, cwd="/x", now=NOW)
    assert asked[0][0].position == 2


def test_a_relative_directory_is_made_absolute_and_a_windows_path_is_left_alone(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "working_directory", lambda: Path("/home/dev"))
    resume_forensics.scan(cwd="shop", now=NOW)
    resume_forensics.scan(cwd="c:\\Users\\dev\\shop", now=NOW)
    resume_forensics.scan(now=NOW)
    assert [str(selection.directory) for selection, _, _ in asked] == ["/home/dev/shop", "c:\\Users\\dev\\shop", "/home/dev"]


def test_a_directory_that_is_gone_asks_for_another(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "working_directory", lambda: None)
    with pytest.raises(WrongUse, match="the current directory is gone"):
        resume_forensics.scan(now=NOW)
    assert asked == []


def test_two_ways_to_choose_a_session_are_one_too_many(asked: Asked) -> None:
    with pytest.raises(WrongUse, match="give only one of them"):
        resume_forensics.scan(previous=True, nth=2)
    with pytest.raises(WrongUse, match="give it without previous or nth"):
        resume_forensics.scan("/s.jsonl", previous=True)
    with pytest.raises(WrongUse, match="give it without previous or nth"):
        resume_forensics.scan("/s.jsonl", nth=2)
    with pytest.raises(WrongUse, match="nth counts from 1"):
        resume_forensics.scan(nth=0)
    assert asked == []


def test_sessions_are_asked_for_in_the_same_way(asked: Asked) -> None:
    resume_forensics.sessions(cwd="/x", projects_dir=Path("/p"), now=NOW)
    assert asked == [(Selection(directory=Path("/x"), store=Path("/p")), NOW, None)]


def test_masking_hides_a_secret_again_and_again() -> None:
    key = "AKIA" + "IOSFODNN7" + "EXAMPLQ"
    for _ in range(2):
        masked = resume_forensics.mask(f"key {key} end")
        assert isinstance(masked, Masked)
        assert key not in masked
        assert masked.startswith("key [REDACTED:")


def test_the_types_are_those_of_the_model() -> None:
    assert Report.__module__ == "resume_forensics.model.report"
    assert SessionList.__module__ == "resume_forensics.model.report"
    assert isinstance(forge("x"), resume_forensics.Masked)


def test_what_a_scan_does_not_need_is_loaded_when_it_is_asked_for() -> None:
    program = (
        "import sys, resume_forensics as face, resume_forensics.flow.scan; "
        "late = ('resume_forensics.flow.roads', 'resume_forensics.model.claim', 'sqlite3'); "
        "print([name for name in late if name in sys.modules], face.Reconciliation.__name__, hasattr(face, 'nothing'))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[] Reconciliation False\n"
