"""What a worker had done, by the events of its own transcript."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from deduce.builders import START, Tape, plain
from resume_forensics.deduce.digest import Window, WorkDone, explain_nothing, sum_up_output
from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact
from resume_forensics.model.report import Digest
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Ended, Missing, Shape, Speaker, StopCause

WINDOW = Window(size_bytes=4_096, records=7, cut=True, age_s=12.5)
Play = Callable[[Tape], object]


def answer(*plays: Play, asked_at: datetime | None = None) -> Digest[Raw]:
    tape, work = Tape(), WorkDone(asked_at)
    for play in plays:
        play(tape)
    for event in tape.events:
        work.see(event)
    return work.answer(WINDOW)


def ask(text: str = "do it") -> Play:
    return lambda tape: tape.turn(Speaker.HUMAN, text)


def say(text: str | None, *, finished: bool = False, calls: bool = False) -> Play:
    return lambda tape: tape.turn(Speaker.ASSISTANT, text, finished=finished, calls=calls)


def use(call: str, tool: str = "Bash", path: str | None = None, *, edits: bool = False) -> Play:
    def play(tape: Tape) -> None:
        tape.call(call, tool, path=path, edits=edits)
        tape.turn(Speaker.ASSISTANT, None, calls=True)

    return play


def result(call: str, *, lost: bool = False) -> Play:
    def play(tape: Tape) -> None:
        tape.result(call, lost=lost)
        tape.turn(Speaker.TOOL)

    return play


def fail(tape: Tape) -> None:
    tape.fault(StopCause.USAGE_LIMIT, "You've hit your limit")


@pytest.mark.parametrize(
    ("plays", "ended"),
    [
        ((ask(), say("the answer", finished=True)), Ended.END_OF_TURN),
        ((ask(), say("words")), Ended.MID_TEXT),
        ((ask(), use("t1")), Ended.MID_TOOL),
        ((ask(), use("t1"), result("t1")), Ended.MID_TOOL),
        ((ask(), use("t1"), result("t1"), say("the answer", finished=True)), Ended.END_OF_TURN),
        ((ask(), say("words"), fail), StopCause.USAGE_LIMIT),
        ((ask(), say("words"), fail, ask("again"), say("the answer", finished=True)), Ended.END_OF_TURN),
        ((ask(), say("the answer", finished=True), ask("now this")), Ended.MID_TEXT),  # asked again, and it did not answer
        ((ask(), say("the answer", finished=True), lambda tape: tape.turn(Speaker.HARNESS, finished=True)), Ended.END_OF_TURN),
        ((ask(), use("t1"), ask("a message in between")), Ended.MID_TOOL),
        ((ask(), say("words"), fail, ask("again")), StopCause.USAGE_LIMIT),
        ((ask(), say("words"), lambda tape: tape.launch("a2", "t2")), Ended.MID_TEXT),
    ],
)
def test_how_it_ended(plays: tuple[Play, ...], ended: Ended | StopCause) -> None:
    found = answer(*plays)
    assert (found.recoverable, found.ended) == (True, ended)


@pytest.mark.parametrize(("asked_s", "ended"), [(0, Ended.END_OF_TURN), (2, Ended.END_OF_TURN), (3, Ended.MID_TEXT)])
def test_an_answer_from_before_it_was_set_to_work_again_answers_nothing(asked_s: int, ended: Ended) -> None:
    found = answer(ask(), say("the answer", finished=True), asked_at=START + timedelta(seconds=asked_s))
    assert (found.recoverable, found.ended, plain(found.final_text)) == (True, ended, "the answer")


def test_a_copy_of_which_no_record_could_be_read_says_so() -> None:
    found = WorkDone().answer(replace(WINDOW, records=0))
    assert (found.recoverable, plain(found.reason)) == (False, "not one record in it could be read")


def test_a_copy_that_holds_only_its_prompt_has_nothing() -> None:
    assert answer(ask()) == Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN, reason=Raw("it had written nothing yet"))


def test_a_copy_that_holds_only_its_prompt_and_an_error_has_nothing_and_names_the_error() -> None:
    found = answer(ask(), fail)
    reason = Raw("it had written nothing before it was stopped (usage_limit): You've hit your limit")
    assert found == Digest(recoverable=False, ended=StopCause.USAGE_LIMIT, reason=reason)


def test_a_call_alone_is_recovered_work() -> None:
    found = answer(ask(), use("t1"))
    assert (found.recoverable, found.final_text) == (True, None)
    assert [(plain(row.tool), row.calls) for row in found.tool_counts] == [("Bash", 1)]


def test_the_window_is_told() -> None:
    found = answer(say("words"))
    assert (found.size_bytes, found.records, found.truncated_window, found.mtime_age_s) == (4_096, 7, True, 12.5)
    assert (found.shape, found.reason) == (Shape.TRANSCRIPT, None)


def test_last_words_are_the_last_texts_that_fit() -> None:
    long = "x" * (LIMITS.digest_chars - 3)
    assert plain(answer(say("first"), say("second")).final_text) == "first\n\nsecond"
    assert plain(answer(say("first"), say("abc"), say(long)).final_text) == f"abc\n\n{long}"
    assert plain(answer(say("first"), say("abcd"), say(long)).final_text) == long


def test_one_text_longer_than_the_bound_is_whole_because_masking_comes_before_cutting() -> None:
    giant = "y" * (3 * LIMITS.digest_chars)
    assert plain(answer(say("first"), say(giant)).final_text) == giant


def test_tools_are_counted_the_commonest_first_and_the_rarest_left_out() -> None:
    plays = [use(f"t{number}", tool) for number, tool in enumerate(("Read", "Bash", "Read", "Apply"))]
    assert [(plain(row.tool), row.calls) for row in answer(*plays).tool_counts] == [("Read", 2), ("Apply", 1), ("Bash", 1)]
    many = [use(f"t{number}", f"Tool{number:03}") for number in range(LIMITS.digest_tools + 5)]
    found = answer(*many, use("again", "Tool044")).tool_counts
    assert len(found) == LIMITS.digest_tools
    assert (plain(found[0].tool), plain(found[-1].tool)) == ("Tool044", "Tool038")


def test_files_are_named_once_the_last_touched_last_and_the_oldest_left_out() -> None:
    paths = [f"/f{number:02}" for number in range(LIMITS.digest_files + 1)]
    plays = [use(f"t{path}", "Read", path) for path in (*paths, "/f01")]
    assert [plain(path) for path in answer(*plays).files_touched] == [*paths[2:], "/f01"]


@pytest.mark.parametrize(
    ("plays", "half"),
    [
        ((use("t1", "Edit", "/a", edits=True),), "/a"),
        ((use("t1", "Edit", "/a", edits=True), result("t1")), None),
        ((use("t1", "Edit", "/a", edits=True), result("t1", lost=True)), "/a"),  # its outcome is unknown
        ((use("t1", "Edit", "/a", edits=True), use("t2", "Write", "/b", edits=True)), "/b"),
        ((use("t1", "Edit", "/a", edits=True), use("t2", "Write", "/b", edits=True), result("t2")), "/a"),
        ((use("t1", "Read", "/a"),), None),
        ((use("t1", "Edit", None, edits=True),), None),
    ],
)
def test_the_last_edit_without_a_result_may_be_half_written(plays: tuple[Play, ...], half: str | None) -> None:
    assert plain(answer(*plays).half_written) == half


def test_the_end_of_an_output_is_summed_up_as_it_stands() -> None:
    found = sum_up_output(Raw("line\n"), Window(size_bytes=5, records=0, cut=False, age_s=None))
    assert (found.recoverable, found.ended, found.shape) == (True, Ended.MID_TEXT, Shape.RAW_STDOUT)
    assert (plain(found.final_text), found.size_bytes, found.records, found.truncated_window) == ("line\n", 5, None, False)


@pytest.mark.parametrize("missing", list(Missing))
def test_each_file_that_gives_nothing_has_its_own_reason(missing: Missing) -> None:
    found = explain_nothing(FileFact(path=None, missing=missing))
    assert (found.recoverable, found.ended, plain(found.reason)) == (False, Ended.NOTHING_WRITTEN, missing.value)


def test_a_file_that_cannot_be_named_is_told_as_unreadable() -> None:
    assert plain(explain_nothing(FileFact(path=None)).reason) == "not readable"
