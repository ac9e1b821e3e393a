"""What lies around a session: a live process in the registry, the job ledger, the journal of a workflow run."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from flow.builders import HARNESS, S1, S2, START, Transcript, helper_path, plain, scan_file, warnings_of, workers_of, write_json
from resume_forensics.flow.surroundings import find_job, find_life
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Liveness, StepState


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives as long as the test."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def start_mark(pid: int) -> str:
    """The mark of a process's start, as the registry notes it (field 22 of /proc/<pid>/stat)."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return datetime.fromtimestamp(psutil.Process(pid).create_time(), UTC).ctime()
    return stat.read_text(encoding="utf-8").rpartition(")")[2].split()[19]


def config_of(path: Path) -> Path:
    return path.parent.parent.parent


def session(tmp_path: Path) -> Path:
    main = Transcript(S1)
    main.human()
    main.agent("a1", "t1")
    main.shell("b1", "t2")
    return main.write(tmp_path / "projects")


def register(path: Path, pid: int, mark: str | None, session_id: str = S1, started_s: float | None = -60) -> Path:
    """Note a process that began so many seconds after the session did; None: not said, so it began now."""
    entry: dict[str, object] = {"pid": pid, "sessionId": session_id, "procStart": mark}
    if started_s is not None:
        entry["startedAt"] = int((START + timedelta(seconds=started_s)).timestamp() * 1000)
    return write_json(config_of(path) / "sessions" / f"{pid}.json", entry)


def test_a_running_process_with_the_noted_start_runs_the_session(tmp_path: Path, child: subprocess.Popen[bytes]) -> None:
    path = session(tmp_path)
    file = register(path, child.pid, start_mark(child.pid))
    report = scan_file(path)
    assert report.session_live is not None
    assert report.session_live.pid == child.pid
    assert plain(report.session_live.evidence) == f"process {child.pid} runs and started when the registry says: {file}"
    for worker in workers_of(report).values():
        assert worker.liveness is Liveness.POSSIBLY_LIVE
        assert worker.action.name is Action.VERIFY_FIRST
        assert (plain(worker.liveness_evidence) or "").startswith("its session is alive: process")


@pytest.mark.parametrize(("mark", "session_id"), [("1", S1), (None, S1), ("", S1), ("own", S2)])
def test_another_start_none_or_another_session_is_no_sign_of_life(
    tmp_path: Path, child: subprocess.Popen[bytes], mark: str | None, session_id: str
) -> None:
    path = session(tmp_path)
    register(path, child.pid, start_mark(child.pid) if mark == "own" else mark, session_id)
    report = scan_file(path)
    assert report.session_live is None
    assert workers_of(report)["a1"].liveness is Liveness.DEAD_WITH_PARENT


@pytest.mark.parametrize(("after_s", "found"), [(1, 1), (100, 1), (600, 0), (-60, 0)])
def test_an_entry_without_a_start_mark_is_held_against_the_time_it_was_made(
    tmp_path: Path, child: subprocess.Popen[bytes], after_s: int, found: int
) -> None:
    path = session(tmp_path)
    noted_at = psutil.Process(child.pid).create_time() + after_s
    entry = {"pid": child.pid, "sessionId": S1, "startedAt": int(noted_at * 1000)}
    write_json(config_of(path) / "sessions" / f"{child.pid}.json", entry)
    assert [scan_file(path).session_live].count(None) == 1 - found


def test_a_dead_process_is_no_sign_of_life(tmp_path: Path) -> None:
    path = session(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as gone:
        mark = start_mark(gone.pid)
        gone.kill()
    register(path, gone.pid, mark)
    assert scan_file(path).session_live is None


@pytest.mark.parametrize(
    ("started_s", "begins_s", "liveness"),
    [
        (-60, 60, Liveness.POSSIBLY_LIVE),
        (0, 60, Liveness.POSSIBLY_LIVE),  # within the session
        (30, 60, Liveness.DEAD_WITH_PARENT),  # a process that was started afterwards
        (-60, -30, Liveness.DEAD_WITH_PARENT),  # another session beside this one
        (None, 60, Liveness.DEAD_WITH_PARENT),
        (-60, None, Liveness.DEAD_WITH_PARENT),  # no record of the other session has a time
    ],
)
def test_a_process_that_went_on_to_another_session_may_keep_the_workers(
    tmp_path: Path, child: subprocess.Popen[bytes], started_s: float | None, begins_s: float | None, liveness: Liveness
) -> None:
    path = session(tmp_path)
    later = Transcript(S2, at=START + timedelta(seconds=begins_s or 0))
    later.human(timestamp=None) if begins_s is None else later.human()
    later.write(tmp_path / "projects")
    register(path, child.pid, start_mark(child.pid), S2, started_s)
    report = scan_file(path)
    assert report.session_live is None
    assert workers_of(report)["a1"].liveness is liveness
    assert ("now runs one that began later" in (plain(workers_of(report)["a1"].liveness_evidence) or "")) is (
        liveness is Liveness.POSSIBLY_LIVE
    )


def test_a_process_that_resumed_the_session_does_not_hold_what_died_with_the_one_before(
    tmp_path: Path, child: subprocess.Popen[bytes]
) -> None:
    path = session(tmp_path)
    register(path, child.pid, start_mark(child.pid), started_s=None)
    report = scan_file(path)
    assert report.session_live is not None
    assert report.session_live.since is not None
    assert report.was_resumed
    assert workers_of(report)["a1"].liveness is Liveness.DEAD_WITH_PARENT


def test_of_two_processes_of_a_session_the_older_one_counts(tmp_path: Path, child: subprocess.Popen[bytes]) -> None:
    path = session(tmp_path)
    register(path, child.pid, start_mark(child.pid))
    register(path, os.getpid(), start_mark(os.getpid()), started_s=None)
    report = scan_file(path)
    assert report.session_live is not None
    assert report.session_live.pid == child.pid
    assert workers_of(report)["a1"].liveness is Liveness.POSSIBLY_LIVE


def test_a_session_that_cannot_be_read_is_alive_all_the_same(tmp_path: Path, child: subprocess.Popen[bytes]) -> None:
    path = session(tmp_path)
    register(path, child.pid, start_mark(child.pid))
    path.write_text("torn\n", encoding="utf-8")
    assert scan_file(path).session_live is not None


def test_of_several_entries_the_one_that_is_true_counts(tmp_path: Path, child: subprocess.Popen[bytes]) -> None:
    path = session(tmp_path)
    registry = config_of(path) / "sessions"
    register(path, 1, "wrong")
    register(path, child.pid, start_mark(child.pid))
    (registry / "0.json").write_text("{torn", encoding="utf-8")
    (registry / "00.json").mkdir()
    write_json(registry / "000.json", {"pid": "no number", "sessionId": S1})
    assert scan_file(path).session_live is not None


def test_without_a_registry_or_an_id_nothing_is_known(tmp_path: Path) -> None:
    path = session(tmp_path)
    assert scan_file(path).session_live is None
    register(path, os.getpid(), start_mark(os.getpid()))
    config, own = config_of(path), Raw(S1)
    assert find_life(config, own, HARNESS) is not None
    assert (find_life(None, own, HARNESS), find_life(config, None, HARNESS)) == (None, None)
    assert (find_job(None, own, HARNESS), find_job(config, None, HARNESS)) == (None, None)


def test_a_file_outside_a_store_asks_no_registry(tmp_path: Path) -> None:
    main = Transcript(S1)
    main.agent("a1", "t1")
    path = main.write_to(tmp_path / "elsewhere" / "x" / f"{S1}.jsonl")
    register(path, os.getpid(), start_mark(os.getpid()))
    assert scan_file(path).session_live is None
    assert scan_file(path, store=path.parent.parent).session_live is not None  # the parent of the store that was named


def test_the_job_ledger_of_the_session_is_compared(tmp_path: Path) -> None:
    path = session(tmp_path)
    jobs = config_of(path) / "jobs"
    write_json(jobs / "22222222" / "state.json", {"sessionId": S2, "inFlight": {"tasks": 9}})
    (jobs / "a file").touch()
    (jobs / "empty").mkdir()
    assert warnings_of(scan_file(path)) == []
    write_json(jobs / "11111111" / "state.json", {"sessionId": S1, "inFlight": {"tasks": 5}, "state": "failed"})
    assert warnings_of(scan_file(path)) == [
        "the job state of this session counts 5 tasks in flight, the ledger 2 workers that never reported"
    ]


# -- steps


def journal(path: Path, run: str, *rows: dict[str, str]) -> None:
    file = helper_path(path, "x", run).with_name("journal.jsonl")
    transcript = Transcript(S1)
    for row in rows:
        transcript.remark(row.pop("type"), **row)
    transcript.add_line("torn")
    transcript.write_to(file)


def test_the_steps_of_a_run_are_read_from_its_journal(tmp_path: Path) -> None:
    main = Transcript(S1)
    main.workflow("w1", "t1", "wf_1")
    main.workflow("w2", "t2", "wf_2")
    path = main.write(tmp_path / "projects")
    journal(
        path,
        "wf_1",
        {"type": "started", "key": "k1", "agentId": "a1", "label": "first"},
        {"type": "result", "key": "k1", "agentId": "a1"},
        {"type": "started", "key": "k2", "agentId": "a2"},
        {"type": "failed", "key": "k2", "agentId": "a2"},
        {"type": "started", "key": "k3", "agentId": "a3"},
    )
    found = workers_of(scan_file(path))
    assert [(plain(step.agent_id), plain(step.label), step.state) for step in found["w1"].steps] == [
        ("a1", "first", StepState.DONE),
        ("a2", None, StepState.FAILED),
        ("a3", None, StepState.IN_FLIGHT),
    ]
    assert found["w2"].steps == ()
    assert set(found) == {"w1", "w2"}


def test_a_run_without_id_and_a_worker_of_another_kind_have_no_steps(tmp_path: Path) -> None:
    main = Transcript(S1)
    main.call("t1", "Workflow", script="review")
    main.result("t1", "Workflow launched in background. Task ID: w1")
    main.agent("a1", "t2")
    path = main.write(tmp_path / "projects")
    journal(path, "wf_1", {"type": "started", "key": "k1", "agentId": "a1"})
    found = workers_of(scan_file(path))
    assert (found["w1"].steps, found["w1"].liveness) == ((), Liveness.UNKNOWN_WORKFLOW)
    assert found["a1"].steps == ()


@pytest.mark.parametrize(
    ("snapshot", "told"),
    [({"runId": "wf_1", "status": "completed"}, ["the snapshot of run wf_1 says completed, but no record of an end was found"]), ({}, [])],
)
def test_what_the_snapshot_of_a_run_says_is_told_where_no_record_ends_it(tmp_path: Path, snapshot: dict[str, str], told: list[str]) -> None:
    main = Transcript(S1)
    main.workflow("w1", "t1", "wf_1")
    main.workflow("w2", "t2", "wf_2")
    path = main.write(tmp_path / "projects")
    write_json(path.with_suffix("") / "workflows" / "wf_1.json", snapshot)
    write_json(path.with_suffix("") / "workflows" / "wf_9.json", {"status": "failed"})
    assert warnings_of(scan_file(path)) == told
