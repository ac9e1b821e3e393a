"""How much work a scan does, counted and not timed: bytes read, lines decoded, files opened. A lost optimisation turns one of these red."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct, field

from flow.builders import HARNESS, Transcript, helper, helper_path, notice, scan_file, workers_of
from resume_forensics.flow.discover import open_session
from resume_forensics.flow.gather import gather
from resume_forensics.limits import LIMITS, MIB
from resume_forensics.read import decode, files, lines, nominate, records, tail
from resume_forensics.read.search import Needles, Nomination

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PROBED = LIMITS.probe_lines


class Work(Struct, dict=True):
    """What was done while it was counted."""

    decoded: int = 0
    decoded_bytes: int = 0
    searched_bytes: int = 0
    looked_behind_bytes: int = 0
    opened: list[str] = field(default_factory=list)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Counts from now on."""
    done = Work()

    def count_decoding(decode_line: Callable[..., object]) -> Callable[..., object]:
        def counted(data: bytes, *rest: object) -> object:
            done.decoded += 1
            done.decoded_bytes += len(data)
            return decode_line(data, *rest)

        return counted

    for module in (decode, records, nominate):
        monkeypatch.setattr(module, "load_record", count_decoding(decode.load_record) if module is decode else decode.load_record)

    def count_search(needles: Needles, chunk: lines.Chunk) -> Nomination:
        done.searched_bytes += chunk.stop - chunk.start
        return nominate_in(needles, chunk)

    def count_behind(descriptor: int, size: int, offset: int) -> bytes:
        done.looked_behind_bytes += size
        return read_at(descriptor, size, offset)

    def count_opening(path: Path) -> object:
        done.opened.append(path.name)
        return open_file(path)

    nominate_in, read_at, open_file = Needles.nominate, os.pread, files.open_regular
    monkeypatch.setattr(Needles, "nominate", count_search)
    monkeypatch.setattr(os, "pread", count_behind)
    for module in (files, records, nominate, tail):
        monkeypatch.setattr(module, "open_regular", count_opening)
    return done


def fill(main: Transcript, count: int, chars: int = 500) -> None:
    """Records that nobody needs: results of tools, text, progress."""
    for number in range(count):
        main.call(f"filler_{number}", "Read", file_path="/work/shop/a.py")
        main.result(f"filler_{number}", "x" * chars)


def test_filler_is_searched_once_and_not_decoded(tmp_path: Path, work: Work) -> None:
    main = Transcript()
    main.human()
    main.shell("b1", "t1")
    fill(main, 2_000)
    main.human(notice("b1"))
    path = main.write(tmp_path / "projects")
    assert list(workers_of(scan_file(path))) == ["b1"]
    assert work.searched_bytes == path.stat().st_size
    assert work.decoded <= 2 * PROBED + LIMITS.tail_records + 20
    assert work.looked_behind_bytes == 0  # the call stands beside its receipt


def test_a_file_under_another_name_costs_no_more(tmp_path: Path, work: Work) -> None:
    main = Transcript()
    main.human()
    fill(main, 2_000)
    path = main.write(tmp_path / "projects", name="copy of it")
    assert gather(open_session(path, HARNESS), HARNESS).own_id() is not None
    assert work.decoded <= 2 * PROBED + LIMITS.tail_records + 20


@pytest.mark.parametrize("session", sorted(FIXTURES.glob("claude_code/*/projects/*/*.jsonl"))[:8], ids=lambda path: path.parents[2].name)
def test_a_fixture_is_searched_once(session: Path, work: Work) -> None:
    gather(open_session(session, HARNESS), HARNESS)
    folder = session.with_suffix("")
    own = sum(path.stat().st_size for path in [session, *folder.rglob("agent-*.jsonl")] if "acompact" not in path.name)
    assert work.searched_bytes <= own
    assert work.opened.count(session.name) <= 5


def test_each_helper_is_opened_once_for_the_ledger_and_its_end_once_for_the_digest(tmp_path: Path, work: Work) -> None:
    main = Transcript()
    for number in range(20):
        main.agent(f"a{number}", f"t{number}")
    path = main.write(tmp_path / "projects")
    for number in range(20):
        one = helper(f"a{number}")
        one.answer("half of it", stop="tool_use")
        one.write_to(helper_path(path, f"a{number}"))
    scan_file(path)
    assert max(work.opened.count(f"agent-a{number}.jsonl") for number in range(20)) <= 3


def test_a_giant_line_near_the_end_is_read_a_bounded_number_of_times(tmp_path: Path, work: Work) -> None:
    main = Transcript()
    main.human()
    main.shell("b1", "t1")
    main.call("t2", "Bash", command="make")
    main.result("t2", "y" * (9 * MIB))
    for _ in range(30):
        main.answer()
    path = main.write(tmp_path / "projects")
    assert list(workers_of(scan_file(path))) == ["b1"]
    assert work.decoded_bytes < 3 * 9 * MIB
    assert work.looked_behind_bytes < LIMITS.lookback_bytes


@pytest.mark.parametrize("number", [1_000, 10_000])
def test_the_work_grows_with_the_number_of_workers_and_no_faster(tmp_path: Path, work: Work, number: int) -> None:
    main = Transcript()
    main.human()
    for index in range(number):
        main.shell(f"b{index}x", f"toolu_{index}")
        main.human(notice(f"b{index}x"))
    path = main.write(tmp_path / "projects")
    assert len(workers_of(scan_file(path))) == number
    assert work.decoded <= 5 * number + LIMITS.tail_records + 2 * PROBED
    assert work.searched_bytes == path.stat().st_size


def test_thousands_of_notices_are_decoded_three_times(tmp_path: Path, work: Work) -> None:
    """Forwards, and twice backwards: as bookkeeping before the last activity, for its time and for the tail."""
    main = Transcript()
    main.shell("b1", "t1")
    for _ in range(3_000):
        main.enqueue(notice("b1", "failed"))
    assert list(workers_of(scan_file(main.write(tmp_path / "projects")))) == ["b1"]
    assert work.decoded <= 3 * 3_000 + LIMITS.tail_records + 3 * PROBED


def test_a_deep_record_is_judged_without_walking_it_again(tmp_path: Path, work: Work) -> None:
    main = Transcript()
    main.human()
    deep: object = "bottom"
    for _ in range(LIMITS.nesting + 1):
        deep = [deep]
    main.add_line(json.dumps({"type": "user", "message": {"content": deep}, "t": "launched"}))
    found = gather(open_session(main.write(tmp_path / "projects"), HARNESS), HARNESS)
    assert found.unparsable == 1
    assert work.decoded <= 12
