"""The sessions of a repository, as lines and as JSON."""

import json
from datetime import UTC, datetime
from pathlib import Path

from jsonschema import Draft202012Validator
from msgspec.structs import replace

import resume_forensics
from resume_forensics.model.discovery import Discovery, FoundSession
from resume_forensics.render.discovery import write_discovery, write_discovery_document
from resume_forensics.text import Masked, forge

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema" / "discovery-1.json").read_text("utf-8"))

FOUND: Discovery[Masked] = Discovery(
    repository=forge("shop"),
    days=7,
    sessions=(
        FoundSession(
            session=forge("/p/-s/\x1b[2Jnew.jsonl"),
            session_id=forge("new"),
            harness=forge("claude-code"),
            last_activity=datetime(2026, 9, 14, 9, 0, tzinfo=UTC),
            records=1_234,
            size_bytes=99,
        ),
    ),
    left_out=2,
    excluded=1,
    warnings=(forge("something is not known"),),
)


def test_each_session_is_a_line() -> None:
    lines = write_discovery(FOUND).splitlines()
    assert lines[0] == "2026-09-14 09:00:00 UTC      1,234  claude-code  new  /p/-s/\\x1b[2Jnew.jsonl"
    assert lines[2] == "3 sessions of shop in the last 7 days; 2 more than --cap shows; 1 session excluded."
    assert lines[3] == "Warning: something is not known"
    assert lines[4] == "Extract one of them with `resume-scan skeleton --session FILE --output FILE`."


def test_none_is_said() -> None:
    none = replace(FOUND, sessions=(), left_out=0, excluded=0, warnings=(), days=1)
    assert write_discovery(none) == "No session of shop in the last 1 day.\n"


def test_the_document_fits_its_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(write_discovery_document(FOUND))
    Draft202012Validator(SCHEMA).validate(document)
    assert list(document) == list(SCHEMA["properties"])
    assert document["sessions"] == [
        {
            "session": "/p/-s/\x1b[2Jnew.jsonl",
            "session_id": "new",
            "harness": "claude-code",
            "last_activity": "2026-09-14T09:00:00.000Z",
            "records": 1_234,
            "bytes": 99,
        }
    ]
    assert (document["left_out"], document["excluded"], document["warnings"]) == (2, 1, ["something is not known"])
