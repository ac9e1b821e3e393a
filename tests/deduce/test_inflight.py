"""The session's own calls that never got a result, in its last turn."""

from deduce.builders import Tape, plain
from resume_forensics.deduce.inflight import InFlight
from resume_forensics.limits import LIMITS
from resume_forensics.vocabulary import Speaker


def running(tape: Tape) -> list[str | None]:
    in_flight = InFlight()
    for event in tape.events:
        in_flight.see(event)
    return [plain(call.tool_use_id) for call in in_flight.answer()]


def test_calls_without_a_result_in_the_order_in_which_they_were_made() -> None:
    tape = Tape()
    for call in ("t1", "t2", "t3"):
        tape.call(call, "Edit")
    tape.result("t2")
    assert running(tape) == ["t1", "t3"]


def test_calls_of_an_earlier_turn_of_a_person_are_over() -> None:
    tape = Tape()
    tape.call("t1", "Bash")
    tape.turn(Speaker.HUMAN, "go on")
    tape.call("t2", "Bash")
    tape.turn(Speaker.NOTICE, "a notice")
    tape.turn(Speaker.HARNESS, "a reminder")
    assert running(tape) == ["t2"]


def test_calls_that_start_workers_and_calls_of_helpers_are_not_listed() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.call("t2", "Bash")
    tape.set(sidechain=True)
    tape.call("t3", "Bash")
    tape.result("t2")
    assert running(tape) == ["t2"]


def test_no_more_than_the_last_ones_are_kept() -> None:
    tape = Tape()
    for number in range(LIMITS.running_calls + 1):
        tape.call(f"t{number}", "Bash")
    found = running(tape)
    assert (len(found), found[0]) == (LIMITS.running_calls, "t1")
