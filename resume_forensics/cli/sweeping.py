"""One sweep as the options want it: with its cache, its engine and its progress. In: options. Out: what was counted.

What goes wrong with the cache is said on standard error and changes no figure.
"""

# ruff: noqa: PLC0415 (what is heavy is imported late)

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from resume_forensics.cli.console import tell
from resume_forensics.cli.progress import show_progress
from resume_forensics.errors import WrongUse

if TYPE_CHECKING:
    from resume_forensics.flow.engines import Engine
    from resume_forensics.flow.sweep import Plan, Swept
    from resume_forensics.read.cache import Cache


class EngineName(StrEnum):
    """Who counts."""

    LOCAL = "local"
    DASK = "dask"


class Choice(Struct, frozen=True, kw_only=True):
    """What the options say about how to count. `jobs` None: as many processes as there are processors."""

    roots: Sequence[str]
    limit: int | None = None
    jobs: int | None = None
    plain: bool = False
    engine: EngineName = EngineName.LOCAL
    scheduler: str | None = None
    cached: bool = True
    verify: bool = False
    quiet: bool = False


def sweep_as_chosen(choice: Choice) -> "Swept":
    """Count, showing how far it is. Raises `ForensicsError` where the options cannot be obeyed or there is nothing to count."""
    from resume_forensics.flow.memory import Memory
    from resume_forensics.flow.sweep import run_sweep

    _refuse_contradictions(choice)
    plan = _make_plan(choice)
    engine = _choose_engine(choice, plan)
    with _open_cache(choice) as cache, show_progress(files=plan.files, size_bytes=plan.size_bytes, quiet=choice.quiet) as advance:
        swept = run_sweep(plan, engine, memory=Memory(cache) if _uses_cache(choice) else None, advance=advance)
    for remark in cache.remarks:
        tell(remark)
    return swept


def _refuse_contradictions(choice: Choice) -> None:
    on_cluster = choice.engine is EngineName.DASK
    rules = (
        (choice.verify and not choice.cached, "--verify checks the cache, and --no-cache goes without it: give only one of them"),
        (choice.scheduler and not on_cluster, "--scheduler names a cluster: give it with --engine dask"),
        (choice.jobs and on_cluster, "--jobs counts processes of this machine; a cluster has its own workers"),
        (any("://" in root for root in choice.roots) and not on_cluster, "a root that is a URL needs --engine dask"),
    )
    for broken, sentence in rules:
        if broken:
            raise WrongUse(sentence)


def _make_plan(choice: Choice) -> "Plan":
    from resume_forensics.flow.sweep import find_own_root, plan_sweep
    from resume_forensics.read import machine

    if choice.engine is EngineName.DASK and choice.roots:
        from resume_forensics.flow.afar import plan_afar

        return plan_afar(choice.roots, limit=choice.limit)
    roots = tuple(map(Path, choice.roots)) or find_own_root(machine.home(), machine.environment())
    return plan_sweep(roots, limit=choice.limit)


def _choose_engine(choice: Choice, plan: "Plan") -> "Engine":
    from resume_forensics.flow.sweep import choose_engine
    from resume_forensics.read import machine

    if choice.engine is EngineName.DASK:
        from resume_forensics.flow.afar import count_on_cluster

        return partial(count_on_cluster, scheduler=choice.scheduler, plain=choice.plain)
    return choose_engine(plan, jobs=choice.jobs or machine.count_processors(), plain=choice.plain)


def _uses_cache(choice: Choice) -> bool:
    """Every line is decoded to be sure, so what was counted otherwise is not taken over."""
    return choice.cached and not choice.plain


def _open_cache(choice: Choice) -> "Cache":
    from importlib.metadata import version

    from resume_forensics.flow.memory import FORM
    from resume_forensics.read import machine
    from resume_forensics.read.cache import Cache

    folder = machine.cache_folder() if _uses_cache(choice) else None
    definition = f"resume-forensics {version('resume-forensics')}, form {FORM}"
    return Cache(folder, definition, today=machine.now().date(), verify=choice.verify)
