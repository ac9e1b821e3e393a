"""Makes runs of a claude-org beside what the machine shows of them: `sight()` is one with nothing against it."""

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from resume_forensics.deduce.reconcile.claude_org.sight import RunSight
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import Commit, DirtyFact, FileText, LogFact, PlaceFact
from resume_forensics.model.org import Run, RunInquiries
from resume_forensics.text import Raw
from resume_forensics.vocabulary import OrgStatus, RunStatus

CIRCUMSTANCES = Circumstances(now=datetime(2026, 1, 2, 9, tzinfo=UTC), root=Raw("/org"))
HEAD = "abc1234" + "0" * 33
TREE = PlaceFact(is_directory=True, is_top=True, branch="feat/oauth", head=HEAD)
CLEAN = DirtyFact()
LOG = LogFact(commits=(Commit(sha=HEAD, at=datetime(2026, 1, 1, tzinfo=UTC), subject="work"),))
RUN = Run(
    task_id=Raw("oauth"),
    claimed=Raw("in_use"),
    status=RunStatus.IN_USE,
    directory=Raw("/w/oauth"),
    branch=Raw("feat/oauth"),
    commit=Raw("abc1234"),
    inquiries=RunInquiries(worker_file=FileText(path=Raw(".state/workers/worker-oauth.md"))),
)
SIGHT = RunSight(run=RUN, org_status=OrgStatus.ACTIVE, place=TREE, dirty=CLEAN, log=LOG)


def sight(run: dict[str, Any] | None = None, **fields: Any) -> RunSight:  # noqa: ANN401 (any field of the two)
    """The sight with fields of its own, and of its run."""
    return replace(SIGHT, run=replace(RUN, **(run or {})), **fields)


def dirty(*paths: str, cut: bool = False, problem: str | None = None) -> DirtyFact:
    """Uncommitted paths."""
    return DirtyFact(paths=paths, cut=cut, problem=problem)


def tree(**fields: Any) -> PlaceFact:  # noqa: ANN401 (any field of the fact)
    """The work tree with fields of its own."""
    return replace(TREE, **fields)
