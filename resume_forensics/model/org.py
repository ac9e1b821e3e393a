"""The written state of a claude-org: what its database says of the session, of the runs and of what happened last.

Nothing here was held against the machine yet. Texts that get printed are `Raw`; words of a closed set that were not known are None.
"""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from resume_forensics.model.inquiry import FileText, GitAncestor, GitDirty, GitLog, GitPlace
from resume_forensics.text import Raw
from resume_forensics.vocabulary import OrgStatus, RunStatus, Verdict


class Moment(Struct, frozen=True, kw_only=True):
    """A time as one column has it. `at` None: it cannot be read; `exact` false: only its minute can be."""

    column: str
    text: Raw
    at: datetime | None
    exact: bool = True


class OrgSession(Struct, frozen=True, kw_only=True):
    """The one row that says whether the org works. `instructions` is the first line of what it left for whoever resumes."""

    claimed: Raw
    status: OrgStatus | None
    objective: Raw | None = None
    instructions: Raw | None = None
    moments: tuple[Moment, ...] = ()


class RunInquiries(Struct, frozen=True, kw_only=True):
    """What is asked of the machine for one open run. None where the database leaves nothing to ask."""

    worker_file: FileText | None = None
    place: GitPlace | None = None
    dirty: GitDirty | None = None
    log: GitLog | None = None
    ancestor: GitAncestor | None = None


class Run(Struct, frozen=True, kw_only=True):
    """One run. `worker_says` is the first status word of its worker file, in lower case, None where there is none.

    `directory_branch` is what the database says of the directory, `branch` what it says of the run.
    """

    task_id: Raw
    claimed: Raw
    status: RunStatus | None
    title: Raw | None = None
    directory: Raw | None = None
    branch: Raw | None = None
    directory_branch: Raw | None = None
    commit: Raw | None = None
    pr_url: Raw | None = None
    pr_state: Raw | None = None
    outcome: Raw | None = None
    worker_says: Raw | None = None
    moments: tuple[Moment, ...] = ()
    inquiries: RunInquiries = RunInquiries()


class OrgEvent(Struct, frozen=True, kw_only=True):
    """One event of the journal; what it carries is left out."""

    kind: Raw
    at: Moment | None = None
    actor: Raw | None = None


class Suspension(Struct, frozen=True, kw_only=True):
    """The last suspend event, and what it counted."""

    event: OrgEvent
    reason: Raw | None = None
    active_workers: int | None = None
    pending_items: int | None = None


class Org(Struct, frozen=True, kw_only=True):
    """The whole. `damage` says why the database cannot be believed, `detail` what was seen; then nothing else is known.

    `resume` is the write that the protocol permits, as SQL to be read; empty where it permits none.
    """

    damage: Verdict | None = None
    detail: Raw | None = None
    session: OrgSession | None = None
    runs: tuple[Run, ...] = ()
    events: tuple[OrgEvent, ...] = ()
    suspension: Suspension | None = None
    files: tuple[Raw, ...] = ()
    stray_worker_files: tuple[Raw, ...] = ()
    warnings: tuple[Raw, ...] = ()
    resume: tuple[Raw, ...] = ()


def find_moment(moments: Sequence[Moment], column: str) -> Moment | None:
    """The time of one column, None where it has none."""
    return next((moment for moment in moments if moment.column == column), None)
