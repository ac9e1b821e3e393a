"""What starts work by itself: one row each, with its fate."""

from datetime import UTC, datetime, timedelta

import pytest

from deduce.builders import Tape, join_tapes, plain, workers_of
from resume_forensics.model.worker import Driver
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DriverKind, DriverState

LOST, DURABLE, REMOVED = DriverState.LOST, DriverState.DURABLE, DriverState.REMOVED
WAKEUP, LOOP = DriverKind.WAKEUP, DriverKind.LOOP


def driver_of(tape: Tape) -> Driver:
    (driver,) = join_tapes(tape).drivers
    return driver


@pytest.mark.parametrize("state", [LOST, DURABLE])
def test_a_schedule_is_lost_with_the_process_or_durable(state: DriverState) -> None:
    tape = Tape()
    tape.call("t1", "CronCreate", prompt="check the build")
    tape.driver("j1", state, tool_use_id="t1", next_at=datetime(2026, 9, 15, tzinfo=UTC))
    driver = driver_of(tape)
    assert (plain(driver.driver_id), driver.kind, driver.state) == ("j1", DriverKind.SCHEDULE, state)
    assert (plain(driver.prompt), driver.next_at, driver.stamp.line) == ("check the build", datetime(2026, 9, 15, tzinfo=UTC), 2)


def test_a_removed_driver_says_so_and_where() -> None:
    tape = Tape()
    tape.driver("j1", DURABLE, prompt="its own words")
    tape.driver("j1", REMOVED)
    driver = driver_of(tape)
    assert (driver.state, driver.stamp.line, plain(driver.prompt)) == (REMOVED, 2, "its own words")


def test_the_removal_of_a_driver_that_this_session_never_set_up_is_no_row() -> None:
    tape = Tape()
    tape.driver("j1", REMOVED)
    assert join_tapes(tape).drivers == ()


def test_a_schedule_that_fires_as_a_loop_is_a_loop() -> None:
    tape = Tape()
    tape.driver("j1", LOST)
    tape.driver("j1", None, LOOP, prompt="/watch")
    driver = driver_of(tape)
    assert (driver.kind, driver.state, plain(driver.prompt), driver.next_at) == (LOOP, LOST, "/watch", None)


def test_a_loop_known_only_by_its_firing_lived_in_the_process() -> None:
    tape = Tape()
    tape.driver("j1", None, LOOP)
    driver = driver_of(tape)
    assert (driver.kind, driver.state) == (LOOP, LOST)


def test_the_notice_of_a_lost_wakeup_is_about_its_driver_and_about_no_worker() -> None:
    tape = Tape()
    tape.driver("toolu_1", LOST, WAKEUP, tool_use_id="toolu_1")
    tape.mention("toolu_1", notice=True, lost_track=True)
    tape.end("toolu_1", "stopped")
    assert (driver_of(tape).kind, driver_of(tape).state) == (WAKEUP, LOST)
    assert workers_of(tape) == {}


def test_drivers_of_copied_history_belong_to_the_other_session() -> None:
    tape = Tape(copied_from=Raw("older"))
    tape.driver("j1", LOST)
    assert join_tapes(tape).drivers == ()
    assert workers_of(tape) == {}


def test_drivers_stand_in_the_order_of_their_set_up() -> None:
    tape = Tape()
    for name in ("j2", "j1", "j3"):
        tape.driver(name, LOST)
    tape.driver("j2", REMOVED)
    assert [plain(driver.driver_id) for driver in join_tapes(tape).drivers] == ["j2", "j1", "j3"]


def wakeup(tape: Tape, name: str, due_s: int) -> None:
    """A wake-up that is due that many seconds after it is set."""
    tape.driver(name, LOST, WAKEUP, next_at=tape.now() + timedelta(seconds=due_s))


def test_a_wakeup_that_came_due_before_the_next_was_set_has_fired() -> None:
    tape = Tape()
    wakeup(tape, "t1", 60)
    wakeup(tape, "t2", 7200)  # still pending when the last one is set
    tape.wait(300)
    wakeup(tape, "t3", 60)  # its turn may have died: the last one is lost, due or not
    tape.wait(300)
    tape.end("b1", "completed")
    states = {plain(driver.driver_id): driver.state for driver in join_tapes(tape).drivers}
    assert states == {"t1": DriverState.FIRED, "t2": LOST, "t3": LOST}


@pytest.mark.parametrize(("kind", "state"), [(DriverKind.SCHEDULE, LOST), (WAKEUP, REMOVED)])
def test_only_a_pending_wakeup_can_have_fired(kind: DriverKind, state: DriverState) -> None:
    tape = Tape()
    tape.driver("j1", LOST, kind, next_at=tape.now() + timedelta(seconds=60))
    if state is REMOVED:
        tape.driver("j1", REMOVED, kind)
    tape.wait(300)
    wakeup(tape, "t2", 60)
    assert join_tapes(tape).drivers != ()
    assert next(iter(join_tapes(tape).drivers)).state is state
