"""Every row of the measurement table, on corpora that are built for it row by row, so that what is true of them is known."""

from datetime import timedelta
from pathlib import Path

import pytest

from flow.builders import S1, S2, S3, START, Transcript, helper, helper_path, notice
from flow.corpora import count_corpus, count_exactly, shares, sweep_serially
from resume_forensics.errors import UnreadableFile, WrongUse
from resume_forensics.flow.sweep import choose_engine, find_own_root, plan_sweep, run_sweep

OVERLOAD = 'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


def begin(session: str = S1, **common: object) -> Transcript:
    """A session that has begun: a person asked for something."""
    transcript = Transcript(session, **common)  # type: ignore[arg-type]
    transcript.human("build the shop")
    return transcript


def resume(transcript: Transcript, text: str = "resume", **more: object) -> None:
    """A person asks to go on."""
    transcript.human(text, **more)


# -- what is counted at all


def test_transcripts_records_bytes_and_bad_lines_are_those_of_sessions(tmp_path: Path) -> None:
    one = begin()
    one.add_line("{not json")
    main = one.write(tmp_path)
    helper("a1").write_to(helper_path(main, "a1"))
    two = begin(S2)
    two.answer()
    other = two.write(tmp_path)
    document = count_corpus(tmp_path)
    exact = document["exact"]
    assert (exact["transcripts"], exact["records"], exact["unparsable_records"]) == (2, 3, 1)
    assert exact["bytes"] == main.stat().st_size + other.stat().st_size
    assert document["seed"]["files_scanned"] == 3


def test_a_line_without_its_newline_counts(tmp_path: Path) -> None:
    path = begin().write(tmp_path)
    resuming = Transcript(S1)
    resuming.human("resume")
    path.write_bytes(path.read_bytes() + resuming.lines[0])
    exact = count_exactly(tmp_path)
    assert (exact["records"], exact["resume_turns"]) == (2, 1)


def test_copies_of_a_session_count_once_the_fullest_of_them(tmp_path: Path) -> None:
    full = begin()
    resume(full)
    full.answer()
    full.write(tmp_path)
    half = begin()
    half.write(tmp_path, "-elsewhere")
    full.write(tmp_path, "-backup", name=f"{S1}.sync-conflict-20260101-000000-ABCDEFG")
    exact = count_exactly(tmp_path)
    assert (exact["transcripts"], exact["records"], exact["resume_turns"], exact["copies"]) == (1, 3, 1, 1)


def test_history_that_a_fork_copied_counts_in_the_session_it_comes_from(tmp_path: Path) -> None:
    first = begin()
    resume(first)
    first.answer()
    first.write(tmp_path)
    fork = Transcript(S2, at=first.at)
    fork.human("build the shop", forkedFrom={"sessionId": S1, "messageUuid": "u"})
    fork.human("resume", forkedFrom={"sessionId": S1, "messageUuid": "v"})
    fork.agent("a1f", "toolu_1")
    fork.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert (exact["transcripts"], exact["resume_turns"]) == (2, 1)
    assert exact["workers"]["agent"]["launched"] == 1


def test_checkpoints_cut_at_commit_time_are_counted_apart(tmp_path: Path) -> None:
    cut = begin()
    resume(cut)
    cut.write_to(tmp_path / "0b" / "9f2ac6f3aa" / "2" / "full.jsonl")
    document = count_corpus(tmp_path)
    assert (document["exact"]["transcripts"], document["exact"]["resume_turns"], document["exact"]["checkpoint_files"]) == (0, 0, 1)
    assert document["seed"]["resume_turns"] == 1


def test_files_that_are_no_session_count_for_the_seed_alone(tmp_path: Path) -> None:
    main = begin().write(tmp_path)
    typed = begin()
    resume(typed)
    typed.write_to(main.with_suffix("") / "resume-head.jsonl")
    typed.write_to(tmp_path / "history.jsonl")
    typed.write_to(main.with_name("agent-a1.jsonl"))
    document = count_corpus(tmp_path)
    assert (document["exact"]["transcripts"], document["exact"]["resume_turns"]) == (1, 0)
    assert (document["seed"]["files_scanned"], document["seed"]["resume_turns"]) == (4, 3)


def test_a_file_that_cannot_be_read_is_named_and_the_sweep_goes_on(tmp_path: Path) -> None:
    begin().write(tmp_path)
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    exact = count_exactly(tmp_path)
    assert exact["unreadable_files"] == [str(tmp_path / "gone.jsonl")]
    assert exact["transcripts"] == 1


# -- which turns are counted


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("resume", True),
        ("Continue from where we left off, please", True),
        ("continue until all are done", True),
        ("resume the paused deployment", False),
        ("continue the sentence in that draft", False),
        ("and resume", False),
    ],
)
def test_forms_and_near_misses(tmp_path: Path, text: str, *, counts: bool) -> None:
    transcript = begin()
    resume(transcript, text)
    transcript.write(tmp_path)
    assert count_exactly(tmp_path)["resume_turns"] == int(counts)


@pytest.mark.parametrize("text", ["\n\t resume", "\u00a0\u2003resume", "RESUME", "rEsUmE", "/resume", "\u001fresume"])
def test_every_spelling_is_found_without_decoding_all(tmp_path: Path, text: str) -> None:
    transcript = begin()
    resume(transcript, text)
    transcript.write(tmp_path)
    document = count_corpus(tmp_path)
    assert (document["exact"]["resume_turns"], document["seed"]["resume_turns"]) == (1, 1)


def test_a_turn_may_be_spread_over_blocks(tmp_path: Path) -> None:
    transcript = begin()
    blocks = [{"type": "text", "text": part} for part in ("keep", "going")]
    transcript.add("user", message={"role": "user", "content": blocks})
    transcript.write(tmp_path)
    document = count_corpus(tmp_path)
    assert (document["exact"]["resume_turns"], document["seed"]["resume_turns"]) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Continue from where you left off.",
        "I hit my usage limit while you were working, but it has reset now. Please continue.",
        "My computer went to sleep while you were working. Please continue.",
        "This session's worker process was restarted. Continue.",
    ],
)
def test_turns_that_the_harness_typed_are_counted_apart(tmp_path: Path, text: str) -> None:
    transcript = begin()
    resume(transcript, text, isMeta=True)
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert (exact["resume_turns"], exact["auto_continuations"]) == (0, 1)


def test_a_continuation_is_known_by_its_origin_too(tmp_path: Path) -> None:
    transcript = begin()
    transcript.human("whatever it says", origin={"kind": "auto-continuation"})
    transcript.write(tmp_path)
    assert count_exactly(tmp_path)["auto_continuations"] == 1


def test_turns_of_helpers_inside_a_main_file_are_none(tmp_path: Path) -> None:
    transcript = begin()
    resume(transcript, isSidechain=True)
    transcript.write(tmp_path)
    assert count_exactly(tmp_path)["resume_turns"] == 0


def test_bare_turns_and_surface_forms(tmp_path: Path) -> None:
    transcript = begin()
    for text in ("resume", "Resume.", "resume please", "continue"):
        resume(transcript, text)
        transcript.answer()
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert exact["resume_turns"] == 4
    assert shares(exact["bare_resume"]) == (2, 4)
    assert exact["surface_forms"] == 3


# -- what stood before a turn


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (OVERLOAD, "api_overload"),
        ("API Error: Connection error.", "network"),
        ("Login expired · Please run /login", "auth_expired"),
        ("You've hit your session limit · resets 3pm", "usage_limit"),
        ("API Error: something new", "api_error_unclassified"),
    ],
)
def test_a_turn_is_preceded_by_what_stopped_the_file_cut_there(tmp_path: Path, error: str, cause: str) -> None:
    transcript = begin()
    transcript.error(error)
    resume(transcript)
    transcript.error("Prompt is too long")
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert {name: n for name, n in exact["preceded_by"].items() if n} == {cause: 1}


def test_an_error_that_was_survived_precedes_nothing(tmp_path: Path) -> None:
    transcript = begin()
    transcript.error(OVERLOAD)
    transcript.human("try again")
    transcript.answer("built")
    resume(transcript)
    transcript.write(tmp_path)
    assert count_exactly(tmp_path)["preceded_by"]["clean_or_unknown"] == 1


def test_workers_in_flight_are_those_launched_and_not_ended_at_the_turn(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    transcript.agent("a2", "toolu_2")
    transcript.shell("b1", "toolu_3")
    transcript.human(notice("a1"))
    resume(transcript)
    transcript.human(notice("a2"))
    transcript.agent("a3", "toolu_4")
    resume(transcript, "continue")
    transcript.human(notice("b1"))
    transcript.human(notice("a3"))
    resume(transcript, "go on")
    transcript.write(tmp_path)
    in_flight = count_exactly(tmp_path)["in_flight"]
    assert shares(in_flight["turns"]) == (2, 3)
    assert {kind: n for kind, n in in_flight["workers"].items() if n} == {"agent": 2, "background-shell": 2}


def test_seconds_to_resume_run_from_the_last_record_before_the_turn(tmp_path: Path) -> None:
    for session, minutes in ((S1, 1), (S2, 2), (S3, 9)):
        transcript = begin(session, cwd=f"/work/{session}")
        transcript.answer()
        transcript.remark("last-prompt", lastPrompt="resume")
        transcript.at += timedelta(minutes=minutes, seconds=-1)
        resume(transcript)
        transcript.write(tmp_path)
    assert count_exactly(tmp_path)["seconds_to_resume"] == {"n": 3, "q1": 90.0, "median": 120.0, "q3": 330.0}


def test_a_turn_that_opens_its_file_resumes_the_newest_earlier_session_of_the_directory(tmp_path: Path) -> None:
    old = begin(S1)
    old.agent("a0", "toolu_0")
    old.write(tmp_path)
    died = begin(S2, at=old.at + timedelta(minutes=5))
    died.agent("a1", "toolu_1")
    died.shell("b1", "toolu_2")
    died.human(notice("b1"))
    died.write(tmp_path)
    elsewhere = begin(S3, at=died.at, cwd="/work/other")
    elsewhere.shell("b2", "toolu_3")
    elsewhere.write(tmp_path)
    fresh = Transcript("44444444-0a43-4f6e-9f0e-6f2f6f1a7c11", at=died.at + timedelta(minutes=30, seconds=-1))
    resume(fresh)
    fresh.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert exact["seconds_to_resume"] == {"n": 1, "q1": 1800.0, "median": 1800.0, "q3": 1800.0}
    assert shares(exact["in_flight"]["turns"]) == (1, 1)
    assert {kind: n for kind, n in exact["in_flight"]["workers"].items() if n} == {"agent": 1}
    assert exact["preceded_by"]["clean_or_unknown"] == 1


def test_a_turn_that_opens_its_file_and_resumes_nothing_known_has_no_silence(tmp_path: Path) -> None:
    fresh = Transcript(S1)
    resume(fresh)
    fresh.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert exact["seconds_to_resume"] == {"n": 0, "q1": None, "median": None, "q3": None}
    assert shares(exact["in_flight"]["turns"]) == (0, 1)


# -- what came after a turn


def after_resume(tmp_path: Path, *, launched: bool = True) -> Transcript:
    """A session whose worker died, and that was asked to go on."""
    del tmp_path
    transcript = begin()
    if launched:
        transcript.agent("a1", "toolu_1")
        transcript.error(OVERLOAD)
    resume(transcript)
    return transcript


def test_a_launch_afterwards_is_a_respawn(tmp_path: Path) -> None:
    transcript = after_resume(tmp_path)
    for number in range(200):
        transcript.call(f"toolu_r{number}", "Read", file_path="/work/x")
        transcript.result(f"toolu_r{number}")
    transcript.agent("a2", "toolu_2")
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert shares(exact["respawned_after"]) == (1, 1)
    assert shares(exact["no_tool_calls"]) == (0, 1)


def test_a_launch_behind_the_next_human_turn_is_none(tmp_path: Path) -> None:
    transcript = after_resume(tmp_path)
    transcript.answer("I shall.")
    transcript.human("do it")
    transcript.agent("a2", "toolu_2")
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert shares(exact["respawned_after"]) == (0, 1)
    assert shares(exact["no_tool_calls"]) == (1, 1)


def test_a_foreground_agent_afterwards_is_a_respawn(tmp_path: Path) -> None:
    transcript = after_resume(tmp_path)
    transcript.call("toolu_2", "Task", prompt="Do a1.", description="piece")
    transcript.result("toolu_2", "done")
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["respawned_after"]) == (1, 1)


@pytest.mark.parametrize(
    ("tool", "asked"),
    [("TaskOutput", {"task_id": "a1"}), ("SendMessage", {"to": "a1", "message": "go on"}), ("TaskStop", {"task_id": "a1"})],
)
def test_a_poll_a_message_or_a_stop_of_a_worker_queries_it(tmp_path: Path, tool: str, asked: dict[str, str]) -> None:
    transcript = after_resume(tmp_path)
    transcript.call("toolu_2", tool, **asked)
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["queried_workers"]) == (1, 1)


@pytest.mark.parametrize(("tool", "asked"), [("TaskOutput", {"task_id": "b9"}), ("Read", {"file_path": "a1"})])
def test_a_poll_of_somebody_else_queries_nobody(tmp_path: Path, tool: str, asked: dict[str, str]) -> None:
    transcript = after_resume(tmp_path)
    transcript.call("toolu_2", tool, **asked)
    transcript.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert shares(exact["queried_workers"]) == (0, 1)
    assert shares(exact["no_tool_calls"]) == (0, 1)


@pytest.mark.parametrize("restored", [True, False])
def test_a_death_that_is_acknowledged_was_restored_or_not(tmp_path: Path, *, restored: bool) -> None:
    transcript = after_resume(tmp_path)
    transcript.answer("The reviewer died on the limit.", stop="tool_use")
    if restored:
        transcript.agent("a2", "toolu_2")
    transcript.write(tmp_path)
    acknowledged = count_exactly(tmp_path)["acknowledged_death"]
    assert shares(acknowledged["restored"]) == (int(restored), 1)
    assert shares(acknowledged["not_restored"]) == (int(not restored), 1)


def test_typed_again_is_the_next_human_turn_alone(tmp_path: Path) -> None:
    transcript = after_resume(tmp_path)
    transcript.answer()
    resume(transcript, "continue please")
    transcript.answer()
    transcript.human("what is left?")
    resume(transcript)
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["retyped"]) == (1, 3)


def test_a_notice_behind_a_turn_does_not_end_what_comes_after_it(tmp_path: Path) -> None:
    transcript = after_resume(tmp_path)
    transcript.human(notice("a1"))
    transcript.agent("a2", "toolu_2")
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["respawned_after"]) == (1, 1)


# -- workers


def test_workers_by_kind_and_fate(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    transcript.agent("a2", "toolu_2")
    transcript.shell("b1", "toolu_3")
    transcript.workflow("w1", "toolu_4", "wf_1")
    transcript.human(notice("a1"))
    transcript.human(notice("b1", "failed"))
    transcript.human(notice("a9"))
    transcript.write(tmp_path)
    workers = count_exactly(tmp_path)["workers"]
    assert workers["agent"] == {"launched": 2, "reported": 1, "reported_failed": 0, "unreported": 1, "launch_missing": 1}
    assert workers["background-shell"] == {"launched": 1, "reported": 0, "reported_failed": 1, "unreported": 0, "launch_missing": 0}
    assert workers["workflow"]["unreported"] == 1
    assert workers["monitor"]["launched"] == 0


def test_workers_of_workers_belong_to_the_session(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    main = transcript.write(tmp_path)
    own = helper("a1")
    own.shell("b1", "toolu_9")
    own.write_to(helper_path(main, "a1"))
    assert count_exactly(tmp_path)["workers"]["background-shell"]["launched"] == 1


def test_reported_to_the_queue_and_never_delivered(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    transcript.agent("a2", "toolu_2")
    transcript.enqueue(notice("a1"))
    transcript.human(notice("a2"))
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["queued_never_delivered"]) == (1, 2)


def again(transcript: Transcript, worker: str, call: str, work: str) -> None:
    """The same work is launched under another id."""
    prompt = f"Do {work}."
    transcript.call(call, "Agent", description="piece", prompt=prompt)
    structured = {"status": "async_launched", "isAsync": True, "agentId": worker, "prompt": prompt}
    transcript.result(call, f"Async agent launched successfully.\nagentId: {worker} (internal ID)", structured)


def test_finished_work_that_is_launched_again_in_the_session_is_redone(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    again(transcript, "a2", "toolu_2", "a1")  # while the first one still works
    transcript.human(notice("a1"))
    transcript.human(notice("a2"))
    again(transcript, "a3", "toolu_3", "a1")
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["redone_though_finished"]) == (2, 2)


def test_work_that_failed_or_never_ended_is_not_redone(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    transcript.agent("a2", "toolu_2")
    transcript.human(notice("a1", "failed"))
    again(transcript, "a3", "toolu_3", "a1")
    again(transcript, "a4", "toolu_4", "a2")
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["redone_though_finished"]) == (0, 0)


@pytest.mark.parametrize(("between", "redone"), [(False, 1), (True, 0)])
def test_finished_work_that_the_next_session_launches_again_is_redone(tmp_path: Path, *, between: bool, redone: int) -> None:
    first = begin(S1)
    first.agent("a1", "toolu_1")
    first.human(notice("a1"))
    first.write(tmp_path)
    if between:
        begin(S3, at=first.at + timedelta(minutes=1)).write(tmp_path)
    second = begin(S2, at=first.at + timedelta(minutes=5))
    again(second, "a7", "toolu_7", "a1")
    second.write(tmp_path)
    assert shares(count_exactly(tmp_path)["redone_though_finished"]) == (redone, 1)


def test_dead_while_the_session_went_on(tmp_path: Path) -> None:
    transcript = begin()
    transcript.agent("a1", "toolu_1")
    transcript.human("how far is it?")
    transcript.answer("It runs.")
    transcript.agent("a2", "toolu_2")
    transcript.human("and now?")
    transcript.error(OVERLOAD)
    transcript.write(tmp_path)
    assert shares(count_exactly(tmp_path)["dead_while_session_went_on"]) == (1, 2)


def test_an_end_that_a_later_session_tells_counts_and_is_no_worker_of_its_own(tmp_path: Path) -> None:
    first = begin(S1)
    first.shell("b12ab34cd", "toolu_1")
    first.write(tmp_path)
    second = begin(S2, at=first.at + timedelta(minutes=5))
    second.human(notice("b12ab34cd"))
    second.write(tmp_path)
    shells = count_exactly(tmp_path)["workers"]["background-shell"]
    assert shells == {"launched": 1, "reported": 1, "reported_failed": 0, "unreported": 0, "launch_missing": 0}


# -- groups


def test_month_and_version_are_those_of_the_last_record(tmp_path: Path) -> None:
    old = begin(S1, version="2.1.99")
    old.common["version"] = "2.1.100"
    old.at = START + timedelta(days=40)
    resume(old)
    old.agent("a1", "toolu_1")
    old.write(tmp_path)
    new = begin(S2, version="2.1.99", cwd="/work/other")
    new.write(tmp_path)
    exact = count_exactly(tmp_path)
    assert list(exact["by_version"]) == ["2.1.99", "2.1.100"]
    assert list(exact["by_month"]) == ["2026-09", "2026-10"]
    group = exact["by_version"]["2.1.100"]
    assert (group["transcripts"], group["records"], group["resume_turns"], group["workers_launched"]) == (1, 4, 1, 1)
    assert shares(group["workers_unreported"]) == (1, 1)
    assert exact["by_month"]["2026-10"] == group


def test_a_session_without_times_and_versions_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "x.jsonl").write_text('{"type":"user","message":{"role":"user","content":"resume"}}\n', encoding="utf-8")
    exact = count_exactly(tmp_path)
    assert (list(exact["by_version"]), list(exact["by_month"]), exact["resume_turns"]) == (["unknown"], ["unknown"], 1)


# -- the sweep itself


def test_the_limit_counts_the_first_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        begin(S1).write_to(tmp_path / name / f"{name}.jsonl")
    assert count_corpus(tmp_path, limit=2)["seed"]["files_scanned"] == 2
    assert [unit.files for unit in plan_sweep([tmp_path], limit=1).units] == [(str(tmp_path / "a" / "a.jsonl"),)]


def test_several_roots_count_each_file_once(tmp_path: Path) -> None:
    begin(S1).write(tmp_path, "one")
    begin(S2).write(tmp_path, "two")
    assert count_corpus(tmp_path, tmp_path / "two")["seed"]["files_scanned"] == 2
    assert count_corpus(tmp_path / "one", tmp_path / "two" / f"{S2}.jsonl")["seed"]["files_scanned"] == 2


def test_a_root_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such folder"):
        plan_sweep([tmp_path / "nowhere"])
    with pytest.raises(WrongUse, match="name one"):
        plan_sweep(find_own_root(None, ()))
    assert find_own_root(tmp_path, ()) == (tmp_path / ".claude" / "projects",)
    assert find_own_root(tmp_path, (("CLAUDE_CONFIG_DIR", "/c"),)) == (Path("/c/projects"),)


def test_an_interrupt_ends_the_sweep_with_what_was_counted(tmp_path: Path) -> None:
    for session in (S1, S2, S3):
        begin(session).write(tmp_path)
    plan = plan_sweep([tmp_path])
    done: list[tuple[int, int]] = []

    def stop_after_two(files: int, size_bytes: int) -> None:
        done.append((files, size_bytes))
        if len(done) == 2:
            raise KeyboardInterrupt

    swept = run_sweep(plan, choose_engine(plan, jobs=1), advance=stop_after_two)
    assert (swept.files, swept.files_found, swept.interrupted) == (2, 3, True)
    assert swept.tally.document()["exact"]["transcripts"] == 2
    assert done == [(1, unit.size_bytes) for unit in plan.units[:2]]


def test_a_whole_sweep_says_so(tmp_path: Path) -> None:
    begin().write(tmp_path)
    swept = sweep_serially(tmp_path)
    assert (swept.files, swept.files_found, swept.interrupted) == (1, 1, False)
