"""Where Claude Code keeps things and how its files are named. Names and small documents in, typed values out.

Format facts: program versions 1.0.60 to 2.1.332.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from resume_forensics.harness.claude_code.fields import read_epoch_ms, read_id, read_text, read_time, read_whole
from resume_forensics.model.layout import Folders, JobState, LivenessRow, RegistryEntry
from resume_forensics.model.record import JsonObject, Record, flag_of, number_of, object_of, text_of
from resume_forensics.model.report import Sidecar, Step
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, Liveness, StepState, WorkerKind

SUFFIX = ".jsonl"
OUTPUT_SUFFIX = ".output"
"""`<tmp>/.../tasks/<id>.output` in every version that writes output files (2.0.77+)."""

SLUG_PREFIX_CHARS = 200
"""From 2.1.63 a longer slug is cut here and a hash appended, of which two kinds exist: match by the prefix, confirm by `cwd`."""

DELIVERY_TRACED_SINCE = (2, 1, 90)
"""Before this version a notice delivered in mid-turn left no record of its own."""

SIDECHAINS_UNTIL = (2, 0, 42)
"""Before this version a helper's records stood in the main transcript, as `isSidechain` (seen in 1.0.60 and 2.0.1)."""

OWN_ID_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""Names the session, in the environment of what it starts."""

FOLDERS = Folders(
    workers="subagents",
    runs="workflows",
    journal="journal.jsonl",
    snapshots="workflows",
    registry="sessions",
    jobs="jobs",
)

_NO_SESSION = re.compile(r"agent-.*|history", re.IGNORECASE)
_CONFLICT_COPY = re.compile(r"sync-conflict|conflicted copy|conflict(?:ed)?[-_ ]|\(\d+\)$| \d+$|[ _-]copy(?: ?\d+)?$", re.IGNORECASE)
_WORKER_FILE = re.compile(r"agent-(?P<id>.+)\.jsonl")
_PIDS = 2**31  # a process id is a signed 32-bit number on every system
_COPIES = ("acompact-", "aprompt_suggestion-", "aside_question-")


def find_store(home: Path, environment: Mapping[str, str]) -> Path:
    """The folder of all projects: below `$CLAUDE_CONFIG_DIR`, else below `~/.claude`."""
    named = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(named) if named else home / ".claude") / "projects"


def store_of(session: Path) -> Path | None:
    """The store that the path of a session implies (`<config>/projects/<slug>/<id>.jsonl`), else None."""
    store = session.parent.parent
    return store if store.name == "projects" else None


def is_session_name(name: str) -> bool:
    """Whether a file name is a session's: no flat agent file, no history, no copy that a sync client left."""
    stem = name.removesuffix(SUFFIX)
    return name.endswith(SUFFIX) and not (_NO_SESSION.fullmatch(stem) or _CONFLICT_COPY.search(stem))


def worker_id_of(name: str) -> Raw | None:
    """The worker whose own transcript a file name says it is; None for other files and for copies of the parent's history."""
    found = _WORKER_FILE.fullmatch(name)
    return read_id(found["id"]) if found and not found["id"].startswith(_COPIES) else None


def sidecar_name(transcript: str) -> str:
    """The note beside a worker's transcript (2.1.87+)."""
    return f"{transcript.removesuffix(SUFFIX)}.meta.json"


def slug(directory: str) -> str:
    """The folder name of a working directory: each UTF-16 unit that is no ASCII letter or digit becomes a dash."""
    normal = unicodedata.normalize("NFC", directory)
    return "".join(char if char.isascii() and char.isalnum() else "-" * (2 if ord(char) > 0xFFFF else 1) for char in normal)  # noqa: PLR2004 (outside the basic plane: two units)


def read_sidecar(data: JsonObject, path: Path) -> Sidecar[Raw]:
    """What `agent-<id>.meta.json` says (2.1.87; `finished` and its kin 2.1.332)."""
    return Sidecar(
        file=Raw(str(path)),
        finished=flag_of(data, "finished"),
        report_taken=flag_of(data, "reportTaken"),
        stopped_by_user=flag_of(data, "stoppedByUser"),
        parent_worker_id=read_id(data.get("parentAgentId")),
        tool_use_id=read_id(data.get("toolUseId")),
        is_fork=flag_of(data, "isFork"),
    )


def read_registry(data: JsonObject) -> RegistryEntry | None:
    """What `<config>/sessions/<pid>.json` says (2.1.87+; `procStart` by 2.1.150)."""
    pid, session_id = number_of(data, "pid"), read_id(data.get("sessionId"))
    if not isinstance(pid, int) or not 0 < pid < _PIDS or session_id is None:
        return None
    ticks = read_whole(data.get("procStart"))
    mark = data.get("procStart") if ticks is None else str(ticks)
    started_at = read_epoch_ms(data.get("startedAt")) or read_time(data.get("startedAt"))
    return RegistryEntry(pid=pid, session_id=session_id, start_mark=read_text(mark), started_at=started_at)


def read_job(data: JsonObject) -> JobState | None:
    """What `<config>/jobs/<short>/state.json` says of a background session (2.1.150+)."""
    session_id = read_id(data.get("sessionId"))
    if session_id is None:
        return None
    in_flight = read_whole(object_of(data, "inFlight").get("tasks"))
    return JobState(session_id=session_id, in_flight=in_flight, state=read_text(data.get("state")))


def read_snapshot(data: JsonObject) -> Raw | None:
    """The state word of a run's snapshot, `workflows/<run>.json` (2.1.150+; of its fields only `runId` and `timestamp` are certain)."""
    return read_text(data.get("status")) or read_text(data.get("state"))


_STEP_STATES = {"result": StepState.DONE, "failed": StepState.FAILED}


def read_journal(records: Iterable[Record]) -> tuple[Step[Raw], ...]:
    """The agents of a workflow run (2.1.150+): started, less those with a result or a failure. A retry repeats the key."""
    steps: dict[str, Step[Raw]] = {}
    for record in records:
        data, what = record.data, text_of(record.data, "type")
        key = text_of(data, "key") or text_of(data, "agentId")
        agent_id = read_id(data.get("agentId"))
        if key is None:
            continue
        if what == "started" and agent_id is not None:
            steps[key] = Step(agent_id=agent_id, label=read_text(data.get("label")), state=StepState.IN_FLIGHT)
        elif what in _STEP_STATES and (started := steps.get(key)):
            steps[key] = Step(agent_id=started.agent_id, label=started.label, state=_STEP_STATES[what])
    return tuple(steps.values())


_OWN = "a shell is a process of its own and can outlive the session"
LIVENESS = (
    LivenessRow(
        kind=WorkerKind.AGENT,
        habitat=None,
        liveness=Liveness.DEAD_WITH_PARENT,
        words="an agent runs inside the session's process and dies with it",
    ),
    LivenessRow(
        kind=WorkerKind.MONITOR,
        habitat=None,
        liveness=Liveness.DEAD_WITH_PARENT,
        words="a monitor runs inside the session's process and dies with it",
    ),
    LivenessRow(
        kind=WorkerKind.TEAMMATE,
        habitat=Habitat.IN_PROCESS,
        liveness=Liveness.DEAD_WITH_PARENT,
        words="this teammate ran inside the session's process and died with it",
    ),
    LivenessRow(
        kind=WorkerKind.TEAMMATE,
        habitat=Habitat.OWN_PROCESS,
        liveness=Liveness.POSSIBLY_LIVE,
        words="this teammate runs in a terminal pane of its own and can outlive the session",
    ),
    LivenessRow(
        kind=WorkerKind.TEAMMATE,
        habitat=None,
        liveness=Liveness.UNKNOWN_TEAMMATE,
        words="its receipt does not say whether it runs inside the session's process or in a pane of its own",
    ),
    LivenessRow(
        kind=WorkerKind.WORKFLOW,
        habitat=Habitat.IN_PROCESS,
        liveness=Liveness.DEAD_WITH_PARENT,
        words="its receipt says local_workflow: it runs inside the session's process and dies with it",
    ),
    LivenessRow(
        kind=WorkerKind.WORKFLOW,
        habitat=Habitat.ELSEWHERE,
        liveness=Liveness.POSSIBLY_LIVE,
        words="it runs on another machine and does not notice that the session died",
    ),
    LivenessRow(
        kind=WorkerKind.WORKFLOW,
        habitat=None,
        liveness=Liveness.UNKNOWN_WORKFLOW,
        words="its receipt does not say whether it runs inside the session's process",
    ),
    LivenessRow(
        kind=WorkerKind.REMOTE_AGENT,
        habitat=None,
        liveness=Liveness.POSSIBLY_LIVE,
        words="it runs on another machine and does not notice that the session died",
    ),
    LivenessRow(kind=WorkerKind.BACKGROUND_SHELL, habitat=None, liveness=None, words=_OWN),
)
"""What of this harness can outlive its parent (inferred from its code); the first row that fits decides."""

SHUTDOWN_REMEDY = "the harness was told to stop; nothing upstream is wrong: continue"
