"""What says that a worker was started: the structured `toolUseResult`, else the text of a receipt. In: one tool result. Out: launches.

Where the structured result is an object it alone decides; a text receipt counts only as the result of a tool that can give it,
at the start of a line, with nothing but the receipt's own sentences after it (the ledger checks the tool).
"""

import re
from collections import deque
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.harness.claude_code.fields import is_counted_id, read_id, read_text
from resume_forensics.model.event import Launch, Stamp
from resume_forensics.model.record import JsonObject, flag_of, number_of, object_of, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, WorkerKind

SHELL_TOOLS = frozenset({"Bash", "PowerShell"})
AGENT_TOOLS = frozenset({"Task", "Agent"})
WORKFLOW_TOOLS = frozenset({"Workflow"})
MONITOR_TOOLS = frozenset({"Monitor"})
MESSAGE_TOOLS = frozenset({"SendMessage"})


class TextReceipt(Struct, frozen=True, kw_only=True):
    """One form of receipt text. `opening` matches at the start of a line and captures `id`; `own_lines` are what may follow it.

    `needle` is plain text that every such receipt holds, so that other text is passed over at the speed of a search. `sample` shows
    the form (2.1 wording unless `seen` says else); `near_miss` is text that must not count.
    """

    kind: WorkerKind
    habitat: Habitat
    tools: frozenset[str]
    needle: str
    opening: re.Pattern[str]
    own_lines: re.Pattern[str]
    seen: str
    sample: str
    near_miss: str


_ID = r"(?P<id>[\w.@:+-]*[\w@+-])"
_SHELL_TAIL = (
    r"\.?(?: (?:Output is being written to: |It is still running|You will be notified|To check interim|Session cwd remains)[^\n]*|\s*?)$"
)
_FIELD = r"(?:[^\n]*\n\s*| (?:\([^)\n]*\) )?)"  # a receipt's fields stand on the lines below its sentence, or directly behind it
_NO_MORE_LINES = re.compile(r"(?!)")
_AGENT_LINES = re.compile(
    r"\s*(?:agentId: |output_file: |The agent is |You will be notified|If you have other tasks|Continue with other|To check progress|"
    r"Do not duplicate|Briefly tell|\(This tool result is internal|Use this ID|Use SendMessage|It is waiting for the user|<usage>|</?)"
)
_WORKFLOW_LINES = re.compile(
    r"\s*(?:Summary: |Transcript dir: |Script file: |Run ID: |\(Edit |To resume |You will be notified|Session: |session_url: )"
)
_REMOTE_LINES = re.compile(r"\s*(?:taskId: |session_url: |output_file: |The agent is |You will be notified|Use |To )")
_TEAM_LINES = re.compile(r"\s*(?:agent_id: |name: |team_name: |The agent is |You )")


def _shell(needle: str, opening: str, seen: str, sample: str, near_miss: str) -> TextReceipt:
    return TextReceipt(
        kind=WorkerKind.BACKGROUND_SHELL,
        habitat=Habitat.OWN_PROCESS,
        tools=SHELL_TOOLS,
        needle=needle,
        opening=re.compile(opening + _SHELL_TAIL, re.MULTILINE),
        own_lines=_NO_MORE_LINES,
        seen=seen,
        sample=sample,
        near_miss=near_miss,
    )


TEXT_RECEIPTS: tuple[TextReceipt, ...] = (
    _shell(
        "running in background with ID",
        rf"^Command running in background with ID: {_ID}",
        "2.0.1",
        "Command running in background with ID: b1. Output is being written to: /tmp/a b/b1.output. You will be notified.",
        "log.txt:3: Command running in background with ID: b1",
    ),
    _shell(
        "backgrounded by user with ID",
        rf"^Command was manually backgrounded by user with ID: {_ID}",
        "2.0.77",
        "Performing install\nSuccess\nCommand was manually backgrounded by user with ID: b1. Output is being written to: /tmp/b1.output",
        "Command was manually backgrounded by user with ID: b1. Output is being written to: /tmp/b1.output\nand so on",
    ),
    _shell(
        "blocking budget",
        rf"^Command exceeded the assistant-mode blocking budget \([^)\n]*\) and was moved to the background with ID: {_ID}",
        "2.1.87 to 2.1.165",
        "Command exceeded the assistant-mode blocking budget (15s) and was moved to the background with ID: b1. It is still running.",
        "echo 'Command exceeded the assistant-mode blocking budget (15s) and was moved to the background with ID: b1'",
    ),
    _shell(
        "did not complete within its",
        r"^Command did not complete within its [^\n]{1,40}? timeout and was moved to the background "
        rf"(?:\(ID: {_ID}\)|with ID: (?P<id2>[\w-]+))",
        "2.1.49",
        "Command did not complete within its 120s timeout and was moved to the background (ID: b1). Output is being written to: /o",
        "Command did not complete within its 120s timeout and was stopped",
    ),
    _shell(
        "was moved to the background (ID",
        rf"^Command was moved to the background \(ID: {_ID}\)(?: after running for [^\n]{{1,40}}?| so that a message[^\n]*)?",
        "2.1.270",
        "Command was moved to the background (ID: b1) after running for 30s. Output is being written to: /tmp/b1.output",
        "Command was moved to the background",
    ),
    TextReceipt(
        kind=WorkerKind.AGENT,
        habitat=Habitat.IN_PROCESS,
        tools=AGENT_TOOLS,
        needle="Async agent launched successfully",
        opening=re.compile(rf"^Async agent launched successfully\.{_FIELD}agentId: (?P<id>[^\s(]+)[^\n]*$", re.MULTILINE),
        own_lines=_AGENT_LINES,
        seen="2.0.42",
        sample="Async agent launched successfully.\nagentId: a1 (internal ID)\nThe agent is working.\noutput_file: /tmp/a1.output",
        near_miss="The log says: Async agent launched successfully.\nagentId: a1",
    ),
    TextReceipt(
        kind=WorkerKind.AGENT,
        habitat=Habitat.IN_PROCESS,
        tools=AGENT_TOOLS,
        needle="It is waiting for the user",
        opening=re.compile(
            rf"^The agent has not finished\. It is waiting for the user{_FIELD}agentId: (?P<id>[^\s(]+)[^\n]*$", re.MULTILINE
        ),
        own_lines=_AGENT_LINES,
        seen="2.1.332",
        sample="The agent has not finished. It is waiting for the user to answer a permission request.\nagentId: a1",
        near_miss="The agent has not finished.",
    ),
    TextReceipt(
        kind=WorkerKind.WORKFLOW,
        habitat=Habitat.NOT_SAID,
        tools=WORKFLOW_TOOLS,
        needle="Workflow launched in background",
        opening=re.compile(rf"^Workflow launched in background\. Task ID: {_ID}[^\n]*$", re.MULTILINE),
        own_lines=_WORKFLOW_LINES,
        seen="2.1.150",
        sample="Workflow launched in background. Task ID: w1\nSummary: review\nRun ID: wf_0a1b2c3d-4e5",
        near_miss="It printed: Workflow launched in background. Task ID: w1",
    ),
    TextReceipt(
        kind=WorkerKind.MONITOR,
        habitat=Habitat.IN_PROCESS,
        tools=MONITOR_TOOLS,
        needle="Monitor started (task",
        opening=re.compile(rf"^Monitor started \(task(?: ID)? {_ID}(?:, [^)\n]*)?\)\.[^\n]*$", re.MULTILINE),
        own_lines=_NO_MORE_LINES,
        seen="2.1.112",
        sample="Monitor started (task m1, timeout 600000ms). You will be notified on each event.",
        near_miss="Monitor started",
    ),
    TextReceipt(
        kind=WorkerKind.REMOTE_AGENT,
        habitat=Habitat.ELSEWHERE,
        tools=AGENT_TOOLS,
        needle="agent launched",
        opening=re.compile(rf"^(?:Remote agent launched in CCR|Cloud agent launched)\.{_FIELD}taskId: {_ID}[^\n]*$", re.MULTILINE),
        own_lines=_REMOTE_LINES,
        seen="2.1.63",
        sample="Remote agent launched in CCR.\ntaskId: r1\nsession_url: u\noutput_file: /tmp/r1.output",
        near_miss="Remote agent launched in CCR.",
    ),
    TextReceipt(
        kind=WorkerKind.TEAMMATE,
        habitat=Habitat.NOT_SAID,
        tools=AGENT_TOOLS,
        needle="Spawned successfully",
        opening=re.compile(rf"^Spawned successfully\.\s+agent_id: {_ID}[^\n]*$", re.MULTILINE),
        own_lines=_TEAM_LINES,
        seen="2.1.20",
        sample="Spawned successfully.\nagent_id: scout@harbor\nname: scout\nteam_name: harbor",
        near_miss="Spawned successfully.",
    ),
)

_SHELL_OUTPUT = re.compile(r"Output is being written to: (?P<path>[^\n]+)")
_AFTER_PATH = re.compile(r"\.? (?:You will be notified|It is still running|To check interim|Session cwd remains)")
_OUTPUT_LINE = re.compile(r"^output_file: (?P<path>[^\n]+)$", re.MULTILINE)
_DIR_LINE = re.compile(r"^Transcript dir: (?P<path>[^\n]+)$", re.MULTILINE)
_OUTPUT_FORMS = {WorkerKind.BACKGROUND_SHELL: _SHELL_OUTPUT, WorkerKind.WORKFLOW: _DIR_LINE}
_RUN_LINE = re.compile(r"^Run ID: (?P<run>wf_[\w-]+)", re.MULTILINE)
_REVIVED = re.compile(
    r'\s*(?:\{"success":true,"message":")?(?:Resuming agent |Agent \\?"(?:[^"\\\n]|\\(?!")[^\n]){1,300}\\?" '
    r"(?:was stopped \([^)\n]{0,200}\); resumed it|had no active task; resumed from transcript) in the background)"
)
_REVIVED_OUTPUT = re.compile(r'\bOutput: (?P<path>[^\n"]+)')


def read_structured_launch(stamp: Stamp, result: JsonObject, text: str, tool_use_id: Raw) -> Iterator[Launch]:
    """The launch that a structured result says, if it says one; the first row that fits decides.

    Older versions name the output file in the receipt's text alone, so `text` gives it where the object does not.
    """
    for fits in _STRUCTURED:
        launch = fits(stamp, result, tool_use_id)
        if launch is not None:
            yield launch if launch.output_file else replace(launch, output_file=_find_output(launch.kind, text))
            return


def _find_output(kind: WorkerKind, text: str) -> Raw | None:
    found = _OUTPUT_FORMS.get(kind, _OUTPUT_LINE).search(text)
    if found is None:
        return None
    path = found["path"]
    if kind is WorkerKind.BACKGROUND_SHELL:
        after = _AFTER_PATH.search(path)
        path = (path[: after.start()] if after else path).rstrip().removesuffix(".")
    return read_text(path.strip())


def read_text_launch(stamp: Stamp, text: str, tool_use_id: Raw) -> Iterator[Launch]:
    """The launch that the text of a result says, if it says one. The ledger holds it against the tool that was called."""
    for row in TEXT_RECEIPTS:
        found = _find_last(row.opening, text) if row.needle in text else None
        if found and _only_own_lines(text[found.end() :], row.own_lines):
            yield from _launch_from_text(stamp, row, found, text[found.start() :], tool_use_id)
            return
    if _REVIVED.match(text):
        yield _revival_from_text(stamp, text, tool_use_id)


def _revival_from_text(stamp: Stamp, text: str, tool_use_id: Raw) -> Launch:
    """A revival that names its agent by the output file alone, or not at all; then the call says whom it was sent to."""
    output = _REVIVED_OUTPUT.search(text)
    path = output["path"].strip().removesuffix(".") if output else ""
    name = re.split(r"[/\\]", path)[-1]
    return Launch(
        stamp=stamp,
        kind=WorkerKind.AGENT,
        habitat=Habitat.IN_PROCESS,
        worker_id=read_id(name.removesuffix(".output")) if name.endswith(".output") else None,
        tool_use_id=tool_use_id,
        revival=True,
        only_from=MESSAGE_TOOLS,
        output_file=read_text(path),
    )


def _find_last(opening: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last place where a receipt opens; after an earlier one, the later would be a foreign line."""
    return next(iter(deque(opening.finditer(text), maxlen=1)), None)


def _only_own_lines(rest: str, own_lines: re.Pattern[str]) -> bool:
    return all(own_lines.match(line) for line in rest.splitlines() if line.strip())


def _launch_from_text(stamp: Stamp, row: TextReceipt, found: re.Match[str], receipt: str, tool_use_id: Raw) -> Iterator[Launch]:
    groups = found.groupdict()
    word = groups["id"] or groups.get("id2")
    worker_id = read_id(word)
    if worker_id is None:
        return
    run = _RUN_LINE.search(receipt)
    yield Launch(
        stamp=stamp,
        kind=row.kind,
        habitat=row.habitat,
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        counted_id=is_counted_id(word),
        only_from=row.tools,
        output_file=_find_output(row.kind, receipt),
        run_id=read_id(run["run"]) if run else None,
    )


def _read_agent(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    if result.get("status") != "async_launched" or result.get("error"):
        return None
    return _agent(stamp, result, tool_use_id, read_id(result.get("agentId"))) if text_of(result, "agentId") else None


def _read_fork(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    if result.get("status") != "forked" or result.get("background") is not True or result.get("error"):
        return None
    return _agent(stamp, result, tool_use_id, read_id(result.get("agentId"))) if text_of(result, "agentId") else None


def _read_revival(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    if result.get("success") is False:
        return None
    worker_id = read_id(result.get("resumedAgentId")) or read_id(result.get("revivedAgentId"))
    message = text_of(result, "message") or ""
    if worker_id is None and result.get("success") is True and _REVIVED.match(message):
        return _revival_from_text(stamp, message, tool_use_id)
    return _agent(stamp, result, tool_use_id, worker_id, revival=True) if worker_id else None


def _agent(stamp: Stamp, result: JsonObject, tool_use_id: Raw, worker_id: Raw | None, *, revival: bool = False) -> Launch:
    """An agent; without an id (a redacted transcript) it is known by its tool call alone."""
    return Launch(
        stamp=stamp,
        kind=WorkerKind.AGENT,
        habitat=Habitat.IN_PROCESS,
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        revival=revival,
        description=read_text(result.get("description")) or read_text(result.get("commandName")),
        prompt=read_text(result.get("prompt")),
        output_file=read_text(result.get("outputFile")),
    )


def _read_shell(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    word = text_of(result, "backgroundTaskId")
    if not word:
        return None
    return Launch(
        stamp=stamp,
        kind=WorkerKind.BACKGROUND_SHELL,
        habitat=Habitat.OWN_PROCESS,
        worker_id=read_id(word),
        tool_use_id=tool_use_id,
        counted_id=is_counted_id(word),
    )


_WORKFLOW_HABITATS = {"local_workflow": Habitat.IN_PROCESS, "remote_agent": Habitat.ELSEWHERE}


def _read_workflow(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    """A workflow: `taskId` with `runId` or `taskType`. A receipt with `error` never started (2.1.150+)."""
    worker_id = read_id(result.get("taskId"))
    task_type = text_of(result, "taskType")
    launched = result.get("status") in (None, "async_launched", "remote_launched")
    if worker_id is None or result.get("error") or not launched or not (task_type or text_of(result, "runId")):
        return None
    elsewhere = result.get("status") == "remote_launched"
    return Launch(
        stamp=stamp,
        kind=WorkerKind.WORKFLOW,
        habitat=Habitat.ELSEWHERE if elsewhere else _WORKFLOW_HABITATS.get(task_type or "", Habitat.NOT_SAID),
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        description=read_text(result.get("summary")) or read_text(result.get("workflowName")),
        output_file=read_text(result.get("transcriptDir")),
        run_id=read_id(result.get("runId")) or _run_of(text_of(result, "transcriptDir")),
    )


def _run_of(folder: str | None) -> Raw | None:
    """The run that a transcript folder is named after, for receipts that give no run id."""
    name = (folder or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return read_id(name) if name.startswith("wf_") else None


def _read_remote(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    worker_id = read_id(result.get("taskId"))
    if result.get("status") != "remote_launched" or worker_id is None or result.get("error"):
        return None
    return Launch(
        stamp=stamp,
        kind=WorkerKind.REMOTE_AGENT,
        habitat=Habitat.ELSEWHERE,
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        description=read_text(result.get("description")),
        prompt=read_text(result.get("prompt")),
        output_file=read_text(result.get("outputFile")),
    )


def _read_teammate(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    worker_id = read_id(result.get("teammate_id")) or read_id(result.get("agent_id"))
    if result.get("status") != "teammate_spawned" or worker_id is None:
        return None
    split = flag_of(result, "is_splitpane")
    own = {True: Habitat.OWN_PROCESS, False: Habitat.IN_PROCESS, None: Habitat.NOT_SAID}[split]
    inside = "in_process_teammate" in (result.get("taskType"), result.get("task_type"))
    return Launch(
        stamp=stamp,
        kind=WorkerKind.TEAMMATE,
        habitat=Habitat.IN_PROCESS if inside else own,
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        alias=read_id(result.get("name")),
        description=read_text(result.get("name")),
        prompt=read_text(result.get("prompt")),
    )


def _read_monitor(stamp: Stamp, result: JsonObject, tool_use_id: Raw) -> Launch | None:
    worker_id = read_id(result.get("taskId"))
    if worker_id is None or number_of(result, "timeoutMs") is None or object_of(result, "task"):
        return None
    return Launch(
        stamp=stamp,
        kind=WorkerKind.MONITOR,
        habitat=Habitat.IN_PROCESS,
        worker_id=worker_id,
        tool_use_id=tool_use_id,
        only_from=MONITOR_TOOLS,
    )


_STRUCTURED = (_read_shell, _read_workflow, _read_remote, _read_agent, _read_fork, _read_teammate, _read_monitor, _read_revival)
