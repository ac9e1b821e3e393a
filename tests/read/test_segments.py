"""A file read in segments by several processes gives what one process gives, wherever the cuts fall and whoever dies."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from read.builders import InProcess
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.record import Record
from resume_forensics.read import child as child_module
from resume_forensics.read import segments as module
from resume_forensics.read.awaited import Key, Watch
from resume_forensics.read.files import open_regular
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.records import Item
from resume_forensics.read.search import Needles
from resume_forensics.read.segment import Job, Row
from resume_forensics.read.segments import SegmentedReading, count_processors, find_cuts
from resume_forensics.text import Raw

NEEDLES = Needles(("needle", "other"), keys=("id",))
SMALL = replace(
    LIMITS, block_bytes=32, line_bytes=100, string_bytes=20, elided_line_bytes=60, elided_string_bytes=10, segment_bytes=1, segments=3
)


@pytest.fixture(autouse=True)
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "count_processors", lambda: 3)


def lay(folder: Path, content: bytes) -> Path:
    path = folder / "t.jsonl"
    path.write_bytes(content)
    return path


def outline(reading: NominatedReading, items: list[Item]) -> tuple[object, ...]:
    """What was read, and the counts. Where a chunk ends decides in which order wishes come true, and whether their lines are numbered."""
    found = {(item.place.byte, str(item.data) if isinstance(item, Record) else item.reason) for item in items}
    return found, reading.lines, reading.records, reading.unparsable, reading.blank, reading.size_bytes, reading.bad_lines, reading.changed


def watch_calls() -> tuple[Watch, Callable[[Item], None]]:
    """A watch that awaits the result of every call it was shown, and wishes for the call of every receipt."""
    wishes: list[Raw] = []
    wanted: set[Raw] = set()
    awaited: set[Raw] = set()
    news: list[Raw] = []

    def see(item: Item) -> None:
        if isinstance(item, Record):
            one = Raw(str(item.data.get("id")))
            match item.data.get("type"):
                case "call":
                    awaited.add(one)
                    news.append(one)
                    wanted.discard(one)
                case "result":
                    awaited.discard(one)
                case "receipt":
                    wishes.append(one)
                    wanted.add(one)

    def take() -> list[Raw]:
        taken = wishes.copy()
        wishes.clear()
        return taken

    def take_awaited() -> list[Raw]:
        taken = news.copy()
        news.clear()
        return taken

    return Watch(
        wishes=take,
        is_wanted=wanted.__contains__,
        awaited=lambda: awaited,
        news=take_awaited,
        keys=(Key(name="id", is_wanted=awaited.__contains__),),
    ), see


def read(kind: type[NominatedReading], path: Path, limits: Limits) -> tuple[object, ...]:
    watch, see = watch_calls()
    reading = kind(path, NEEDLES, watch, limits=limits)
    items = []
    for item in reading:
        see(item)
        items.append(item)
    return outline(reading, items)


LINES = (
    b'{"n":1}',
    b'{"n":2,"t":"a needle"}',
    b'{"type":"call","id":"id-a","t":"needle"}',
    b'{"type":"result","id":"id-a"}',
    b'{"type":"call","id":"id-b"}',
    b'{"type":"receipt","id":"id-b","t":"other"}',
    '{"t":"é😀 héé 😀😀"}'.encode(),
    b'{"t":"' + b"x" * 150 + b'","u":"needle"}',
    b'{"t":"' + b"y" * 400 + b'"}',
    b'{"n":',
    b"",
    b"7",
)


@given(
    lines=st.lists(st.sampled_from(LINES), max_size=40),
    newline=st.sampled_from([b"\n", b"\r\n"]),
    ended=st.booleans(),
    segments=st.integers(2, 3),
    block=st.integers(1, 80),
)
def test_segments_change_nothing(  # noqa: PLR0913 (five things vary)
    lines: list[bytes], newline: bytes, segments: int, block: int, tmp_path_factory: pytest.TempPathFactory, *, ended: bool
) -> None:
    path = lay(tmp_path_factory.mktemp("any"), newline.join(lines) + (newline if ended else b""))
    limits = replace(SMALL, segments=segments, block_bytes=block)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child_module, "Child", InProcess)
        assert read(SegmentedReading, path, limits) == read(NominatedReading, path, limits)
        assert list(SegmentedReading(path, NEEDLES, limits=limits)) == list(NominatedReading(path, NEEDLES, limits=limits))


def test_cuts_fall_at_beginnings_of_lines(tmp_path: Path) -> None:
    content = b'{"n":0}\n' + b"x" * 50 + b"\n" + b'{"n":2}\n' * 10
    with open_regular(lay(tmp_path, content)) as stream:
        cuts = find_cuts(stream, len(content), SMALL)
        assert find_cuts(stream, len(content), replace(SMALL, segment_bytes=len(content))) == [0, len(content)]
        assert find_cuts(stream, len(content), replace(SMALL, segment_seek_bytes=5))[0] == 0
    assert cuts == [0, 59, 99, len(content)]
    assert all(content[cut - 1 : cut] == b"\n" for cut in cuts[1:])


def test_a_cut_in_a_line_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    content = b"x" * 300
    with open_regular(lay(tmp_path, content)) as stream:
        assert find_cuts(stream, len(content), replace(SMALL, segment_seek_bytes=50)) == [0, len(content)]


CONTENT = b"".join(b'{"n":%d}\n{"n":%d,"t":"a needle"}\n' % (number, number) for number in range(200))


def test_true_processes_answer_with_numbers_and_the_reading_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[bytes] = []
    answer = child_module.Child.answer

    def listen(child: child_module.Child) -> bytes:
        answers.append(answer(child))
        return answers[-1]

    monkeypatch.setattr(child_module.Child, "answer", listen)
    path = lay(tmp_path, CONTENT)
    assert read(SegmentedReading, path, SMALL) == read(NominatedReading, path, SMALL)
    assert len(answers) == 2
    assert all(set(one) <= set(b"0123456789 \n") and one.count(b"\n") > 10 for one in answers)


@pytest.mark.parametrize("answer", [b"", b"0 10 1\n", b"not numbers\n", b"1", "half"])
def test_what_a_process_does_not_answer_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes | str) -> None:
    class Dying(InProcess):
        def answer(self) -> bytes:
            """Nothing, nonsense, or what was written before it died."""
            whole = super().answer()
            return whole[: len(whole) // 2] if isinstance(answer, str) else answer

    monkeypatch.setattr(child_module, "Child", Dying)
    path = lay(tmp_path, CONTENT)
    assert read(SegmentedReading, path, SMALL) == read(NominatedReading, path, SMALL)


def test_a_process_that_cannot_be_started_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no such program"))
    path = lay(tmp_path, CONTENT)
    assert read(SegmentedReading, path, SMALL) == read(NominatedReading, path, SMALL)


def test_an_answer_above_its_bound_ends_and_the_rest_is_read_here(tmp_path: Path) -> None:
    path, limits = lay(tmp_path, CONTENT), replace(SMALL, segment_answer_bytes=60)
    assert read(SegmentedReading, path, limits) == read(NominatedReading, path, limits)


def test_a_reading_that_is_given_up_ends_its_processes(tmp_path: Path) -> None:
    steps = iter(SegmentedReading(lay(tmp_path, CONTENT), NEEDLES, limits=SMALL))
    next(steps)
    assert hasattr(steps, "close")
    steps.close()


def test_a_small_file_costs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert len(list(SegmentedReading(lay(tmp_path, CONTENT), NEEDLES))) == 200


def test_a_job_on_a_file_that_is_gone_answers_nothing(tmp_path: Path) -> None:
    job = Job(str(tmp_path / "gone"), 0, 10, ("needle",), asdict(SMALL))
    with child_module.Child(json.dumps(job).encode()) as child:
        assert child.answer() == b""


def test_a_row_is_read_as_it_was_written() -> None:
    row = Row(7, 100, 3, (7, 20))
    assert Row.read(row.write()) == row


def test_there_is_a_processor() -> None:
    assert count_processors() >= 1
