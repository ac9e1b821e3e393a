"""Rows for tables: one for each session and each turn, and their sums are those of the document."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from flow.builders import S1, S2, START, Transcript, notice
from flow.corpora import sweep_serially
from resume_forensics.count.rows import list_session_rows, list_turn_rows
from resume_forensics.count.tally import Tally
from resume_forensics.render.parquet import PATH_COLUMN, SESSION_COLUMNS, TURN_COLUMNS


def sweep(tmp_path: Path) -> Tally:
    """Two sessions of one directory: one with a lost agent and a resume turn, and one that resumes it."""
    first = Transcript(S1)
    first.human("build the shop")
    first.agent("a1", "toolu_1")
    first.agent("a2", "toolu_2")
    first.enqueue(notice("a2"))
    first.human("continue")
    first.answer()
    first.write(tmp_path)
    second = Transcript(S2, at=first.at)
    second.human("resume")
    second.write(tmp_path)
    return sweep_serially(tmp_path).tally


def name(fingerprint: int) -> str:
    return f"<{fingerprint % 1000}>"


def test_there_is_a_row_for_each_session(tmp_path: Path) -> None:
    tally = sweep(tmp_path)
    rows = list_session_rows(tally.sessions.values(), name)
    assert [list(row) for row in rows] == [list(SESSION_COLUMNS)] * 2
    assert [(row["workers_launched"], row["workers_unreported"], row["resume_turns"]) for row in rows] == [(2, 1, 1), (0, 0, 1)]
    assert rows[0]["first_at"] == (START + timedelta(seconds=1)).astimezone(UTC)
    exact = tally.document()["exact"]
    assert sum(row["records"] for row in rows) == exact["records"]
    assert sum(row["queued_never_delivered"] for row in rows) == exact["queued_never_delivered"]["n"]
    assert len({row["directory"] for row in rows}) == 1


def test_there_is_a_row_for_each_turn(tmp_path: Path) -> None:
    tally = sweep(tmp_path)
    rows = list_turn_rows(tally.sessions.values(), name)
    assert [list(row) for row in rows] == [list(TURN_COLUMNS)] * 2
    assert [(row["bare_resume"], row["workers_in_flight"], row["kinds_in_flight"]) for row in rows] == [
        (False, 1, "agent"),
        (True, 1, "agent"),
    ]
    exact: dict[str, Any] = tally.document()["exact"]
    assert sum(row["workers_in_flight"] > 0 for row in rows) == exact["in_flight"]["turns"]["n"]
    assert sum(row["seconds_to_resume"] is not None for row in rows) == exact["seconds_to_resume"]["n"]
    assert all(isinstance(row["at"], datetime) for row in rows)


def test_paths_stand_in_them_only_where_they_may(tmp_path: Path) -> None:
    sessions = sweep(tmp_path).sessions.values()
    for rows in (list_session_rows, list_turn_rows):
        assert not any(str(tmp_path) in str(row) or S1 in str(row) for row in rows(sessions, name))
        assert all(set(PATH_COLUMN) <= set(row) and Path(row["path"]).is_file() for row in rows(sessions, name, paths=True))


def test_a_session_without_times_has_none(tmp_path: Path) -> None:
    path = tmp_path / "-p" / f"{S1}.jsonl"
    path.parent.mkdir()
    path.write_text('{"type":"user","message":{"role":"user","content":"resume"}}\n')
    sessions = sweep_serially(tmp_path).tally.sessions.values()
    assert (list_session_rows(sessions, name)[0]["last_at"], list_turn_rows(sessions, name)[0]["at"]) == (None, None)
