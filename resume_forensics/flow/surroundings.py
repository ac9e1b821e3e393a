"""What lies around a session: the registry of live processes, the job ledger, the journal of a workflow run."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from resume_forensics.errors import UnreadableFile
from resume_forensics.flow.discover import session_entries
from resume_forensics.flow.gather import open_records
from resume_forensics.limits import LIMITS
from resume_forensics.model.layout import Harness, JobState, RegistryEntry
from resume_forensics.model.record import Record
from resume_forensics.model.report import SessionLife, Step
from resume_forensics.model.session import Session
from resume_forensics.model.worker import Worker
from resume_forensics.read.files import list_folder, read_document
from resume_forensics.read.processes import list_ancestors, observe_process, process_began_at
from resume_forensics.read.records import read_records
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import WorkerKind

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_RUNS = "process {} runs and started when the registry says: "
_WENT_ON = "process {} was there before this session ended, and now runs one that began later in its place: "


def find_life(config: Path | None, session_id: Raw | None, harness: Harness) -> SessionLife[Raw] | None:
    """The process that runs the session, by the harness's registry: its pid must run and must have started when noted."""
    if config is None or session_id is None:
        return None
    lives = [
        SessionLife(pid=entry.pid, evidence=compose(_RUNS.format(entry.pid), Raw(str(file))), since=_began_at(entry))
        for entry, file in _list_alive(config, harness)
        if entry.session_id == session_id
    ]
    return min(lives, key=lambda life: life.since or _LONG_AGO, default=None)


def find_heir(config: Path | None, session: Session, ended_at: datetime | None, harness: Harness) -> SessionLife[Raw] | None:
    """The process of the session that may live on under another session's id, which keeps its workers running (`/clear`).

    It must have started before the session's last record, and run a session of the same folder that began after it.
    """
    if config is None or ended_at is None:
        return None
    beside = {Raw(Path(entry.name).stem): entry.name for entry in session_entries(session.path.parent, harness)}
    for entry, file in _list_alive(config, harness):
        name = beside.get(entry.session_id)
        since = _began_at(entry)
        if name is None or name == session.path.name or since is None or since > ended_at:
            continue
        first_at = _first_time_in(session.path.parent / name, harness)
        if first_at is not None and first_at >= ended_at:
            return SessionLife(pid=entry.pid, evidence=compose(_WENT_ON.format(entry.pid), Raw(str(file))), since=since)
    return None


def find_own_sessions(config: Path | None, environment: Mapping[str, str], harness: Harness) -> set[Raw]:
    """The sessions that this program itself runs in: the one that the environment names, and those of the processes it came from."""
    named = environment.get(harness.own_id_variable) if harness.own_id_variable else None
    own = {Raw(named)} if named else set()
    if config is None or not list_folder(config / harness.folders.registry):
        return own
    ancestors = list_ancestors()
    return own | {entry.session_id for entry, _ in _list_alive(config, harness) if entry.pid in ancestors}


def _began_at(entry: RegistryEntry) -> datetime | None:
    """When the process of an entry began: by the registry or by the machine, whichever is earlier, for clocks are set anew."""
    known = [at for at in (entry.started_at, process_began_at(entry.pid)) if at is not None]
    return min(known, default=None)


def _list_alive(config: Path, harness: Harness) -> Iterator[tuple[RegistryEntry, Path]]:
    """The entries of the registry whose process runs and started when noted, with their files."""
    folder = config / harness.folders.registry
    for file in list_folder(folder):
        document = read_document(folder / file.name) if file.is_file else None
        entry = harness.read_registry(document) if document is not None else None
        if entry is not None:
            process = observe_process(entry.pid, entry.start_mark)
            if process.alive and (process.started or (process.started is None and _began_as_noted(entry))):
                yield entry, folder / file.name


def _began_as_noted(entry: RegistryEntry) -> bool:
    """Whether the process of an entry without a start mark (2.1.87 to 2.1.149) began shortly before the registry wrote it down."""
    began_at = process_began_at(entry.pid)
    if began_at is None or entry.started_at is None:
        return False
    return -LIMITS.clock_slack_s <= (entry.started_at - began_at).total_seconds() <= LIMITS.registry_slack_s


def _first_time_in(path: Path, harness: Harness) -> datetime | None:
    """The time of the first record of a transcript that has one."""
    records = (item for item in read_records(path, max_bytes=LIMITS.probe_bytes) if isinstance(item, Record))
    try:
        return next((at for record in records if (at := harness.time_of(record))), None)
    except UnreadableFile:
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


def find_snapshots(session: Session, workers: Iterable[Worker], harness: Harness) -> dict[Raw, Raw]:
    """The state word that the snapshot of each workflow run holds, by run."""
    wanted = {worker.run_id for worker in workers if worker.run_id is not None}
    folder = session.path.with_suffix("") / harness.folders.snapshots
    found: dict[Raw, Raw] = {}
    for file in list_folder(folder) if wanted else ():
        run = Raw(file.name.removesuffix(".json"))
        document = read_document(folder / file.name) if file.is_file and run in wanted else None
        word = harness.read_snapshot(document) if document is not None else None
        if word is not None:
            found[run] = word
    return found


def read_steps(runs: Mapping[Raw, Path], worker: Worker, harness: Harness) -> tuple[Step[Raw], ...]:
    """The agents of a workflow, from the journal of its run."""
    folder = runs.get(worker.run_id) if worker.kind is WorkerKind.WORKFLOW and worker.run_id is not None else None
    if folder is None:
        return ()
    records = (item for item in open_records(folder / harness.folders.journal) if isinstance(item, Record))
    return harness.read_journal(record for record, _ in zip(records, range(LIMITS.journal_records), strict=False))
