"""A cluster of two real processes answers for each task exactly once, whatever becomes of its workers.

What is sent to it is defined inside the tests: such functions travel as they are, so that the workers need not find this file.
"""

import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from itertools import count

import dask
import distributed
import pytest
from distributed import LocalCluster

from resume_forensics.errors import ForensicsError, MissingExtra
from resume_forensics.flow import cluster
from resume_forensics.flow.cluster import LOCAL_CLUSTER, LOCAL_SETTINGS, Job, map_on_cluster
from resume_forensics.limits import Limits

ONE_BY_ONE = Limits(cluster_batch=1)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster of two processes that gives a task up once it has killed two of them."""
    settings = {**LOCAL_SETTINGS, "distributed.scheduler.allowed-failures": 1}
    with dask.config.set(settings), LocalCluster(**LOCAL_CLUSTER) as made:
        yield made.scheduler_address


def job(work: Callable[[int], int]) -> Job[int, int]:
    return Job(work=work, weigh=lambda task: task, give_up=lambda task: -task)


def test_every_task_is_answered_once(scheduler: str) -> None:
    answers = list(map_on_cluster(job(lambda task: task * task), range(1_000), scheduler=scheduler, limits=Limits(cluster_batch=30)))
    assert sorted(answers) == [(task, task * task) for task in range(1_000)]


def test_nothing_to_do_is_done(scheduler: str) -> None:
    assert list(map_on_cluster(job(lambda task: task), [], scheduler=scheduler)) == []


def test_without_an_address_two_processes_are_started_here() -> None:
    def work(task: int) -> int:
        time.sleep(0.05)
        return os.getpid() + 0 * task

    pids = {pid for _, pid in map_on_cluster(job(work), range(8), limits=ONE_BY_ONE)}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_tasks_are_asked_for_as_they_are_needed(scheduler: str) -> None:
    asked = count()
    answers = map_on_cluster(job(lambda task: task), iter(lambda: next(asked), None), scheduler=scheduler, limits=ONE_BY_ONE)
    for _ in range(20):
        next(answers)
    assert next(asked) < 20 + 2 * cluster._LEAD + 2
    answers.close()  # type: ignore[attr-defined]  # a generator


def test_a_worker_killed_on_the_way_loses_nothing(scheduler: str) -> None:
    def work(task: int) -> int:
        time.sleep(0.02)
        return os.getpid() + 0 * task

    pids: list[int] = []
    tasks = []
    for task, pid in map_on_cluster(job(work), range(60), scheduler=scheduler, limits=Limits(cluster_batch=3)):
        tasks.append(task)
        pids.append(pid)
        if len(pids) == 10:
            os.kill(pid, signal.SIGKILL)
            killed = pid
    assert Counter(tasks) == Counter(range(60))
    assert killed not in pids[30:]
    assert len(set(pids)) >= 2


def test_what_a_killer_took_with_it_is_tried_again_alone(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = iter([None, [1], None, [3]])
    monkeypatch.setattr(cluster, "_fetch", lambda _: next(fetched))
    assert list(map_on_cluster(job(lambda task: task), range(1, 4), scheduler=scheduler)) == [(1, 1), (2, -2), (3, 3)]


@pytest.mark.skipif(os.environ.get("RESUME_FORENSICS_PROFILE") != "slow", reason="takes long: RESUME_FORENSICS_PROFILE=slow runs it")
def test_a_task_that_kills_every_worker_is_given_up_and_no_other(scheduler: str) -> None:
    def work(task: int) -> int:
        if task == 2:
            time.sleep(0.7)  # a process that dies while it starts is not started again
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    answers = list(map_on_cluster(job(work), range(1, 4), scheduler=scheduler))
    assert sorted(answers) == [(1, 1), (2, -2), (3, 3)]


def test_what_goes_wrong_in_a_worker_is_named_without_its_words(scheduler: str) -> None:
    def work(task: int) -> int:
        raise ModuleNotFoundError("a telling text" * task)

    with pytest.raises(ForensicsError) as caught:
        list(map_on_cluster(job(work), [1], scheduler=scheduler))
    assert str(caught.value) == "a worker of the cluster failed with ModuleNotFoundError; is this version installed there?"


class Answering:
    """Stands for `distributed.wait` on a cluster that fails: one error after the other."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def __call__(self, *_: object, **__: object) -> None:
        """Fail in the next way."""
        raise self.errors.pop(0)


def test_a_scheduler_that_goes_away_is_told(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "wait", Answering(TimeoutError(), CancelledError()))
    with pytest.raises(ForensicsError, match="the scheduler of the cluster went away"):
        list(map_on_cluster(job(lambda task: task), [1], scheduler=scheduler))


def test_a_cluster_that_loses_every_worker_is_told(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([{"one": 1, "two": 1}, {"one": 1}, {}])
    monkeypatch.setattr(distributed.Client, "nthreads", lambda _: next(left))
    monkeypatch.setattr(distributed, "wait", Answering(TimeoutError(), TimeoutError()))
    with pytest.raises(ForensicsError, match="lost every worker"):
        list(map_on_cluster(job(lambda task: task), [1], scheduler=scheduler))


def test_an_address_where_nobody_listens_is_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ForensicsError, match=f"the scheduler at '{address}' could not be used"):
            list(map_on_cluster(job(lambda task: task), [1], scheduler=address, limits=Limits(cluster_wait_s=1)))


@pytest.mark.parametrize("address", ["nonsense://x", "not an address"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(ForensicsError, match="could not be used"):
        list(map_on_cluster(job(lambda task: task), [1], scheduler=address, limits=Limits(cluster_wait_s=1)))


def test_a_cluster_without_workers_is_told() -> None:
    with (
        LocalCluster(**{**LOCAL_CLUSTER, "n_workers": 0}) as made,
        pytest.raises(ForensicsError, match="has it workers"),
    ):
        list(map_on_cluster(job(lambda task: task), [1], scheduler=made.scheduler_address, limits=Limits(cluster_wait_s=1)))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'resume-forensics\[dask\]'"):
        list(map_on_cluster(job(lambda task: task), [1]))


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [
        ([], []),
        ([1, 1, 1, 1, 1], [[1, 1, 1], [1, 1]]),
        ([9, 1, 9, 1, 30, 1], [[9, 1], [9, 1], [30], [1]]),
    ],
)
def test_small_tasks_are_put_together(sizes: list[int], batches: list[list[int]]) -> None:
    assert list(cluster._batch(sizes, lambda size: size, Limits(cluster_batch=3, cluster_batch_bytes=10))) == batches
