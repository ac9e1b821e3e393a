"""Finds what survives of a worker's own transcript and sums it up. In: the joined workers. Out: where each copy lies, and its digest."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from resume_forensics.deduce.digest import Window, WorkDone, explain_nothing, sum_up_output
from resume_forensics.flow.gather import Gathered, WorkerFile, open_records, worker_files_in
from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Record
from resume_forensics.model.report import Digest, Step
from resume_forensics.model.session import Source
from resume_forensics.model.worker import Worker
from resume_forensics.read.files import list_folder, observe
from resume_forensics.read.tail import BackwardReading, read_text_tail
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, StepState, WorkerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Where a worker's transcript lies; `here`: in this session's own folder."""

    path: Path
    here: bool


@dataclass(slots=True)
class Copies:
    """Looks up workers' transcripts; the first place that has one wins. Places further away are listed only when asked for."""

    gathered: Gathered
    harness: Harness
    store: Path | None
    _here: dict[Raw, Path] = field(default_factory=dict)
    _far: dict[Raw | None, dict[Raw, Path]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the session's own folder, which was listed already."""
        for file in self.gathered.files:
            if file.run is None:
                self._here.setdefault(file.worker_id, file.path)

    def find(self, worker: Worker, steps: tuple[Step[Raw], ...] = ()) -> Copy | None:
        """The copy of one worker: here, in its workflow run, where it was forked from, in a worktree's folder, or flat beside.

        Of a workflow it is the newest transcript of a step that is in flight; only where none is, of any step.
        """
        if worker.kind is WorkerKind.WORKFLOW:
            return self._newest_of_run(worker.run_id, {step.agent_id for step in steps if step.state is StepState.IN_FLIGHT})
        if worker.worker_id is None or worker.kind in (WorkerKind.BACKGROUND_SHELL, WorkerKind.MONITOR):
            return None
        if worker.worker_id in self._here:
            return Copy(path=self._here[worker.worker_id], here=True)
        far = self._places_of(worker.copied_from).get(worker.worker_id)
        return Copy(path=far, here=False) if far else None

    def _newest_of_run(self, run: Raw | None, in_flight: set[Raw]) -> Copy | None:
        files = [file for file in self.gathered.files if run is not None and file.run == run]
        running = [file for file in files if file.worker_id in in_flight]
        found = max((file.path for file in running or files), key=_modified_at, default=None)
        return Copy(path=found, here=True) if found else None

    def _places_of(self, forked_from: Raw | None) -> dict[Raw, Path]:
        if forked_from not in self._far:
            files: dict[Raw, Path] = {}
            for file in self._list_far(forked_from):
                files.setdefault(file.worker_id, file.path)
            self._far[forked_from] = files
        return self._far[forked_from]

    def _list_far(self, forked_from: Raw | None) -> Iterator[WorkerFile]:
        main, workers = self.gathered.session.path, self.harness.folders.workers
        if forked_from is not None:
            for entry in list_folder(main.parent):
                if entry.is_dir and Raw(entry.name) == forked_from:
                    yield from worker_files_in(main.parent / entry.name / workers, self.harness, run=None)
        if self.store is not None:
            for entry in list_folder(self.store):
                if entry.is_dir:
                    yield from worker_files_in(self.store / entry.name / main.stem / workers, self.harness, run=None)
        yield from worker_files_in(main.parent, self.harness, run=None)


def _modified_at(path: Path) -> float:
    moment = observe(path).modified_at
    return moment.timestamp() if moment else 0.0


def digest_transcript(path: Path, harness: Harness, now: datetime) -> Digest[Raw]:
    """Sum up the tail of a worker's own transcript."""
    fact = observe(path)
    if fact.missing is not None:
        return explain_nothing(fact)
    source = Source(path=path, order=1)
    work, kept = WorkDone(), []
    reading = BackwardReading(path, max_bytes=LIMITS.digest_bytes)
    for item in reading:
        if isinstance(item, Record):
            kept.append(item)
        if len(kept) >= LIMITS.digest_records:
            break
    for record in reversed(kept):
        for event in harness.translate(record, source):
            work.see(event)
    cut = reading.cut or len(kept) >= LIMITS.digest_records
    return work.answer(_window(fact, len(kept), now, cut=cut))


def digest_sidechain(main: Source, worker: Worker, harness: Harness, now: datetime) -> Digest[Raw] | None:
    """Sum up a helper whose records stand in the main transcript itself (to 2.0.1): the sidechain behind its call, if there is one.

    Where the records name their helper, only its own count; older ones do not, and then two helpers at once are told as one.
    """
    fact = observe(main.path)
    work, records = WorkDone(), 0
    start = worker.launch.line if worker.launch else 0
    for item in open_records(main.path):
        if not isinstance(item, Record) or item.place.line <= start:
            continue
        events = [event for event in harness.translate(item, main) if event.stamp.sidechain]
        records += bool(events)
        for event in events:
            if event.stamp.actor in (None, worker.worker_id):
                work.see(event)
    return work.answer(_window(fact, records, now, cut=False)) if records else None


def digest_output(fact: FileFact, now: datetime) -> Digest[Raw]:
    """Sum up the end of a shell's output file."""
    if fact.missing is not None or fact.path is None:
        return explain_nothing(fact)
    tail = read_text_tail(fact.path, max_bytes=LIMITS.output_tail_bytes)
    return sum_up_output(tail.text, _window(fact, 0, now, cut=tail.cut))


def _window(fact: FileFact, records: int, now: datetime, *, cut: bool) -> Window:
    age = None if fact.modified_at is None else max(0.0, (now - fact.modified_at).total_seconds())
    return Window(size_bytes=fact.size_bytes or 0, records=records, cut=cut, age_s=age)


def no_copy() -> Digest[Raw]:
    """What is said of a worker of which no copy was found anywhere."""
    return explain_nothing(FileFact(path=None, missing=Missing.GONE))
