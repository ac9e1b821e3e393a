"""Disagreements between the ledger and what the harness itself counted or noted, each told once, with both numbers."""

from collections.abc import Iterable

from deduce.builders import Tape, feed, helper_tape, join_tapes, plain
from resume_forensics.deduce.crosscheck import check_counts, check_job, check_sidecars
from resume_forensics.model.layout import JobState
from resume_forensics.model.report import Sidecar
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, WorkerKind


def counted(*tapes: Tape) -> list[str | None]:
    """What is said about the last count on the tapes."""
    return texts(check_counts(join_tapes(*tapes).workers, feed(*tapes).book.counts))


def texts(warnings: Iterable[Raw]) -> list[str | None]:
    return [plain(warning) for warning in warnings]


def test_without_a_count_nothing_is_said() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    assert counted(tape) == []


def test_equal_counts_are_not_mentioned_and_unequal_ones_with_both_numbers() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.launch("a2", "t2")
    tape.end("a1")
    tape.launch("w1", "t3", WorkerKind.WORKFLOW)
    tape.count(1, 1)
    assert counted(tape) == []
    tape.count(3, 0)
    assert counted(tape) == [
        "at line 6 the harness counted 3 agents in flight, the ledger 1: one of them missed something",
        "at line 6 the harness counted 0 workflows in flight, the ledger 1: one of them missed something",
    ]


def test_what_the_harness_did_not_count_is_not_compared() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.count(None, None)
    assert counted(tape) == []


def test_only_what_was_in_flight_at_that_record_counts() -> None:
    tape, helper = Tape(), helper_tape("a1")
    tape.launch("a1", "t1")
    tape.launch("b1", "t2", WorkerKind.BACKGROUND_SHELL)
    tape.launch("a2", "t3", habitat=Habitat.ELSEWHERE)
    tape.mention("a9", notice=True)  # its launch is not known
    helper.wait(2)
    helper.launch("a3", "t4")  # nested: the session does not count it
    tape.spawn("t5")  # in the foreground
    tape.count(1)
    tape.launch("a4", "t6")  # later
    tape.end("a1")  # ended later
    assert counted(tape, helper) == []


def sidecar(*, finished: bool, report_taken: bool | None = None) -> dict[Raw, Sidecar[Raw]]:
    return {Raw("a1"): Sidecar(file=Raw("/a1.meta.json"), finished=finished, report_taken=report_taken)}


def test_a_sidecar_that_says_more_than_the_ledger_knows_is_told() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    workers = join_tapes(tape).workers
    assert texts(check_sidecars(workers, sidecar(finished=True))) == [
        "the sidecar of a1 says that it finished, but no record of an end was found"
    ]
    assert texts(check_sidecars(workers, sidecar(finished=True, report_taken=True))) == [
        "the sidecar of a1 says that its report was taken, but no record of an end was found"
    ]
    assert texts(check_sidecars(workers, sidecar(finished=False))) == []
    assert texts(check_sidecars(workers, {})) == []


def test_a_sidecar_that_denies_the_end_that_a_record_tells_is_told() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.end("a1")
    workers = join_tapes(tape).workers
    assert texts(check_sidecars(workers, sidecar(finished=False))) == [
        "the sidecar of a1 says that it did not finish, but a record says that it came back"
    ]
    assert texts(check_sidecars(workers, sidecar(finished=True))) == []


def test_a_worker_without_id_has_no_sidecar() -> None:
    tape = Tape()
    tape.spawn("t1")
    assert texts(check_sidecars(join_tapes(tape).workers, sidecar(finished=True))) == []


def test_the_job_state_is_compared_with_the_workers_that_never_reported() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.launch("a2", "t2")
    tape.end("a2")
    workers = join_tapes(tape).workers

    def job(tasks: int | None) -> JobState:
        return JobState(session_id=Raw("s1"), in_flight=tasks, state=None)

    assert texts(check_job(workers, job(1))) == []
    assert texts(check_job(workers, job(2))) == [
        "the job state of this session counts 2 tasks in flight, the ledger 1 workers that never reported"
    ]
    assert texts(check_job(workers, job(None))) == []
    assert texts(check_job(workers, None)) == []
