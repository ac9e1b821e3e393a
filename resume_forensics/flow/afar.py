"""Counts units on a Dask cluster, be their files on this machine or in a store elsewhere. In: units. Out: what was counted of each.

A file elsewhere is copied to the worker that counts it and deleted there. Only counts come back.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from resume_forensics.flow.cluster import Job, map_on_cluster
from resume_forensics.flow.count import count_unit
from resume_forensics.flow.engines import Task
from resume_forensics.flow.sweep import Plan
from resume_forensics.flow.unit import Unit, group_units
from resume_forensics.harness import HARNESSES
from resume_forensics.model.count import Counted, SeedCount, UnitCount
from resume_forensics.read.remote import fetch, is_remote, list_remote, private_folder
from resume_forensics.read.transcripts import find_transcripts


def plan_afar(roots: Sequence[str], *, limit: int | None = None) -> Plan:
    """List the transcripts below roots that are paths or URLs, and group them. Raises as `plan_sweep` and `list_remote` do."""
    listed = dict(found for root in roots for found in (list_remote(root) if is_remote(root) else find_transcripts(Path(root))))
    files = list(listed.items())[:limit]
    units = tuple(group_units((path, max(0, size)) for path, size in files))
    return Plan(units=units, files=len(files), size_bytes=sum(unit.size_bytes for unit in units))


def count_on_cluster(tasks: Iterable[Task], *, scheduler: str | None = None, plain: bool = False) -> Iterator[tuple[Unit, Counted]]:
    """Count the units on the cluster of a scheduler, or on one of two processes that is made for it. Raises as `map_on_cluster` does."""
    job = Job(work=partial(count_task, plain=plain), weigh=_weigh, give_up=_give_up)
    for (unit, _), counted in map_on_cluster(job, tasks, scheduler=scheduler):
        yield unit, counted


def count_task(task: Task, *, plain: bool = False) -> Counted:
    """Count one unit where this runs."""
    unit, pieces = task
    return _count_copy(unit, plain=plain) if any(map(is_remote, unit.files)) else count_unit(unit, pieces=pieces, plain=plain)


def _count_copy(unit: Unit, *, plain: bool) -> Counted:
    """Fetch the files of a unit, in folders as they lie in their store, and count them here under their own names."""
    names = {url: url.partition("://")[2].lstrip("/") for url in unit.files}
    with private_folder() as folder:
        for url, name in names.items():
            fetch(url, folder / name)
            sidecar = HARNESSES[0].sidecar_name(Path(name).name)
            if url != unit.main and sidecar != Path(name).name:
                fetch(f"{url.rpartition('/')[0]}/{sidecar}", (folder / name).with_name(sidecar))
        main = None if unit.main is None else names[unit.main]
        copied = Unit(main=main, files=tuple(names.values()), size_bytes=unit.size_bytes)
        row = count_unit(copied, plain=plain, below=str(folder)).row
    urls = {name: url for url, name in names.items()}
    session = None if row.session is None else replace(row.session, file=urls[row.session.file])
    return Counted(row=replace(row, session=session, unreadable=tuple(urls[name] for name in row.unreadable)), pieces={})


def _weigh(task: Task) -> int:
    return task[0].size_bytes


def _give_up(task: Task) -> Counted:
    """Its files count as unreadable."""
    return Counted(row=UnitCount(seed=SeedCount(), unreadable=task[0].files), pieces={})
