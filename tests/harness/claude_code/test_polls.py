"""What polls and stops say of workers, structured and as text, and what says nothing."""

from collections.abc import Callable
from typing import Final

import pytest
from msgspec.structs import replace

from harness.claude_code.builders import CALL, STAMP, assert_linear, tool_result
from resume_forensics.harness.claude_code.polls import HIDDEN_POLLS, SHELL_POLLS, STOP_TOOLS, TASK_POLLS, read_text_end
from resume_forensics.model.event import End, Mention
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Outcome, WorkerKind

SHELL: Final = WorkerKind.BACKGROUND_SHELL
FOUND: Final = End(
    stamp=STAMP, outcome=Outcome.SUCCESS, channel=Channel.FETCHED, status=Raw("completed"), worker_id=Raw("b1"), answers=CALL, kind=SHELL
)
FAILED: Final = replace(FOUND, outcome=Outcome.FAILURE, status=Raw("failed"))
KILLED: Final = replace(FOUND, outcome=Outcome.FAILURE, status=Raw("killed"))
STOPPED: Final = replace(FOUND, outcome=Outcome.FAILURE, channel=Channel.STOPPED, status=Raw("stopped"))
AT_WORK: Final = Mention(stamp=STAMP, worker_id=Raw("b1"), answers=CALL, kind=SHELL)
AGENT: Final = replace(FOUND, worker_id=Raw("a1"), kind=WorkerKind.AGENT)
STATES: Final = STOP_TOOLS | TASK_POLLS


def said(content: Json, structured: Json = None, *, is_error: bool = False) -> list[End | Mention]:
    """What the result of a call says of workers."""
    events = tool_result(content, structured, is_error=is_error)
    return [event for event in events if isinstance(event, End | Mention)]


def task(status: str, **fields: Json) -> JsonObject:
    """The task of a `TaskOutput` result."""
    return {"task_id": "b1", "task_type": "local_bash", "status": status, "output": "<status>failed</status>", **fields}


@pytest.mark.parametrize(
    ("result", "event"),
    [
        ({"retrieval_status": "success", "task": task("completed")}, FOUND),
        ({"retrieval_status": "success", "task": task("failed", exitCode=1)}, FAILED),
        ({"retrieval_status": "success", "task": task("killed")}, KILLED),
        ({"retrieval_status": "success", "task": task("running")}, AT_WORK),
        ({"retrieval_status": "success", "task": task("pending")}, AT_WORK),
        ({"retrieval_status": "timeout", "task": task("completed")}, AT_WORK),
        ({"retrieval_status": "not_ready", "task": task("completed")}, AT_WORK),
        ({"retrieval_status": None, "task": task("completed")}, AT_WORK),
        (
            {"retrieval_status": "success", "task": {"task_id": "a1", "task_type": "local_agent", "status": "completed", "result": "r"}},
            AGENT,
        ),
        ({"retrieval_status": "success", "task": {"task_id": "a1", "status": "completed"}}, AGENT),
        ({"retrieval_status": "success", "agents": {"b3f0a1c2": {"status": "completed"}}}, replace(AGENT, worker_id=Raw("b3f0a1c2"))),
        (
            {"retrieval_status": "timeout", "agents": {"b3f0a1c2": {"status": "completed"}}},
            replace(AT_WORK, worker_id=Raw("b3f0a1c2"), kind=WorkerKind.AGENT),
        ),
        ({"shellId": "bash_3", "command": "x", "status": "completed", "exitCode": 0}, replace(FOUND, worker_id=Raw("bash_3"))),
        ({"shellId": "b1", "status": "failed", "exitCode": 1}, FAILED),
        ({"shellId": "b1", "status": "killed"}, KILLED),
        ({"shellId": "b1", "status": "running"}, AT_WORK),
        ({"taskId": "b1", "status": "completed"}, replace(FOUND, only_from=HIDDEN_POLLS)),
        ({"taskId": "b1", "status": "cancelled"}, replace(FAILED, status=Raw("cancelled"), only_from=HIDDEN_POLLS)),
        ({"taskId": "b1", "status": "working"}, replace(AT_WORK, only_from=HIDDEN_POLLS)),
        ({"message": "Successfully stopped task: b1 (sleep 9)", "task_id": "b1", "task_type": "local_bash", "command": "sleep 9"}, STOPPED),
        ({"message": "Successfully killed shell: b1 (sleep 9)", "shell_id": "b1"}, STOPPED),
        (
            {"success": True, "message": "Successfully killed shell: bash_3 (x)", "shell_id": "bash_3"},
            replace(STOPPED, worker_id=Raw("bash_3")),
        ),
        ({"message": "Successfully stopped task: REDACTED", "task_id": "REDACTED"}, replace(STOPPED, worker_id=None, kind=None)),
        ({"message": "Failed to kill shell: b1", "shell_id": "b1"}, AT_WORK),
        ({"message": "Task b1 may still be running: the machine that runs it did not confirm the stop", "task_id": "b1"}, AT_WORK),
    ],
)
def test_a_structured_result_says_what_was_found(result: JsonObject, event: End | Mention) -> None:
    assert said("whatever", result) == [event]


def test_an_old_poll_may_ask_for_many_agents() -> None:
    agents: JsonObject = {"a1": {"status": "completed"}, "a2": {"status": "running"}, "a3": "gone"}
    mention = replace(AT_WORK, worker_id=Raw("a2"), kind=WorkerKind.AGENT)
    assert said("", {"retrieval_status": "success", "agents": agents}) == [AGENT, mention]


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"retrieval_status": "not_ready", "task": None},
        {"retrieval_status": "success", "task": {"status": "completed"}},
        {"retrieval_status": "success", "task": {"task_id": "REDACTED", "status": "completed"}},
        {"shellId": "b1"},
        {"message": "Successfully stopped task: b1"},
        {"message": "", "task_id": "b1"},
        {"taskId": "b1"},
        {"status": "completed", "agentId": "a1"},
    ],
)
def test_other_structured_results_find_nobody(result: JsonObject) -> None:
    assert said("<status>completed</status>", result) == []


def polled(retrieval: str, status: str, tail: str = "") -> str:
    """The text of a `TaskOutput` result."""
    return (
        f"<retrieval_status>{retrieval}</retrieval_status>\n\n<task_id>b1</task_id>\n\n<task_type>local_bash</task_type>\n\n"
        f"<status>{status}</status>\n\n{tail}"
    )


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (polled("success", "completed", "<exit_code>0</exit_code>"), replace(FOUND, only_from=TASK_POLLS)),
        (polled("success", "failed", "<output>\n<status>completed</status>\n</output>"), replace(FAILED, only_from=TASK_POLLS)),
        (polled("success", "running"), replace(AT_WORK, only_from=TASK_POLLS)),
        (polled("timeout", "completed"), replace(AT_WORK, only_from=TASK_POLLS)),
        (polled("not_ready", "completed"), replace(AT_WORK, only_from=TASK_POLLS)),
        (
            "<retrieval_status>success</retrieval_status>\n<task_id>a1</task_id>\n<status>completed</status>",
            replace(AGENT, only_from=TASK_POLLS),
        ),
        (
            "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\n<status>failed</status>\n</stdout>",
            replace(FOUND, worker_id=None, only_from=SHELL_POLLS),
        ),
        ("<status>killed</status>\n\n<stderr>x</stderr>", replace(KILLED, worker_id=None, only_from=SHELL_POLLS)),
        ("<status>running</status>\n\n<timestamp>t</timestamp>", replace(AT_WORK, worker_id=None, only_from=SHELL_POLLS)),
        ("Successfully stopped task: b1 (sleep 9)", replace(STOPPED, only_from=STOP_TOOLS)),
        ("Successfully killed shell: b1.", replace(STOPPED, only_from=STOP_TOOLS)),
        ('{"message":"Successfully stopped task: b1 (x)","task_id":"b1"}', replace(STOPPED, only_from=STOP_TOOLS)),
        ('{"success":true,"message":"Successfully killed shell: b1 (x)"}', replace(STOPPED, only_from=STOP_TOOLS)),
    ],
)
def test_a_text_says_what_was_found_to_the_tool_that_asks(text: str, event: End | Mention) -> None:
    assert said(text) == [event]
    assert said([{"type": "text", "text": text}], "as text") == [event]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("Task b1 is not running (status: completed)", FOUND),
        ("<tool_use_error>Task b1 is not running (status: killed)</tool_use_error>", KILLED),
        ("Error: Shell bash_3 is not running (status: failed)", replace(FAILED, worker_id=Raw("bash_3"))),
        ("(?) is not running (status: failed)", replace(FAILED, worker_id=None, kind=None)),
    ],
)
def test_an_error_may_name_a_state(text: str, event: End) -> None:
    assert said(text, is_error=True) == [replace(event, only_from=STATES)]
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No task found with ID: b1",
        "Task b1 is not running (status: running)",
        "Task b1 is not running (status: pending)",
        "Task b1 is not running",
        "I found that Successfully stopped task: b1",
        "<output>\n<task_id>b1</task_id>\n<status>completed</status>\n</output>",
        "grep found:\n<status>completed</status>",
        "grep found:\n<retrieval_status>success</retrieval_status>\n<task_id>b1</task_id>\n<status>completed</status>",
        "<retrieval_status>success</retrieval_status>",
        "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>",
    ],
)
def test_other_texts_find_nobody(text: str) -> None:
    assert said(text, is_error=True) == []
    assert said(text) == []


def test_a_poll_whose_text_names_a_placeholder_finds_nobody() -> None:
    assert said("<retrieval_status>success</retrieval_status>\n<task_id>REDACTED</task_id>\n<status>completed</status>") == []


def test_a_shell_poll_of_old_is_an_alias_of_the_task_poll_now() -> None:
    assert SHELL_POLLS < TASK_POLLS
    assert {"TaskOutput", "AgentOutputTool", "AgentOutput", "BashOutputTool", "BashOutput"} == TASK_POLLS
    assert {"TaskStop", "KillShell", "KillBash"} == STOP_TOOLS


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "<status>x</status>\n" * n,
        lambda n: "<status>completed</status>" + "\n" * n + " " * n + "y",
        lambda n: "<retrieval_status>" * n,
        lambda n: "<status>" + "<output>" * n,
        lambda n: "a.b." * n + " is not running (status: killed",
        lambda n: " is not running (status: " * n,
        lambda n: " is not running (status: " + "k" * n,
        lambda n: "Successfully stopped task: " + "." * n,
        lambda n: " " * n + "{",
    ],
)
def test_hostile_answers_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: list(read_text_end(STAMP, make(size), CALL, failed=True)))
