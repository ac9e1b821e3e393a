"""Every number that bounds something: what it is, in which unit, what it guards, and what happens at it.

Nothing comes in; `LIMITS` goes out. A bound that stands anywhere else in the package is a defect.
"""

from dataclasses import dataclass, field, fields

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One row of the table, as LIMITS.md prints it."""

    name: str
    value: int
    unit: str
    guards: str
    at_limit: str


def _bound(value: int, unit: str, guards: str, at_limit: str) -> int:
    """Declare one row; the answer is a dataclass field, typed as the number it holds."""
    row: int = field(default=value, metadata={"unit": unit, "guards": guards, "at_limit": at_limit})
    return row


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The table. `LIMITS` is its only instance; tests that want small bounds make their own."""

    # reading
    block_bytes: int = _bound(MIB // 4, "bytes", "one read from a transcript", "the next block is read")
    segment_bytes: int = _bound(128 * MIB, "bytes", "a file's share of each process that reads it", "smaller files are read by fewer")
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
    clock_slack_s: int = _bound(5, "seconds", "writes that count as simultaneous", "a larger gap counts as later")
    # the machine
    git_s: int = _bound(5, "seconds", "one read-only git command", "the tree says it was not answered")
    git_bytes: int = _bound(MIB, "bytes", "the answer of one git command", "cut, and said")
    tree_files: int = _bound(200, "paths", "dirty files named", "the rest are counted")
    processes: int = _bound(50_000, "processes", "processes asked for open files", "the rest are not asked, and it is said")

    def rows(self) -> tuple[Limit, ...]:
        """Every bound as a row, in table order."""
        return tuple(
            Limit(
                name=f.name,
                value=getattr(self, f.name),
                unit=f.metadata["unit"],
                guards=f.metadata["guards"],
                at_limit=f.metadata["at_limit"],
            )
            for f in fields(self)
        )


LIMITS = Limits()
