"""The table of liveness rows, row by row and in its order, with both sides of every edge."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from deduce.builders import START, plain
from resume_forensics.deduce.liveness import Scene, Verdict, judge_driver, judge_liveness
from resume_forensics.harness.claude_code.layout import LIVENESS
from resume_forensics.model.event import Stamp
from resume_forensics.model.fact import FileFact, HolderFact
from resume_forensics.model.layout import LivenessRow
from resume_forensics.model.report import SessionLife
from resume_forensics.model.session import Source
from resume_forensics.model.worker import Driver, Worker
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Delivery, DriverKind, DriverState, Habitat, Liveness, Missing, WorkerKind, WorkerState

DIED = START
NOW = START + timedelta(hours=1)
OUTPUT, SAVED = Path("/out/b1.output"), Path("/store/-work/s1.jsonl")
ASKED, NOT_ASKED = HolderFact(asked=True), HolderFact(asked=False)
SHELL, DEAD, LIVE = WorkerKind.BACKGROUND_SHELL, Liveness.DEAD, Liveness.POSSIBLY_LIVE


def worker(kind: WorkerKind = SHELL, habitat: Habitat = Habitat.OWN_PROCESS) -> Worker:
    return Worker(worker_id=Raw("b1"), tool_use_id=None, kind=kind, habitat=habitat, state=WorkerState.UNREPORTED, delivery=Delivery.NONE)


def after(seconds: float) -> datetime:
    """A moment that many seconds after the session's last record."""
    return DIED + timedelta(seconds=seconds)


def output(seconds: float, size_bytes: int = 10) -> FileFact:
    return FileFact(path=OUTPUT, missing=None if size_bytes else Missing.EMPTY, size_bytes=size_bytes, modified_at=after(seconds))


def scene(saved: float = 0, **changes: Any) -> Scene:  # noqa: ANN401 (any field of a scene)
    """A session that died an hour ago, whose transcript was last written `saved` seconds after its last record."""
    given: dict[str, Any] = {
        "life": None,
        "rows": LIVENESS,
        "last_record_at": DIED,
        "transcript": FileFact(path=SAVED, size_bytes=9, modified_at=after(saved)),
        "booted_at": None,
        "now": NOW,
        "live_window_s": 90,
    }
    return Scene(**{**given, **changes})


def judge(written: float, holders: HolderFact = ASKED, *, size_bytes: int = 10, saved: float = 0, **changes: Any) -> Verdict:  # noqa: ANN401 (any field of a scene)
    return judge_liveness(worker(), output(written, size_bytes), holders, scene(saved, **changes))


ALIVE = SessionLife(pid=7, evidence=Raw("process 7 runs"))


@pytest.mark.parametrize("kind", list(WorkerKind))
def test_any_worker_of_a_session_that_is_alive_is_possibly_live(kind: WorkerKind) -> None:
    found = judge_liveness(worker(kind), FileFact(path=None, missing=Missing.GONE), NOT_ASKED, scene(life=ALIVE))
    assert found == Verdict(liveness=LIVE, evidence=Raw("its session is alive: process 7 runs"))


@pytest.mark.parametrize("row", LIVENESS, ids=str)
def test_what_dies_with_its_process_may_live_on_where_the_process_does(row: LivenessRow) -> None:
    heir = SessionLife(pid=7, evidence=Raw("process 7 now runs another session"))
    found = judge_liveness(worker(row.kind, row.habitat or Habitat.NOT_SAID), output(0), ASKED, scene(heir=heir))
    if row.liveness is Liveness.DEAD_WITH_PARENT:
        assert found == Verdict(liveness=LIVE, evidence=heir.evidence)
    else:
        assert found.liveness is (row.liveness or DEAD)
        assert found.evidence != heir.evidence


@pytest.mark.parametrize(("launched_s", "held"), [(-6, False), (-5, True), (0, True), (60, True), (None, True)])
def test_a_process_holds_nothing_that_was_launched_before_it_began(launched_s: float | None, held: bool) -> None:  # noqa: FBT001 (a column of the table)
    stamp = Stamp(source=Source(path=SAVED), line=1, at=None if launched_s is None else after(launched_s))
    agent = replace(worker(WorkerKind.AGENT), launch=stamp)
    life = replace(ALIVE, since=DIED)
    for found in (scene(life=life), scene(heir=life)):
        verdict = judge_liveness(agent, FileFact(path=None, missing=Missing.GONE), ASKED, found)
        assert verdict.liveness is (LIVE if held else Liveness.DEAD_WITH_PARENT)


@pytest.mark.parametrize(
    ("kind", "habitat", "liveness"),
    [
        (WorkerKind.AGENT, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.AGENT, Habitat.NOT_SAID, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.MONITOR, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.MONITOR, Habitat.NOT_SAID, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.TEAMMATE, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.TEAMMATE, Habitat.OWN_PROCESS, LIVE),
        (WorkerKind.TEAMMATE, Habitat.NOT_SAID, Liveness.UNKNOWN_TEAMMATE),
        (WorkerKind.WORKFLOW, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.WORKFLOW, Habitat.NOT_SAID, Liveness.UNKNOWN_WORKFLOW),
        (WorkerKind.WORKFLOW, Habitat.ELSEWHERE, LIVE),
        (WorkerKind.REMOTE_AGENT, Habitat.ELSEWHERE, LIVE),
        (WorkerKind.REMOTE_AGENT, Habitat.NOT_SAID, LIVE),
    ],
)
def test_kinds_that_no_file_decides(kind: WorkerKind, habitat: Habitat, liveness: Liveness) -> None:
    holder = HolderFact(asked=True, pids=(4,))
    found = judge_liveness(worker(kind, habitat), output(3_000), holder, scene())
    assert (found.liveness, found.recent_write_s) == (liveness, None)
    assert found.evidence in {Raw(row.words) for row in LIVENESS if row.kind is kind}


def test_a_shell_whose_output_is_held_open_is_possibly_live_whatever_else_is_seen() -> None:
    held = HolderFact(asked=True, pids=(12, 40))
    found = judge(-600, held)
    assert (found.liveness, plain(found.evidence)) == (LIVE, "process 12, 40 of this machine holds its output file open")
    copied = judge_liveness(worker(), output(100), held, scene(saved=100))
    gone = judge_liveness(worker(), FileFact(path=OUTPUT, missing=Missing.GONE), held, scene())
    assert (copied.liveness, gone.liveness) == (LIVE, LIVE)


@pytest.mark.parametrize("missing", [missing for missing in Missing if missing is not Missing.EMPTY])
def test_a_shell_without_a_regular_output_file_is_unknown(missing: Missing) -> None:
    for died in (DIED, None):
        found = judge_liveness(worker(), FileFact(path=OUTPUT, missing=missing), ASKED, scene(last_record_at=died))
        assert (found.liveness, found.recent_write_s) == (Liveness.UNKNOWN_NO_OUTPUT_FILE, None)
        assert missing.value in (plain(found.evidence) or "")


@pytest.mark.parametrize(
    ("age_s", "window_s", "liveness"), [(89, 90, LIVE), (90, 90, DEAD), (91, 90, DEAD), (29, 30, LIVE), (31, 30, DEAD), (-5, 90, LIVE)]
)
def test_a_session_without_any_time_asks_the_live_window(age_s: float, window_s: int, liveness: Liveness) -> None:
    found = judge(3_600 - age_s, saved=3_600 - age_s, last_record_at=None, live_window_s=window_s)
    assert found.liveness is liveness
    assert found.recent_write_s == max(0, age_s)


@pytest.mark.parametrize(
    ("written", "saved", "liveness"),
    [
        (100, 100, Liveness.UNKNOWN_MTIMES),
        (100, 105, Liveness.UNKNOWN_MTIMES),
        (105, 100, Liveness.UNKNOWN_MTIMES),
        (100, 105.1, LIVE),  # not the same moment
        (105.1, 100, LIVE),
        (5.1, 5.1, Liveness.UNKNOWN_MTIMES),
        (5.1, 5, LIVE),  # the transcript was written at the end of the session, so nothing was copied
        (5, 5.1, DEAD),  # the output was
        (5, 5, DEAD),
        (5.1, 0, LIVE),
        (4.9, 0, DEAD),
        (-600, 0, DEAD),
        (-600, -600, DEAD),
    ],
)
def test_edges_of_a_copied_tree_and_of_a_later_write(written: float, saved: float, liveness: Liveness) -> None:
    assert judge(written, saved=saved).liveness is liveness


def test_a_copied_tree_cannot_be_told_where_the_transcript_is_gone() -> None:
    gone = FileFact(path=SAVED, missing=Missing.GONE)
    assert judge(100, transcript=gone).liveness is LIVE


def test_a_later_write_is_told_in_seconds_and_a_restart_since_leaves_it_possible() -> None:
    assert plain(judge(42).evidence) == "its output was written 42 s after the session's last record"
    found = judge(42, booted_at=after(60))
    assert found.liveness is LIVE
    assert "restarted since, but the files may come from another" in (plain(found.evidence) or "")
    assert "restarted" not in (plain(judge(42, booted_at=after(41)).evidence) or "")


@pytest.mark.parametrize("size_bytes", [10, 0])
@pytest.mark.parametrize("booted", [None, -100, 60])
@pytest.mark.parametrize("holders", [ASKED, NOT_ASKED])
def test_a_silent_or_empty_output_is_dead_and_says_what_was_asked(size_bytes: int, booted: float | None, holders: HolderFact) -> None:
    found = judge(0, holders, size_bytes=size_bytes, booted_at=None if booted is None else after(booted))
    assert (found.liveness, found.recent_write_s) == (DEAD, 3_600)
    words = plain(found.evidence) or ""
    assert ("no process holds its output file" in words) is holders.asked
    assert ("could not be asked" in words) is not holders.asked
    assert ("restarted since" in words) is (booted == 60)


@pytest.mark.parametrize(
    ("ahead_s", "age_s", "liveness"),
    [
        (5, 3_600, DEAD),  # clocks of two machines, seen at once
        (6, 3_600, Liveness.UNKNOWN_MTIMES),
        (6, 89, LIVE),
        (6, 90, Liveness.UNKNOWN_MTIMES),
        (86_400, 0, LIVE),
    ],
)
def test_a_last_record_in_the_future_proves_no_silence(ahead_s: float, age_s: float, liveness: Liveness) -> None:
    found = judge(3_600 - age_s, saved=3_600 - age_s, last_record_at=after(3_600 + ahead_s))
    assert found.liveness is liveness
    assert ("lies in the future" in (plain(found.evidence) or "")) is (liveness is not DEAD)


@pytest.mark.parametrize("moment", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
def test_no_moment_of_the_calendar_is_too_far(moment: datetime) -> None:
    assert judge(0, last_record_at=moment).liveness in {LIVE, Liveness.UNKNOWN_MTIMES}
    assert judge(0, now=moment).liveness in {DEAD, Liveness.UNKNOWN_MTIMES}


def test_silence_is_not_told_by_a_record_that_has_no_time() -> None:
    words = plain(judge(0, saved=0, last_record_at=None).evidence) or ""
    assert words == "nothing wrote to its output in the last 90 s, and no record has a time; no process holds its output file"


def test_an_empty_output_written_later_is_possibly_live() -> None:
    assert judge(60, size_bytes=0).liveness is LIVE


def test_a_write_in_the_future_is_no_negative_age() -> None:
    assert judge(7_200).recent_write_s == 0


def test_a_kind_that_the_harness_says_nothing_of_is_judged_by_its_output() -> None:
    assert judge_liveness(worker(WorkerKind.AGENT), output(0), ASKED, scene(rows=())).liveness is DEAD


OLDER, YOUNGER = after(-3600), after(60)


@pytest.mark.parametrize(
    ("kind", "life", "heir", "state"),
    [
        (DriverKind.WAKEUP, None, None, DriverState.LOST),
        (DriverKind.WAKEUP, OLDER, None, DriverState.POSSIBLY_LIVE),
        (DriverKind.WAKEUP, YOUNGER, None, DriverState.LOST),
        (DriverKind.SCHEDULE, YOUNGER, None, DriverState.POSSIBLY_LIVE),  # set up again by the process that resumed the session
        (DriverKind.LOOP, YOUNGER, None, DriverState.POSSIBLY_LIVE),
        (DriverKind.SCHEDULE, None, OLDER, DriverState.POSSIBLY_LIVE),
        (DriverKind.SCHEDULE, None, YOUNGER, DriverState.LOST),
    ],
)
def test_a_driver_may_run_on_in_a_process_that_lives(
    kind: DriverKind, life: datetime | None, heir: datetime | None, state: DriverState
) -> None:
    lives: dict[str, Any] = {name: replace(ALIVE, since=since) if since else None for name, since in (("life", life), ("heir", heir))}
    stamp = Stamp(source=Source(path=SAVED), line=1, at=DIED)
    set_up = Driver(driver_id=Raw("j1"), kind=kind, state=DriverState.LOST, stamp=stamp)
    assert judge_driver(set_up, scene(**lives)) is state


@pytest.mark.parametrize("state", [DriverState.DURABLE, DriverState.REMOVED])
def test_what_did_not_live_in_the_process_is_as_it_was(state: DriverState) -> None:
    set_up = Driver(driver_id=Raw("j1"), kind=DriverKind.SCHEDULE, state=state, stamp=Stamp(source=Source(path=SAVED), line=1))
    assert judge_driver(set_up, scene(life=ALIVE)) is state
