"""A devteam's written state and the circumstances go in, the whole reconciliation comes out. It plans no write, whatever it finds."""

from collections.abc import Iterator
from typing import Final

from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.deduce.reconcile.devteam.ages import age_s
from resume_forensics.deduce.reconcile.devteam.duties import list_duties, list_rotation_duties, list_writer_duties
from resume_forensics.deduce.reconcile.devteam.evidence import list_sandbox_evidence, list_task_evidence, show
from resume_forensics.deduce.reconcile.devteam.losses import bound_losses, list_sandbox_losses, list_task_losses
from resume_forensics.deduce.reconcile.devteam.report import Findings, last_moved_at, write_alert, write_report
from resume_forensics.deduce.reconcile.devteam.rows import ROTATION_ROWS, SANDBOX_ROWS, WRITER_ROWS, first_fit
from resume_forensics.deduce.reconcile.devteam.signs import sign_rotation, sign_sandbox, sign_task, sign_writer
from resume_forensics.deduce.reconcile.devteam.task_rows import NO_CLAIM, TASK_ROWS
from resume_forensics.model.board import Rotation, Sandbox, Task, TeamState
from resume_forensics.model.claim import Advice, Circumstances, Claim, Conflict, Context, FollowingAction, Named, NextAction, Reconciliation
from resume_forensics.model.inquiry import Answers
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import BoardState, ConflictKind, EvidenceKind, Proposal, Refusal, Says, System, TaskStatus, Verdict

_CHECKS: Final = ("check_trace.py", "check_refs.py", "check_scope.py", "check_report.py")
_SCRIPTS: Final = 'python3 "${CLAUDE_PLUGIN_ROOT}/scripts/'
_STATUS_COMMAND: Final = f'{_SCRIPTS}sandbox.py" status'
_BOARD: Final = "devteam/BOARD.md"
_MANAGER: Final = "devteam/.run/session/manager"
_POINTER: Final = "devteam/.run/session/handoff-ready"

_CLOSED: Final = frozenset({BoardState.DONE, BoardState.ACCEPTED})
_BEGUN: Final = frozenset({TaskStatus.RUNNING, TaskStatus.DONE, TaskStatus.READY_TO_AUDIT})


def judge(state: TeamState, answers: Answers, circumstances: Circumstances) -> Reconciliation[Raw]:
    """Hold every claim of a devteam against what was seen, and write the report that its protocol asks for before anything is done."""
    del answers
    if state.problem is not None:
        return _alert(state.problem, circumstances)
    writer = _judge_writer(state, circumstances)
    rotation = _judge_rotation(state.rotation, state, circumstances) if state.rotation else None
    judged = [(task, claim) for task in state.tasks if (claim := _judge_task(task, state, circumstances))]
    sandboxes = [(sandbox, _judge_sandbox(sandbox)) for sandbox in state.sandboxes]
    tasks = tuple(claim for _, claim in judged)
    conflicts = tuple(_find_conflicts(state, rotation, circumstances))
    following = _choose_next(state, rotation, tasks)
    findings = Findings(
        state=state,
        writer=writer,
        rotation=rotation,
        tasks=tuple(judged),
        sandboxes=tuple(sandboxes),
        conflicts=conflicts,
        circumstances=circumstances,
    )
    return Reconciliation(
        system=System.DEVTEAM,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=_describe_context(state, tuple(judged), circumstances),
        claims=(writer, *((rotation,) if rotation else ()), *tasks, *(claim for _, claim in sandboxes)),
        next_action=following,
        conflicts=conflicts,
        questions_open=state.questions,
        report_lines=write_report(findings),
        refusals=(Refusal.GATE_NO_WRITE,),
        warnings=state.warnings,
    )


def _alert(problem: Raw, circumstances: Circumstances) -> Reconciliation[Raw]:
    """The board is missing or cannot be read, which is the same here: say so, and claim nothing else."""
    reason = compose("the board cannot be read (", problem, "): nothing that is written elsewhere is trusted without it")
    claim = Claim(
        id=Raw("state-file"),
        claim=compose(_BOARD, " holds the state of the team"),
        verdict=Verdict.STATE_MISSING,
        proposal=Advice(name=Proposal.STOP_AND_REPORT, reason=reason),
        evidence=(show(EvidenceKind.FILE, _BOARD, problem, Says.AGAINST),),
    )
    return Reconciliation(
        system=System.DEVTEAM,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=Context(),
        claims=(claim,),
        next_action=NextAction(name=Proposal.STOP_AND_REPORT, target=claim.id, reason=reason),
        report_lines=write_alert(problem),
        refusals=(Refusal.GATE_NO_WRITE,),
    )


def _judge_task(task: Task, state: TeamState, circumstances: Circumstances) -> Claim[Raw] | None:
    signs = sign_task(task, circumstances)
    if any(condition.fits(signs) for condition in NO_CLAIM):
        return None
    row = first_fit(TASK_ROWS, signs)
    return Claim(
        id=compose("task:", task.id),
        claim=compose(task.id, " is ", task.said or Raw("claimed, by a title that cannot be read")),
        claimed_status=Raw(task.status) if task.status else task.said,
        verdict=row.verdict,
        proposal=Advice(
            name=row.proposal,
            reason=Raw(row.reason),
            command=Raw(_STATUS_COMMAND) if row.proposal is Proposal.PROMOTE_FIRST else None,
            destroys=list_task_losses(task, row.verdict),
            after=list_duties(task, row.proposal),
        ),
        evidence=list_task_evidence(task, state, circumstances),
    )


def _judge_sandbox(sandbox: Sandbox) -> Claim[Raw]:
    row = first_fit(SANDBOX_ROWS, sign_sandbox(sandbox))
    return Claim(
        id=compose("sandbox:", sandbox.id),
        claim=compose("sandbox ", sandbox.id, " of ", sandbox.task, " lies at ", sandbox.root),
        claimed_status=compose("exited ", sandbox.exit) if sandbox.exit is not None else Raw("started"),
        verdict=row.verdict,
        proposal=Advice(
            name=row.proposal,
            reason=Raw(row.reason),
            command=Raw(_STATUS_COMMAND) if row.proposal is Proposal.PROMOTE_FIRST else None,
            destroys=() if row.verdict is Verdict.SANDBOX_GONE else list_sandbox_losses(sandbox),
        ),
        evidence=list_sandbox_evidence(sandbox),
    )


def _judge_writer(state: TeamState, circumstances: Circumstances) -> Claim[Raw]:
    row = first_fit(WRITER_ROWS, sign_writer(state.writer, circumstances))
    line, manager, own = state.writer.line, state.writer.manager, circumstances.session_id
    return Claim(
        id=Raw("writer"),
        claim=compose("the Writer line names ", line) if line else Raw("the Writer line names nobody"),
        claimed_status=line,
        verdict=row.verdict,
        proposal=Advice(name=row.proposal, reason=Raw(row.reason), after=list_writer_duties(row.verdict)),
        evidence=(
            show(EvidenceKind.FILE, _BOARD, compose("Writer ", line or Raw("nobody")), Says.FOR),
            show(EvidenceKind.FILE, _MANAGER, manager or Raw("names nobody"), _weigh(line, manager)),
            show(EvidenceKind.ENV, "the id of this session", own or Raw("not known"), _weigh(line, own)),
        ),
    )


def _weigh(claimed: Raw | None, seen: Raw | None) -> Says:
    if claimed is None or seen is None:
        return Says.UNKNOWN
    return Says.FOR if claimed == seen else Says.AGAINST


def _judge_rotation(rotation: Rotation, state: TeamState, circumstances: Circumstances) -> Claim[Raw]:
    row = first_fit(ROTATION_ROWS, sign_rotation(rotation, state, circumstances))
    session, point = rotation.session or Raw("nobody"), rotation.checkpoint or Raw("a checkpoint that is not named")
    ended = compose("completed ", rotation.completed) if rotation.completed else Raw("not completed")
    agents = "not given; --facts brings them" if state.agents_alive is None else f"{len(state.agents_alive)} alive"
    return Claim(
        id=Raw("rotation"),
        claim=compose("session ", session, " rotated out at ", point, ", ", ended),
        claimed_status=Raw("completed") if rotation.completed else Raw("open"),
        verdict=row.verdict,
        proposal=Advice(
            name=row.proposal,
            reason=Raw(row.reason),
            after=list_rotation_duties(rotation, row, circumstances),
        ),
        evidence=(
            show(EvidenceKind.FILE, _POINTER, compose("session ", session, "; ", point, "; ", ended), Says.FOR),
            show(EvidenceKind.ENV, "the id of this session", circumstances.session_id or Raw("not known"), Says.UNKNOWN),
            show(EvidenceKind.FILE, _BOARD, compose("Writer ", state.writer.line or Raw("nobody")), Says.UNKNOWN),
            show(EvidenceKind.AGENTS, "the list of agents", agents, Says.UNKNOWN),
        ),
    )


def _find_conflicts(state: TeamState, rotation: Claim[Raw] | None, circumstances: Circumstances) -> Iterator[Conflict[Raw]]:
    line, manager = state.writer.line, state.writer.manager
    named = compose(_BOARD, ": the Writer line names ", line or Raw("nobody"))
    if line is None:
        sides = (named, Raw("the board has one writer, and a line that names nobody is neither this session's nor another's"))
        yield find_conflict(ConflictKind.WRITER_VACANT, (Raw("writer"),), sides, circumstances)
    elif manager is not None and manager != line:
        sides = (named, compose(_MANAGER, " names ", manager))
        yield find_conflict(ConflictKind.TWO_WRITERS, (Raw("writer"),), sides, circumstances)
    if rotation is not None and rotation.verdict is Verdict.ROTATION_REPLACED:
        sides = (compose(_POINTER, " names this session as the one that rotated out"), named)
        yield find_conflict(ConflictKind.ROTATION_VS_WRITER, (Raw("rotation"), Raw("writer")), sides, circumstances)
    for task in state.tasks:
        if task.board is not None and _disagree(task.board.state, task.status):
            sides = (compose(_BOARD, " says ", task.board.said), compose(task.file, " says ", task.said or Raw("nothing")))
            yield find_conflict(ConflictKind.BOARD_VS_TASK, (compose("task:", task.id),), sides, circumstances)


def _disagree(board: BoardState | None, title: TaskStatus | None) -> bool:
    """Whether board and title cannot both be right. CLAIMED with DONE is what a task looks like before it is verified."""
    return (board in _CLOSED and title is TaskStatus.RUNNING) or (board is BoardState.OPEN and title in _BEGUN)


def _choose_next(state: TeamState, rotation: Claim[Raw] | None, tasks: tuple[Claim[Raw], ...]) -> NextAction[Raw]:
    """What a rotation asks for goes first; else the report, and then nothing until the client has spoken."""
    checks = _name_checks(tasks, state)
    asked = rotation.proposal.name if rotation else Proposal.NONE
    if rotation is None or asked is Proposal.NONE:
        reason = "report the lines, then stop and wait: only the client can know what the record does not; after the client's word"
        duties = "a `resumed` line and one `stale claim` line for each recovery in devteam/RECORD.md, then /devteam:run"
        return NextAction(name=Proposal.REPORT_AND_WAIT, reason=Raw(f"{reason}: {duties}"), before=checks)
    if asked is Proposal.ASK_PREDECESSOR:
        return NextAction(
            name=asked,
            target=state.rotation.session if state.rotation else None,
            reason=rotation.proposal.reason,
            before=checks,
            then=FollowingAction(name=Proposal.REPORT_AND_WAIT),
        )
    return NextAction(name=asked, target=rotation.id, reason=rotation.proposal.reason)


def _name_checks(tasks: tuple[Claim[Raw], ...], state: TeamState) -> tuple[Raw, ...]:
    """The four checks of the protocol; they are proposed, never run from here."""
    claimed = {claim.id for claim in tasks}
    names: list[str | Raw] = []
    for task in state.tasks:
        if compose("task:", task.id) in claimed:
            names += [" ", quote(task.id)]
    return tuple(compose(f'{_SCRIPTS}{check}" .', *(names if check == _CHECKS[-1] else ())) for check in _CHECKS)


def _describe_context(state: TeamState, tasks: tuple[tuple[Task, Claim[Raw]], ...], circumstances: Circumstances) -> Context[Raw]:
    """The reading half: the record's end, the last commits, when each task last moved, what is uncommitted outside every scope."""
    moved = [(task, last_moved_at(task)) for task, _ in tasks]
    facts = [
        Named(name=compose("task:", task.id, " last_moved_s"), value=None if at is None else age_s(circumstances.now, at))
        for task, at in moved
    ]
    return Context(lines=state.entries, commits=state.commits, facts=tuple(facts), files=bound_losses(state.strays))
