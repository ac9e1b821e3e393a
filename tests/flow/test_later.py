"""Later sessions of the same folder are searched for the ends of workers that are still open."""

from datetime import timedelta
from pathlib import Path

import pytest

from flow.builders import S1, S2, S3, START, Transcript, helper_path, notice, plain, scan_file, touch, warnings_of, workers_of
from resume_forensics.flow import discover
from resume_forensics.flow import later as module
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import WorkerReport
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Delivery, WorkerState

HOUR = timedelta(hours=1)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def first_session(store: Path, *, worker: str = "b1", call: str = "toolu_1") -> Path:
    main = Transcript(S1)
    main.human()
    main.shell(worker, call)
    return main.write(store)


def next_session(*texts: str, name: str = S2, hours: float = 1) -> Transcript:
    later = Transcript(name, at=START + hours * HOUR)
    later.human("a new start")
    for text in texts:
        later.human(text)
    return later


def only(path: Path) -> WorkerReport[Raw]:
    (worker,) = workers_of(scan_file(path)).values()
    return worker


def test_an_end_in_the_next_session_counts_and_the_evidence_names_its_file(store: Path) -> None:
    path = first_session(store)
    other = next_session(notice("b1", "failed")).write(store)
    worker = only(path)
    assert (worker.state, plain(worker.status), worker.delivery) == (WorkerState.REPORTED_FAILED, "failed", Delivery.DELIVERED)
    assert worker.evidence.notice is not None
    assert (plain(worker.evidence.notice.file), worker.evidence.notice.line) == (str(other), 2)


def test_an_end_that_only_the_queue_of_the_next_session_holds_was_told_to_nobody(store: Path) -> None:
    path = first_session(store)
    later = next_session()
    later.enqueue(notice("b1"))
    later.write(store)
    assert (only(path).state, only(path).delivery) == (WorkerState.REPORTED, Delivery.QUEUED)


def test_an_end_that_names_the_tool_call_alone_counts(store: Path) -> None:
    path = first_session(store)
    next_session("<task-notification>\n<tool-use-id>toolu_1</tool-use-id>\n<status>completed</status>\n</task-notification>").write(store)
    assert only(path).state is WorkerState.REPORTED


@pytest.mark.parametrize(
    ("call", "state"), [(None, WorkerState.UNREPORTED), ("toolu_9", WorkerState.UNREPORTED), ("toolu_1", WorkerState.REPORTED)]
)
def test_a_counter_is_known_by_its_tool_call_alone(store: Path, call: str | None, state: WorkerState) -> None:
    path = first_session(store, worker="bash_1")
    next_session(notice("bash_1", call=call)).write(store)
    assert only(path).state is state


@pytest.mark.parametrize("text", [notice("b9"), notice("b1", None), notice("b1", "running"), f"quoted: {notice('b1')}", "b1 is completed"])
def test_what_is_no_end_of_an_open_worker_changes_nothing(store: Path, text: str) -> None:
    path = first_session(store)
    next_session(text).write(store)
    assert only(path).state is WorkerState.UNREPORTED
    assert list(workers_of(scan_file(path))) == ["b1"]


def test_earlier_sessions_and_those_of_other_folders_are_not_searched(store: Path) -> None:
    path = first_session(store)
    next_session(notice("b1"), hours=-1).write(store)
    next_session(notice("b1"), name=S3).write(store, "-work-other")
    next_session(notice("b1"), name="agent-a1").write(store)
    assert only(path).state is WorkerState.UNREPORTED


def test_a_session_without_any_time_has_no_later_ones(store: Path) -> None:
    main = Transcript(S1, timestamp=None)
    main.shell("b1", "toolu_1")
    path = main.write(store)
    next_session(notice("b1")).write(store)
    assert only(path).state is WorkerState.UNREPORTED


def test_the_nearest_of_them_are_searched_up_to_the_limit(store: Path) -> None:
    path = first_session(store)
    for number in range(LIMITS.later_sessions):
        next_session(name=f"later-{number:02}", hours=1 + number).write(store)
    beyond = next_session(notice("b1"), name="beyond", hours=100)
    touch(beyond.write(store), START)  # the modification time decides nothing
    assert only(path).state is WorkerState.UNREPORTED
    said = "21 sessions of this directory are later: ends of workers were looked for in the first 20"
    assert said in warnings_of(scan_file(path))
    (store / "-work-shop" / "later-07.jsonl").unlink()
    assert only(path).state is WorkerState.REPORTED
    assert said not in warnings_of(scan_file(path))


def test_nothing_is_searched_where_nothing_is_open(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def probe_folder(*_: object) -> list[object]:
        raise AssertionError

    monkeypatch.setattr(module, "probe_folder", probe_folder)
    main = Transcript(S1)
    main.shell("b1", "toolu_1")
    main.human(notice("b1"))
    path = main.write(store)
    assert only(path).state is WorkerState.REPORTED
    main.shell("b2", "toolu_2")
    main.write(store)
    with pytest.raises(AssertionError):
        scan_file(path)


def test_a_worker_of_an_agent_is_looked_for_too(store: Path) -> None:
    main = Transcript(S1)
    main.human()
    path = main.write(store)
    nested = Transcript(S1, agentId="a1", isSidechain=True)
    nested.shell("b2", "toolu_2")
    nested.write_to(helper_path(path, "a1"))
    next_session(notice("b2")).write(store)
    assert only(path).state is WorkerState.REPORTED


def test_a_later_session_that_is_gone_when_it_is_opened_is_passed_over(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = first_session(store)
    gone = next_session(notice("b1")).write(store)
    whole = discover.probe_folder

    def probe_and_remove(*given: object) -> list[object]:
        found = list(whole(*given))  # type: ignore[arg-type]
        gone.unlink()
        return list(found)

    monkeypatch.setattr(module, "probe_folder", probe_and_remove)
    assert only(path).state is WorkerState.UNREPORTED
