"""Small superscientist workflows laid out in a folder of the test, and the answers of a machine whose tmux says what the test wants."""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from resume_forensics.claims.superscientist import SYSTEM, translate
from resume_forensics.claims.superscientist.inquiry import ask_commits
from resume_forensics.deduce.reconcile.superscientist import judge
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.claim import Circumstances, Claim, Reconciliation
from resume_forensics.model.inquiry import ROOT_NAMES, Answer, Answers, Inquiry, LogFact, TmuxFact, TmuxSessions
from resume_forensics.read.inquiries import answer
from resume_forensics.text import Masked, Raw

NOW = datetime(2026, 1, 2, 9, tzinfo=UTC)
LAUNCH = datetime(2026, 1, 2, 6, tzinfo=UTC)
EARLY = datetime(2026, 1, 1, tzinfo=UTC)


def process(number: int = 1, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 (any key of a process)
    """`running_process` of a stage as the origin writes it."""
    folder = f"stage-{number}"
    plain = {
        "tmux_session": f"dpdisp_{folder}",
        "submission_json": f"{folder}/submission.json",
        "wrapper_script": f"{folder}/dpdisp-run.sh",
        "done_marker": f"{folder}/DPDISP_DONE",
        "exit_code_file": f"{folder}/DPDISP_EXIT_CODE",
        "recovery_attempted": False,
        "launched_at": LAUNCH.isoformat(),
    }
    return {**plain, **changes}


def stage(number: int = 1, status: object = "pending", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 (any key of a stage)
    """A stage without a process, unless keys say otherwise."""
    plain = {
        "id": f"stage-{number}",
        "name": f"Stage {number}",
        "status": status,
        "depends_on": [],
        "backend": None,
        "inputs": [],
        "outputs": [],
        "retry_count": 0,
        "last_error": None,
        "running_process": None,
    }
    return {**plain, **changes}


def document(*stages: dict[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401 (any key of a workflow)
    """A workflow whose fourth session ran out of its budget, unless keys say otherwise."""
    session = {
        "autonomous": False,
        "session_budget": 6,
        "session_count": 4,
        "session_id": "2026-01-02T02:50:00+00:00",
        "session_cost": 5.5,
        "exit_reason": "budget_exhausted",
    }
    profiles = {"local": {"type": "local"}, "cluster": {"type": "remote"}}
    plain = {
        "workflow_id": "w",
        "session_config": session,
        "default_backend": "local",
        "backend_profiles": profiles,
        "stages": list(stages),
    }
    return {**plain, **changes}


def put(root: Path, name: str, text: str = "", at: datetime = EARLY) -> Path:
    """Write a file with a modification time."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def lay_out(root: Path, *stages: dict[str, Any], files: Mapping[str, str | datetime] | None = None, **changes: Any) -> Path:  # noqa: ANN401 (as `document`)
    """A workflow's folder. `files`: text, or the time of a marker whose text is 0; all else is older than every launch."""
    put(root, "workflow-state.json", json.dumps(document(*stages, **changes), indent=2) + "\n")
    put(root, "progress.log", "[2026-01-02T02:50:00+00:00] Session 4 started.\n", at=datetime(2026, 1, 1, 1, tzinfo=UTC))
    put(root, "init.sh", "exit 0\n", at=datetime(2026, 1, 1, 2, tzinfo=UTC))
    for name, held in (files or {}).items():
        if isinstance(held, datetime):
            put(root, name, "0\n", at=held)
        else:
            put(root, name, held)
    return root


def circumstances(root: Path, **changes: Any) -> Circumstances:  # noqa: ANN401 (any field)
    """What the caller says: the time, and nothing else."""
    return Circumstances(**{"now": NOW, "root": Raw(str(root)), **changes})


def gather(root: Path, sessions: Sequence[str] = (), *, problem: str | None = None) -> Answers:
    """Ask this machine, but for tmux, which holds these sessions or has a problem, and git, which knows nothing here."""
    held: dict[Inquiry, Answer] = {
        TmuxSessions(): TmuxFact(sessions=tuple(sessions), problem=problem),
        ask_commits(circumstances(root)): LogFact(problem="not a git work tree"),
        ROOT_NAMES: answer(ROOT_NAMES, root),
    }
    asking = True
    while asking:
        wanted = [inquiry for inquiry in SYSTEM.inquire(Answers(held), circumstances(root)) if inquiry not in held]
        held |= {inquiry: answer(inquiry, root) for inquiry in wanted}
        asking = bool(wanted)
    return Answers(held)


def assess(root: Path, sessions: Sequence[str] = (), *, problem: str | None = None, **changes: Any) -> Reconciliation[Raw]:  # noqa: ANN401 (any circumstance)
    """The answer about a laid-out workflow before it is sealed."""
    answers, told = gather(root, sessions, problem=problem), circumstances(root, **changes)
    return judge(translate(answers, told), answers, told)


def reconcile(root: Path, sessions: Sequence[str] = (), *, problem: str | None = None, **changes: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any circumstance)
    """The sealed answer about a laid-out workflow."""
    return seal(assess(root, sessions, problem=problem, **changes), Masker())


def claim_of(found: Reconciliation[Masked], name: str) -> Claim[Masked]:
    """The one claim with this id."""
    (claim,) = [claim for claim in found.claims if claim.id == name]
    return claim
