"""The bulk of a transcript: lines that launch nothing and end nothing, in the mix of public ones. In: a seed. Out: lines without end.

A pool of lines is made once; each use only gives a line new ids and a new time. Nothing here is a secret, a receipt or a notice.
"""

# ruff: noqa: S311 (no secret, a transcript)

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from msgspec import Struct

Document = dict[str, object]

CWD = "/home/dev/harbor"
VERSION = "2.1.150"  # the last examined version that writes progress records into the file, and the first with workflows
START = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)

_CHAINED = frozenset({"user", "assistant", "system", "attachment", "progress"})
_STAMPED = frozenset({"queue-operation"})


class Pen:
    """Writes records as lines: gives each its uuid, its parent, its time and its session, in file order."""

    def __init__(self, session: str, start: datetime, ending: bytes = b"\n") -> None:
        self.session = session
        self._session_bytes = session.encode()
        self._ending = ending
        self._at = start
        self._last = b""
        self.lines = 0

    def sign(self, record: Document) -> bytes:
        """A record as a line. One that is written again keeps its time and gets a new uuid, as rewritten receipts do."""
        kind = record["type"]
        uuid, parent, at = self._next(chained=kind in _CHAINED)
        if kind in _CHAINED:
            record.setdefault("timestamp", at.decode())
            record = {"parentUuid": parent.decode() or None, **envelope(self.session), **record, "uuid": uuid.decode()}
        elif kind in _STAMPED:
            record.setdefault("timestamp", at.decode())
            record = {**record, "sessionId": self.session}
        return dump(record) + self._ending

    def fill(self, template: "Template", call: bytes, agent: bytes) -> bytes:
        """A line of the pool with fresh ids."""
        uuid, parent, at = self._next(chained=template.chained)
        slots = {b"uuid": uuid, b"parent": parent, b"time": at, b"session": self._session_bytes, b"call": call, b"agent": agent}
        return template.line % slots + self._ending

    def _next(self, *, chained: bool) -> tuple[bytes, bytes, bytes]:
        """A new uuid, that of the last chained record, and the next moment."""
        self.lines += 1
        self._at += timedelta(milliseconds=self.lines % 89)
        uuid, parent = b"%08x-5e55-4000-8000-%012x" % (self.lines * 2654435761 & 0xFFFFFFFF, self.lines), self._last
        self._last = uuid if chained else parent
        return uuid, parent, self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()


class Template(NamedTuple):
    """A line of the pool, with slots for the `%` operator. `chained`: it has a parent and can be one."""

    line: bytes
    chained: bool


def dump(record: Mapping[str, object]) -> bytes:
    """A record as JavaScript would write it: no spaces, nothing escaped that need not be."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def envelope(session: str) -> Document:
    """What every chained record bears."""
    common: Document = {"isSidechain": False, "userType": "external", "cwd": CWD, "sessionId": session, "version": VERSION}
    return {**common, "gitBranch": "main", "slug": "patient-mending-heron"}


class Habit(Struct, frozen=True, kw_only=True):
    """How often a tool is called (of 100 calls), with how many progress records, and how large its results are, in bytes.

    The sizes are tenths: each result takes one of them. Bash reports once a second, an agent once a step.
    """

    tool: str
    share: int
    progress: int
    result_bytes: tuple[int, ...]


HABITS = (
    Habit(tool="Bash", share=42, progress=8, result_bytes=(300, 350, 500, 700, 1_000, 1_600, 2_400, 4_000, 9_000, 30_000)),
    Habit(tool="Read", share=22, progress=0, result_bytes=(900, 1_500, 3_000, 4_500, 6_000, 9_000, 14_000, 20_000, 34_000, 60_000)),
    Habit(tool="Edit", share=16, progress=0, result_bytes=(1_200, 1_800, 2_500, 4_000, 6_000, 9_000, 14_000, 20_000, 30_000, 50_000)),
    Habit(tool="Grep", share=12, progress=0, result_bytes=(200, 300, 400, 600, 900, 1_500, 2_500, 4_000, 8_000, 16_000)),
    Habit(tool="Write", share=5, progress=0, result_bytes=(900, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000, 18_000, 24_000, 40_000)),
    Habit(tool="Agent", share=3, progress=30, result_bytes=(1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 6_000, 8_000, 12_000, 20_000)),
)
"""A third of the bytes of public transcripts is progress; in those of gigabytes most are, and so they are here."""

_PROGRESS_BYTES = (200, 500, 900, 1_400, 2_000, 2_600, 3_200, 4_000, 6_000, 9_000)
_CALLS_PER_TURN = 14
_EXCHANGES = 100
_TEXT_WORDS = 40_000
_COMMENTED_SHARE = 0.4

_STRAY_SHARES = {"assistant": 0.045, "result": 0.14, "agent_progress": 0.19}
_STRAYS = ("TaskList", "UserAgent", "http_status", "a persistent volume", "in the background", "the service is not running", "runId")
"""Words of everyday work that a search for workers trips over, in the share of lines that public transcripts show."""

_COLOURED_SHARE = 0.034
"""The share of `bash_progress` lines with terminal colours, which JSON writes as an escape of six characters."""

_PROSE = "harbor tide pilot buoy anchor ledger berth crane quay vessel cargo manifest tariff lantern signal the a of to in for with and"
_CODE = "returns None raises value error test passed failed compile module import def class self config parse token stream buffer index"
_WORDS = (*_PROSE.split(), *_CODE.split())


class Filler:
    """An endless supply of exchanges (a tool call, its progress, its result) and of what stands between turns, for any session."""

    def __init__(self, seed: int) -> None:
        self._numbers = random.Random(f"filler {seed}")
        self._common: Document = {"parentUuid": "@parent@", **envelope("@session@")}
        self._seed = seed
        self._serial = 0
        self._turn_lines = [tuple(_compile(record) for record in self._make_turn(number)) for number in range(8)]
        deck = [habit for habit in HABITS for _ in range(habit.share * _EXCHANGES // 100)]
        self._numbers.shuffle(deck)
        self._pool = [tuple(_compile(record) for record in self._make_exchange(habit)) for habit in deck]

    def exchanges(self, pen: Pen) -> Iterator[bytes]:
        """Lines joined, one exchange after the other; every few exchanges the turn ends and the next begins."""
        while True:
            index = self._numbers.randrange(len(self._pool))
            yield self._write(self._pool[index], pen)
            if self._serial % _CALLS_PER_TURN == 0:
                yield self.turn(pen)

    def turn(self, pen: Pen) -> bytes:
        """The end of one turn and the beginning of the next."""
        return self._write(self._turn_lines[self._serial % len(self._turn_lines)], pen)

    def text(self, size_bytes: int) -> str:
        """Some lines of words, code or output; about so many bytes."""
        text = _make_text()
        begin = self._numbers.randrange(len(text) - size_bytes)
        return text[begin : begin + size_bytes]

    def _write(self, lines: tuple[Template, ...], pen: Pen) -> bytes:
        self._serial += 1
        scrambled = (self._serial * 0x9E3779B97F4A7C15 + self._seed) & (1 << 64) - 1
        call, agent = b"toolu_01F%021x" % scrambled, b"af%015x" % (scrambled >> 4)
        return b"".join([pen.fill(line, call, agent) for line in lines])

    # -- making the pool

    def _chained(self, kind: str, **more: object) -> Document:
        return {**self._common, **more, "type": kind, "uuid": "@uuid@", "timestamp": "@time@"}

    def _happens(self, share: float) -> bool:
        return self._numbers.random() < share

    def _stray(self, kind: str, text: str) -> str:
        return f"{text} {self._numbers.choice(_STRAYS)}" if self._happens(_STRAY_SHARES[kind]) else text

    def _make_exchange(self, habit: Habit) -> Iterator[Document]:
        size = self._numbers.choice(habit.result_bytes)
        if self._happens(_COMMENTED_SHARE):
            yield self._assistant({"type": "text", "text": self._stray("assistant", self.text(180))}, None)
        asked = self._make_input(habit.tool)
        yield self._assistant({"type": "tool_use", "id": "@call@", "name": habit.tool, "input": asked}, None)
        yield self._hook("PreToolUse", habit.tool)
        for step in range(habit.progress):
            yield self._agent_progress(step) if habit.tool == "Agent" else self._bash_progress(step)
        yield self._hook("PostToolUse", habit.tool)
        yield self._make_result(habit, size)

    def _make_input(self, tool: str) -> Document:
        path = f"{CWD}/src/{self._numbers.choice(_WORDS)}.py"
        inputs: dict[str, Document] = {
            "Bash": {
                "command": f"make {self._numbers.choice(_WORDS)} 2>&1 | tail -40",
                "description": "Build and test",
                "timeout": 120_000,
            },
            "Read": {"file_path": path},
            "Edit": {"file_path": path, "old_string": self.text(200), "new_string": self.text(260), "replace_all": False},
            "Grep": {"pattern": self._numbers.choice(_WORDS), "path": CWD, "output_mode": "content"},
            "Write": {"file_path": path, "content": self.text(1_500)},
            "Agent": {"description": "Look it up", "prompt": self.text(600), "subagent_type": "Explore"},
        }
        return inputs[tool]

    def _make_result(self, habit: Habit, size: int) -> Document:
        text = self._stray("result", self.text(size // 2))
        block: Document = {"tool_use_id": "@call@", "type": "tool_result", "content": text, "is_error": False}
        structured: Document = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        if habit.tool == "Agent":
            content = [{"type": "text", "text": text}]
            structured = {
                "status": "completed",
                "prompt": self.text(600),
                "agentId": "@agent@",
                "content": content,
                "totalDurationMs": 41_005,
            }
        elif habit.tool != "Bash":
            structured = {"type": "text", "file": {"filePath": f"{CWD}/src/tide.py", "content": text, "numLines": size // 40}}
        return self._chained("user", message={"role": "user", "content": [block]}, toolUseResult=structured)

    def _assistant(self, block: Document, stop: str | None) -> Document:
        usage: Document = {"input_tokens": 3, "cache_creation_input_tokens": 458, "cache_read_input_tokens": 59_121, "output_tokens": 187}
        message: Document = {"model": "claude-opus-4-6", "id": "msg_01@uuid@", "type": "message", "role": "assistant", "content": [block]}
        return self._chained("assistant", message={**message, "stop_reason": stop, "usage": usage}, requestId="req_01@uuid@")

    def _hook(self, event: str, tool: str) -> Document:
        data = {"type": "hook_progress", "hookEvent": event, "hookName": f"{event}:{tool}", "command": "${CLAUDE_PLUGIN_ROOT}/check.sh"}
        return self._chained("progress", data=data, toolUseID="@call@", parentToolUseID="@call@")

    def _bash_progress(self, step: int) -> Document:
        size = self._numbers.choice(_PROGRESS_BYTES)
        output = self.text(size // 3)
        if self._happens(_COLOURED_SHARE):
            output = f"\x1b[32mok\x1b[0m {output}"
        data: Document = {"type": "bash_progress", "output": output, "fullOutput": self.text(2 * size // 3), "elapsedTimeSeconds": step + 2}
        data |= {"totalLines": size // 40, "timeoutMs": 120_000}
        return self._chained("progress", data=data, toolUseID=f"bash-progress-{step}", parentToolUseID="@call@")

    def _agent_progress(self, step: int) -> Document:
        text = self._stray("agent_progress", self.text(self._numbers.choice(_PROGRESS_BYTES)))
        block: Document = {"tool_use_id": f"toolu_01S@uuid@{step}", "type": "tool_result", "content": text}
        inner = {"type": "user", "message": {"role": "user", "content": [block]}, "uuid": "@uuid@", "timestamp": "@time@"}
        data: Document = {
            "message": inner,
            "normalizedMessages": [],
            "type": "agent_progress",
            "prompt": self.text(600),
            "agentId": "@agent@",
        }
        return self._chained("progress", data=data, toolUseID="agent_msg_01@uuid@", parentToolUseID="@call@")

    def _make_turn(self, number: int) -> Iterator[Document]:
        yield self._assistant({"type": "text", "text": self.text(900)}, "end_turn")
        hooks = [{"command": "node check.mjs", "durationMs": 302}]
        yield self._chained("system", subtype="stop_hook_summary", hookCount=1, hookInfos=hooks, hookErrors=[], level="suggestion")
        yield self._chained("system", subtype="turn_duration", durationMs=74_061, messageCount=23, isMeta=False)
        prompt = self.text(120)
        yield {"type": "last-prompt", "lastPrompt": prompt, "leafUuid": "@uuid@", "sessionId": "@session@"}
        yield {"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": "@session@"}
        if number % 4 == 0:  # a prompt that was typed while the turn ran
            queued = {"type": "queue-operation", "timestamp": "@time@", "sessionId": "@session@"}
            yield {**queued, "operation": "enqueue", "content": prompt}
            yield {**queued, "operation": "dequeue"}
        yield self._chained("user", message={"role": "user", "content": prompt}, permissionMode="acceptEdits")
        files = {f"src/{word}.py": {"backupFileName": "9d2eb25925049f64@v1", "version": 1, "backupTime": "@time@"} for word in _WORDS[:8]}
        snapshot = {"messageId": "@uuid@", "trackedFileBackups": files, "timestamp": "@time@"}
        yield {"type": "file-history-snapshot", "messageId": "@uuid@", "snapshot": snapshot, "isSnapshotUpdate": False}
        if number % 2:
            yield self._chained("attachment", attachment={"type": "todo_reminder", "content": [], "itemCount": 0})
            error = {"status": 502, "headers": {"connection": "keep-alive"}, "requestID": None}
            yield self._chained("system", subtype="api_error", level="error", error=error, retryInMs=559.6, retryAttempt=1, maxRetries=10)


@cache
def _make_text() -> str:
    """Words, code and output to cut from."""
    numbers = random.Random("text")
    words = numbers.choices(_WORDS, k=_TEXT_WORDS)
    for place in range(9, len(words), 11):
        words[place] += numbers.choice((".\n", "\n    ", ' = "', '",\n', " → ", ": "))
    return " ".join(words)


def _compile(record: Document) -> Template:
    line = dump(record).replace(b"%", b"%%")
    for slot in (b"uuid", b"parent", b"time", b"session", b"call", b"agent"):
        line = line.replace(b"@%b@" % slot, b"%%(%b)b" % slot)
    return Template(line, record["type"] in _CHAINED)
