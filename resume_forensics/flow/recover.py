"""Finds what survives of a worker's own transcript and sums it up. In: the joined workers. Out: where each copy lies, and its digest."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from operator import itemgetter
from pathlib import Path

from msgspec import Struct, field

from resume_forensics.deduce.digest import Window, WorkDone, explain_nothing, sum_up_output
from resume_forensics.flow.gather import Gathered, WorkerFile, open_records, worker_files_in
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Event
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


class Copy(Struct, frozen=True, kw_only=True):
    """Where a worker's transcript lies; `here`: in this session's own folder."""

    path: Path
    here: bool


class Copies(Struct):
    """Looks up workers' transcripts; the first place that has one wins. Places further away are listed only when asked for."""

    gathered: Gathered
    harness: Harness
    store: Path | None
    _here: dict[Raw, Path] = field(default_factory=dict)
    _runs: defaultdict[Raw, list[WorkerFile]] = field(default_factory=lambda: defaultdict(list))
    _forked: dict[Raw, dict[Raw, Path]] = field(default_factory=dict)
    _beside: dict[Raw, str] | None = None
    _far: dict[Raw, Path] | None = None

    def __post_init__(self) -> None:
        """Index the session's own folder, which was listed already."""
        for file in self.gathered.files:
            if file.run is None:
                self._here.setdefault(file.worker_id, file.path)
            else:
                self._runs[file.run].append(file)

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
        far = self._in_older_session(worker.copied_from, worker.worker_id) or self._far_away().get(worker.worker_id)
        return Copy(path=far, here=False) if far else None

    def _newest_of_run(self, run: Raw | None, in_flight: set[Raw]) -> Copy | None:
        files = self._runs.get(run, []) if run is not None else []
        running = [file for file in files if file.worker_id in in_flight]
        found = max((file.path for file in running or files), key=_modified_at, default=None)
        return Copy(path=found, here=True) if found else None

    def _in_older_session(self, forked_from: Raw | None, worker_id: Raw) -> Path | None:
        """The copy in the folder of the session that this one was forked from."""
        if forked_from is None:
            return None
        folder = self.gathered.session.path.parent
        if self._beside is None:
            self._beside = {Raw(entry.name): entry.name for entry in list_folder(folder) if entry.is_dir}
        if forked_from not in self._forked:
            name = self._beside.get(forked_from)
            files = worker_files_in(folder / name / self.harness.folders.workers, self.harness, run=None) if name else ()
            self._forked[forked_from] = _index(files)
        return self._forked[forked_from].get(worker_id)

    def _far_away(self) -> dict[Raw, Path]:
        """The copies in the folders of worktrees, then those flat beside the main transcript."""
        if self._far is None:
            self._far = _index(self._list_far())
        return self._far

    def _list_far(self) -> Iterator[WorkerFile]:
        main, workers = self.gathered.session.path, self.harness.folders.workers
        if self.store is not None:
            for entry in list_folder(self.store):
                if entry.is_dir:
                    yield from worker_files_in(self.store / entry.name / main.stem / workers, self.harness, run=None)
        yield from worker_files_in(main.parent, self.harness, run=None)


def _index(files: Iterable[WorkerFile]) -> dict[Raw, Path]:
    """The path of each worker's file; of several, the first."""
    found: dict[Raw, Path] = {}
    for file in files:
        found.setdefault(file.worker_id, file.path)
    return found


def _modified_at(path: Path) -> float:
    moment = observe(path).modified_at
    return moment.timestamp() if moment else 0.0


def digest_transcript(path: Path, worker: Worker, harness: Harness, now: datetime) -> Digest[Raw]:
    """Sum up the tail of a worker's own transcript."""
    fact = observe(path)
    if fact.missing is not None:
        return explain_nothing(fact)
    source = Source(path=path, order=1)
    work, kept = WorkDone(_asked_again_at(worker)), []
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


class Sidechains(Struct):
    """The helpers whose records stand in the main transcript itself (to 2.0.1), which is read once, when the first is asked for.

    Of each of `names`, and of the helpers that no record names, the last `LIMITS.digest_records` records are kept.
    """

    main: Source
    harness: Harness
    names: Collection[Raw]
    _kept: dict[Raw | None, deque[tuple[int, tuple[Event, ...]]]] = field(default_factory=dict)
    _read: bool = False

    def sum_up(self, worker: Worker, now: datetime) -> Digest[Raw] | None:
        """Sum up the records behind the worker's call; None where there are none.

        Where the records name their helper, only its own count; older ones do not, and then two helpers at once are told as one.
        """
        if not self._read:
            self._read_main()
        start = worker.launch.line if worker.launch else 0
        kept = [item for name in {None, worker.worker_id} for item in self._kept.get(name, ()) if item[0] > start]
        tail = sorted(kept, key=itemgetter(0))[-LIMITS.digest_records :]
        if not tail:
            return None
        work = WorkDone(_asked_again_at(worker))
        for _, events in tail:
            for event in events:
                work.see(event)
        return work.answer(_window(observe(self.main.path), len(tail), now, cut=len(tail) >= LIMITS.digest_records))

    def _read_main(self) -> None:
        self._read = True
        for item in open_records(self.main.path):
            events = tuple(self.harness.translate(item, self.main)) if isinstance(item, Record) else ()
            actor = events[0].stamp.actor if events and events[0].stamp.sidechain else None
            if events and events[0].stamp.sidechain and (actor is None or actor in self.names):
                self._kept.setdefault(actor, deque(maxlen=LIMITS.digest_records)).append((item.place.line, events))


def _asked_again_at(worker: Worker) -> datetime | None:
    """When a worker was last set to work again; an answer from before is not the answer to that."""
    return worker.launch.at if worker.reopened and worker.launch else None


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
