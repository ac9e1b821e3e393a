"""Pins every bound literally, so that none is loosened in passing, and holds LIMITS.md against the table."""

import subprocess
import sys
from pathlib import Path

from resume_forensics.limits import LIMITS, Limits

ROOT = Path(__file__).resolve().parent.parent

PINNED = {
    "block_bytes": 262_144,
    "segment_bytes": 1_073_741_824,
    "segments": 8,
    "segment_seek_bytes": 1_048_576,
    "segment_answer_bytes": 8_388_608,
    "line_bytes": 4_194_304,
    "string_bytes": 4_194_304,
    "elided_line_bytes": 12_582_912,
    "elided_string_bytes": 4_096,
    "elided_structure_bytes": 4_194_304,
    "elided_total_bytes": 16_777_216,
    "nesting": 200,
    "resync_starts": 256,
    "unparsable_listed": 20,
    "lookback_bytes": 16_777_216,
    "tail_records": 400,
    "tail_bytes": 67_108_864,
    "probe_lines": 40,
    "probe_bytes": 1_048_576,
    "window_block_bytes": 65_536,
    "edge_bytes": 16_384,
    "document_bytes": 8_388_608,
    "journal_records": 20_000,
    "directory_entries": 200_000,
    "session_ids": 1_000,
    "other_sessions": 50,
    "discovered_files": 2_000,
    "discovered_days": 7,
    "discovered_sessions": 5,
    "link_bytes": 4_096,
    "later_sessions": 20,
    "open_calls": 10_000,
    "running_calls": 10,
    "digest_records": 400,
    "digest_bytes": 8_388_608,
    "output_tail_bytes": 16_384,
    "digest_chars": 1_200,
    "digest_files": 20,
    "digest_tools": 40,
    "prompt_chars": 4_000,
    "command_chars": 400,
    "summary_chars": 300,
    "skeleton_chars": 800,
    "skeleton_target_chars": 120,
    "skeleton_targets": 2,
    "skeleton_groups": 500,
    "skeleton_head_bytes": 1_048_576,
    "skeleton_tail_bytes": 3_145_728,
    "evidence_chars": 300,
    "path_chars": 200,
    "listed_text": 50,
    "listed_rows": 20,
    "text_columns": 100,
    "mask_reach_chars": 2_048,
    "mask_lookback_chars": 256,
    "mask_chunk_chars": 1_048_576,
    "mask_held_chars": 4_194_304,
    "mask_fast_chars": 300_000,
    "mask_rules": 500,
    "mask_rules_bytes": 1_048_576,
    "cut_margin_chars": 512,
    "live_window_s": 90,
    "recent_s": 300,
    "clock_slack_s": 5,
    "registry_slack_s": 120,
    "sample_bytes": 1_024,
    "samples": 16,
    "cache_payload_bytes": 4_194_304,
    "cache_files": 200_000,
    "cache_bytes": 536_870_912,
    "cache_days": 180,
    "cache_batch": 1_000,
    "cache_wait_s": 5,
    "cluster_batch": 200,
    "cluster_batch_bytes": 67_108_864,
    "cluster_wait_s": 30,
    "sweep_batch_bytes": 8_388_608,
    "sweep_batch_units": 64,
    "sweep_pool_bytes": 33_554_432,
    "cluster_lost_s": 120,
    "git_s": 5,
    "git_bytes": 1_048_576,
    "tree_files": 200,
    "database_bytes": 268_435_456,
    "database_copies": 3,
    "database_steps": 200_000_000,
    "database_rows": 10_000,
    "database_cell_bytes": 8_388_608,
    "database_wait_s": 5,
    "org_runs": 200,
    "org_events": 5,
    "org_names": 200,
    "org_commits": 5,
    "database_answer_bytes": 67_108_864,
    "log_tail_bytes": 65_536,
    "log_lines": 50,
    "workflow_commits": 10,
    "error_chars": 1_000,
    "exit_code_bytes": 4_096,
    "workflow_stages": 200,
    "stage_files": 50,
    "near_launch_s": 600,
    "copied_files": 3,
    "copied_tree_s": 2,
    "applied_s": 120,
    "retries_local": 3,
    "retries_remote": 5,
    "claim_paths": 10_000,
    "claim_rounds": 12,
    "claim_inquiries": 20_000,
    "saga_threads": 100,
    "saga_ticks": 150,
    "contract_items": 200,
    "tick_bytes": 1_048_576,
    "tmux_s": 5,
    "processes": 50_000,
    "lock_bytes": 65_536,
    "task_file_bytes": 1_048_576,
    "team_tasks": 500,
    "team_sandboxes": 200,
    "claim_commits": 1_000,
    "scope_paths": 1_000,
    "scope_writes": 20,
    "team_questions": 500,
    "scope_commits": 50,
    "context_commits": 15,
    "record_entries": 10,
    "searched_chars": 4_000,
    "quoted_chars": 1_000,
    "evidence_listed": 20,
    "losses_listed": 200,
    "report_lines": 19,
    "report_line_chars": 200,
}


def test_every_bound_has_its_pinned_value() -> None:
    assert {row.name: row.value for row in LIMITS.rows()} == PINNED


def test_every_row_says_what_it_guards_and_what_happens() -> None:
    assert [row.name for row in LIMITS.rows() if not (row.value > 0 and row.unit and row.guards and row.at_limit)] == []


def test_small_bounds_can_be_made_for_tests() -> None:
    small = Limits(block_bytes=16)
    assert small.block_bytes == 16
    assert small.line_bytes == PINNED["line_bytes"]


def test_the_name_of_a_bound_carries_its_unit() -> None:
    suffixes = {"bytes": "_bytes", "characters": "_chars", "seconds": "_s"}
    assert [row.name for row in LIMITS.rows() if not row.name.endswith(suffixes.get(row.unit, ""))] == []


def test_the_table_of_the_document_is_the_table_of_the_source() -> None:
    command = [sys.executable, str(ROOT / "scripts/write_documents.py"), "--check", "bounds"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")
    written = (ROOT / "LIMITS.md").read_text("utf-8")
    assert [row.name for row in LIMITS.rows() if f"| `{row.name}` | {row.value:,} | {row.unit} | {row.guards} |" not in written] == []
