"""Small masked reports to stand in for a scan, and a way to call `resume-scan` inside the test's own process."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from resume_forensics.cli.scan import main
from resume_forensics.model.report import Evidence, Proposal, Report, Termination, WorkerReport
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import Action, Delivery, Liveness, StopCause, WorkerKind, WorkerState

Outcome = tuple[int, str, str]
MOMENT = datetime(2026, 9, 14, 9, 10, 21, tzinfo=UTC)


def _worker(**changes: Any) -> WorkerReport[Masked]:  # noqa: ANN401 (any field of a worker)
    """A dead agent unless fields say otherwise."""
    plain = WorkerReport(
        worker_id=forge("a1"),
        tool_use_id=forge("toolu_1"),
        tool=forge("Agent"),
        kind=WorkerKind.AGENT,
        description=forge("Review"),
        command=None,
        prompt=forge("Review every file."),
        subagent_type=None,
        spawned_at=MOMENT,
        parent_worker_id=None,
        state=WorkerState.UNREPORTED,
        status=None,
        summary=None,
        delivery=Delivery.NONE,
        lost_track=False,
        launch_missing=False,
        foreground=False,
        reopened=0,
        steps=(),
        sidecar=None,
        liveness=Liveness.DEAD_WITH_PARENT,
        liveness_evidence=None,
        recent_write_s=None,
        output_file=None,
        durable_transcript=None,
        digest=None,
        action=Proposal(name=Action.RESPAWN_WHOLE, reason=forge("nothing survives")),
        evidence=Evidence(launch=None, notice=None),
    )
    return replace(plain, **changes)


def _report(*lost: WorkerReport[Masked]) -> Report[Masked]:
    """A clean session in which these workers never came back."""
    return Report(
        harness=forge("claude-code"),
        session=forge("/p/-s/s.jsonl"),
        session_id=forge("s"),
        main_exists=True,
        records=9,
        unparsable_records=0,
        unparsable=(),
        died_at=MOMENT,
        session_live=None,
        termination=Termination(
            kind=StopCause.CLEAN_OR_UNKNOWN, evidence=None, at=None, remedy=forge("nothing"), resets_at=None, recovered=None
        ),
        unreported=lost,
        reported_failed=(),
        reported=(),
        drivers=(),
        running_calls=(),
        other_sessions=(),
        written_state=(),
        tree=None,
        warnings=(),
    )


@pytest.fixture
def worker() -> Callable[..., WorkerReport[Masked]]:
    """A maker of workers."""
    return _worker


@pytest.fixture
def report() -> Callable[..., Report[Masked]]:
    """A maker of reports, given the workers that never came back."""
    return _report


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Call `resume-scan` with arguments; answer exit status, standard output and standard error."""

    def call_main(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return call_main
