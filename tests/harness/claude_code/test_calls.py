"""What the calls of the model ask for, tool by tool."""

from typing import Final

import pytest

from harness.claude_code.builders import CALL, STAMP, assistant
from resume_forensics.harness.claude_code.calls import CALL_FORMS, read_call
from resume_forensics.model.event import Call
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import WorkerKind

AGENT_INPUT: Final[JsonObject] = {
    "description": "look",
    "prompt": "Look.",
    "subagent_type": "Explore",
    "run_in_background": True,
    "resume": "a1",
}
AGENT: Final = Call(
    stamp=STAMP,
    tool_use_id=CALL,
    tool=Raw("Agent"),
    spawns=WorkerKind.AGENT,
    description=Raw("look"),
    prompt=Raw("Look."),
    subagent_type=Raw("Explore"),
    target=Raw("a1"),
    awaited=True,
)


def call(name: Json, asked: Json, tool_use_id: Json = "toolu_1") -> Call | None:
    """The call that a tool_use block makes."""
    return read_call(STAMP, {"type": "tool_use", "id": tool_use_id, "name": name, "input": asked})


def test_an_agent_call_is_a_foreground_worker_until_its_result_says_else() -> None:
    assert call("Agent", AGENT_INPUT) == AGENT
    task = call("Task", AGENT_INPUT)
    assert task is not None
    assert (task.tool, task.spawns, task.target) == (Raw("Task"), WorkerKind.AGENT, Raw("a1"))


def test_results_that_say_nothing_of_themselves_are_awaited() -> None:
    assert {name for name in CALL_FORMS if (found := call(name, {})) and found.awaited} == {"Task", "Agent", "CronDelete"}


def test_only_agent_tools_start_workers_by_the_call_alone() -> None:
    assert {name for name, form in CALL_FORMS.items() if form.spawns} == {"Task", "Agent"}


@pytest.mark.parametrize(
    ("name", "asked", "target"),
    [
        ("SendMessage", {"to": "a1", "message": "m"}, "a1"),
        ("SendMessage", {"recipient": "scout", "content": "m"}, "scout"),
        ("TaskOutput", {"task_id": "b1", "block": True}, "b1"),
        ("AgentOutputTool", {"agentId": "a1"}, "a1"),
        ("AgentOutput", {"agent_id": "a1"}, "a1"),
        ("BashOutput", {"bash_id": "bash_3"}, "bash_3"),
        ("BashOutputTool", {"shell_id": "b1"}, "b1"),
        ("GetTask", {"taskId": "b1"}, "b1"),
        ("TaskStop", {"task_id": "b1"}, "b1"),
        ("TaskStop", {"task_id": None, "shell_id": "b1"}, "b1"),
        ("KillShell", {"shell_id": "b1"}, "b1"),
        ("KillBash", {"shell_id": "bash_3"}, "bash_3"),
        ("CronDelete", {"id": "f0257541"}, "f0257541"),
        ("Workflow", {"resumeFromRunId": "wf_0a1b2c3d-4e5", "script": "s"}, "wf_0a1b2c3d-4e5"),
        ("TaskOutput", {"task_id": "REDACTED"}, None),
        ("Bash", {"task_id": "b1"}, None),
    ],
)
def test_a_call_names_the_worker_that_it_speaks_to(name: str, asked: JsonObject, target: str | None) -> None:
    made = call(name, asked)
    assert made is not None
    assert made.target == (Raw(target) if target else None)


@pytest.mark.parametrize(
    ("name", "asked", "prompt"),
    [
        ("Workflow", {"script": "s", "name": "n"}, "s"),
        ("Workflow", {"scriptPath": "/p/x.js"}, "/p/x.js"),
        ("SendMessage", {"content": "m"}, "m"),
        ("CronCreate", {"prompt": "check"}, "check"),
        ("ScheduleWakeup", {"prompt": "check"}, "check"),
        ("RemoteTrigger", {"action": "run"}, "run"),
        ("Bash", {"prompt": "p"}, None),
        ("Agent", {"prompt": ["p"]}, None),
    ],
)
def test_a_call_says_what_is_asked(name: str, asked: JsonObject, prompt: str | None) -> None:
    made = call(name, asked)
    assert made is not None
    assert made.prompt == (Raw(prompt) if prompt else None)


@pytest.mark.parametrize(
    ("name", "asked", "path", "edits"),
    [
        ("Read", {"file_path": "/p/a.py"}, "/p/a.py", False),
        ("Edit", {"file_path": "/p/a.py"}, "/p/a.py", True),
        ("MultiEdit", {"file_path": "/p/a.py"}, "/p/a.py", True),
        ("Write", {"file_path": "/p/a.py"}, "/p/a.py", True),
        ("NotebookEdit", {"notebook_path": "/p/a.ipynb"}, "/p/a.ipynb", True),
        ("Grep", {"file_path": "/p/a.py"}, None, False),
        ("Write", {"file_path": 5}, None, True),
    ],
)
def test_a_call_names_the_file_that_it_touches(name: str, asked: JsonObject, path: str | None, edits: bool) -> None:  # noqa: FBT001
    made = call(name, asked)
    assert made is not None
    assert (made.path, made.edits) == (Raw(path) if path else None, edits)


def test_any_tool_keeps_command_and_description() -> None:
    asked: JsonObject = {"command": "make", "name": "build", "run_in_background": False}
    assert call("Bash", asked) == Call(stamp=STAMP, tool_use_id=CALL, tool=Raw("Bash"), command=Raw("make"), description=Raw("build"))
    assert call("mcp__x__y", None) == Call(stamp=STAMP, tool_use_id=CALL, tool=Raw("mcp__x__y"))


@pytest.mark.parametrize(
    ("name", "tool_use_id"), [("Bash", None), ("Bash", ""), ("Bash", "REDACTED"), (None, "toolu_1"), (["Bash"], "toolu_1")]
)
def test_a_call_without_id_or_name_is_none(name: Json, tool_use_id: Json) -> None:
    assert call(name, {}, tool_use_id) is None


def test_calls_stand_before_their_turn_in_order() -> None:
    blocks: list[JsonObject] = [{"type": "tool_use", "id": f"toolu_{n}", "name": "Bash", "input": {}} for n in (1, 2)]
    *calls, _ = assistant(*blocks, {"type": "tool_use"})
    assert [made.tool_use_id for made in calls if isinstance(made, Call)] == [Raw("toolu_1"), Raw("toolu_2")]


@pytest.mark.parametrize(
    ("tool", "asked"), [("Grep", {"pattern": "needle"}), ("WebSearch", {"query": "needle"}), ("WebFetch", {"url": "needle"})]
)
def test_what_is_searched_for_is_the_topic(tool: str, asked: JsonObject) -> None:
    assert call(tool, asked) == Call(stamp=STAMP, tool_use_id=CALL, tool=Raw(tool), topic=Raw("needle"))
