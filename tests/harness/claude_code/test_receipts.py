"""Every launch form of every version, structured and as text, and what only looks like one."""

from collections.abc import Callable
from typing import Final

import pytest
from msgspec.structs import replace

from harness.claude_code.builders import CALL, STAMP, assert_linear, text_block, tool_result
from resume_forensics.harness.claude_code.receipts import (
    AGENT_TOOLS,
    MESSAGE_TOOLS,
    MONITOR_TOOLS,
    SHELL_TOOLS,
    TEXT_RECEIPTS,
    WORKFLOW_TOOLS,
    TextReceipt,
    read_text_launch,
)
from resume_forensics.model.event import Launch, Result
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Habitat, WorkerKind

OUT: Final = "/t/claude-1000/-home-dev-shop/tasks/b1.output"
SHELL: Final = Launch(
    stamp=STAMP, kind=WorkerKind.BACKGROUND_SHELL, habitat=Habitat.OWN_PROCESS, worker_id=Raw("b1"), tool_use_id=CALL, only_from=SHELL_TOOLS
)
SHELL_OUT: Final = replace(SHELL, output_file=Raw(OUT))
AGENT: Final = Launch(
    stamp=STAMP, kind=WorkerKind.AGENT, habitat=Habitat.IN_PROCESS, worker_id=Raw("a1"), tool_use_id=CALL, only_from=AGENT_TOOLS
)
AGENT_OUT: Final = replace(AGENT, output_file=Raw("/t/a b/a1.output"))
MONITOR: Final = replace(AGENT, kind=WorkerKind.MONITOR, worker_id=Raw("m1"), only_from=MONITOR_TOOLS)
REMOTE: Final = replace(AGENT, kind=WorkerKind.REMOTE_AGENT, habitat=Habitat.ELSEWHERE, worker_id=Raw("r1"))
TEAMMATE: Final = replace(AGENT, kind=WorkerKind.TEAMMATE, habitat=Habitat.NOT_SAID, worker_id=Raw("scout@harbor"))
WORKFLOW: Final = replace(
    AGENT, kind=WorkerKind.WORKFLOW, habitat=Habitat.NOT_SAID, worker_id=Raw("w1"), only_from=WORKFLOW_TOOLS, run_id=Raw("wf_0a1b2c3d-4e5")
)
REVIVAL: Final = replace(AGENT, worker_id=None, revival=True, only_from=MESSAGE_TOOLS)
NOTIFIED: Final = "You will be notified when it completes. To check interim output, use Read on that file path."


def launches(text: str) -> list[Launch]:
    """What the text of a result says by itself."""
    return list(read_text_launch(STAMP, text, CALL))


def structured(result: Json, text: Json = "") -> list[Launch]:
    """What a result with this structured object says."""
    return [event for event in tool_result(text, result) if isinstance(event, Launch)]


@pytest.mark.parametrize("row", TEXT_RECEIPTS, ids=lambda row: row.needle)
def test_every_row_is_reached_by_its_sample_and_spares_its_near_miss(row: TextReceipt) -> None:
    (launch,) = launches(row.sample)
    assert (launch.kind, launch.habitat, launch.only_from) == (row.kind, row.habitat, row.tools)
    assert row.needle in row.sample
    earlier = TEXT_RECEIPTS[: TEXT_RECEIPTS.index(row)]
    assert not any(one.needle in row.sample and one.opening.search(row.sample) for one in earlier)
    assert launches(row.near_miss) == []


@pytest.mark.parametrize(
    ("text", "launch"),
    [
        # a shell asked to run in the background (2.0.1; 2.0.77; 2.1.150; PowerShell gives the same)
        ("Command running in background with ID: b1", SHELL),
        ("Command running in background with ID: bash_3", replace(SHELL, worker_id=Raw("bash_3"), counted_id=True)),
        ("Command running in background with ID: b1.", SHELL),
        (f"Command running in background with ID: b1. Output is being written to: {OUT}", SHELL_OUT),
        (f"Command running in background with ID: b1. Output is being written to: {OUT}.", SHELL_OUT),
        (f"Command running in background with ID: b1. Output is being written to: {OUT}. {NOTIFIED}", SHELL_OUT),
        (f"Command running in background with ID: b1. Output is being written to: {OUT} {NOTIFIED}\r\n", SHELL_OUT),
        (
            (
                f"Command running in background with ID: b1. Output is being written to: {OUT}. {NOTIFIED} Session cwd remains "
                f"/home/dev/shop; "
                "directory changes made by the backgrounded command do not apply to subsequent commands."
            ),
            SHELL_OUT,
        ),
        (
            "Command running in background with ID: b1. Output is being written to: /t/a b/it is. here/b1.output. To check interim output",
            replace(SHELL, output_file=Raw("/t/a b/it is. here/b1.output")),
        ),
        # moved to the background: by the user, by the budget, by a timeout, to deliver a message
        (f"Command was manually backgrounded by user with ID: b1. Output is being written to: {OUT}", SHELL_OUT),
        (
            (
                "Command exceeded the assistant-mode blocking budget (15s) and was moved to the background with ID: b1. It is still "
                "running "
                f"— you will be notified when it completes. Output is being written to: {OUT}"
            ),
            SHELL_OUT,
        ),
        (
            f"Command did not complete within its 120s timeout and was moved to the background (ID: b1). Output is being written to: {OUT}",
            SHELL_OUT,
        ),
        ("Command did not complete within its 2m 0s timeout and was moved to the background with ID: b1", SHELL),
        (f"Command was moved to the background (ID: b1) after running for 30s. Output is being written to: {OUT}", SHELL_OUT),
        ("Command was moved to the background (ID: b1) so that a message that arrived while it was running can reach you.", SHELL),
        # after the command's own output, and after an earlier receipt that it printed
        ("Performing Streamed Install\nSuccess\nCommand running in background with ID: b1", SHELL),
        ("Command running in background with ID: b9\nCommand running in background with ID: b1", SHELL),
        # agents
        ("Async agent launched successfully.\nagentId: a1 (internal ID - do not mention to user.)", AGENT),
        ("Async agent launched successfully. agentId: a1", AGENT),
        (
            (
                "Async agent launched successfully.\nagentId: a1 (This is an internal ID for your use, do not mention it to the user. "
                "You can use this "
                "ID to resume the agent later if needed.)\noutput_file: /t/a b/a1.output\nThe agent is currently working in the "
                "background. If you "
                "have other tasks you should continue working on them now."
            ),
            AGENT_OUT,
        ),
        (
            (
                "Async agent launched successfully.\nagentId: a1 (internal ID - do not mention to user. Use to resume later if "
                "needed.)\nThe agent is "
                "working in the background. You will be notified automatically when it completes.\nDo not duplicate this agent's work — "
                "avoid working "
                "with the same files or topics it is using.\noutput_file: /t/a b/a1.output\nTo check progress before completion, use Read."
            ),
            AGENT_OUT,
        ),
        (
            (
                "Async agent launched successfully. (This tool result is internal metadata — never quote or paste any part of it, "
                "including the agentId "
                "a1, into a user-facing reply.)\nagentId: a1 (internal ID - do not mention to user. Use SendMessage with to: 'a1' to "
                "continue this "
                "agent.)\nThe agent is working in the background.\noutput_file: /t/a b/a1.output\nBriefly tell the user what you launched."
            ),
            AGENT_OUT,
        ),
        (
            (
                "Async agent launched successfully. (This tool result is internal metadata, including the agentId a1.) agentId: a1 "
                "(internal ID)"
            ),
            AGENT,
        ),
        (
            "Async agent launched successfully.\nagentId: ausrbin-v2c-c-0123456789abcdef (internal ID)",
            replace(AGENT, worker_id=Raw("ausrbin-v2c-c-0123456789abcdef")),
        ),
        ("The agent has not finished. It is waiting for the user to answer a permission request.\nagentId: a1 (internal ID)", AGENT),
        # remote agents, teammates, monitors, workflows
        (
            (
                "Remote agent launched in CCR.\ntaskId: r1\nsession_url: https://host/s\noutput_file: /t/r1.output\nThe agent is running "
                "remotely."
            ),
            replace(REMOTE, output_file=Raw("/t/r1.output")),
        ),
        ("Cloud agent launched. (It runs in the cloud.)\ntaskId: r1\nsession_url: https://host/s", REMOTE),
        ("Spawned successfully.\nagent_id: scout@harbor\nname: scout\nteam_name: harbor\nThe agent is now running.", TEAMMATE),
        ("Monitor started (task m1, timeout 600000ms). You will be notified on each event. Keep working — do not poll or sleep.", MONITOR),
        ("Monitor started (task m1, persistent — runs until TaskStop or session end). You will be notified on each event.", MONITOR),
        ("Monitor started (task m1, expires in 2h). You will be notified on each event.", MONITOR),
        (
            (
                "Workflow launched in background. Task ID: w1\nSummary: review\nTranscript dir: "
                "/p/subagents/workflows/wf_0a1b2c3d-4e5\nScript file: "
                "/p/x.js\n(Edit this file with Write/Edit and re-invoke Workflow)\nRun ID: wf_0a1b2c3d-4e5\nTo resume after editing the "
                "script: Workflow()"
            ),
            replace(WORKFLOW, output_file=Raw("/p/subagents/workflows/wf_0a1b2c3d-4e5")),
        ),
        ("Workflow launched in background. Task ID: w1", replace(WORKFLOW, run_id=None)),
    ],
)
def test_a_text_receipt_says_the_launch(text: str, launch: Launch) -> None:
    assert launches(text) == [launch]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Command running in background",
        "Command running in background with ID: ",
        "$ Command running in background with ID: b1",
        "Command running in background with ID: REDACTED",
        "Command running in background with ID: b1 and that is all I know",
        "Command running in background with ID: b1\nmore output of the command",
        f"Command running in background with ID: b1. Output is being written to: {OUT}\nmore output of the command",
        "Async agent launched successfully.\nagentId: REDACTED (internal ID)",
        "Async agent launched successfully.",
        "Async agent launched successfully.\nThe agentId is a1",
        "Async agent launched successfully.\nagentId: a1\nSo says the page that I was asked to read.",
        "> Async agent launched successfully.\n> agentId: a1",
        "Workflow failed to launch. Task ID: w1",
        "Monitor started (task m1, timeout 600000ms)",
        "Spawned successfully.\nname: scout",
        "Message queued for delivery to a1 at its next tool round.",
    ],
)
def test_other_texts_say_no_launch(text: str) -> None:
    assert launches(text) == []


@pytest.mark.parametrize(
    ("text", "worker_id", "output_file"),
    [
        ('Agent "a1" was stopped (completed); resumed it in the background with your message.', None, None),
        (
            'Agent "scout" was stopped (killed); resumed it in the background with your message. Output: /t/t/a1.output',
            "a1",
            "/t/t/a1.output",
        ),
        ('Agent "a1" had no active task; resumed from transcript in the background. Output: /t/t/a1.output.', "a1", "/t/t/a1.output"),
        ('Agent "a1" had no active task; resumed from transcript in the background. Output: C:\\t\\a1.output', "a1", "C:\\t\\a1.output"),
        ('Agent "a1" had no active task; resumed from transcript in the background. Output: /t/t/a1.txt', None, "/t/t/a1.txt"),
        ("Resuming agent a1b2c3d", None, None),
    ],
)
def test_a_message_may_set_an_agent_to_work_again(text: str, worker_id: str | None, output_file: str | None) -> None:
    launch = replace(REVIVAL, worker_id=Raw(worker_id) if worker_id else None, output_file=Raw(output_file) if output_file else None)
    assert launches(text) == [launch]
    assert structured({"success": True, "message": text}) == [launch]
    assert structured({"success": False, "message": text}) == []


def test_a_message_result_written_as_text_says_the_revival_too() -> None:
    message = 'Agent \\"a1\\" was stopped (completed); resumed it in the background with your message. Output: /t/a1.output'
    text = f'{{"success":true,"message":"{message}"}}'
    assert launches(text) == [replace(REVIVAL, worker_id=Raw("a1"), output_file=Raw("/t/a1.output"))]


@pytest.mark.parametrize(
    "text",
    [
        '{"success":true,"message":"Message sent","routing":{"content":"Agent \\"a1\\" was stopped (x); resumed it in the background"}}',
        '{"success":false,"message":"Agent \\"a1\\" was stopped (x); resumed it in the background"}',
        'I wrote: Agent "a1" was stopped (x); resumed it in the background',
        "Message sent: Resuming agent a1",
    ],
)
def test_a_message_that_quotes_a_revival_sets_nobody_to_work(text: str) -> None:
    assert launches(text) == []


def _structured(launch: Launch) -> Launch:
    return replace(launch, only_from=None)


@pytest.mark.parametrize(
    ("result", "launch"),
    [
        ({"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}, SHELL),
        ({"stdout": "", "backgroundTaskId": "bash_3"}, replace(SHELL, worker_id=Raw("bash_3"), counted_id=True)),
        ({"backgroundTaskId": "b1", "backgroundedByUser": True}, SHELL),
        ({"backgroundTaskId": "b1", "assistantAutoBackgrounded": True}, SHELL),
        ({"backgroundTaskId": "b1", "timedOutAfterMs": 120_000}, SHELL),
        (
            {
                "isAsync": True,
                "status": "async_launched",
                "agentId": "a1",
                "description": "look",
                "prompt": "Look.",
                "outputFile": "/t/a1.output",
            },
            replace(AGENT, description=Raw("look"), prompt=Raw("Look."), output_file=Raw("/t/a1.output")),
        ),
        ({"status": "async_launched", "agentId": "a1", "waitsAtPermissionPrompt": True}, AGENT),
        ({"status": "forked", "background": True, "agentId": "a1", "commandName": "review"}, replace(AGENT, description=Raw("review"))),
        (
            {
                "status": "remote_launched",
                "taskId": "r1",
                "sessionUrl": "u",
                "description": "far",
                "prompt": "Go.",
                "outputFile": "/t/r1.output",
            },
            replace(REMOTE, description=Raw("far"), prompt=Raw("Go."), output_file=Raw("/t/r1.output")),
        ),
        (
            {"status": "async_launched", "taskId": "w1", "taskType": "local_workflow", "workflowName": "n", "runId": "wf_0a1b2c3d-4e5"},
            replace(WORKFLOW, habitat=Habitat.IN_PROCESS, description=Raw("n")),
        ),
        (
            {"status": "async_launched", "taskId": "w1", "runId": "wf_0a1b2c3d-4e5", "summary": "s", "transcriptDir": "/p/wf_0a1b2c3d-4e5"},
            replace(WORKFLOW, description=Raw("s"), output_file=Raw("/p/wf_0a1b2c3d-4e5")),
        ),
        (
            {"status": "async_launched", "taskId": "w1", "taskType": "local_workflow", "transcriptDir": "C:\\p\\wf_0a1b2c3d-4e5\\"},
            replace(WORKFLOW, habitat=Habitat.IN_PROCESS, output_file=Raw("C:\\p\\wf_0a1b2c3d-4e5\\")),
        ),
        (
            {"status": "async_launched", "taskId": "w1", "taskType": "local_workflow", "transcriptDir": "/p/runs/7"},
            replace(WORKFLOW, habitat=Habitat.IN_PROCESS, output_file=Raw("/p/runs/7"), run_id=None),
        ),
        ({"taskId": "w1", "runId": "wf_0a1b2c3d-4e5"}, WORKFLOW),
        ({"status": "remote_launched", "taskId": "w1", "runId": "wf_0a1b2c3d-4e5"}, replace(WORKFLOW, habitat=Habitat.ELSEWHERE)),
        (
            {"status": "async_launched", "taskId": "w1", "taskType": "remote_agent"},
            replace(WORKFLOW, habitat=Habitat.ELSEWHERE, run_id=None),
        ),
        (
            {"status": "teammate_spawned", "teammate_id": "scout@harbor", "name": "scout", "is_splitpane": True, "prompt": "Go."},
            replace(TEAMMATE, habitat=Habitat.OWN_PROCESS, alias=Raw("scout"), description=Raw("scout"), prompt=Raw("Go.")),
        ),
        ({"status": "teammate_spawned", "agent_id": "scout@harbor", "is_splitpane": False}, replace(TEAMMATE, habitat=Habitat.IN_PROCESS)),
        ({"status": "teammate_spawned", "agent_id": "scout@harbor", "is_splitpane": "yes"}, TEAMMATE),
        (
            {"status": "teammate_spawned", "agent_id": "scout@harbor", "is_splitpane": True, "task_type": "in_process_teammate"},
            replace(TEAMMATE, habitat=Habitat.IN_PROCESS),
        ),
        ({"success": True, "message": "Sent.", "resumedAgentId": "a1"}, replace(AGENT, revival=True)),
        ({"success": True, "message": "Sent.", "revivedAgentId": "a1"}, replace(AGENT, revival=True)),
    ],
)
def test_a_structured_result_says_the_launch_for_any_tool(result: JsonObject, launch: Launch) -> None:
    assert structured(result) == [_structured(launch)]


@pytest.mark.parametrize("result", [{"taskId": "m1", "timeoutMs": 600_000}, {"taskId": "m1", "timeoutMs": 0, "persistent": True}])
def test_a_task_with_a_timeout_is_a_monitor_if_that_tool_was_called(result: JsonObject) -> None:
    assert structured(result) == [MONITOR]


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"stdout": "", "backgroundTaskId": "REDACTED"}, WorkerKind.BACKGROUND_SHELL),
        ({"status": "async_launched", "agentId": "REDACTED", "prompt": "Look."}, WorkerKind.AGENT),
    ],
)
def test_a_launch_whose_id_was_redacted_is_known_by_its_tool_call(result: JsonObject, kind: WorkerKind) -> None:
    (launch,) = structured(result, "")
    assert (launch.kind, launch.worker_id, launch.tool_use_id) == (kind, None, CALL)


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"stdout": "", "backgroundTaskId": None},
        {"status": "async_launched", "agentId": "a1", "error": "no"},
        {"status": "completed", "agentId": "a1", "content": []},
        {"status": "forked", "agentId": "a1"},
        {"status": "forked", "background": False, "agentId": "a1"},
        {"status": "forked", "background": True, "agentId": "a1", "error": "no"},
        {"status": "async_launched", "taskId": "w1", "taskType": "local_workflow", "error": "syntax"},
        {"status": "failed", "taskId": "w1", "runId": "wf_0a1b2c3d-4e5"},
        {"status": "remote_launched", "taskId": "r1", "error": "no"},
        {"status": "remote_launched"},
        {"status": "teammate_spawned", "name": "scout"},
        {"taskId": "1"},
        {"taskId": "1", "timeoutMs": "600000"},
        {"taskId": "1", "timeoutMs": 5, "task": {"id": "1"}},
        {"success": True, "taskId": "1", "updatedFields": ["status"]},
        {"success": False, "message": "Sent.", "resumedAgentId": "a1"},
        {"success": True, "message": "Message queued for delivery to a1 at its next tool round."},
    ],
)
def test_other_structured_results_say_no_launch_whatever_the_text_says(result: JsonObject) -> None:
    assert structured(result, "Command running in background with ID: b1") == []


@pytest.mark.parametrize(
    ("result", "text", "output_file"),
    [
        ({"backgroundTaskId": "b1"}, f"x\nCommand running in background with ID: b1. Output is being written to: {OUT}. {NOTIFIED}", OUT),
        (
            {"status": "async_launched", "agentId": "a1"},
            "Async agent launched successfully.\nagentId: a1\noutput_file: /t/a1.output",
            "/t/a1.output",
        ),
        ({"status": "async_launched", "agentId": "a1"}, [], None),
        ({"taskId": "w1", "runId": "wf_1"}, "Workflow launched in background. Task ID: w1\nTranscript dir: /p/wf_1", "/p/wf_1"),
    ],
)
def test_the_text_gives_the_output_file_that_the_object_does_not(result: JsonObject, text: Json, output_file: str | None) -> None:
    (launch,) = structured(result, text)
    assert launch.output_file == (Raw(output_file) if output_file else None)


def test_a_receipt_may_come_in_blocks_and_an_error_is_none() -> None:
    blocks = [text_block("out"), text_block("Command running in background with ID: b1")]
    result = Result(stamp=STAMP, tool_use_id=CALL)
    assert tool_result(blocks)[:-1] == [SHELL, result]
    assert tool_result(blocks, "as text")[:-1] == [SHELL, result]
    assert tool_result(blocks, is_error=True)[:-1] == [replace(result, failed=True)]


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "Command running in background with ID: b1\n" * n,
        lambda n: "Command running in background with ID: b1. Output is being written to: " + " " * n + "x",
        lambda n: "Command running in background with ID: b1" + " " * n + "x",
        lambda n: "Command running in background with ID: b1" + "\n" * n + "x",
        lambda n: "Command running in background with ID: " + "." * n,
        lambda n: "Command running in background with ID: " + "b" * n + " x",
        lambda n: "Command was moved to the background (ID: b1) so that a message" + " " * n + "\nx",
        lambda n: "Async agent launched successfully.\n" * n,
        lambda n: "Async agent launched successfully." + " " * n + "x",
        lambda n: "Async agent launched successfully." + "\n" * n + "x",
        lambda n: "Async agent launched successfully. " + "agentId " * n,
        lambda n: "Async agent launched successfully.\nagentId: a1\n" + "output_file: /x\n" * n,
        lambda n: "Remote agent launched in CCR." + " \n" * n,
        lambda n: "Spawned successfully." + " " * n,
        lambda n: "Monitor started (task m1, " + "," * n,
        lambda n: "Workflow launched in background. Task ID: w1\n" + "Run ID: \n" * n,
        lambda n: 'Agent "' + "\\" * n,
        lambda n: 'Agent "a1" had no active task; resumed from transcript in the background.' + " Output: /x" * n,
    ],
)
def test_hostile_receipts_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: launches(make(size)))
