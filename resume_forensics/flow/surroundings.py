"""What lies around a session: the registry of live processes, the job ledger, the journal of a workflow run."""

from collections.abc import Mapping
from pathlib import Path

from resume_forensics.flow.gather import open_records
from resume_forensics.limits import LIMITS
from resume_forensics.model.layout import Harness, JobState
from resume_forensics.model.record import Record
from resume_forensics.model.report import SessionLife, Step
from resume_forensics.model.session import Session
from resume_forensics.model.worker import Worker
from resume_forensics.read.files import list_folder, read_document
from resume_forensics.read.processes import observe_process
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import WorkerKind


def find_life(config: Path | None, session_id: Raw | None, harness: Harness) -> SessionLife[Raw] | None:
    """The process that runs the session, by the harness's registry: its pid must run and must have started when noted."""
    if config is None or session_id is None:
        return None
    folder = config / harness.folders.registry
    for file in list_folder(folder):
        document = read_document(folder / file.name) if file.is_file else None
        entry = harness.read_registry(document) if document is not None else None
        if entry is None or entry.session_id != session_id:
            continue
        process = observe_process(entry.pid, entry.start_mark)
        if process.alive and process.started:
            words = f"process {entry.pid} runs and started when the registry says: "
            return SessionLife(pid=entry.pid, evidence=compose(words, Raw(str(folder / file.name))))
    return None


def find_job(config: Path | None, session_id: Raw | None, harness: Harness) -> JobState | None:
    """The job ledger of a background session."""
    if config is None or session_id is None:
        return None
    folder = config / harness.folders.jobs
    for entry in list_folder(folder):
        document = read_document(folder / entry.name / "state.json") if entry.is_dir else None
        job = harness.read_job(document) if document is not None else None
        if job is not None and job.session_id == session_id:
            return job
    return None


def list_runs(session: Session, harness: Harness) -> dict[Raw, Path]:
    """The folder of every workflow run of a session, by the run's id."""
    runs = session.path.with_suffix("") / harness.folders.workers / harness.folders.runs
    return {Raw(entry.name): runs / entry.name for entry in list_folder(runs) if entry.is_dir}


def read_steps(runs: Mapping[Raw, Path], worker: Worker, harness: Harness) -> tuple[Step[Raw], ...]:
    """The agents of a workflow, from the journal of its run."""
    folder = runs.get(worker.run_id) if worker.kind is WorkerKind.WORKFLOW and worker.run_id is not None else None
    if folder is None:
        return ()
    records = (item for item in open_records(folder / harness.folders.journal) if isinstance(item, Record))
    return harness.read_journal(record for record, _ in zip(records, range(LIMITS.journal_records), strict=False))
