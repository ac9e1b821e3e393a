"""What of a devteam's state the decision tables ask about: facts go in, signs come out. Nothing is decided here."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from resume_forensics.deduce.reconcile.devteam.rows import SANDBOX_ROWS, first_fit
from resume_forensics.model.board import Rotation, Sandbox, Task, TeamState, Writer
from resume_forensics.model.claim import Circumstances
from resume_forensics.vocabulary import BoardState, SandboxProcess, TaskStatus, TeamSign, Verdict

_TITLES: Final = {
    TaskStatus.PLANNED: TeamSign.PLANNED,
    TaskStatus.RUNNING: TeamSign.RUNNING,
    TaskStatus.READY_TO_AUDIT: TeamSign.READY_TO_AUDIT,
    TaskStatus.BLOCKED: TeamSign.BLOCKED,
    TaskStatus.NEEDS_DECISION: TeamSign.NEEDS_DECISION,
    TaskStatus.ACCEPTED: TeamSign.ACCEPTED,
    TaskStatus.DONE: TeamSign.DONE,
    None: TeamSign.NO_TITLE,
}
_SILENT: Final = frozenset({BoardState.OPEN, BoardState.ACCEPTED})
_DEAD: Final = frozenset({SandboxProcess.GONE, SandboxProcess.RECYCLED})


def is_recent(at: datetime | None, circumstances: Circumstances) -> bool:
    """Whether something was written within `recent_s`; what a clock ahead of ours wrote counts too."""
    return at is not None and (circumstances.now - at).total_seconds() <= circumstances.recent_s


def sign_task(task: Task, circumstances: Circumstances) -> frozenset[TeamSign]:
    """The signs of a task."""
    heartbeat, scope = task.heartbeat, task.scope
    waits = heartbeat is not None and heartbeat.waiting
    seen = {
        _TITLES[task.status]: True,
        TeamSign.NO_FILE: not task.has_file,
        TeamSign.ON_BOARD: task.is_claimed or (task.board is not None and task.board.state not in _SILENT),
        TeamSign.CLAIMED: task.is_claimed,
        TeamSign.AGENT_ALIVE: bool(task.agents),
        TeamSign.HEARTBEAT_RECENT: waits and heartbeat is not None and is_recent(heartbeat.written_at, circumstances),
        TeamSign.WRITE_RECENT: is_recent(scope.newest_at, circumstances),
        TeamSign.QUESTION_OPEN: bool(task.questions),
        TeamSign.SCOPE_DIRTY: bool(scope.dirty),
        TeamSign.SCOPE_UNKNOWN: scope.problem is not None,
        TeamSign.NO_HEARTBEAT: heartbeat is None,
        TeamSign.HEARTBEAT_WAITS: waits,
        TeamSign.FILE_DIRTY: task.is_file_dirty,
        TeamSign.COMMITTED: bool(scope.commits),
        TeamSign.VERIFIED: task.verified is not None,
    }
    return frozenset(sign for sign, holds in seen.items() if holds) | frozenset(_sign_workers(task))


def _sign_workers(task: Task) -> Iterator[TeamSign]:
    """The signs of a task that its sandboxes give; a sandbox that only its heartbeat names, or a torn lock, nobody can look at."""
    awaited = task.heartbeat.sandbox if task.heartbeat else None
    if task.is_lock_torn:
        yield TeamSign.WORKER_UNKNOWN
    if awaited is not None and awaited not in {sandbox.id for sandbox in task.sandboxes}:
        yield TeamSign.WORKER_UNKNOWN
    for sandbox in task.sandboxes:
        verdict = first_fit(SANDBOX_ROWS, sign_sandbox(sandbox)).verdict
        if verdict is Verdict.SANDBOX_ALIVE:
            yield TeamSign.PROCESS_ALIVE
        elif verdict is Verdict.SANDBOX_UNPROMOTED:
            yield TeamSign.UPPER_KEPT
        elif verdict is Verdict.SANDBOX_UNKNOWN or (verdict is Verdict.SANDBOX_GONE and sandbox.exit is None):
            yield TeamSign.WORKER_UNKNOWN


def sign_sandbox(sandbox: Sandbox) -> frozenset[TeamSign]:
    """The signs of a sandbox. A list of files that is cut and empty is no list."""
    seen = {
        TeamSign.ROOT_GONE: sandbox.there is False,
        TeamSign.PROCESS_ALIVE: sandbox.process is SandboxProcess.ALIVE,
        TeamSign.PROCESS_DEAD: sandbox.process in _DEAD,
        TeamSign.EXITED: sandbox.exit is not None,
        TeamSign.UPPER_HOLDS: bool(sandbox.upper),
        TeamSign.UPPER_UNKNOWN: sandbox.upper is None or (not sandbox.upper and sandbox.upper_cut),
    }
    return frozenset(sign for sign, holds in seen.items() if holds)


def sign_writer(writer: Writer, circumstances: Circumstances) -> frozenset[TeamSign]:
    """The signs of the Writer line."""
    seen = {
        TeamSign.LINE_VACANT: writer.line is None,
        TeamSign.SELF_UNKNOWN: circumstances.session_id is None,
        TeamSign.LINE_MINE: writer.line is not None and writer.line == circumstances.session_id,
    }
    return frozenset(sign for sign, holds in seen.items() if holds)


def sign_rotation(rotation: Rotation, state: TeamState, circumstances: Circumstances) -> frozenset[TeamSign]:
    """The signs of a planned handoff, those of the Writer line among them."""
    seen = {
        TeamSign.NAMES_NOBODY: rotation.session is None,
        TeamSign.NAMES_ME: rotation.session is not None and rotation.session == circumstances.session_id,
        TeamSign.COMPLETED: rotation.completed is not None,
        TeamSign.PREDECESSOR_GONE: state.agents_alive == (),
    }
    return frozenset(sign for sign, holds in seen.items() if holds) | sign_writer(state.writer, circumstances)
