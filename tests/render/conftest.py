"""Masked reports made by hand, for renderers that never see raw text."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from resume_forensics.model.report import (
    BadLine,
    ChangedFile,
    Digest,
    DriverReport,
    Evidence,
    NotLookedAt,
    OtherSession,
    Position,
    Proposal,
    Report,
    RunningCall,
    Sidecar,
    Step,
    Termination,
    ToolCount,
    Tree,
    WorkerReport,
    WrittenState,
)
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import (
    Action,
    Delivery,
    DriverKind,
    DriverState,
    Ended,
    Liveness,
    Shape,
    StepState,
    StopCause,
    WorkerKind,
    WorkerState,
)

SESSION = "/home/dev/.claude/projects/-home-dev-shop/8d350044.jsonl"

WorkerMaker = Callable[..., WorkerReport[Masked]]
ReportMaker = Callable[..., Report[Masked]]


def at(hour: int, minute: int, second: int = 0) -> datetime:
    """A time on the day the sample session died."""
    return datetime(2026, 9, 14, hour, minute, second, tzinfo=UTC)


def _worker(**changes: Any) -> WorkerReport[Masked]:  # noqa: ANN401 (any field of a worker)
    plain = WorkerReport(
        worker_id=forge("a81e8a82"),
        tool_use_id=forge("toolu_01"),
        tool=forge("Agent"),
        kind=WorkerKind.AGENT,
        description=forge("Review the diff"),
        command=None,
        prompt=forge("Review every file of the diff."),
        subagent_type=None,
        spawned_at=at(8, 59),
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
        action=Proposal(name=Action.RESPAWN_WHOLE, reason=forge("nothing of it survives")),
        evidence=Evidence(launch=Position(file=forge(SESSION), line=12), notice=None),
    )
    return replace(plain, **changes)


def _report(**changes: Any) -> Report[Masked]:  # noqa: ANN401 (any field of a report)
    plain = Report(
        harness=forge("claude-code"),
        session=forge(SESSION),
        session_id=forge("8d350044"),
        main_exists=True,
        records=120,
        unparsable_records=0,
        unparsable=(),
        died_at=at(9, 10, 21),
        session_live=None,
        termination=Termination(
            kind=StopCause.CLEAN_OR_UNKNOWN, evidence=None, at=None, remedy=forge("nothing to clear"), resets_at=None, recovered=None
        ),
        unreported=(),
        reported_failed=(),
        reported=(),
        drivers=(),
        running_calls=(),
        other_sessions=(),
        written_state=(),
        tree=None,
        warnings=(),
    )
    return replace(plain, **changes)


@pytest.fixture
def worker() -> WorkerMaker:
    """A maker of workers: a dead agent unless fields say otherwise."""
    return _worker


@pytest.fixture
def report() -> ReportMaker:
    """A maker of reports: a readable session without workers unless fields say otherwise."""
    return _report


@pytest.fixture
def full_report() -> Report[Masked]:
    """A report in which every part holds something."""
    digest = Digest(
        recoverable=True,
        ended=Ended.MID_TOOL,
        size_bytes=4_321,
        records=17,
        shape=Shape.TRANSCRIPT,
        final_text=forge("Two of three files are done.\nNow the last one."),
        tool_counts=(ToolCount(tool=forge("Read"), calls=7), ToolCount(tool=forge("Edit"), calls=2)),
        files_touched=(forge("src/cart.py"), forge("src/tax.py")),
        half_written=forge("src/tax.py"),
        mtime_age_s=61.23456,
    )
    lost = _worker(
        digest=digest,
        durable_transcript=forge("/home/dev/.claude/projects/-home-dev-shop/8d350044/subagents/agent-a81e8a82.jsonl"),
        sidecar=Sidecar(file=forge("agent-a81e8a82.meta.json"), finished=False),
        action=Proposal(name=Action.CONTINUE, reason=forge("its own transcript survives")),
        subagent_type=forge("reviewer"),
    )
    shell = _worker(
        worker_id=forge("bq9janbi"),
        tool=forge("Bash"),
        kind=WorkerKind.BACKGROUND_SHELL,
        description=forge("Deploy"),
        command=forge("./deploy.sh --to staging"),
        prompt=None,
        liveness=Liveness.POSSIBLY_LIVE,
        liveness_evidence=forge("its output was written 40 s after the session's last record"),
        recent_write_s=40.0,
        output_file=forge("/tmp/out/bq9janbi.output"),  # noqa: S108 (a path in a sample)
        action=Proposal(name=Action.VERIFY_FIRST, reason=forge("it may still run")),
    )
    broken = _worker(
        worker_id=forge("w1"),
        kind=WorkerKind.WORKFLOW,
        state=WorkerState.REPORTED_FAILED,
        status=forge("failed"),
        summary=forge("1 of 3 agents failed"),
        delivery=Delivery.DELIVERED,
        liveness=None,
        prompt=None,
        steps=(
            Step(agent_id=forge("s1"), label=forge("lint"), state=StepState.DONE),
            Step(agent_id=forge("s2"), label=None, state=StepState.FAILED),
        ),
        action=Proposal(name=Action.READ_FAILURE, reason=forge("it came back broken")),
        evidence=Evidence(launch=Position(file=forge(SESSION), line=30), notice=Position(file=forge("/other.jsonl"), line=4)),
    )
    untold = _worker(
        worker_id=forge("a-untold"),
        state=WorkerState.REPORTED,
        status=forge("completed"),
        delivery=Delivery.QUEUED,
        liveness=None,
        action=Proposal(name=Action.FOLD_IN, reason=forge("it finished, and the notice was never read")),
    )
    well = _worker(
        worker_id=forge("a-well"),
        description=forge("Count the tests"),
        state=WorkerState.REPORTED,
        status=forge("completed"),
        delivery=Delivery.DELIVERED,
        liveness=None,
        action=Proposal(name=Action.NONE, reason=forge("it reported")),
    )
    tree = Tree(
        directory=forge("/home/dev/shop"),
        problem=None,
        branch=forge("tax"),
        upstream=forge("origin/tax"),
        ahead=2,
        behind=0,
        last_commit=forge("0a1b2c3 Add the tax table"),
        last_commit_at=at(8, 30),
        stashes=1,
        in_progress=(forge("rebase"),),
        dirty_total=1,
        changed=(ChangedFile(path=forge("src/tax.py"), status=forge(" M"), added=10, removed=2, half_written_by=forge("a81e8a82")),),
        half_written=(ChangedFile(path=forge("src/tax.py"), status=forge(" M"), added=10, removed=2, half_written_by=forge("a81e8a82")),),
        not_looked_at=(NotLookedAt(what=forge("open pull requests"), command=forge("gh pr list")),),
    )
    return _report(
        unparsable_records=2,
        unparsable=(
            BadLine(line=14, byte=900, reason=forge("no JSON"), salvaged=False),
            BadLine(line=15, byte=1_200, reason=forge("no JSON"), salvaged=True),
        ),
        termination=Termination(
            kind=StopCause.API_OVERLOAD,
            evidence=forge("API Error: 529 Overloaded"),
            at=at(9, 10, 20),
            remedy=forge("Retry one call before spawning ten."),
            resets_at=None,
            recovered=None,
        ),
        unreported=(lost, shell),
        reported_failed=(broken,),
        reported=(untold, well),
        drivers=(
            DriverReport(
                id=forge("cron1"),
                kind=DriverKind.LOOP,
                prompt=forge("check the deploy"),
                next_at=at(9, 30),
                state=DriverState.LOST,
                evidence=forge("session-only"),
            ),
        ),
        running_calls=(
            RunningCall(
                tool=forge("Write"),
                tool_use_id=forge("toolu_9"),
                description=None,
                command=None,
                path=forge("src/plan.md"),
                half_written=True,
                evidence=Position(file=forge(SESSION), line=119),
            ),
        ),
        other_sessions=(
            OtherSession(session=forge("/home/dev/.claude/projects/-home-dev-shop/0.jsonl"), last_activity=at(7, 0), size_bytes=9),
        ),
        written_state=(WrittenState(system="devteam", path=forge("/home/dev/shop")),),
        tree=tree,
        warnings=(forge("the journal of workflow w1 was cut"),),
        redacted_kinds=("aws-key",),
    )
