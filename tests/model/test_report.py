"""The small questions to a report."""

from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields, replace

from resume_forensics.model.report import DriverReport, Evidence, Proposal, Report, Termination, WorkerReport
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Delivery, DriverKind, DriverState, Liveness, StopCause, WorkerKind, WorkerState


def worker(liveness: Liveness | None = None) -> WorkerReport[Raw]:
    absent: Any = {field.name: None for field in fields(WorkerReport) if field.default is NODEFAULT}
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
    empty: Any = {field.name: () for field in fields(Report) if field.default is NODEFAULT}
    end = Termination(kind=kind, evidence=None, at=None, remedy=Raw(""), resets_at=None, recovered=None)
    return Report(**(empty | {"main_exists": True, "records": 1, "termination": end} | workers))


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


def test_attention_is_asked_for_a_result_that_the_model_was_never_told() -> None:
    untold = replace(worker(), state=WorkerState.REPORTED, delivery=Delivery.QUEUED)
    told = replace(untold, delivery=Delivery.DELIVERED)
    assert report(StopCause.CLEAN_OR_UNKNOWN, reported=(told, untold)).needs_attention
    assert not report(StopCause.CLEAN_OR_UNKNOWN, reported=(told,)).needs_attention


@pytest.mark.parametrize(("state", "expected"), [(DriverState.LOST, True), (DriverState.DURABLE, False), (DriverState.REMOVED, False)])
def test_attention_is_asked_for_a_lost_driver(state: DriverState, *, expected: bool) -> None:
    driver = DriverReport(id=Raw("job"), kind=DriverKind.LOOP, prompt=None, next_at=None, state=state, evidence=Raw(""))
    assert replace(report(StopCause.CLEAN_OR_UNKNOWN), drivers=(driver,)).needs_attention is expected


def test_attention_is_asked_where_nothing_could_be_read() -> None:
    clean = report(StopCause.CLEAN_OR_UNKNOWN)
    assert not clean.needs_attention
    assert replace(clean, records=0).needs_attention
    assert replace(clean, main_exists=False).needs_attention
