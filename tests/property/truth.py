"""What the property tests ask of a session: which workers it says, and how it ended, in a form that two scans can be compared by."""

from datetime import UTC, datetime
from pathlib import Path

from resume_forensics.deduce.join import Joined, join
from resume_forensics.flow.discover import open_session
from resume_forensics.flow.gather import gather
from resume_forensics.flow.scan import assemble
from resume_forensics.harness import HARNESSES
from resume_forensics.model.report import Report
from resume_forensics.model.session import Selection
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import WorkerState

NOW = datetime(2026, 10, 1, tzinfo=UTC)


def join_file(path: Path) -> Joined:
    """Read one session and join it, without asking the machine anything."""
    gathered = gather(open_session(path, HARNESSES[0]), HARNESSES[0])
    return join(gathered.ledger.book, gathered.own_id())


def unreported_ids(path: Path) -> set[str]:
    """The launched workers that never reported. One whose launch is missing is not among them: its launch is not before the cut."""
    workers = join_file(path).workers
    return {
        reveal(worker.worker_id)
        for worker in workers
        if worker.worker_id and worker.state is WorkerState.UNREPORTED and not worker.launch_missing and not worker.foreground
    }


def scan_file(path: Path) -> Report[Raw]:
    """Scan one session whole."""
    return assemble(Selection(directory=path.parent, session=path, store=path.parent.parent), now=NOW, live_window_s=90)


def verdicts(report: Report[Raw]) -> dict[str, tuple[object, ...]]:
    """Each worker's verdict, by id."""
    workers = (*report.unreported, *report.reported_failed, *report.reported)
    return {
        reveal(worker.worker_id or Raw("")): (
            worker.kind,
            worker.state,
            worker.delivery,
            worker.liveness,
            worker.status,
            worker.prompt,
            worker.command,
            worker.reopened,
            worker.lost_track,
            worker.launch_missing,
            worker.foreground,
            worker.action.name,
        )
        for worker in workers
    }
