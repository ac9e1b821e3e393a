"""What a tool call of the model asks for: a table of tools, and the one function that reads a call by it."""

from msgspec import Struct

from resume_forensics.harness.claude_code.fields import read_id, read_text
from resume_forensics.model.event import Call, Stamp
from resume_forensics.model.record import JsonObject, object_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import WorkerKind


class CallForm(Struct, frozen=True, kw_only=True):
    """How one tool spells its input. `spawns`: unless its result says else, the call itself is a foreground worker.

    `awaited`: as in `Call`.
    """

    spawns: WorkerKind | None = None
    prompt: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    edits: bool = False
    awaited: bool = False


_EDIT = CallForm(path=("file_path", "notebook_path"), edits=True)
_AGENT = CallForm(spawns=WorkerKind.AGENT, prompt=("prompt",), target=("resume",))
_STOP = CallForm(target=("task_id", "shell_id"))
_POLL = CallForm(target=("task_id", "agentId", "agent_id", "bash_id", "shell_id"))

CALL_FORMS = {
    "Task": _AGENT,
    "Agent": _AGENT,
    "Workflow": CallForm(prompt=("script", "name", "scriptPath"), target=("resumeFromRunId",)),
    "SendMessage": CallForm(prompt=("message", "content"), target=("to", "recipient")),
    "TaskOutput": _POLL,
    "AgentOutputTool": _POLL,
    "AgentOutput": _POLL,
    "BashOutput": _POLL,
    "BashOutputTool": _POLL,
    "GetTask": CallForm(target=("taskId",)),
    "TaskStop": _STOP,
    "KillShell": _STOP,
    "KillBash": _STOP,
    "CronCreate": CallForm(prompt=("prompt",)),
    "CronDelete": CallForm(target=("id",), awaited=True),
    "ScheduleWakeup": CallForm(prompt=("prompt",)),
    "RemoteTrigger": CallForm(prompt=("prompt", "action")),
    "Read": CallForm(path=("file_path",)),
    "Edit": _EDIT,
    "MultiEdit": _EDIT,
    "Write": _EDIT,
    "NotebookEdit": _EDIT,
}
"""Tools whose input says something. Another tool is counted, and its `command` and `description` kept."""

_OTHER = CallForm()
_TOPICS = ("pattern", "query", "url")
"""What the tools that search (Grep, Glob, WebSearch, WebFetch, those of servers) call what they search for."""


def read_call(stamp: Stamp, block: JsonObject) -> Call | None:
    """The call that a tool_use block makes; None where it has no id or no name."""
    tool_use_id = read_id(block.get("id"))
    name = block.get("name")
    if tool_use_id is None or not isinstance(name, str):
        return None
    asked = object_of(block, "input")
    form = CALL_FORMS.get(name, _OTHER)
    return Call(
        stamp=stamp,
        tool_use_id=tool_use_id,
        tool=Raw(name),
        spawns=form.spawns,
        description=read_text(asked.get("description")) or read_text(asked.get("name")),
        command=read_text(asked.get("command")),
        prompt=_first_text(asked, form.prompt),
        subagent_type=read_text(asked.get("subagent_type")),
        target=next((found for key in form.target if (found := read_id(asked.get(key)))), None),
        topic=_first_text(asked, _TOPICS),
        path=_first_text(asked, form.path),
        edits=form.edits,
        awaited=form.awaited or form.spawns is not None,
    )


def _first_text(asked: JsonObject, keys: tuple[str, ...]) -> Raw | None:
    return next((found for key in keys if (found := read_text(asked.get(key)))), None)
