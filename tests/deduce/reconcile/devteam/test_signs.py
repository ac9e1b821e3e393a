"""Holds which signs a task, a sandbox, a writer line and a pointer give."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from claims.teams import ME, NOW, circumstances
from resume_forensics.deduce.reconcile.devteam.signs import is_recent, sign_rotation, sign_sandbox, sign_task, sign_writer
from resume_forensics.model.board import BoardRow, Heartbeat, Rotation, Sandbox, Scope, ScopeCommit, Task, TeamState, Writer
from resume_forensics.text import Raw
from resume_forensics.vocabulary import BoardState, SandboxProcess, TaskStatus
from resume_forensics.vocabulary import TeamSign as S

AROUND = circumstances()


def make_sandbox(
    process: SandboxProcess = SandboxProcess.NOT_NAMED,
    *,
    there: bool | None = True,
    code: str | None = None,
    upper: tuple[str, ...] | None = (),
    cut: bool = False,
) -> Sandbox:
    """A sandbox of T-1."""
    return Sandbox(
        id=Raw("sb-9"),
        task=Raw("T-1"),
        root=Raw("/srv/sb-9"),
        there=there,
        process=process,
        exit=None if code is None else Raw(code),
        upper=None if upper is None else tuple(map(Raw, upper)),
        upper_cut=cut,
    )


def make_task(
    *,
    status: TaskStatus | None = TaskStatus.RUNNING,
    board: BoardState | None = None,
    scope: Scope | None = None,
    heartbeat: Heartbeat | None = None,
    sandboxes: tuple[Sandbox, ...] = (),
) -> Task:
    """A task that is quiet and clean."""
    return Task(
        id=Raw("T-1"),
        file=Raw("devteam/tasks/T-1.md"),
        status=status,
        said=Raw("words"),
        scope=scope or Scope(paths=(Raw("src"),)),
        board=None if board is None else BoardRow(state=board, said=Raw(board)),
        heartbeat=heartbeat,
        sandboxes=sandboxes,
    )


def beat(age_s: int | None, *, waiting: bool = True, sandbox: str | None = None) -> Heartbeat:
    """A heartbeat written so many seconds ago."""
    at = None if age_s is None else NOW - timedelta(seconds=age_s)
    return Heartbeat(said=Raw("words"), waiting=waiting, written_at=at, sandbox=None if sandbox is None else Raw(sandbox))


def test_every_title_has_its_sign() -> None:
    signs = {status: sign_task(make_task(status=status, heartbeat=beat(None, waiting=False)), AROUND) for status in (*TaskStatus, None)}
    assert {status: sign.pop() for status, found in signs.items() if (sign := set(found)) and len(sign) == 1} == {
        TaskStatus.PLANNED: S.PLANNED,
        TaskStatus.RUNNING: S.RUNNING,
        TaskStatus.READY_TO_AUDIT: S.READY_TO_AUDIT,
        TaskStatus.BLOCKED: S.BLOCKED,
        TaskStatus.NEEDS_DECISION: S.NEEDS_DECISION,
        TaskStatus.ACCEPTED: S.ACCEPTED,
        TaskStatus.DONE: S.DONE,
        None: S.NO_TITLE,
    }


@pytest.mark.parametrize(("age_s", "recent"), [(300, True), (301, False), (0, True), (-1_000, True), (None, False)])
def test_a_waiting_heartbeat_is_recent_within_the_span(age_s: int | None, *, recent: bool) -> None:
    assert (S.HEARTBEAT_RECENT in sign_task(make_task(heartbeat=beat(age_s)), AROUND)) is recent
    assert S.HEARTBEAT_RECENT not in sign_task(make_task(heartbeat=beat(age_s, waiting=False)), AROUND)


def test_the_span_is_the_callers() -> None:
    at = NOW - timedelta(seconds=400)
    assert not is_recent(at, AROUND)
    assert is_recent(at, circumstances(recent_s=400))


def test_a_scope_gives_its_signs() -> None:
    commits = (ScopeCommit(said=Raw("a b"), own=False),)
    scope = Scope(paths=(), problem=Raw("why"), dirty=(Raw("a"),), newest=Raw("a"), newest_at=NOW, commits=commits)
    assert sign_task(make_task(scope=scope), AROUND) >= {S.SCOPE_DIRTY, S.SCOPE_UNKNOWN, S.WRITE_RECENT, S.COMMITTED, S.NO_HEARTBEAT}


@pytest.mark.parametrize(
    ("state", "speaks"),
    [
        (BoardState.OPEN, False),
        (BoardState.ACCEPTED, False),
        (BoardState.CLAIMED, True),
        (BoardState.BLOCKED, True),
        (BoardState.DONE, True),
    ],
)
def test_a_board_speaks_of_a_task_unless_it_is_open_or_accepted(state: BoardState, *, speaks: bool) -> None:
    assert (S.ON_BOARD in sign_task(make_task(board=state), AROUND)) is speaks


@pytest.mark.parametrize(
    ("sandbox", "sign"),
    [
        (make_sandbox(SandboxProcess.ALIVE), S.PROCESS_ALIVE),
        (make_sandbox(SandboxProcess.GONE, upper=("a",)), S.UPPER_KEPT),
        (make_sandbox(SandboxProcess.RECYCLED, upper=("a",)), S.UPPER_KEPT),
        (make_sandbox(code="0", upper=("a",)), S.UPPER_KEPT),
        (make_sandbox(code="0", upper=None), S.WORKER_UNKNOWN),
        (make_sandbox(), S.WORKER_UNKNOWN),
        (make_sandbox(upper=("a",)), S.WORKER_UNKNOWN),
        (make_sandbox(SandboxProcess.UNKNOWN), S.WORKER_UNKNOWN),
        (make_sandbox(there=False), S.WORKER_UNKNOWN),
        (make_sandbox(there=False, code="0"), None),
        (make_sandbox(SandboxProcess.GONE), None),
        (make_sandbox(code="1"), None),
    ],
)
def test_a_sandbox_speaks_for_its_task(sandbox: Sandbox, sign: S | None) -> None:
    signs = sign_task(make_task(sandboxes=(sandbox,)), AROUND) & {S.PROCESS_ALIVE, S.UPPER_KEPT, S.WORKER_UNKNOWN}
    assert signs == ({sign} if sign else set())


def test_a_sandbox_that_only_the_heartbeat_names_is_one_nobody_can_look_at() -> None:
    alone = make_task(heartbeat=beat(9_999, sandbox="sb-7"), sandboxes=(make_sandbox(code="0"),))
    assert S.WORKER_UNKNOWN in sign_task(alone, AROUND)
    known = make_task(heartbeat=beat(9_999, sandbox="sb-9"), sandboxes=(make_sandbox(code="0"),))
    assert S.WORKER_UNKNOWN not in sign_task(known, AROUND)


def test_a_torn_lock_is_a_worker_nobody_can_look_at() -> None:
    assert S.WORKER_UNKNOWN in sign_task(replace(make_task(), is_lock_torn=True), AROUND)


def test_a_sandbox_gives_its_signs() -> None:
    assert sign_sandbox(make_sandbox()) == set()
    assert sign_sandbox(make_sandbox(there=False, code="0")) == {S.ROOT_GONE, S.EXITED}
    assert sign_sandbox(make_sandbox(there=None, upper=None)) == {S.UPPER_UNKNOWN}
    assert sign_sandbox(make_sandbox(SandboxProcess.RECYCLED, upper=("a",), cut=True)) == {S.PROCESS_DEAD, S.UPPER_HOLDS}
    assert sign_sandbox(make_sandbox(SandboxProcess.GONE, cut=True)) == {S.PROCESS_DEAD, S.UPPER_UNKNOWN}


def test_the_writer_line_is_mine_vacant_or_neither() -> None:
    nobody, mine, other = (Writer(line=line, manager=None) for line in (None, Raw(ME), Raw("a11c")))
    assert sign_writer(nobody, AROUND) == {S.LINE_VACANT}
    assert sign_writer(mine, AROUND) == {S.LINE_MINE}
    assert sign_writer(other, AROUND) == set()
    assert sign_writer(mine, circumstances(session=None)) == {S.SELF_UNKNOWN}
    assert sign_writer(nobody, circumstances(session=None)) == {S.LINE_VACANT, S.SELF_UNKNOWN}


def test_a_pointer_gives_its_signs_with_those_of_the_line() -> None:
    state = TeamState(writer=Writer(line=Raw(ME), manager=None), agents_alive=())
    assert sign_rotation(Rotation(session=Raw(ME)), state, AROUND) == {S.NAMES_ME, S.LINE_MINE, S.PREDECESSOR_GONE}
    unknown = TeamState(writer=Writer(line=None, manager=None))
    assert sign_rotation(Rotation(session=None, completed=Raw("x")), unknown, AROUND) == {S.NAMES_NOBODY, S.COMPLETED, S.LINE_VACANT}
    busy = TeamState(writer=Writer(line=Raw("b"), manager=None), agents_alive=(Raw("x"),))
    assert sign_rotation(Rotation(session=Raw("a")), busy, AROUND) == set()
