"""`python -m resume_forensics` is `resume-scan`."""

import runpy
import sys

import pytest


def test_running_the_package_runs_the_scan(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["resume_forensics", "--version"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("resume_forensics", run_name="__main__")
    assert left.value.code == 0
    assert capfd.readouterr().out.startswith("resume-scan ")


def test_importing_the_door_runs_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    door = runpy.run_module("resume_forensics.__main__", run_name="imported")
    assert callable(door["main"])
    assert capfd.readouterr() == ("", "")
