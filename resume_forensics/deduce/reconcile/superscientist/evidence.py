"""What was seen of one stage, in words: a stage and its sight come in, evidence and conflicts go out."""

from collections.abc import Iterator
from typing import Final

from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.deduce.reconcile.superscientist.sight import Sight, is_missing
from resume_forensics.deduce.reconcile.superscientist.table import IN_FLIGHT, Row
from resume_forensics.model.claim import Circumstances, ClaimEvidence, Conflict
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.workflow import NamedFile, Process, Stage, Workflow
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import (
    ConflictKind,
    DependencySight,
    EvidenceKind,
    MarkerAge,
    Missing,
    Proposal,
    Says,
    StageStatus,
    TmuxSight,
)

_COPIED: Final = "the files of this tree bear one time, that of a copy, and prove nothing of when they were written"
_MISTAKEN: Final = "; tmux takes this name for something else than a name, so there is no command that holds it"
_NOT_NAMED: Final = Raw("(not named)")
_RUNS: Final = {TmuxSight.ALIVE: Says.FOR, TmuxSight.GONE: Says.AGAINST, TmuxSight.UNASKED: Says.UNKNOWN}
_FINISHED: Final = {MarkerAge.FRESH: Says.AGAINST, MarkerAge.ABSENT: Says.FOR, MarkerAge.STALE: Says.FOR}


def see_stage(stage: Stage, sight: Sight, row: Row, workflow: Workflow, answers: Answers) -> Iterator[ClaimEvidence[Raw]]:
    """Everything that was looked at for one stage, also what did not decide."""
    process = stage.process
    if process is not None:
        yield _see_session(process, sight, answers, runs=stage.status in IN_FLIGHT)
    if process is not None and stage.status in IN_FLIGHT:
        yield _see_marker(process, sight)
        yield _see_code(process, sight)
        if workflow.was_copied:
            yield ClaimEvidence(kind=EvidenceKind.MTIME, what=Raw("the times of the files"), value=Raw(_COPIED), says=Says.UNKNOWN)
        if process.error is not None and process.error_source is not None:
            yield ClaimEvidence(kind=EvidenceKind.LOG, what=process.error_source, value=process.error, says=Says.AGAINST)
        if row.proposal is Proposal.RELAUNCH or not sight.can_relaunch:
            yield _see_file(process.wrapper)
    if stage.status is StageStatus.COMPLETED:
        yield from (_see_file(output) for output in stage.outputs)
    if stage.status in {StageStatus.PENDING, StageStatus.INVALIDATED}:
        yield from _see_dependencies(stage, sight, workflow)


def find_conflicts(stage: Stage, sight: Sight, row: Row, claim_id: Raw, circumstances: Circumstances) -> Iterator[Conflict[Raw]]:
    """What of the stage contradicts what is written of it."""
    process = stage.process
    word = compose("the state says: ", stage.status_word or "(nothing)")
    seen: dict[ConflictKind, tuple[Raw, str | None]] = {}
    if row.conflict is not None:
        seen[row.conflict] = (Raw(row.reason), _RESOLVED.get(row.conflict))
    if process is not None and stage.status in IN_FLIGHT and sight.done is MarkerAge.STALE:
        marker = compose("its marker was written at ", _at(process.done), ", before the launch at ", process.launched or "")
        seen[ConflictKind.STALE_DONE_MARKER] = (marker, _RESOLVED[ConflictKind.STALE_DONE_MARKER])
    if stage.status not in IN_FLIGHT and sight.tmux is TmuxSight.ALIVE:
        seen[ConflictKind.STATUS_VS_PROCESS] = (Raw("a tmux session of it lives"), None)
    for kind, (side, resolution) in seen.items():
        resolved = None if resolution is None else Raw(resolution)
        yield find_conflict(kind, (claim_id,), (word, side), circumstances, resolution=resolved)


_RESOLVED: Final = {
    ConflictKind.STALE_DONE_MARKER: "the launch stands: the marker belongs to the attempt before it, and counts as absent",
    ConflictKind.EXIT_CODE_WITHOUT_DONE: "the exit code stands: it is written before the marker",
    ConflictKind.TMUX_ALIVE_BUT_DONE: "the session stands: it runs until it is gone",
}
"""Which side stands, for the conflicts that forbid no write."""


def _see_session(process: Process, sight: Sight, answers: Answers, *, runs: bool) -> ClaimEvidence[Raw]:
    problem = answers.tmux().problem
    value = sight.tmux if sight.tmux is not TmuxSight.UNASKED else f"{sight.tmux}: {problem or 'no session of that name can exist'}"
    value += "" if process.session_is_plain else _MISTAKEN
    says = _RUNS[sight.tmux] if runs else (Says.AGAINST if sight.tmux is TmuxSight.ALIVE else Says.UNKNOWN)
    return ClaimEvidence(kind=EvidenceKind.TMUX, what=compose("tmux session ", process.session or _NOT_NAMED), value=Raw(value), says=says)


def _see_marker(process: Process, sight: Sight) -> ClaimEvidence[Raw]:
    return ClaimEvidence(
        kind=EvidenceKind.MARKER,
        what=process.done.path if process.done else _NOT_NAMED,
        value=_describe_age(process.done, sight.done, process.launched),
        says=_FINISHED.get(sight.done, Says.UNKNOWN),
    )


def _see_code(process: Process, sight: Sight) -> ClaimEvidence[Raw]:
    number = "no number" if process.exit_code is None else str(process.exit_code)
    return ClaimEvidence(
        kind=EvidenceKind.EXIT_CODE,
        what=process.exit.path if process.exit else _NOT_NAMED,
        value=compose(
            f"{number}, " if sight.exit_age is not MarkerAge.ABSENT else "", _describe_age(process.exit, sight.exit_age, process.launched)
        ),
        says=_FINISHED.get(sight.exit_age, Says.UNKNOWN),
    )


def _describe_age(named: NamedFile | None, age: MarkerAge, launched: Raw | None) -> Raw:
    """Such as `fresh: written 2026-01-02T04:10:01+00:00, launched 2026-01-02T03:00:00Z`."""
    if age is MarkerAge.ABSENT:
        missing = named.file.missing if named else Missing.NOT_RECORDED
        return Raw(f"{age}: {missing}")
    return compose(f"{age}: written ", _at(named), ", launched ", launched or "at a time that is not written")


def _at(named: NamedFile | None) -> Raw:
    at = named.file.modified_at if named else None
    return Raw(at.isoformat(timespec="seconds") if at else "an unknown time")


def _see_file(named: NamedFile | None) -> ClaimEvidence[Raw]:
    if named is None:
        return ClaimEvidence(kind=EvidenceKind.FILE, what=_NOT_NAMED, value=Raw(Missing.NOT_RECORDED), says=Says.UNKNOWN)
    missing = named.file.missing
    if missing in {None, Missing.EMPTY, Missing.DIRECTORY}:
        return ClaimEvidence(kind=EvidenceKind.FILE, what=named.path, value=Raw("there"), says=Says.FOR)
    says = Says.AGAINST if is_missing(named) else Says.UNKNOWN
    return ClaimEvidence(kind=EvidenceKind.FILE, what=named.path, value=Raw(str(missing)), says=says)


def _see_dependencies(stage: Stage, sight: Sight, workflow: Workflow) -> Iterator[ClaimEvidence[Raw]]:
    by_id = {other.id: other.status_word for other in workflow.stages}
    waits = sight.dependencies in {DependencySight.WAITING, DependencySight.ABSENT}
    for name in stage.depends_on or ():
        word = by_id.get(name) or Raw("no stage of this workflow" if name not in by_id else "without a status")
        yield ClaimEvidence(kind=EvidenceKind.FILE, what=compose("depends on ", name), value=word, says=Says.FOR if waits else Says.AGAINST)
    if stage.depends_on is None:
        yield ClaimEvidence(kind=EvidenceKind.FILE, what=Raw("depends_on"), value=Raw("cannot be read"), says=Says.UNKNOWN)
