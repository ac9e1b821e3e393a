"""The whole road of a saga on a real disk: nothing changes without leave, one new tick with it, and no state file breaks it."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resume_forensics
from claims.sagas import NOW, SAGAS, THREAD, contract, exhibit, receipt, thread, tick
from resume_forensics.errors import ForensicsError, WrongUse
from resume_forensics.model.claim import Reconciliation
from resume_forensics.read import writes
from resume_forensics.render.claim_document import write_claim_document
from resume_forensics.render.claim_prose import write_claim_prose
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Proposal, Refusal, Verdict

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema/reconcile-1.json").read_text("utf-8"))
NEW = f"{SAGAS}/{THREAD}/20260102-090000.md"


def lay_out(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files of a repository."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogateescape"))
    return root


def reconcile(root: Path, **options: Any) -> Reconciliation[Masked]:  # noqa: ANN401 (any option of the face)
    """The whole road, with no transcripts, shown in both ways."""
    found = resume_forensics.reconcile(root, **{"now": NOW, "projects_dir": root / "nowhere", **options})
    jsonschema.validate(json.loads(write_claim_document(found)), SCHEMA)
    assert write_claim_prose(found)
    return found


def photograph(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder, with mode, time and content."""
    found = [root, *(path for path in root.rglob("*") if not path.is_fifo())]
    return {
        str(path.relative_to(root)): (path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in found
    }


def test_nothing_changes_without_leave(tmp_path: Path) -> None:
    files = {
        **thread(tick(), "torn", tick(blockers="x")),
        "docs/c.json": contract({"obligation_id": "plan"}),
        "docs/r.json": receipt(exhibit()),
    }
    root = lay_out(tmp_path, {**files, ".gemini/saga/state.json": "{"})
    before = photograph(root)
    found = reconcile(root, contract="docs/c.json", receipts=("docs/r.json",))
    assert photograph(root) == before
    assert found.applied is None


def test_one_tick_is_written_and_nothing_else_changes(tmp_path: Path) -> None:
    root = lay_out(tmp_path, {**thread(tick(), tick(x_unknown="kept")), ".gemini/saga/state.json": '{"sagas": {}}'})
    before = photograph(root)
    found = reconcile(root, apply=True)
    assert found.applied is not None
    assert (found.applied.done, found.applied.refusals, found.applied.written) == (True, (), (NEW,))
    after = photograph(root)
    assert {name for name in after if after.get(name) != before.get(name)} == {f"{SAGAS}/{THREAD}", NEW}
    assert set(before) - set(after) == set()
    assert "x_unknown: kept\n" in (root / NEW).read_text()
    again = reconcile(root, now=NOW + timedelta(minutes=10))
    claim = next(each for each in again.claims if each.id == f"saga:{THREAD}")
    assert (claim.verdict, claim.claimed_status, claim.proposal.command) == (Verdict.CONFIRMED, "paused", "/work")


def test_a_second_time_there_is_nothing_to_write(tmp_path: Path) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))
    reconcile(root, apply=True)
    before = photograph(root)
    for later, refusal in ((0, Refusal.CLOCK_BEHIND_NEWEST_TICK), (600, Refusal.ALREADY_APPLIED)):
        applied = reconcile(root, apply=True, now=NOW + timedelta(seconds=later)).applied
        assert applied is not None
        assert (applied.done, applied.refusals, applied.written) == (False, (refusal,), ())
    assert photograph(root) == before


def test_a_tick_that_appeared_meanwhile_refuses_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))

    def write_another(*given: Any) -> Refusal | None:  # noqa: ANN401 (as the original)
        (root / SAGAS / THREAD / "20260102-085959.md").write_text(tick(lifecycle_phase="qa"))
        return writes.foresee_refusal(*given)

    monkeypatch.setattr("resume_forensics.flow.reconcile.foresee_refusal", write_another)
    applied = reconcile(root, apply=True).applied
    assert applied is not None
    assert applied.refusals == (Refusal.CHANGED_SINCE_READ,)
    assert not (root / NEW).exists()


def test_a_tick_that_appeared_at_the_last_moment_refuses_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))

    def write_another(*given: Any) -> Refusal | None:  # noqa: ANN401 (as the original)
        (root / NEW).write_text("another's")
        return writes.carry_out(*given)

    monkeypatch.setattr("resume_forensics.flow.reconcile.carry_out", write_another)
    applied = reconcile(root, apply=True).applied
    assert applied is not None
    assert (applied.done, applied.refusals) == (False, (Refusal.CHANGED_SINCE_READ,))
    assert (root / NEW).read_text() == "another's"


KILLED = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
import tempfile
import resume_forensics
from resume_forensics.read import writes

def die(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)

step, root = sys.argv[1:]
where, name = step.split(":")
setattr({"os": os, "tempfile": tempfile, "path": Path, "writes": writes}[where], name, die)
resume_forensics.reconcile(root, now=datetime.fromisoformat("2026-01-02T09:00:00+00:00"), projects_dir=root, apply=True)
"""


STEPS = ("tempfile:mkstemp", "os:fchmod", "os:fsync", "os:link", "writes:_settle", "path:unlink")


@pytest.mark.parametrize(("step", "is_new"), [(step, step in STEPS[4:]) for step in STEPS], ids=STEPS)
def test_a_kill_at_any_step_leaves_the_old_chain_or_the_new_one(tmp_path: Path, step: str, is_new: bool) -> None:  # noqa: FBT001
    assert all(hasattr(writes, name) for name in ("_settle", "os", "tempfile"))
    root = lay_out(tmp_path, dict(thread(tick())))
    done = subprocess.run([sys.executable, "-c", KILLED, step, str(root)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-9, "")
    assert [path.name for path in sorted((root / SAGAS / THREAD).glob("*.md"))] == [
        "20260102-000000.md",
        *(["20260102-090000.md"] if is_new else []),
    ]
    found = reconcile(root, apply=True, now=NOW + timedelta(minutes=1))
    assert found.applied is not None
    assert found.applied.refusals == ((Refusal.ALREADY_APPLIED,) if is_new else ())
    assert not any(claim.verdict is Verdict.TORN_TICK for claim in found.claims)


def test_a_secret_is_masked_in_the_answer_and_survives_in_the_tick(tmp_path: Path) -> None:
    secret = "ghp_" + "Zk3" * 12
    said = tick(blockers=f"waits for {secret}", open_questions=(f"is {secret} still good?",), plan_path=f"docs/{secret}.md")
    root = lay_out(tmp_path, dict(thread(said)))
    found = reconcile(root, apply=True)
    assert secret not in write_claim_document(found) + write_claim_prose(found)
    assert found.redacted_kinds != ()
    assert (root / NEW).read_text().count(secret) == 3


def test_the_folder_may_be_named_absolutely(tmp_path: Path) -> None:
    root = lay_out(tmp_path, {**thread(tick()), ".claude/saga/sagas/x/20260101-000000.md": tick(saga_id="x")})
    found = reconcile(root, state_dir=str(root / ".claude/saga"))
    assert [claim.id for claim in found.claims] == ["saga:x"]
    assert found.conflicts == ()


def test_a_folder_without_threads_leads_to_the_sessions(tmp_path: Path) -> None:
    (tmp_path / ".claude/saga").mkdir(parents=True)
    found = reconcile(tmp_path, apply=True)
    assert found.next_action.name is Proposal.SESSION_FORENSICS
    assert found.applied is not None
    assert found.applied.refusals == (Refusal.STATE_UNREADABLE,)


def test_links_that_lead_out_and_files_that_are_none_are_torn_or_unseen(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "root", dict(thread(tick())))
    outside = lay_out(tmp_path / "outside", {"issue-43/20260102-000000.md": tick(saga_id="issue-43"), "t.md": tick(lifecycle_phase="qa")})
    folder = root / SAGAS / THREAD
    (root / SAGAS / "issue-43").symlink_to(outside / "issue-43")
    (folder / "20260102-030000.md").symlink_to(outside / "t.md")
    (folder / "20260102-040000.md").mkdir()
    (folder / "20260102-050000.md").symlink_to("nowhere")
    os.mkfifo(folder / "20260102-060000.md")
    found = reconcile(root)
    assert [claim.id for claim in found.claims if claim.verdict is not Verdict.TORN_TICK] == [f"saga:{THREAD}"]
    assert [claim.proposal.reason for claim in found.claims if claim.verdict is Verdict.TORN_TICK] == [
        "torn (leads out of the directory, so it was not opened); 20260102-000000.md speaks instead",
        "torn (a directory, not a file); 20260102-000000.md speaks instead",
        "torn (no longer on disk); 20260102-000000.md speaks instead",
        "torn (not a regular file); 20260102-000000.md speaks instead",
    ]


def test_giant_files_are_torn_or_refused_and_end_soon(tmp_path: Path) -> None:
    giant = b"---\n" + b"key: value\n" * (50 * 1024 * 1024 // 11)
    root = lay_out(
        tmp_path,
        {**thread(tick()), f"{SAGAS}/{THREAD}/20260102-050000.md": giant, ".gemini/saga/state.json": giant, "docs/c.json": giant},
    )
    found = reconcile(root, contract="docs/c.json")
    torn = next(claim for claim in found.claims if claim.verdict is Verdict.TORN_TICK)
    assert torn.proposal.reason == "torn (larger than a tick is read); 20260102-000000.md speaks instead"
    assert next(claim.verdict for claim in found.claims if claim.id == "contract") is Verdict.CONTRACT_UNREADABLE
    assert any("larger than is read" in warning for warning in found.warnings)


@pytest.mark.parametrize(
    "options",
    [
        {"saga_id": "issue-43"},
        {"saga_id": "../issue-42"},
        {"saga_id": ""},
        {"state_dir": "../x"},
        {"state_dir": "/etc"},
        {"issue": "?"},
        {"receipts": ("docs/r.json",)},
        {"accept": ("cache-vs-pr:saga:issue-42",)},
    ],
)
def test_wrong_use_is_one_sentence(tmp_path: Path, options: dict[str, Any]) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))
    with pytest.raises(WrongUse):
        reconcile(root, **options)


PARTS = (
    "---\n",
    "---",
    "key",
    "saga_id: issue-42\n",
    "lifecycle_phase: work\n",
    "blockers:",
    ' "',
    "\n",
    "  - ",
    "[]",
    "\\",
    "\0",
    "\udcff",
)
HEADS = st.lists(st.sampled_from(PARTS), max_size=30).map(lambda parts: "".join(parts).encode(errors="surrogateescape"))
ODD_TICKS = st.binary(max_size=200) | HEADS
ODD_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("sagas", THREAD, "obligations", "schema", "x")), inner),
    max_leaves=8,
)


@given(odd=st.lists(ODD_TICKS, min_size=1, max_size=3), record=ODD_JSON)
def test_whatever_the_files_hold_there_is_an_answer(tmp_path_factory: pytest.TempPathFactory, odd: list[bytes], record: object) -> None:
    files: dict[str, str | bytes] = {**thread(tick())}
    files |= {f"{SAGAS}/{THREAD}/20260102-03000{at}.md": content for at, content in enumerate(odd)}
    files |= {name: json.dumps(record) for name in (".gemini/saga/state.json", "docs/c.json", "docs/r.json")}
    root = lay_out(tmp_path_factory.mktemp("odd"), files)
    before = photograph(root)
    found = reconcile(root, contract="docs/c.json", receipts=("docs/r.json",))
    assert next(claim.verdict for claim in found.claims if claim.id == "contract") is Verdict.CONTRACT_UNREADABLE
    assert photograph(root) == before


@given(cut=st.integers(min_value=0, max_value=600))
def test_a_newest_tick_cut_anywhere_never_begins_the_thread_anew(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    newest = tick(lifecycle_phase="qa", phase_status="pending").encode()
    root = lay_out(tmp_path_factory.mktemp("cut"), {**thread(tick()), f"{SAGAS}/{THREAD}/20260102-030000.md": newest[:cut]})
    found = reconcile(root, apply=True)
    spoke = next(claim.claim for claim in found.claims if claim.id == f"saga:{THREAD}")
    assert spoke in {f"{THREAD} stands at work in_progress, active", f"{THREAD} stands at qa pending, active"}
    assert found.applied is not None
    assert found.applied.done
    assert "ideation" not in (root / NEW).read_text()


def test_a_clock_that_is_not_utc_names_the_tick_in_utc(tmp_path: Path) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))
    reconcile(root, apply=True, now=datetime(2026, 1, 2, 9, 0, 0, tzinfo=UTC).astimezone(tz=None))
    assert (root / NEW).is_file()


def test_a_thread_that_cannot_be_written_says_so_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = lay_out(tmp_path, dict(thread(tick())))

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(ForensicsError, match="could not be written"):
        reconcile(root, apply=True)
    assert [path.name for path in (root / SAGAS / THREAD).iterdir()] == ["20260102-000000.md"]
