"""`resume-corpus-stats` from the outside: formats, limits, refusals, exit status."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import psutil
import pytest

import resume_forensics
from flow.builders import S1, S2, Transcript
from resume_forensics.cli.corpus_stats import main
from resume_forensics.flow import sweep as road
from resume_forensics.flow.engines import count_here
from resume_forensics.read import machine

Outcome = tuple[int, str, str]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sessions, one of which was resumed, in the store of a person of whom nothing else is known."""
    monkeypatch.setattr(machine, "home", lambda: tmp_path)
    monkeypatch.setattr(machine, "environment", lambda: (("CLAUDE_CONFIG_DIR", str(tmp_path / "c")),))
    projects = tmp_path / "c" / "projects"
    resumed = Transcript(S1)
    resumed.human("build")
    resumed.human("resume")
    resumed.write(projects)
    second = Transcript(S2)
    second.human("hello")
    second.write(projects)
    return projects


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return int(str(left.value.code)), out, err

    return call


def call(run: object, *arguments: str | Path) -> Outcome:
    assert callable(run)
    outcome: Outcome = run(*map(str, arguments))
    return outcome


def test_the_table_is_what_a_person_gets(store: Path, run: object) -> None:
    status, out, err = call(run, store)
    assert (status, err) == (0, "")
    assert out.startswith("What was read\n")
    assert call(run) == (status, out, err)
    assert call(run, "--format", "table", "--jobs", "1") == (status, out, err)


def test_json_is_the_document_of_the_tally(store: Path, run: object) -> None:
    status, out, err = call(run, store, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == resume_forensics.sweep(store).document() == resume_forensics.sweep(jobs=1).document()
    assert call(run, "--format", "json") == (0, out, "")
    assert json.loads(out)["exact"]["resume_turns"] == 1


def test_other_formats(store: Path, run: object) -> None:
    assert call(run, store, "--format", "markdown")[1].startswith("**What was read**\n")
    rows = list(csv.DictReader(StringIO(call(run, store, "--format", "csv")[1])))
    assert next(one["n"] for one in rows if one["key"] == "exact.transcripts") == "2"


def test_the_limit_counts_the_first_files(store: Path, run: object) -> None:
    document = json.loads(call(run, store, "--json", "--limit", "1")[1])
    assert (document["seed"]["files_scanned"], document["exact"]["transcripts"]) == (1, 1)
    assert resume_forensics.sweep(store, limit=1).document() == document


def test_plain_gives_the_same(store: Path, run: object) -> None:
    assert call(run, store, "--plain") == call(run, store)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--limit", "0"], "--limit"),
        (["--jobs", "none"], "--jobs"),
        (["--format", "xml"], "--format"),
        (["--json", "--format", "csv"], "contradict"),
        (["--nonsense"], "nonsense"),
    ],
)
def test_wrong_use_is_one_sentence(store: Path, run: object, arguments: list[str], sentence: str) -> None:
    status, out, err = call(run, store, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("resume-corpus-stats: ")
    assert sentence in err


def test_a_root_that_is_missing_is_refused(store: Path, run: object) -> None:
    status, out, err = call(run, store / "nowhere")
    assert (status, out) == (2, "")
    assert err == f"resume-corpus-stats: cannot sweep '{store / 'nowhere'}': there is no such folder\n"


def test_a_person_of_whom_no_home_is_known_names_a_root(store: Path, run: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.is_dir()
    monkeypatch.setattr(machine, "home", lambda: None)
    assert call(run) == (2, "", "resume-corpus-stats: no folder of transcripts is known; name one\n")


def test_files_that_cannot_be_read_are_listed_and_masked(store: Path, run: object) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    (store / f"{secret}.jsonl").symlink_to(store / "nowhere")
    status, out, _ = call(run, store, "--json")
    (named,) = json.loads(out)["exact"]["unreadable_files"]
    assert (status, secret in named, named.startswith(str(store))) == (0, False, True)


def test_an_interrupt_prints_what_was_counted(store: Path, run: object, monkeypatch: pytest.MonkeyPatch) -> None:

    def stop_after_one(*arguments: object, **options: object) -> object:
        yield next(count_here(*arguments, **options))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(road, "count_here", stop_after_one)
    status, out, err = call(run, store, "--json", "--jobs", "1")
    assert (status, json.loads(out)["exact"]["transcripts"]) == (130, 1)
    assert err == "resume-corpus-stats: interrupted: 1 of 2 files were counted, and the figures are of these alone\n"
    with pytest.raises(KeyboardInterrupt):
        resume_forensics.sweep(store, jobs=1)


def test_control_c_ends_a_pool_at_once(tmp_path: Path) -> None:
    told = Transcript(S1)
    told.human("build")
    line = told.lines[0] + b"\n"
    for number in range(24):
        path = tmp_path / "p" / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(line * 60_000)
    environment = {**os.environ, "HOME": str(tmp_path)}
    arguments = [str(tmp_path / "p"), "--plain", "--json", "--jobs", "2"]
    program = f"from resume_forensics.cli.corpus_stats import main; main({arguments!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    try:
        while process.poll() is None and len(psutil.Process(process.pid).children()) < 2:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "of 24 files were counted" in err
    assert json.loads(out)["schema"] == "resume-forensics/stats/1"


def test_the_thin_door_opens(tmp_path: Path) -> None:
    told = Transcript(S1)
    told.human("resume")
    told.write(tmp_path)
    door = Path(resume_forensics.__file__).parent.parent / "scripts" / "resume_corpus_stats.py"
    done = subprocess.run(
        [sys.executable, str(door), str(tmp_path), "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["seed"]["resume_turns"] == 1
