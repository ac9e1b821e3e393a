"""Launches are joined with ends by id: who came back, how that is known, and what must never count as an end."""

from pathlib import Path
from typing import Any

import pytest

from deduce.builders import MAIN, OWN, TRACED, Tape, feed, helper_tape, join_tapes, only, plain, verdict, workers_of
from resume_forensics.deduce import join as module
from resume_forensics.deduce.order import is_before
from resume_forensics.model.event import KillAll, Launch, Stamp
from resume_forensics.model.session import Source
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Delivery, Habitat, QueueStep, WorkerKind, WorkerState

REPORTED, FAILED, OPEN = WorkerState.REPORTED, WorkerState.REPORTED_FAILED, WorkerState.UNREPORTED
DELIVERED, QUEUED, FETCHED, STOPPED, NONE = (
    Delivery.DELIVERED,
    Delivery.QUEUED,
    Delivery.FETCHED,
    Delivery.STOPPED,
    Delivery.NONE,
)
SHELL, WORKFLOW, TEAMMATE = WorkerKind.BACKGROUND_SHELL, WorkerKind.WORKFLOW, WorkerKind.TEAMMATE
NEVER = (OPEN, None, NONE)


def launched(worker: str = "a1", call: str = "t1", kind: WorkerKind = WorkerKind.AGENT) -> Tape:
    """A tape on which one worker was launched by a call."""
    tape = Tape()
    tape.call(call, "Agent", prompt=f"Do {worker}.", description="piece", subagent_type="reviewer")
    tape.launch(worker, call, kind)
    return tape


def sole(*tapes: Tape, own: str | None = OWN) -> Worker:
    return only(join_tapes(*tapes, own=own).workers)


# -- one launch, one end


def test_a_launch_alone_is_unreported_and_carries_what_it_was_asked() -> None:
    worker = sole(launched())
    assert verdict(worker) == NEVER
    assert [plain(text) for text in (worker.worker_id, worker.tool_use_id, worker.tool)] == ["a1", "t1", "Agent"]
    assert [plain(text) for text in (worker.prompt, worker.description, worker.subagent_type)] == ["Do a1.", "piece", "reviewer"]
    assert worker.launch is not None
    assert (worker.launch.line, worker.spawned_at, worker.end) == (2, worker.launch.at, None)
    assert (worker.foreground, worker.reopened, worker.launch_missing, worker.lost_track) == (False, 0, False, False)


def test_what_the_receipt_says_goes_before_what_the_call_asked() -> None:
    tape = Tape()
    tape.call("t1", "Bash", prompt="asked", command="make", description="asked")
    tape.launch("b1", "t1", SHELL, prompt="said", output_file="/o/b1.output", habitat=Habitat.OWN_PROCESS)
    worker = sole(tape)
    assert [plain(text) for text in (worker.prompt, worker.description, worker.command)] == ["said", "asked", "make"]
    assert (plain(worker.output_file), worker.habitat) == ("/o/b1.output", Habitat.OWN_PROCESS)


def test_an_end_gives_the_output_file_that_no_receipt_named() -> None:
    tape = launched("b1", kind=SHELL)
    tape.end("b1", output_file="/o/b1.output")
    assert plain(sole(tape).output_file) == "/o/b1.output"


@pytest.mark.parametrize(("status", "state"), [("completed", REPORTED), ("failed", FAILED), ("killed", FAILED)])
def test_the_end_decides_the_state_and_the_status_is_its_word(status: str, state: WorkerState) -> None:
    tape = launched()
    end = tape.end("a1", status, summary="what happened")
    worker = sole(tape)
    assert verdict(worker) == (state, status, DELIVERED)
    assert (plain(worker.summary), worker.end) == ("what happened", end.stamp)


def test_a_notice_may_stand_before_its_receipt() -> None:
    tape = Tape()
    tape.enqueue("b1")
    tape.call("t1", "Bash")
    tape.launch("b1", "t1", SHELL)
    assert verdict(sole(tape)) == (REPORTED, "completed", QUEUED)


@pytest.mark.parametrize("ids", [("a1", None), (None, "t1"), ("a1", "t1")])
def test_a_notice_may_carry_one_of_the_two_ids(ids: tuple[str | None, str | None]) -> None:
    tape = launched()
    tape.end(ids[0], tool_use_id=ids[1])
    assert verdict(sole(tape)) == (REPORTED, "completed", DELIVERED)


def test_a_notice_with_the_call_alone_finds_its_worker_though_the_receipt_comes_later() -> None:
    tape = Tape()
    tape.end(None, tool_use_id="t1")
    tape.launch("a1", "t1")
    worker = sole(tape)
    assert (plain(worker.worker_id), worker.state) == ("a1", REPORTED)


def test_49_copies_are_one_end() -> None:
    tape = launched()
    for _ in range(48):
        tape.enqueue("a1", "failed")
    tape.end("a1", "failed")
    worker = sole(tape)
    assert verdict(worker) == (FAILED, "failed", DELIVERED)
    assert worker.end is not None
    assert worker.end.line == 3


def test_of_several_ends_the_last_decides_and_a_late_copy_of_an_earlier_one_does_not() -> None:
    tape = launched()
    tape.enqueue("a1", "failed")
    tape.end("a1", "completed", notice="better")
    tape.end("a1", "failed")  # the delivery of the first
    assert verdict(sole(tape)) == (REPORTED, "completed", DELIVERED)
    tape.end("a1", "failed", notice="again")
    assert verdict(sole(tape)) == (FAILED, "failed", DELIVERED)


@pytest.mark.parametrize("stop_first", [True, False])
def test_a_successful_stop_wins_over_any_other_end(stop_first: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape = launched()
    if stop_first:
        tape.stop("a1")
    tape.end("a1", "completed")
    if not stop_first:
        tape.stop("a1")
    assert verdict(sole(tape)) == (FAILED, "stopped", STOPPED)


def test_a_poll_is_an_end_of_its_own_word() -> None:
    tape = launched()
    tape.poll("a1", "failed")
    assert verdict(sole(tape)) == (FAILED, "failed", FETCHED)


@pytest.mark.parametrize("fields", [{}, {"notice": True}, {"registers": True}, {"notice": True, "lost_track": True}])
def test_a_mention_is_no_end(fields: dict[str, Any]) -> None:
    tape = launched()
    tape.mention("a1", **fields)
    worker = sole(tape)
    assert verdict(worker) == NEVER
    assert worker.lost_track is fields.get("lost_track", False)


@pytest.mark.parametrize("end_first", [True, False])
def test_lost_track_never_undoes_an_end(end_first: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape = launched()
    if end_first:
        tape.end("a1")
    tape.mention("a1", notice=True, lost_track=True)
    if not end_first:
        tape.end("a1")
    worker = sole(tape)
    assert (verdict(worker), worker.lost_track) == ((REPORTED, "completed", DELIVERED), False)


# -- the same id again


def revive(tape: Tape, call: str = "t2") -> None:
    """SendMessage set the agent to work again."""
    tape.call(call, "SendMessage", target="a1", prompt="one thing more")
    tape.launch("a1", call, revival=True)


def test_a_revived_agent_is_open_again_and_keeps_what_it_was_first_asked() -> None:
    tape = launched()
    tape.end("a1")
    revive(tape)
    worker = sole(tape)
    assert (verdict(worker), worker.reopened) == (NEVER, 1)
    assert [plain(text) for text in (worker.prompt, worker.tool, worker.tool_use_id)] == ["Do a1.", "Agent", "t2"]
    assert worker.launch is not None
    assert (worker.launch.line, worker.spawned_at == worker.launch.at) == (5, False)


def test_each_revival_counts_and_the_end_after_the_last_decides() -> None:
    tape = launched()
    for number in range(3):
        tape.end("a1", notice=f"run {number}")
        revive(tape, f"again {number}")
    assert (verdict(sole(tape)), sole(tape).reopened) == (NEVER, 3)
    tape.end("a1", "failed", notice="run 3")
    assert verdict(sole(tape)) == (FAILED, "failed", DELIVERED)


def test_a_stop_before_the_revival_does_not_end_the_revived_run() -> None:
    tape = launched()
    tape.stop("a1")
    revive(tape)
    assert verdict(sole(tape)) == NEVER


def test_an_old_notice_delivered_after_the_revival_does_not_end_the_revived_run() -> None:
    tape = launched()
    tape.enqueue("a1")
    revive(tape)
    tape.end("a1")
    assert verdict(sole(tape)) == NEVER


def test_an_identical_notice_queued_after_the_revival_ends_the_revived_run() -> None:
    tape = launched()
    tape.enqueue("a1")
    tape.end("a1")
    revive(tape)
    tape.enqueue("a1")
    assert verdict(sole(tape)) == (REPORTED, "completed", QUEUED)
    tape.end("a1")
    assert verdict(sole(tape)) == (REPORTED, "completed", DELIVERED)


def test_an_identical_notice_delivered_a_second_time_after_the_revival_is_of_the_revived_run() -> None:
    tape = launched()
    tape.end("a1")
    revive(tape)
    tape.end("a1")
    assert verdict(sole(tape)) == (REPORTED, "completed", DELIVERED)


def test_the_same_poll_after_the_revival_ends_the_revived_run() -> None:
    tape = launched()
    tape.poll("a1")
    revive(tape)
    assert verdict(sole(tape)) == NEVER
    tape.poll("a1")
    assert verdict(sole(tape)) == (REPORTED, "completed", FETCHED)


def test_a_notice_that_names_the_call_of_the_revival_ends_it_wherever_it_stands() -> None:
    tape = launched()
    tape.enqueue("a1", tool_use_id="t2")
    revive(tape)
    assert verdict(sole(tape)) == (REPORTED, "completed", QUEUED)


def test_the_same_agent_launched_again_by_another_call_is_one_worker_reopened() -> None:
    tape = launched()
    tape.end("a1", tool_use_id="t1")
    tape.call("t2", "Task", target="a1", prompt="the rest")
    tape.launch("a1", "t2")
    worker = sole(tape)
    assert (verdict(worker), worker.reopened, plain(worker.prompt)) == (NEVER, 1, "Do a1.")


def test_what_the_harness_lost_track_of_before_the_revival_says_nothing_about_the_revived_run() -> None:
    tape = launched()
    tape.mention("a1", notice=True, lost_track=True)
    revive(tape)
    assert sole(tape).lost_track is False
    tape.mention("a1", notice=True, lost_track=True)
    assert sole(tape).lost_track is True


def test_one_launch_rewritten_in_place_is_one_and_its_end_stays() -> None:
    tape = launched()
    tape.end("a1")
    tape.launch("a1", "t1")
    worker = sole(tape)
    assert (verdict(worker), worker.reopened) == ((REPORTED, "completed", DELIVERED), 0)


def test_a_counter_issued_twice_names_another_worker_each_time_and_the_latest_is_listed() -> None:
    tape = Tape()
    tape.launch("bash_1", "t1", SHELL, counted_id=True, command="first")
    tape.end("bash_1", tool_use_id="t1")
    tape.launch("bash_1", "t2", SHELL, counted_id=True, command="second")
    worker = sole(tape)
    assert (verdict(worker), worker.reopened, worker.counted_id, plain(worker.command)) == (NEVER, 0, True, "second")
    tape.enqueue("bash_1", notice="late", tool_use_id="t1")  # still of the first
    assert verdict(sole(tape)) == NEVER
    tape.end("bash_1", notice="own", tool_use_id="t2")
    assert verdict(sole(tape)) == (REPORTED, "completed", DELIVERED)


@pytest.mark.parametrize(("kind", "counted"), [(SHELL, False), (SHELL, True), (WORKFLOW, False), (WorkerKind.AGENT, True)])
def test_only_an_agent_of_an_id_of_its_own_is_reopened_by_a_second_launch(kind: WorkerKind, counted: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape = Tape()
    for call in ("t1", "t2"):
        tape.launch("x1", call, kind, counted_id=counted, description=f"of {call}")
    worker = sole(tape)
    assert (worker.reopened, plain(worker.description)) == (0, "of t2")


# -- all agents stopped


def test_all_agents_stopped_ends_the_agents_that_were_outstanding_and_nobody_else() -> None:
    tape = Tape()
    tape.launch("done", "t1")
    tape.launch("open", "t2")
    tape.launch("b1", "t3", SHELL)
    tape.end("done")
    kill = tape.kill()
    tape.launch("late", "t4")
    found = workers_of(tape)
    assert verdict(found["done"]) == (REPORTED, "completed", DELIVERED)
    assert (verdict(found["open"]), found["open"].end) == ((FAILED, "killed", STOPPED), kill.stamp)
    assert verdict(found["b1"]) == NEVER
    assert verdict(found["late"]) == NEVER


def test_a_notice_after_the_kill_does_not_undo_it_and_a_revival_does() -> None:
    tape = launched()
    tape.kill()
    tape.end("a1", "killed")
    assert verdict(sole(tape)) == (FAILED, "killed", STOPPED)
    revive(tape)
    assert verdict(sole(tape)) == NEVER
    tape.kill()
    assert verdict(sole(tape)) == (FAILED, "killed", STOPPED)


def test_a_kill_reaches_agents_of_agents_by_time() -> None:
    main, helper = Tape(), helper_tape("a1")
    main.kill()
    main.wait(10)
    helper.wait(5)
    helper.launch("a2", "t2")
    second = main.kill()
    helper.wait(60)
    helper.launch("a3", "t3")
    found = workers_of(main, helper)
    assert (verdict(found["a2"]), found["a2"].end) == ((FAILED, "killed", STOPPED), second.stamp)
    assert verdict(found["a3"]) == NEVER


def test_the_first_kill_after_a_launch_is_found_though_the_clock_stepped() -> None:
    """For a launch in another file only times can tell; the answer is that of asking every kill in turn."""
    main, helper = Tape(), helper_tape("a1")
    for seconds in (10, -30, 5, 40, -20, 60):
        main.wait(seconds)
        main.kill()
    kills = feed(main).book.kills
    for seconds in range(-40, 120, 3):
        helper = helper_tape("a1")
        helper.wait(seconds)
        launch = helper.launch("a2", "t2")
        expected = next((kill.stamp for kill in kills if is_before(launch.stamp, kill.stamp)), None)
        assert sole(main, helper).end == expected


def test_a_kill_without_a_time_reaches_its_own_file_alone() -> None:
    main, helper = launched(), helper_tape("a1")
    helper.launch("a2", "t2")
    main.add(KillAll(stamp=Stamp(source=MAIN, line=9), kind=WorkerKind.AGENT))
    found = workers_of(main, helper)
    assert (found["a1"].state, found["a2"].state) == (FAILED, OPEN)


def test_a_launch_without_a_time_is_reached_by_no_kill_of_another_file() -> None:
    main, helper = Tape(), helper_tape("a1")
    main.kill()
    helper.add(
        Launch(stamp=Stamp(source=helper.stamp().source, line=1), kind=WorkerKind.AGENT, habitat=Habitat.IN_PROCESS, worker_id=Raw("a2"))
    )
    assert verdict(sole(main, helper)) == NEVER


# -- foreground


def test_a_foreground_call_without_result_died_in_flight() -> None:
    tape = Tape()
    call = tape.spawn("t1", prompt="Do it.", description="piece", subagent_type="reviewer")
    worker = sole(tape)
    assert (verdict(worker), worker.foreground, worker.kind) == (NEVER, True, WorkerKind.AGENT)
    assert (worker.worker_id, plain(worker.tool_use_id), worker.launch) == (None, "t1", call.stamp)
    assert [plain(text) for text in (worker.prompt, worker.description, worker.subagent_type)] == ["Do it.", "piece", "reviewer"]


def test_a_foreground_call_with_a_lost_result_died_in_flight() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.result("t1", lost=True)
    worker = sole(tape)
    assert (verdict(worker), worker.foreground) == (NEVER, True)


def test_a_finished_foreground_call_is_not_listed() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.link("t1", "a1")
    tape.result("t1")
    assert workers_of(tape) == {}


def test_a_launched_call_is_no_foreground_call() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.launch("a1", "t1")
    tape.result("t1")
    assert sole(tape).foreground is False


@pytest.mark.parametrize("link_first", [True, False])
def test_progress_or_a_sidecar_gives_a_foreground_call_its_agent_id(link_first: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape = Tape()
    if link_first:
        tape.link("t1", "a1")
    tape.spawn("t1")
    if not link_first:
        tape.link("t1", "a1")
    worker = sole(tape)
    assert (plain(worker.worker_id), plain(worker.tool_use_id), worker.foreground) == ("a1", "t1", True)


def test_a_notice_that_names_both_ids_ends_a_foreground_call_that_lost_its_receipt() -> None:
    tape = Tape()
    tape.spawn("t1", prompt="Do it.")
    tape.end("a1", tool_use_id="t1")
    worker = sole(tape)
    assert (plain(worker.worker_id), verdict(worker), plain(worker.prompt)) == ("a1", (REPORTED, "completed", DELIVERED), "Do it.")


def test_a_lost_track_notice_that_names_both_ids_is_about_the_foreground_call() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.mention("a1", tool_use_id="t1", notice=True, lost_track=True)
    worker = sole(tape)
    assert (plain(worker.worker_id), verdict(worker), worker.lost_track, worker.launch_missing) == ("a1", NEVER, True, False)


def test_a_resume_in_the_foreground_reopens_its_target_and_dies_in_flight() -> None:
    tape = launched()
    tape.end("a1")
    tape.spawn("t2", target="a1", prompt="the rest")
    worker = sole(tape)
    assert (verdict(worker), worker.reopened, worker.foreground) == (NEVER, 1, True)
    assert [plain(text) for text in (worker.worker_id, worker.prompt)] == ["a1", "Do a1."]


def test_a_foreground_agent_revived_in_the_background_is_told_by_its_latest_launch() -> None:
    tape = Tape()
    tape.spawn("t1", prompt="Do it.")
    tape.link("t1", "a1")
    tape.result("t1", lost=True)
    revive(tape)
    worker = sole(tape)
    assert (worker.foreground, worker.reopened, plain(worker.prompt), plain(worker.tool_use_id)) == (False, 1, "Do it.", "t2")


# -- order, and who launched whom


def test_workers_stand_in_launch_order_across_files_and_forms() -> None:
    main, helper = Tape(), helper_tape("b")
    main.spawn("t1")
    main.launch("b", "t2")
    main.wait(10)
    main.launch("d", "t4")
    main.end("no launch")
    helper.wait(5)
    helper.launch("c", "t3")
    assert list(workers_of(main, helper)) == ["t1", "b", "c", "d", "no launch"]


def test_workers_launched_inside_a_helper_name_it_and_report_to_the_session() -> None:
    main, first, second = launched(), helper_tape("a1"), helper_tape("a2", 2)
    first.wait(5)
    first.launch("a2", "t2")
    second.wait(10)
    second.launch("b3", "t3", SHELL)
    main.wait(60)
    main.end("b3")
    found = workers_of(main, first, second)
    assert [(name, plain(worker.parent_worker_id)) for name, worker in found.items()] == [("a1", None), ("a2", "a1"), ("b3", "a2")]
    assert [worker.state for worker in found.values()] == [OPEN, OPEN, REPORTED]


def test_a_launch_on_a_sidechain_of_the_main_file_names_its_helper() -> None:
    tape = Tape(sidechain=True, actor=Raw("a1"))
    tape.launch("b1", "t1", SHELL)
    assert plain(sole(tape).parent_worker_id) == "a1"
    main = Tape(actor=Raw("a1"))
    main.launch("b1", "t1", SHELL)
    assert sole(main).parent_worker_id is None


# -- copied history


@pytest.mark.parametrize("fields", [{"copied_from": Raw("older")}, {"session_id": Raw("older")}])
def test_a_worker_of_copied_history_belongs_to_the_other_session(fields: dict[str, Any]) -> None:
    tape = Tape(**fields)
    tape.call("t1", "Agent")
    tape.launch("a1", "t1")
    tape.spawn("t2")
    tape.end("a2")
    tape.mention("a3", notice=True)
    assert workers_of(tape) == {}


@pytest.mark.parametrize("fields", [{"copied_from": Raw("older")}, {"session_id": Raw("older")}])
@pytest.mark.parametrize("naming", ["end", "mention", "revival"])
def test_it_is_listed_if_an_own_record_names_it_and_its_prompt_comes_from_the_copy(fields: dict[str, Any], naming: str) -> None:
    tape = Tape(**fields)
    tape.call("t1", "Agent", prompt="Do it.")
    tape.launch("a1", "t1")
    tape.launch("a2", "t2")
    tape.set(copied_from=None, session_id=Raw(OWN))
    if naming == "end":
        tape.end("a1")
    elif naming == "mention":
        tape.mention("a1")
    else:
        revive(tape)
    worker = sole(tape)
    assert [plain(text) for text in (worker.worker_id, worker.prompt, worker.copied_from)] == ["a1", "Do it.", "older"]


def test_an_end_of_the_copy_counts_for_a_worker_that_an_own_record_names() -> None:
    tape = Tape(copied_from=Raw("older"))
    tape.launch("a1", "t1")
    tape.end("a1", "failed")
    tape.set(copied_from=None)
    tape.mention("a1", notice=True, lost_track=True)
    worker = sole(tape)
    assert (verdict(worker), worker.lost_track) == ((FAILED, "failed", DELIVERED), False)


def test_records_without_a_session_id_and_records_of_helpers_are_own() -> None:
    tape, helper = Tape(session_id=None), helper_tape("a1", session_id=Raw("older"))
    tape.launch("a1", "t1")
    helper.launch("a2", "t2")
    found = workers_of(tape, helper)
    assert [(name, worker.copied_from) for name, worker in found.items()] == [("a1", None), ("a2", None)]


def test_where_the_session_has_no_id_every_record_is_its_own() -> None:
    tape = Tape(session_id=Raw("older"))
    tape.launch("a1", "t1")
    assert list(workers_of(tape, own=None)) == ["a1"]


# -- what has no launch


def test_a_notice_without_a_launch_is_listed_with_launch_missing() -> None:
    tape = Tape()
    tape.end("b9", "failed", kind=SHELL, tool_use_id="t9", summary="it broke")
    worker = sole(tape)
    assert (worker.launch_missing, worker.kind, worker.launch, worker.spawned_at) == (True, SHELL, None, None)
    assert (plain(worker.worker_id), plain(worker.tool_use_id), verdict(worker)) == ("b9", "t9", (FAILED, "failed", DELIVERED))


def test_a_notice_with_the_call_alone_has_no_worker_id() -> None:
    tape = Tape()
    tape.end(None, tool_use_id="t9")
    worker = sole(tape)
    assert (worker.worker_id, plain(worker.tool_use_id), worker.kind) == (None, "t9", WorkerKind.AGENT)


def test_two_notices_of_one_unknown_worker_are_one_though_one_names_the_call_alone() -> None:
    tape = Tape()
    tape.enqueue("a9", tool_use_id="t9")
    tape.end(None, "failed", tool_use_id="t9")
    worker = sole(tape)
    assert (plain(worker.worker_id), verdict(worker)) == ("a9", (FAILED, "failed", DELIVERED))


def test_a_lost_track_notice_without_a_launch_is_listed_unreported() -> None:
    tape = Tape()
    tape.mention("w9", notice=True, lost_track=True, kind=WORKFLOW)
    worker = sole(tape)
    assert (verdict(worker), worker.lost_track, worker.launch_missing, worker.kind) == (NEVER, True, True, WORKFLOW)


def test_polls_and_stops_of_an_unknown_id_list_nobody() -> None:
    tape = Tape()
    tape.poll("a9")
    tape.stop("a8")
    tape.mention("a7")
    assert workers_of(tape) == {}


def test_a_record_that_says_running_launches_an_id_that_is_launched_nowhere_else() -> None:
    tape = Tape()
    said = tape.mention("b9", registers=True, kind=SHELL, description="the build")
    worker = sole(tape)
    assert (verdict(worker), worker.launch_missing, worker.kind) == (NEVER, False, SHELL)
    assert (plain(worker.description), worker.spawned_at, worker.launch) == ("the build", said.stamp.at, said.stamp)
    tape.end("b9")
    assert sole(tape).state is REPORTED


def test_a_record_that_says_running_does_not_launch_a_known_worker_again() -> None:
    tape = launched()
    tape.end("a1")
    tape.mention("a1", registers=True, description="other words")
    worker = sole(tape)
    assert (worker.state, worker.reopened, plain(worker.description)) == (REPORTED, 0, "piece")


# -- teammates and workflows


def test_a_teammate_is_found_by_the_name_that_messages_call_it() -> None:
    tape = Tape()
    tape.launch("scout@harbor", "t1", TEAMMATE, alias="scout")
    tape.mention("scout", kind=TEAMMATE)
    assert verdict(sole(tape)) == NEVER
    tape.end("scout", "completed", kind=TEAMMATE)
    worker = sole(tape)
    assert (plain(worker.worker_id), verdict(worker)) == ("scout@harbor", (REPORTED, "completed", DELIVERED))


def test_a_worker_whose_id_is_another_ones_name_keeps_its_own_ends() -> None:
    tape = Tape()
    tape.launch("scout@harbor", "t1", TEAMMATE, alias="scout")
    tape.launch("scout", "t2")
    tape.end("scout")
    assert {name: worker.state for name, worker in workers_of(tape).items()} == {"scout@harbor": OPEN, "scout": REPORTED}


@pytest.mark.parametrize("by_receipt", [True, False])
def test_a_workflow_continued_by_a_later_one_names_its_successor(by_receipt: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape = Tape()
    tape.call("t1", "Workflow")
    tape.launch("w1", "t1", WORKFLOW, run_id="wf_1")
    tape.call("t2", "Workflow", target=None if by_receipt else "wf_1")
    tape.launch("w2", "t2", WORKFLOW, run_id="wf_1" if by_receipt else "wf_2")
    found = workers_of(tape)
    assert (plain(found["w1"].superseded_by), found["w2"].superseded_by) == ("w2", None)


def test_workflows_of_other_runs_and_runs_of_other_kinds_supersede_nothing() -> None:
    tape = Tape()
    tape.launch("w1", "t1", WORKFLOW, run_id="wf_1")
    tape.launch("w2", "t2", WORKFLOW, run_id="wf_2")
    tape.launch("w3", "t3", WORKFLOW)
    tape.launch("a1", "t4", run_id="wf_1")
    assert [worker.superseded_by for worker in workers_of(tape).values()] == [None] * 4


# -- delivery


def delivery(tape: Tape) -> Delivery:
    return sole(tape).delivery


def test_the_strongest_way_in_which_the_end_is_known() -> None:
    tape = launched()
    assert delivery(tape) is NONE
    tape.enqueue("a1")
    assert delivery(tape) is QUEUED
    tape.poll("a1")
    assert delivery(tape) is FETCHED
    tape.end("a1")
    assert delivery(tape) is DELIVERED
    tape.stop("a1")
    assert delivery(tape) is STOPPED


OLD, NEW = (2, 1, 89), TRACED


@pytest.mark.parametrize(
    ("version", "moves", "expected"),
    [
        (OLD, [], QUEUED),
        (OLD, [(QueueStep.DEQUEUE, None, False)], DELIVERED),
        (OLD, [(QueueStep.REMOVE, None, False)], DELIVERED),
        (OLD, [(QueueStep.REMOVE, "a1 completed ", False)], DELIVERED),
        (OLD, [(QueueStep.POP_ALL, None, False)], DELIVERED),
        (NEW, [(QueueStep.DEQUEUE, None, False)], QUEUED),
        (NEW, [(QueueStep.REMOVE, "a1 completed ", False)], QUEUED),
        (NEW, [(QueueStep.POP_ALL, None, False)], QUEUED),
        (NEW, [(QueueStep.REMOVE, "a1 completed ", True)], DELIVERED),
        (NEW, [(QueueStep.REMOVE, None, True)], DELIVERED),
        ((), [(QueueStep.DEQUEUE, None, False)], DELIVERED),
    ],
)
def test_what_the_queue_tells(version: tuple[int, ...], moves: list[tuple[QueueStep, str | None, bool]], expected: Delivery) -> None:
    tape = Tape(version=version)
    tape.launch("a1", "t1")
    tape.set(version=())  # records of the queue name no version
    tape.enqueue("a1")
    for step, content, told in moves:
        tape.move(step, content, told=told)
    worker = sole(tape)
    assert verdict(worker) == (REPORTED, "completed", expected)


def test_first_in_first_out_a_message_typed_before_leaves_before() -> None:
    tape = Tape(version=OLD)
    tape.launch("a1", "t1")
    tape.move(QueueStep.ENQUEUE, "typed by a person")
    tape.enqueue("a1")
    tape.move(QueueStep.DEQUEUE)
    assert delivery(tape) is QUEUED
    tape.move(QueueStep.DEQUEUE)
    assert delivery(tape) is DELIVERED


def test_a_notice_that_only_the_queue_of_another_file_tells_is_queued() -> None:
    """The queue that is followed is the session's own; another file's lines mean nothing in it."""
    main, helper = launched(), helper_tape("a1")
    helper.launch("b2", "t2", SHELL)
    helper.enqueue("b2")
    later = Tape(Source(path=Path("/store/-work/s2.jsonl"), order=2, later=True), session_id=Raw("s2"))
    later.wait(600)
    later.enqueue("a1")
    found = workers_of(main, helper, later)
    assert (verdict(found["a1"]), verdict(found["b2"])) == ((REPORTED, "completed", QUEUED), (REPORTED, "completed", QUEUED))


def test_an_end_that_a_later_session_recorded_counts_and_names_its_file() -> None:
    main = launched()
    later = Tape(Source(path=Path("/store/-work/s2.jsonl"), order=2, later=True), session_id=Raw("s2"))
    later.wait(600)
    end = later.end("a1", "failed")
    worker = sole(main, later)
    assert (verdict(worker), worker.end) == ((FAILED, "failed", DELIVERED), end.stamp)


def test_an_old_end_that_a_later_session_repeats_does_not_end_the_revived_run() -> None:
    main = launched()
    main.poll("a1")
    main.wait(100)
    revive(main)
    later = Tape(Source(path=Path("/store/-work/s2.jsonl"), order=2, later=True), session_id=Raw("s2"))
    later.poll("a1")
    assert verdict(sole(main, later)) == NEVER


# -- work


def crowd(count: int) -> Tape:
    """So many agents, every third ended, every fifth revived, and as many kills as agents."""
    tape = Tape()
    for number in range(count):
        tape.launch(f"a{number}", f"t{number}")
        if number % 3 == 0:
            tape.end(f"a{number}")
        if number % 5 == 0:
            tape.launch(f"a{number}", f"r{number}", revival=True)
        tape.kill()
    return tape


def comparisons(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often two stamps are compared while the main file's crowd and as many agents of a helper are joined."""
    asked = [0]

    def counting(one: Stamp, other: Stamp) -> bool:
        asked[0] += 1
        return is_before(one, other)

    monkeypatch.setattr(module, "is_before", counting)
    helper = helper_tape("a0")
    for number in range(count):
        helper.launch(f"n{number}", f"nt{number}")
    found = join_tapes(crowd(count), helper).workers
    assert len(found) == 2 * count
    return asked[0]


def test_joining_5_000_workers_with_kills_and_ends_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = comparisons(2_500, monkeypatch), comparisons(5_000, monkeypatch)
    assert large <= 2.1 * small
    assert large < 5 * 5_000


def test_a_kill_ends_each_of_the_crowd_that_was_outstanding() -> None:
    found = workers_of(crowd(30))
    killed = [name for name, worker in found.items() if worker.delivery is STOPPED]
    assert len(found) == 30
    assert [name for name in found if name not in killed] == ["a3", "a6", "a9", "a12", "a18", "a21", "a24", "a27"]


def test_a_launch_without_an_id_is_listed_by_its_tool_call_and_ended_by_it() -> None:
    tape = Tape()
    tape.launch(None, "t1")
    tape.launch(None, "t2")
    tape.end(None, tool_use_id="t2")
    first, second = workers_of(tape).values()
    assert (first.worker_id, first.tool_use_id, first.state) == (None, Raw("t1"), WorkerState.UNREPORTED)
    assert (second.worker_id, second.tool_use_id, second.state) == (None, Raw("t2"), WorkerState.REPORTED)
