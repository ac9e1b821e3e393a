"""Hands work to a Dask cluster: tasks go in, their answers come out as they are ready, in no order, each exactly once.

What a worker that dies had not handed back is given to another one. Nothing is decided here, and no text of a transcript passes.
"""

# ruff: noqa: PLC0415 (an extra, loaded where a cluster is asked for)

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import Struct

from resume_forensics.errors import ForensicsError, MissingExtra
from resume_forensics.limits import LIMITS, Limits

if TYPE_CHECKING:
    from distributed import Client, Future

Task = TypeVar("Task")
Answer = TypeVar("Answer")

LOCAL_CLUSTER: Final[dict[str, Any]] = {
    "n_workers": 2,
    "threads_per_worker": 1,
    "processes": True,
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
    "silence_logs": "CRITICAL",
}
"""How a cluster is made on this machine: it listens to nobody else, has no page to look at, and its logs do not tear the progress bar."""

LOCAL_SETTINGS: Final = {"distributed.deploy.lost-worker-timeout": "1 hour"}
"""A worker that was killed is started again however often that happens; else one that is seen to be missing too often is dropped."""

_LEAD: Final = 3
"""Batches that wait at each thread of the cluster, so that none is ever idle and the scheduler never holds a whole corpus."""


class Job(Struct, Generic[Task, Answer], frozen=True, kw_only=True):
    """What is done with each task.

    `work` is sent by name, so the package has to be installed where the workers are. `weigh`: the bytes of a task. `give_up` answers
    for a task that killed every worker it was given to.
    """

    work: Callable[[Task], Answer]
    weigh: Callable[[Task], int]
    give_up: Callable[[Task], Answer]


def map_on_cluster(
    job: Job[Task, Answer], tasks: Iterable[Task], *, scheduler: str | None = None, limits: Limits = LIMITS
) -> Iterator[tuple[Task, Answer]]:
    """Yield each task with its answer. Without the address of a `scheduler` a cluster of two processes is made here for the time.

    Raises `MissingExtra`, or `ForensicsError` where the cluster cannot be used.
    """
    with ExitStack() as stack:
        crew = _Crew(_connect(scheduler, stack, limits), job, limits)
        batches = _batch(tasks, job.weigh, limits)
        doubted: list[Task] = []
        for batch in islice(batches, _LEAD * crew.threads):
            crew.submit(batch)
        for batch, answers in crew.answers():
            if answers is None:
                doubted += batch
            else:
                yield from zip(batch, answers, strict=True)
            for following in islice(batches, 1):
                crew.submit(following)
        # One of them kills workers, the others were only there when it did: each is tried again with nothing beside it.
        for task in doubted:
            crew.submit([task])
            for _, answers in crew.answers():
                yield task, answers[0] if answers else job.give_up(task)


class _Crew(Generic[Task, Answer]):
    """The workers of a cluster, and what they owe."""

    def __init__(self, client: "Client", job: Job[Task, Answer], limits: Limits) -> None:
        self._client = client
        self._job = job
        self._limits = limits
        self._owed: dict[Future, list[Task]] = {}
        self.threads = sum(client.nthreads().values())

    def submit(self, batch: list[Task]) -> None:
        """Hand a batch to whichever worker is free."""
        self._owed[self._client.submit(_work_on, self._job.work, batch, pure=False)] = batch

    def answers(self) -> Iterator[tuple[list[Task], list[Answer] | None]]:
        """Yield each batch once it is done, with its answers; None where every worker died that it was given to."""
        from concurrent.futures import CancelledError

        try:
            while self._owed:
                for future in self._wait():
                    answers: list[Answer] | None = _fetch(future)
                    yield self._owed.pop(future), answers
                    future.release()
        except CancelledError:
            raise ForensicsError("the scheduler of the cluster went away before everything was counted") from None

    def _wait(self) -> "set[Future]":
        """What is done. While nothing is, look now and then whether anybody is left to do it."""
        from distributed import wait

        while True:
            try:
                done: set[Future] = wait(list(self._owed), timeout=self._limits.cluster_lost_s, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                if not self._client.nthreads():
                    raise ForensicsError("the cluster lost every worker before everything was counted") from None
            else:
                return done


def _fetch(future: "Future") -> list[Answer] | None:
    """The answers of a batch. What went wrong in a worker is told by the name of the error alone."""
    from distributed import KilledWorker

    try:
        error = future.exception()
        answers: list[Answer] | None = None if error else future.result()
    except KilledWorker:
        return None
    if error is not None and not isinstance(error, KilledWorker):
        raise ForensicsError(f"a worker of the cluster failed with {type(error).__name__}; is this version installed there?") from error
    return answers


def _work_on(work: Callable[[Task], Answer], batch: list[Task]) -> list[Answer]:
    """What a worker does."""
    return [work(task) for task in batch]


def _batch(tasks: Iterable[Task], weigh: Callable[[Task], int], limits: Limits) -> Iterator[list[Task]]:
    """Put small tasks together, so that a cluster is not busy with handing them round. Order is kept."""
    batch: list[Task] = []
    size_bytes = 0
    for task in tasks:
        more = weigh(task)
        if batch and (len(batch) >= limits.cluster_batch or size_bytes + more > limits.cluster_batch_bytes):
            yield batch
            batch, size_bytes = [], 0
        batch.append(task)
        size_bytes += more
    if batch:
        yield batch


def _connect(scheduler: str | None, stack: ExitStack, limits: Limits) -> "Client":
    """A client of the cluster at this address, or of one made here; the stack closes what was opened."""
    try:
        import dask
        import distributed
    except ImportError:
        raise MissingExtra("--engine dask needs packages that are not installed: pip install 'resume-forensics[dask]'") from None
    where = "a cluster on this machine" if scheduler is None else f"the scheduler at {scheduler!r}"
    try:
        if scheduler is None:
            stack.enter_context(dask.config.set(LOCAL_SETTINGS))
            cluster = stack.enter_context(distributed.LocalCluster(**LOCAL_CLUSTER))
        client = stack.enter_context(distributed.Client(scheduler or cluster, timeout=limits.cluster_wait_s))
        client.wait_for_workers(1, timeout=limits.cluster_wait_s)
    except (OSError, TimeoutError, RuntimeError, ValueError) as error:
        raise ForensicsError(f"{where} could not be used ({type(error).__name__}); is it there, and has it workers?") from error
    return client
