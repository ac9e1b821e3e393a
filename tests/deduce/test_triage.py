"""The next step for each worker: every row of the tables, in their order."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from deduce.builders import plain
from resume_forensics.deduce.triage import Finding, propose
from resume_forensics.model.report import Digest, Sidecar
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Delivery, Ended, Habitat, Liveness, StopCause, WorkerKind, WorkerState

DEAD, PARENT, LIVE = Liveness.DEAD, Liveness.DEAD_WITH_PARENT, Liveness.POSSIBLY_LIVE
ANSWERED: Digest[Raw] = Digest(recoverable=True, ended=Ended.END_OF_TURN)
CUT_OFF: Digest[Raw] = Digest(recoverable=True, ended=Ended.MID_TOOL)
NOTHING: Digest[Raw] = Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN)
FINISHED: Sidecar[Raw] = Sidecar(file=Raw(str(Path("/m.json"))), finished=True)
BY_A_PERSON = replace(FINISHED, finished=None, stopped_by_user=True)
KINDS = list(WorkerKind)
UNKNOWN = [one for one in Liveness if one not in {DEAD, PARENT, LIVE}]


def step(  # noqa: PLR0913 (each is one thing that a finding holds)
    state: WorkerState = WorkerState.UNREPORTED,
    kind: WorkerKind = WorkerKind.AGENT,
    *,
    liveness: Liveness | None = PARENT,
    digest: Digest[Raw] | None = NOTHING,
    sidecar: Sidecar[Raw] | None = None,
    own_copy: bool = True,
    delivery: Delivery = Delivery.DELIVERED,
    **fields: Any,  # noqa: ANN401 (any field of a worker)
) -> Action:
    """The step proposed for one worker."""
    given: dict[str, Any] = {"worker_id": Raw("w1"), "tool_use_id": None, "kind": kind, "habitat": Habitat.NOT_SAID, "state": state}
    worker = Worker(**{**given, "delivery": delivery, **fields})
    alive = liveness if state is WorkerState.UNREPORTED else None
    found = propose(Finding(worker=worker, liveness=alive, digest=digest, sidecar=sidecar, own_copy=own_copy))
    assert len(found.reason) > 20
    return found.name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("delivery", "action"),
    [(Delivery.QUEUED, Action.FOLD_IN), (Delivery.DELIVERED, Action.NONE), (Delivery.FETCHED, Action.NONE)],
)
def test_what_came_back_is_folded_in_only_if_the_model_was_never_told(kind: WorkerKind, delivery: Delivery, action: Action) -> None:
    assert step(WorkerState.REPORTED, kind, delivery=delivery, digest=None) is action


def test_what_came_back_broken() -> None:
    failed = WorkerState.REPORTED_FAILED
    assert step(failed, delivery=Delivery.STOPPED, digest=ANSWERED) is Action.NONE
    assert step(failed, digest=ANSWERED) is Action.FOLD_IN
    assert step(failed, delivery=Delivery.QUEUED, digest=ANSWERED) is Action.FOLD_IN
    assert step(failed, digest=CUT_OFF) is Action.READ_FAILURE
    assert step(failed, digest=None) is Action.READ_FAILURE
    assert step(failed, WorkerKind.BACKGROUND_SHELL, digest=ANSWERED) is Action.READ_FAILURE


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("liveness", [LIVE, *UNKNOWN])
def test_what_may_still_run_is_verified_first_whatever_survives(kind: WorkerKind, liveness: Liveness) -> None:
    for digest in (ANSWERED, CUT_OFF, NOTHING):
        assert step(kind=kind, liveness=liveness, digest=digest, sidecar=BY_A_PERSON) is Action.VERIFY_FIRST


def test_a_run_that_a_later_worker_took_over_needs_nothing() -> None:
    assert step(kind=WorkerKind.WORKFLOW, liveness=Liveness.UNKNOWN_WORKFLOW, superseded_by=Raw("w2")) is Action.NONE


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_person_stopped_is_left_alone(kind: WorkerKind) -> None:
    assert step(kind=kind, digest=ANSWERED, sidecar=BY_A_PERSON) is Action.NONE


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        (WorkerKind.WORKFLOW, Action.RESTART_DRIVER),
        (WorkerKind.MONITOR, Action.RESPAWN_WHOLE),
        (WorkerKind.BACKGROUND_SHELL, Action.VERIFY_FIRST),
    ],
)
def test_dead_workers_that_are_no_agents(kind: WorkerKind, action: Action) -> None:
    for digest in (ANSWERED, CUT_OFF, NOTHING, None):
        assert step(kind=kind, liveness=DEAD, digest=digest) is action


def test_a_dead_agent_whose_own_copy_ends_with_an_answer_is_folded_in() -> None:
    assert step(digest=ANSWERED) is Action.FOLD_IN
    assert step(digest=ANSWERED, launch_missing=True) is Action.FOLD_IN
    assert step(digest=CUT_OFF, sidecar=FINISHED) is Action.FOLD_IN
    assert step(digest=NOTHING, sidecar=FINISHED) is Action.RESPAWN_WHOLE
    assert step(digest=CUT_OFF, sidecar=replace(FINISHED, finished=False)) is Action.CONTINUE
    assert step(digest=CUT_OFF, sidecar=FINISHED, reopened=1) is Action.CONTINUE  # it may have finished what it was asked before


def test_an_answer_that_is_nowhere_to_be_read_is_no_answer() -> None:
    assert step(digest=replace(ANSWERED, recoverable=False)) is Action.RESPAWN_WHOLE


def test_a_worker_whose_launch_is_missing_is_verified_first() -> None:
    assert step(digest=CUT_OFF, launch_missing=True) is Action.VERIFY_FIRST
    assert step(digest=None, launch_missing=True) is Action.VERIFY_FIRST


def test_a_dead_agent_that_was_cut_off_is_continued_if_it_can_be_messaged_by_its_id() -> None:
    assert step(digest=CUT_OFF) is Action.CONTINUE
    assert step(digest=replace(CUT_OFF, ended=StopCause.USAGE_LIMIT)) is Action.CONTINUE
    assert step(digest=CUT_OFF, own_copy=False) is Action.RESPAWN_REMAINDER
    assert step(digest=CUT_OFF, worker_id=None) is Action.RESPAWN_REMAINDER
    assert step(kind=WorkerKind.TEAMMATE, digest=CUT_OFF) is Action.RESPAWN_REMAINDER


@pytest.mark.parametrize("digest", [NOTHING, None])
def test_a_dead_agent_of_which_nothing_survives_is_started_again(digest: Digest[Raw] | None) -> None:
    assert step(digest=digest) is Action.RESPAWN_WHOLE


def test_a_half_written_file_is_named_where_the_work_goes_on() -> None:
    half = replace(CUT_OFF, half_written=Raw("/work/a.py"))
    worker = Worker(
        worker_id=Raw("a1"),
        tool_use_id=None,
        kind=WorkerKind.AGENT,
        habitat=Habitat.IN_PROCESS,
        state=WorkerState.UNREPORTED,
        delivery=Delivery.NONE,
    )
    finding = Finding(worker=worker, liveness=PARENT, digest=half, sidecar=None, own_copy=True)
    assert (plain(propose(finding).reason) or "").endswith("; first look at /work/a.py, which may be half-written")
    assert "half-written" not in (plain(propose(replace(finding, liveness=LIVE)).reason) or "")
