"""Reads all files of one session and feeds the questions that are asked of it. In: a session. Out: what was gathered, unjudged."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from resume_forensics.deduce.cause import Cause
from resume_forensics.deduce.identity import Identity
from resume_forensics.deduce.inflight import InFlight
from resume_forensics.deduce.ledger import Ledger
from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Belonging, Call, Event, Link, Mention, Stamp
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Malformed, Record
from resume_forensics.model.report import Sidecar
from resume_forensics.model.session import Session, Source
from resume_forensics.read.awaited import Key, Watch
from resume_forensics.read.files import list_folder, read_document
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.records import Reading, read_records
from resume_forensics.read.search import Needles
from resume_forensics.read.segments import SegmentedReading
from resume_forensics.read.tail import BackwardReading
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import WorkerKind


class WorkerFile(Struct, frozen=True, kw_only=True):
    """A worker's own transcript inside the session's folder. `run`: the workflow run that it is a step of."""

    worker_id: Raw
    path: Path
    run: Raw | None = None


class Gathered(Struct, kw_only=True):
    """Everything the files of one session gave."""

    session: Session
    main: Source
    ledger: Ledger
    identity: Identity = field(default_factory=Identity)
    cause: Cause
    in_flight: InFlight = field(default_factory=InFlight)
    files: tuple[WorkerFile, ...] = ()
    sources: list[Source] = field(default_factory=list)
    sidecars: dict[Raw, Sidecar[Raw]] = field(default_factory=dict)
    last_record_at: datetime | None = None
    directory: Raw | None = None
    continued_in: Raw | None = None
    records: int = 0
    unparsable: int = 0
    bad_lines: tuple[Malformed, ...] = ()
    warnings: list[Raw] = field(default_factory=list)

    def own_id(self) -> Raw | None:
        """The session's own id."""
        return self.identity.answer(self.session.session_id)


def gather(session: Session, harness: Harness, *, plain: bool = False) -> Gathered:
    """Read the main transcript, its tail, every worker's transcript, and their sidecars.

    `plain`: decode every line, instead of those alone that hold a needle of the harness; the answers are the same.
    """
    gathered = Gathered(
        session=session,
        main=Source(path=session.path),
        ledger=Ledger(harness.delivery_traced_since),
        cause=Cause(harness.shutdown_remedy),
        directory=session.directories[-1] if session.directories else None,
    )
    if session.main_exists:
        gathered.sources.append(gathered.main)
        _read_tail(gathered, harness, _read_main(gathered, harness, plain=plain))
    gathered.files = tuple(find_worker_files(session.path.with_suffix(""), harness))
    for order, file in enumerate(gathered.files, start=1):
        _read_worker(gathered, file, order, harness, plain=plain)
    if not plain:
        find_calls(gathered.ledger, gathered.sources, harness)
    if not gathered.records:
        _list_orphans(gathered)
    return gathered


def find_worker_files(folder: Path, harness: Harness) -> Iterator[WorkerFile]:
    """Every worker's own transcript in a session's folder, those of workflow runs last."""
    workers = folder / harness.folders.workers
    yield from worker_files_in(workers, harness, run=None)
    for entry in list_folder(workers / harness.folders.runs):
        if entry.is_dir:
            yield from worker_files_in(workers / harness.folders.runs / entry.name, harness, run=Raw(entry.name))


def worker_files_in(folder: Path, harness: Harness, *, run: Raw | None) -> Iterator[WorkerFile]:
    """The workers' transcripts that lie in one folder."""
    for entry in list_folder(folder):
        worker_id = harness.worker_id_of(entry.name)
        if worker_id is not None:
            yield WorkerFile(worker_id=worker_id, path=folder / entry.name, run=run)


def _read_main(gathered: Gathered, harness: Harness, *, plain: bool) -> Reading:
    """Feed the main transcript to the ledger, and answer how far it was read.

    Which session it is, its first and its last records tell, so that the rest need not be decoded for that.
    """
    for item in islice(read_records(gathered.session.path, max_bytes=LIMITS.probe_bytes), LIMITS.probe_lines):
        if isinstance(item, Record):
            gathered.identity.see(harness.session_id_of(item))
    reading = open_reading(gathered.session.path, gathered.ledger, harness, plain=plain)
    for item in reading:
        if isinstance(item, Record):
            for event in harness.translate(item, gathered.main):
                gathered.ledger.see(event)
                if isinstance(event, Belonging) and event.continued_in:
                    gathered.continued_in = event.continued_in
    gathered.records, gathered.unparsable = reading.records, reading.unparsable
    gathered.bad_lines = tuple(reading.bad_lines)
    if reading.changed:
        gathered.warnings.append(compose("the transcript changed: ", reading.changed))
    return reading


def open_reading(path: Path, ledger: Ledger, harness: Harness, *, plain: bool) -> Reading:
    """A forward pass for a ledger: on the plain road every record, else those that may matter and those the ledger asks for."""
    if plain:
        return Reading(path)
    watch = make_watch(ledger, harness)
    return SegmentedReading(path, _compile(harness.needles, watch.marks), watch)


def make_watch(ledger: Ledger, harness: Harness) -> Watch:
    """What a forward pass has to watch for, so that the ledger gets the calls and results that it asks for."""
    keys = (
        Key(name=harness.result_key, is_wanted=ledger.is_awaited),
        Key(name=harness.link_key, is_wanted=ledger.is_unlinked, mark=harness.link_mark),
    )
    return Watch(wishes=ledger.take_wishes, is_wanted=ledger.is_wanted, awaited=ledger.awaited_calls, news=ledger.take_awaited, keys=keys)


@cache
def _compile(needles: tuple[str, ...], keys: tuple[str, ...] = ()) -> Needles:
    return Needles(needles, keys)


def find_calls(ledger: Ledger, sources: Sequence[Source], harness: Harness) -> None:
    """Search the files once more for calls that stand further before their receipts than was looked behind."""
    for source in sources:
        wanted = ledger.wanted_calls()
        if not wanted:
            return
        for item in pass_over_missing(NominatedReading(source.path, Needles.of(wanted))):
            if isinstance(item, Record):
                for event in harness.translate(item, source):
                    if isinstance(event, Call):
                        ledger.see(event)


class TailEvents(Struct, frozen=True, kw_only=True):
    """What the last records of a file say. `session_ids`: one each, last first. `cut`: a bound ended the reading."""

    events: tuple[Event, ...]
    session_ids: tuple[Raw | None, ...]
    last_record_at: datetime | None
    cut: bool


def read_tail_events(source: Source, harness: Harness, *, end: int, lines: int) -> TailEvents:
    """Translate the last records before byte `end`, where `lines` lines end; bookkeeping does not count towards their number."""
    reading = BackwardReading(source.path, max_bytes=LIMITS.tail_bytes, end=end)
    kept: list[tuple[Event, ...]] = []
    session_ids: list[Raw | None] = []
    last_record_at: datetime | None = None
    counted = 0
    for item in reading:
        if not isinstance(item, Record):
            continue
        place = replace(item.place, line=item.place.line + 1 + lines)
        kept.append(tuple(harness.translate(replace(item, place=place), source)))
        session_ids.append(harness.session_id_of(item))
        if harness.is_activity(item):
            counted += 1
            last_record_at = last_record_at or harness.time_of(item)
        if counted >= LIMITS.tail_records:
            break
    events = tuple(chain.from_iterable(reversed(kept)))
    return TailEvents(events=events, session_ids=tuple(session_ids), last_record_at=last_record_at, cut=reading.cut)


def _read_tail(gathered: Gathered, harness: Harness, whole: Reading) -> None:
    """Feed the last records to the questions about the end."""
    tail = read_tail_events(gathered.main, harness, end=whole.size_bytes, lines=whole.lines)
    gathered.last_record_at = tail.last_record_at
    for session_id in tail.session_ids:
        gathered.identity.see(session_id)
    for event in tail.events:
        gathered.cause.see(event)
        gathered.in_flight.see(event)
    if tail.cut:
        gathered.warnings.append(Raw("the end of the transcript is long: what stopped the session was looked for in its last part only"))
        if gathered.last_record_at is None:
            gathered.warnings.append(Raw("nothing in that part belongs to the conversation: when the session ended is not known"))


def _read_worker(gathered: Gathered, file: WorkerFile, order: int, harness: Harness, *, plain: bool) -> None:
    """Feed the launches and ends in a worker's own transcript, and what its sidecar ties together."""
    source = Source(path=file.path, order=order, owner=file.worker_id)
    gathered.sources.append(source)
    for item in pass_over_missing(open_reading(file.path, gathered.ledger, harness, plain=plain)):
        if isinstance(item, Record):
            for event in harness.translate(item, source):
                gathered.ledger.see(event)
    path = file.path.with_name(harness.sidecar_name(file.path.name))
    document = read_document(path)
    if document is not None:
        sidecar = harness.read_sidecar(document, path)
        gathered.sidecars[file.worker_id] = sidecar
        if sidecar.tool_use_id is not None and file.run is None:
            link = Link(stamp=Stamp(source=source, line=0), tool_use_id=sidecar.tool_use_id, worker_id=file.worker_id)
            gathered.ledger.see(link)


def _list_orphans(gathered: Gathered) -> None:
    """Name the workers whose transcripts are all that is left: the main one, which launched them, tells nothing."""
    for order, file in enumerate(gathered.files, start=1):
        sidecar = gathered.sidecars.get(file.worker_id)
        if file.run is None and not (sidecar and sidecar.is_fork):
            stamp = Stamp(source=Source(path=file.path, order=order, owner=file.worker_id), line=0)
            gathered.ledger.see(Mention(stamp=stamp, worker_id=file.worker_id, kind=WorkerKind.AGENT, notice=True))


def open_nominated(path: Path, harness: Harness, *, plain: bool) -> Iterator[Record | Malformed]:
    """The records of a file that may say something by themselves (`plain`: all records), none where it is no file."""
    return pass_over_missing(Reading(path) if plain else SegmentedReading(path, _compile(harness.needles)))


def open_records(path: Path) -> Iterator[Record | Malformed]:
    """The records of a file that may be gone or no file at all: then there are none."""
    return pass_over_missing(Reading(path))


def pass_over_missing(reading: Reading) -> Iterator[Record | Malformed]:
    """What a reading gives, where its file is one; else nothing."""
    try:
        yield from reading
    except UnreadableFile:
        return
