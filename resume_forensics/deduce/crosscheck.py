"""Holds the ledger against what the harness itself counted and noted. In: workers and the free oracles. Out: warnings, one sentence each.

A disagreement changes no verdict; it is told with both numbers, so that the reader can look.
"""

from collections.abc import Iterable, Iterator, Mapping

from resume_forensics.deduce.order import is_before
from resume_forensics.model.event import PendingCount
from resume_forensics.model.layout import JobState
from resume_forensics.model.report import Sidecar
from resume_forensics.model.worker import Worker
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Habitat, WorkerKind, WorkerState


def check_counts(workers: Iterable[Worker], counts: PendingCount | None) -> Iterator[Raw]:
    """Compare the harness's last count of workers in flight with ours at the same record."""
    if counts is None:
        return
    for word, kind, theirs in (("agents", WorkerKind.AGENT, counts.agents), ("workflows", WorkerKind.WORKFLOW, counts.workflows)):
        ours = sum(1 for worker in workers if worker.kind is kind and _in_flight(worker, counts))
        if theirs is not None and theirs != ours:
            line = counts.stamp.line
            yield Raw(f"at line {line} the harness counted {theirs} {word} in flight, the ledger {ours}: one of them missed something")


def _in_flight(worker: Worker, counts: PendingCount) -> bool:
    if worker.launch is None or worker.foreground or worker.parent_worker_id is not None or worker.habitat is Habitat.ELSEWHERE:
        return False
    ended = worker.end is not None and is_before(worker.end, counts.stamp)
    return is_before(worker.launch, counts.stamp) and not ended


def check_sidecars(workers: Iterable[Worker], sidecars: Mapping[Raw, Sidecar[Raw]]) -> Iterator[Raw]:
    """Name the workers of which a sidecar says they finished while no record says they reported, and the reverse."""
    for worker in workers:
        sidecar = sidecars.get(worker.worker_id) if worker.worker_id else None
        if sidecar is None or worker.worker_id is None:
            continue
        open_here = worker.state is WorkerState.UNREPORTED
        if open_here and (sidecar.finished or sidecar.report_taken):
            word = "its report was taken" if sidecar.report_taken else "it finished"
            yield compose("the sidecar of ", worker.worker_id, f" says that {word}, but no record of an end was found")
        elif worker.state is WorkerState.REPORTED and sidecar.finished is False:
            yield compose("the sidecar of ", worker.worker_id, " says that it did not finish, but a record says that it came back")


def check_snapshots(workers: Iterable[Worker], snapshots: Mapping[Raw, Raw]) -> Iterator[Raw]:
    """Tell what the snapshot of a workflow run says where no record says that the run came back."""
    for worker in workers:
        word = snapshots.get(worker.run_id) if worker.run_id else None
        if word is not None and worker.run_id is not None and worker.state is WorkerState.UNREPORTED:
            yield compose("the snapshot of run ", worker.run_id, " says ", word, ", but no record of an end was found")


def check_job(workers: Iterable[Worker], job: JobState | None) -> Iterator[Raw]:
    """Compare the job state of a background session with the ledger's open workers."""
    if job is None or job.in_flight is None:
        return
    ours = sum(1 for worker in workers if worker.state is WorkerState.UNREPORTED)
    if ours != job.in_flight:
        yield Raw(f"the job state of this session counts {job.in_flight} tasks in flight, the ledger {ours} workers that never reported")
