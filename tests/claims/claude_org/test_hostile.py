"""Whatever stands in the database or in a worker file, there is an answer: never an exception, a hang or an unmasked secret."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import resume_forensics
from claims.orgs import CIRCUMSTANCES, NOW, SUSPENDED, Row, answer, write_database
from resume_forensics.claims.claude_org import SYSTEM, spell, translate
from resume_forensics.claims.claude_org.questions import list_inquiries, read_tables
from resume_forensics.deduce.reconcile.claude_org import judge
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.claim import Reconciliation
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answer, Inquiry, TextFact
from resume_forensics.render.claim_document import write_claim_document
from resume_forensics.text import Masked
from resume_forensics.vocabulary import OrgStatus, Proposal, RunStatus, Verdict

RUN = "INSERT INTO runs(task_id, worker_dir_id) VALUES ('oauth', NULL);"
SECRET = "ghp_" + "Zk3" * 12

CELLS = st.none() | st.integers() | st.floats() | st.text(max_size=40) | st.sampled_from(["2026-01-02T03:04:678901Z", "a" * 41])
RUN_WORDS = st.sampled_from(RunStatus) | CELLS
COLUMNS = (
    *("task_id", "title", "directory", "directory_branch", "branch", "commit_short", "pr_url", "pr_state", "outcome_note"),
    *("dispatched_at", "completed_at", "objective", "resume_instructions", "started_at", "updated_at", "suspended_at", "resumed_at"),
    *("occurred_at", "actor", "kind", "payload_json"),
)
ROWS = st.dictionaries(st.sampled_from(COLUMNS), CELLS, max_size=12)


def with_status(words: st.SearchStrategy[object]) -> st.SearchStrategy[list[Row]]:
    """Rows with one of the words as their status, or without any."""
    rows = st.builds(lambda row, status: row | {"status": status}, ROWS, words) | ROWS
    return st.lists(rows, max_size=4)


def reconcile(root: Path, *, apply: bool = False) -> Reconciliation[Masked]:
    """The whole road, with no transcripts."""
    return resume_forensics.reconcile(root, system="claude-org", now=NOW, projects_dir=root / "nowhere", apply=apply)


@given(with_status(st.sampled_from(OrgStatus) | CELLS), with_status(RUN_WORDS), st.lists(ROWS, max_size=3), st.text(max_size=60))
def test_rows_of_any_kind_are_answered(sessions: list[Row], runs: list[Row], events: list[Row], file: str) -> None:
    said = TextFact(file=FileFact(path=None), text=file)
    held = answer(sessions=sessions, runs=runs, events=events, suspensions=events)
    others: dict[Inquiry, Answer] = {one.worker_file: said for one in list_inquiries(read_tables(held)).values() if one.worker_file}
    answers = answer(sessions=sessions, runs=runs, events=events, suspensions=events, others=others)
    list(SYSTEM.inquire(answers, CIRCUMSTANCES))
    found = seal(judge(translate(answers, CIRCUMSTANCES), answers, CIRCUMSTANCES), Masker())
    assert len(found.claims) == 1 + len(runs)
    assert bool(found.writes_planned) == bool(spell(answers, CIRCUMSTANCES, found.writes_planned))
    assert write_claim_document(found).isascii()


def test_a_database_cut_anywhere_is_answered(tmp_path: Path) -> None:
    path = write_database(tmp_path / ".state/state.db", SUSPENDED, RUN)
    whole = path.read_bytes()
    verdicts = set()
    for size in range(0, len(whole), 1021):
        path.write_bytes(whole[:size])
        found = reconcile(tmp_path)
        verdicts |= {claim.verdict for claim in found.claims}
        assert found.next_action.name is Proposal.STOP_AND_REPORT
    assert verdicts <= {Verdict.DB_CORRUPT, Verdict.SCHEMA_UNKNOWN}


def test_a_database_with_any_page_overwritten_is_answered(tmp_path: Path) -> None:
    path = write_database(tmp_path / ".state/state.db", SUSPENDED, RUN)
    whole = path.read_bytes()
    for start in range(0, len(whole), 4096):
        path.write_bytes(whole[:start] + b"\xff\x00" * 40 + whole[start + 80 :])
        assert reconcile(tmp_path).claims


BEYOND_ITS_BOUND = b"x" * 9_000_000 + b"\nStatus: completed\n"


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 9000, b"Status: \xff\xfe\n" * 100, b"status:" * 20_000, BEYOND_ITS_BOUND, b"\xed\xa0\x80status: a"],
    ids=["empty", "nul", "no-utf8", "one-line", "too-long", "surrogate"],
)
def test_a_worker_file_of_any_content_is_read(tmp_path: Path, content: bytes) -> None:
    write_database(tmp_path / ".state/state.db", SUSPENDED, RUN)
    (tmp_path / ".state/workers").mkdir()
    (tmp_path / ".state/workers/worker-oauth.md").write_bytes(content)
    assert {claim.verdict for claim in reconcile(tmp_path).claims} == {Verdict.SESSION_SUSPENDED, Verdict.DIR_MISSING}


def test_a_value_beyond_its_bound_is_said_and_read_no_further(tmp_path: Path) -> None:
    write_database(tmp_path / ".state/state.db", SUSPENDED, "UPDATE org_sessions SET objective = CAST(zeroblob(9000000) AS TEXT);")
    (claim,) = reconcile(tmp_path).claims
    assert (claim.verdict, claim.proposal.command) == (Verdict.SCHEMA_UNKNOWN, None)


def test_what_stands_at_the_place_of_the_database_is_never_opened_unless_it_is_a_file(tmp_path: Path) -> None:
    (tmp_path / ".state").mkdir()
    path, outside = tmp_path / ".state/state.db", write_database(tmp_path.parent / f"{tmp_path.name}-outside.db", SUSPENDED)
    puts: tuple[tuple[Callable[[], None], Verdict], ...] = (
        (lambda: os.mkfifo(path), Verdict.DB_CORRUPT),
        (path.mkdir, Verdict.DB_CORRUPT),
        (lambda: path.symlink_to(outside), Verdict.SCHEMA_UNKNOWN),
    )
    for put, verdict in puts:
        put()
        assert [claim.verdict for claim in reconcile(tmp_path).claims] == [verdict]
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink()


def test_secrets_are_masked(tmp_path: Path) -> None:
    insert = f"INSERT INTO runs(task_id, status, title, pr_url) VALUES ('{SECRET}', 'queued', 'a title', '{SECRET}');"  # noqa: S608 (of our own)
    objective = f"UPDATE org_sessions SET objective = 'use {SECRET}';"  # noqa: S608 (of our own)
    write_database(tmp_path / ".state/state.db", SUSPENDED, insert, objective)
    found = reconcile(tmp_path)
    assert SECRET not in write_claim_document(found)
    assert found.redacted_kinds == ("github-token",)
