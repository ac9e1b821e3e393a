"""`resume-scan reconcile`: its options reach the answer, its exit status says what happened, and bad use is one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claims.workflows import lay_out, stage
from resume_forensics.model.inquiry import TmuxFact
from resume_forensics.read import inquiries
from resume_forensics.text import reveal

Call = Callable[..., tuple[int, str, str]]
NOW = ("--now", "2026-01-02T09:00:00Z")


@pytest.fixture(autouse=True)
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tmux session lives, whatever else runs on this machine."""
    monkeypatch.setattr(inquiries, "list_sessions", lambda **_: TmuxFact())


@pytest.fixture
def quiet(tmp_path: Path) -> Path:
    """A workflow with nothing out of order."""
    return lay_out(tmp_path / "quiet", stage(1, "completed"))


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A workflow whose state file is cut off."""
    root = lay_out(tmp_path / "torn", stage(1, "completed"))
    (root / "workflow-state.json").write_text('{"stages": [', "utf-8")
    return root


def test_text_and_document(quiet: Path, call: Call) -> None:
    status, out, err = call("reconcile", str(quiet), *NOW)
    assert (status, err) == (0, "")
    assert out.startswith(f"superscientist: what is written in {quiet}")
    status, out, err = call("reconcile", str(quiet), "--json", *NOW)
    document = json.loads(out)
    assert (status, err, document["schema"], document["generated_at"]) == (
        0,
        "",
        "resume-forensics/reconcile/1",
        "2026-01-02T09:00:00.000Z",
    )
    assert document["applied"] is None


def test_the_current_directory_is_meant_without_one(quiet: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(quiet)
    status, out, _ = call("reconcile", "--json")
    assert (status, json.loads(out)["root"]) == (0, str(quiet.resolve()))


def test_a_damaged_state_is_a_finding(torn: Path, call: Call) -> None:
    status, out, err = call("reconcile", str(torn))
    assert (status, err) == (0, "")
    assert "NEXT: stop-and-alert state-file" in out


def test_a_refused_write_is_status_1(torn: Path, quiet: Path, call: Call) -> None:
    status, out, _ = call("reconcile", str(torn), "--apply", "--json")
    assert (status, json.loads(out)["applied"]) == (1, {"done": False, "refusals": ["state-unreadable"], "written": []})
    status, out, _ = call("reconcile", str(quiet), "--apply", *NOW)
    assert status == 0
    assert "APPLIED: written were progress.log, workflow-state.json." in out
    status, out, _ = call("reconcile", str(quiet), "--apply", *NOW)
    assert status == 1
    assert "NOT APPLIED (already-applied): written was nothing." in out


def test_attention_is_status_1_only_when_it_was_asked_for(torn: Path, quiet: Path, call: Call) -> None:
    assert call("reconcile", str(torn), "--exit-code")[0] == 1
    assert call("reconcile", str(torn))[0] == 0
    assert call("reconcile", str(quiet), "--exit-code")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("gone",), "there is no directory at"),
        ((".",), "no written state of a known system"),
        (("quiet", "--system", "saga"), "no written state of saga"),
        (("quiet", "--system", "x"), "unknown system 'x'"),
        (("quiet", "--facts", "gone.json"), "cannot read"),
        (("quiet", "--facts", "quiet/init.sh"), "not JSON"),
        (("quiet", "--now", "yesterday"), "--now takes a time"),
        (("quiet", "--now", "2026-01-02T09:00:00"), "--now needs an offset"),
        (("quiet", "--accept", "x"), "--accept: no conflict 'x' was found"),
        (("quiet", "--recent-s", "-1"), "--recent-s"),
        (("quiet", "--recent-s", "soon"), "--recent-s"),
        (("quiet", "--unheard-of"), "--unheard-of"),
        (("quiet", "more"), "unexpected extra argument"),
    ],
)
def test_wrong_use_is_one_sentence(
    quiet: Path, call: Call, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(quiet.parent)
    status, out, err = call("reconcile", *arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_every_option_reaches_the_face(monkeypatch: pytest.MonkeyPatch, call: Call, tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    def remember(directory: str, **options: Any) -> Any:  # noqa: ANN401 (as the face)
        given.update(options, directory=directory)
        raise RuntimeError

    monkeypatch.setattr("resume_forensics.reconcile", remember)
    options = {
        "--system": "saga",
        "--facts": str(tmp_path / "f"),
        "--session-id": "s",
        "--saga-id": "t",
        "--issue": "#1",
        "--projects-dir": str(tmp_path),
        "--state-dir": "d",
        "--contract": "c",
        "--recent-s": "7",
    }
    call(
        "reconcile",
        "x",
        "--apply",
        "--accept",
        "a",
        "--accept",
        "b",
        "--receipt",
        "r",
        *(word for pair in options.items() for word in pair),
        *NOW,
    )
    assert given.pop("now").isoformat() == "2026-01-02T09:00:00+00:00"
    assert given == {
        "directory": "x",
        "system": "saga",
        "apply": True,
        "accept": ("a", "b"),
        "facts": tmp_path / "f",
        "session_id": "s",
        "saga_id": "t",
        "issue": "#1",
        "projects_dir": tmp_path,
        "state_dir": "d",
        "contract": "c",
        "receipts": ("r",),
        "recent_s": 7,
    }


@pytest.mark.parametrize(("said", "own"), [((None, "env"), "env"), (("opt", "env"), "opt"), ((None, None), None), ((None, ""), None)])
def test_the_session_is_ones_own_by_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, call: Call, said: tuple[str | None, str | None], own: str | None
) -> None:
    option, variable = said
    (tmp_path / "devteam").mkdir()
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    if variable is not None:
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", variable)
    seen: list[str | None] = []

    def look(_: object, circumstances: Any, **__: object) -> Any:  # noqa: ANN401 (as the flow)
        seen.append(reveal(circumstances.session_id) if circumstances.session_id else None)
        raise RuntimeError

    monkeypatch.setattr("resume_forensics.flow.reconcile.reconcile", look)
    call("reconcile", str(tmp_path), *(("--session-id", option) if option else ()))
    assert seen == [own]


def test_help_explains_what_is_read_and_what_is_written(call: Call) -> None:
    status, out, _ = call("reconcile", "--help")
    words = " ".join(out.split())
    assert status == 0
    for phrase in (
        "superscientist (workflow-state.json)",
        "Nothing is changed and nothing is started",
        "gh pr list",
        "--apply was refused",
    ):
        assert phrase in words
