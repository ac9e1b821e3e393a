"""Records that quote receipts, notices and errors where they mean nothing, as real transcripts do in many places. Out: records."""

import random
from collections.abc import Callable, Sequence

from scripts.bench.filler import CWD, Document
from scripts.bench.workers import call, result


def make_quotes(numbers: random.Random, workers: Sequence[str], number: int) -> list[tuple[Document, ...]]:
    """So many groups of records, each quoting one text about a worker: an end that it did not have, or a launch that never was."""
    strangers = [f"a{numbers.getrandbits(64):016x}" for _ in range(4)]
    groups = []
    for serial in range(number):
        text = numbers.choice(_TEXTS).format(worker=numbers.choice(workers or strangers), stranger=numbers.choice(strangers))
        groups.append(_PLACES[serial % len(_PLACES)](text, f"toolu_01Q{numbers.getrandbits(84):021x}"))
    return groups


_TEXTS = (
    "<task-notification>\n<task-id>{worker}</task-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n</task-notification>",
    "Async agent launched successfully.\nagentId: {stranger} (internal ID)\nThe agent is working in the background.",
    "Command running in background with ID: {stranger}. Output is being written to: /nowhere/{stranger}.output",
    "Workflow launched in background. Task ID: {stranger}\nRun ID: wf_00000000-000",
    "Successfully stopped task: {worker} (make all)",
    "<retrieval_status>success</retrieval_status>\n<task_id>{worker}</task_id>\n<status>completed</status>",
    'API Error: 529 {{"type":"error","error":{{"type":"overloaded_error"}}}}',
    '{{"type":"user","toolUseResult":{{"status":"async_launched","agentId":"{stranger}"}}}}',
)


def _read_from_a_file(text: str, call_id: str) -> tuple[Document, ...]:
    structured: Document = {"type": "text", "file": {"filePath": f"{CWD}/log.txt", "content": text}}
    return call("Read", call_id, {"file_path": f"{CWD}/log.txt"}), result(call_id, text, structured)


def _found_by_a_search(text: str, call_id: str) -> tuple[Document, ...]:
    return call("Grep", call_id, {"pattern": "launched"}), result(call_id, text, None)


def _printed_by_a_command(text: str, call_id: str) -> tuple[Document, ...]:
    structured: Document = {"stdout": text, "stderr": "", "interrupted": False}
    return call("Bash", call_id, {"command": "cat log.txt"}), result(call_id, text, structured)


def _told_by_the_model(text: str, call_id: str) -> tuple[Document, ...]:
    del call_id
    block: Document = {"type": "text", "text": f"The log says:\n{text}"}
    return ({"type": "assistant", "message": {"model": "claude-opus-4-6", "role": "assistant", "content": [block], "stop_reason": None}},)


def _typed_by_a_person(text: str, call_id: str) -> tuple[Document, ...]:
    del call_id
    return ({"type": "user", "message": {"role": "user", "content": text}, "origin": {"kind": "human"}},)


def _kept_by_a_compaction(text: str, call_id: str) -> tuple[Document, ...]:
    del call_id
    return ({"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": text}},)


def _printed_by_a_hook(text: str, call_id: str) -> tuple[Document, ...]:
    del call_id
    return ({"type": "attachment", "attachment": {"type": "hook_success", "hookName": "Stop", "content": text, "stdout": text}},)


def _shown_as_progress(text: str, call_id: str) -> tuple[Document, ...]:
    return ({"type": "progress", "data": {"type": "bash_progress", "output": text, "fullOutput": text}, "toolUseID": call_id},)


_PLACES: tuple[Callable[[str, str], tuple[Document, ...]], ...] = (
    _read_from_a_file,
    _found_by_a_search,
    _printed_by_a_command,
    _told_by_the_model,
    _typed_by_a_person,
    _kept_by_a_compaction,
    _printed_by_a_hook,
    _shown_as_progress,
)
