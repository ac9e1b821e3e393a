"""Forensics for coding sessions that were stopped from outside: this is the whole public face.

Names only. Importing it is cheap: what reads, judges and masks is imported by the first call that needs it.
"""

# ruff: noqa: PLC0415 (see above)

from datetime import datetime
from pathlib import Path, PureWindowsPath

import resume_forensics.mask  # noqa: F401 (loaded before the function of that name, else its first import would take the name away)
from resume_forensics.count.tally import Tally
from resume_forensics.errors import ForensicsError, MissingExtra, NoSession, UnknownWorker, UnreadableFile, WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report, SessionList, WorkerReport
from resume_forensics.model.session import Selection
from resume_forensics.text import Masked, Raw

__all__ = [
    "ForensicsError",
    "Masked",
    "MissingExtra",
    "NoSession",
    "Raw",
    "Report",
    "SessionList",
    "Tally",
    "UnknownWorker",
    "UnreadableFile",
    "WorkerReport",
    "WrongUse",
    "mask",
    "scan",
    "sessions",
    "sweep",
]


def scan(  # noqa: PLR0913 (each is one option of the command line)
    session: Path | str | None = None,
    *,
    previous: bool = False,
    nth: int = 1,
    cwd: Path | str | None = None,
    projects_dir: Path | str | None = None,
    harness: str | None = None,
    live_window_s: int = LIMITS.live_window_s,
    plain: bool = False,
    now: datetime | None = None,
) -> Report[Masked]:
    """Answer what became of one session and of every worker it launched, masked.

    `session` names the transcript; else the sessions of `cwd` (default: the current directory) are ordered newest first and
    `nth` picks one, 1 the newest; `previous` is `nth=2`. `projects_dir` is the store of one harness: with it, nothing outside
    is looked at. `now` (aware) stands for the clock.

    Raises `NoSession`, `UnreadableFile` or `WrongUse`, each with one sentence.
    """
    from resume_forensics.flow.scan import scan as scan_selected
    from resume_forensics.read import machine

    if previous and nth != 1:
        raise WrongUse("previous and nth both choose a session: give only one of them")
    if session is not None and (previous or nth != 1):
        raise WrongUse("session already names the transcript: give it without previous or nth")
    position = 1 if previous else nth - 1
    selection = _select(session, position=position, cwd=cwd, projects_dir=projects_dir, harness=harness)
    return scan_selected(selection, now=now or machine.now(), live_window_s=live_window_s, plain=plain)


def sessions(
    *,
    cwd: Path | str | None = None,
    projects_dir: Path | str | None = None,
    harness: str | None = None,
    now: datetime | None = None,
) -> SessionList[Masked]:
    """Answer the sessions that belong to `cwd` (default: the current directory), newest first, masked. Raises `NoSession`."""
    from resume_forensics.flow.scan import list_sessions
    from resume_forensics.read import machine

    selection = _select(None, position=0, cwd=cwd, projects_dir=projects_dir, harness=harness)
    return list_sessions(selection, now=now or machine.now())


def sweep(*roots: Path | str, limit: int | None = None, jobs: int | None = None, plain: bool = False) -> Tally:
    """Answer what was counted over every transcript below the roots (default: this user's own), as a tally that merges (`+`).

    `tally.document()` is the JSON document `resume-forensics/stats/1`. `limit`: only the first so many files. `jobs`: processes.
    Raises `UnreadableFile` where there is nothing at a root, `WrongUse`; `KeyboardInterrupt` where it was interrupted.
    """
    from resume_forensics.flow.sweep import choose_engine, find_own_root, plan_sweep, run_sweep
    from resume_forensics.read import machine

    paths = [Path(root) for root in roots] or find_own_root(machine.home(), machine.environment())
    plan = plan_sweep(paths, limit=limit)
    swept = run_sweep(plan, choose_engine(plan, jobs=jobs or machine.count_processors(), plain=plain))
    if swept.interrupted:
        raise KeyboardInterrupt
    return swept.tally


def mask(text: str) -> Masked:
    """Answer the text with every secret that the rules know replaced by a placeholder."""
    from resume_forensics.mask.engine import mask_text

    return mask_text(text)


def _select(
    session: Path | str | None, *, position: int, cwd: Path | str | None, projects_dir: Path | str | None, harness: str | None
) -> Selection:
    """Say it as a selection. Home folder and environment are asked only where neither a transcript nor a store is named."""
    from resume_forensics.read import machine

    if position < 0:
        raise WrongUse("nth counts from 1, which is the newest session")
    alone = session is None and projects_dir is None
    return Selection(
        directory=Path() if session is not None else _locate(cwd),
        session=None if session is None else Path(session),
        position=position,
        store=None if projects_dir is None else Path(projects_dir),
        harness=harness,
        home=machine.home() if alone else None,
        environment=machine.environment() if alone else (),
    )


def _locate(cwd: Path | str | None) -> Path:
    """The directory whose sessions are meant, absolute; a Windows path is left as it is on every machine."""
    from resume_forensics.read import machine

    path = Path(cwd or ".")
    if path.is_absolute() or PureWindowsPath(path).is_absolute():
        return path
    here = machine.working_directory()
    if here is None:
        raise WrongUse("the current directory is gone; name the one whose sessions are meant (cwd)")
    return here / path
