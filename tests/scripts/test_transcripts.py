"""Generated transcripts: what was decided before they were written is what a scan says of them, and what they are made of is real."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import resume_forensics
from resume_forensics.render.document import write_document
from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState
from scripts.bench.filler import CWD
from scripts.bench.transcripts import STOPS, Recipe, main, read_size, write_project, write_session, write_sessions
from scripts.bench.truth import Fate, Truth

SMALL = Recipe(size_bytes=120_000, workers=30)
GIANT_BYTES = 5 << 20  # beyond LIMITS.line_bytes, so that its strings are cut while it is read


def place(folder: Path) -> Path:
    return folder / "projects" / "-home-dev-harbor" / "s1.jsonl"


def scan(truth: Truth) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(write_document(resume_forensics.scan(truth.path)))
    return document


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("seed", range(8))
def test_a_scan_says_what_is_true(seed: int, tmp_path: Path) -> None:
    recipe = replace(SMALL, bad_lines=seed % 4, crlf=seed % 2 == 1)
    truth = write_session(place(tmp_path), recipe, seed)
    assert truth.disagreements(scan(truth)) == []


def test_a_giant_receipt_is_seen(tmp_path: Path) -> None:
    plain = write_session(place(tmp_path / "plain"), SMALL, 3)
    truth = write_session(place(tmp_path / "giant"), replace(SMALL, giant_line_bytes=GIANT_BYTES), 3)
    longest = max(truth.path.read_bytes().splitlines(), key=len)
    worker = json.loads(longest)["toolUseResult"]["backgroundTaskId"]
    assert GIANT_BYTES <= len(longest) < GIANT_BYTES + 100_000
    assert set(truth.workers) - set(plain.workers) == {worker}
    assert truth.workers[worker] == Fate(kind=WorkerKind.BACKGROUND_SHELL, state=WorkerState.REPORTED)
    assert truth.disagreements(scan(truth)) == []


def test_many_workers_have_every_kind_of_fate(tmp_path: Path) -> None:
    truth = write_session(place(tmp_path), replace(SMALL, workers=400), 1)
    fates = list(truth.workers.values())
    assert len(fates) == 400
    assert {(fate.kind, fate.state) for fate in fates} >= {
        (kind, state)
        for kind in (WorkerKind.AGENT, WorkerKind.BACKGROUND_SHELL, WorkerKind.WORKFLOW, WorkerKind.MONITOR)
        for state in (WorkerState.REPORTED, WorkerState.UNREPORTED)
    }
    assert {fate.foreground for fate in fates} == {fate.heard for fate in fates} == {True, False}
    assert {fate.reopened for fate in fates} == {0, 1}
    assert truth.disagreements(scan(truth)) == []


def test_every_stop_cause_is_found(tmp_path: Path) -> None:
    found = {}
    for seed in range(40):
        truth = write_session(place(tmp_path), Recipe(size_bytes=1_000, workers=0, quotes=8), seed)
        if truth.stop_cause not in found:
            found[truth.stop_cause] = scan(truth)["termination"]["kind"]
    assert found == {stop.cause: stop.cause.value for stop in STOPS}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    recipe = replace(SMALL, bad_lines=3, giant_line_bytes=200_000)
    first, again, other = (write_session(place(tmp_path / name), recipe, seed) for name, seed in (("a", 4), ("b", 4), ("c", 5)))
    assert first.path.read_bytes() == again.path.read_bytes() != other.path.read_bytes()
    assert first.workers == again.workers != other.workers


def test_counts_and_size_are_those_of_the_file(tmp_path: Path) -> None:
    truth = write_session(place(tmp_path), replace(SMALL, size_bytes=3_000_000, bad_lines=5), 2)
    lines = truth.path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert truth.size_bytes == truth.path.stat().st_size
    assert 3_000_000 <= truth.size_bytes < 3_300_000
    assert len(lines) == truth.lines == truth.records + 5
    assert sum(not (line.startswith(b'{"') and line.endswith(b"}")) for line in lines) == 5


def test_lines_end_as_they_are_told(tmp_path: Path) -> None:
    content = write_session(place(tmp_path), replace(SMALL, crlf=True), 2).path.read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n") > 100


def test_the_mix_is_that_of_large_public_transcripts(tmp_path: Path) -> None:
    truth = write_session(place(tmp_path), Recipe(size_bytes=8_000_000), 1)
    bulk: Counter[str] = Counter()
    for line in truth.path.read_bytes().splitlines():
        bulk[json.loads(line)["type"]] += len(line)
    assert set(bulk) == {
        "assistant",
        "attachment",
        "file-history-snapshot",
        "last-prompt",
        "permission-mode",
        "progress",
        "queue-operation",
        "system",
        "user",
    }
    assert 0.5 < bulk["progress"] / truth.size_bytes < 0.75
    assert 0.2 < bulk["user"] / truth.size_bytes < 0.45


def test_every_record_follows_one_before_it_and_time_goes_on(tmp_path: Path) -> None:
    written = records(write_session(place(tmp_path), replace(SMALL, size_bytes=400_000), 6).path)
    uuids = [record["uuid"] for record in written if "uuid" in record]
    parents = [record["parentUuid"] for record in written if "uuid" in record]
    times = [record["timestamp"] for record in written if "parentUuid" in record]
    assert parents[1:] == uuids[:-1]
    assert len(set(uuids)) == len(uuids) > 100
    assert times == sorted(times)


def test_some_notices_are_spelled_with_escapes(tmp_path: Path) -> None:
    lines = write_session(place(tmp_path), replace(SMALL, workers=200), 1).path.read_bytes().splitlines()
    notices = [line for line in lines if b'"content":"<task-notification>' in json.dumps(json.loads(line), separators=(",", ":")).encode()]
    hidden = [line for line in notices if b"<task-notification>" not in line]
    assert any(rb"\u003c" in line for line in hidden)
    assert any(rb"t\u0061sk" in line for line in hidden)
    assert len(hidden) < len(notices) / 2


def test_the_call_of_a_shell_moved_by_timeout_stands_far_before_its_receipt(tmp_path: Path) -> None:
    written = records(write_session(place(tmp_path), replace(SMALL, size_bytes=2_000_000, workers=60), 1).path)
    texts = [json.dumps(record) for record in written]
    moved = [index for index, text in enumerate(texts) if "did not complete within its 600s timeout" in text and '"user"' in text]
    gaps = []
    for index in moved:
        call = written[index]["message"]["content"][0]["tool_use_id"]
        gaps.append(index - next(at for at, text in enumerate(texts) if call in text))
    assert max(gaps) > 10


def test_quotes_do_not_touch_the_truth(tmp_path: Path) -> None:
    bare = write_session(place(tmp_path / "bare"), replace(SMALL, quotes=0), 7)
    quoting = write_session(place(tmp_path / "quoting"), replace(SMALL, quotes=200), 7)
    assert quoting.workers == bare.workers
    assert quoting.lines >= bare.lines + 200
    assert quoting.disagreements(scan(quoting)) == []


def test_a_project_is_sessions_of_one_directory_the_newest_last(tmp_path: Path) -> None:
    truths = write_project(tmp_path / "projects", 3, Recipe(size_bytes=8_000, workers=2), 9)
    listed = resume_forensics.sessions(projects_dir=tmp_path / "projects", cwd=CWD).sessions
    assert [str(one.session) for one in listed] == [str(truth.path) for truth in reversed(truths)]
    newest = json.loads(write_document(resume_forensics.scan(projects_dir=tmp_path / "projects", cwd=CWD)))
    assert truths[-1].disagreements(newest) == []


def test_sessions_of_one_project_may_be_made_differently(tmp_path: Path) -> None:
    recipes = [Recipe(size_bytes=8_000, workers=workers, quotes=0, resumes=resumes) for workers, resumes in ((0, 0), (3, 0), (0, 1))]
    truths = write_sessions(tmp_path / "projects", recipes, 9)
    exact = resume_forensics.sweep(tmp_path / "projects").document()["exact"]
    assert [(len(truth.workers), truth.resume_turns) for truth in truths] == [(0, 0), (3, 0), (0, 1)]
    assert (exact["transcripts"], exact["resume_turns"], exact["bare_resume"]["n"]) == (3, 1, 1)
    assert exact["preceded_by"]["api_overload"] == 1
    assert sum(kind["launched"] for kind in exact["workers"].values()) == 3
    assert exact["records"] == sum(truth.records for truth in truths)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    truth = write_session(place(tmp_path), SMALL, 1)
    report = scan(truth)
    name, fate = next(iter(truth.workers.items()))
    wrong = replace(
        truth,
        lines=truth.lines + 1,
        stop_cause=StopCause.STALLED,
        workers={**truth.workers, name: replace(fate, reopened=9), "stranger": fate},
    )
    said = wrong.disagreements(report)
    assert said[0] == f"records: said {truth.records}, true {truth.records + 1}"
    assert said[1] == f"termination: said {truth.stop_cause.value}, true stalled"
    assert said[2] == f"spawns_total: said {len(truth.workers)}, true {len(truth.workers) + 1}"
    assert [line.split(":")[0] for line in said[3:]] == sorted([name, "stranger"])


def test_the_command_writes_and_prints_the_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = place(tmp_path)
    main([str(out), "--bytes", "100K", "--seed", "3", "--workers", "12", "--bad-lines", "1"])
    printed = json.loads(capsys.readouterr().out)
    again = write_session(place(tmp_path / "again"), Recipe(size_bytes=100 << 10, workers=12, bad_lines=1), 3)
    assert out.read_bytes() == again.path.read_bytes()
    assert printed == {**again.document(), "path": str(out)}
    assert printed["launched"] == sum(sum(states.values()) for states in printed["workers"].values()) == 12


def test_the_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path / "projects"), "--bytes", "4K", "--workers", "1", "--files", "2"])
    printed = json.loads(capsys.readouterr().out)
    assert sorted(one["path"] for one in printed) == sorted(map(str, (tmp_path / "projects").rglob("*.jsonl")))
    assert len(printed) == 2


@pytest.mark.parametrize(("text", "size_bytes"), [("0", 0), ("4096", 4_096), ("3K", 3_072), ("64M", 67_108_864), ("2G", 2_147_483_648)])
def test_sizes_are_read(text: str, size_bytes: int) -> None:
    assert read_size(text) == size_bytes


@pytest.mark.parametrize("text", ["", "M", "1KM", "1T", "ten"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_size(text)
