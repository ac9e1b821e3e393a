"""The sessions of a repository: newest first, by what their records say, and never one that takes a place it should not."""

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow.builders import CWD, NOW, S1, S2, S3, START, Transcript, write_json
from resume_forensics.errors import WrongUse
from resume_forensics.flow import repositories
from resume_forensics.flow.discover import probe
from resume_forensics.flow.repositories import discover
from resume_forensics.limits import Limits
from resume_forensics.model.discovery import Discovery, Search
from resume_forensics.model.layout import Harness
from resume_forensics.model.session import Selection, Session
from resume_forensics.read.processes import start_mark_of
from resume_forensics.text import Masked

SEARCH = Search(repository="shop", days=7, cap=5, environment=(("CLAUDE_CODE_SESSION_ID", S3),))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """An empty store."""
    place = tmp_path / "config/projects"
    place.mkdir(parents=True)
    return place


def find(store: Path | None, search: Search = SEARCH, *, directory: Path = Path("/elsewhere")) -> Discovery[Masked]:
    """Search a store."""
    return discover(Selection(directory=directory, store=store), search, now=NOW)


def ids(found: Discovery[Masked]) -> list[str]:
    """The ids that were listed."""
    return [one.session_id for one in found.sessions]


def session(store: Path, name: str, *, at: datetime = START, cwd: str = CWD, folder: str | None = None) -> Path:
    """A session of two records."""
    transcript = Transcript(name, cwd=cwd, at=at)
    transcript.human()
    transcript.answer()
    return transcript.write(store, folder)


def test_each_session_is_a_line_of_facts_newest_first(store: Path) -> None:
    old, new = session(store, S1), session(store, S2, at=START + timedelta(hours=1))
    found = find(store)
    assert [(one.session, one.session_id, one.records, one.harness) for one in found.sessions] == [
        (str(new), S2, 2, "claude-code"),
        (str(old), S1, 2, "claude-code"),
    ]
    assert found.sessions[0].last_activity == START + timedelta(hours=1, seconds=2)
    assert found.sessions[0].size_bytes == new.stat().st_size
    assert (found.repository, found.days, found.left_out, found.excluded, found.warnings) == ("shop", 7, 0, 0, ())


def test_no_other_project_takes_a_place(store: Path) -> None:
    """The folder's name holds the repository's, but the records say another directory; and the other way round."""
    session(store, S1, cwd="/work/shop-front", folder="-work-shop")
    session(store, S2, cwd="/work/shop", folder="-moved-away")
    assert ids(find(store, replace(SEARCH, cap=1))) == [S2]


def test_flat_helper_files_and_copies_take_no_place(store: Path) -> None:
    session(store, S1)
    for name in ("agent-abc123", "history", f"{S2} (1)"):
        Transcript(S2).write(store, name=name)
        (store / "-work-shop" / f"{name}.jsonl").write_bytes((store / "-work-shop" / f"{S1}.jsonl").read_bytes())
    assert ids(find(store)) == [S1]


def test_a_session_without_a_directory_belongs_to_none(store: Path) -> None:
    transcript = Transcript(S1, cwd=None)
    transcript.human()
    transcript.write(store, "-work-shop")
    assert ids(find(store)) == []


def test_the_last_activity_decides_and_not_the_time_of_the_file(store: Path) -> None:
    session(store, S1, at=NOW - timedelta(days=8))
    os.utime(session(store, S2, at=NOW - timedelta(days=8)))
    session(store, S3, at=NOW - timedelta(days=6))
    assert ids(find(store, replace(SEARCH, environment=()))) == [S3]


def test_a_file_that_was_written_a_little_too_early_is_looked_at(store: Path) -> None:
    early = (NOW - timedelta(days=7, hours=12)).timestamp()
    os.utime(session(store, S1), (early, early))
    assert ids(find(store)) == [S1]


def test_your_own_session_is_left_out(store: Path) -> None:
    session(store, S1)
    session(store, S3)
    found = find(store)
    assert (ids(found), found.excluded) == ([S1], 1)


def test_your_own_session_is_known_by_the_process_that_runs_it(store: Path) -> None:
    session(store, S1)
    session(store, S2)
    entry = {"pid": os.getpid(), "sessionId": S2, "procStart": start_mark_of(os.getpid()).start}
    write_json(store.parent / "sessions" / f"{os.getpid()}.json", entry)
    write_json(store.parent / "sessions" / "1.json", {"pid": 2**22 - 1, "sessionId": S1})
    found = find(store, replace(SEARCH, environment=()))
    assert (ids(found), found.warnings) == ([S1], ())


def test_where_it_is_not_known_that_is_said(store: Path) -> None:
    anonymous = replace(SEARCH, environment=())
    assert find(store, anonymous).warnings == ()
    session(store, S1)
    assert find(store, anonymous).warnings == (
        "which session is your own could not be known; if it is among these, name it with --exclude",
    )


@pytest.mark.parametrize("spelling", [S1, f"{S1}.jsonl", f"/somewhere/{S1}.jsonl", f" x, {S1} ,"])
def test_a_session_is_excluded_by_id_name_or_path(store: Path, spelling: str) -> None:
    session(store, S1)
    session(store, S2)
    found = find(store, replace(SEARCH, excluded=(spelling,)))
    assert (ids(found), found.excluded) == ([S2], 1)


def test_what_is_beyond_the_cap_is_counted(store: Path) -> None:
    for number in range(4):
        session(store, f"{number}{S1[1:]}", at=START + timedelta(minutes=number))
    found = find(store, replace(SEARCH, cap=3))
    assert (len(found.sessions), found.left_out) == (3, 1)
    assert ids(found)[0] == f"3{S1[1:]}"


def test_without_a_name_the_repository_of_the_directory_is_meant(store: Path) -> None:
    session(store, S1)
    found = find(store, replace(SEARCH, repository=None), directory=Path("/nowhere/shop"))
    assert (found.repository, ids(found)) == ("shop", [S1])


def test_files_beyond_the_bound_are_not_looked_at_and_that_is_said(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session(store, S1)
    session(store, S2, at=START + timedelta(minutes=5))
    monkeypatch.setattr(repositories, "LIMITS", Limits(discovered_files=1))
    found = find(store)
    assert ids(found) == [S2]
    assert found.warnings == ("claude-code: more than 1 session files; those written longest ago were not looked at",)


def test_what_goes_away_meanwhile_is_passed_over(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file is gone once it was listed, another once it was looked at."""
    for name in (S1, S2, S3):
        session(store, name)

    def look_and_remove(path: Path, size_bytes: int, modified_at: datetime | None, harness: Harness) -> Session:
        if path.stem == S3:
            path.unlink()
        found = probe(path, size_bytes, modified_at, harness)
        if path.stem == S2:
            path.unlink()
        return found

    monkeypatch.setattr(repositories, "probe", look_and_remove)
    assert ids(find(store, replace(SEARCH, environment=()))) == [S1]


def test_a_store_that_is_not_there_is_said() -> None:
    found = find(Path("/nowhere/at/all"))
    assert (found.sessions, found.warnings) == ((), ("there is no store at '/nowhere/at/all'",))


def test_an_unknown_harness_is_refused() -> None:
    with pytest.raises(WrongUse, match="unknown harness"):
        discover(Selection(directory=Path("/x"), harness="nobody"), SEARCH, now=NOW)


def test_the_store_of_the_user_is_searched_where_none_is_named(store: Path) -> None:
    session(store, S1)
    selection = Selection(directory=Path("/x"), home=Path("/nowhere"), environment=(("CLAUDE_CONFIG_DIR", str(store.parent)),))
    assert ids(discover(selection, SEARCH, now=NOW)) == [S1]
