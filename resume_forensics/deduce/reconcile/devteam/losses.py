"""What a re-dispatch of a devteam task would lose, path by path. Facts go in, paths come out; the empty list is a statement."""

from collections.abc import Sequence

from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Sandbox, Task
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Verdict


def list_sandbox_losses(sandbox: Sandbox) -> tuple[Raw, ...]:
    """Each file that only the sandbox holds, by its whole path."""
    held = [compose(sandbox.root, "/upper/", name) for name in sandbox.upper or ()]
    if sandbox.upper_cut or sandbox.upper is None:
        held.append(compose(sandbox.root, "/upper/ (more than could be listed)"))
    return bound_losses(held)


def list_task_losses(task: Task, verdict: Verdict) -> tuple[Raw, ...]:
    """What is uncommitted under the scope of a task, and what its sandboxes hold; of one that died before dispatch its task file."""
    lost = [*task.scope.dirty]
    for sandbox in task.sandboxes:
        if sandbox.there is not False:
            lost += list_sandbox_losses(sandbox)
    if verdict is Verdict.DIED_BEFORE_DISPATCH:
        lost.append(task.file)
    return bound_losses(lost)


def bound_losses(lost: Sequence[Raw]) -> tuple[Raw, ...]:
    """At most `LIMITS.losses_listed` paths; the rest are counted."""
    rest = len(lost) - LIMITS.losses_listed
    return (*lost[: LIMITS.losses_listed], *((Raw(f"+{rest} more"),) if rest > 0 else ()))
