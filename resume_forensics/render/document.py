"""A masked report comes in, the JSON document `resume-forensics/scan/1` goes out: plain ASCII, keys always in the same order.

Fields are added within one schema number, never renamed or dropped; `schema/scan-1.json` in this package says it formally.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from resume_forensics.model.report import (
    ChangedFile,
    Digest,
    DriverReport,
    OtherSession,
    Position,
    Report,
    RunningCall,
    SessionLife,
    Sidecar,
    SurvivedFault,
    Termination,
    Tree,
    WorkerReport,
)
from resume_forensics.text import Masked

SCAN_SCHEMA: Final = "resume-forensics/scan/1"

Value: TypeAlias = "bool | int | float | str | Sequence[Value] | Mapping[str, Value] | None"
Object: TypeAlias = dict[str, Value]


def write_document(report: Report[Masked]) -> str:
    """Answer the whole report as JSON with a final newline. Times are ISO 8601 in UTC; sizes are bytes; ages are seconds."""
    return dump(_report(report))


def dump(document: Object) -> str:
    """Answer an object as indented JSON in plain ASCII, DEL included, with a final newline."""
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False).replace("\x7f", "\\u007f") + "\n"


def write_iso(at: datetime | None) -> str | None:
    """A point in time as ISO 8601 in UTC with milliseconds and a `Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if at else None


def other_session(other: OtherSession[Masked]) -> Object:
    """One session that was not scanned."""
    return {"session": other.session, "last_activity": write_iso(other.last_activity), "bytes": other.size_bytes}


def _report(report: Report[Masked]) -> Object:
    return {
        "schema": SCAN_SCHEMA,
        "harness": report.harness,
        "session": report.session,
        "session_id": report.session_id,
        "main_exists": report.main_exists,
        "records": report.records,
        "unparsable_records": report.unparsable_records,
        "unparsable": [{"line": bad.line, "byte": bad.byte, "reason": bad.reason, "salvaged": bad.salvaged} for bad in report.unparsable],
        "died_at": write_iso(report.died_at),
        "died_at_epoch": round(report.died_at.timestamp(), 3) if report.died_at else None,
        "session_live": _life(report.session_live),
        "termination": _termination(report.termination),
        "spawns_total": report.spawns_total,
        "unreported": [_worker(worker) for worker in report.unreported],
        "reported_failed": [_worker(worker) for worker in report.reported_failed],
        "reported": [_worker(worker) for worker in report.reported],
        "drivers": [_driver(driver) for driver in report.drivers],
        "running_calls": [_call(call) for call in report.running_calls],
        "other_sessions": [other_session(other) for other in report.other_sessions],
        "written_state": [{"system": state.system, "path": state.path} for state in report.written_state],
        "tree": _tree(report.tree),
        "warnings": list(report.warnings),
        "redacted_kinds": list(report.redacted_kinds),
    }


def _life(life: SessionLife[Masked] | None) -> Object | None:
    return {"pid": life.pid, "evidence": life.evidence, "since": write_iso(life.since)} if life else None


def _termination(end: Termination[Masked]) -> Object:
    return {
        "kind": end.kind,
        "evidence": end.evidence,
        "at": write_iso(end.at),
        "remedy": end.remedy,
        "resets_at": end.resets_at,
        "recovered": _survived(end.recovered),
    }


def _survived(fault: SurvivedFault[Masked] | None) -> Object | None:
    if fault is None:
        return None
    return {"kind": fault.kind, "evidence": fault.evidence, "at": write_iso(fault.at), "completed": fault.completed}


def _worker(worker: WorkerReport[Masked]) -> Object:
    return {
        "worker_id": worker.worker_id,
        "tool_use_id": worker.tool_use_id,
        "tool": worker.tool,
        "kind": worker.kind,
        "description": worker.description,
        "command": worker.command,
        "prompt": worker.prompt,
        "subagent_type": worker.subagent_type,
        "spawned_at": write_iso(worker.spawned_at),
        "parent_worker_id": worker.parent_worker_id,
        "state": worker.state,
        "status": worker.status,
        "summary": worker.summary,
        "delivery": worker.delivery,
        "lost_track": worker.lost_track,
        "launch_missing": worker.launch_missing,
        "foreground": worker.foreground,
        "reopened": worker.reopened,
        "steps": [{"agent_id": step.agent_id, "label": step.label, "state": step.state} for step in worker.steps],
        "sidecar": _sidecar(worker.sidecar),
        "liveness": worker.liveness,
        "liveness_evidence": worker.liveness_evidence,
        "possibly_live": worker.possibly_live,
        "recent_write_s": _seconds(worker.recent_write_s),
        "output_file": worker.output_file,
        "durable_transcript": worker.durable_transcript,
        "digest": _digest(worker.digest),
        "action": {"name": worker.action.name, "reason": worker.action.reason},
        "evidence": {"launch": _position(worker.evidence.launch), "notice": _position(worker.evidence.notice)},
        "cut_while_reading": list(worker.cut_while_reading),
        "redacted_kinds": list(worker.redacted_kinds),
    }


def _sidecar(note: Sidecar[Masked] | None) -> Object | None:
    if note is None:
        return None
    return {
        "file": note.file,
        "finished": note.finished,
        "report_taken": note.report_taken,
        "stopped_by_user": note.stopped_by_user,
        "parent_worker_id": note.parent_worker_id,
        "tool_use_id": note.tool_use_id,
        "is_fork": note.is_fork,
    }


def _digest(digest: Digest[Masked] | None) -> Object | None:
    if digest is None:
        return None
    found = _recovered(digest) if digest.recoverable else {"reason": digest.reason}
    return {"recoverable": digest.recoverable, "ended": digest.ended, **found, "redacted_kinds": list(digest.redacted_kinds)}


def _recovered(digest: Digest[Masked]) -> Object:
    calls: dict[str, int] = {}
    for row in digest.tool_counts:
        calls[row.tool] = calls.get(row.tool, 0) + row.calls
    return {
        "bytes": digest.size_bytes,
        "records": digest.records,
        "shape": digest.shape,
        "truncated_window": digest.truncated_window,
        "final_text": digest.final_text,
        "tool_counts": calls,
        "files_touched": list(digest.files_touched),
        "half_written": digest.half_written,
        "mtime_age_s": _seconds(digest.mtime_age_s),
    }


def _driver(driver: DriverReport[Masked]) -> Object:
    return {
        "id": driver.id,
        "kind": driver.kind,
        "prompt": driver.prompt,
        "next_at": write_iso(driver.next_at),
        "state": driver.state,
        "evidence": driver.evidence,
    }


def _call(call: RunningCall[Masked]) -> Object:
    return {
        "tool": call.tool,
        "tool_use_id": call.tool_use_id,
        "description": call.description,
        "command": call.command,
        "path": call.path,
        "half_written": call.half_written,
        "evidence": _position(call.evidence),
    }


def _tree(tree: Tree[Masked] | None) -> Object | None:
    if tree is None:
        return None
    return {
        "directory": tree.directory,
        "problem": tree.problem,
        "branch": tree.branch,
        "upstream": tree.upstream,
        "ahead": tree.ahead,
        "behind": tree.behind,
        "last_commit": tree.last_commit,
        "last_commit_at": write_iso(tree.last_commit_at),
        "stashes": tree.stashes,
        "in_progress": list(tree.in_progress),
        "dirty_total": tree.dirty_total,
        "changed": [_changed(file) for file in tree.changed],
        "half_written": [_changed(file) for file in tree.half_written],
        "not_looked_at": [{"what": missing.what, "command": missing.command} for missing in tree.not_looked_at],
    }


def _changed(file: ChangedFile[Masked]) -> Object:
    return {
        "path": file.path,
        "status": file.status,
        "added": file.added,
        "removed": file.removed,
        "half_written_by": file.half_written_by,
    }


def _position(position: Position[Masked] | None) -> Object | None:
    return {"file": position.file, "line": position.line} if position else None


def _seconds(span_s: float | None) -> float | None:
    return None if span_s is None else round(span_s, 3)
