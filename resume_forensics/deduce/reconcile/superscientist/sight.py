"""What a decision about one stage depends on: the stage as written and the answers come in, a row of plain words goes out."""

from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.workflow import NamedFile, Process, Stage, Workflow
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DependencySight, ExitSight, MarkerAge, Missing, OutputSight, StageStatus, TmuxSight

_FINISHED: Final = frozenset({StageStatus.COMPLETED})
_BROKEN: Final = frozenset({StageStatus.FAILED, StageStatus.SKIPPED})


class Sight(Struct, frozen=True, kw_only=True):
    """One stage as the table sees it. `status` None: no word of the protocol. What was not asked has the harmless value."""

    status: StageStatus | None
    has_process: bool = False
    tmux: TmuxSight = TmuxSight.GONE
    done: MarkerAge = MarkerAge.ABSENT
    exit: ExitSight = ExitSight.NOTHING
    exit_age: MarkerAge = MarkerAge.ABSENT
    recovery_attempted: bool | None = None
    can_relaunch: bool = True
    can_retry: bool = False
    dependencies: DependencySight = DependencySight.COMPLETED
    outputs: OutputSight = OutputSight.THERE


def look_at(stage: Stage, workflow: Workflow, answers: Answers) -> Sight:
    """Answer what the table needs of a stage."""
    process = stage.process
    alone = Sight(
        status=stage.status,
        can_retry=stage.retry_count is not None and stage.retry_count < stage.retry_limit,
        dependencies=_look_at_dependencies(stage, workflow),
        outputs=OutputSight.MISSING if any(map(is_missing, stage.outputs)) else OutputSight.THERE,
    )
    return alone if process is None else _look_at_process(alone, process, workflow, answers)


def _look_at_process(alone: Sight, process: Process, workflow: Workflow, answers: Answers) -> Sight:
    launched_at = None if workflow.was_copied else process.launched_at
    return Sight(
        status=alone.status,
        has_process=True,
        tmux=look_for_session(process.session, answers),
        done=judge_age(process.done.file if process.done else None, launched_at),
        exit=_look_at_code(process.exit_code),
        exit_age=judge_age(process.exit.file if process.exit else None, launched_at),
        recovery_attempted=process.recovery_attempted,
        can_relaunch=can_relaunch(process),
        can_retry=alone.can_retry,
        dependencies=alone.dependencies,
        outputs=alone.outputs,
    )


def look_for_session(session: Raw | None, answers: Answers) -> TmuxSight:
    """Whether a session of exactly this name lives; a session without a usable name cannot be asked for."""
    tmux = answers.tmux()
    if session is None or tmux.problem is not None:
        return TmuxSight.UNASKED
    return TmuxSight.ALIVE if session in {Raw(name) for name in tmux.sessions} else TmuxSight.GONE


def judge_age(file: FileFact | None, launched_at: datetime | None) -> MarkerAge:
    """When a marker was written, compared with its launch. Only a regular file inside the root is a marker; an empty one is one too.

    A launch time is often typed by a model, and drifts by minutes: shortly before it is neither old nor new.
    """
    if file is None or file.missing not in (None, Missing.EMPTY) or file.modified_at is None:
        return MarkerAge.ABSENT
    if launched_at is None:
        return MarkerAge.UNDATABLE
    if file.modified_at >= launched_at:
        return MarkerAge.FRESH
    is_near = launched_at - file.modified_at <= timedelta(seconds=LIMITS.near_launch_s)
    return MarkerAge.NEAR if is_near else MarkerAge.STALE


def can_relaunch(process: Process) -> bool:
    """Whether the wrapper can be started again by what is written: every name usable, its script a regular file inside the root."""
    wrapper, markers = process.wrapper, (process.done, process.exit)
    is_usable = wrapper is not None and wrapper.is_plain and wrapper.file.missing is None
    has_name = process.session is not None and process.session_is_plain
    return has_name and is_usable and all(marker is None or can_be_looked_at(marker) for marker in markers)


def can_be_looked_at(named: NamedFile) -> bool:
    """Whether a named file is one, or may become one: it does not lead out, and nothing else stands in its place."""
    return named.is_plain and named.file.missing in {None, Missing.EMPTY, Missing.GONE}


def is_missing(named: NamedFile) -> bool:
    """Whether an output is not there. One that leads out of the root, or cannot be read, is not known to be missing."""
    return named.file.missing in {Missing.GONE, Missing.DANGLING_LINK}


def _look_at_code(code: int | None) -> ExitSight:
    if code is None:
        return ExitSight.NOTHING
    return ExitSight.NOT_ZERO if code else ExitSight.ZERO


def _look_at_dependencies(stage: Stage, workflow: Workflow) -> DependencySight:
    """Dependencies that cannot be read will never be completed; one that is not in the file may still be added."""
    by_id = {other.id: other.status for other in workflow.stages}
    if stage.depends_on is None:
        return DependencySight.FAILED
    states = {by_id[name] for name in stage.depends_on if name in by_id}
    if states & _BROKEN:
        return DependencySight.FAILED
    if not set(stage.depends_on) <= set(by_id):
        return DependencySight.ABSENT
    return DependencySight.COMPLETED if states <= _FINISHED else DependencySight.WAITING
