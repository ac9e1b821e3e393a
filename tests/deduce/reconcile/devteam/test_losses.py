"""Holds what a re-dispatch would lose, path by path."""

from claims.teams import show
from resume_forensics.deduce.reconcile.devteam.losses import bound_losses, list_sandbox_losses, list_task_losses
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Sandbox, Scope, Task
from resume_forensics.text import Raw
from resume_forensics.vocabulary import SandboxProcess, TaskStatus, Verdict


def make_sandbox(*, upper: tuple[str, ...] | None = ("a b", "c"), cut: bool = False, there: bool = True) -> Sandbox:
    """A sandbox with two files."""
    held = None if upper is None else tuple(map(Raw, upper))
    return Sandbox(id=Raw("s"), task=Raw("T-1"), root=Raw("/srv/s"), there=there, process=SandboxProcess.GONE, upper=held, upper_cut=cut)


def make_task(*sandboxes: Sandbox) -> Task:
    """A task with one uncommitted path."""
    scope = Scope(paths=(Raw("src"),), dirty=(Raw("src/x"),))
    return Task(id=Raw("T-1"), file=Raw("devteam/tasks/T-1.md"), status=TaskStatus.RUNNING, said=Raw("x"), scope=scope, sandboxes=sandboxes)


def test_a_sandbox_loses_each_of_its_files() -> None:
    assert [show(path) for path in list_sandbox_losses(make_sandbox())] == ["/srv/s/upper/a b", "/srv/s/upper/c"]
    assert list_sandbox_losses(make_sandbox(upper=())) == ()


def test_files_that_were_not_listed_are_lost_too() -> None:
    more = "/srv/s/upper/ (more than could be listed)"
    assert [show(path) for path in list_sandbox_losses(make_sandbox(cut=True))] == ["/srv/s/upper/a b", "/srv/s/upper/c", more]
    assert [show(path) for path in list_sandbox_losses(make_sandbox(upper=None))] == [more]


def test_a_task_loses_its_uncommitted_paths_and_what_its_sandboxes_hold() -> None:
    lost = list_task_losses(make_task(make_sandbox(), make_sandbox(there=False)), Verdict.STALE_UNPROMOTED)
    assert [show(path) for path in lost] == ["src/x", "/srv/s/upper/a b", "/srv/s/upper/c"]


def test_one_that_died_before_dispatch_loses_its_task_file() -> None:
    assert [show(path) for path in list_task_losses(make_task(), Verdict.DIED_BEFORE_DISPATCH)] == ["src/x", "devteam/tasks/T-1.md"]


def test_a_long_list_is_counted() -> None:
    lost = bound_losses([Raw(str(number)) for number in range(LIMITS.losses_listed + 3)])
    assert len(lost) == LIMITS.losses_listed + 1
    assert show(lost[-1]) == "+3 more"
    assert bound_losses([]) == ()
