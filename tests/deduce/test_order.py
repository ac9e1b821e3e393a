"""Which of two records came first: lines within a file, times between files."""

from datetime import timedelta
from pathlib import Path

from deduce.builders import MAIN, START, Tape, helper_tape, plain
from resume_forensics.deduce.order import is_before, merge_in_order
from resume_forensics.model.event import Launch, Stamp
from resume_forensics.model.session import Source

OTHER = Source(path=Path("/store/-work/s1/subagents/agent-a.jsonl"), order=1)


def stamp(line: int, seconds: float | None, source: Source = MAIN) -> Stamp:
    return Stamp(source=source, line=line, at=None if seconds is None else START + timedelta(seconds=seconds))


def test_within_a_file_the_line_decides_though_the_clock_stepped_back() -> None:
    assert is_before(stamp(1, 100), stamp(2, 50))
    assert not is_before(stamp(2, 50), stamp(1, 100))
    assert not is_before(stamp(2, 50), stamp(2, 50))


def test_between_files_the_time_decides() -> None:
    assert is_before(stamp(900, 1, OTHER), stamp(1, 2))
    assert not is_before(stamp(1, 2), stamp(900, 1, OTHER))


def test_records_of_two_files_at_the_same_time_are_in_no_order() -> None:
    assert not is_before(stamp(1, 5), stamp(1, 5, OTHER))
    assert not is_before(stamp(1, 5, OTHER), stamp(1, 5))


def test_between_files_without_a_time_the_order_of_the_files_decides() -> None:
    assert is_before(stamp(900, None), stamp(1, 1, OTHER))
    assert is_before(stamp(900, 5), stamp(1, None, OTHER))
    assert not is_before(stamp(1, None, OTHER), stamp(900, None))


def ids(launches: list[Launch]) -> list[str | None]:
    return [plain(launch.worker_id) for launch in merge_in_order(launches)]


def test_launches_are_merged_by_time_and_keep_the_lines_of_their_file() -> None:
    main, helper = Tape(), helper_tape("a")
    main.launch("first")
    main.wait(100)
    main.launch("third")
    main.wait(-50)  # the clock steps back, the file does not
    main.launch("fourth")
    helper.wait(20)
    helper.launch("second")
    given = [event for event in reversed((*main.events, *helper.events)) if isinstance(event, Launch)]
    assert ids(given) == ["first", "second", "third", "fourth"]


def test_launches_without_times_stand_in_the_order_of_their_files() -> None:
    main, helper = Tape(at=None), helper_tape("a", at=None)
    helper.launch("third")
    main.launch("first")
    main.launch("second")
    given = [event for event in (*helper.events, *main.events) if isinstance(event, Launch)]
    assert ids(given) == ["first", "second", "third"]
