"""Who counts the units: this process, or a pool of processes. In: units. Out: the row of each, in no order; no text passes between them."""

import gc
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.context import BaseContext
from typing import Any, Final, TypeAlias

from resume_forensics.flow.count import count_unit
from resume_forensics.flow.unit import Unit
from resume_forensics.limits import LIMITS
from resume_forensics.model.count import Counted, UnitCount
from resume_forensics.model.piece import Piece
from resume_forensics.read.machine import ignore_interrupts

_LEAD: Final = 2
"""Batches that wait for each process, so that none is idle and no more than needed is in the air."""

Task: TypeAlias = tuple[Unit, dict[str, Piece]]
"""A unit, and how far its files were read before."""

Engine: TypeAlias = Callable[[Iterable[Task]], Iterator[tuple[Unit, Counted]]]


def count_here(tasks: Iterable[Task], *, plain: bool = False) -> Iterator[tuple[Unit, Counted]]:
    """Count one unit after the other in this process."""
    for unit, pieces in tasks:
        yield unit, count_unit(unit, pieces=pieces, plain=plain)


def count_in_pool(tasks: Iterable[Task], *, jobs: int, plain: bool = False) -> Iterator[tuple[Unit, Counted]]:
    """Count the units in so many processes, the largest first, small ones together.

    Where a process dies, what none has handed back is counted here. Interrupts are left to this process.
    """
    batches = batch_tasks(tasks)
    left: dict[Future[list[Any]], list[Task]] = {}
    pool = ProcessPoolExecutor(jobs, mp_context=_choose_context(), initializer=_begin)
    try:
        left |= {pool.submit(_count_batch, batch, plain): batch for batch in islice(batches, _LEAD * jobs)}
        while left:
            for done in wait(left, return_when=FIRST_COMPLETED).done:
                rows = done.result()
                units = [unit for unit, _ in left.pop(done)]
                yield from zip(units, map(_unpack, units, rows), strict=True)
                left |= {pool.submit(_count_batch, batch, plain): batch for batch in islice(batches, 1)}
    except BrokenProcessPool:
        yield from count_here((task for batch in (*left.values(), *batches) for task in batch), plain=plain)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def batch_tasks(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """The tasks by size, the largest first; small ones together up to a bound."""
    batch: list[Task] = []
    size = 0
    for task in sorted(tasks, key=lambda one: -one[0].size_bytes):
        batch.append(task)
        size += task[0].size_bytes
        if size >= LIMITS.sweep_batch_bytes or len(batch) >= LIMITS.sweep_batch_units:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _begin() -> None:
    """Begin a process of the pool. What it has in common with this one is left alone, so that no page of it need be copied."""
    ignore_interrupts()
    gc.freeze()


def _count_batch(batch: Sequence[Task], plain: bool) -> list[Any]:  # noqa: FBT001 (called through the pool)
    """Count a batch in a process of the pool. Plain lists are smaller on the way than values."""
    return [_pack(counted) for _, counted in count_here(batch, plain=plain)]


def _pack(counted: Counted) -> tuple[Any, Any]:
    return counted.row.to_plain(), [(path, piece.to_plain()) for path, piece in counted.pieces.items()]


def _unpack(unit: Unit, packed: tuple[Any, Any]) -> Counted:
    row, pieces = packed
    if row[1] is not None:
        row[1][0] = unit.main  # the same text is held once
    return Counted(row=UnitCount.from_plain(row), pieces={path: Piece.from_plain(piece) for path, piece in pieces})


def _choose_context() -> BaseContext:
    """The cheapest way to start a process that is safe here: a fork of a process with threads is not."""
    offered = multiprocessing.get_all_start_methods()
    alone = threading.active_count() == 1 and sys.platform == "linux"
    return multiprocessing.get_context("fork" if alone and "fork" in offered else "forkserver" if "forkserver" in offered else "spawn")
