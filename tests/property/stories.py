"""Makes transcripts whose truth is known because it was decided first: a story is a list of steps, each one record and what it means."""

import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct, field

SESSION = "5d0c2a52-0a43-4f6e-9f0e-6f2f6f1a7c11"
SLUG = "-home-dev-shop"
START = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)


class Step(Struct):
    """One record, and what it does to the workers: `launches`, `ends`, `revives` name ids; `kills` ends every open agent.

    `needs`: the index of the step that must stand before this one for it to mean anything (a redelivered notice).
    """

    record: dict[str, object]
    launches: str | None = None
    ends: str | None = None
    revives: str | None = None
    kills: bool = False
    kind: str = "agent"

    def line(self) -> bytes:
        """The record as one line of a transcript, without its end."""
        return json.dumps(self.record, ensure_ascii=False).encode()


class Story(Struct):
    """A session that was decided before it was written."""

    seed: int
    steps: list[Step] = field(default_factory=list)

    def lines(self) -> list[bytes]:
        """Every record as a line."""
        return [step.line() for step in self.steps]

    def write(self, folder: Path, lines: list[bytes] | None = None) -> Path:
        """Write the story (or other lines) as a session below `folder`."""
        path = folder / "projects" / SLUG / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in (self.lines() if lines is None else lines)))
        return path


def open_workers(steps: list[Step]) -> set[str]:
    """The ids that were launched among these steps and have no end among them: the truth of any beginning of a story."""
    launched = {step.launches: step.kind for step in steps if step.launches}
    open_ids = set()
    for worker, kind in launched.items():
        after = max((index for index, step in enumerate(steps) if step.revives == worker), default=-1)
        began = max(after, next(index for index, step in enumerate(steps) if step.launches == worker))
        ended = any(step.ends == worker for step in steps[after + 1 :])
        killed = kind == "agent" and any(step.kills for step in steps[began + 1 :])
        if not ended and not killed:
            open_ids.add(worker)
    return open_ids


class _Teller:
    """Tells one story by the numbers of its seed."""

    def __init__(self, seed: int) -> None:
        self.numbers = random.Random(seed)  # noqa: S311 (no secret, a story)
        self.moment = START
        self.steps: list[Step] = []
        self.serial = 0

    def base(self, kind: str, **more: object) -> dict[str, object]:
        self.moment += timedelta(seconds=self.numbers.choice((0, 1, 3, 20)))
        self.serial += 1
        stamp = self.moment.isoformat().replace("+00:00", "Z")
        common = {"type": kind, "sessionId": SESSION, "version": "2.1.200", "timestamp": stamp, "uuid": f"u-{self.serial}"}
        return {**common, "cwd": "/home/dev/shop", **more}

    def say(self, record: dict[str, object], **meaning: object) -> None:
        self.steps.append(Step(record, **meaning))  # type: ignore[arg-type]

    def human(self, text: str = "go on with the plan") -> None:
        self.say(self.base("user", message={"role": "user", "content": text}))

    def answer(self, text: str = "done") -> None:
        block = {"type": "text", "text": text}
        self.say(self.base("assistant", message={"role": "assistant", "model": "m", "content": [block], "stop_reason": "end_turn"}))

    def call(self, tool: str, call_id: str, asked: dict[str, object]) -> None:
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": asked}
        self.say(self.base("assistant", message={"role": "assistant", "model": "m", "content": [block], "stop_reason": "tool_use"}))

    def result(self, call_id: str, text: str, structured: object, **meaning: object) -> None:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        more = {} if structured is None else {"toolUseResult": structured}
        self.say(self.base("user", message={"role": "user", "content": [block]}, **more), **meaning)

    # -- launches

    def launch(self) -> tuple[str, str, str]:
        kind = self.numbers.choice(("agent", "agent", "shell", "workflow", "monitor"))
        number = self.numbers.randrange(16**8)
        call_id = f"toolu_{number:08x}{self.serial}"
        worker = {"agent": f"a{number:016x}", "shell": f"b{number:08x}", "workflow": f"w{number:08x}", "monitor": f"m{number:08x}"}[kind]
        getattr(self, f"_launch_{kind}")(worker, call_id)
        return worker, call_id, kind

    def _launch_agent(self, worker: str, call_id: str) -> None:
        self.call("Agent", call_id, {"description": "piece", "prompt": f"Do the piece of {worker}.", "subagent_type": "general-purpose"})
        text = f"Async agent launched successfully.\nagentId: {worker} (internal ID)\nThe agent is working in the background."
        structured = {"isAsync": True, "status": "async_launched", "agentId": worker, "prompt": f"Do the piece of {worker}."}
        self.result(call_id, text, self.numbers.choice((structured, structured, None)), launches=worker)

    def _launch_shell(self, worker: str, call_id: str) -> None:
        self.call("Bash", call_id, {"command": "make all", "description": "build"})
        text = self.numbers.choice(
            (
                f"Command running in background with ID: {worker}. Output is being written to: /tmp/none/{worker}.output",
                f"Installed\nCommand was manually backgrounded by user with ID: {worker}. Output is being written to: /tmp/none/o",
                f"Command did not complete within its 120s timeout and was moved to the background (ID: {worker}). You will be notified.",
            )
        )
        structured = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": worker}
        self.result(call_id, text, self.numbers.choice((structured, structured, None)), launches=worker, kind="shell")

    def _launch_workflow(self, worker: str, call_id: str) -> None:
        self.call("Workflow", call_id, {"script": "await agent('x')"})
        structured = {"status": "async_launched", "taskId": worker, "runId": f"wf_{worker[1:9]}-000", "taskType": "local_workflow"}
        self.result(call_id, f"Workflow launched in background. Task ID: {worker}", structured, launches=worker, kind="workflow")

    def _launch_monitor(self, worker: str, call_id: str) -> None:
        self.call("Monitor", call_id, {"command": "tail -f log", "description": "log"})
        text = f"Monitor started (task {worker}, timeout 600000ms). You will be notified on each event."
        self.result(call_id, text, {"taskId": worker, "timeoutMs": 600000, "persistent": False}, launches=worker, kind="monitor")

    # -- ends, and what is none

    def notice(self, worker: str, call_id: str, status: str | None, summary: str, body: str = "") -> str:
        ids = f"<task-id>{worker}</task-id>\n" + (f"<tool-use-id>{call_id}</tool-use-id>\n" if self.numbers.random() < 0.7 else "")
        word = f"<status>{status}</status>\n" if status else ""
        return f"<task-notification>\n{ids}{word}<summary>{summary}</summary>\n{body}</task-notification>"

    def post(self, text: str, worker: str | None) -> None:
        """Post a notice on one of its roads; `worker` is the id that it ends, None where it ends nothing."""
        road = self.numbers.choice(("queue", "queue+user", "queue+attachment", "user", "attachment"))
        if road.startswith("queue"):
            self.say({"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION, "content": text}, ends=worker)
            worker = None
        if road == "queue+user":
            self.say({"type": "queue-operation", "operation": "dequeue", "sessionId": SESSION})
        if road.endswith("user"):
            self.say(self.base("user", message={"role": "user", "content": text}, origin={"kind": "task-notification"}), ends=worker)
        elif road.endswith("attachment"):
            attachment = {"type": "queued_command", "prompt": text, "commandMode": "task-notification"}
            self.say(self.base("attachment", attachment=attachment), ends=worker)

    def end(self, worker: str, call_id: str, kind: str) -> None:
        status = self.numbers.choice(("completed", "completed", "failed", "killed"))
        how = self.numbers.choice(("notice", "notice", "notice", "poll", "stop", "system"))
        if how == "poll" and kind != "monitor":
            poll = f"toolu_p{self.serial}"
            self.call("TaskOutput", poll, {"task_id": worker})
            structured = {"retrieval_status": "success", "task": {"task_id": worker, "task_type": "local_agent", "status": status}}
            self.result(poll, "read", structured, ends=worker)
        elif how == "stop":
            stop = f"toolu_s{self.serial}"
            self.call("TaskStop", stop, {"task_id": worker})
            message = f"Successfully stopped task: {worker} (x)"
            self.result(stop, message, {"message": message, "task_id": worker, "task_type": "local_agent"}, ends=worker)
        elif how == "system":
            record = self.base("system", subtype="task_notification", task_id=worker, tool_use_id=call_id, status=status, summary="over")
            self.say(record, ends=worker)
        else:
            body = f"<result>run {self.serial}: it printed </task-notification> and more</result>\n"
            self.post(self.notice(worker, call_id, status, 'Agent "piece" finished', body), worker)

    def say_nothing_of(self, worker: str, call_id: str) -> None:
        """Speak of a worker without ending it."""
        lost = f"No completion record was found for background agent {worker} from the previous session."
        tell: list[Callable[[], None]] = [
            lambda: self.post(self.notice(worker, call_id, None, 'Monitor event: "log"', "<event>line</event>\n"), None),
            lambda: self.post(self.notice(worker, call_id, "stopped", lost), None),
            lambda: self.post(self.notice(worker, call_id, "completed", 'Agent "piece" is waiting on its own background work'), None),
            lambda: self._poll_running(worker),
        ]
        self.numbers.choice(tell)()

    def _poll_running(self, worker: str) -> None:
        poll = f"toolu_p{self.serial}"
        self.call("TaskOutput", poll, {"task_id": worker})
        self.result(poll, "wait", {"retrieval_status": "timeout", "task": {"task_id": worker, "status": "running"}})

    def revive(self, worker: str) -> None:
        message = f"toolu_m{self.serial}"
        self.call("SendMessage", message, {"to": worker, "message": "and now the rest"})
        self.result(message, "{}", {"success": True, "message": f"Resuming agent {worker[:7]}", "resumedAgentId": worker}, revives=worker)


def tell(seed: int) -> Story:
    """Tell the story of a seed: up to ten workers of every kind, ended on every road, or not at all."""
    teller = _Teller(seed)
    numbers = teller.numbers
    teller.human("make the release")
    workers: list[tuple[str, str, str]] = []
    ended: set[str] = set()
    for _ in range(numbers.randrange(4, 26)):
        choice = numbers.random()
        if choice < 0.35 or not workers:
            workers.append(teller.launch())
            continue
        worker, call_id, kind = numbers.choice(workers)
        if choice < 0.65:
            teller.end(worker, call_id, kind)
            ended.add(worker)
        elif choice < 0.8:
            teller.say_nothing_of(worker, call_id)
        elif choice < 0.86 and kind == "agent" and worker in ended:
            teller.revive(worker)
        elif choice < 0.88:
            teller.say(teller.base("system", subtype="agents_killed"), kills=True)
        else:
            teller.answer()
            teller.human()
    return Story(seed=seed, steps=teller.steps)


def boundaries(lines: list[bytes]) -> Iterator[int]:
    """The byte at which each line ends, its line feed not counted."""
    at = 0
    for line in lines:
        at += len(line)
        yield at
        at += 1
