"""Records that quote receipts, notices and errors without being any: every place where real transcripts repeat such text."""

import random
from collections.abc import Callable

from property.stories import SESSION

_STAMP = {"sessionId": SESSION, "version": "2.1.200", "timestamp": "2026-09-01T09:00:00.000Z", "cwd": "/home/dev/shop"}


def quotes(worker: str) -> tuple[str, ...]:
    """Texts about a worker that would matter if they stood where they belong."""
    return (
        f"<task-notification>\n<task-id>{worker}</task-id>\n<status>completed</status>\n<summary>over</summary>\n</task-notification>",
        f"<bash-notification><shell-id>{worker}</shell-id><status>failed</status></bash-notification>",
        f"Async agent launched successfully.\nagentId: {worker}9 (internal ID)\nThe agent is working in the background.",
        f"Command running in background with ID: {worker}8. Output is being written to: /tmp/x.output",
        f"Workflow launched in background. Task ID: {worker}7\nRun ID: wf_00000000-000",
        f"Successfully stopped task: {worker} (make all)",
        f"<retrieval_status>success</retrieval_status>\n<task_id>{worker}</task_id>\n<status>completed</status>",
        'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
        "Login expired · Please run /login",
        "[Request interrupted by user]",
        f'{{"type":"user","toolUseResult":{{"status":"async_launched","agentId":"{worker}6"}},"sessionId":"{SESSION}"}}',
    )


def _assistant_text(quote: str, serial: int) -> dict[str, object]:
    call = {"type": "tool_use", "id": f"toolu_n{serial}", "name": "Read", "input": {}}
    blocks = [{"type": "text", "text": f"The log says:\n{quote}"}, call]
    return {"type": "assistant", **_STAMP, "message": {"model": "m", "role": "assistant", "content": blocks, "stop_reason": "tool_use"}}


def _thinking(quote: str, serial: int) -> dict[str, object]:
    del serial
    blocks = [{"type": "thinking", "thinking": quote}]
    return {"type": "assistant", **_STAMP, "message": {"model": "m", "role": "assistant", "content": blocks, "stop_reason": None}}


def _structured_result(quote: str, serial: int) -> dict[str, object]:
    block = {"type": "tool_result", "tool_use_id": f"toolu_n{serial}", "content": quote}
    return {"type": "user", **_STAMP, "message": {"role": "user", "content": [block]}, "toolUseResult": {"stdout": quote, "stderr": ""}}


def _text_result(quote: str, serial: int) -> dict[str, object]:
    """The result of a tool whose call is not in the file, with other lines behind the quote."""
    block = {"type": "tool_result", "tool_use_id": f"toolu_n{serial}", "content": [{"type": "text", "text": f"{quote}\nand the next line"}]}
    return {"type": "user", **_STAMP, "message": {"role": "user", "content": [block]}}


def _numbered_result(quote: str, serial: int) -> dict[str, object]:
    numbered = "\n".join(f"{number:6}→{line}" for number, line in enumerate(quote.split("\n"), 1))
    return _text_result(numbered, serial)


def _hook_output(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "attachment", **_STAMP, "attachment": {"type": "hook_success", "hookName": "Stop", "content": quote, "stdout": quote}}


def _file_attachment(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "attachment", **_STAMP, "attachment": {"type": "file", "filename": "log.txt", "content": {"file": {"content": quote}}}}


def _typed_by_a_person(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "user", **_STAMP, "message": {"role": "user", "content": quote}, "origin": {"kind": "human"}, "isMeta": True}


def _pasted(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "user", **_STAMP, "isMeta": True, "message": {"role": "user", "content": f"look at this:\n{quote}"}}


def _queued_by_a_peer(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "attachment", **_STAMP, "attachment": {"type": "queued_command", "prompt": quote, "origin": {"kind": "peer"}}}


def _compaction(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "user", **_STAMP, "isCompactSummary": True, "message": {"role": "user", "content": quote}}


def _summary(quote: str, serial: int) -> dict[str, object]:
    return {"type": "summary", "summary": quote, "leafUuid": f"u-{serial}"}


def _snapshot(quote: str, serial: int) -> dict[str, object]:
    return {"type": "file-history-snapshot", "messageId": f"m{serial}", "snapshot": {"trackedFileBackups": {"log.txt": quote}}}


def _unknown(quote: str, serial: int) -> dict[str, object]:
    return {"type": "type-of-tomorrow", **_STAMP, "content": quote, "taskId": quote, "n": serial}


def _hook_progress(quote: str, serial: int) -> dict[str, object]:
    nested = {"type": "user", "message": {"role": "user", "content": quote}}
    return {"type": "progress", **_STAMP, "toolUseID": f"t{serial}", "data": {"type": "hook_progress", "command": quote, "message": nested}}


def _retry(quote: str, serial: int) -> dict[str, object]:
    del serial
    return {"type": "system", **_STAMP, "subtype": "api_error", "error": {"message": quote}, "retryAttempt": 1}


PLACES: tuple[Callable[[str, int], dict[str, object]], ...] = (
    _assistant_text,
    _thinking,
    _structured_result,
    _text_result,
    _numbered_result,
    _hook_output,
    _file_attachment,
    _typed_by_a_person,
    _pasted,
    _queued_by_a_peer,
    _compaction,
    _summary,
    _snapshot,
    _unknown,
    _hook_progress,
    _retry,
)


def make_noise(numbers: random.Random, workers: list[str]) -> dict[str, object]:
    """One record that quotes something about one of the workers."""
    quote = numbers.choice(quotes(numbers.choice(workers or ["a0000000000000001"])))
    return numbers.choice(PLACES)(quote, numbers.randrange(10**9))
