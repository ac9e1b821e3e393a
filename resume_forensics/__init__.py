"""Forensics for coding sessions that were stopped from outside: this is the whole public face.

Names only. Importing it is cheap: what reads, judges and masks is imported by the first call that needs it.
"""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Final

import resume_forensics.mask  # noqa: F401 (loaded before the function of that name, else its first import would take the name away)
from resume_forensics.errors import ForensicsError, MissingExtra, NoSession, UnknownWorker, UnreadableFile, WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report, SessionList, WorkerReport
from resume_forensics.model.session import Selection
from resume_forensics.text import Masked, Raw

if TYPE_CHECKING:
    from resume_forensics.count.tally import Tally
    from resume_forensics.model.claim import Reconciliation
    from resume_forensics.model.discovery import Discovery
    from resume_forensics.model.skeleton import SkeletonFacts

__all__ = [
    "Discovery",
    "ForensicsError",
    "Masked",
    "MissingExtra",
    "NoSession",
    "Raw",
    "Reconciliation",
    "Report",
    "SessionList",
    "SkeletonFacts",
    "Tally",
    "UnknownWorker",
    "UnreadableFile",
    "WorkerReport",
    "WrongUse",
    "discover",
    "mask",
    "reconcile",
    "scan",
    "sessions",
    "skeleton",
    "sweep",
]

_LATER: Final = {
    "Discovery": "resume_forensics.model.discovery",
    "Reconciliation": "resume_forensics.model.claim",
    "SkeletonFacts": "resume_forensics.model.skeleton",
    "Tally": "resume_forensics.count.tally",
}
"""Names of this face that a scan does not need, and where they are fetched from when somebody asks for them."""


def __getattr__(name: str) -> object:
    """Fetch a name that is not loaded yet."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


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


def reconcile(  # noqa: PLR0913 (each is one option of the command line)
    directory: Path | str = ".",
    *,
    system: str | None = None,
    apply: bool = False,
    accept: Sequence[str] = (),
    facts: Path | str | None = None,
    session_id: str | None = None,
    saga_id: str | None = None,
    issue: str | None = None,
    projects_dir: Path | str | None = None,
    state_dir: str | None = None,
    contract: str | None = None,
    receipts: Sequence[str] = (),
    recent_s: int = LIMITS.recent_s,
    now: datetime | None = None,
) -> "Reconciliation[Masked]":
    """Answer how the state that a system wrote down in `directory` stands against the machine, masked; read-only without `apply`.

    `facts` is the file of what the machine cannot show; `accept` names conflicts, by id, that a person decided. `session_id`
    defaults to the environment's. `applied` is None without `apply`, and says there whether and why not it was done.

    Raises `WrongUse` or `UnreadableFile`, each with one sentence; damaged state is a finding, no exception.
    """
    from resume_forensics.flow.reconcile import reconcile as reconcile_selected
    from resume_forensics.model.claim import Circumstances
    from resume_forensics.read import machine

    selection = _select(None, position=0, cwd=directory, projects_dir=projects_dir, harness=None)
    own_id = session_id or dict(machine.environment()).get("CLAUDE_CODE_SESSION_ID")
    circumstances = Circumstances(
        now=now or machine.now(),
        root=Raw(str(selection.directory)),
        session_id=Raw(own_id) if own_id else None,
        saga_id=saga_id,
        issue=issue,
        state_dir=state_dir,
        contract=contract,
        receipts=tuple(receipts),
        recent_s=recent_s,
        accepted=frozenset(Raw(conflict) for conflict in accept),
    )
    return reconcile_selected(selection, circumstances, facts=None if facts is None else Path(facts), system=system, apply=apply)


def discover(  # noqa: PLR0913 (each is one option of the command line)
    repository: str | None = None,
    *,
    days: int = LIMITS.discovered_days,
    exclude: Sequence[str] = (),
    cap: int = LIMITS.discovered_sessions,
    cwd: Path | str | None = None,
    projects_dir: Path | str | None = None,
    harness: str | None = None,
    now: datetime | None = None,
) -> "Discovery[Masked]":
    """Answer the newest sessions of a repository (by its name; else that of `cwd`), a line each and never what they say, masked.

    A session belongs to it if the last part of a directory that its records name, or of the work tree around this directory, is the
    name. Those that `exclude` names by id, file name or path are left out, and your own where it can be known. Raises `WrongUse`.
    """
    from resume_forensics.flow.repositories import discover as discover_selected
    from resume_forensics.model.discovery import Search
    from resume_forensics.read import machine

    if days < 1 or cap < 1:
        raise WrongUse("days and cap count from 1")
    selection = _select(None, position=0, cwd=cwd, projects_dir=projects_dir, harness=harness)
    search = Search(repository=repository, days=days, cap=cap, excluded=tuple(exclude), environment=machine.environment())
    return discover_selected(selection, search, now=now or machine.now())


def skeleton(session: Path | str, output: Path | str, *, force: bool = False, harness: str | None = None) -> "SkeletonFacts":
    """Write the skeleton of a session to a file, masked and bounded, and answer its facts, never what the session says.

    A file that is there is refused without `force`. Raises `UnreadableFile`, `WrongUse` or `ForensicsError`, each with one sentence.
    """
    from resume_forensics.flow.skeleton import write_skeleton

    selection = _select(session, position=0, cwd=None, projects_dir=None, harness=harness)
    return write_skeleton(selection, Path(output), force=force)


def sweep(*roots: Path | str, limit: int | None = None, jobs: int | None = None, plain: bool = False) -> "Tally":
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
