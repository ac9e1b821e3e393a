"""Where things lie and what the small documents beside a transcript say, in every version."""

import json
from pathlib import Path

import pytest

from harness.claude_code.builders import make_record
from resume_forensics.harness import HARNESSES
from resume_forensics.harness.claude_code import CLAUDE_CODE
from resume_forensics.harness.claude_code.layout import (
    LIVENESS,
    find_store,
    is_session_name,
    read_job,
    read_journal,
    read_registry,
    read_sidecar,
    sidecar_name,
    slug,
    store_of,
    worker_id_of,
)
from resume_forensics.model.layout import JobState, RegistryEntry
from resume_forensics.model.record import JsonObject
from resume_forensics.model.report import Sidecar, Step
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, Liveness, StepState, WorkerKind

ID = "9f37624d-d5c1-49a4-a134-8d4a95ca57ac"


def test_the_harness_is_one_row_of_the_table() -> None:
    assert CLAUDE_CODE in HARNESSES
    assert (CLAUDE_CODE.name, CLAUDE_CODE.transcript_suffix, CLAUDE_CODE.delivery_traced_since) == ("claude-code", ".jsonl", (2, 1, 90))
    moment = CLAUDE_CODE.time_of(make_record("user"))
    assert moment is not None
    assert moment.hour == 10


def test_the_store_lies_below_the_configuration_folder() -> None:
    assert find_store(Path("/h"), {}) == Path("/h/.claude/projects")
    assert find_store(Path("/h"), {"CLAUDE_CONFIG_DIR": ""}) == Path("/h/.claude/projects")
    assert find_store(Path("/h"), {"CLAUDE_CONFIG_DIR": "/c"}) == Path("/c/projects")


def test_a_path_implies_its_store_only_in_the_known_form() -> None:
    assert store_of(Path(f"/c/projects/-home-dev/{ID}.jsonl")) == Path("/c/projects")
    assert store_of(Path(f"/c/elsewhere/-home-dev/{ID}.jsonl")) is None
    assert store_of(Path(f"{ID}.jsonl")) is None


@pytest.mark.parametrize("name", [f"{ID}.jsonl", "notes.jsonl", "a-copycat.jsonl"])
def test_names_of_sessions(name: str) -> None:
    assert is_session_name(name)


@pytest.mark.parametrize(
    "name",
    [
        ID,
        f"{ID}.json",
        f"{ID}.jsonl.gz",
        "agent-a1b2c3d.jsonl",
        "history.jsonl",
        f"{ID}.sync-conflict-20260301-100000-ABC.jsonl",
        f"{ID} (conflicted copy 2026-03-01).jsonl",
        f"{ID} (dev's conflicted copy).jsonl",
        f"{ID}-conflict-1.jsonl",
        f"{ID} (1).jsonl",
        f"{ID} 2.jsonl",
        f"{ID} copy.jsonl",
        f"{ID}-copy 2.jsonl",
    ],
)
def test_names_of_no_session(name: str) -> None:
    assert not is_session_name(name)


@pytest.mark.parametrize(
    ("name", "worker_id"),
    [
        ("agent-a1b2c3d.jsonl", "a1b2c3d"),
        ("agent-ausrbin-v2c-c-0123456789abcdef.jsonl", "ausrbin-v2c-c-0123456789abcdef"),
        ("agent-3f2a91bc.jsonl", "3f2a91bc"),
        ("agent-acompact-1234.jsonl", None),
        ("agent-aprompt_suggestion-1234.jsonl", None),
        ("agent-aside_question-1234.jsonl", None),
        ("agent-a1.meta.json", None),
        ("agent-.jsonl", None),
        ("agent-two words.jsonl", None),
        (f"{ID}.jsonl", None),
        ("journal.jsonl", None),
    ],
)
def test_a_file_name_says_whose_transcript_it_is(name: str, worker_id: str | None) -> None:
    assert worker_id_of(name) == (Raw(worker_id) if worker_id else None)


def test_the_sidecar_lies_beside_its_transcript() -> None:
    assert sidecar_name("agent-a1.jsonl") == "agent-a1.meta.json"


@pytest.mark.parametrize(
    ("directory", "folder"),
    [
        ("/home/dev/shop", "-home-dev-shop"),
        ("/home/dev/my_app.v2 x", "-home-dev-my-app-v2-x"),
        ("C:\\work\\shop", "C--work-shop"),
        ("/home/café", "-home-caf-"),
        ("/home/cafe\u0301", "-home-caf-"),
        ("/\U0001f600", "---"),
        ("/٣", "--"),
    ],
)
def test_every_other_utf16_unit_becomes_a_dash(directory: str, folder: str) -> None:
    assert slug(directory) == folder


def test_a_sidecar_says_what_it_says_and_no_more() -> None:
    path = Path("agent-a1.meta.json")
    data: JsonObject = {
        "finished": True,
        "reportTaken": False,
        "stoppedByUser": True,
        "parentAgentId": "a0",
        "toolUseId": "toolu_1",
        "isFork": True,
    }
    assert read_sidecar(data, path) == Sidecar(
        file=Raw("agent-a1.meta.json"),
        finished=True,
        report_taken=False,
        stopped_by_user=True,
        parent_worker_id=Raw("a0"),
        tool_use_id=Raw("toolu_1"),
        is_fork=True,
    )
    strange: JsonObject = {
        "finished": "yes",
        "reportTaken": 1,
        "stoppedByUser": None,
        "parentAgentId": [],
        "toolUseId": "REDACTED",
        "isFork": {},
    }
    assert read_sidecar(strange, path) == Sidecar(file=Raw("agent-a1.meta.json"))


@pytest.mark.parametrize(
    ("data", "entry"),
    [
        ({"pid": 42, "sessionId": "s1"}, RegistryEntry(pid=42, session_id=Raw("s1"), start_mark=None)),
        ({"pid": 42, "sessionId": "s1", "procStart": "123"}, RegistryEntry(pid=42, session_id=Raw("s1"), start_mark=Raw("123"))),
        ({"pid": 42, "sessionId": "s1", "procStart": 123}, RegistryEntry(pid=42, session_id=Raw("s1"), start_mark=Raw("123"))),
        ({"pid": 42, "sessionId": "s1", "procStart": [1]}, RegistryEntry(pid=42, session_id=Raw("s1"), start_mark=None)),
        ({"pid": 42, "sessionId": "s1", "procStart": True}, RegistryEntry(pid=42, session_id=Raw("s1"), start_mark=None)),
        ({"pid": 42}, None),
        ({"sessionId": "s1"}, None),
        *(({"pid": pid, "sessionId": "s1"}, None) for pid in (0, -1, 2**31, 10**30, 1.5, True, "42", None)),
    ],
)
def test_a_registry_entry_ties_a_process_to_a_session(data: JsonObject, entry: RegistryEntry | None) -> None:
    assert read_registry(data) == entry


@pytest.mark.parametrize(
    ("data", "state"),
    [
        ({"sessionId": "s1", "state": "done", "inFlight": {"tasks": 2}}, JobState(session_id=Raw("s1"), in_flight=2, state=Raw("done"))),
        ({"sessionId": "s1"}, JobState(session_id=Raw("s1"), in_flight=None, state=None)),
        ({"sessionId": "s1", "inFlight": [2], "state": 5}, JobState(session_id=Raw("s1"), in_flight=None, state=None)),
        ({"sessionId": "s1", "inFlight": {"tasks": float("inf")}}, JobState(session_id=Raw("s1"), in_flight=None, state=None)),
        ({"state": "done"}, None),
    ],
)
def test_a_job_file_counts_its_tasks_in_flight(data: JsonObject, state: JobState | None) -> None:
    assert read_job(data) == state


def test_a_journal_tells_how_far_each_agent_came() -> None:
    lines: list[tuple[str, JsonObject]] = [
        ("launched", {}),
        ("started", {"key": "v2:1", "agentId": "a1", "label": "first"}),
        ("started", {"key": "v2:2", "agentId": "a2"}),
        ("started", {"key": "v2:3", "agentId": "a3"}),
        ("started", {"key": "v2:4", "agentId": "a4"}),
        ("result", {"key": "v2:1", "agentId": "a1", "result": "r"}),
        ("failed", {"key": "v2:2", "agentId": "a2"}),
        ("failed", {"key": "v2:3", "agentId": "a3"}),
        ("started", {"key": "v2:3", "agentId": "a5"}),  # a retry repeats the key
        ("started", {"agentId": "a6"}),
        ("result", {"agentId": "a6"}),
        ("started", {"key": "v2:9", "agentId": "REDACTED"}),
        ("result", {"key": "v2:8"}),
        ("result", {"key": ["v2:4"]}),
    ]
    assert read_journal(make_record(kind, fields) for kind, fields in lines) == (
        Step(agent_id=Raw("a1"), label=Raw("first"), state=StepState.DONE),
        Step(agent_id=Raw("a2"), label=None, state=StepState.FAILED),
        Step(agent_id=Raw("a5"), label=None, state=StepState.IN_FLIGHT),
        Step(agent_id=Raw("a4"), label=None, state=StepState.IN_FLIGHT),
        Step(agent_id=Raw("a6"), label=None, state=StepState.DONE),
    )


@pytest.mark.parametrize(
    ("kind", "habitat", "liveness"),
    [
        (WorkerKind.AGENT, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.MONITOR, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.TEAMMATE, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.TEAMMATE, Habitat.OWN_PROCESS, Liveness.POSSIBLY_LIVE),
        (WorkerKind.TEAMMATE, Habitat.NOT_SAID, Liveness.UNKNOWN_TEAMMATE),
        (WorkerKind.WORKFLOW, Habitat.IN_PROCESS, Liveness.DEAD_WITH_PARENT),
        (WorkerKind.WORKFLOW, Habitat.ELSEWHERE, Liveness.POSSIBLY_LIVE),
        (WorkerKind.WORKFLOW, Habitat.NOT_SAID, Liveness.UNKNOWN_WORKFLOW),
        (WorkerKind.REMOTE_AGENT, Habitat.ELSEWHERE, Liveness.POSSIBLY_LIVE),
        (WorkerKind.BACKGROUND_SHELL, Habitat.OWN_PROCESS, None),
    ],
)
def test_what_can_outlive_its_session(kind: WorkerKind, habitat: Habitat, liveness: Liveness | None) -> None:
    row = next(row for row in LIVENESS if row.kind is kind and row.habitat in (None, habitat))
    assert row.liveness is liveness
    assert row.words


def test_every_kind_of_worker_has_a_row_for_any_habitat() -> None:
    assert {row.kind for row in LIVENESS if row.habitat is None} == set(WorkerKind)


def test_hostile_names_take_no_harm() -> None:
    assert worker_id_of(f"agent-{'a' * 100_000}.jsonl") is None
    assert json.dumps(slug("\ud800x")) == '"-x"'
