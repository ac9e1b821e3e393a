"""Where a worker's own transcript lies, the first place that has one, and what is left of it."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from flow.builders import NOW, S1, S2, START, Transcript, helper, helper_path, notice, plain, scan_file, touch, workers_of
from resume_forensics.flow import recover
from resume_forensics.flow.gather import open_records
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import WorkerReport
from resume_forensics.read.records import Item
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Ended, Shape, WorkerState

A = "a1b2c3d4e5f60718"
"""An agent id of random shape."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def agent_session(store: Path, **receipt: object) -> Path:
    main = Transcript(S1)
    main.human()
    main.agent(A, "t1", **receipt)
    return main.write(store)


def copy_saying(text: str) -> Transcript:
    copy = helper(A)
    copy.answer(text, stop="tool_use")
    return copy


def only(path: Path) -> WorkerReport[Raw]:
    (worker,) = workers_of(scan_file(path)).values()
    return worker


def last_words(worker: WorkerReport[Raw]) -> str | None:
    return plain(worker.digest.final_text) if worker.digest else None


def reason(worker: WorkerReport[Raw]) -> str | None:
    return plain(worker.digest.reason) if worker.digest else None


# -- the places, nearest first

Place = Callable[[Path], Path]
PLACES: dict[str, Place] = {
    "own folder": lambda main: helper_path(main, A),
    "a worktree's folder": lambda main: main.parent.parent / "-work-shop-worktree" / S1 / "subagents" / f"agent-{A}.jsonl",
    "flat beside": lambda main: main.parent / f"agent-{A}.jsonl",
    "its output file": lambda main: main.parent.parent.parent / "out" / f"{A}.output",
}


@pytest.mark.parametrize("nearest", range(len(PLACES)))
def test_the_first_place_that_has_a_copy_wins(store: Path, nearest: int) -> None:
    main = store / "-work-shop" / f"{S1}.jsonl"
    agent_session(store, outputFile=str(PLACES["its output file"](main)))
    for name, place in list(PLACES.items())[nearest:]:
        copy_saying(name).write_to(place(main))
    worker, name = only(main), list(PLACES)[nearest]
    assert last_words(worker) == name
    lies_here = None if name == "its output file" else str(PLACES[name](main))
    assert plain(worker.durable_transcript) == lies_here
    assert worker.action.name is (Action.CONTINUE if name == "own folder" else Action.RESPAWN_REMAINDER)


def test_a_worker_of_a_fork_has_its_copy_in_the_older_sessions_folder(store: Path) -> None:
    fork = Transcript(S1, forkedFrom={"sessionId": S2, "messageUuid": "u"})
    fork.agent(A, "t1")
    del fork.common["forkedFrom"]
    fork.human(notice(A, None))
    path = fork.write(store)
    older = helper_path(path.with_name(f"{S2}.jsonl"), A)
    copy_saying("by the fork").write_to(older)
    copy_saying("flat").write_to(path.parent / f"agent-{A}.jsonl")
    worker = only(path)
    assert (plain(worker.durable_transcript), last_words(worker), plain(worker.prompt)) == (str(older), "by the fork", f"Do {A}.")


def test_without_a_store_only_the_sessions_own_folder_and_what_lies_beside_are_searched(store: Path) -> None:
    main = Transcript(S1)
    main.agent(A, "t1")
    path = main.write_to(store.parent / "anywhere" / "else" / f"{S1}.jsonl")
    copy_saying("flat").write_to(path.parent / f"agent-{A}.jsonl")
    assert last_words(only(path)) == "flat"


def test_a_workflow_is_summed_up_by_the_newest_step_of_its_run(store: Path) -> None:
    main = Transcript(S1)
    main.workflow("w1", "t1", "wf_1")
    path = main.write(store)
    for run, name, minutes in (("wf_1", "a1", 1), ("wf_1", "a2", 3), ("wf_1", "a3", 2), ("wf_2", "a4", 9)):
        step = helper(name)
        step.answer(f"step {name}")
        touch(step.write_to(helper_path(path, name, run)), START + timedelta(minutes=minutes))
    worker = only(path)
    assert (last_words(worker), plain(worker.durable_transcript)) == ("step a2", str(helper_path(path, "a2", "wf_1")))


@pytest.mark.parametrize(("finished", "summed_up"), [((), "a2"), (("a2",), "a3"), (("a2", "a3"), "a1"), (("a1", "a2", "a3"), "a2")])
def test_a_workflow_is_summed_up_by_a_step_in_flight_while_there_is_one(store: Path, finished: tuple[str, ...], summed_up: str) -> None:
    main = Transcript(S1)
    main.workflow("w1", "t1", "wf_1")
    path = main.write(store)
    journal = Transcript(S1)
    for name, minutes in (("a1", 1), ("a2", 3), ("a3", 2)):
        journal.remark("started", key=f"k{name}", agentId=name)
        step = helper(name)
        step.answer(f"step {name}")
        touch(step.write_to(helper_path(path, name, "wf_1")), START + timedelta(minutes=minutes))
    for name in finished:
        journal.remark("result", key=f"k{name}", agentId=name)
    journal.write_to(helper_path(path, "a1", "wf_1").with_name("journal.jsonl"))
    assert last_words(only(path)) == f"step {summed_up}"


def test_a_workflow_without_steps_and_a_monitor_have_no_copy(store: Path) -> None:
    main = Transcript(S1)
    main.workflow("w1", "t1", "wf_1", transcriptDir=str(store))
    main.call("t2", "Monitor", command="tail -f log")
    main.result("t2", "Monitor started (task m1, timeout 600000ms).", {"taskId": "m1", "timeoutMs": 600_000})
    path = main.write(store)
    copy_saying("not of a monitor").write_to(helper_path(path, "m1"))
    found = workers_of(scan_file(path))
    assert [(name, reason(worker)) for name, worker in found.items()] == [("w1", "no longer on disk"), ("m1", "no longer on disk")]


# -- what a copy that gives nothing says


def make_nothing(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "a directory, not a file":
        path.mkdir()
    elif kind == "not a regular file":
        os.mkfifo(path)
    elif kind == "a link that points nowhere":
        path.symlink_to(path.with_name("nowhere"))
    elif kind == "empty":
        path.touch()


NOTHINGS = ["a directory, not a file", "not a regular file", "a link that points nowhere", "empty", "no longer on disk"]


@pytest.mark.parametrize("kind", NOTHINGS)
@pytest.mark.parametrize("shell", [True, False])
def test_each_output_file_that_gives_nothing_has_its_own_reason(store: Path, kind: str, shell: bool) -> None:  # noqa: FBT001 (a column of the table)
    output = store.parent / "out" / "x.output"
    make_nothing(output, kind)
    main = Transcript(S1)
    if shell:
        main.shell("b1", "t1", output)
    else:
        main.agent(A, "t1", outputFile=str(output))
    assert reason(only(main.write(store))) == kind


@pytest.mark.parametrize("path", ["//host/share/x.output", "relative/x.output", "\\\\host\\x.output"])
def test_a_path_that_no_file_of_this_machine_can_have_is_not_opened(store: Path, path: str) -> None:
    main = Transcript(S1)
    main.agent(A, "t1", outputFile=path)
    assert reason(only(main.write(store))) == "not readable"


def test_a_shell_without_output_path_says_so(store: Path) -> None:
    main = Transcript(S1)
    main.shell("b1", "t1")
    assert reason(only(main.write(store))) == "no output path recorded"


def test_a_copy_that_was_emptied_says_so(store: Path) -> None:
    path = agent_session(store)
    make_nothing(helper_path(path, A), "empty")
    assert reason(only(path)) == "empty"


# -- what a copy says


def test_a_digest_tells_size_age_and_tail(store: Path) -> None:
    path = agent_session(store)
    copy = helper(A)
    copy.call("t7", "Edit", file_path="/work/shop/a.py")
    own = copy.write_to(helper_path(path, A))
    touch(own, NOW - timedelta(seconds=600))
    digest = only(path).digest
    assert digest is not None
    assert (digest.size_bytes, digest.records, digest.truncated_window, digest.mtime_age_s) == (own.stat().st_size, 2, False, 600)
    assert (digest.ended, digest.shape, plain(digest.half_written)) == (Ended.MID_TOOL, Shape.TRANSCRIPT, "/work/shop/a.py")
    touch(own, NOW + timedelta(seconds=5))
    later = only(path).digest
    assert later is not None
    assert later.mtime_age_s == 0


def test_a_long_copy_is_summed_up_by_its_tail(store: Path) -> None:
    path = agent_session(store)
    copy = helper(A)
    copy.call("t0", "TooOld")
    for number in range(LIMITS.digest_records):
        copy.call(f"t{number}", "Bash", command="ls")
    copy.write_to(helper_path(path, A))
    digest = only(path).digest
    assert digest is not None
    assert (digest.records, digest.truncated_window) == (LIMITS.digest_records, True)
    assert [(plain(row.tool), row.calls) for row in digest.tool_counts] == [("Bash", LIMITS.digest_records)]


def test_bad_lines_of_a_copy_are_passed_over(store: Path) -> None:
    path = agent_session(store)
    copy = copy_saying("before it was torn")
    copy.add_line('{"type":"assistant","message":{"content":[{"type":"te')
    copy.write_to(helper_path(path, A))
    assert last_words(only(path)) == "before it was torn"


def test_the_end_of_a_shells_output_is_kept(store: Path) -> None:
    output = store.parent / "out" / "b1.output"
    output.parent.mkdir()
    lines = [f"line {number:06}" for number in range(5_000)]
    output.write_text("\n".join(lines), encoding="utf-8")
    main = Transcript(S1)
    main.shell("b1", "t1", output)
    digest = only(main.write(store)).digest
    assert digest is not None
    assert (digest.shape, digest.truncated_window, digest.size_bytes) == (Shape.RAW_STDOUT, True, output.stat().st_size)
    text = plain(digest.final_text) or ""
    assert text.splitlines()[-1] == "line 004999"
    assert text.splitlines()[0] in lines  # cut at a line's beginning
    assert len(text) <= LIMITS.output_tail_bytes


# -- helpers that wrote into the main transcript (to 2.0.1)


def old_session() -> Transcript:
    main = Transcript(S1, version="1.0.60")
    main.human()
    main.call("t0", "Task", prompt="Earlier.")
    main.answer("words of an earlier helper", isSidechain=True)
    main.result("t0", "Finished.")
    main.call("t1", "Task", prompt="Do it.")
    return main


def test_an_old_helper_is_summed_up_by_the_sidechain_behind_its_call(store: Path) -> None:
    main = old_session()
    main.human("Do it.", isSidechain=True)
    main.answer("its own words", stop="tool_use", isSidechain=True)
    main.answer("words of the session")
    worker = only(main.write(store))
    assert (worker.foreground, last_words(worker), worker.durable_transcript) == (True, "its own words", None)
    assert worker.digest is not None
    assert worker.digest.records == 2


def test_an_old_helper_that_is_named_by_its_records_is_told_by_its_own_alone(store: Path) -> None:
    main = old_session()
    main.add("progress", parentToolUseID="t1", data={"type": "agent_progress", "agentId": A})
    main.answer("its own words", stop="tool_use", isSidechain=True, agentId=A)
    main.answer("words of another", stop="tool_use", isSidechain=True, agentId="a9")
    main.add_line("no record")
    assert last_words(only(main.write(store))) == "its own words"


def test_an_old_helper_without_sidechain_wrote_nothing_or_its_output_file(store: Path) -> None:
    path = old_session().write(store)
    assert reason(only(path)) == "no longer on disk"
    output = copy_saying("by its output").write_to(store.parent / "out" / "a.output")
    main = Transcript(S1, version=None)
    main.agent(A, "t1", outputFile=str(output))
    assert last_words(only(main.write(store))) == "by its output"


def test_an_answer_in_the_copy_of_a_failed_agent_is_folded_in(store: Path) -> None:
    main = Transcript(S1)
    main.agent(A, "t1")
    main.human(notice(A, "failed", summary='Agent "D" failed: classifyHandoffIfNeeded is not defined'))
    path = main.write(store)
    copy = helper(A)
    copy.answer("the whole answer")
    copy.write_to(helper_path(path, A))
    worker = only(path)
    assert (worker.state, last_words(worker), worker.action.name) == (WorkerState.REPORTED_FAILED, "the whole answer", Action.FOLD_IN)


def test_what_came_back_and_was_told_has_no_digest(store: Path) -> None:
    main = Transcript(S1)
    main.agent(A, "t1")
    main.human(notice(A))
    path = main.write(store)
    copy_saying("words").write_to(helper_path(path, A))
    assert only(path).digest is None
    main.lines.pop()
    main.enqueue(notice(A))
    main.write(store)
    assert last_words(only(path)) == "words"


def test_an_answer_to_an_earlier_request_is_not_folded_in(store: Path) -> None:
    copy = helper(A)
    copy.answer("the first answer")
    main = Transcript(S1)
    main.agent(A, "t1")
    main.at = copy.at + timedelta(minutes=1)
    main.human(notice(A))
    main.call("t2", "SendMessage", to=A, message="now deploy")
    main.result("t2", "", {"success": True, "resumedAgentId": A})
    path = main.write(store)
    copy.write_to(helper_path(path, A))
    worker = only(path)
    assert (worker.state, worker.reopened, worker.action.name) == (WorkerState.UNREPORTED, 1, Action.CONTINUE)
    copy.at = main.at
    copy.human("now deploy")
    copy.answer("deployed")
    copy.write_to(helper_path(path, A))
    assert only(path).action.name is Action.FOLD_IN


def test_the_main_file_is_read_once_for_all_old_helpers(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = Transcript(S1, version="1.0.100")
    for number in range(20):
        main.agent(f"a{number:07}", f"t{number}")
    main.answer("nobody's words", stop="tool_use", isSidechain=True)
    for number in range(20):
        main.answer(f"words of {number}", stop="tool_use", isSidechain=True, agentId=f"a{number:07}")
    path, read = main.write(store), list[Path]()

    def read_all(file: Path) -> Iterator[Item]:
        read.append(file)
        return open_records(file)

    monkeypatch.setattr(recover, "open_records", read_all)
    said = {name: last_words(worker) for name, worker in workers_of(scan_file(path)).items()}
    assert said == {f"a{number:07}": f"nobody's words\n\nwords of {number}" for number in range(20)}
    assert read == [path]
