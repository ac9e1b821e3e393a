"""Lays out small session trees: a `Transcript` writes records as Claude Code does, a second apart; `scan_*` reads them at a fixed time."""

# ruff: noqa: ANN401 (a record holds any JSON)

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from resume_forensics.flow.scan import assemble
from resume_forensics.harness.claude_code import CLAUDE_CODE
from resume_forensics.harness.claude_code.layout import slug
from resume_forensics.model.report import Report, WorkerReport
from resume_forensics.model.session import Selection
from resume_forensics.text import Raw, reveal

HARNESS = CLAUDE_CODE
START = datetime(2026, 9, 14, 9, 0, tzinfo=UTC)
NOW = START + timedelta(hours=2)
CWD = "/work/shop"
S1, S2, S3 = (f"{digit * 8}-0a43-4f6e-9f0e-6f2f6f1a7c11" for digit in "123")
VERSION = "2.1.200"


def plain(text: Raw | None) -> str | None:
    """The characters of raw text, or None."""
    return None if text is None else reveal(text)


def spell_time(moment: datetime) -> str:
    """A time as records spell it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def notice(worker: str, status: str | None = "completed", *, call: str | None = None, summary: str = "it ended", more: str = "") -> str:
    """The text of a notice."""
    tags = [("task-id", worker), ("tool-use-id", call), ("status", status), ("summary", summary)]
    inside = "\n".join(f"<{tag}>{value}</{tag}>" for tag, value in tags if value is not None)
    return f"<task-notification>\n{inside}\n{more}</task-notification>"


class Transcript:
    """The records of one file. `common` stands in every chained record."""

    def __init__(self, session: str | None = S1, *, cwd: str | None = CWD, at: datetime = START, **common: Any) -> None:
        self.lines: list[bytes] = []
        self.at = at
        self.session = session
        self.common: dict[str, Any] = {"version": VERSION, "cwd": cwd, **common}

    def add(self, kind: str, **more: Any) -> int:
        """Write any chained record; answer its line."""
        self.at += timedelta(seconds=1)
        record = {"type": kind, "sessionId": self.session, "timestamp": spell_time(self.at), **self.common, **more}
        return self.add_line(json.dumps({key: value for key, value in record.items() if value is not None}))

    def add_line(self, line: str) -> int:
        """Write a line as it is; answer its number."""
        self.lines.append(line.encode())
        return len(self.lines)

    def human(self, text: str = "go on", **more: Any) -> int:
        """A person speaks, or a notice is delivered as user text."""
        return self.add("user", message={"role": "user", "content": text}, **more)

    def answer(self, text: str = "done", stop: str | None = "end_turn", **more: Any) -> int:
        """The model speaks."""
        block = {"type": "text", "text": text}
        return self.add("assistant", message={"role": "assistant", "model": "m", "content": [block], "stop_reason": stop}, **more)

    def error(self, text: str, **more: Any) -> int:
        """The record of an API error."""
        message = {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": text}]}
        return self.add("assistant", message=message, isApiErrorMessage=True, **more)

    def call(self, call: str, tool: str, **asked: Any) -> int:
        """The model calls a tool."""
        block = {"type": "tool_use", "id": call, "name": tool, "input": asked}
        return self.add("assistant", message={"role": "assistant", "model": "m", "content": [block], "stop_reason": "tool_use"})

    def result(self, call: str, text: str = "ok", structured: Any = None, **more: Any) -> int:
        """The tool answers."""
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        return self.add("user", message={"role": "user", "content": [block]}, toolUseResult=structured, **more)

    def agent(self, worker: str, call: str, **more: Any) -> int:
        """An agent is launched in the background; answer the line of the receipt."""
        self.call(call, "Agent", description="piece", prompt=f"Do {worker}.")
        structured = {"status": "async_launched", "isAsync": True, "agentId": worker, "prompt": f"Do {worker}.", **more}
        return self.result(call, f"Async agent launched successfully.\nagentId: {worker} (internal ID)", structured)

    def shell(self, worker: str, call: str, output: Path | str | None = None) -> int:
        """A shell is launched in the background; answer the line of the receipt."""
        self.call(call, "Bash", command=f"make {worker}", run_in_background=True)
        place = f" Output is being written to: {output}" if output else ""
        text = f"Command running in background with ID: {worker}.{place}"
        return self.result(call, text, {"stdout": "", "stderr": "", "backgroundTaskId": worker})

    def workflow(self, worker: str, call: str, run: str, **more: Any) -> int:
        """A workflow is launched; answer the line of the receipt."""
        self.call(call, "Workflow", script="review")
        structured = {"status": "async_launched", "taskId": worker, "taskType": "local_workflow", "runId": run, **more}
        return self.result(call, f"Workflow launched in background. Task ID: {worker}", structured)

    def enqueue(self, content: str) -> int:
        """A message enters the queue; such records name no version and no directory."""
        return self.add("queue-operation", operation="enqueue", content=content, version=None, cwd=None)

    def remark(self, kind: str, **more: Any) -> int:
        """Bookkeeping, re-written at exit: no time."""
        return self.add_line(json.dumps({"type": kind, "sessionId": self.session, **more}))

    def write(self, store: Path, folder: str | None = None, *, name: str | None = None) -> Path:
        """Write it as a session below a store."""
        path = store / (slug(self.common["cwd"] or CWD) if folder is None else folder) / f"{name or self.session}.jsonl"
        return self.write_to(path)

    def write_to(self, path: Path) -> Path:
        """Write it to a path; the file bears the time of its last record."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return touch(path, self.at)


def touch(path: Path, moment: datetime) -> Path:
    """Give a file its modification time."""
    os.utime(path, (moment.timestamp(), moment.timestamp()))
    return path


def write_json(path: Path, value: Any) -> Path:
    """Write a small document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def helper(worker: str, *, at: datetime = START, **common: Any) -> Transcript:
    """A worker's own transcript, which begins with its prompt."""
    transcript = Transcript(at=at, agentId=worker, isSidechain=True, **common)
    transcript.human(f"Do {worker}.")
    return transcript


def helper_path(main: Path, worker: str, run: str | None = None) -> Path:
    """Where a worker's own transcript lies beside a main file."""
    folder = main.with_suffix("") / "subagents"
    return (folder / "workflows" / run if run else folder) / f"agent-{worker}.jsonl"


def scan_file(path: Path, *, store: Path | None = None, now: datetime = NOW) -> Report[Raw]:
    """The report on one file."""
    return assemble(Selection(directory=Path(), session=path, store=store), now=now, live_window_s=90)


def select(directory: Path | str, store: Path, position: int = 0) -> Selection:
    """The session of a directory in a store."""
    return Selection(directory=Path(directory), store=store, position=position)


def scan_directory(directory: Path | str, store: Path, position: int = 0) -> Report[Raw]:
    """The report on a session of a directory."""
    return assemble(select(directory, store, position), now=NOW, live_window_s=90)


def workers_of(report: Report[Raw]) -> dict[str, WorkerReport[Raw]]:
    """Every worker of a report by its id, or by its tool-use id."""
    every = (*report.unreported, *report.reported_failed, *report.reported)
    return {reveal(one.worker_id or one.tool_use_id or Raw("?")): one for one in every}


def warnings_of(report: Report[Raw]) -> list[str | None]:
    """The warnings of a report."""
    return [plain(warning) for warning in report.warnings]


@contextmanager
def count_reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many bytes are read meanwhile, piece by piece."""
    read: list[int] = []

    class Counting(FileIO):
        def read(self, size: int | None = -1, /) -> Any:
            data = super().read(-1 if size is None else size)
            read.append(len(data or b""))
            return data

        def readinto(self, buffer: Any, /) -> Any:
            size = super().readinto(buffer)
            read.append(size or 0)
            return size

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        read.append(size)
        return plain_pread(descriptor, size, offset)

    plain_pread = os.pread
    with monkeypatch.context() as patch:
        patch.setattr("resume_forensics.read.files.FileIO", Counting)
        patch.setattr(os, "pread", pread)
        yield read
