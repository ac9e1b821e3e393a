"""The whole road of a devteam on a real disk, with a real git and real processes: nothing ever changes, and nothing stops it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import resume_forensics
from claims.teams import ME, NOW, board, task
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Claim, Reconciliation
from resume_forensics.render.claim_document import write_claim_document
from resume_forensics.render.claim_prose import write_claim_prose
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Proposal, Refusal, Verdict

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema/reconcile-1.json").read_text("utf-8"))
RUNNING = "RUNNING (since 2026-01-02 03:10, T1-x-0310)"
LONG_AGO = NOW.timestamp() - 20_000
KEY = "ghp_" + "Zk3" * 12


def lay_out(root: Path, files: dict[str, str]) -> Path:
    """Write files, all of them long before now."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        os.utime(path, (LONG_AGO, LONG_AGO))
    return root


def lay_out_team(root: Path, sandbox: str = "", **more: str) -> Path:
    """A team with one running task whose scope is committed; `sandbox` is the rest of its lock line."""
    files = {
        "devteam/BOARD.md": board({"T-1": "CLAIMED T1-x-0310"}),
        "devteam/QUESTIONS.md": "# Q\n",
        "devteam/RECORD.md": "# R\n",
        "devteam/tasks/T-1.md": task("T-1", RUNNING),
        "devteam/.run/locks/T-1.heartbeat": "waiting on S-1 (implementer, dispatched 03:12)\n",
        "src/T-1/code.py": "1\n",
        ".gitignore": "devteam/.run/\n",
    }
    locks = {"devteam/.run/locks/T-1.sandbox": f"T-1 S-1 sb-9 {sandbox}\n"} if sandbox else {}
    lay_out(root, files | locks | more)
    commit(root)
    return root


def commit(root: Path) -> None:
    """Make a repository of a folder, everything in it committed."""
    who = ("-c", "user.name=Mira", "-c", "user.email=mira@example.invalid", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "start")):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def reconcile(root: Path, **options: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any option of the face)
    """The whole road, with no transcripts, shown in both ways."""
    found = resume_forensics.reconcile(root, **{"now": NOW, "projects_dir": root / "nowhere", "session_id": ME, **options})
    jsonschema.validate(json.loads(write_claim_document(found)), SCHEMA)
    assert write_claim_prose(found)
    return found


def claims(found: Reconciliation[Masked]) -> dict[str, Claim[Masked]]:
    """The claims by id."""
    return {claim.id: claim for claim in found.claims}


def photograph(*roots: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below some folders, git's own files among it, with mode, time and content."""
    found = [path for root in roots for path in (root, *root.rglob("*"))]
    return {str(path): (path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in found}


@pytest.fixture
def worker() -> Iterator[tuple[int, str]]:
    """A process that lives as long as the test, with its start time."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        stat = Path(f"/proc/{process.pid}/stat")
        if not stat.exists():
            pytest.skip("there is no /proc on this machine")
        yield process.pid, stat.read_text("latin-1").rpartition(")")[2].split()[19]
        process.kill()


@pytest.mark.parametrize("apply", [False, True])
def test_nothing_changes_with_leave_or_without(tmp_path: Path, *, apply: bool) -> None:
    sandbox = lay_out(tmp_path / "sand box/sb-9", {"upper/src/lru.py": "x", "meta/exit.txt": "0"})
    root = lay_out_team(tmp_path / "root", f"pid - started x step-timeout - root {sandbox}")
    os.utime(root / "src/T-1/code.py", (LONG_AGO + 5, LONG_AGO + 5))  # git would note the new time in its index
    before = photograph(root, sandbox)
    found = reconcile(root, apply=apply)
    assert photograph(root, sandbox) == before
    assert (found.writes_planned, found.refusals) == ((), (Refusal.GATE_NO_WRITE,))
    assert found.applied is None if not apply else (found.applied and found.applied.refusals == (Refusal.GATE_NO_WRITE,))
    assert claims(found)["task:T-1"].verdict is Verdict.STALE_UNPROMOTED
    assert claims(found)["task:T-1"].proposal.destroys == (f"{sandbox}/upper/src/lru.py",)


def test_a_process_is_the_workers_only_with_its_start_time(tmp_path: Path, worker: tuple[int, str]) -> None:
    pid, start = worker
    sandbox = lay_out(tmp_path / "sb-9", {"meta/pid": f"{pid} {start}\n"})
    root = lay_out_team(tmp_path / "root", f"pid - started x step-timeout - root {sandbox}")
    alive = claims(reconcile(root))
    assert (alive["task:T-1"].proposal.name, alive["sandbox:sb-9"].verdict) == (Proposal.LEAVE_ALONE, Verdict.SANDBOX_ALIVE)
    (sandbox / "meta/pid").write_text(f"{pid} 1\n", "utf-8")
    recycled = claims(reconcile(root))
    assert recycled["sandbox:sb-9"].verdict in {Verdict.SANDBOX_DEAD, Verdict.SANDBOX_UNKNOWN}
    (sandbox / "meta/pid").write_text(f"{pid} 999999999999\n", "utf-8")
    assert claims(reconcile(root))["sandbox:sb-9"].verdict is Verdict.SANDBOX_DEAD


def test_a_link_in_the_upper_layer_is_work_too(tmp_path: Path) -> None:
    sandbox = lay_out(tmp_path / "sb-9", {"meta/exit.txt": "0"})
    (sandbox / "upper/src").mkdir(parents=True)
    (sandbox / "upper/src/current").symlink_to("nowhere")
    root = lay_out_team(tmp_path / "root", f"exited 0 at x root {sandbox}")
    assert claims(reconcile(root))["sandbox:sb-9"].verdict is Verdict.SANDBOX_UNPROMOTED


def test_uncommitted_work_is_named_path_by_path(tmp_path: Path) -> None:
    root = lay_out_team(tmp_path)
    lay_out(root, {"src/T-1/new file.py": "x", "docs/stray.md": "x"})
    found = reconcile(root)
    assert claims(found)["task:T-1"].proposal.destroys == ("src/T-1/new file.py",)
    assert found.context.files == ("docs/stray.md",)


def test_a_team_below_the_top_of_its_repository_is_read_alike(tmp_path: Path) -> None:
    root = lay_out_team(tmp_path / "team")
    lay_out(tmp_path, {"outside.md": "x"})
    lay_out(root, {"src/T-1/new.py": "x"})
    (root / ".git").rename(tmp_path / ".git")
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True, capture_output=True)
    found = reconcile(root)
    assert "src/T-1/new.py" in claims(found)["task:T-1"].proposal.destroys
    assert not any("outside.md" in path for path in found.context.files)


def test_where_git_knows_nothing_no_work_is_called_lost(tmp_path: Path) -> None:
    root = lay_out_team(tmp_path)
    (root / ".git").rename(tmp_path / "elsewhere")
    assert claims(reconcile(root))["task:T-1"].verdict is Verdict.UNKNOWN_WORKER


def test_a_secret_in_a_name_is_masked_and_the_line_stays_short(tmp_path: Path) -> None:
    root = lay_out_team(tmp_path)
    lay_out(root, {f"src/T-1/{number}{KEY}.py": "x" for number in range(5)})
    found = reconcile(root)
    assert KEY not in write_claim_document(found) + write_claim_prose(found)
    assert max(map(len, found.report_lines)) <= LIMITS.report_line_chars
    assert found.redacted_kinds


@pytest.mark.parametrize(
    "name", ["BOARD.md", "QUESTIONS.md", "RECORD.md", "tasks/T-1.md", ".run/locks/T-1.heartbeat", ".run/session/manager"]
)
@pytest.mark.parametrize("kind", ["huge", "folder", "pipe", "loop", "nuls"])
def test_no_state_file_stops_it(tmp_path: Path, name: str, kind: str) -> None:
    root = lay_out_team(tmp_path)
    path = root / "devteam" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    match kind:
        case "huge":
            path.touch()
            os.truncate(path, 50 * 1024 * 1024)
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "loop":
            path.symlink_to(path.name)
        case _:
            path.write_bytes(bytes(1_000))
    found = reconcile(root)
    assert found.claims
    if name == "BOARD.md":
        assert [claim.id for claim in found.claims] == ["state-file"]


def test_a_root_outside_that_is_a_trap_is_only_looked_at(tmp_path: Path) -> None:
    root = lay_out_team(tmp_path / "root", "pid - started x step-timeout - root /proc/self")
    before = photograph(root)
    assert "sandbox:sb-9" in claims(reconcile(root))
    assert photograph(root) == before
