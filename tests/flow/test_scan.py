"""The whole road of one scan, on small trees: what the rooms say together."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from flow.builders import (
    CWD,
    NOW,
    S1,
    S2,
    S3,
    START,
    Transcript,
    helper,
    helper_path,
    notice,
    plain,
    scan_directory,
    scan_file,
    select,
    touch,
    warnings_of,
    workers_of,
    write_json,
)
from resume_forensics.errors import NoSession, UnreadableFile, WrongUse
from resume_forensics.flow.scan import find_harness, list_sessions, scan
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report, WorkerReport
from resume_forensics.model.session import Selection
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import Action, Delivery, DriverKind, DriverState, Liveness, StopCause, WorkerState


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "config" / "projects"


def only(report: Report[Raw]) -> WorkerReport[Raw]:
    (worker,) = workers_of(report).values()
    return worker


# -- who is asked


def test_a_harness_is_found_by_name_and_the_first_without() -> None:
    assert find_harness(Selection(directory=Path())).name == "claude-code"
    assert find_harness(Selection(directory=Path(), harness="claude-code")).name == "claude-code"
    with pytest.raises(WrongUse, match=r"^unknown harness 'abacus'; known: claude-code"):
        find_harness(Selection(directory=Path(), harness="abacus"))


def test_the_answer_of_a_scan_is_masked(store: Path) -> None:
    main = Transcript()
    main.human()
    report = scan(Selection(directory=Path(), session=main.write(store)), now=NOW)
    assert isinstance(report.session, Masked)
    assert report.session_id == S1


def test_what_cannot_begin_is_an_error(store: Path) -> None:
    with pytest.raises(NoSession):
        scan(select(CWD, store), now=NOW)
    with pytest.raises(UnreadableFile):
        scan(Selection(directory=Path(), session=store / "gone.jsonl"), now=NOW)


def test_sessions_are_listed_newest_first_and_none_is_an_empty_list(store: Path) -> None:
    assert list_sessions(select(CWD, store), now=NOW).sessions == ()
    paths = []
    for minutes, name in ((5, S1), (9, S2)):
        main = Transcript(name, at=START + timedelta(minutes=minutes))
        main.human()
        paths.append(main.write(store))
    listed = list_sessions(select(CWD, store), now=NOW).sessions
    assert [one.session for one in listed] == [str(paths[1]), str(paths[0])]
    assert [(one.last_activity, one.size_bytes) for one in listed] == [
        (START + timedelta(minutes=9, seconds=1), paths[1].stat().st_size),
        (START + timedelta(minutes=5, seconds=1), paths[0].stat().st_size),
    ]


def test_the_other_sessions_of_the_directory_are_named_up_to_the_limit(store: Path) -> None:
    for number in range(LIMITS.other_sessions + 3):
        main = Transcript(f"session-{number:03}", at=START + timedelta(minutes=number))
        main.human()
        main.write(store)
    report = scan_directory(CWD, store, 1)
    assert plain(report.session_id) == "session-051"
    others = [Path(plain(one.session) or "").stem for one in report.other_sessions]
    assert (len(others), others[:2], others[-1]) == (LIMITS.other_sessions, ["session-052", "session-050"], "session-002")


# -- what is said


def test_a_session_without_workers_that_ended_well_is_clean(store: Path) -> None:
    main = Transcript()
    main.human()
    main.answer()
    report = scan_file(main.write(store))
    assert (report.spawns_total, report.needs_attention, report.termination.kind) == (0, False, StopCause.CLEAN_OR_UNKNOWN)
    assert (report.died_at, report.records, report.unparsable, warnings_of(report)) == (main.at, 2, (), [])


def test_nothing_readable_is_never_an_all_clear(store: Path) -> None:
    main = Transcript()
    main.add_line("no record")
    main.add_line("[1, 2]")
    report = scan_file(main.write(store))
    assert (report.records, report.unparsable_records, report.died_at) == (0, 2, None)
    assert [(bad.line, bad.byte) for bad in report.unparsable] == [(1, 0), (2, 10)]
    assert warnings_of(report) == ["nothing in the transcript could be read; this is no all-clear"]


def test_a_helpers_own_transcript_is_scanned_and_said_to_be_one(store: Path) -> None:
    own = helper("a1")
    own.shell("b2", "t2")
    report = scan_file(own.write_to(helper_path(store / "-work-shop" / f"{S1}.jsonl", "a1")))
    assert list(workers_of(report)) == ["b2"]
    assert warnings_of(report) == ["this file is a helper's own transcript, not a session's: what its parent lost is not in it"]


def test_workers_stand_in_three_lists_in_launch_order(store: Path) -> None:
    main = Transcript()
    for number in range(6):
        main.agent(f"a{number}", f"t{number}")
    for number, status in ((5, "completed"), (2, "completed"), (4, "failed"), (1, "failed")):
        main.human(notice(f"a{number}", status))
    report = scan_file(main.write(store))
    lists = (report.unreported, report.reported_failed, report.reported)
    assert [[plain(worker.worker_id) for worker in workers] for workers in lists] == [["a0", "a3"], ["a1", "a4"], ["a2", "a5"]]
    assert (report.spawns_total, report.needs_attention) == (6, True)


def test_every_verdict_names_file_and_line(store: Path) -> None:
    main = Transcript()
    main.human()
    launch = main.agent("a1", "t1")
    end = main.enqueue(notice("a1", "failed", call="t1", summary="it broke"))
    main.human(notice("a1", "failed", call="t1", summary="it broke"))
    path = main.write(store)
    worker = only(scan_file(path))
    assert [plain(text) for text in (worker.tool, worker.description, worker.prompt, worker.summary)] == [
        "Agent",
        "piece",
        "Do a1.",
        "it broke",
    ]
    assert (worker.delivery, worker.state) == (Delivery.DELIVERED, WorkerState.REPORTED_FAILED)
    for position, line in ((worker.evidence.launch, launch), (worker.evidence.notice, end)):
        assert position is not None
        assert (plain(position.file), position.line) == (str(path), line)


def test_a_notice_in_a_wrapper_is_the_same_notice(store: Path) -> None:
    """Queued bare before the revival, delivered in a wrapper after it: still of the first run."""
    main = Transcript()
    main.agent("a1", "t1")
    main.enqueue(notice("a1"))
    main.call("t2", "SendMessage", to="a1", message="more")
    main.result("t2", "", {"success": True, "message": "Resuming agent a1", "resumedAgentId": "a1"})
    main.human(f"<system-reminder>\n{notice('a1')}\n</system-reminder>")
    worker = only(scan_file(main.write(store)))
    assert (worker.state, worker.reopened) == (WorkerState.UNREPORTED, 1)


def test_a_revived_agent_whose_copy_ends_with_the_first_answer_and_a_new_message_goes_on(store: Path) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    main.human(notice("a1"))
    main.call("t2", "SendMessage", to="a1", message="more")
    main.result("t2", "", {"success": True, "message": "Resuming agent a1", "resumedAgentId": "a1"})
    path = main.write(store)
    copy = helper("a1")
    copy.answer("the first answer")
    copy.human("more")
    copy.write_to(helper_path(path, "a1"))
    worker = only(scan_file(path))
    assert (worker.state, worker.action.name) == (WorkerState.UNREPORTED, Action.CONTINUE)


def test_what_ended_the_session_is_told_from_its_tail(store: Path) -> None:
    main = Transcript()
    main.human()
    main.error("You've hit your session limit · resets 3pm", error="rate_limit")
    report = scan_file(main.write(store))
    assert (report.termination.kind, plain(report.termination.resets_at)) == (StopCause.USAGE_LIMIT, "3pm")
    main.human()
    main.answer()
    report = scan_file(main.write(store))
    assert report.termination.kind is StopCause.CLEAN_OR_UNKNOWN
    assert report.termination.recovered is not None
    assert (report.termination.recovered.kind, report.termination.recovered.completed) == (StopCause.USAGE_LIMIT, True)


@pytest.mark.parametrize(
    ("version", "stop", "recovered"),
    [("2.1.40", None, True), ("2.1.200", None, False), ("2.1.200", "end_turn", True), ("2.1.200", "tool_use", False)],
)
def test_a_null_stop_reason_is_a_normal_end_in_old_versions_only(
    store: Path,
    version: str,
    stop: str | None,
    recovered: bool,  # noqa: FBT001 (a column of the table)
) -> None:
    main = Transcript(version=version)
    main.error("API Error: Connection error.")
    main.human()
    main.answer(stop=stop)
    kind = scan_file(main.write(store)).termination.kind
    assert kind is (StopCause.CLEAN_OR_UNKNOWN if recovered else StopCause.NETWORK)


def test_drivers_are_told_with_their_fate(store: Path) -> None:
    main = Transcript()
    for job, durable in (("j1", False), ("j2", True), ("j3", False)):
        main.call(f"t{job}", "CronCreate", prompt=f"check {job}", cron="0 9 * * *")
        main.result(f"t{job}", "Scheduled", {"id": job, "humanSchedule": "daily", "recurring": True, "durable": durable})
    main.call("t4", "CronDelete", id="j3")
    line = main.result("t4", "Deleted", {"id": "j3"})
    rows = scan_file(main.write(store)).drivers
    assert [(plain(row.id), row.kind, row.state, plain(row.prompt)) for row in rows] == [
        ("j1", DriverKind.SCHEDULE, DriverState.LOST, "check j1"),
        ("j2", DriverKind.SCHEDULE, DriverState.DURABLE, "check j2"),
        ("j3", DriverKind.SCHEDULE, DriverState.REMOVED, "check j3"),
    ]
    assert plain(rows[2].evidence) == f"it was removed on purpose (line {line})"


# -- shells


def shell_session(store: Path, written_s: float | None) -> tuple[Path, Path]:
    """A session with one shell; its output was last written that many seconds after the last record (None: never made)."""
    output = store.parent / "out" / "b1.output"
    main = Transcript()
    main.human()
    main.shell("b1", "t1", output)
    path = main.write(store)
    if written_s is not None:
        output.parent.mkdir(parents=True)
        output.write_text("building\n", encoding="utf-8")
        touch(output, main.at + timedelta(seconds=written_s))
    return path, output


@pytest.mark.parametrize(
    ("written_s", "liveness"),
    [
        (None, Liveness.UNKNOWN_NO_OUTPUT_FILE),
        (0, Liveness.DEAD),
        (5, Liveness.DEAD),
        (6, Liveness.POSSIBLY_LIVE),
        (-300, Liveness.DEAD),
    ],
)
def test_a_shell_is_judged_by_its_output_file(store: Path, written_s: float | None, liveness: Liveness) -> None:
    path, _ = shell_session(store, written_s)
    worker = only(scan_file(path))
    assert (worker.liveness, worker.action.name) == (liveness, Action.VERIFY_FIRST)
    died_s = (NOW - START).total_seconds() - 3
    assert worker.recent_write_s == (None if written_s is None else died_s - written_s)


def test_a_copied_tree_proves_nothing(store: Path) -> None:
    path, output = shell_session(store, 600)
    touch(path, START + timedelta(seconds=602))
    touch(output, START + timedelta(seconds=604))
    assert only(scan_file(path)).liveness is Liveness.UNKNOWN_MTIMES


def test_a_shell_whose_output_a_process_holds_open_is_possibly_live(store: Path) -> None:
    path, output = shell_session(store, -300)
    program = "import sys; held = open(sys.argv[1], 'a'); print('ready', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program, str(output)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        worker = only(scan_file(path))
        holder.kill()
    assert worker.liveness is Liveness.POSSIBLY_LIVE
    assert plain(worker.liveness_evidence) == f"process {holder.pid} of this machine holds its output file open"


def test_a_shell_that_came_back_is_not_asked_for_life(store: Path) -> None:
    main = Transcript()
    main.shell("b1", "t1", store / "nowhere")
    main.human(notice("b1", "failed"))
    worker = only(scan_file(main.write(store)))
    assert (worker.liveness, worker.liveness_evidence, worker.recent_write_s) == (None, None, None)


# -- cross-checks


def test_free_oracles_that_disagree_are_warnings_and_change_no_verdict(store: Path) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    line = main.add("system", subtype="turn_duration", durationMs=5, pendingBackgroundAgentCount=2, pendingWorkflowCount=0)
    path = main.write(store)
    helper("a1").write_to(helper_path(path, "a1"))
    write_json(helper_path(path, "a1").with_suffix(".meta.json"), {"finished": True, "parentAgentId": "a0"})
    report = scan_file(path)
    assert warnings_of(report) == [
        f"at line {line} the harness counted 2 agents in flight, the ledger 1: one of them missed something",
        "the sidecar of a1 says that it finished, but no record of an end was found",
    ]
    worker = only(report)
    assert (worker.state, plain(worker.parent_worker_id)) == (WorkerState.UNREPORTED, "a0")


def test_counts_of_copied_history_are_not_this_sessions(store: Path) -> None:
    main = Transcript(S2, forkedFrom={"sessionId": S3, "messageUuid": "u"})
    main.agent("a1", "t1")
    main.add("system", subtype="turn_duration", durationMs=5, pendingBackgroundAgentCount=1, pendingWorkflowCount=0)
    report = scan_file(main.write(store))
    assert (report.spawns_total, warnings_of(report)) == (0, [])


# -- the work tree


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def test_the_tree_of_the_sessions_last_directory_names_the_file_that_a_worker_left_half_written(store: Path, tmp_path: Path) -> None:
    work = tmp_path / "shop"
    work.mkdir()
    git(work, "init", "-b", "main")
    (work / "a.py").write_text("x = 1\n", encoding="utf-8")
    main = Transcript(cwd=str(work))
    main.human(cwd="/work/elsewhere")
    main.agent("a1", "t1")
    path = main.write(store)
    copy = helper("a1")
    copy.call("t5", "Write", file_path=str(work / "a.py"), content="x")
    copy.write_to(helper_path(path, "a1"))
    tree = scan_file(path).tree
    assert tree is not None
    assert (plain(tree.directory), plain(tree.branch), tree.problem) == (str(work), "main", None)
    assert [(plain(one.path), plain(one.half_written_by)) for one in tree.changed] == [("a.py", "a1")]
    assert [(plain(one.path), plain(one.half_written_by)) for one in tree.half_written] == [(str(work / "a.py"), "a1")]


def test_a_session_that_names_no_directory_has_no_tree(store: Path) -> None:
    main = Transcript(cwd=None)
    main.human()
    assert scan_file(main.write(store)).tree is None
