"""Joins a session, and searches later sessions of its folder for the ends of workers still open: `/clear` keeps workers running."""

from collections.abc import Iterable
from pathlib import Path

from resume_forensics.deduce.join import Joined, join
from resume_forensics.flow.discover import probe_folder
from resume_forensics.flow.gather import Gathered, gather, open_nominated
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import End
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Record
from resume_forensics.model.session import Session, Source
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw
from resume_forensics.vocabulary import WorkerState


def gather_joined(session: Session, harness: Harness, *, plain: bool = False) -> tuple[Gathered, Joined]:
    """Read a session and join what it says; for workers still open, later sessions are asked too."""
    gathered = gather(session, harness, plain=plain)
    joined = join(gathered.ledger.book, gathered.own_id())
    still_open = list_open(joined)
    if still_open and feed_later_ends(gathered, still_open, harness, plain=plain):
        joined = join(gathered.ledger.book, gathered.own_id())
    return gathered, joined


def list_open(joined: Joined) -> list[Worker]:
    """The workers that never came back."""
    return [worker for worker in joined.workers if worker.state is WorkerState.UNREPORTED]


def feed_later_ends(gathered: Gathered, open_workers: Iterable[Worker], harness: Harness, *, plain: bool = False) -> bool:
    """Feed the ledger with the ends of open workers that later sessions recorded; answer whether one was found.

    An id counts if its shape is random; a worker whose id is a counter is known by its tool call alone.
    """
    names = {worker.worker_id for worker in open_workers if worker.worker_id and not worker.counted_id}
    calls = {worker.tool_use_id for worker in open_workers if worker.tool_use_id}
    found = False
    for order, session in enumerate(_later_sessions(gathered, harness), start=len(gathered.files) + 1):
        for end in _ends_in(session.path, order, harness, plain=plain):
            if end.worker_id in names or (end.tool_use_id is not None and end.tool_use_id in calls):
                gathered.ledger.see(end)
                found = True
    return found


def _later_sessions(gathered: Gathered, harness: Harness) -> list[Session]:
    """The sessions of the same folder that were active after this one, the nearest first."""
    moment = gathered.last_record_at
    if moment is None:
        return []
    main = gathered.session.path
    later = [one for one in probe_folder(main.parent, harness) if one.path.name != main.name and one.last_activity_at >= moment]
    if len(later) > LIMITS.later_sessions:
        said = f"{len(later)} sessions of this directory are later: ends of workers were looked for in the first {LIMITS.later_sessions}"
        gathered.warnings.append(Raw(said))
    return sorted(later, key=lambda one: (one.last_activity_at, one.path))[: LIMITS.later_sessions]


def _ends_in(path: Path, order: int, harness: Harness, *, plain: bool) -> list[End]:
    source = Source(path=path, order=order, later=True)
    records = (item for item in open_nominated(path, harness, plain=plain) if isinstance(item, Record))
    return [event for record in records for event in harness.translate(record, source) if isinstance(event, End)]
