"""`resume-scan` itself: options to the face, answers to standard output, faults to one sentence and a status."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import resume_forensics
from resume_forensics.errors import NoSession, UnreadableFile
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import OtherSession, Report, SessionList, WorkerReport
from resume_forensics.text import Masked, forge

Call = Callable[..., tuple[int, str, str]]
WorkerMaker = Callable[..., WorkerReport[Masked]]
ReportMaker = Callable[..., Report[Masked]]

HEAVY = ("orjson", "regex", "stringzilla", "rich", "ahocorasick_rs", "psutil", "ijson", "json", "sqlite3")
NEEDLESS = (
    "pydantic",
    "rich",
    "click",
    "ijson",
    "sqlite3",
    "jsonschema",
    "zstandard",
    "dask",
    "multiprocessing",
    "tempfile",
    "socket",
    "_hashlib",
)


class Stage:
    """What the next scan answers or raises, and how it was asked."""

    def __init__(self, report: Report[Masked]) -> None:
        """Answer this report until told otherwise."""
        self.report = report
        self.fault: BaseException | None = None
        self.asked: dict[str, object] = {}

    def scan(self, session: object = None, **options: object) -> Report[Masked]:
        """Stand in for `resume_forensics.scan`."""
        self.asked = {"session": session, **options}
        if self.fault:
            raise self.fault
        return self.report

    def sessions(self, **options: object) -> SessionList[Masked]:
        """Stand in for `resume_forensics.sessions`."""
        self.asked = options
        only = OtherSession(session=forge("/p/-s/s.jsonl"), last_activity=datetime(2026, 9, 14, tzinfo=UTC), size_bytes=7)
        return SessionList(sessions=(only,))


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, report: ReportMaker) -> Stage:
    """Put the stand-in where the command line looks for a scan."""
    stand_in = Stage(report())
    monkeypatch.setattr(resume_forensics, "scan", stand_in.scan)
    monkeypatch.setattr(resume_forensics, "sessions", stand_in.sessions)
    return stand_in


def test_without_a_command_the_newest_session_is_scanned(stage: Stage, call: Call) -> None:
    status, out, err = call()
    assert (status, err) == (0, "")
    assert out.startswith("claude-code session s\n")
    assert stage.asked == {
        "session": None,
        "previous": False,
        "nth": 1,
        "cwd": None,
        "projects_dir": None,
        "harness": None,
        "live_window_s": LIMITS.live_window_s,
        "plain": False,
    }


def test_every_option_reaches_the_face(stage: Stage, call: Call) -> None:
    status, _, _ = call("--nth", "3", "--cwd", "/x", "--projects-dir", "/p", "--harness", "codex", "--live-window", "0", "--plain")
    assert status == 0
    assert stage.asked == {
        "session": None,
        "previous": False,
        "nth": 3,
        "cwd": "/x",
        "projects_dir": Path("/p"),
        "harness": "codex",
        "live_window_s": 0,
        "plain": True,
    }
    call("--session", "/s.jsonl")
    assert stage.asked["session"] == Path("/s.jsonl")
    call("--previous")
    assert stage.asked["previous"] is True


def test_json_is_the_document(stage: Stage, call: Call) -> None:
    status, out, _ = call("--json")
    assert status == 0
    assert json.loads(out)["schema"] == "resume-forensics/scan/1"
    assert stage.report.spawns_total == 0


def test_max_chars_bounds_the_shown_prompt(stage: Stage, call: Call, report: ReportMaker, worker: WorkerMaker) -> None:
    stage.report = report(worker())
    assert "prompt (TRUNCATED: the first 6 of 18 characters" in call("--max-chars", "6")[1]
    assert "prompt (complete, 18 characters)" in call()[1]


def test_exit_code_says_whether_something_needs_attention(stage: Stage, call: Call, report: ReportMaker, worker: WorkerMaker) -> None:
    assert call("--exit-code")[0] == 0
    stage.report = report(worker())
    assert call("--exit-code")[0] == 1
    assert call()[0] == 0


def test_the_sessions_are_listed_as_a_table_and_as_json(stage: Stage, call: Call) -> None:
    status, out, _ = call("--list-sessions", "--cwd", "/x")
    assert status == 0
    assert "   1  2026-09-14 00:00:00 UTC              7  s  /p/-s/s.jsonl\n" in out
    assert stage.asked == {"cwd": "/x", "projects_dir": None, "harness": None}
    assert json.loads(call("--list-sessions", "--json")[1])["sessions"][0]["nth"] == 1


@pytest.mark.parametrize("choice", [["--session", "/s"], ["--previous"], ["--nth", "2"]])
def test_a_list_takes_no_choice(stage: Stage, call: Call, choice: list[str]) -> None:
    status, out, err = call("--list-sessions", *choice)
    assert (status, out) == (2, "")
    assert err == "resume-scan: --list-sessions lists every session of the directory: give it no --session, --previous or --nth\n"
    assert stage.asked == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--nth", "0"], "--nth"),
        (["--nth", "-1"], "--nth"),
        (["--nth", "two"], "--nth"),
        (["--max-chars", "0"], "--max-chars"),
        (["--live-window", "-5"], "--live-window"),
        (["--no-such-option"], "--no-such-option"),
        (["--session"], "--session"),
        (["nonsense"], "nonsense"),
        (["prompt"], "WORKER_ID"),
        (["demo", "--previous"], "--previous"),
    ],
)
@pytest.mark.usefixtures("stage")
def test_wrong_use_is_one_sentence_with_a_hint(call: Call, arguments: list[str], words: str) -> None:
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("resume-scan: ")
    assert words in err
    assert "--help` explains it)" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", [["--previous"], ["--json"], ["--max-chars", "9"]])
def test_an_option_in_front_of_a_command_is_never_lost_silently(stage: Stage, call: Call, option: list[str]) -> None:
    status, out, err = call(*option, "prompt", "a1")
    assert (status, out) == (2, "")
    assert err == f"resume-scan: options of a command stand behind it: move {option[0]} behind `resume-scan prompt`\n"
    assert stage.asked == {}


@pytest.mark.parametrize("fault", [NoSession("no session of this directory was found"), UnreadableFile("/x is a directory, not a file")])
def test_what_cannot_begin_is_one_sentence(stage: Stage, call: Call, fault: Exception) -> None:
    stage.fault = fault
    assert call() == (2, "", f"resume-scan: {fault}\n")


def test_the_prompt_of_a_worker_goes_to_standard_output_whole(stage: Stage, call: Call, report: ReportMaker, worker: WorkerMaker) -> None:
    whole = "All of it.\n" * 1_000
    stage.report = report(worker(prompt=forge(whole)))
    assert call("prompt", "a1", "--previous") == (0, whole, "")
    assert stage.asked["previous"] is True


def test_remarks_about_a_prompt_go_to_standard_error(stage: Stage, call: Call, report: ReportMaker, worker: WorkerMaker) -> None:
    stage.report = report(worker(prompt=forge("use [REDACTED:x#1]")))
    status, out, err = call("prompt", "toolu_1")
    assert (status, out) == (0, "use [REDACTED:x#1]\n")
    assert "restore the real values" in err


def test_an_unknown_worker_is_named_with_the_way_to_the_known(stage: Stage, call: Call, report: ReportMaker, worker: WorkerMaker) -> None:
    stage.report = report(worker())
    status, out, err = call("prompt", "zz")
    assert (status, out) == (2, "")
    assert err == "resume-scan: no worker of this session has the id zz; it has 1 worker, and `resume-scan --json` lists them\n"


def test_the_demo_scans_the_example_that_ships(stage: Stage, call: Call) -> None:
    status, out, _ = call("demo", "--json", "--exit-code")
    assert status == 0
    assert json.loads(out)["session_id"] == "s"
    session = stage.asked["session"]
    assert isinstance(session, Path)
    assert session.is_file()
    assert session.is_relative_to(Path(resume_forensics.__file__).parent / "demo" / "projects")


def test_the_version_is_that_of_the_package(call: Call) -> None:
    status, out, err = call("--version")
    assert (status, err) == (0, "")
    assert out.startswith("resume-scan 0.")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["prompt", "--help"], ["mask", "--help"], ["demo", "--help"]])
def test_help_explains_itself(call: Call, arguments: list[str]) -> None:
    status, out, err = call(*arguments)
    assert (status, err) == (0, "")
    assert "Usage: resume-scan" in out
    assert "Exit status:" in out
    assert "one sentence on standard error" in out


@pytest.mark.parametrize(("arguments", "unwanted"), [(["--help"], HEAVY), (["demo", "--json"], NEEDLESS)], ids=["help", "scan"])
def test_nothing_is_loaded_that_is_not_needed(arguments: list[str], unwanted: tuple[str, ...]) -> None:
    script = (
        "import sys\n"
        "from resume_forensics.cli.scan import main\n"
        f"try:\n    main({arguments!r})\n"
        "except SystemExit as left:\n    assert left.code == 0\n"
        f"print(sorted(set(sys.modules) & {set(unwanted)!r}), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    door = tmp_path / "door.py"
    door.write_text(
        "from resume_forensics.cli.console import emit, guard\n"
        "import sys\n"
        "sys.exit(guard(lambda: 0 if all(emit('x' * 1_000_000) for _ in range(100)) else 1))\n",
        "utf-8",
    )
    command = f"{sys.executable} {door} | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
