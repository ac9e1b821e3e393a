"""The dispatch table: each row with the threads that it is for."""

import itertools

import pytest

from resume_forensics.deduce.reconcile.saga.routes import HORIZONS, ROUTES, find_route
from resume_forensics.vocabulary import Destination, LifecyclePhase

P = LifecyclePhase
SAMPLES = (
    (P.IDEATION, False, False, "/plan"),
    (P.IDEATION, True, True, "/plan"),
    (P.BRAINSTORM, False, False, "/plan"),
    (P.BRAINSTORM, True, False, "/plan"),
    (P.PLAN, False, False, "/plan"),
    (P.PLAN, False, True, "/plan"),
    (P.PLAN, True, False, "/doc-review"),
    (P.PLAN, True, True, "/doc-review"),
    (P.REVIEW, False, False, "/doc-review"),
    (P.REVIEW, False, True, "/doc-review"),
    (P.REVIEW, True, False, "/work"),
    (P.REVIEW, True, True, "/plan"),
    (P.WORK, False, False, "/work"),
    (P.WORK, False, True, "/work"),
    (P.WORK, True, False, "/qa"),
    (P.WORK, True, True, "/qa"),
    (P.QA, False, False, "/handoff"),
    (P.QA, True, False, "/handoff"),
    (P.RETRO, False, False, None),
    (P.RETRO, True, True, None),
)


@pytest.mark.parametrize(("phase", "complete", "findings", "command"), SAMPLES)
def test_a_thread_leads_where_its_phase_says(phase: P, complete: bool, findings: bool, command: str | None) -> None:  # noqa: FBT001
    assert find_route(phase, complete=complete, findings=findings).command == command


def test_every_row_has_a_thread_and_every_thread_a_row() -> None:
    rows = {find_route(phase, complete=complete, findings=findings).reason for phase, complete, findings, _ in SAMPLES}
    assert rows == {row.reason for row in ROUTES}
    everything = itertools.product(LifecyclePhase, (False, True), (False, True))
    assert all(find_route(phase, complete=complete, findings=findings) in ROUTES for phase, complete, findings in everything)


def test_no_row_leads_back_to_the_loop() -> None:
    assert [row for row in ROUTES if row.command == "/loop"] == []


def test_every_destination_has_its_horizon() -> None:
    assert set(HORIZONS) == set(Destination)
    assert all(text.startswith(f"destination {destination}: ") for destination, text in HORIZONS.items())
