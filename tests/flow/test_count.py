"""One unit of work: the same row by whichever road, in one reading or in two, here or in another folder; and what it leaves behind."""

import json
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow.builders import S1, S2, START, Transcript, count_reading, helper, helper_path, notice, touch, write_json
from resume_forensics.flow.count import count_unit
from resume_forensics.flow.unit import Unit, group_units
from resume_forensics.limits import LIMITS
from resume_forensics.model.count import Counted, UnitCount
from resume_forensics.model.piece import Piece
from resume_forensics.read import child
from resume_forensics.read.segments import SegmentedReading

OVERLOAD = "API Error: Repeated 529 Overloaded errors"


def make_rich() -> Transcript:
    """A session with everything that needs more than one record."""
    told = Transcript(S1)
    told.human("build the shop")
    told.agent("a1", "toolu_1")
    told.shell("b1", "toolu_2")
    told.call("toolu_3", "Task", prompt="Look.", description="look")
    told.enqueue(notice("b1", "failed"))
    told.error(OVERLOAD)
    told.human("resume")
    told.result("toolu_3", "[Tool result missing due to internal error]")
    told.human(notice("a1"))
    told.agent("a2", "toolu_4")
    told.answer("The shell died.")
    told.human("resume the paused deployment")
    told.human("Continue from where you left off.", isMeta=True)
    told.call("toolu_5", "TaskOutput", task_id="a2")
    told.human("continue please")
    told.answer()
    return told


def unit_of(path: Path) -> Unit:
    files = sorted(str(file) for file in path.parent.rglob("*.jsonl"))
    return group_units((file, Path(file).stat().st_size) for file in files)[0]


def count(path: Path, *, pieces: dict[str, Piece] | None = None, plain: bool = False) -> Counted:
    return count_unit(unit_of(path), pieces=pieces or {}, plain=plain)


def test_both_roads_give_the_same_row(tmp_path: Path) -> None:
    path = make_rich().write(tmp_path)
    row = count(path).row
    assert row == count(path, plain=True).row
    assert row.session is not None
    assert (len(row.session.turns), row.session.auto_continuations, len(row.session.workers)) == (2, 1, 4)


@pytest.mark.parametrize("torn", [False, True])
def test_a_file_that_grew_is_read_on_and_gives_the_row_of_one_reading(tmp_path: Path, *, torn: bool) -> None:
    told = make_rich()
    path = told.write(tmp_path)
    whole, content = count(path).row, path.read_bytes()
    for lines in range(len(told.lines) + 1):
        end = sum(len(line) + 1 for line in told.lines[:lines])
        path.write_bytes(content[: end + 40 if torn else end])
        before = count(path)
        assert before.pieces[str(path)].end_byte == end
        path.write_bytes(content)
        assert count(path, pieces=dict(before.pieces)).row == whole, lines


def test_reading_on_decodes_no_old_line_that_said_nothing(tmp_path: Path) -> None:
    told = make_rich()
    for number in range(50):
        told.remark("file-history-snapshot", messageId=str(number))
    path = told.write(tmp_path)
    piece = count(path).pieces[str(path)]
    assert (piece.lines, piece.records) == (len(told.lines), len(told.lines))
    places = dict(zip(piece.places[::2], piece.places[1::2], strict=True))
    assert max(places.values()) <= len(told.lines) - 50
    starts = [sum(len(line) + 1 for line in told.lines[:number]) for number in range(len(told.lines))]
    assert all(starts[line - 1] == byte for byte, line in places.items())


def test_a_turn_whose_windows_are_short_costs_few_bytes_when_its_file_is_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Transcript(S1)
    told.human("resume")
    told.human("build the shop")
    for number in range(3000):
        told.call(f"toolu_{number}", "Read", file_path="x" * 1000)
    path = told.write(tmp_path)
    before = count(path)
    told.answer()
    told.write(tmp_path)
    with count_reading(monkeypatch) as read:
        row = count(path, pieces=dict(before.pieces)).row
    assert row.session is not None
    assert len(row.session.turns) == 1
    assert path.stat().st_size > 3_000_000
    assert 0 < sum(read) < 512 * 1024


@pytest.mark.parametrize("grown", [False, True])
def test_a_result_of_a_call_that_an_earlier_reading_saw_is_found(tmp_path: Path, grown: bool) -> None:  # noqa: FBT001 (a column of the table)
    """Beyond the whole lines, and behind a file's earlier end, a new reading begins; nothing there but the id makes the line matter."""
    told = Transcript(S1)
    told.human("build the shop")
    told.call("toolu_1", "Agent", prompt="Do it.")
    path = told.write(tmp_path)
    pieces = dict(count(path).pieces) if grown else {}
    told.result("toolu_1", "The answer.")
    path = told.write(tmp_path)
    if not grown:
        path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    row = count(path, pieces=pieces).row
    assert row == count(path, plain=True).row
    assert row.session is not None
    assert [worker.state for worker in row.session.workers] == []


def test_a_piece_of_a_longer_file_is_not_believed(tmp_path: Path) -> None:
    path = make_rich().write(tmp_path)
    piece = Piece(end_byte=path.stat().st_size + 1, lines=900, records=900)
    assert count(path, pieces={str(path): piece}).row == count(path).row


def test_files_of_workers_are_read_on_too(tmp_path: Path) -> None:
    path = make_rich().write(tmp_path)
    own = helper("a1")
    own.shell("b7", "toolu_9")
    file = own.write_to(helper_path(path, "a1"))
    before = count(path)
    own.human(notice("b7"))
    own.write_to(file)
    after = count(path, pieces=dict(before.pieces))
    assert after.row == count(path).row
    assert before.row.session is not None
    assert after.row.session is not None
    assert [one.state for one in before.row.session.workers] != [one.state for one in after.row.session.workers]


def test_where_a_unit_lies_and_when_it_was_touched_changes_nothing(tmp_path: Path) -> None:
    path = make_rich().write(tmp_path / "one", "-work-shop")
    here = Unit(main=f"-work-shop/{path.name}", files=(f"-work-shop/{path.name}",), size_bytes=1)
    other = make_rich().write(tmp_path / "two", "-work-shop")
    touch(other, START)
    assert count_unit(here, below=str(tmp_path / "one")).row == count_unit(here, below=str(tmp_path / "two")).row


def test_a_session_whose_files_carry_another_id_is_that_session(tmp_path: Path) -> None:
    told = make_rich()
    by_name = count(told.write(tmp_path / "a")).row.session
    renamed = count(told.write(tmp_path / "b", name="session")).row.session
    assert by_name is not None
    assert renamed is not None
    assert by_name.session == renamed.session
    assert (by_name.turns, by_name.workers) == (renamed.turns, renamed.workers)


def test_a_sidecar_ties_a_foreground_call_to_its_worker(tmp_path: Path) -> None:
    told = Transcript(S1)
    told.human("build")
    told.call("toolu_1", "Task", prompt="Look.", description="look")
    path = told.write(tmp_path)
    file = helper("a1").write_to(helper_path(path, "a1"))
    write_json(file.with_name("agent-a1.meta.json"), {"toolUseId": "toolu_1"})
    write_json(file.with_name("agent-a2.meta.json"), {})
    session = count(path).row.session
    assert session is not None
    assert [one.call is not None and one.name is not None for one in session.workers] == [True]


def test_copies_of_history_and_steps_of_runs_are_read_as_what_they_are(tmp_path: Path) -> None:
    told = make_rich()
    path = told.write(tmp_path)
    plain = count(path).row.session
    step = helper("a8")
    step.shell("b8", "toolu_8")
    step.write_to(helper_path(path, "a8", run="wf_1"))
    told.write_to(helper_path(path, "acompact-1"))
    row = count(path).row
    assert plain is not None
    assert row.session is not None
    assert len(row.session.workers) == len(plain.workers) + 1
    assert row.seed.files_scanned == 3


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    gone = Unit(main="p/x.jsonl", files=("p/x.jsonl", "p/x/subagents/agent-a1.jsonl"), size_bytes=0)
    row = count_unit(gone, below=str(tmp_path)).row
    assert row == UnitCount(seed=row.seed, unreadable=("p/x.jsonl", "p/x/subagents/agent-a1.jsonl"))
    assert row.seed.files_scanned == 0
    path = Transcript(S2).write(tmp_path / "q")
    write_json(path, {"type": "user"})
    lost = Unit(main=str(path), files=(str(path), f"{path.with_suffix('')}/subagents/agent-a1.jsonl"), size_bytes=0)
    assert count_unit(lost).row.unreadable == lost.files[1:]


def test_rows_and_pieces_survive_json(tmp_path: Path) -> None:
    counted = count(make_rich().write(tmp_path))
    assert UnitCount.from_plain(json.loads(json.dumps(counted.row.to_plain()))) == counted.row
    empty = UnitCount(seed=counted.row.seed, unreadable=("x",), copies=1, checkpoints=2)
    assert UnitCount.from_plain(json.loads(json.dumps(empty.to_plain()))) == empty
    assert [Piece.from_plain(json.loads(json.dumps(one.to_plain()))) for one in counted.pieces.values()] == [*counted.pieces.values()]


def test_nothing_of_a_transcript_stands_in_a_row(tmp_path: Path) -> None:
    row = json.dumps(count(make_rich().write(tmp_path)).row.to_plain())
    assert [
        word for word in ("build", "resume", "Look", "toolu", "shop", "Overloaded", "a1") if f'"{word}' in row or f" {word}" in row
    ] == []


@pytest.mark.parametrize("phrase", ["resume", "Please  CONTINUE", "Pick up where you left off"])
def test_a_file_that_several_processes_read_gives_the_same_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phrase: str) -> None:
    told = make_rich()
    for number in range(300):
        told.call(f"toolu_f{number}", "Read", file_path="x" * 200)
    told.human(phrase)
    told.shell("b9", "toolu_9")
    told.answer()
    path = told.write(tmp_path)
    whole = count(path)
    jobs: list[bytes] = []

    class Telling(child.Child):
        def __init__(self, job: bytes) -> None:
            jobs.append(job)
            super().__init__(job)

    limits = replace(LIMITS, block_bytes=4096, segment_bytes=20_000, segment_seek_bytes=2_000)
    monkeypatch.setattr("resume_forensics.flow.passes.SegmentedReading", partial(SegmentedReading, limits=limits))
    monkeypatch.setattr("resume_forensics.read.segments.count_processors", lambda: 3)
    monkeypatch.setattr(child, "Child", Telling)
    assert count(path).row == whole.row
    assert len(jobs) == 2
    content = path.read_bytes()
    told.human("go on")
    told.write(tmp_path)
    assert content == path.read_bytes()[: len(content)]
    assert count(path, pieces=dict(whole.pieces)).row == count(path).row
