"""What to do next, as a short numbered list: the proposed actions of all workers, grouped, in the order that does least harm."""

from collections.abc import Iterator
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report, WorkerReport
from resume_forensics.render.page import Page, cut, end_sentence
from resume_forensics.render.portrait import name_worker
from resume_forensics.render.words import ACTIONS
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Action, Delivery, DriverState, StopCause

_ORDER: Final = (
    Action.VERIFY_FIRST,
    Action.FOLD_IN,
    Action.READ_FAILURE,
    Action.CONTINUE,
    Action.RESPAWN_REMAINDER,
    Action.RESPAWN_WHOLE,
    Action.RESTART_DRIVER,
)
"""First what may run twice, then what is had for nothing, then what costs work."""


def draw_plan(page: Page, report: Report[Masked]) -> None:
    """Put the next steps onto the page."""
    page.heading("WHAT TO DO NEXT")
    for number, step in enumerate(_steps(report), 1):
        page.item(f"{number}.", step)


def _steps(report: Report[Masked]) -> Iterator[str]:
    """The steps, each a sentence or two."""
    if report.session_live and not report.was_resumed:
        yield f"Nothing here: the session is alive in process {report.session_live.pid}. Go there, or scan again after it has ended."
        return
    if report.session_live:
        yield f"The session was resumed in process {report.session_live.pid}: the steps below are for that process alone."
    if report.termination.kind is not StopCause.CLEAN_OR_UNKNOWN:
        remedy = end_sentence(report.termination.remedy)
        yield f"Deal with the cause of death first ({report.termination.kind}): {remedy}"
    if not report.records:
        yield "Look at the file itself, and at the other sessions: `resume-scan --list-sessions`. Do not conclude that nothing was lost."
        if not report.spawns_total:
            return
    yield from _triage(report)
    marks = " and ".join(_tree_marks(report))
    if marks:
        yield f"Put the work tree in order before you build on it: see {marks} above."
    if any(driver.state is DriverState.LOST for driver in report.drivers):
        yield "Restart what started work by itself and was lost: the arc is not over because its engine died."
    yield _last_step(report)


def _tree_marks(report: Report[Masked]) -> Iterator[str]:
    """The words above that tell of a work tree in disorder."""
    tree = report.tree
    by_workers = any(worker.digest and worker.digest.half_written for worker in _needing(report))
    if by_workers or (tree and tree.half_written) or any(call.half_written for call in report.running_calls):
        yield "HALF-DONE?"
    if tree and tree.in_progress:
        yield "UNFINISHED"


def _triage(report: Report[Masked]) -> Iterator[str]:
    """One step for each action that a worker needs."""
    waiting = _needing(report)
    for action in _ORDER:
        names = [cut(name_worker(worker), LIMITS.path_chars) for worker in waiting if worker.action.name is action]
        if names:
            more = f" and {len(names) - LIMITS.listed_rows:,} more" if len(names) > LIMITS.listed_rows else ""
            yield f"{action} ({', '.join(names[: LIMITS.listed_rows])}{more}): {ACTIONS[action]}."


def _needing(report: Report[Masked]) -> tuple[WorkerReport[Masked], ...]:
    """The workers that were described in full above."""
    untold = tuple(worker for worker in report.reported if worker.delivery is Delivery.QUEUED)
    return (*report.unreported, *report.reported_failed, *untold)


def _last_step(report: Report[Masked]) -> str:
    """What the whole comes to."""
    if _needing(report):
        return "Then continue the arc where it stopped, and report what was restored. This is not a signal to wrap up."
    if not report.spawns_total and report.other_sessions:
        return "Nothing was lost in THIS session. Make sure that it is the one that died (`resume-scan --previous`), then continue its arc."
    if report.unparsable_records or not report.main_exists:
        return "No lost worker is known of, as far as the file could be read. Continue the arc; this is not a signal to wrap up."
    return "No worker was lost: continue the arc where it stopped. This is not a signal to wrap up."
