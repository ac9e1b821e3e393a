"""Which command owns a thread's next step: the dispatch table that loop and resume of the saga share. Pure; never `/loop` itself."""

from typing import Final

from msgspec import Struct

from resume_forensics.vocabulary import Destination, LifecyclePhase

HANDOFF: Final = "/handoff"


class Route(Struct, frozen=True, kw_only=True):
    """One row: the first whose phases hold the thread's, and whose other conditions are None or equal, decides."""

    phases: tuple[LifecyclePhase, ...]
    complete: bool | None = None
    findings: bool | None = None
    command: str | None
    reason: str

    def fits(self, phase: LifecyclePhase, *, complete: bool, findings: bool) -> bool:
        """Whether this row is for a thread in `phase`, with that phase complete, with findings of priority P0 or P1 open."""
        return phase in self.phases and self.complete in {None, complete} and self.findings in {None, findings}


ROUTES: Final = (
    Route(
        phases=(LifecyclePhase.IDEATION, LifecyclePhase.BRAINSTORM),
        command="/plan",
        reason="what is wanted is settled enough to say how: the plan comes next",
    ),
    Route(phases=(LifecyclePhase.PLAN,), complete=True, command="/doc-review", reason="the plan is written and waits for its review"),
    Route(phases=(LifecyclePhase.PLAN,), command="/plan", reason="the plan is not finished"),
    Route(
        phases=(LifecyclePhase.REVIEW,),
        complete=True,
        findings=True,
        command="/plan",
        reason="the review left findings of priority P0 or P1 open: they go back to the plan; only a recorded reason leads past them",
    ),
    Route(phases=(LifecyclePhase.REVIEW,), complete=True, command="/work", reason="the plan passed its review"),
    Route(phases=(LifecyclePhase.REVIEW,), command="/doc-review", reason="the review is not finished"),
    Route(phases=(LifecyclePhase.WORK,), complete=True, command="/qa", reason="the work is done and waits for its gate"),
    Route(phases=(LifecyclePhase.WORK,), command="/work", reason="the work is not finished: its round goes on"),
    Route(
        phases=(LifecyclePhase.QA,),
        command=HANDOFF,
        reason="the gate was reached: hand over what was learned (or /retro, where nothing is to be handed over)",
    ),
    Route(phases=(LifecyclePhase.RETRO,), command=None, reason="the thread is at its end; nothing follows"),
)

HORIZONS: Final = {
    Destination.PLAN_ONLY: "destination plan-only: stop at a plan that is written and reviewed",
    Destination.PR: "destination pr: stop at an open pull request",
    Destination.MERGE: "destination merge: stop at the confirmed merge of the pull request",
    Destination.NONPROD_DEPLOY: "destination nonprod-deploy: after the merge hand over to deploy, which alone deploys",
}


def find_route(phase: LifecyclePhase, *, complete: bool, findings: bool) -> Route:
    """Answer the row for a thread."""
    return next(row for row in ROUTES if row.fits(phase, complete=complete, findings=findings))
