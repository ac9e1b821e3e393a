"""The document of a reconciliation: its keys and their order are the contract, and the schema that ships says the same."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import resume_forensics
from render.reconciliations import applied, full, plain
from resume_forensics import vocabulary
from resume_forensics.model.claim import Reconciliation
from resume_forensics.render.claim_document import write_claim_document
from resume_forensics.text import Masked

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema" / "reconcile-1.json").read_text("utf-8"))
TOP = (
    "schema system root generated_at context claims conflicts questions_open next_action report_lines writes_planned applied transcripts "
    "warnings redacted_kinds"
)


def read(found: Reconciliation[Masked]) -> dict[str, Any]:
    """Write the document, hold it against the schema, and read it back."""
    text = write_claim_document(found)
    assert text.isascii()
    assert text.endswith("}\n")
    document: dict[str, Any] = json.loads(text)
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)] == []
    return document


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["additionalProperties"] is False


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("system", vocabulary.System),
        ("says", vocabulary.Says),
        ("evidence_kind", vocabulary.EvidenceKind),
        ("proposal", vocabulary.Proposal),
        ("verdict", vocabulary.Verdict),
        ("conflict_kind", vocabulary.ConflictKind),
        ("refusal", vocabulary.Refusal),
        ("write_kind", vocabulary.WriteKind),
    ],
)
def test_the_schema_knows_each_word_of_the_vocabulary_and_no_other(name: str, words: type[StrEnum]) -> None:
    assert SCHEMA["$defs"][name]["enum"] == [word.value for word in words]


def test_every_key_stands_in_its_order() -> None:
    document = read(full())
    assert list(document) == TOP.split()
    assert list(document["claims"][0]) == ["id", "claim", "claimed_status", "evidence", "verdict", "proposal"]
    assert list(document["claims"][0]["proposal"]) == ["name", "command", "reason", "destroys", "after"]
    assert list(document["conflicts"][0]) == ["id", "kind", "claims", "sides", "resolution", "blocks_apply"]
    assert list(document["next_action"]) == ["name", "target", "reason", "command", "before", "then"]


def test_a_full_answer_says_what_it_was_given() -> None:
    document = read(full())
    assert document["context"]["facts"] == {"session_cost": 5.5, "exit_reason": None}
    assert document["claims"][1]["proposal"]["destroys"] == ["stage-2/a.out"]
    assert document["conflicts"][0]["resolution"] is None
    assert document["questions_open"][0] == {
        "id": "Q-1",
        "text": "Which way?",
        "raised_at": "2026-01-02T09:00:00.000Z",
        "age_s": 259_205,
        "source": "QUESTIONS.md",
    }
    assert document["next_action"]["then"] == {"name": "dispatch", "target": "stage:stage-3", "command": "run it"}
    assert document["writes_planned"] == [
        {"path": "progress.log", "kind": "append", "lines": ["[t] Session 5 started."]},
        {
            "path": "workflow-state.json",
            "kind": "replace",
            "changes": [{"pointer": "/a", "before": None, "after": 0}, {"pointer": "/b", "before": "x", "after": None}],
        },
        {"path": "t.md", "kind": "create", "fields": {"status": "paused"}},
        {"path": "state.db", "kind": "transaction", "statements": ["UPDATE org_sessions"]},
    ]
    assert document["transcripts"] == {"session": "/p/s.jsonl", "unreported": 2, "command": "resume-scan --session /p/s.jsonl"}
    assert document["redacted_kinds"] == ["github-token"]


def test_the_least_answer_says_null_where_there_is_nothing() -> None:
    document = read(plain())
    assert (document["applied"], document["transcripts"], document["next_action"]["then"], document["writes_planned"]) == (
        None,
        None,
        None,
        [],
    )


def test_what_was_applied() -> None:
    assert read(applied(done=True))["applied"] == {"done": True, "refusals": [], "written": ["progress.log", "workflow-state.json"]}
    assert read(applied(done=False))["applied"] == {"done": False, "refusals": ["already-applied"], "written": []}
