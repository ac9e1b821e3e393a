"""Every number that bounds something: what it is, in which unit, what it guards, and what happens at it.

Nothing comes in; `LIMITS` goes out. A bound that stands anywhere else in the package is a defect.
"""

from typing import Final

from msgspec import Struct

MIB = 1024 * 1024


class Limit(Struct, frozen=True, kw_only=True):
    """One row of the table, as LIMITS.md prints it."""

    name: str
    value: int
    unit: str
    guards: str
    at_limit: str


_NOTES: Final[list[tuple[str, str, str]]] = []
"""Unit, what is guarded, and what happens at the limit: of each field of the table, in their order."""


def _bound(value: int, unit: str, guards: str, at_limit: str) -> int:
    """Declare one row; the answer is the number that is the field's default."""
    _NOTES.append((unit, guards, at_limit))
    return value


class Limits(Struct, frozen=True, kw_only=True):
    """The table. `LIMITS` is its only instance; tests that want small bounds make their own."""

    # reading
    block_bytes: int = _bound(MIB // 4, "bytes", "one read from a transcript", "the next block is read")
    window_block_bytes: int = _bound(64 * 1024, "bytes", "one read where a few lines are wanted", "the next block is read")
    edge_bytes: int = _bound(
        16 * 1024, "bytes", "what is read at once of either end of a transcript", "more is read if that says too little"
    )
    segment_bytes: int = _bound(1024 * MIB, "bytes", "a file's share of each process that reads it", "smaller files are read by fewer")
    segments: int = _bound(8, "processes", "the reading of one file", "no more are started")
    segment_seek_bytes: int = _bound(MIB, "bytes", "how far the end of a line is looked for where a file is shared out", "fewer shares")
    segment_answer_bytes: int = _bound(8 * MIB, "bytes", "the places that a process hands back", "the rest of its share is read here")
    line_bytes: int = _bound(4 * MIB, "bytes", "a line that is decoded whole", "its long strings are cut while reading, and said")
    string_bytes: int = _bound(4 * MIB, "bytes", "one string of a longer line", "cut; the field says cut_while_reading")
    elided_line_bytes: int = _bound(12 * MIB, "bytes", "all that is kept of a longer line", "further strings keep elided_string_bytes each")
    elided_string_bytes: int = _bound(4096, "bytes", "a string once elided_line_bytes are kept", "cut; the field says cut_while_reading")
    elided_structure_bytes: int = _bound(4 * MIB, "bytes", "what stands outside strings in a longer line", "the line counts as unparsable")
    elided_total_bytes: int = _bound(16 * MIB, "bytes", "a longer line with its strings cut", "the line counts as unparsable")
    nesting: int = _bound(200, "levels", "the depth of one record", "the line counts as unparsable")
    resync_starts: int = _bound(256, "starts", "whole records looked for in a damaged line", "the rest of the line is not searched")
    unparsable_listed: int = _bound(20, "lines", "bad lines listed by place", "the rest are counted")
    lookback_bytes: int = _bound(16 * MIB, "bytes", "how far before a receipt its call is looked for first", "then the file is searched")
    tail_records: int = _bound(400, "records", "the tail in which a stop cause is looked for", "older records decide nothing")
    tail_bytes: int = _bound(64 * MIB, "bytes", "the backward read for that tail", "the tail ends there, and it is said")
    probe_lines: int = _bound(40, "lines", "the head of a file asked for its directory", "the directory is taken as unknown")
    probe_bytes: int = _bound(MIB, "bytes", "the same head", "the directory is taken as unknown")
    document_bytes: int = _bound(8 * MIB, "bytes", "a sidecar, journal line or registry entry", "it is passed over, and said")
    journal_records: int = _bound(20_000, "records", "a workflow's journal", "later steps are not listed, and it is said")
    directory_entries: int = _bound(200_000, "entries", "one directory listing", "later entries are not seen, and it is said")
    session_ids: int = _bound(1_000, "ids", "distinct session ids counted in one file", "further ids are not counted")
    other_sessions: int = _bound(50, "files", "other sessions of the directory that are looked at and named", "older ones are not named")
    discovered_files: int = _bound(
        2_000, "files", "session files looked at for a repository", "those written longest ago are not, and it is said"
    )
    discovered_days: int = _bound(7, "days", "how far back a repository's sessions are looked for", "older ones are not listed; --days N")
    discovered_sessions: int = _bound(5, "sessions", "sessions of a repository that are listed", "the rest are counted; --cap N")
    link_bytes: int = _bound(4096, "bytes", "the `.git` file of a linked work tree", "the rest is not read")
    later_sessions: int = _bound(20, "files", "later sessions searched for the end of a worker", "older ones first; the rest are not read")
    open_calls: int = _bound(10_000, "calls", "tool calls waiting for their result", "the oldest are forgotten")
    running_calls: int = _bound(10, "calls", "calls without a result that are named", "older ones are left out")
    # answering
    digest_records: int = _bound(400, "records", "the tail of a worker's own copy", "truncated_window is set")
    digest_bytes: int = _bound(8 * MIB, "bytes", "the same tail", "truncated_window is set")
    output_tail_bytes: int = _bound(16 * 1024, "bytes", "the end of a shell's output", "truncated_window is set")
    digest_chars: int = _bound(1_200, "characters", "a worker's last words", "older words are left out")
    digest_files: int = _bound(20, "paths", "the files a worker touched", "the rest are left out")
    digest_tools: int = _bound(40, "names", "the tools a worker used", "the rarest are left out")
    prompt_chars: int = _bound(4_000, "characters", "a prompt in text output", "TRUNCATED, and --json is named")
    command_chars: int = _bound(400, "characters", "a command in text output", "cut with an ellipsis")
    summary_chars: int = _bound(300, "characters", "a summary in text output", "cut with an ellipsis")
    skeleton_chars: int = _bound(800, "characters", "one text of a skeleton", "cut, and said")
    skeleton_target_chars: int = _bound(120, "characters", "what a tool call of a skeleton was about", "cut with an ellipsis")
    skeleton_targets: int = _bound(2, "targets", "what calls of a tool that follow each other were about", "the rest are counted")
    skeleton_groups: int = _bound(500, "rows", "tool calls held back for their results", "the oldest are written as they stand")
    skeleton_head_bytes: int = _bound(MIB, "bytes", "the beginning of a skeleton", "the middle is left out, and counted there")
    skeleton_tail_bytes: int = _bound(3 * MIB, "bytes", "the end of a skeleton", "the middle is left out, and counted there")
    evidence_chars: int = _bound(300, "characters", "the evidence of a stop cause", "cut with an ellipsis")
    path_chars: int = _bound(200, "characters", "a path in text output", "cut with an ellipsis")
    listed_text: int = _bound(50, "workers", "workers of one state in text output", "the rest are counted, and --json is named")
    listed_rows: int = _bound(20, "rows", "any other list in text output", "the rest are counted, and --json is named")
    text_columns: int = _bound(100, "columns", "a line of our own words in text output", "wrapped; quoted text, paths and commands are not")
    mask_reach_chars: int = _bound(2048, "characters", "how far a masking pattern looks on", "an accepted secret runs on from there")
    mask_lookback_chars: int = _bound(256, "characters", "how far a masking pattern looks back", "what stands before is not seen")
    mask_chunk_chars: int = _bound(MIB, "characters", "one step of the mask filter", "the next step is read")
    mask_held_chars: int = _bound(4 * MIB, "characters", "a secret that the mask filter holds back whole", "masked as several")
    mask_fast_chars: int = _bound(300_000, "characters", "text masked with the quick-to-build automaton", "the fast one is built")
    mask_rules: int = _bound(500, "rules", "a user's own masking rules", "the file is refused")
    mask_rules_bytes: int = _bound(MIB, "bytes", "a file of a user's own masking rules", "the file is refused")
    cut_margin_chars: int = _bound(512, "characters", "what is dropped beside a cut made while reading", "dropped, so no half secret shows")
    live_window_s: int = _bound(90, "seconds", "a write that counts as recent", "older writes prove no life")
    recent_s: int = _bound(300, "seconds", "a heartbeat or a write of a claimed task that counts as a sign of life", "an older one is none")
    clock_slack_s: int = _bound(5, "seconds", "writes that count as simultaneous", "a larger gap counts as later")
    registry_slack_s: int = _bound(120, "seconds", "from a process's start to its registry entry without mark", "another got its id")
    # the cache of counts
    sample_bytes: int = _bound(1024, "bytes", "one sample of a file that may have grown", "the next sample lies further on")
    samples: int = _bound(16, "samples", "what is compared of a file that has grown", "a change between them shows with --verify alone")
    cache_payload_bytes: int = _bound(4 * MIB, "bytes", "what the cache keeps of one file", "the file is counted anew each time")
    cache_files: int = _bound(200_000, "files", "the files that the cache knows", "those not asked for longest are forgotten")
    cache_bytes: int = _bound(512 * MIB, "bytes", "the cache on disk", "shrunk to half, what was not asked for longest first")
    cache_days: int = _bound(180, "days", "how long a file that nobody asks for is known", "it is forgotten")
    cache_batch: int = _bound(1_000, "files", "what is written to the cache at once", "the next batch begins")
    cache_wait_s: int = _bound(5, "seconds", "waiting for another sweep that writes to the cache", "it is written with the next batch")
    # a cluster
    cluster_batch: int = _bound(200, "sessions", "what a worker of a cluster is given at once", "the next batch begins")
    cluster_batch_bytes: int = _bound(64 * MIB, "bytes", "the same, by size", "the next batch begins; a larger session is one alone")
    cluster_wait_s: int = _bound(30, "seconds", "waiting for a scheduler and its first worker", "the sweep is refused, and it is said")
    # sweeping
    sweep_batch_bytes: int = _bound(8 * MIB, "bytes", "transcripts that a process is given at once", "the next ones are another batch")
    sweep_batch_units: int = _bound(64, "sessions", "the same batch", "the next ones are another batch")
    sweep_pool_bytes: int = _bound(32 * MIB, "bytes", "a sweep for which no processes are started", "a larger one uses a pool")
    cluster_lost_s: int = _bound(120, "seconds", "waiting for a cluster whose workers are all gone", "the sweep ends, and it is said")
    # the machine
    git_s: int = _bound(5, "seconds", "one read-only git command", "the tree says it was not answered")
    git_bytes: int = _bound(MIB, "bytes", "the answer of one git command", "cut, and said")
    tree_files: int = _bound(200, "paths", "dirty files named", "the rest are counted")
    database_bytes: int = _bound(256 * MIB, "bytes", "a database and its logs, copied to be read", "it is not read, and that is said")
    database_copies: int = _bound(3, "copies", "tries to copy a database that is being written", "it is not read, and that is said")
    database_steps: int = _bound(200_000_000, "steps", "the work of SQLite on one database", "it is not read, and that is said")
    database_rows: int = _bound(10_000, "rows", "the answer of one select", "later rows are not seen, and that is said")
    database_cell_bytes: int = _bound(8 * MIB, "bytes", "one value of a database", "it is not read, and that is said")
    database_wait_s: int = _bound(5, "seconds", "another writer of a database", "nothing is written: changed-since-read")
    org_runs: int = _bound(200, "runs", "open runs of a claude-org held against the machine", "the others count as unknown, and it is said")
    org_events: int = _bound(5, "events", "events shown to whoever resumes", "older ones are not shown")
    org_names: int = _bound(200, "names", "notes and unsorted files named to whoever resumes", "the rest are counted")
    org_commits: int = _bound(5, "commits", "commits of a worker's directory that are shown", "older ones are not shown")
    database_answer_bytes: int = _bound(64 * MIB, "bytes", "all values read from one database", "it is not read, and that is said")
    log_tail_bytes: int = _bound(64 * 1024, "bytes", "the end of a log that is read", "older lines are not seen")
    log_lines: int = _bound(50, "lines", "the last lines of a log that whoever resumes reads", "older lines are not shown")
    workflow_commits: int = _bound(10, "commits", "the last commits that whoever resumes a workflow reads", "older ones are not shown")
    error_chars: int = _bound(1_000, "characters", "the last line of an error log", "cut; the end of what is kept is dropped")
    exit_code_bytes: int = _bound(4_096, "bytes", "a file that should hold one number", "it holds no number")
    workflow_stages: int = _bound(200, "stages", "the stages of one workflow", "it is taken for damaged")
    stage_files: int = _bound(50, "files", "the outputs, and the inputs, that one stage names", "later ones are not looked at")
    near_launch_s: int = _bound(600, "seconds", "how far before a launch its marker may be dated", "an older marker is of another attempt")
    copied_files: int = _bound(3, "files", "how many files of one time make a copied tree", "fewer prove nothing")
    copied_tree_s: int = _bound(2, "seconds", "how far apart the times of a copied tree may lie", "farther apart they count as real")
    applied_s: int = _bound(120, "seconds", "how soon a second --apply counts as the same", "later it begins another session")
    retries_local: int = _bound(3, "tries", "the retries of a stage that ran here", "a person is asked")
    retries_remote: int = _bound(5, "tries", "the retries of a stage that ran elsewhere", "a person is asked")
    claim_paths: int = _bound(10_000, "paths", "uncommitted or unpromoted files of one claim", "later paths are not seen, and it is said")
    claim_rounds: int = _bound(12, "rounds", "how often one answer may lead to new questions", "the rest is not asked, and it is said")
    claim_inquiries: int = _bound(20_000, "questions", "all that is asked for one reconciliation", "the rest is not asked, and it is said")
    saga_threads: int = _bound(
        100, "threads", "threads of a saga folder that are read", "the first by name are read, any other by --saga-id, and it is said"
    )
    saga_ticks: int = _bound(150, "ticks", "ticks of one thread that are read", "older ones are not read, and it is said")
    contract_items: int = _bound(
        200, "items", "obligations of a contract, and evidence of one receipt", "the contract counts as unreadable"
    )
    tick_bytes: int = _bound(MIB, "bytes", "one tick of a saga", "it counts as torn")
    tmux_s: int = _bound(5, "seconds", "one question to tmux", "its sessions count as not asked")
    lock_bytes: int = _bound(64 * 1024, "bytes", "a lock file or pointer of a devteam", "only its end is read")
    task_file_bytes: int = _bound(MIB, "bytes", "a task file of a devteam", "its title is not seen, and that is said")
    team_tasks: int = _bound(500, "tasks", "the tasks of a devteam", "those of higher numbers are not looked at, and that is said")
    team_sandboxes: int = _bound(200, "sandboxes", "the sandboxes of a devteam", "the rest are not looked at, and that is said")
    claim_commits: int = _bound(1_000, "commits", "the history searched for a claim", "the claim counts as not found")
    scope_paths: int = _bound(1_000, "paths", "paths of one scope held against git", "the rest are not, and it is said")
    scope_writes: int = _bound(20, "paths", "paths of one scope asked for their newest write", "the rest are not asked")
    team_questions: int = _bound(500, "questions", "the open questions of a devteam", "later ones are not listed, and that is said")
    scope_commits: int = _bound(50, "commits", "commits that touched a scope", "older ones are not named")
    context_commits: int = _bound(15, "commits", "commits shown to whoever resumes", "older ones are not shown")
    record_entries: int = _bound(10, "entries", "entries of a record shown to whoever resumes", "older ones are not shown")
    searched_chars: int = _bound(4_000, "characters", "a line of a devteam's file that is searched", "what stands behind is not seen")
    quoted_chars: int = _bound(1_000, "characters", "one quoted entry or sentence of a state file", "cut")
    evidence_listed: int = _bound(20, "items", "evidence of one kind under one claim", "the rest are counted")
    losses_listed: int = _bound(200, "paths", "what following a proposal would destroy", "the rest are counted")
    report_lines: int = _bound(19, "lines", "the report of a gate", "what does not fit is counted as more")
    report_line_chars: int = _bound(200, "characters", "one line of that report", "what does not fit is counted as more")
    processes: int = _bound(50_000, "processes", "processes asked for open files", "the rest are not asked, and it is said")

    def rows(self) -> tuple[Limit, ...]:
        """Every bound as a row, in table order."""
        return tuple(
            Limit(name=name, value=getattr(self, name), unit=unit, guards=guards, at_limit=at_limit)
            for name, (unit, guards, at_limit) in zip(self.__struct_fields__, _NOTES, strict=True)
        )


LIMITS = Limits()
WINDOW = Limits(block_bytes=LIMITS.window_block_bytes)
"""For reading a few lines somewhere in a file: a larger block would cost more than the lines."""
