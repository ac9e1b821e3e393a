"""The list of sessions, as a table and as JSON."""

import json
from datetime import UTC, datetime
from pathlib import Path

from jsonschema import Draft202012Validator

import resume_forensics
from resume_forensics.model.report import OtherSession, SessionList
from resume_forensics.render.listing import write_listing, write_listing_document
from resume_forensics.text import Masked, forge

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema" / "sessions-1.json").read_text("utf-8"))


def listing() -> SessionList[Masked]:
    """Two sessions, one of them with a path that wants to clear the screen."""
    return SessionList(
        sessions=(
            OtherSession(session=forge("/p/-s/new.jsonl"), last_activity=datetime(2026, 9, 14, 9, 0, tzinfo=UTC), size_bytes=1_234),
            OtherSession(session=forge("/p/\x1b[2J/old.jsonl"), last_activity=datetime(2026, 9, 13, 9, 0, tzinfo=UTC), size_bytes=5),
        ),
        warnings=(forge("one file could not be read"),),
    )


def test_each_session_stands_on_a_line_under_its_number() -> None:
    lines = write_listing(listing()).splitlines()
    assert lines[0] == " nth  last activity                    bytes  session"
    assert lines[1] == "   1  2026-09-14 09:00:00 UTC          1,234  new  /p/-s/new.jsonl"
    assert lines[2] == "   2  2026-09-13 09:00:00 UTC              5  old  /p/\\x1b[2J/old.jsonl"
    assert "Warning: one file could not be read" in lines
    assert lines[-1] == "Scan one of them with `resume-scan --nth N` or `resume-scan --session FILE`."


def test_the_document_fits_its_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(write_listing_document(listing()))
    Draft202012Validator(SCHEMA).validate(document)
    assert document["sessions"][0] == {
        "nth": 1,
        "session_id": "new",
        "session": "/p/-s/new.jsonl",
        "last_activity": "2026-09-14T09:00:00.000Z",
        "bytes": 1_234,
    }
    assert document["warnings"] == ["one file could not be read"]


def test_no_session_is_said_and_no_number_is_offered() -> None:
    text = write_listing(SessionList(sessions=(), warnings=(forge("there is no store at '/p'"),)))
    assert text.split("\n", 2)[:2] == ["Warning: there is no store at '/p'", ""]
    assert "No session of this directory was found." in text
    assert "--nth" not in text
