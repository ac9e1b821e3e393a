"""Everything the files of one session give: the main transcript, its tail, the workers' transcripts and their sidecars."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from flow.builders import (
    HARNESS,
    S1,
    S2,
    START,
    Transcript,
    helper,
    helper_path,
    notice,
    plain,
    scan_file,
    warnings_of,
    workers_of,
    write_json,
)
from resume_forensics.deduce.join import join
from resume_forensics.flow import gather as module
from resume_forensics.flow.discover import open_session
from resume_forensics.flow.gather import Gathered, gather, open_records
from resume_forensics.limits import LIMITS
from resume_forensics.read.awaited import Watch
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.records import Reading
from resume_forensics.read.search import Needles
from resume_forensics.vocabulary import Action, StopCause, WorkerState


def take(path: Path) -> Gathered:
    return gather(open_session(path, HARNESS), HARNESS)


def test_records_and_bad_lines_are_counted_and_the_last_record_dates_the_end(tmp_path: Path) -> None:
    main = Transcript()
    main.human()
    main.add_line("no record")
    main.answer()
    at = main.at
    main.remark("last-prompt", lastPrompt="go on")
    found = take(main.write(tmp_path / "projects"))
    assert (found.records, found.unparsable, [bad.place.line for bad in found.bad_lines]) == (3, 1, [2])
    assert (found.last_record_at, plain(found.own_id()), plain(found.directory)) == (at, S1, "/work/shop")


def test_a_file_whose_name_no_record_carries_is_the_session_that_most_name(tmp_path: Path) -> None:
    main = Transcript(S2)
    main.human()
    main.agent("a1", "t1")
    path = main.write(tmp_path / "projects", name="copy of it")
    assert plain(take(path).own_id()) == S2
    assert list(workers_of(scan_file(path))) == ["a1"]


def test_workers_of_agents_are_joined_three_deep_and_report_to_the_session(tmp_path: Path) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    path = main.write(tmp_path / "projects")
    first, second = helper("a1", at=main.at), helper("a2", at=main.at)
    first.call("t2", "Agent", prompt="Do a2.")
    first.result("t2", "Async agent launched successfully.\nagentId: a2 (internal ID)")  # a receipt of text alone
    second.shell("b3", "t3")
    first.write_to(helper_path(path, "a1"))
    second.write_to(helper_path(path, "a2"))
    main.at = second.at
    main.enqueue(notice("b3", "failed"))
    main.write(tmp_path / "projects")
    found = workers_of(scan_file(path))
    assert {name: (worker.state, plain(worker.parent_worker_id)) for name, worker in found.items()} == {
        "a1": (WorkerState.UNREPORTED, None),
        "a2": (WorkerState.UNREPORTED, "a1"),
        "b3": (WorkerState.REPORTED_FAILED, "a2"),
    }
    assert plain(found["a2"].prompt) == "Do a2."
    launch = found["b3"].evidence.launch
    assert launch is not None
    assert (plain(launch.file), launch.line) == (str(helper_path(path, "a2")), 3)


def test_copies_of_the_parents_history_and_forks_without_launch_are_no_workers(tmp_path: Path) -> None:
    main = Transcript()
    main.human()
    path = main.write(tmp_path / "projects")
    for name in ("acompact-1", "aprompt_suggestion-2", "aside_question-3"):
        copy = helper(name)
        copy.agent("a9", "t9")
        copy.write_to(helper_path(path, name))
    fork = helper("a5")
    fork.remark("fork-context-ref", sessionId=S1)
    write_json(helper_path(path, "a5").with_suffix(".meta.json"), {"isFork": True, "agentType": "fork"})
    fork.write_to(helper_path(path, "a5"))
    assert workers_of(scan_file(path)) == {}


def test_a_fork_that_repeats_a_finished_call_does_not_bring_it_back(tmp_path: Path) -> None:
    main = Transcript()
    main.call("t1", "Agent", prompt="Do it.")
    main.result("t1", "The answer.", {"status": "completed", "agentId": "a1"})
    path = main.write(tmp_path / "projects")
    fork = helper("a5")
    fork.call("t1", "Agent", prompt="Do it.")
    fork.write_to(helper_path(path, "a5"))
    assert workers_of(scan_file(path)) == {}


@pytest.mark.parametrize("through", ["sidecar", "progress"])
def test_a_foreground_agent_in_flight_is_named_by_its_sidecar_or_progress(tmp_path: Path, through: str) -> None:
    main = Transcript()
    line = main.call("t1", "Agent", prompt="Do it.")
    if through == "progress":  # the hooks of the call go before, under the same id
        main.add("progress", toolUseID="t1", parentToolUseID="t1", data={"type": "hook_progress", "hookEvent": "PreToolUse"})
        main.add("progress", toolUseID="m1", parentToolUseID="t1", data={"type": "agent_progress", "agentId": "a1"})
    path = main.write(tmp_path / "projects")
    helper("a1").write_to(helper_path(path, "a1"))
    if through == "sidecar":
        write_json(helper_path(path, "a1").with_suffix(".meta.json"), {"toolUseId": "t1", "agentType": "x"})
    report = scan_file(path)
    (worker,) = report.unreported
    assert (plain(worker.worker_id), worker.foreground, plain(worker.durable_transcript)) == ("a1", True, str(helper_path(path, "a1")))
    assert worker.evidence.launch is not None
    assert (worker.evidence.launch.line, worker.sidecar is not None) == (line, through == "sidecar")


def test_a_sidecar_that_is_broken_or_missing_changes_nothing(tmp_path: Path) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    main.agent("a2", "t2")
    path = main.write(tmp_path / "projects")
    for name in ("a1", "a2"):
        helper(name).write_to(helper_path(path, name))
    helper_path(path, "a1").with_suffix(".meta.json").write_text("{torn", encoding="utf-8")
    found = workers_of(scan_file(path))
    assert [(name, worker.sidecar) for name, worker in found.items()] == [("a1", None), ("a2", None)]


def test_agents_inside_a_workflow_run_are_its_steps_and_what_they_launch_are_workers(tmp_path: Path) -> None:
    main = Transcript()
    main.workflow("w1", "t1", "wf_1")
    main.human("<task-notification>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n</task-notification>")
    path = main.write(tmp_path / "projects")
    step = helper("a7", at=main.at)
    step.shell("b8", "t8")
    step.write_to(helper_path(path, "a7", "wf_1"))
    write_json(helper_path(path, "a7", "wf_1").with_suffix(".meta.json"), {"toolUseId": "t1"})  # no second launch of the call
    found = workers_of(scan_file(path))
    assert {name: worker.state for name, worker in found.items()} == {"w1": WorkerState.REPORTED, "b8": WorkerState.UNREPORTED}
    assert plain(found["b8"].parent_worker_id) == "a7"
    assert [(file.worker_id, file.run is None) for file in take(path).files] == [(found["b8"].parent_worker_id, False)]


def test_what_the_session_says_of_where_it_goes_on_is_a_warning(tmp_path: Path) -> None:
    main = Transcript()
    main.human()
    main.remark("continued-in", continuedInSessionId=S2)
    report = scan_file(main.write(tmp_path / "projects"))
    assert warnings_of(report) == [f"the session says that it goes on in another one: {S2}"]


def test_a_transcript_that_changed_while_it_was_read_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Changing(Reading):
        __slots__ = ()

        def __init__(self, path: Path) -> None:
            super().__init__(path)
            main.human("one thing more")
            main.write_to(path)

    main = Transcript()
    main.human()
    path = main.write(tmp_path / "projects")
    session = open_session(path, HARNESS)
    monkeypatch.setattr(module, "Reading", Changing)
    found = gather(session, HARNESS, plain=True)
    assert (found.records, found.warnings) == (2, [])  # it grew before it was opened

    class Growing(Changing):
        __slots__ = ()

        def __iter__(self):  # type: ignore[no-untyped-def]  # noqa: ANN204 (as `Reading`)
            yield from super().__iter__()
            self.changed = "it grew while it was read"

    monkeypatch.setattr(module, "Reading", Growing)
    assert [plain(warning) for warning in gather(session, HARNESS, plain=True).warnings] == [
        "the transcript changed: it grew while it was read"
    ]


@pytest.mark.parametrize(("blocks", "lookback_bytes"), [(0, 0), (3, 0), (3, LIMITS.lookback_bytes)])
def test_a_call_far_before_its_receipt_is_found_on_both_roads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int, lookback_bytes: int
) -> None:
    def short_sighted(path: Path, needles: Needles, watch: Watch | None = None) -> NominatedReading:
        return NominatedReading(path, needles, watch, limits=replace(LIMITS, lookback_bytes=lookback_bytes))

    monkeypatch.setattr(module, "NominatedReading", short_sighted)
    monkeypatch.setattr(module, "SegmentedReading", short_sighted)
    main = Transcript()
    main.human()
    main.call("toolu_1", "Bash", command="make all")
    main.call("toolu_2", "Bash", command="cat log")
    for _ in range(blocks * 4):
        main.human("x" * (LIMITS.block_bytes // 4))
    main.result("toolu_1", "", {"stdout": "", "stderr": "", "backgroundTaskId": "b1"})
    main.result("toolu_2", "Async agent launched successfully.\nagentId: a9 (quoted by a log)")
    session = open_session(main.write(tmp_path / "projects"), HARNESS)
    for plain_road in (True, False):
        found = gather(session, HARNESS, plain=plain_road)
        (worker,) = join(found.ledger.book, found.own_id()).workers
        assert (plain(worker.worker_id), plain(worker.command), found.records) == ("b1", "make all", 5 + blocks * 4)


def test_a_worker_file_that_is_gone_when_it_is_opened_is_passed_over(tmp_path: Path) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    path = main.write(tmp_path / "projects")
    helper_path(path, "a1").parent.mkdir(parents=True)
    helper_path(path, "a1").symlink_to(tmp_path / "nowhere")
    assert [(name, worker.state) for name, worker in workers_of(scan_file(path)).items()] == [("a1", WorkerState.UNREPORTED)]


# -- the tail


def test_a_fault_within_the_last_400_records_decides_and_an_older_one_does_not(tmp_path: Path) -> None:
    main = Transcript()
    main.human()
    line = main.error("API Error: 529 overloaded", error="overloaded")
    for _ in range(LIMITS.tail_records - 1):
        main.call("t", "Bash")
        main.remark("last-prompt", lastPrompt="bookkeeping is not counted")
    path = main.write(tmp_path / "projects")
    assert scan_file(path).termination.kind is StopCause.API_OVERLOAD
    assert line == 2
    main.call("t", "Bash")
    main.write(tmp_path / "projects")
    assert scan_file(path).termination.kind is StopCause.CLEAN_OR_UNKNOWN


def test_a_tail_that_was_not_read_to_its_end_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", replace(LIMITS, tail_bytes=2_000))
    main = Transcript()
    for _ in range(50):
        main.human()
    found = take(main.write(tmp_path / "projects"))
    assert [plain(warning) for warning in found.warnings] == [
        "the end of the transcript is long: what stopped the session was looked for in its last part only"
    ]


def test_a_tail_without_any_activity_says_that_the_end_is_not_dated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", replace(LIMITS, tail_bytes=2_000))
    main = Transcript()
    main.human()
    for _ in range(50):
        main.remark("last-prompt", lastPrompt="bookkeeping alone")
    found = take(main.write(tmp_path / "projects"))
    assert found.last_record_at is None
    assert plain(found.warnings[-1]) == "nothing in that part belongs to the conversation: when the session ended is not known"


def test_running_calls_are_told_by_their_line(tmp_path: Path) -> None:
    main = Transcript()
    main.human()
    line = main.call("t1", "Edit", file_path="/work/shop/a.py")
    main.call("t2", "Bash", command="ls")
    main.result("t2")
    (running,) = scan_file(main.write(tmp_path / "projects")).running_calls
    assert (plain(running.tool), plain(running.path), running.half_written, running.evidence.line) == (
        "Edit",
        "/work/shop/a.py",
        True,
        line,
    )


def test_records_of_a_file_that_is_gone_are_none(tmp_path: Path) -> None:
    assert list(open_records(tmp_path / "gone")) == []


@pytest.mark.parametrize("main_line", [None, "torn", "\0" * 99], ids=["gone", "torn", "NULs"])
def test_where_the_main_file_says_nothing_each_helper_is_named_by_its_own_file(tmp_path: Path, main_line: str | None) -> None:
    main = tmp_path / "projects" / "-work-shop" / f"{S1}.jsonl"
    for name in ("a1", "a2", "a3"):
        one = helper(name)
        one.answer("all done", stop="end_turn" if name == "a1" else "tool_use")
        one.write_to(helper_path(main, name))
    write_json(helper_path(main, "a3").with_suffix(".meta.json"), {"isFork": True})
    helper("a4").write_to(helper_path(main, "a4", "wf_1"))
    if main_line:
        main.write_text(main_line + "\n", encoding="utf-8")
    report = scan_file(main)
    assert [(plain(one.worker_id), one.launch_missing, one.action.name) for one in report.unreported] == [
        ("a1", True, Action.FOLD_IN),
        ("a2", True, Action.VERIFY_FIRST),
    ]


def test_a_session_without_main_file_gives_what_its_folder_holds(tmp_path: Path) -> None:
    main = tmp_path / "projects" / "-work-shop" / f"{S1}.jsonl"
    first = helper("a1", at=START)
    first.shell("b2", "t2")
    first.write_to(helper_path(main, "a1"))
    report = scan_file(main)
    assert (report.main_exists, report.records, report.died_at) == (False, 0, None)
    assert [(plain(one.worker_id), plain(one.parent_worker_id)) for one in report.unreported] == [("b2", "a1"), ("a1", None)]
    assert warnings_of(report) == ["the main transcript is gone; only what lies in the session's folder was read"]
