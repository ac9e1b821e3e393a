"""`resume-scan skeleton` from the outside: one line of facts, and nothing that the session says."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flow.builders import Transcript

Outcome = tuple[int, str, str]
Call = Callable[..., Outcome]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session of two turns."""
    transcript = Transcript()
    transcript.human("a word that nobody else says")
    transcript.answer("done")
    return transcript.write(tmp_path / "store")


def test_only_the_facts_are_printed(session: Path, tmp_path: Path, call: Call) -> None:
    output = tmp_path / "o.txt"
    status, out, err = call("skeleton", "--session", str(session), "--output", str(output))
    assert (status, err, out.count("\n")) == (0, "", 1)
    facts = json.loads(out)
    assert (facts["wrote"], facts["bytes"], facts["user"], facts["assistant"]) == (str(output), output.stat().st_size, 1, 1)
    assert "a word" not in out
    assert "a word that nobody else says" in output.read_text("utf-8")


def test_a_file_that_is_there_needs_force(session: Path, tmp_path: Path, call: Call) -> None:
    output = tmp_path / "o.txt"
    output.write_text("old")
    given = ("skeleton", "--session", str(session), "--output", str(output))
    status, out, err = call(*given)
    assert (status, out, output.read_text("utf-8")) == (2, "", "old")
    assert "--force" in err
    assert call(*given, "--force")[0] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ("--session", "/nowhere.jsonl", "--output", "o"),
        ("--session", "x"),
        ("--output", "x"),
        (),
        ("--session", "/dev/null", "--output", "o"),
    ],
)
def test_wrong_use_is_one_sentence(call: Call, wrong: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = call("skeleton", *wrong)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []
