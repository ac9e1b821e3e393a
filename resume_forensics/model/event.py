"""What a record says, in words that every harness shares. A harness file makes events; the deducing rooms read nothing else.

An event that a text alone suggests carries `only_from`: it counts only if the tool call it answers was made by one of those tools.
Where the id of the worker stands in the call alone, the event names the call (`answers`) and leaves `worker_id` empty.
"""

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, DriverKind, DriverState, Habitat, Outcome, QueueStep, Speaker, StopCause, WorkerKind


class Stamp(Struct, frozen=True, kw_only=True):
    """Where and when a record stands.

    `session_id` as the record says it (None where it says none, or a placeholder). `copied_from`: the session whose history this
    record repeats, where the record says so itself. `sidechain`: it belongs to a helper although it stands in a main file.
    `version` of the harness, () where unknown. `actor`: the worker id the record names as its own.
    """

    source: Source
    line: int
    at: datetime | None = None
    session_id: Raw | None = None
    copied_from: Raw | None = None
    sidechain: bool = False
    version: tuple[int, ...] = ()
    actor: Raw | None = None


class Call(Struct, frozen=True, kw_only=True):
    """A tool call by the model. `spawns`: the worker kind it starts in the foreground if nothing else is said.

    `target`: the worker or run that the call speaks to (a resumed id, a polled or messaged one). `topic`: what a search is for.
    `path`: the file it touches; `edits`: it changes that file. `awaited`: its result matters although nothing in the result tells so.
    """

    stamp: Stamp
    tool_use_id: Raw
    tool: Raw
    spawns: WorkerKind | None = None
    description: Raw | None = None
    command: Raw | None = None
    prompt: Raw | None = None
    subagent_type: Raw | None = None
    target: Raw | None = None
    topic: Raw | None = None
    path: Raw | None = None
    edits: bool = False
    awaited: bool = False


class Result(Struct, frozen=True, kw_only=True):
    """The answer to a tool call. `lost`: the harness itself wrote that the call was interrupted or never finished."""

    stamp: Stamp
    tool_use_id: Raw
    lost: bool = False
    failed: bool = False


class Launch(Struct, frozen=True, kw_only=True):
    """A worker was started, or (`revival`) an ended one was set to work again under the same id.

    `counted_id`: its id is a counter of one process, so the same id in another session is another worker. `alias`: the name by
    which messages call it.
    """

    stamp: Stamp
    kind: WorkerKind
    habitat: Habitat
    worker_id: Raw | None
    tool_use_id: Raw | None = None
    revival: bool = False
    counted_id: bool = False
    alias: Raw | None = None
    only_from: frozenset[str] | None = None
    description: Raw | None = None
    command: Raw | None = None
    prompt: Raw | None = None
    subagent_type: Raw | None = None
    output_file: Raw | None = None
    run_id: Raw | None = None


class End(Struct, frozen=True, kw_only=True):
    """A worker came to an end. It is named by its id, by the tool call that launched it, or by the target of the call answered.

    `notice` is equal for the copies of one notice; None where the end is no notice (a poll, a stop).
    """

    stamp: Stamp
    outcome: Outcome
    channel: Channel
    status: Raw
    worker_id: Raw | None = None
    tool_use_id: Raw | None = None
    answers: Raw | None = None
    kind: WorkerKind | None = None
    summary: Raw | None = None
    output_file: Raw | None = None
    notice: Raw | None = None
    only_from: frozenset[str] | None = None


class Mention(Struct, frozen=True, kw_only=True):
    """A record names a worker without ending it: still running, an event of a monitor, a poll that found it at work.

    `notice`: it is a notice, not a poll. `lost_track`: the harness says after a crash that it does not know. `registers`: the
    record says that it runs, which launches an id that is launched nowhere else.
    """

    stamp: Stamp
    worker_id: Raw | None = None
    tool_use_id: Raw | None = None
    answers: Raw | None = None
    notice: bool = False
    kind: WorkerKind | None = None
    lost_track: bool = False
    registers: bool = False
    description: Raw | None = None
    status: Raw | None = None
    summary: Raw | None = None
    only_from: frozenset[str] | None = None


class KillAll(Struct, frozen=True, kw_only=True):
    """Every worker of one kind that was outstanding was ended on purpose."""

    stamp: Stamp
    kind: WorkerKind


class QueueMove(Struct, frozen=True, kw_only=True):
    """The queue of messages for the model moved. `content` identifies an item; `told`: it left by reaching the model."""

    stamp: Stamp
    step: QueueStep
    content: Raw | None = None
    told: bool = False


class Link(Struct, frozen=True, kw_only=True):
    """A record or sidecar ties a tool call to the id of the worker that it started."""

    stamp: Stamp
    tool_use_id: Raw
    worker_id: Raw


class Spoken(Struct, frozen=True, kw_only=True):
    """What a record says aloud, and who says it."""

    stamp: Stamp
    speaker: Speaker
    text: Raw


class Fault(Struct, frozen=True, kw_only=True):
    """Something stopped the work: an API error, an interrupt, a shutdown."""

    stamp: Stamp
    cause: StopCause
    evidence: Raw
    resets_at: Raw | None = None


class Turn(Struct, frozen=True, kw_only=True):
    """A record of the conversation. `finished`: it shows that the turn came to its normal end.

    `text` is what was said, None where the record holds none. `calls`: it holds a tool call. `continues`: the harness typed it by
    itself, so that the work goes on.
    """

    stamp: Stamp
    speaker: Speaker
    text: Raw | None = None
    calls: bool = False
    finished: bool = False
    continues: bool = False


class PendingCount(Struct, frozen=True, kw_only=True):
    """The harness's own count of workers in flight at the end of a turn: agents, workflows; None where not counted."""

    stamp: Stamp
    agents: int | None
    workflows: int | None


class DriverMove(Struct, frozen=True, kw_only=True):
    """Something that starts work by itself was set up, or its fate became known."""

    stamp: Stamp
    driver_id: Raw
    kind: DriverKind
    state: DriverState | None
    tool_use_id: Raw | None = None
    prompt: Raw | None = None
    next_at: datetime | None = None
    only_from: frozenset[str] | None = None


class Belonging(Struct, frozen=True, kw_only=True):
    """What a record says about the session it stands in: its working directory, a move, where the session goes on."""

    stamp: Stamp
    directory: Raw | None = None
    moved_to: Raw | None = None
    continued_in: Raw | None = None


Event: TypeAlias = (
    Belonging | Call | DriverMove | End | Fault | KillAll | Launch | Link | Mention | PendingCount | QueueMove | Result | Turn
)
