"""Counts the files of one session: the one piece of work that a process, a machine of a cluster and the cache ask for."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from resume_forensics.deduce.identity import Identity
from resume_forensics.deduce.join import join
from resume_forensics.deduce.ledger import Ledger
from resume_forensics.deduce.order import is_before
from resume_forensics.errors import UnreadableFile
from resume_forensics.flow.calls import find_calls
from resume_forensics.flow.endings import find_last_finished_turn
from resume_forensics.flow.passes import FilePass, count_seed
from resume_forensics.flow.turns import Counting, Story, to_ms
from resume_forensics.flow.unit import Unit, WorkerPath, is_checkpoint, list_workers
from resume_forensics.harness import HARNESSES
from resume_forensics.limits import LIMITS
from resume_forensics.model.count import Counted, SeedCount, SessionCount, UnitCount, WorkerCount, share
from resume_forensics.model.event import Link, Stamp
from resume_forensics.model.layout import Harness
from resume_forensics.model.piece import Ending, Piece, Sought
from resume_forensics.model.record import Record
from resume_forensics.model.session import Source
from resume_forensics.model.worker import Worker
from resume_forensics.read.edges import Edges
from resume_forensics.read.files import read_document
from resume_forensics.read.places import fold_directory
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Delivery, WorkerKind, WorkerState

_NOTHING: Final[Mapping[str, Piece]] = {}


def count_unit(unit: Unit, *, pieces: Mapping[str, Piece] = _NOTHING, plain: bool = False, below: str = "") -> Counted:
    """Count one unit. `pieces`: how far its files were read before, where nothing but new lines was added to them since.

    `plain`: decode every line. `below`: the folder in which relative paths begin. A file that cannot be read is named in the row;
    nothing is raised for it.
    """
    counting = _Counting(unit, HARNESSES[0], pieces, below, plain=plain)
    return counting.answer()


class _Counting:
    """Reads the files of a unit, and adds up."""

    def __init__(self, unit: Unit, harness: Harness, pieces: Mapping[str, Piece], below: str, *, plain: bool) -> None:
        self._unit = unit
        self._harness = harness
        self._before = pieces
        self._below = below
        self._plain = plain
        self._ledger = Ledger(harness.delivery_traced_since)
        self._readings: list[FilePass] = []
        self._pieces: dict[str, Piece] = {}
        self._seed = SeedCount()
        self._unreadable: list[str] = []

    def answer(self) -> Counted:
        """Count everything."""
        session = self._count_session(self._unit.main) if self._unit.main is not None else None
        for file in self._unit.files:
            if file not in self._pieces and file not in self._unreadable:
                self._read(file, self._open(file, Source(path=Path(self._below, file))))
        row = UnitCount(
            seed=self._seed,
            session=session,
            checkpoints=sum(is_checkpoint(file) for file in self._unit.files),
            unreadable=tuple(self._unreadable),
        )
        return Counted(row=row, pieces=self._pieces)

    def _open(self, file: str, source: Source, ledger: Ledger | None = None) -> FilePass | None:
        """Begin with a file; None, and its name is kept, where that cannot be done."""
        try:
            return FilePass(file, source, self._harness, ledger)
        except (UnreadableFile, OSError):
            self._unreadable.append(file)
            return None

    def _read(self, file: str, reading: FilePass | None) -> bool:
        """Read a file, and answer whether that could be done."""
        if reading is None:
            return False
        identified = reading.identity is not None
        try:
            piece = reading.read(None if identified else self._before.get(file), plain=self._plain or identified)
            self._seed += count_seed(reading.path, reading.openings)
        except (UnreadableFile, OSError):
            self._unreadable.append(file)
            return False
        self._pieces[file] = piece
        return True

    def _count_session(self, file: str) -> SessionCount | None:
        source = Source(path=Path(self._below, file))
        reading = self._open(file, source, self._ledger)
        if reading is None:
            return None
        stem = Raw(source.path.stem)
        head = _read_head(reading.edges, source, self._harness)
        identity = reading.identity = None if head.identity.answer(stem) == stem else Identity()
        if not self._read(file, reading):
            return None
        self._readings.append(reading)
        for order, worker in enumerate(list_workers(self._unit, self._harness), start=1):
            self._read_worker(worker, order)
        if not self._plain:
            find_calls(self._ledger, self._readings, self._harness)
        own_id = (identity or head.identity).answer(stem)
        story = self._tell(reading, own_id)
        counting = Counting(story, reading.openings)
        workers, ending = _count_workers(story)
        self._remember(story, counting, ending)
        end = _read_end(reading.edges, source, self._harness)
        directory, folder = end.directory or head.directory, Raw(file.rpartition("/")[0]).fingerprint()
        return SessionCount(
            file=file,
            harness=self._harness.name,
            session=(own_id or Raw(file)).fingerprint(),
            directory=share(fold_directory(directory).fingerprint() if directory else folder),
            folder=share(folder),
            version=share(".".join(map(str, end.version))),
            first_ms=to_ms(head.first_at),
            last_ms=to_ms(end.last_at),
            records=reading.records,
            size_bytes=reading.edges.size_bytes,
            unparsable=reading.unparsable,
            auto_continuations=counting.continuations,
            turns=tuple(counting.turns),
            workers=workers,
        )

    def _tell(self, reading: FilePass, own_id: Raw | None) -> Story:
        """What is known of a session whose files were read."""
        return Story(
            main=reading.source,
            harness=self._harness,
            book=self._ledger.book,
            joined=join(self._ledger.book, own_id),
            own_id=own_id,
            size_bytes=reading.edges.size_bytes,
            whole_bytes=reading.edges.whole_end,
            whole_lines=reading.whole_lines,
            sought=reading.before.sought,
            sought_bytes=reading.before.end_byte,
        )

    def _remember(self, story: Story, counting: Counting, ending: Ending | None) -> None:
        """Keep with each file what was looked for in it beyond its events."""
        for reading in self._readings:
            sought = Sought(calls=reading.calls, missed=reading.missed)
            if reading.source is story.main:
                first = story.first_human_byte if counting.followed else None
                sought = sought._replace(followed=tuple(counting.followed), ending=ending, first_human=first)
            if any(sought):
                self._pieces[reading.file] = replace(self._pieces[reading.file], sought=sought)

    def _read_worker(self, worker: WorkerPath, order: int) -> None:
        path = Path(self._below, worker.file)
        name = self._harness.worker_id_of(path.name)
        source = Source(path=path, order=order, owner=name)
        reading = self._open(worker.file, source, self._ledger)
        if reading is None or not self._read(worker.file, reading):
            return
        self._readings.append(reading)
        note = path.with_name(self._harness.sidecar_name(path.name))
        document = read_document(note)
        sidecar = self._harness.read_sidecar(document, note) if document else None
        if sidecar and sidecar.tool_use_id is not None and worker.run is None and name is not None:
            self._ledger.see(Link(stamp=Stamp(source=source, line=0), tool_use_id=sidecar.tool_use_id, worker_id=name))


class _Head:
    """What the first lines of a transcript say: whose they are, where, and when."""

    def __init__(self) -> None:
        self.identity = Identity()
        self.directory: Raw | None = None
        self.first_at: datetime | None = None


def _read_head(edges: Edges, source: Source, harness: Harness) -> _Head:
    """Read as few lines as say all of it, at most as many as a scan reads."""
    head, stem = _Head(), Raw(source.path.stem)
    for item in islice(edges.read_forwards(), LIMITS.probe_lines):
        if not isinstance(item, Record):
            continue
        head.identity.see(harness.session_id_of(item))
        belonging = harness.belonging_of(item, source)
        head.directory = (belonging.directory if belonging else None) or head.directory
        head.first_at = head.first_at or harness.time_of(item)
        if head.directory and head.first_at and head.identity.answer(stem) == stem:
            break
    return head


class _End:
    """What the last records of a transcript say."""

    def __init__(self) -> None:
        self.directory: Raw | None = None
        self.version: tuple[int, ...] = ()
        self.last_at: datetime | None = None


def _read_end(edges: Edges, source: Source, harness: Harness) -> _End:
    """Read backwards until the last activity has told its time, its directory and its version; at most as far as a probe reads."""
    end = _End()
    for item in edges.read_backwards():
        if not isinstance(item, Record):
            continue
        belonging = harness.belonging_of(item, source)
        if belonging is not None:
            end.directory = end.directory or belonging.moved_to or belonging.directory
            end.version = end.version or belonging.stamp.version
        if harness.is_activity(item):
            end.last_at = end.last_at or harness.time_of(item)
        if end.last_at and end.directory and end.version:
            break
    return end


def _count_workers(story: Story) -> tuple[tuple[WorkerCount, ...], Ending | None]:
    """Every worker of the session, in launch order; and what was found at the end of its file, where that was looked at."""
    workers = story.joined.workers
    launches: defaultdict[tuple[WorkerKind, Raw], list[Stamp]] = defaultdict(list)
    for worker in workers:
        work = _work_of(worker)
        if work is not None and worker.launch is not None:
            launches[worker.kind, work].append(worker.launch)
    lost = [worker.launch for worker in workers if worker.state is WorkerState.UNREPORTED and worker.launch is not None]
    finished, ending = find_last_finished_turn(story, lost) if lost else (None, None)
    return tuple(_count_worker(worker, launches, finished) for worker in workers), ending


def _count_worker(worker: Worker, launches: Mapping[tuple[WorkerKind, Raw], list[Stamp]], finished: Stamp | None) -> WorkerCount:
    work, end = _work_of(worker), worker.end
    again = launches[worker.kind, work] if work is not None and end is not None and worker.launch is not None else []
    lost = worker.state is WorkerState.UNREPORTED and worker.launch is not None
    return WorkerCount(
        kind=worker.kind,
        state=worker.state,
        unheard=worker.state is WorkerState.REPORTED and worker.delivery is Delivery.QUEUED,
        launch_missing=worker.launch_missing,
        work=work.fingerprint() if work else None,
        name=worker.worker_id.fingerprint() if worker.worker_id and not worker.counted_id else None,
        call=worker.tool_use_id.fingerprint() if worker.tool_use_id else None,
        launched_ms=to_ms(worker.spawned_at),
        ended_ms=to_ms(end.at) if end else None,
        redone=worker.state is WorkerState.REPORTED and any(end is not None and is_before(end, launch) for launch in again),
        survived=lost and finished is not None and worker.launch is not None and is_before(worker.launch, finished),
    )


def _work_of(worker: Worker) -> Raw | None:
    """What a worker was asked to do, whole: its prompt, or its command."""
    return worker.prompt or worker.command
