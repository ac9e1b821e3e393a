"""What every test stands on: homes of its own, small or slow property tests, and the material that is shared beside the checkout."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
ABSENT = "shared material is absent"

HOMES = {
    "HOME": "home",
    "USERPROFILE": "home",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
    "CLAUDE_CONFIG_DIR": "home/.claude",
    "CODEX_HOME": "home/.codex",
    "COPILOT_HOME": "home/.copilot",
    "GEMINI_CLI_HOME": "home/.gemini-home",
}

settings.register_profile("quick", max_examples=25, derandomize=True, deadline=None, database=None)
settings.register_profile("slow", max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("RESUME_FORENSICS_PROFILE", "quick"))


@pytest.fixture(autouse=True)
def own_homes(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Point every variable that names a home folder into an empty one, so that no test can read the person's own sessions."""
    base = tmp_path_factory.mktemp("homes")
    for variable, place in HOMES.items():
        folder = base / place
        folder.mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    return base / "home"


@pytest.fixture
def shared() -> Path:
    """The shared material beside the checkout; where it is absent the test is skipped, and the end of the run says so."""
    if not SHARED.is_dir():
        pytest.skip(f"{ABSENT}: no folder 'shared' beside the checkout")
    return SHARED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly how many tests did not run because the shared material is absent."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if ABSENT in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"NOT RUN: {len(skipped)} tests, because {ABSENT} (no folder 'shared' beside the checkout)")
