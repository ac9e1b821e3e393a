"""The road of one sweep: find the transcripts, group them, let an engine count them, add up. In: roots. Out: a tally.

What an earlier sweep counted is asked first; an interrupt ends the sweep with what was counted until then.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.count.tally import Adding, Tally
from resume_forensics.errors import WrongUse
from resume_forensics.flow.engines import Engine, Task, count_here, count_in_pool
from resume_forensics.flow.memory import Memory
from resume_forensics.flow.unit import Unit, group_units
from resume_forensics.harness import HARNESSES
from resume_forensics.limits import LIMITS
from resume_forensics.mask.engine import mask_text
from resume_forensics.model.count import UnitCount
from resume_forensics.model.piece import Piece
from resume_forensics.read.transcripts import find_transcripts

Advance: TypeAlias = Callable[[int, int], None]
"""Told of files, and of bytes, that were done since it was told last."""


_NO_PIECES: Final[dict[str, Piece]] = {}


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be counted."""

    units: tuple[Unit, ...]
    files: int
    size_bytes: int


class Swept(Struct, frozen=True, kw_only=True):
    """What was counted. `files` of `files_found` were; `interrupted`: somebody stopped it before the rest."""

    tally: Tally
    files: int
    files_found: int
    interrupted: bool


def plan_sweep(roots: Sequence[Path], *, limit: int | None = None) -> Plan:
    """List the transcripts below the roots and group them; `limit`: the first so many of them, in the order of their paths.

    Raises `UnreadableFile` where there is nothing at a root, `WrongUse` where no root is given.
    """
    if not roots:
        raise WrongUse("no folder of transcripts is known; name one")
    listed = dict(found for root in roots for found in find_transcripts(root))
    units = tuple(group_units((path, max(0, size)) for path, size in islice(listed.items(), limit)))
    files = sum(len(unit.files) for unit in units)
    return Plan(units=units, files=files, size_bytes=sum(unit.size_bytes for unit in units))


def find_own_root(home: Path | None, environment: Iterable[tuple[str, str]]) -> tuple[Path, ...]:
    """The store of the person's own harness; none where no home folder is known."""
    return () if home is None else (HARNESSES[0].find_store(home, dict(environment)),)


def choose_engine(plan: Plan, *, jobs: int, plain: bool = False) -> Engine:
    """The engine for a plan: this process for a small one or where it is to be one, else a pool of so many processes."""
    if jobs == 1 or len(plan.units) == 1 or plan.size_bytes < LIMITS.sweep_pool_bytes:
        return partial(count_here, plain=plain)
    return partial(count_in_pool, jobs=jobs, plain=plain)


def run_sweep(plan: Plan, engine: Engine, *, memory: Memory | None = None, advance: Advance = lambda _files, _bytes: None) -> Swept:
    """Count a plan. `advance` is told of every unit that is done."""
    adding, files, interrupted = Adding(), 0, False
    try:
        for unit, row in _count(plan, engine, memory):
            adding.add(row)
            files += len(unit.files)
            advance(len(unit.files), unit.size_bytes)
    except KeyboardInterrupt:
        interrupted = True
    return Swept(tally=_hide(adding.answer()), files=files, files_found=plan.files, interrupted=interrupted)


def _count(plan: Plan, engine: Engine, memory: Memory | None) -> Iterator[tuple[Unit, UnitCount]]:
    """The row of each unit, in no order: first what is known already."""
    tasks: list[Task] = []
    for unit in plan.units:
        recalled = memory.recall(unit) if memory else None
        if recalled is not None and recalled.row is not None:
            yield unit, recalled.row
        else:
            tasks.append((unit, recalled.pieces if recalled else _NO_PIECES))
    for unit, counted in engine(tasks) if tasks else ():
        if memory:
            memory.keep(unit, counted)
        yield unit, counted.row


def _hide(tally: Tally) -> Tally:
    """The names of files that could not be read, masked: they alone are shown as they are."""
    return replace(tally, unreadable=frozenset(str(mask_text(path)) for path in tally.unreadable))
