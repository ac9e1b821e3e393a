"""What a harness declares about itself: where it keeps things, how its names look, what of it can outlive a session.

A harness file fills one `Harness`; the reading room and `flow` follow it without knowing how that harness spells anything.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from resume_forensics.model.event import Belonging, Event, Spoken
from resume_forensics.model.record import JsonObject, Record
from resume_forensics.model.report import Sidecar, Step
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, Liveness, WorkerKind


class LivenessRow(Struct, frozen=True, kw_only=True):
    """What is true of an unreported worker of this kind by itself. `liveness` None: its output file must be asked.

    `habitat` None fits every habitat. `words` are the evidence.
    """

    kind: WorkerKind
    habitat: Habitat | None
    liveness: Liveness | None
    words: str


class RegistryEntry(Struct, frozen=True, kw_only=True):
    """A line of the harness's registry of live processes: which process runs which session, the mark of its start, and when that was."""

    pid: int
    session_id: Raw
    start_mark: Raw | None
    started_at: datetime | None = None


class JobState(Struct, frozen=True, kw_only=True):
    """The harness's own ledger of one background session: how many tasks it counts in flight, and its state word."""

    session_id: Raw
    in_flight: int | None
    state: Raw | None


class Folders(Struct, frozen=True, kw_only=True):
    """Names of folders and files.

    Below `<session-id>/`: `workers` (their transcripts), `workers/runs/<run>/` with a `journal` each, `snapshots`. Below the
    configuration folder: `registry` (live processes) and `jobs` (background sessions).
    """

    workers: str
    runs: str
    journal: str
    snapshots: str
    registry: str
    jobs: str


class Harness(Struct, frozen=True, kw_only=True):
    """One harness, as a table of names and pure functions.

    Of the files that a transcript names, only those that end with `output_suffix` are opened. `translate` turns a record into
    events, in order. `store_of` names the store that a session's path implies, or None. `slug` names the folder of a working
    directory, to be compared up to `slug_prefix_chars`. From version `delivery_traced_since` every delivered notice leaves a
    record of its own; before `sidechains_until` helpers wrote into the main transcript. `own_id_variable` names the session that a
    program was started from, in that program's environment. `read_speech` answers what a record says aloud, without what the harness
    wrote round it; where it is None, what turns say is taken as it is. A line with a turn that the harness typed so
    that the work goes on has a text that begins with one of `continuations`.
    """

    name: str
    transcript_suffix: str
    output_suffix: str
    folders: Folders
    translate: Callable[[Record, Source], Iterator[Event]]
    session_id_of: Callable[[Record], Raw | None]
    belonging_of: Callable[[Record, Source], Belonging | None]
    is_activity: Callable[[Record], bool]
    time_of: Callable[[Record], datetime | None]
    find_store: Callable[[Path, Mapping[str, str]], Path]
    store_of: Callable[[Path], Path | None]
    is_session_name: Callable[[str], bool]
    worker_id_of: Callable[[str], Raw | None]
    sidecar_name: Callable[[str], str]
    slug: Callable[[str], str]
    slug_prefix_chars: int
    read_sidecar: Callable[[JsonObject, Path], Sidecar[Raw]]
    read_registry: Callable[[JsonObject], RegistryEntry | None]
    read_job: Callable[[JsonObject], JobState | None]
    read_snapshot: Callable[[JsonObject], Raw | None]
    read_journal: Callable[[Iterable[Record]], tuple[Step[Raw], ...]]
    liveness: tuple[LivenessRow, ...]
    delivery_traced_since: tuple[int, ...]
    sidechains_until: tuple[int, ...]
    shutdown_remedy: str
    needles: tuple[str, ...]
    result_key: str
    link_key: str
    link_mark: str
    own_id_variable: str | None = None
    read_speech: Callable[[Record, Source], Spoken | None] | None = None
    continuations: tuple[str, ...] = ()
