"""The JSON document: its keys and their order are the contract, and the schema that ships says the same."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

import resume_forensics
from resume_forensics import vocabulary
from resume_forensics.model.report import Digest, Report, SessionLife, SurvivedFault, ToolCount, WorkerReport
from resume_forensics.render.document import dump, write_document, write_iso
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import Ended, Shape, StopCause

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema" / "scan-1.json").read_text("utf-8"))

TOP = (
    "schema harness session session_id main_exists records unparsable_records unparsable died_at died_at_epoch session_live termination "
    "spawns_total unreported reported_failed reported drivers running_calls other_sessions written_state tree warnings redacted_kinds"
)
WORKER = (
    "worker_id tool_use_id tool kind description command prompt subagent_type spawned_at parent_worker_id state status summary delivery "
    "lost_track launch_missing foreground reopened steps sidecar liveness liveness_evidence possibly_live recent_write_s output_file "
    "durable_transcript digest action evidence cut_while_reading redacted_kinds"
)
DIGEST = (
    "recoverable ended bytes records shape truncated_window final_text tool_counts files_touched half_written mtime_age_s redacted_kinds"
)

WorkerMaker = Callable[..., WorkerReport[Masked]]
ReportMaker = Callable[..., Report[Masked]]


def read(report: Report[Masked]) -> dict[str, Any]:
    """Write the document, hold it against the schema, and read it back."""
    text = write_document(report)
    assert text.isascii()
    assert text.endswith("}\n")
    document: dict[str, Any] = json.loads(text)
    errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(document)]
    assert errors == []
    return document


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["additionalProperties"] is False


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cause", vocabulary.StopCause),
        ("kind", vocabulary.WorkerKind),
        ("state", vocabulary.WorkerState),
        ("liveness", vocabulary.Liveness),
        ("delivery", vocabulary.Delivery),
        ("action", vocabulary.Action),
        ("ended", vocabulary.Ended),
        ("shape", vocabulary.Shape),
        ("step_state", vocabulary.StepState),
        ("driver_kind", vocabulary.DriverKind),
        ("driver_state", vocabulary.DriverState),
    ],
)
def test_the_schema_knows_each_word_of_the_vocabulary_and_no_other(name: str, words: type[vocabulary.StopCause]) -> None:
    assert SCHEMA["$defs"][name]["enum"] == [word.value for word in words]


def test_a_full_report_has_every_key_in_its_order(full_report: Report[Masked]) -> None:
    document = read(full_report)
    assert list(document) == TOP.split()
    assert list(document["unreported"][0]) == WORKER.split()
    assert list(document["unreported"][0]["digest"]) == DIGEST.split()
    assert document["schema"] == "resume-forensics/scan/1"
    assert document["spawns_total"] == 5
    assert document["died_at"] == "2026-09-14T09:10:21.000Z"
    assert document["died_at_epoch"] == datetime(2026, 9, 14, 9, 10, 21, tzinfo=UTC).timestamp()


def test_a_full_report_says_what_it_was_given(full_report: Report[Masked]) -> None:
    document = read(full_report)
    lost, shell = document["unreported"]
    assert lost["digest"]["tool_counts"] == {"Read": 7, "Edit": 2}
    assert lost["digest"]["bytes"] == 4_321
    assert lost["digest"]["mtime_age_s"] == 61.235
    assert lost["evidence"] == {"launch": {"file": full_report.session, "line": 12}, "notice": None}
    assert lost["sidecar"]["finished"] is False
    assert lost["sidecar"]["stopped_by_user"] is None
    assert (lost["possibly_live"], shell["possibly_live"]) == (False, True)
    assert document["reported_failed"][0]["steps"][1] == {"agent_id": "s2", "label": None, "state": "failed"}
    assert document["unparsable"][1] == {"line": 15, "byte": 1_200, "reason": "no JSON", "salvaged": True}
    assert document["tree"]["not_looked_at"] == [{"what": "open pull requests", "command": "gh pr list"}]
    assert document["other_sessions"][0]["bytes"] == 9
    assert document["running_calls"] == [
        {
            "tool": "Write",
            "tool_use_id": "toolu_9",
            "description": None,
            "command": None,
            "path": "src/plan.md",
            "half_written": True,
            "evidence": {"file": full_report.session, "line": 119},
        }
    ]


def test_an_empty_report_is_valid_too(report: ReportMaker) -> None:
    document = read(report(session_id=None, died_at=None, records=0, main_exists=False))
    assert document["died_at"] is None
    assert document["died_at_epoch"] is None
    assert document["tree"] is None
    assert document["session_live"] is None


def test_a_digest_without_anything_gives_its_reason_and_no_more(report: ReportMaker, worker: WorkerMaker) -> None:
    nothing: Digest[Masked] = Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN, reason=forge("no longer on disk"))
    document = read(report(unreported=(worker(digest=nothing),)))
    assert document["unreported"][0]["digest"] == {
        "recoverable": False,
        "ended": "nothing-written",
        "reason": "no longer on disk",
        "redacted_kinds": [],
    }


def test_a_worker_that_an_error_ended_says_which(report: ReportMaker, worker: WorkerMaker) -> None:
    digest: Digest[Masked] = Digest(recoverable=True, ended=StopCause.USAGE_LIMIT, shape=Shape.RAW_STDOUT)
    document = read(report(unreported=(worker(digest=digest),)))
    assert document["unreported"][0]["digest"]["ended"] == "usage_limit"


def test_tools_that_the_mask_made_equal_are_added_up(report: ReportMaker, worker: WorkerMaker) -> None:
    rows = (ToolCount(tool=forge("x"), calls=2), ToolCount(tool=forge("x"), calls=3))
    document = read(report(unreported=(worker(digest=Digest(recoverable=True, ended=Ended.MID_TEXT, tool_counts=rows)),)))
    assert document["unreported"][0]["digest"]["tool_counts"] == {"x": 5}


def test_a_living_session_and_a_survived_fault(report: ReportMaker) -> None:
    plain = report()
    fault = SurvivedFault(kind=StopCause.NETWORK, evidence=forge("fetch failed"), at=None, completed=True)
    document = read(
        replace(
            plain,
            session_live=SessionLife(pid=41, evidence=forge("the registry names it"), since=datetime(2026, 9, 14, 9, tzinfo=UTC)),
            termination=replace(plain.termination, recovered=fault),
        )
    )
    assert document["session_live"] == {"pid": 41, "evidence": "the registry names it", "since": "2026-09-14T09:00:00.000Z"}
    assert document["termination"]["recovered"] == {"kind": "network", "evidence": "fetch failed", "at": None, "completed": True}


def test_no_control_or_direction_character_is_printed_raw() -> None:
    text = dump({"field": "\x1b[31m\x00\x07\x7f\x9b\u202e\u2028é\U0001f600"})
    assert text == '{\n  "field": "\\u001b[31m\\u0000\\u0007\\u007f\\u009b\\u202e\\u2028\\u00e9\\ud83d\\ude00"\n}\n'


def test_two_writings_are_equal_to_the_byte(full_report: Report[Masked]) -> None:
    assert write_document(full_report) == write_document(full_report)


def test_the_prompt_is_whole(report: ReportMaker, worker: WorkerMaker) -> None:
    prompt = "All of it. " * 2_000
    assert read(report(unreported=(worker(prompt=forge(prompt)),)))["unreported"][0]["prompt"] == prompt


def test_times_are_written_in_utc() -> None:
    assert write_iso(datetime(2026, 1, 2, 3, 4, 5, 678_900, tzinfo=timezone(timedelta(hours=2)))) == "2026-01-02T01:04:05.678Z"
    assert write_iso(None) is None
