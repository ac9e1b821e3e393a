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
    OUTSIDE = "leads out of the directory, so it was not opened"


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


class System(StrEnum):
    """A system that writes its state down."""

    SUPERSCIENTIST = "superscientist"
    DEVTEAM = "devteam"
    SAGA = "saga"
    CLAUDE_ORG = "claude-org"


class Says(StrEnum):
    """What a piece of evidence says of the claim."""

    FOR = "for"
    AGAINST = "against"
    UNKNOWN = "unknown"


class EvidenceKind(StrEnum):
    """Where a piece of evidence was found."""

    TMUX = "tmux"
    MARKER = "marker"
    EXIT_CODE = "exit-code"
    FILE = "file"
    MTIME = "mtime"
    PID = "pid"
    HEARTBEAT = "heartbeat"
    SANDBOX = "sandbox"
    AGENTS = "agents"
    GIT = "git"
    DIRECTORY = "directory"
    QUESTION = "question"
    LOG = "log"
    ENV = "env"
    TICK = "tick"
    PR = "pr"
    RECEIPT = "receipt"
    DIGEST = "digest"
    DATABASE = "database"


class DatabaseProblem(StrEnum):
    """Why a database that is there gave no rows; each is a sentence a person can read."""

    DAMAGED = "SQLite finds it damaged"
    TOO_LARGE = "it is larger than is read"
    CHANGING = "it was written while it was copied"
    UNREADABLE = "it could not be copied"


class OrgStatus(StrEnum):
    """What the database of a claude-org says of its session."""

    ACTIVE = "ACTIVE"
    SUSPENDED = "SUSPENDED"
    IDLE = "IDLE"


class RunStatus(StrEnum):
    """What the database of a claude-org says of a run."""

    QUEUED = "queued"
    IN_USE = "in_use"
    REVIEW = "review"
    SUSPENDED = "suspended"
    COMPLETED = "completed"
    FAILED = "failed"
    ABANDONED = "abandoned"


class Proposal(StrEnum):
    """What whoever resumes is advised to do about a claim, or next."""

    NONE = "none"
    ASK_USER = "ask-user"
    ASK_CLIENT = "ask-client"
    ASK_HUMAN = "ask-human"
    ASK_OPERATOR = "ask-operator"
    KEEP_MONITORING = "keep-monitoring"
    RECHECK = "recheck"
    VERIFY_RESULT = "verify-result"
    MARK_FAILED = "mark-failed"
    RELAUNCH = "relaunch"
    RETRY = "retry"
    DISPATCH = "dispatch"
    START_SESSION = "start-session"
    STOP_AND_ALERT = "stop-and-alert"
    LEAVE_ALONE = "leave-alone"
    REDISPATCH = "redispatch"
    REDISPATCH_DIRTY = "redispatch-dirty"
    PROMOTE_FIRST = "promote-first"
    RUN_VERIFIER = "run-verifier"
    START_SUPERVISOR = "start-supervisor"
    KEEP_WORKING = "keep-working"
    STOP_WRITING = "stop-writing"
    ASK_PREDECESSOR = "ask-predecessor"
    STOP_AND_REPORT = "stop-and-report"
    ROUTE = "route"
    CONFIRM_WITH_OPERATOR = "confirm-with-operator"
    ADJUDICATE = "adjudicate"
    SELECT_THREAD = "select-thread"
    USE_PREVIOUS_TICK = "use-previous-tick"
    DROP_BLOCKER = "drop-blocker"
    SESSION_FORENSICS = "session-forensics"
    RESUME_ORG = "resume-org"
    DISPATCH_CONTINUE = "dispatch-continue"
    CHECK_BLOCKER = "check-blocker"
    REPORT_RESULTS = "report-results"
    REBUILD_DB = "rebuild-db"
    COMPLETE_WORKFLOW = "complete-workflow"
    REPORT_AND_WAIT = "report-and-wait"


class Verdict(StrEnum):
    """What became of a claim when it was held against the machine."""

    DIED_PREPARING = "died-preparing"
    STALE_NO_PROCESS = "stale-no-process"
    ALIVE = "alive"
    ALIVE_AND_DONE = "alive-and-done"
    FINISHED_OK = "finished-ok"
    FINISHED_FAILED = "finished-failed"
    UNKNOWN_EXIT_CODE = "unknown-exit-code"
    UNKNOWN_MARKER_TIME = "unknown-marker-time"
    DIED_RECOVERABLE = "died-recoverable"
    DIED_TWICE = "died-twice"
    UNKNOWN_NO_TMUX = "unknown-no-tmux"
    VERIFICATION_INTERRUPTED = "verification-interrupted"
    FAILED_RETRYABLE = "failed-retryable"
    FAILED_EXHAUSTED = "failed-exhausted"
    READY_NOW = "ready-now"
    DEPENDENCY_FAILED = "dependency-failed"
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    OUTPUT_MISSING = "output-missing"
    UNKNOWN_STATUS = "unknown-status"
    STATE_MISSING = "state-missing"
    STATE_CORRUPT = "state-corrupt"
    SESSION_COUNTED = "session-counted"
    SESSION_UNCOUNTED = "session-uncounted"
    WAITING_ON_CLIENT = "waiting-on-client"
    STALE_UNPROMOTED = "stale-unpromoted"
    UNKNOWN_WORKER = "unknown-worker"
    STALE_DIRTY = "stale-dirty"
    DIED_BEFORE_DISPATCH = "died-before-dispatch"
    STALE_COMMITTED = "stale-committed"
    STALE_CLEAN = "stale-clean"
    DONE_DIRTY = "done-dirty"
    NOT_RETIRED = "not-retired"
    DONE_UNVERIFIED = "done-unverified"
    NEVER_STARTED = "never-started"
    UNKNOWN_TITLE = "unknown-title"
    SANDBOX_ALIVE = "sandbox-alive"
    SANDBOX_DEAD = "sandbox-dead"
    SANDBOX_EXITED = "sandbox-exited"
    SANDBOX_UNKNOWN = "sandbox-unknown"
    SANDBOX_GONE = "sandbox-gone"
    SANDBOX_UNPROMOTED = "sandbox-unpromoted"
    WRITER_MINE = "writer-mine"
    WRITER_OTHER = "writer-other"
    WRITER_VACANT = "writer-vacant"
    WRITER_UNKNOWN = "writer-unknown"
    ROTATION_WAITING = "rotation-waiting"
    ROTATION_REPLACED = "rotation-replaced"
    ROTATION_CLOSED = "rotation-closed"
    ROTATION_SUCCESSOR = "rotation-successor"
    ROTATION_COMPLETED = "rotation-completed"
    ROTATION_UNKNOWN = "rotation-unknown"
    TWO_WRITERS = "two-writers"
    TORN_TICK = "torn-tick"
    NO_TICKS = "no-ticks"
    THREAD_OPEN = "thread-open"
    THREAD_CLOSED = "thread-closed"
    PHASE_REGRESSED = "phase-regressed"
    CACHE_STALE = "cache-stale"
    BLOCKER_OPEN = "blocker-open"
    BLOCKER_CARRIED = "blocker-carried"
    BLOCKER_CLEARED = "blocker-cleared"
    QUESTION_ANSWERED = "question-answered"
    QUESTION_OPEN = "question-open"
    OBLIGATION_SATISFIED = "obligation-satisfied"
    OBLIGATION_UNSATISFIED = "obligation-unsatisfied"
    OBLIGATION_DEGRADED = "obligation-degraded"
    OBLIGATION_UNAVAILABLE = "obligation-unavailable"
    OBLIGATION_CONFLICTING = "obligation-conflicting"
    CONTRACT_UNREADABLE = "contract-unreadable"
    TWO_STATE_DIRS = "two-state-dirs"
    DB_MISSING = "db-missing"
    DB_CORRUPT = "db-corrupt"
    SCHEMA_UNKNOWN = "schema-unknown"
    SESSION_SUSPENDED = "session-suspended"
    SESSION_IDLE = "session-idle"
    SESSION_ACTIVE = "session-active"
    SESSION_MISSING = "session-missing"
    CLOSED = "closed"
    QUEUED = "queued"
    DIR_MISSING = "dir-missing"
    DIR_NOT_GIT = "dir-not-git"
    BRANCH_DIFFERS = "branch-differs"
    HEAD_DIFFERS = "head-differs"
    MERGED_NOT_CLOSED = "merged-not-closed"
    RECORD_DISAGREES = "record-disagrees"
    WORK_UNCOMMITTED = "work-uncommitted"
    LEFT_IN_USE = "left-in-use"
    UNKNOWN_NO_GIT = "unknown-no-git"


class ConflictKind(StrEnum):
    """A contradiction between what is written and what is seen."""

    STALE_DONE_MARKER = "stale-done-marker"
    EXIT_CODE_WITHOUT_DONE = "exit-code-without-done"
    TMUX_ALIVE_BUT_DONE = "tmux-alive-but-done"
    DONE_WITHOUT_EXIT_CODE = "done-without-exit-code"
    UNDATABLE_MARKER = "undatable-marker"
    STATUS_VS_PROCESS = "status-vs-process"
    OUTPUT_MISSING = "output-missing"
    SESSION_COUNT_MISSING = "session-count-missing"
    WRITER_VACANT = "writer-vacant"
    TWO_WRITERS = "two-writers"
    ROTATION_VS_WRITER = "rotation-vs-writer"
    BOARD_VS_TASK = "board-vs-task"
    TORN_TICK = "torn-tick"
    PHASE_REGRESSION = "phase-regression"
    BRANCH_VS_GIT = "branch-vs-git"
    INDEX_VS_TICKS = "index-vs-ticks"
    CACHE_VS_PR = "cache-vs-pr"
    CARRIED_SCALAR = "carried-scalar"
    OBLIGATION_CONFLICT = "obligation-conflict"
    TWO_STATE_DIRS = "two-state-dirs"
    UNREADABLE_TIME = "unreadable-time"
    DIR_VS_DB = "dir-vs-db"
    BRANCH_VS_DB = "branch-vs-db"
    HEAD_VS_DB = "head-vs-db"
    PR_VS_DB = "pr-vs-db"
    WORKER_FILE_VS_DB = "worker-file-vs-db"


class Refusal(StrEnum):
    """Why the one write of a protocol was not done."""

    EVIDENCE_CONFLICTS = "evidence-conflicts"
    STATE_UNREADABLE = "state-unreadable"
    ALREADY_APPLIED = "already-applied"
    CHANGED_SINCE_READ = "changed-since-read"
    GATE_NO_WRITE = "gate-no-write"
    THREAD_NOT_SELECTED = "thread-not-selected"
    CLOCK_BEHIND_NEWEST_TICK = "clock-behind-newest-tick"
    NOT_SUSPENDED = "not-suspended"


class WriteKind(StrEnum):
    """How a planned write changes a file."""

    REPLACE = "replace"
    APPEND = "append"
    CREATE = "create"
    TRANSACTION = "transaction"


class LifecyclePhase(StrEnum):
    """How far a saga's thread has come, in the order of its life; a later one cannot become an earlier one without a reason."""

    IDEATION = "ideation"
    BRAINSTORM = "brainstorm"
    PLAN = "plan"
    REVIEW = "review"
    WORK = "work"
    QA = "qa"
    RETRO = "retro"


class PhaseStatus(StrEnum):
    """How far a phase of a saga's thread has come."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"


class ThreadStatus(StrEnum):
    """What is being done about a saga's thread."""

    ACTIVE = "active"
    BLOCKED = "blocked"
    PAUSED = "paused"
    HANDED_OFF = "handed-off"
    DONE = "done"
    ABANDONED = "abandoned"


class Settlement(StrEnum):
    """What became of an obligation of a saga's contract; of several that do not settle it, the later in this order stands."""

    SATISFIED = "satisfied"
    UNSATISFIED = "unsatisfied"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"
    CONFLICTING = "conflicting"


class Verification(StrEnum):
    """What a receipt says of one piece of its evidence."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    UNKNOWN = "unknown"
    UNAVAILABLE = "unavailable"
    CONFLICTING = "conflicting"


class TaskStatus(StrEnum):
    """What the title of a devteam task says of it."""

    PLANNED = "PLANNED"
    RUNNING = "RUNNING"
    READY_TO_AUDIT = "READY-TO-AUDIT"
    BLOCKED = "BLOCKED"
    NEEDS_DECISION = "NEEDS-DECISION"
    ACCEPTED = "ACCEPTED"
    DONE = "DONE"


class BoardState(StrEnum):
    """What the board of a devteam says of a task."""

    OPEN = "—"
    CLAIMED = "CLAIMED"
    BLOCKED = "BLOCKED"
    ACCEPTED = "ACCEPTED"
    DONE = "DONE"


class SandboxProcess(StrEnum):
    """What became of the process that a sandbox names; each is a sentence a person can read."""

    NOT_NAMED = "no process is named"
    ALIVE = "the process is alive, with the same start time"
    GONE = "no process has that number"
    RECYCLED = "another process has that number now"
    UNKNOWN = "the process could not be asked"


class TeamSign(StrEnum):
    """What the decision tables of a devteam ask about: the signs of a task, of a sandbox, of the writer, of a rotation."""

    # a task: its title and its row on the board
    PLANNED = "planned"
    RUNNING = "running"
    READY_TO_AUDIT = "ready-to-audit"
    BLOCKED = "blocked"
    NEEDS_DECISION = "needs-decision"
    ACCEPTED = "accepted"
    DONE = "done"
    NO_TITLE = "no-title"
    NO_FILE = "no-file"
    ON_BOARD = "on-board"
    CLAIMED = "claimed"
    # a task: what speaks for life
    AGENT_ALIVE = "agent-alive"
    HEARTBEAT_RECENT = "heartbeat-recent"
    WRITE_RECENT = "write-recent"
    QUESTION_OPEN = "question-open"
    # a task: what is left of it
    UPPER_KEPT = "upper-kept"
    WORKER_UNKNOWN = "worker-unknown"
    SCOPE_DIRTY = "scope-dirty"
    SCOPE_UNKNOWN = "scope-unknown"
    NO_HEARTBEAT = "no-heartbeat"
    HEARTBEAT_WAITS = "heartbeat-waits"
    FILE_DIRTY = "file-dirty"
    COMMITTED = "committed"
    VERIFIED = "verified"
    # a sandbox
    ROOT_GONE = "root-gone"
    PROCESS_ALIVE = "process-alive"
    PROCESS_DEAD = "process-dead"
    EXITED = "exited"
    UPPER_HOLDS = "upper-holds"
    UPPER_UNKNOWN = "upper-unknown"
    # the writer and a rotation
    LINE_VACANT = "line-vacant"
    LINE_MINE = "line-mine"
    SELF_UNKNOWN = "self-unknown"
    NAMES_NOBODY = "names-nobody"
    NAMES_ME = "names-me"
    COMPLETED = "completed"
    PREDECESSOR_GONE = "predecessor-gone"


class Destination(StrEnum):
    """How far a saga's thread is meant to go."""

    PLAN_ONLY = "plan-only"
    PR = "pr"
    MERGE = "merge"
    NONPROD_DEPLOY = "nonprod-deploy"


class StageStatus(StrEnum):
    """How far a stage of a superscientist workflow has come, as its state file says it."""

    PENDING = "pending"
    READY = "ready"
    PREPARING = "preparing"
    RUNNING = "running"
    POST_PROCESSING = "post_processing"
    COMPLETED = "completed"
    FAILED = "failed"
    INVALIDATED = "invalidated"
    SKIPPED = "skipped"


class MarkerAge(StrEnum):
    """When a marker file was written, compared with the launch it should belong to."""

    ABSENT = "absent"
    STALE = "stale"
    NEAR = "near"
    FRESH = "fresh"
    UNDATABLE = "undatable"


class TmuxSight(StrEnum):
    """What tmux says of a session."""

    ALIVE = "alive"
    GONE = "gone"
    UNASKED = "could not be asked"


class ExitSight(StrEnum):
    """What an exit code file holds."""

    NOTHING = "no number"
    ZERO = "zero"
    NOT_ZERO = "not zero"


class DependencySight(StrEnum):
    """How the stages stand that a stage depends on. `ABSENT`: one of them is not in the file, and none failed."""

    COMPLETED = "completed"
    WAITING = "waiting"
    FAILED = "failed"
    ABSENT = "absent"


class OutputSight(StrEnum):
    """Whether the outputs that a stage names are there."""

    THERE = "there"
    MISSING = "missing"
