"""The road of one scan: find the session, read it, translate, join, judge, assemble, seal."""

# ruff: noqa: PLC0415 (the mask is loaded once all is read, so that the memory of its rules and of a giant line are not needed at once)

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from resume_forensics.deduce.crosscheck import check_counts, check_job, check_sidecars, check_snapshots
from resume_forensics.deduce.digest import explain_nothing
from resume_forensics.deduce.join import Joined
from resume_forensics.deduce.liveness import Scene, judge_driver, judge_liveness
from resume_forensics.deduce.tree import describe_tree
from resume_forensics.deduce.triage import Finding, propose
from resume_forensics.errors import WrongUse
from resume_forensics.flow.discover import choose_session, explain_store, find_sessions, find_store
from resume_forensics.flow.gather import Gathered
from resume_forensics.flow.later import gather_joined
from resume_forensics.flow.recover import Copies, Copy, Sidechains, digest_output, digest_transcript, no_copy
from resume_forensics.flow.surroundings import find_heir, find_job, find_life, find_snapshots, list_runs, read_steps
from resume_forensics.flow.traces import find_systems_at
from resume_forensics.harness import HARNESSES
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Call, Stamp
from resume_forensics.model.fact import FileFact, HolderFact
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Malformed
from resume_forensics.model.report import (
    BadLine,
    Digest,
    DriverReport,
    Evidence,
    OtherSession,
    Position,
    Report,
    RunningCall,
    SessionList,
    WorkerReport,
    WrittenState,
)
from resume_forensics.model.session import Selection, Session
from resume_forensics.model.worker import Driver, Worker
from resume_forensics.read.files import observe, observe_named
from resume_forensics.read.git import observe_tree
from resume_forensics.read.processes import boot_at, find_holders
from resume_forensics.text import Masked, Raw, compose
from resume_forensics.vocabulary import Delivery, DriverState, Missing, WorkerKind, WorkerState

_NOBODY = HolderFact(asked=False)


def scan(selection: Selection, *, now: datetime, live_window_s: int = LIMITS.live_window_s, plain: bool = False) -> Report[Masked]:
    """Answer what became of the selected session and of every worker it launched.

    `plain`: decode every line; slower, with the same answers but for bad lines that look like records.
    Raises `NoSession` where nothing fits the selection, `UnreadableFile` where its file is no readable regular file.
    """
    report = assemble(selection, now=now, live_window_s=live_window_s, plain=plain)
    from resume_forensics.mask.engine import Masker
    from resume_forensics.mask.seal import seal

    return seal(report, Masker())


def list_sessions(selection: Selection, *, now: datetime) -> SessionList[Masked]:
    """Answer the sessions that belong to the selection's directory, newest first; none is an empty list."""
    del now  # the answer does not depend on it; the signature is that of every question
    harness = find_harness(selection)
    sessions = find_sessions(selection, harness)
    no_store = explain_store(selection, harness)
    warnings = (Raw(no_store),) if no_store else ()
    from resume_forensics.mask.engine import Masker
    from resume_forensics.mask.seal import seal

    return seal(SessionList(sessions=tuple(_other(one) for one in sessions), warnings=warnings), Masker())


def find_harness(selection: Selection) -> Harness:
    """The harness that the selection names, else the default. Raises `WrongUse` for a name that none has."""
    if selection.harness is None:
        return HARNESSES[0]
    for harness in HARNESSES:
        if harness.name == selection.harness:
            return harness
    known = ", ".join(harness.name for harness in HARNESSES)
    raise WrongUse(f"unknown harness {selection.harness!r}; known: {known}")


def assemble(selection: Selection, *, now: datetime, live_window_s: int, plain: bool = False) -> Report[Raw]:
    """The report of one scan before it is sealed. Raises as `scan`."""
    harness = find_harness(selection)
    session, others = choose_session(selection, harness)
    gathered, joined = gather_joined(session, harness, plain=plain)
    store = find_store(selection, harness)
    return _Assembly(harness, gathered, joined, store, now, live_window_s).report(others)


class _Assembly:
    """Judges and assembles what was gathered of one session."""

    def __init__(self, harness: Harness, gathered: Gathered, joined: Joined, store: Path | None, now: datetime, live_window_s: int) -> None:  # noqa: PLR0913, PLR0917 (the six things an assembly is made of)
        self._harness = harness
        self._gathered = gathered
        self._joined = joined
        self._now = now
        config = store.parent if store is not None else None
        self._session_id = gathered.own_id() or gathered.session.session_id
        self._life = find_life(config, self._session_id, harness)
        self._job = find_job(config, self._session_id, harness)
        self._copies = Copies(gathered, harness, store)
        self._runs = list_runs(gathered.session, harness)
        names = {worker.worker_id for worker in joined.workers if worker.worker_id is not None}
        self._sidechains = Sidechains(gathered.main, harness, names)
        self._scene = Scene(
            life=self._life,
            heir=find_heir(config, gathered.session, gathered.last_record_at, harness),
            rows=harness.liveness,
            last_record_at=gathered.last_record_at,
            transcript=observe(gathered.session.path),
            booted_at=boot_at(),
            now=now,
            live_window_s=live_window_s,
        )
        shells = (worker for worker in joined.workers if worker.kind is WorkerKind.BACKGROUND_SHELL)
        self._outputs = {worker: self._observe_output(worker) for worker in shells}
        self._holders = _ask_holders(self._outputs)

    def report(self, others: tuple[Session, ...]) -> Report[Raw]:
        """Put the report together."""
        gathered = self._gathered
        workers = [self._describe(worker) for worker in self._joined.workers]
        return Report(
            harness=Raw(self._harness.name),
            session=Raw(str(gathered.session.path)),
            session_id=self._session_id,
            main_exists=gathered.session.main_exists,
            records=gathered.records,
            unparsable_records=gathered.unparsable,
            unparsable=tuple(_bad_line(bad) for bad in gathered.bad_lines),
            died_at=gathered.last_record_at,
            session_live=self._life,
            termination=gathered.cause.answer(),
            unreported=tuple(one for one in workers if one.state is WorkerState.UNREPORTED),
            reported_failed=tuple(one for one in workers if one.state is WorkerState.REPORTED_FAILED),
            reported=tuple(one for one in workers if one.state is WorkerState.REPORTED),
            drivers=tuple(_describe_driver(driver, judge_driver(driver, self._scene)) for driver in self._joined.drivers),
            running_calls=tuple(_running(call) for call in gathered.in_flight.answer()),
            other_sessions=tuple(_other(one) for one in others[: LIMITS.other_sessions]),
            written_state=_find_written_state(gathered.directory),
            tree=describe_tree(observe_tree(gathered.directory), workers) if gathered.directory else None,
            warnings=tuple(self._warnings()),
        )

    def _warnings(self) -> list[Raw]:
        gathered, workers = self._gathered, self._joined.workers
        warnings = list(gathered.warnings)
        if not gathered.session.main_exists:
            warnings.append(Raw("the main transcript is gone; only what lies in the session's folder was read"))
        elif gathered.records == 0:
            warnings.append(Raw("nothing in the transcript could be read; this is no all-clear"))
        if self._harness.worker_id_of(gathered.session.path.name) is not None:
            warnings.append(Raw("this file is a helper's own transcript, not a session's: what its parent lost is not in it"))
        if gathered.continued_in is not None:
            warnings.append(compose("the session says that it goes on in another one: ", gathered.continued_in))
        warnings += check_counts(workers, gathered.ledger.book.counts)
        warnings += check_sidecars(workers, gathered.sidecars)
        warnings += check_snapshots(workers, find_snapshots(gathered.session, workers, self._harness))
        warnings += check_job(workers, self._job)
        return warnings

    def _observe_output(self, worker: Worker) -> FileFact:
        return observe_named(worker.output_file, suffix=self._harness.output_suffix)

    def _describe(self, worker: Worker) -> WorkerReport[Raw]:
        output = self._outputs.get(worker) or self._observe_output(worker)
        steps = read_steps(self._runs, worker, self._harness)
        copy = self._copies.find(worker, steps)
        sidecar = self._gathered.sidecars.get(worker.worker_id) if worker.worker_id else None
        verdict = None
        if worker.state is WorkerState.UNREPORTED:
            holders = self._holders.get(output.path, _NOBODY) if output.path else _NOBODY
            verdict = judge_liveness(worker, output, holders, self._scene)
        digest = self._digest(worker, copy, output)
        finding = Finding(
            worker=worker,
            liveness=verdict.liveness if verdict else None,
            digest=digest,
            sidecar=sidecar,
            own_copy=copy is not None and copy.here,
        )
        return WorkerReport(
            worker_id=worker.worker_id,
            tool_use_id=worker.tool_use_id,
            tool=worker.tool,
            kind=worker.kind,
            description=worker.description,
            command=worker.command,
            prompt=worker.prompt,
            subagent_type=worker.subagent_type,
            spawned_at=worker.spawned_at,
            parent_worker_id=worker.parent_worker_id or (sidecar.parent_worker_id if sidecar else None),
            state=worker.state,
            status=worker.status,
            summary=worker.summary,
            delivery=worker.delivery,
            lost_track=worker.lost_track,
            launch_missing=worker.launch_missing,
            foreground=worker.foreground,
            reopened=worker.reopened,
            steps=steps,
            sidecar=sidecar,
            liveness=verdict.liveness if verdict else None,
            liveness_evidence=verdict.evidence if verdict else None,
            recent_write_s=verdict.recent_write_s if verdict else None,
            output_file=worker.output_file,
            durable_transcript=Raw(str(copy.path)) if copy else None,
            digest=digest,
            action=propose(finding),
            evidence=Evidence(launch=_position(worker.launch), notice=_position(worker.end)),
        )

    def _digest(self, worker: Worker, copy: Copy | None, output: FileFact) -> Digest[Raw] | None:
        """What it had done; asked only where somebody has to act on it."""
        if worker.state is WorkerState.REPORTED and worker.delivery is not Delivery.QUEUED:
            return None
        if copy is not None:
            return digest_transcript(copy.path, worker, self._harness, self._now)
        if worker.kind is WorkerKind.BACKGROUND_SHELL:
            return digest_output(output, self._now)
        launch, main = worker.launch, self._gathered.main
        if launch is not None and launch.source is main and launch.version < self._harness.sidechains_until:
            inside = self._sidechains.sum_up(worker, self._now)
            if inside is not None:
                return inside
        if worker.output_file is None or worker.kind is WorkerKind.WORKFLOW:
            return no_copy()
        return digest_transcript(output.path, worker, self._harness, self._now) if output.path else explain_nothing(output)


def _ask_holders(outputs: Mapping[Worker, FileFact]) -> Mapping[Path, HolderFact]:
    """One sweep over the processes for all output files that somebody may still write."""
    paths = [
        fact.path
        for worker, fact in outputs.items()
        if worker.state is WorkerState.UNREPORTED and fact.path is not None and fact.missing in (None, Missing.EMPTY)
    ]
    return find_holders(paths) if paths else {}


def _find_written_state(directory: Raw | None) -> tuple[WrittenState[Raw], ...]:
    """The systems that wrote their state down in the session's directory, where it is on this machine."""
    return tuple(WrittenState(system=system, path=directory) for system in find_systems_at(directory)) if directory else ()


def _bad_line(bad: Malformed) -> BadLine[Raw]:
    return BadLine(line=bad.place.line, byte=bad.place.byte, reason=Raw(bad.reason), salvaged=bad.salvaged)


def _position(stamp: Stamp | None) -> Position[Raw] | None:
    return None if stamp is None else Position(file=Raw(str(stamp.source.path)), line=stamp.line)


def _running(call: Call) -> RunningCall[Raw]:
    return RunningCall(
        tool=call.tool,
        tool_use_id=call.tool_use_id,
        description=call.description,
        command=call.command,
        path=call.path,
        half_written=call.edits and call.path is not None,
        evidence=Position(file=Raw(str(call.stamp.source.path)), line=call.stamp.line),
    )


def _other(session: Session) -> OtherSession[Raw]:
    return OtherSession(session=Raw(str(session.path)), last_activity=session.last_activity_at, size_bytes=session.size_bytes)


_DRIVER_WORDS = {
    DriverState.LOST: "it lived in the session's process and died with it; set it up again",
    DriverState.POSSIBLY_LIVE: "it lives in the session's process, which still runs",
    DriverState.DURABLE: "it is written down outside the process and outlives it",
    DriverState.FIRED: "its time had come when a later one was set",
    DriverState.REMOVED: "it was removed on purpose",
}


def _describe_driver(driver: Driver, state: DriverState) -> DriverReport[Raw]:
    place = f" (line {driver.stamp.line})"
    return DriverReport(
        id=driver.driver_id,
        kind=driver.kind,
        prompt=driver.prompt,
        next_at=driver.next_at,
        state=state,
        evidence=Raw(_DRIVER_WORDS[state] + place),
    )
