"""What several sessions tell together: later ends, work done again, and what a fresh session resumes."""

from count.rows import MINUTE, session, turn, worker
from resume_forensics.count.neighbours import count_redone, find_resumed, group_directories, lost_kinds, settle_workers, sort_by_end
from resume_forensics.limits import LIMITS
from resume_forensics.vocabulary import WorkerKind, WorkerState

REPORTED, FAILED, OPEN = WorkerState.REPORTED, WorkerState.REPORTED_FAILED, WorkerState.UNREPORTED


def states(*sessions: object) -> list[list[tuple[WorkerState, bool]]]:
    settled = settle_workers(sessions)  # type: ignore[arg-type]
    return [[(one.state, one.launch_missing) for one in each.workers] for each in settled]


def test_an_end_told_later_moves_to_its_worker_by_id_or_by_call() -> None:
    first = session(1, workers=(worker(name=11), worker(call=12), worker(name=13)))
    later = session(20, workers=(worker(REPORTED, name=11, launch_missing=True), worker(FAILED, call=12, launch_missing=True)))
    assert states(later, first) == [[(REPORTED, False), (FAILED, False), (OPEN, False)], []]


def test_an_end_told_later_is_taken_with_its_time_and_delivery() -> None:
    first = session(1, workers=(worker(name=11, survived=True),))
    later = session(20, workers=(worker(REPORTED, name=11, launch_missing=True, unheard=True, ended_ms=5),))
    settled = settle_workers([first, later])[0].workers[0]
    assert (settled.unheard, settled.ended_ms, settled.survived) == (True, 5, False)


def test_an_end_told_earlier_or_in_another_folder_is_none() -> None:
    told = worker(REPORTED, name=11, launch_missing=True)
    late = session(20, workers=(worker(name=11),))
    assert states(session(1, workers=(told,)), late) == [[(REPORTED, True)], [(OPEN, False)]]
    elsewhere = session(30, folder=8, directory=8, workers=(told,))
    assert states(late, elsewhere) == [[(OPEN, False)], [(REPORTED, True)]]


def test_ends_are_looked_for_in_the_nearest_sessions_alone() -> None:
    first = session(1, workers=(worker(name=11),))
    between = [session(20 + number) for number in range(LIMITS.later_sessions - 1)]
    told = worker(REPORTED, name=11, launch_missing=True)
    near = session(90, workers=(told,))
    assert settle_workers([first, *between, near])[0].workers[0].state is REPORTED
    assert settle_workers([first, *between, session(89), near])[0].workers[0].state is OPEN


def test_sessions_stand_by_directory_and_beginning() -> None:
    settled = settle_workers([session(5), session(9, directory=1), session(3), session(4, first_ms=None)])
    assert [[one.session for one in group] for group in group_directories(settled)] == [[9], [3, 5, 4]]


def test_work_is_redone_in_its_session_or_in_the_next_one() -> None:
    done = worker(REPORTED, work=1, ended_ms=5 * MINUTE)
    again = session(20, workers=(worker(work=1, launched_ms=21 * MINUTE),))
    assert count_redone([session(1, workers=(done,)), again]) == 1
    assert count_redone([session(1, workers=(done,)), session(15), again]) == 0
    assert count_redone([session(1, workers=(worker(REPORTED, work=1, redone=True),))]) == 1
    assert count_redone([session(1, workers=(worker(FAILED, work=1, ended_ms=1, redone=True),)), again]) == 0


def test_work_of_another_kind_another_prompt_or_an_earlier_launch_is_not_redone() -> None:
    done = session(1, workers=(worker(REPORTED, work=1, ended_ms=5 * MINUTE),))
    others = (
        worker(kind=WorkerKind.WORKFLOW, work=1, launched_ms=21 * MINUTE),
        worker(work=2, launched_ms=21 * MINUTE),
        worker(work=1, launched_ms=4 * MINUTE),
        worker(work=1),
        worker(launched_ms=21 * MINUTE),
    )
    assert count_redone([done, session(3, workers=others)]) == 0
    assert count_redone([session(1, workers=(worker(REPORTED, work=1), worker(REPORTED, ended_ms=1))), session(3, workers=others)]) == 0


def test_the_newest_session_that_had_ended_is_resumed() -> None:
    fresh = session(40, last_ms=50 * MINUTE)
    ended = sort_by_end([session(1), session(5), session(35), fresh, session(2, last_ms=None)])
    assert [one.session for one in ended] == [1, 5, 35, 40]
    for minute, found in ((40, 5), (45, 35), (50, 35), (10, None)):
        resumed = find_resumed(turn(at_ms=minute * MINUTE), fresh, ended)
        assert (resumed and resumed.session) == found
    assert find_resumed(turn(), fresh, ended) is None


def test_what_a_session_left_behind() -> None:
    left = session(1, workers=(worker(), worker(REPORTED), worker(kind=WorkerKind.MONITOR), worker(launch_missing=True)))
    assert lost_kinds(left) == (WorkerKind.AGENT, WorkerKind.MONITOR)
