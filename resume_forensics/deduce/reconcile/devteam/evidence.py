"""What was seen of each claim of a devteam, as evidence for it, against it, or of unknown weight. Facts go in, no verdict comes out."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from resume_forensics.deduce.reconcile.devteam.ages import describe_age
from resume_forensics.deduce.reconcile.devteam.signs import is_recent
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Heartbeat, Sandbox, Scope, Task, TeamState
from resume_forensics.model.claim import Circumstances, ClaimEvidence
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import EvidenceKind, SandboxProcess, Says, TaskStatus

Evidence = ClaimEvidence[Raw]
_BOARD = "devteam/BOARD.md"
_GOING = frozenset({TaskStatus.PLANNED, TaskStatus.RUNNING})
_ENDED = frozenset({TaskStatus.DONE, TaskStatus.READY_TO_AUDIT})
_PROCESS_SAYS = {SandboxProcess.ALIVE: Says.FOR, SandboxProcess.GONE: Says.AGAINST, SandboxProcess.RECYCLED: Says.AGAINST}


def show(kind: EvidenceKind, what: str | Raw, value: str | Raw, says: Says) -> Evidence:
    """One piece of evidence."""
    return ClaimEvidence(kind=kind, what=compose(what), value=compose(value), says=says)


def list_task_evidence(task: Task, state: TeamState, circumstances: Circumstances) -> tuple[Evidence, ...]:
    """Everything that was seen of a task; of paths and commits at most `LIMITS.evidence_listed` each, the rest counted."""
    life = Says.FOR if task.status in _GOING else Says.AGAINST
    return (
        *_show_words(task),
        *(_show_sandbox(sandbox, life) for sandbox in task.sandboxes),
        *_show_torn(task),
        *_show_agents(task, state, life),
        *_show_heartbeat(task, circumstances),
        *_show_newest(task.scope, circumstances, life),
        *_show_tree(task),
        *_show_commits(task),
        *(show(EvidenceKind.QUESTION, name, "open, and names the task", _reverse(life)) for name in task.questions),
        *_show_verified(task),
    )


def list_sandbox_evidence(sandbox: Sandbox) -> tuple[Evidence, ...]:
    """Everything that was seen of a sandbox."""
    says = {True: Says.FOR, False: Says.AGAINST, None: Says.UNKNOWN}[sandbox.there]
    there = {True: "it is there", False: "it is not there", None: "it could not be looked at"}[sandbox.there]
    pid = compose(sandbox.process, *((": ", sandbox.pid) if sandbox.pid else ()))
    rows = [
        show(EvidenceKind.DIRECTORY, sandbox.root, there, says),
        show(EvidenceKind.PID, "meta/pid", pid, _PROCESS_SAYS.get(sandbox.process, Says.UNKNOWN)),
    ]
    if sandbox.exit is not None:
        rows.append(
            show(EvidenceKind.EXIT_CODE, "its worker's exit", compose("exited ", sandbox.exit, _EXITS.get(sandbox.exit, "")), Says.FOR)
        )
    if sandbox.upper is None:
        rows.append(show(EvidenceKind.SANDBOX, "upper/", "what it holds could not be listed", Says.UNKNOWN))
    held = sandbox.upper or ()
    rows += [show(EvidenceKind.SANDBOX, "upper/ holds", name, Says.FOR) for name in held[: LIMITS.evidence_listed]]
    rows += _count_rest(EvidenceKind.SANDBOX, "upper/ holds", len(held), Says.FOR)
    return tuple(rows)


_EXITS = {
    Raw("124"): " (it ran out of time)",
    Raw("125"): " (no worker ran)",
    Raw("126"): " (its output was not captured)",
}
"""Exit codes that the origin's sandbox.py gives a meaning of its own."""


def _reverse(says: Says) -> Says:
    return Says.AGAINST if says is Says.FOR else Says.FOR


def _show_words(task: Task) -> Iterator[Evidence]:
    said = task.said or Raw("it has no title that can be read")
    yield show(EvidenceKind.FILE, task.file, said, Says.FOR if task.status else Says.UNKNOWN)
    if task.board:
        yield show(EvidenceKind.FILE, _BOARD, compose("state ", task.board.said), Says.FOR)
    if task.report:
        yield show(EvidenceKind.LOG, compose("the last report of ", task.id), compose("status: ", task.report), Says.UNKNOWN)


def _show_sandbox(sandbox: Sandbox, life: Says) -> Evidence:
    held = "unknown files" if sandbox.upper is None else f"{len(sandbox.upper)} files"
    ended = ("; exited ", sandbox.exit) if sandbox.exit is not None else ()
    says = {SandboxProcess.ALIVE: life, SandboxProcess.GONE: _reverse(life), SandboxProcess.RECYCLED: _reverse(life)}
    value = compose(sandbox.process, *ended, f"; upper/ holds {held}")
    return show(EvidenceKind.SANDBOX, compose("sandbox ", sandbox.id), value, says.get(sandbox.process, Says.UNKNOWN))


def _show_torn(task: Task) -> Iterator[Evidence]:
    awaited = task.heartbeat.sandbox if task.heartbeat else None
    if task.is_lock_torn:
        yield show(EvidenceKind.SANDBOX, compose(task.id, ".sandbox"), "it does not say which sandbox it means", Says.UNKNOWN)
    if awaited is not None and awaited not in {sandbox.id for sandbox in task.sandboxes}:
        yield show(EvidenceKind.SANDBOX, compose("sandbox ", awaited), "its heartbeat names it, and nothing says where it is", Says.UNKNOWN)


def _show_agents(task: Task, state: TeamState, life: Says) -> Iterator[Evidence]:
    if state.agents_alive is None:
        yield show(EvidenceKind.AGENTS, "the list of agents", "not given; --facts brings it", Says.UNKNOWN)
    elif not task.agents:
        yield show(EvidenceKind.AGENTS, "the list of agents", "none of this task is alive", _reverse(life))
    for name in task.agents:
        yield show(EvidenceKind.AGENTS, name, "listed and not exited", life)


def _show_heartbeat(task: Task, circumstances: Circumstances) -> Iterator[Evidence]:
    heartbeat = task.heartbeat
    if heartbeat is None:
        yield show(EvidenceKind.HEARTBEAT, compose(task.id, ".heartbeat"), "none was ever written", Says.UNKNOWN)
        return
    value = compose(heartbeat.said, *_ago(heartbeat.written_at, circumstances))
    yield show(EvidenceKind.HEARTBEAT, compose(task.id, ".heartbeat"), value, _weigh_heartbeat(task, heartbeat, circumstances))


def _weigh_heartbeat(task: Task, heartbeat: Heartbeat, circumstances: Circumstances) -> Says:
    if task.status in _ENDED:
        return Says.AGAINST if heartbeat.waiting else Says.FOR
    if not heartbeat.waiting:
        return Says.AGAINST
    return Says.FOR if is_recent(heartbeat.written_at, circumstances) else Says.UNKNOWN


def _show_newest(scope: Scope, circumstances: Circumstances, life: Says) -> Iterator[Evidence]:
    if scope.newest is not None and scope.newest_at is not None:
        says = life if is_recent(scope.newest_at, circumstances) else Says.UNKNOWN
        yield show(EvidenceKind.MTIME, scope.newest, compose("written", *_ago(scope.newest_at, circumstances)), says)


def _show_tree(task: Task) -> Iterator[Evidence]:
    scope = task.scope
    if scope.problem is not None:
        yield show(EvidenceKind.GIT, "what is uncommitted or committed under its scope", scope.problem, Says.UNKNOWN)
    elif not scope.dirty:
        clean = Says.FOR if task.status in _ENDED else Says.UNKNOWN
        yield show(EvidenceKind.GIT, _join(scope.paths), "nothing is uncommitted", clean)
    says = Says.AGAINST if task.status in _ENDED else Says.UNKNOWN
    yield from (show(EvidenceKind.GIT, path, "uncommitted", says) for path in scope.dirty[: LIMITS.evidence_listed])
    yield from _count_rest(EvidenceKind.GIT, "uncommitted", len(scope.dirty), says)
    if task.is_file_dirty:
        yield show(EvidenceKind.GIT, task.file, "uncommitted", Says.UNKNOWN)


def _show_commits(task: Task) -> Iterator[Evidence]:
    scope = task.scope
    if scope.claimed_by is not None:
        yield show(EvidenceKind.GIT, "the commit that claims it", scope.claimed_by, Says.FOR)
    elif task.status is TaskStatus.RUNNING and scope.problem is None:
        yield show(EvidenceKind.GIT, "the commit that claims it", "not found, so no commit can be said to be later", Says.UNKNOWN)
    for commit in scope.commits[: LIMITS.evidence_listed]:
        whose = "under its own subject" if commit.own else "under another subject"
        yield show(EvidenceKind.GIT, f"committed in its scope since it was claimed, {whose}", commit.said, Says.UNKNOWN)
    yield from _count_rest(EvidenceKind.GIT, "committed in its scope since it was claimed", len(scope.commits), Says.UNKNOWN)


def _show_verified(task: Task) -> Iterator[Evidence]:
    if task.verified is not None:
        yield show(EvidenceKind.LOG, "devteam/RECORD.md", task.verified, Says.FOR if task.status in _ENDED else Says.UNKNOWN)
    elif task.status in _ENDED:
        yield show(EvidenceKind.LOG, "devteam/RECORD.md", compose("no line says verify ... ", task.id, " ... PASS"), Says.AGAINST)


def _ago(at: datetime | None, circumstances: Circumstances) -> tuple[str, ...]:
    return () if at is None else (f", {describe_age(circumstances.now, at)} ago",)


def _join(paths: Iterable[Raw]) -> Raw:
    parts: list[str | Raw] = []
    for path in paths:
        parts += [", ", path] if parts else [path]
    return compose(*parts)


def _count_rest(kind: EvidenceKind, what: str, total: int, says: Says) -> list[Evidence]:
    rest = total - LIMITS.evidence_listed
    return [show(kind, what, f"+{rest} more", says)] if rest > 0 else []
