"""What ended a session: the last fault, unless a later turn came to its normal end."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.builders import Tape, plain
from resume_forensics.deduce.cause import REMEDIES, Backwards, Cause
from resume_forensics.model.event import Event
from resume_forensics.model.report import Termination
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker, StopCause

CLEAN = StopCause.CLEAN_OR_UNKNOWN
ORIGINS = (Speaker.HUMAN, Speaker.HARNESS, Speaker.NOTICE)
Play = Callable[[Tape], object]


def answer(*plays: Play) -> Termination[Raw]:
    """What the events of a tape, played in order, say."""
    tape, cause = Tape(), Cause("the harness was told to stop")
    for play in plays:
        play(tape)
    for event in tape.events:
        cause.see(event)
    return cause.answer()


def fault(cause: StopCause = StopCause.API_OVERLOAD, resets_at: str | None = None) -> Play:
    return lambda tape: tape.fault(cause, f"evidence of {cause}", resets_at)


def ask(speaker: Speaker = Speaker.HUMAN) -> Play:
    return lambda tape: tape.turn(speaker, "go on")


def say(*, finished: bool = True, calls: bool = False) -> Play:
    return lambda tape: tape.turn(Speaker.ASSISTANT, "words", finished=finished, calls=calls)


def tool(tape: Tape) -> None:
    tape.turn(Speaker.TOOL)


def measure(tape: Tape) -> None:
    """`turn_duration`."""
    tape.turn(Speaker.HARNESS, finished=True)


def kinds(found: Termination[Raw]) -> tuple[StopCause, StopCause | None, bool | None]:
    """The kind, the fault that was survived, and whether the session came to a normal end after it."""
    survived = found.recovered
    return found.kind, survived.kind if survived else None, survived.completed if survived else None


OVERLOAD = StopCause.API_OVERLOAD


def test_without_a_fault_nothing_is_known_to_have_gone_wrong() -> None:
    found = answer(ask(), say(), measure)
    assert kinds(found) == (CLEAN, None, None)
    assert (found.evidence, found.at, found.resets_at) == (None, None, None)
    assert plain(found.remedy) == REMEDIES[CLEAN]


def test_the_last_fault_decides_with_its_evidence_time_and_reset() -> None:
    found = answer(fault(StopCause.NETWORK), ask(), fault(StopCause.USAGE_LIMIT, "3pm"))
    assert kinds(found) == (StopCause.USAGE_LIMIT, None, None)
    assert plain(found.evidence) == "evidence of usage_limit"
    assert plain(found.resets_at) == "3pm"
    assert found.at is not None
    assert found.at.second == 3
    assert plain(found.remedy) == "note the reset time; do not fan out into the ceiling"


def test_every_cause_has_its_remedy_and_the_words_for_a_shutdown_are_the_harnesss() -> None:
    assert {*REMEDIES, StopCause.PROCESS_SHUTDOWN} == set(StopCause)
    for cause in StopCause:
        expected = "the harness was told to stop" if cause is StopCause.PROCESS_SHUTDOWN else REMEDIES[cause]
        assert plain(answer(fault(cause)).remedy) == expected


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("ending", [(say(),), (say(finished=False), measure), (say(finished=False, calls=True), tool, say())])
def test_a_later_turn_of_any_origin_with_a_normal_end_recovers(origin: Speaker, ending: tuple[Play, ...]) -> None:
    found = answer(fault(), ask(origin), *ending)
    assert kinds(found) == (CLEAN, OVERLOAD, True)
    assert (found.evidence, found.at, found.resets_at) == (None, None, None)
    assert found.recovered is not None
    assert plain(found.recovered.evidence) == "evidence of api_overload"


def test_once_recovered_a_further_turn_that_breaks_off_without_a_fault_changes_nothing() -> None:
    assert kinds(answer(fault(), ask(), say(), ask(), say(finished=False))) == (CLEAN, OVERLOAD, True)


def test_a_later_fault_undoes_the_recovery() -> None:
    assert kinds(answer(fault(), ask(), say(), ask(), fault(StopCause.NETWORK))) == (StopCause.NETWORK, None, None)


@pytest.mark.parametrize(
    "after",
    [
        (ask(),),
        (ask(), say(finished=False)),
        (ask(), say(finished=False, calls=True), tool),
        (ask(), say(), tool),  # the answer was followed by work again
        (ask(), say(), say(finished=False, calls=True)),
    ],
)
def test_a_session_that_went_on_without_a_normal_end_keeps_the_kind_and_says_so(after: tuple[Play, ...]) -> None:
    found = answer(fault(), *after)
    assert kinds(found) == (OVERLOAD, OVERLOAD, False)
    assert plain(found.evidence) == "evidence of api_overload"


@pytest.mark.parametrize("after", [(), (measure,), (tool,), (say(),), (say(), measure), (tool, say())])
def test_what_follows_in_the_same_turn_does_not_recover(after: tuple[Play, ...]) -> None:
    assert kinds(answer(fault(), *after)) == (OVERLOAD, None, None)


def test_what_stands_before_the_fault_does_not_recover() -> None:
    assert kinds(answer(ask(), say(), measure, fault())) == (OVERLOAD, None, None)


def test_the_turn_that_is_the_record_of_the_fault_itself_does_not_reopen() -> None:
    """An interrupt is a user record: one line, a fault and a turn."""
    tape, cause = Tape(), Cause("")
    interrupt = tape.fault(StopCause.USER_INTERRUPT)
    tape.set(line=interrupt.stamp.line - 1)
    tape.turn(Speaker.HARNESS, "[Request interrupted by user]")
    tape.turn(Speaker.ASSISTANT, "words", finished=True)
    for event in tape.events:
        cause.see(event)
    assert kinds(cause.answer()) == (StopCause.USER_INTERRUPT, None, None)


@pytest.mark.parametrize("own_fault", [True, False])
def test_turns_and_faults_of_helpers_do_not_count(own_fault: bool) -> None:  # noqa: FBT001 (a column of the table)
    tape, cause = Tape(), Cause("")
    if own_fault:
        tape.fault()
        tape.set(sidechain=True)
        tape.turn(Speaker.HUMAN, "go on")
        tape.turn(Speaker.ASSISTANT, "words", finished=True)
    else:
        tape.set(sidechain=True)
        tape.fault()
    for event in tape.events:
        cause.see(event)
    assert kinds(cause.answer()) == (OVERLOAD if own_fault else CLEAN, None, None)


def test_events_of_other_questions_are_passed_over() -> None:
    assert kinds(answer(fault(), lambda tape: tape.launch("a1", "t1"), lambda tape: tape.end("a1"))) == (OVERLOAD, None, None)


def helper_fails(tape: Tape) -> None:
    """An error inside a helper."""
    tape.set(sidechain=True)
    fault()(tape)
    tape.set(sidechain=False)


PLAYS: tuple[Play, ...] = (fault(), ask(), ask(Speaker.NOTICE), say(), say(finished=False), tool, measure, helper_fails)


@given(st.lists(st.sampled_from(PLAYS), max_size=9), st.lists(st.sampled_from(PLAYS), max_size=9))
def test_a_tail_read_backwards_until_it_is_settled_tells_the_cause(before: list[Play], after: list[Play]) -> None:
    """Whatever stands before the records that settle it."""
    whole, backwards = Tape(), Backwards()
    for play in (*before, *after):
        play(whole)
    kept: list[Event] = []
    for event in reversed(whole.events):
        kept.insert(0, event)
        backwards.see([event])
        if backwards.settled:
            break
    told = []
    for events in (kept, whole.events):
        cause = Cause("the harness was told to stop")
        for event in events:
            cause.see(event)
        told.append(cause.answer().kind)
    assert told[0] == told[1]
    assert backwards.settled or len(kept) == len(whole.events)


def test_an_error_settles_the_cause_at_once_and_so_does_a_turn_that_ended_well() -> None:
    for plays, number in (((ask(), say(), ask(), fault()), 1), ((fault(), ask(), say(), ask(), tool), 4), ((fault(), say(), ask()), 3)):
        tape, backwards, seen = Tape(), Backwards(), 0
        for play in plays:
            play(tape)
        for event in reversed(tape.events):
            seen += 1
            backwards.see([event])
            if backwards.settled:
                break
        assert seen == number
