"""The workers of a session: what each record about them means is decided first. In: a seed and a number. Out: steps, and every fate.

A step is a place in the session (0 begin, 1 end) and the records that stand there together; a pen gives them ids and times.
"""

# ruff: noqa: S108, S311, SLF001 (where the harness puts outputs; no secret, a transcript; the tables belong to the class)

import json
import random
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from resume_forensics.vocabulary import WorkerKind, WorkerState
from scripts.bench.filler import Document, Pen
from scripts.bench.truth import Fate

AGENT, SHELL, WORKFLOW, MONITOR = WorkerKind.AGENT, WorkerKind.BACKGROUND_SHELL, WorkerKind.WORKFLOW, WorkerKind.MONITOR
REPORTED, FAILED, UNREPORTED = WorkerState.REPORTED, WorkerState.REPORTED_FAILED, WorkerState.UNREPORTED

_TASK_TYPES = {AGENT: "local_agent", SHELL: "local_bash", WORKFLOW: "local_workflow", MONITOR: "monitor_mcp"}
_SUMMARIES = {
    (AGENT, "completed"): 'Agent "D" completed',
    (AGENT, "failed"): 'Agent "D" failed: API Error: 500 Internal server error',
    (SHELL, "completed"): 'Background command "D" completed (exit code 0)',
    (SHELL, "failed"): 'Background command "D" failed with exit code 2',
    (WORKFLOW, "completed"): 'Workflow "D" completed',
    (WORKFLOW, "failed"): 'Workflow "D" failed: step 2',
    (MONITOR, "completed"): 'Monitor "D" stream ended',
    (MONITOR, "failed"): 'Monitor "D" script failed (exit 1)',
}
_STRUCTURED_SHARE = 0.9  # of receipts of shells and agents; the others are text alone
_BETWEEN_TURNS_SHARE = 0.6  # of notices; the others arrive in mid-turn
_LOST_AGAIN_SHARE = 0.5  # of agents that were set to work again
_ESCAPED_SHARE = 1 / 6
_LATEST = 0.96  # after it nothing is launched and nothing ends but what the session never hears


class Step(Struct, kw_only=True):
    """What stands together at one place of the session, written by a pen; steps of equal place keep their order.

    `counts`: its bytes are part of the size that was asked for.
    """

    at: float
    order: int
    write: Callable[[Pen], Iterator[bytes]]
    counts: bool = True


class Worker(Struct, frozen=True, kw_only=True):
    """One worker while its story is told."""

    kind: WorkerKind
    name: str
    call: str
    output: str


class Crew:
    """Tells the story of each worker in turn. Ask for `steps` and for `fates` (by worker id, else by tool call) afterwards."""

    def __init__(self, session: str, seed: int, number: int) -> None:
        self.numbers = random.Random(f"workers {seed}")
        self.session = session
        self.steps: list[Step] = []
        self.fates: dict[str, Fate] = {}
        for _ in range(number):
            self._tell()

    def _tell(self) -> None:
        """Tell one story: a launch and what followed."""
        launch, kind = self.numbers.choices(_LAUNCHES, weights=[row[0] for row in _LAUNCHES])[0][1:]
        worker = self.make_worker(kind)
        began = launch(self, worker, self.numbers.uniform(0.02, 0.9))
        if began is None:
            name = worker.name if launch is Crew._die_in_the_foreground else worker.call
            self.fates[name] = Fate(kind=kind, state=UNREPORTED, foreground=True)
            return
        end = self.numbers.choices(_ENDS, weights=[row[0] for row in _ENDS])[0][1]
        self.fates[worker.name] = end(self, worker, self.numbers.uniform(began, min(_LATEST, began + 0.3)))

    def make_worker(self, kind: WorkerKind) -> Worker:
        """A worker with fresh ids."""
        call = self._call_id()
        shapes = {AGENT: f"a{self.numbers.getrandbits(64):016x}", SHELL: "b", WORKFLOW: "w", MONITOR: "m"}
        name = shapes[kind] if kind is AGENT else shapes[kind] + "".join(self.numbers.choices("0123456789abcdefghijkmnpqrstuvwxyz", k=8))
        output = f"/tmp/claude-1000/-home-dev-harbor/{self.session}/tasks/{name}.output"
        return Worker(kind=kind, name=name, call=call, output=output)

    def _call_id(self) -> str:
        return f"toolu_01W{self.numbers.getrandbits(84):021x}"

    def _happens(self, share: float) -> bool:
        return self.numbers.random() < share

    def put(self, at: float, *records: Document) -> None:
        """Add a step of records; some notices are spelled with escapes, as other writers of JSON do."""
        spell = _spell_plainly
        if records[0]["type"] == "queue-operation" and self._happens(_ESCAPED_SHARE):
            spell = self.numbers.choice((_spell_signs, _spell_letters))
        self.put_written(at, partial(_sign_all, records, spell))

    def put_written(self, at: float, write: Callable[[Pen], Iterator[bytes]], *, counts: bool = True) -> None:
        """Add a step that writes itself."""
        self.steps.append(Step(at=at, order=len(self.steps), write=write, counts=counts))

    # -- launches: each answers the place of its receipt, None if it has none

    def _launch_agent(self, worker: Worker, at: float) -> float | None:
        prompt = f"Read the tariff of berth {worker.name[-4:]} and report every rule that has no test.\n" + "Be exact. " * 40
        asked: Document = {"description": "D", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": True}
        text = (
            f"Async agent launched successfully.\nagentId: {worker.name} (internal ID - do not mention to user. Use SendMessage with to: "
            f"'{worker.name}' to continue this agent.)\nThe agent is working in the background. You will be notified automatically when it "
            f"completes.\nDo not duplicate this agent's work.\noutput_file: {worker.output}\nTo check progress, read that file."
        )
        structured: Document = {"isAsync": True, "status": "async_launched", "agentId": worker.name, "description": "D", "prompt": prompt}
        structured |= {"outputFile": worker.output, "canReadOutputFile": True}
        content = [{"type": "text", "text": text}]
        self.put(at, call("Agent", worker.call, asked), result(worker.call, content, self._mostly(structured)))
        return at

    def _mostly(self, structured: Document) -> Document | None:
        """At times a main file has a receipt's text alone."""
        return structured if self._happens(_STRUCTURED_SHARE) else None

    def _launch_shell(self, worker: Worker, at: float) -> float | None:
        text = f"Command running in background with ID: {worker.name}. Output is being written to: {worker.output}"
        return self._shell(worker, at, at, text)

    def _background_by_hand(self, worker: Worker, at: float) -> float | None:
        text = f"Resolving\nCommand was manually backgrounded by user with ID: {worker.name}. Output is being written to: {worker.output}"
        return self._shell(worker, at, at, text)

    def _move_after_timeout(self, worker: Worker, at: float) -> float | None:
        """The call stands far before its receipt."""
        text = (
            f"Command did not complete within its 600s timeout and was moved to the background (ID: {worker.name}). Output is being "
            f"written to: {worker.output}. You will be notified when it completes."
        )
        return self._shell(worker, at, self.numbers.uniform(at, at + 0.05), text)

    def _shell(self, worker: Worker, called: float, answered: float, text: str) -> float:
        asked: Document = {"command": f"make -C quay {worker.name} && ./deploy --berth 4", "description": "D", "run_in_background": True}
        structured: Document = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "backgroundTaskId": worker.name}
        self.put(called, call("Bash", worker.call, asked))
        self.put(answered, result(worker.call, text, self._mostly(structured)))
        return answered

    def _launch_workflow(self, worker: Worker, at: float) -> float | None:
        run = f"wf_{self.numbers.getrandbits(32):08x}-{self.numbers.getrandbits(12):03x}"
        text = f"Workflow launched in background. Task ID: {worker.name}\nSummary: D\nRun ID: {run}"
        structured: Document = {"status": "async_launched", "taskId": worker.name, "taskType": "local_workflow", "workflowName": "D"}
        self.put(at, call("Workflow", worker.call, {"name": "D"}), result(worker.call, text, {**structured, "runId": run, "summary": "D"}))
        return at

    def _launch_monitor(self, worker: Worker, at: float) -> float | None:
        text = f"Monitor started (task {worker.name}, timeout 600000ms). You will be notified on each event. Keep working."
        structured: Document = {"taskId": worker.name, "timeoutMs": 600_000, "persistent": False}
        asked: Document = {"command": "tail -f quay.log", "description": "D"}
        self.put(at, call("Monitor", worker.call, asked), result(worker.call, text, structured))
        return at

    def _die_in_the_foreground(self, worker: Worker, at: float) -> float | None:
        """Progress records name the agent; a result never came."""
        self.put(at, call("Agent", worker.call, {"description": "D", "prompt": "Survey the quay.", "subagent_type": "Explore"}))
        for step in range(3):
            message: Document = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Looking."}]}}
            data: Document = {"type": "agent_progress", "message": message, "prompt": "Survey the quay.", "agentId": worker.name}
            progress: Document = {"type": "progress", "data": data, "toolUseID": f"agent_msg_{step}", "parentToolUseID": worker.call}
            self.put(at + 0.002 * (step + 1), progress)
        return None

    def _lose_the_result(self, worker: Worker, at: float) -> float | None:
        """The harness put its repair sentence where the result should be; nothing names the agent."""
        lost = result(worker.call, "[Tool result missing due to internal error]", None, is_error=True)
        self.put(at, call("Agent", worker.call, {"description": "D", "prompt": "Survey the quay.", "subagent_type": "Explore"}))
        self.put(at + 0.01, lost)
        return None

    # -- ends, and what is none

    def _complete(self, worker: Worker, at: float) -> Fate:
        self.notify(worker, at, "completed")
        return Fate(kind=worker.kind, state=REPORTED)

    def _fail(self, worker: Worker, at: float) -> Fate:
        self.notify(worker, at, "failed")
        return Fate(kind=worker.kind, state=FAILED)

    def _fail_many_times(self, worker: Worker, at: float) -> Fate:
        """One notice, enqueued again and again (49 times in a real file)."""
        text = notice(worker, "failed")
        self.put(at, *([queued("enqueue", text)] * 20), *([queued("dequeue")] * 20), told(text))
        return Fate(kind=worker.kind, state=FAILED)

    def notify(self, worker: Worker, at: float, status: str) -> None:
        """Tell the session of an end, on one of the two roads."""
        text = notice(worker, status)
        if self._happens(_BETWEEN_TURNS_SHARE):
            self.put(at, queued("enqueue", text), queued("dequeue"), told(text))
        else:
            attachment: Document = {"type": "queued_command", "prompt": text, "commandMode": "task-notification"}
            self.put(at, queued("enqueue", text), queued("remove"), {"type": "attachment", "attachment": attachment})

    def _finish_unheard(self, worker: Worker, at: float) -> Fate:
        """The notice stands in the queue when the session dies."""
        del at
        self.put(_LATEST + 0.01, queued("enqueue", notice(worker, "completed")))
        return Fate(kind=worker.kind, state=REPORTED, heard=False)

    def _poll(self, worker: Worker, at: float, retrieval: str = "success", status: str = "completed") -> Fate:
        poll = self._call_id()
        task = {"task_id": worker.name, "task_type": _TASK_TYPES[worker.kind], "status": status, "description": "D", "output": "All there."}
        text = f"<retrieval_status>{retrieval}</retrieval_status>\n\n<task_id>{worker.name}</task_id>\n\n<status>{status}</status>"
        self.put(
            at,
            call("TaskOutput", poll, {"task_id": worker.name, "block": True, "timeout": 30_000}),
            result(poll, text, {"retrieval_status": retrieval, "task": task}),
        )
        return Fate(kind=worker.kind, state=REPORTED)

    def _poll_in_vain(self, worker: Worker, at: float) -> Fate:
        self._poll(worker, at, "timeout", "running")
        return Fate(kind=worker.kind, state=UNREPORTED)

    def _stop(self, worker: Worker, at: float) -> Fate:
        stop = self._call_id()
        answer: Document = {"message": f"Successfully stopped task: {worker.name} (D)", "task_id": worker.name}
        answer |= {"task_type": _TASK_TYPES[worker.kind], "command": "D"}
        self.put(at, call("TaskStop", stop, {"task_id": worker.name}), result(stop, json.dumps(answer), answer))
        return Fate(kind=worker.kind, state=FAILED)

    def _hear_an_event(self, worker: Worker, at: float) -> Fate:
        text = f'<task-notification>\n<task-id>{worker.name}</task-id>\n<summary>Monitor event: "D"</summary>\n<event>a line</event>\n'
        self.put(at, queued("enqueue", f"{text}</task-notification>"), queued("dequeue"), told(f"{text}</task-notification>"))
        return Fate(kind=worker.kind, state=UNREPORTED)

    def _say_nothing(self, worker: Worker, at: float) -> Fate:
        del at
        return Fate(kind=worker.kind, state=UNREPORTED)

    def _revive(self, worker: Worker, at: float) -> Fate:
        """An agent that reported is set to work again, and reports again or does not. Other workers cannot be."""
        self.notify(worker, at, "completed")
        if worker.kind is not AGENT:
            return Fate(kind=worker.kind, state=REPORTED)
        again, message = self.numbers.uniform(at, _LATEST), self._call_id()
        said = f'Agent "{worker.name}" had no active task; resumed from transcript in the background with your message. '
        answer: Document = {"success": True, "message": f"{said}You'll be notified when it finishes. Output: {worker.output}"}
        asked: Document = {"to": worker.name, "summary": "the rest", "message": "And now the second half."}
        self.put(again, call("SendMessage", message, asked), result(message, json.dumps(answer, separators=(",", ":")), answer))
        if self._happens(_LOST_AGAIN_SHARE):
            return Fate(kind=worker.kind, state=UNREPORTED, reopened=1)
        self.notify(worker, self.numbers.uniform(again, _LATEST), "completed")
        return Fate(kind=worker.kind, state=REPORTED, reopened=1)


_Launch = Callable[[Crew, Worker, float], float | None]
_End = Callable[[Crew, Worker, float], Fate]

_LAUNCHES: tuple[tuple[int, _Launch, WorkerKind], ...] = (
    (44, Crew._launch_shell, SHELL),
    (3, Crew._background_by_hand, SHELL),
    (8, Crew._move_after_timeout, SHELL),
    (30, Crew._launch_agent, AGENT),
    (4, Crew._launch_workflow, WORKFLOW),
    (4, Crew._launch_monitor, MONITOR),
    (5, Crew._die_in_the_foreground, AGENT),
    (2, Crew._lose_the_result, AGENT),
)
"""Of 100 workers, about as public transcripts have them (rare kinds somewhat more often)."""

_ENDS: tuple[tuple[int, _End], ...] = (
    (48, Crew._complete),
    (13, Crew._fail),
    (2, Crew._fail_many_times),
    (7, Crew._poll),
    (4, Crew._stop),
    (4, Crew._finish_unheard),
    (6, Crew._revive),
    (10, Crew._say_nothing),
    (3, Crew._hear_an_event),
    (3, Crew._poll_in_vain),
)


# -- records without their envelope


def call(tool: str, call_id: str, asked: Document) -> Document:
    """An assistant record that calls a tool."""
    block: Document = {"type": "tool_use", "id": call_id, "name": tool, "input": asked}
    message: Document = {"model": "claude-opus-4-6", "type": "message", "role": "assistant", "content": [block], "stop_reason": "tool_use"}
    return {"type": "assistant", "message": message}


def result(call_id: str, content: object, structured: Document | None, *, is_error: bool = False) -> Document:
    """A user record that answers a call."""
    block: Document = {"tool_use_id": call_id, "type": "tool_result", "content": content, "is_error": is_error}
    more: Document = {} if structured is None else {"toolUseResult": structured}
    return {"type": "user", "message": {"role": "user", "content": [block]}, **more}


def notice(worker: Worker, status: str) -> str:
    """The notice of an end, as 2.1.150 writes it."""
    head = f"<task-id>{worker.name}</task-id>\n<tool-use-id>{worker.call}</tool-use-id>\n<output-file>{worker.output}</output-file>"
    body = f"<status>{status}</status>\n<summary>{_SUMMARIES[worker.kind, status]}</summary>"
    if worker.kind is AGENT:
        body += "\n<result>All rules of the tariff have a test now, but two.</result>\n<usage><total_tokens>41005</total_tokens></usage>"
    return f"<task-notification>\n{head}\n{body}\n</task-notification>"


def queued(operation: str, content: str | None = None) -> Document:
    """A move of the message queue."""
    return {"type": "queue-operation", "operation": operation, **({} if content is None else {"content": content})}


def told(text: str) -> Document:
    """A notice as it reaches the model between two turns."""
    return {"type": "user", "message": {"role": "user", "content": text}, "origin": {"kind": "task-notification"}}


def _sign_all(records: tuple[Document, ...], spell: Callable[[bytes], bytes], pen: Pen) -> Iterator[bytes]:
    return (spell(pen.sign(record)) for record in records)


def _spell_plainly(line: bytes) -> bytes:
    return line


def _spell_signs(line: bytes) -> bytes:
    """The same JSON with the signs of mark-up escaped."""
    return line.replace(b"<", rb"\u003c").replace(b">", rb"\u003e")


def _spell_letters(line: bytes) -> bytes:
    """The same JSON with letters escaped in the middle of the words that a search looks for."""
    return line.replace(b"task-notification", rb"t\u0061sk-n\u006ftification").replace(b"queue-operation", rb"queu\u0065-operation")
