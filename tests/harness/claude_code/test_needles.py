"""Every record that says something to the ledger holds a needle, and every needle keeps the rule that makes it safe."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.stories import tell
from resume_forensics.harness.claude_code import CLAUDE_CODE
from resume_forensics.harness.claude_code.needles import LINK_KEY, LINK_MARK, NEEDLES, RESULT_KEY
from resume_forensics.harness.claude_code.receipts import TEXT_RECEIPTS
from resume_forensics.model.event import Belonging, Call, DriverMove, End, Event, KillAll, Launch, Mention, PendingCount, QueueMove
from resume_forensics.model.record import JsonObject, Place, Record
from resume_forensics.model.session import Source
from resume_forensics.read.records import read_records

TOLD_BY_THEMSELVES = Launch | End | Mention | KillAll | QueueMove | DriverMove | PendingCount
"""Links and results are looked for once a call is awaited, calls behind their receipts; turns and faults are read from the tail."""


def matters(event: Event) -> bool:
    if isinstance(event, Call):
        return event.spawns is not None
    return isinstance(event, TOLD_BY_THEMSELVES) or (isinstance(event, Belonging) and event.continued_in is not None)


def unnominated(data: JsonObject) -> Iterator[Event]:
    """The events of a record that matter although no needle stands in its line."""
    line = json.dumps(data, ensure_ascii=False)
    if not any(needle in line for needle in NEEDLES):
        record = Record(place=Place(line=1, byte=0), data=data)
        yield from filter(matters, CLAUDE_CODE.translate(record, Source(path=Path("s"))))


@pytest.mark.parametrize("needle", [*NEEDLES, LINK_KEY, LINK_MARK, RESULT_KEY])
def test_a_needle_is_plain_text_from_inside_one_string(needle: str) -> None:
    assert needle.isascii()
    assert needle.isprintable()
    assert not set(needle) & set("\\/")
    assert '"' not in needle[1:-1]  # a quote that ends the string is always written so, one inside it never
    assert len(needle) >= 4


def test_needles_are_told_apart() -> None:
    assert len(set(NEEDLES)) == len(NEEDLES)


@pytest.mark.parametrize("row", TEXT_RECEIPTS, ids=lambda row: row.seen + row.kind)
def test_every_form_of_receipt_is_nominated_by_its_text_alone(row: object) -> None:
    sample = getattr(row, "sample", None)
    assert isinstance(sample, str)
    assert any(needle in sample for needle in NEEDLES)


RESULTS: tuple[JsonObject, ...] = (
    {"status": "async_launched", "agentId": "a1"},
    {"status": "forked", "background": True, "agentId": "a1"},
    {"status": "remote_launched", "taskId": "r1"},
    {"status": "teammate_spawned", "agent_id": "x@y"},
    {"taskId": "w1", "runId": "wf_1"},
    {"taskId": "w1", "taskType": "local_workflow"},
    {"taskId": "m1", "timeoutMs": 5, "persistent": False},
    {"backgroundTaskId": "b1"},
    {"success": True, "resumedAgentId": "a1"},
    {"success": True, "revivedAgentId": "a1"},
    {"success": True, "message": 'Agent "x" had no active task; resumed from transcript in the background with your message.'},
    {"retrieval_status": "success", "task": {"task_id": "b1", "status": "completed"}},
    {"retrieval_status": "success", "agents": {"a1": {"status": "completed"}}},
    {"shellId": "bash_1", "status": "completed"},
    {"message": "Successfully stopped task: b1 (x)", "task_id": "b1"},
    {"message": "Successfully killed shell: bash_1 (x)", "shell_id": "bash_1"},
    {"message": "It could not be stopped.", "task_id": "b1"},
    {"message": "It could not be stopped.", "shell_id": "bash_1"},
    {"id": "j1", "humanSchedule": "Every minute"},
    {"scheduledFor": 1_700_000_000_000},
    {"trigger_id": "t1"},
)
TEXTS = (
    "Successfully stopped task: b1 (make all)",
    "Successfully killed shell: bash_1 (make all)",
    "<status>running</status>\n\n<stdout>",
    "<retrieval_status>timeout</retrieval_status>\n\n<task_id>b1</task_id>",
    "Task b1 is not running (status: completed)",
    "Scheduled recurring job j1 (Every minute). Session-only.",
    "Scheduled one-shot task j1 (at noon). It is written down.",
    "Resuming agent a1",
    'Agent "x" was stopped (by the user); resumed it in the background with your message.',
    'Agent "x" had no active task; resumed from transcript in the background with your message.',
)
RECORDS: tuple[JsonObject, ...] = (
    {"type": "system", "subtype": "task_notification", "task_id": "a1", "status": "completed"},
    {"type": "system", "subtype": "agents_killed"},
    {"type": "system", "subtype": "scheduled_task_fire", "taskId": "j1", "taskKind": "loop"},
    {"type": "system", "subtype": "turn_duration", "pendingBackgroundAgentCount": 1},
    {"type": "system", "subtype": "turn_duration", "pendingWorkflowCount": 1},
    {"type": "attachment", "attachment": {"type": "task_status", "taskId": "a1", "status": "running"}},
    {"type": "attachment", "attachment": {"type": "background_shell_status", "taskId": "bash_1", "status": "failed"}},
    {"type": "attachment", "attachment": {"type": "async_agent_status", "agentId": "a1", "status": "completed"}},
    {"type": "queue-operation", "operation": "dequeue"},
    {"type": "continued-in", "continuedInSessionId": "s2"},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": "Task", "input": {}}]}},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": "Agent", "input": {}}]}},
)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: next(iter(result)))
def test_every_structured_form_is_nominated(result: JsonObject) -> None:
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": ""}
    data: JsonObject = {"type": "user", "message": {"content": [block]}, "toolUseResult": result}
    events = CLAUDE_CODE.translate(Record(place=Place(line=1, byte=0), data=data), Source(path=Path("s")))
    assert any(matters(event) for event in events)
    assert list(unnominated(data)) == []


@pytest.mark.parametrize("text", TEXTS)
def test_every_form_of_text_is_nominated(text: str) -> None:
    """Transcripts of helpers have no structured results."""
    block: JsonObject = {"type": "tool_result", "tool_use_id": "toolu_1", "content": text, "is_error": "not running" in text}
    data: JsonObject = {"type": "user", "message": {"content": [block]}}
    events = CLAUDE_CODE.translate(Record(place=Place(line=1, byte=0), data=data), Source(path=Path("s")))
    assert any(matters(event) for event in events)
    assert list(unnominated(data)) == []


@pytest.mark.parametrize("data", RECORDS, ids=lambda data: str(data.get("subtype") or data["type"]))
def test_every_other_kind_of_record_is_nominated(data: JsonObject) -> None:
    events = CLAUDE_CODE.translate(Record(place=Place(line=1, byte=0), data=data), Source(path=Path("s")))
    assert any(matters(event) for event in events)
    assert list(unnominated(data)) == []


@given(seed=st.integers(0, 2**32))
def test_every_record_of_a_story_that_matters_is_nominated(seed: int) -> None:
    for step in tell(seed).steps:
        assert list(unnominated(json.loads(step.line()))) == []


def test_every_real_record_that_matters_is_nominated(shared: Path) -> None:
    seen = 0
    for folder in ("cases", "corpus"):
        for path in sorted((shared / folder).rglob("*.jsonl")):
            if "projects" in path.parts and path.is_file():
                for item in read_records(path):
                    if isinstance(item, Record):
                        seen += 1
                        assert list(unnominated(item.data)) == [], f"{path.name}:{item.place.line}"
    assert seen > 10_000
