"""What is true of a generated session, decided before it was written, and how a scan's JSON document is held against it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState


class Fate(Struct, frozen=True, kw_only=True):
    """What became of one worker. `heard`: the session was told of its end; of one without an end this says nothing."""

    kind: WorkerKind
    state: WorkerState
    foreground: bool = False
    reopened: int = 0
    heard: bool = True


class Truth(Struct, frozen=True, kw_only=True):
    """What is true of one transcript. `workers` is keyed by worker id, where a worker never got one by the id of its tool call.

    `resume_turns`: how often a person typed "resume".
    """

    path: Path
    size_bytes: int
    lines: int
    bad_lines: int
    stop_cause: StopCause
    workers: Mapping[str, Fate] = field(default_factory=dict)
    resume_turns: int = 0

    @property
    def records(self) -> int:
        """The lines that are whole records."""
        return self.lines - self.bad_lines

    def document(self) -> dict[str, object]:
        """The truth as a JSON document: counts by kind and state, and the ids that never reported."""
        tally = Counter((fate.kind.value, fate.state.value) for fate in self.workers.values())
        counts: dict[str, dict[str, int]] = {}
        for (kind, state), number in sorted(tally.items()):
            counts.setdefault(kind, {})[state] = number
        return {
            "path": str(self.path),
            "bytes": self.size_bytes,
            "records": self.records,
            "bad_lines": self.bad_lines,
            "stop_cause": self.stop_cause.value,
            "launched": len(self.workers),
            "workers": counts,
            "unreported": sorted(name for name, fate in self.workers.items() if fate.state is WorkerState.UNREPORTED),
        }

    def disagreements(self, report: Mapping[str, Any]) -> list[str]:
        """Where the document of a scan (`--json`) says otherwise, as sentences; empty where it is right."""
        said = {
            "records": report["records"],
            "unparsable_records": report["unparsable_records"],
            "termination": report["termination"]["kind"],
            "spawns_total": report["spawns_total"],
        }
        right = {
            "records": self.records,
            "unparsable_records": self.bad_lines,
            "termination": self.stop_cause.value,
            "spawns_total": len(self.workers),
        }
        wrong = [f"{name}: said {said[name]}, true {right[name]}" for name in right if said[name] != right[name]]
        found = dict(_read_fates(report))
        names = sorted({*found, *self.workers})
        wrong += [
            f"{name}: said {found.get(name)}, true {self.workers.get(name)}" for name in names if found.get(name) != self.workers.get(name)
        ]
        return wrong


def _read_fates(report: Mapping[str, Any]) -> Iterator[tuple[str, Fate]]:
    """Every worker of a document. One that is listed twice overwrites itself, but then the total is wrong."""
    for state in (WorkerState.UNREPORTED, WorkerState.REPORTED_FAILED, WorkerState.REPORTED):
        for worker in report[state.value]:
            yield (
                worker["worker_id"] or worker["tool_use_id"],
                Fate(
                    kind=WorkerKind(worker["kind"]),
                    state=WorkerState(worker["state"]),
                    foreground=worker["foreground"],
                    reopened=worker["reopened"],
                    heard=worker["delivery"] != "queued",
                ),
            )
