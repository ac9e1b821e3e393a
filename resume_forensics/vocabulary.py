"""Every closed set of words that the package speaks: in reports, in events, in JSON.

Nothing comes in; the words go out. A word that is compared or printed as a verdict stands here and nowhere else.
"""

from enum import StrEnum


class StopCause(StrEnum):
    """What ended a session or a worker."""

    AUTH_EXPIRED = "auth_expired"
    USAGE_LIMIT = "usage_limit"
    RATE_LIMITED = "rate_limited"
    API_OVERLOAD = "api_overload"
    API_5XX = "api_5xx"
    NETWORK = "network"
    STALLED = "stalled"
    MACHINE_SLEPT = "machine_slept"
    CONTEXT_TOO_LONG = "context_too_long"
    USER_INTERRUPT = "user_interrupt"
    PROCESS_SHUTDOWN = "process_shutdown"
    API_ERROR_UNCLASSIFIED = "api_error_unclassified"
    CLEAN_OR_UNKNOWN = "clean_or_unknown"


class WorkerKind(StrEnum):
    """What sort of thing was launched."""

    AGENT = "agent"
    BACKGROUND_SHELL = "background-shell"
    WORKFLOW = "workflow"
    MONITOR = "monitor"
    TEAMMATE = "teammate"
    REMOTE_AGENT = "remote-agent"


class WorkerState(StrEnum):
    """Whether a worker came back."""

    REPORTED = "reported"
    REPORTED_FAILED = "reported_failed"
    UNREPORTED = "unreported"


class Liveness(StrEnum):
    """Whether a worker that never came back may still run."""

    POSSIBLY_LIVE = "possibly-live"
    DEAD = "dead"
    DEAD_WITH_PARENT = "dead-with-parent"
    UNKNOWN_TEAMMATE = "unknown-teammate"
    UNKNOWN_WORKFLOW = "unknown-workflow"
    UNKNOWN_NO_OUTPUT_FILE = "unknown-no-output-file"
    UNKNOWN_MTIMES = "unknown-mtimes-not-trustworthy"
    UNKNOWN_OUTPUT_NOT_ITS_OWN = "unknown-output-not-its-own"


class Delivery(StrEnum):
    """How the end of a worker is known, the strongest first."""

    STOPPED = "stopped"
    DELIVERED = "delivered"
    FETCHED = "fetched"
    QUEUED = "queued"
    NONE = "none"


class Action(StrEnum):
    """The cheapest safe next step for one worker."""

    FOLD_IN = "fold-in"
    CONTINUE = "continue"
    RESPAWN_REMAINDER = "respawn-remainder"
    RESPAWN_WHOLE = "respawn-whole"
    VERIFY_FIRST = "verify-first"
    READ_FAILURE = "read-failure"
    RESTART_DRIVER = "restart-driver"
    NONE = "none"


class Missing(StrEnum):
    """Why a file gave nothing; each is a sentence a person can read."""

    NOT_RECORDED = "no output path recorded"
    GONE = "no longer on disk"
    DANGLING_LINK = "a link that points nowhere"
    DIRECTORY = "a directory, not a file"
    NOT_REGULAR = "not a regular file"
    UNREADABLE = "not readable"
    FOREIGN = "not named as an output file is, so it was not opened"
    EMPTY = "empty"


class Outcome(StrEnum):
    """What the word of an end means."""

    SUCCESS = "success"
    FAILURE = "failure"


class Habitat(StrEnum):
    """Where a worker runs, as its launch says; it decides what can outlive the session."""

    IN_PROCESS = "in-process"
    OWN_PROCESS = "own-process"
    ELSEWHERE = "elsewhere"
    NOT_SAID = "not-said"


class Channel(StrEnum):
    """On which way an end became known."""

    QUEUED = "queued"
    DELIVERED = "delivered"
    FETCHED = "fetched"
    STOPPED = "stopped"


class QueueStep(StrEnum):
    """What happened to the harness's queue of messages for the model."""

    ENQUEUE = "enqueue"
    DEQUEUE = "dequeue"
    REMOVE = "remove"
    POP_ALL = "popAll"


class Speaker(StrEnum):
    """Who produced a turn record."""

    HUMAN = "human"
    HARNESS = "harness"
    NOTICE = "notice"
    TOOL = "tool"
    ASSISTANT = "assistant"


class Ended(StrEnum):
    """How a worker's own transcript ends, where it is not a stop cause."""

    END_OF_TURN = "end-of-turn"
    MID_TOOL = "mid-tool"
    MID_TEXT = "mid-text"
    NOTHING_WRITTEN = "nothing-written"


class Shape(StrEnum):
    """What a worker's own copy looks like."""

    TRANSCRIPT = "transcript"
    RAW_STDOUT = "raw-stdout"


class StepState(StrEnum):
    """How far one agent of a workflow came."""

    DONE = "done"
    FAILED = "failed"
    IN_FLIGHT = "in-flight"


class DriverKind(StrEnum):
    """What keeps starting work by itself."""

    SCHEDULE = "schedule"
    WAKEUP = "wakeup"
    LOOP = "loop"
    TRIGGER = "trigger"


class DriverState(StrEnum):
    """Whether a driver outlived the session."""

    LOST = "lost"
    POSSIBLY_LIVE = "possibly-live"
    DURABLE = "durable"
    FIRED = "fired"
    REMOVED = "removed"
