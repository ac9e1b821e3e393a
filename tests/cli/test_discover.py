"""`resume-scan discover` from the outside: what it prints, and that it prints nothing that a session says."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flow.builders import S1, Transcript

Outcome = tuple[int, str, str]
Call = Callable[..., Outcome]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one session of just now."""
    transcript = Transcript(S1, at=datetime.now(UTC))
    transcript.human("a word that nobody else says")
    path = transcript.write(tmp_path / "config/projects")
    return path.parent.parent


def test_it_lists_the_sessions_of_a_repository(store: Path, call: Call) -> None:
    status, out, err = call("discover", "--repo", "shop", "--projects-dir", str(store))
    assert (status, err) == (0, "")
    assert S1 in out
    assert "1 session of shop in the last 7 days." in out
    assert "a word" not in out


def test_the_options_reach_the_search(store: Path, call: Call) -> None:
    given = ("discover", "--repo", "shop", "--projects-dir", str(store), "--json")
    assert [one["session_id"] for one in json.loads(call(*given)[1])["sessions"]] == [S1]
    excluded = json.loads(call(*given, "--exclude", S1, "--days", "3", "--cap", "2")[1])
    assert (excluded["sessions"], excluded["excluded"], excluded["days"]) == ([], 1, 3)


def test_the_repository_of_the_directory_is_the_default(store: Path, call: Call, tmp_path: Path) -> None:
    place = tmp_path / "shop"
    place.mkdir()
    assert json.loads(call("discover", "--cwd", str(place), "--projects-dir", str(store), "--json")[1])["repository"] == "shop"


@pytest.mark.parametrize("wrong", [("--days", "0"), ("--cap", "0"), ("--days", "x"), ("--harness", "nobody")])
def test_wrong_use_is_one_sentence(store: Path, call: Call, wrong: tuple[str, str]) -> None:
    status, out, err = call("discover", "--projects-dir", str(store), *wrong)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_none_found_is_no_fault(call: Call, tmp_path: Path) -> None:
    status, out, _ = call("discover", "--repo", "shop", "--projects-dir", str(tmp_path))
    assert (status, out) == (0, "No session of shop in the last 7 days.\n")
