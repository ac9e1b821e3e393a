"""A worker as the ledger joins it: what was launched, and the end that decides, if there is one."""

from datetime import datetime

from msgspec import Struct

from resume_forensics.model.event import Stamp
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Delivery, DriverKind, DriverState, Habitat, WorkerKind, WorkerState


class Worker(Struct, frozen=True, kw_only=True):
    """One worker. Absent text is None; `launch` is None where only its notice is left, `end` where nothing ended it.

    `superseded_by`: the later worker that took over its workflow run.
    """

    worker_id: Raw | None
    tool_use_id: Raw | None
    kind: WorkerKind
    habitat: Habitat
    state: WorkerState
    delivery: Delivery
    tool: Raw | None = None
    description: Raw | None = None
    command: Raw | None = None
    prompt: Raw | None = None
    subagent_type: Raw | None = None
    output_file: Raw | None = None
    run_id: Raw | None = None
    parent_worker_id: Raw | None = None
    spawned_at: datetime | None = None
    status: Raw | None = None
    summary: Raw | None = None
    lost_track: bool = False
    launch_missing: bool = False
    foreground: bool = False
    reopened: int = 0
    superseded_by: Raw | None = None
    counted_id: bool = False
    copied_from: Raw | None = None
    launch: Stamp | None = None
    end: Stamp | None = None


class Driver(Struct, frozen=True, kw_only=True):
    """Something that starts work by itself, and whether it outlived the session."""

    driver_id: Raw
    kind: DriverKind
    state: DriverState
    stamp: Stamp
    prompt: Raw | None = None
    next_at: datetime | None = None
