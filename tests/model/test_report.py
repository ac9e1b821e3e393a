"""The small questions to a report."""

from dataclasses import MISSING, fields
from typing import Any

import pytest

from resume_forensics.model.report import Evidence, Proposal, Report, Termination, WorkerReport
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Delivery, Liveness, StopCause, WorkerKind, WorkerState


def worker(liveness: Liveness | None = None) -> WorkerReport[Raw]:
    absent: Any = {field.name: None for field in fields(WorkerReport) if field.default is MISSING}
    said: Any = {
        "kind": WorkerKind.AGENT,
        "state": WorkerState.UNREPORTED,
        "delivery": Delivery.NONE,
        "liveness": liveness,
        "action": Proposal(name=Action.NONE, reason=Raw("")),
        "evidence": Evidence(launch=None, notice=None),
    }
    return WorkerReport(**(absent | said))


def report(kind: StopCause, **workers: tuple[WorkerReport[Raw], ...]) -> Report[Raw]:
    lists: Any = {"unreported": (), "reported_failed": (), "reported": (), **workers}
    return Report(
        harness=Raw("claude-code"),
        session=Raw("s.jsonl"),
        session_id=None,
        main_exists=True,
        records=1,
        unparsable_records=0,
        unparsable=(),
        died_at=None,
        session_live=None,
        termination=Termination(kind=kind, evidence=None, at=None, remedy=Raw(""), resets_at=None, recovered=None),
        drivers=(),
        other_sessions=(),
        written_state=(),
        tree=None,
        warnings=(),
        **lists,
    )


@pytest.mark.parametrize("liveness", [None, *Liveness])
def test_only_possibly_live_is_possibly_live(liveness: Liveness | None) -> None:
    assert worker(liveness).possibly_live is (liveness is not None and liveness.value == "possibly-live")


def test_every_worker_is_counted() -> None:
    counted = report(StopCause.NETWORK, unreported=(worker(),), reported_failed=(worker(), worker()), reported=(worker(),))
    assert counted.spawns_total == 4


@pytest.mark.parametrize(
    ("kind", "workers", "expected"),
    [
        (StopCause.CLEAN_OR_UNKNOWN, {}, False),
        (StopCause.CLEAN_OR_UNKNOWN, {"reported": (worker(),)}, False),
        (StopCause.CLEAN_OR_UNKNOWN, {"unreported": (worker(),)}, True),
        (StopCause.CLEAN_OR_UNKNOWN, {"reported_failed": (worker(),)}, True),
        (StopCause.API_OVERLOAD, {}, True),
    ],
)
def test_attention_is_asked_for_what_was_lost_broken_or_stopped(
    kind: StopCause, workers: dict[str, tuple[WorkerReport[Raw], ...]], *, expected: bool
) -> None:
    assert report(kind, **workers).needs_attention is expected
