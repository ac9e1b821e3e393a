"""What kept starting work by itself, and whether it outlived the session. In: the moves of a book. Out: one `Driver` each."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime

from msgspec.structs import replace

from resume_forensics.deduce.ledger import Book
from resume_forensics.model.event import DriverMove, Stamp
from resume_forensics.model.worker import Driver
from resume_forensics.vocabulary import DriverKind, DriverState


def list_drivers(book: Book, is_own: Callable[[Stamp], bool]) -> Iterator[Driver]:
    """Every driver that a record of the session itself set up, in the order of their set-up."""
    drivers = tuple(_list_set_up(book, is_own))
    wakeups = [driver.stamp.at for driver in drivers if driver.kind is DriverKind.WAKEUP and driver.stamp.at]
    last_set_at = max(wakeups, default=None)
    for driver in drivers:
        yield replace(driver, state=DriverState.FIRED) if _came_due(driver, last_set_at) else driver


def _came_due(driver: Driver, last_set_at: datetime | None) -> bool:
    """Whether a wake-up's time had come when the last one was set: a loop that paces itself sets the next when one has fired."""
    if driver.kind is not DriverKind.WAKEUP or driver.state is not DriverState.LOST or driver.next_at is None:
        return False
    return last_set_at is not None and driver.next_at <= last_set_at


def _list_set_up(book: Book, is_own: Callable[[Stamp], bool]) -> Iterator[Driver]:
    moves: defaultdict[object, list[DriverMove]] = defaultdict(list)
    for move in book.drivers.values():
        if is_own(move.stamp):
            moves[move.driver_id].append(move)
    for said in moves.values():
        first = next((move for move in said if move.state is not DriverState.REMOVED), None)
        if first is not None:
            yield _describe(first, said, book)


def _describe(first: DriverMove, said: list[DriverMove], book: Book) -> Driver:
    call = book.calls.get(first.tool_use_id) if first.tool_use_id else None
    loop = any(move.kind is DriverKind.LOOP for move in said)
    prompt = next((move.prompt for move in said if move.prompt), None)
    return Driver(
        driver_id=first.driver_id,
        kind=DriverKind.LOOP if loop else first.kind,
        state=_state_of(said),
        stamp=said[-1].stamp,
        prompt=prompt or (call.prompt if call else None),
        next_at=next((move.next_at for move in reversed(said) if move.next_at), None),
    )


def _state_of(said: list[DriverMove]) -> DriverState:
    states = [move.state for move in said if move.state is not None]
    return DriverState.REMOVED if DriverState.REMOVED in states else states[0] if states else DriverState.LOST
