"""The text of workflow-state.json comes in, its stages as JSON objects go out, or one sentence that says why it is no workflow."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import FileState, FileText, TextFact
from resume_forensics.model.record import JsonObject, object_of, objects_of, text_of
from resume_forensics.text import Raw

STATE: Final = FileText(path=Raw("workflow-state.json"))
LOG: Final = FileText(path=Raw("progress.log"), limit_bytes=LIMITS.log_tail_bytes)
INIT: Final = FileState(path=Raw("init.sh"))
PAUSE: Final = FileState(path=Raw("PAUSE"))
BACKEND_LOG: Final = FileText(path=Raw("dpdispatcher.log"), limit_bytes=LIMITS.output_tail_bytes)

Document = JsonObject


def load_workflow(fact: TextFact) -> JsonObject | str:
    """Answer the document, or why it is no workflow. A document that is answered has stages, each with an id of its own."""
    if fact.text is None:
        return f"workflow-state.json cannot be read: {fact.file.missing}"
    if fact.cut:
        return f"workflow-state.json is longer than the {LIMITS.document_bytes:,} bytes that are read"
    try:
        document = json.loads(fact.text)
    except (ValueError, RecursionError):
        return "workflow-state.json is not valid JSON: it may be cut off"
    if not isinstance(document, dict) or not isinstance(document.get("stages"), list):
        return "workflow-state.json is JSON, but no workflow: it has no list of stages"
    return _find_fault(document) or document


def _find_fault(document: JsonObject) -> str | None:
    """What else keeps a document with a list of stages from being a workflow."""
    entries, stages = document["stages"], objects_of(document, "stages")
    ids = [text_of(stage, "id") for stage in stages]
    session = document.get("session_config", {})
    faults = (
        (not stages, "workflow-state.json names no stage"),
        (not isinstance(entries, list) or len(stages) < len(entries) or not all(ids), "a stage of workflow-state.json has no id"),
        (max(Counter(ids).values(), default=0) > 1, "two stages of workflow-state.json share one id"),
        (len(stages) > LIMITS.workflow_stages, f"workflow-state.json has more than {LIMITS.workflow_stages:,} stages"),
        (session is not None and not isinstance(session, dict), "session_config of workflow-state.json is no object"),
    )
    return next((words for holds, words in faults if holds), None)


def list_files(stage: JsonObject, key: str) -> Iterator[str]:
    """The files under a key of a stage: plain strings, or objects with a `path`; bounded."""
    named = stage.get(key)
    for item in (named if isinstance(named, list) else [])[: LIMITS.stage_files]:
        path = item if isinstance(item, str) else item.get("path") if isinstance(item, dict) else None
        if isinstance(path, str) and path:
            yield path


def process_of(stage: JsonObject) -> JsonObject | None:
    """What `running_process` holds; None where nothing is written there. What is no object counts as one that names nothing."""
    return object_of(stage, "running_process") if stage.get("running_process") else None


def state_of(path: str | None) -> FileState | None:
    """The question for a named file."""
    return FileState(path=Raw(path)) if path else None


def exit_of(process: JsonObject) -> FileText | None:
    """The question for the exit code."""
    path = text_of(process, "exit_code_file")
    return FileText(path=Raw(path), limit_bytes=LIMITS.exit_code_bytes) if path else None


def error_log_of(stage: JsonObject) -> FileText:
    """The question for what the wrapper of a stage wrote to its standard error."""
    return FileText(path=Raw(f"{text_of(stage, 'id')}/err"), limit_bytes=LIMITS.output_tail_bytes)
