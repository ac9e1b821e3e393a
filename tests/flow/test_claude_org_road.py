"""The whole road of a claude-org, on a real database and real work trees: nothing changes without leave, and one transaction with it."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import resume_forensics
from claims.orgs import NOW, SUSPENDED, write_database
from resume_forensics.flow import reconcile as flow
from resume_forensics.model.claim import Reconciliation
from resume_forensics.read import writes
from resume_forensics.read.database import read_rows
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Proposal, Refusal, Verdict

AT = "2026-01-02T09:00:00.045Z"
AS_BEFORE = [("SUSPENDED", None, "2026-01-01T18:00:00.000Z")]


def git(place: Path, *words: str) -> str:
    """Run git, with an author."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    return subprocess.run(["git", "-C", str(place), *who, *words], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A worker's directory: a work tree with one commit on a branch."""
    place = tmp_path / "w/oauth"
    place.mkdir(parents=True)
    git(place, "init", "-q", "-b", "feat/oauth")
    (place / "a.txt").write_text("a\n")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "work")
    return place


@pytest.fixture(params=[False, True], ids=["rollback", "wal"])
def root(request: pytest.FixtureRequest, tmp_path: Path, work: Path) -> Path:
    """A suspended org with one run at that directory."""
    place = tmp_path / "org"
    commit = git(work, "rev-parse", "--short", "HEAD")
    directory = f"INSERT INTO worker_dirs(id, abs_path) VALUES (1, '{work}');"  # noqa: S608 (of our own)
    run = f"INSERT INTO runs(task_id, branch, commit_short, worker_dir_id) VALUES ('oauth', 'feat/oauth', '{commit}', 1);"  # noqa: S608
    write_database(place / ".state/state.db", SUSPENDED, directory, run, wal=request.param)
    return place


def reconcile(root: Path, **options: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any option of the face)
    """The whole road, with no transcripts."""
    return resume_forensics.reconcile(root, now=NOW, projects_dir=root / "nowhere", **options)


def photograph(*folders: Path) -> dict[Path, tuple[int, int, bytes]]:
    """Everything below some folders, with mode, time and content."""
    found = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    return {path: (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in found}


def sessions(root: Path) -> list[tuple[object, ...]]:
    """What the session's row says now."""
    (rows,) = read_rows(root / ".state/state.db", ["SELECT status, resumed_at, updated_at FROM org_sessions"]).rows
    return [tuple(row.values()) for row in rows or ()]


def events(root: Path) -> list[tuple[object, ...]]:
    """What was journalled."""
    (rows,) = read_rows(root / ".state/state.db", ["SELECT occurred_at, actor, kind, payload_json FROM events"]).rows
    return [tuple(row.values()) for row in rows or ()]


def verdict(found: Reconciliation[Masked], claim: str = "run:oauth") -> Verdict:
    """What became of a claim."""
    return next(one.verdict for one in found.claims if one.id == claim)


def test_nothing_changes_without_leave(root: Path, work: Path) -> None:
    (work / "a.txt").write_text("b\n")
    before = photograph(root, work)
    found = reconcile(root)
    assert photograph(root, work) == before
    assert (verdict(found), found.applied) == (Verdict.WORK_UNCOMMITTED, None)
    assert found.claims[1].proposal.destroys == (f"{work}/a.txt",)
    assert found.next_action.then is not None
    assert found.next_action.then.name is Proposal.RESUME_ORG


def test_with_leave_the_session_is_active_and_one_event_is_journalled(root: Path) -> None:
    found = reconcile(root, apply=True)
    assert found.applied is not None
    assert (found.applied.done, found.applied.refusals, found.applied.written) == (True, (), (".state/state.db",))
    assert sessions(root) == [("ACTIVE", AT, AT)]
    assert events(root) == [(AT, "resume-scan", "resume", '{"resumed_items": ["oauth"]}')]


def test_a_second_time_it_is_refused(root: Path) -> None:
    reconcile(root, apply=True)
    before = photograph(root)
    found = reconcile(root, apply=True)
    assert found.applied is not None
    assert (found.applied.done, found.applied.refusals) == (False, (Refusal.NOT_SUSPENDED,))
    assert photograph(root) == before


def test_a_contradiction_forbids_the_write_until_a_person_accepts_it(root: Path, work: Path) -> None:
    git(work, "checkout", "-q", "-b", "hotfix")
    found = reconcile(root, apply=True)
    assert found.applied is not None
    assert (verdict(found), found.applied.refusals) == (Verdict.BRANCH_DIFFERS, (Refusal.EVIDENCE_CONFLICTS,))
    assert sessions(root) == AS_BEFORE
    accepted = reconcile(root, apply=True, accept=["branch-vs-db:run:oauth"])
    assert accepted.applied is not None
    assert accepted.applied.done
    assert sessions(root) == [("ACTIVE", AT, AT)]


def test_a_session_that_changed_since_it_was_read_is_left_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    carry_out = writes.carry_out

    def carry_out_late(*args: Any, **named: Any) -> Refusal | None:  # noqa: ANN401 (the same as the real one)
        with closing(sqlite3.connect(root / ".state/state.db", isolation_level=None)) as other:
            other.execute("UPDATE org_sessions SET updated_at = 'later'")
        return carry_out(*args, **named)

    monkeypatch.setattr(flow, "carry_out", carry_out_late)
    found = reconcile(root, apply=True)
    assert found.applied is not None
    assert (found.applied.done, found.applied.refusals) == (False, (Refusal.CHANGED_SINCE_READ,))
    assert (sessions(root), events(root)) == ([("SUSPENDED", None, "later")], [])


def test_what_stands_in_the_log_alone_is_read(root: Path) -> None:
    with closing(sqlite3.connect(root / ".state/state.db", isolation_level=None)) as other:
        other.execute("UPDATE org_sessions SET objective = 'newest'")
        found = reconcile(root)
    assert [fact.value for fact in found.context.facts if fact.name == "objective"] == ["newest"]


def test_the_markdown_is_not_read_where_the_database_is_missing(root: Path) -> None:
    for path in (root / ".state").iterdir():
        path.unlink()
    (root / ".state/org-state.md").write_text("# Org State\n\nStatus: SUSPENDED\n")
    found = reconcile(root, apply=True)
    assert [(claim.id, claim.verdict, claim.proposal.command) for claim in found.claims] == [
        ("state-file", Verdict.DB_MISSING, "python -m tools.state_db.importer --db .state/state.db --root . --rebuild")
    ]
    assert found.applied is not None
    assert found.applied.refusals == (Refusal.STATE_UNREADABLE,)
    assert [path.name for path in (root / ".state").iterdir()] == ["org-state.md"]
