"""What a line of a Claude Code transcript must hold to matter for the ledger, as literal texts, each with the events it nominates.

A needle is printable ASCII from the inside of one JSON string, without quote, backslash, slash or `<>&`, so that no spelling of JSON
can hide it but an escape, and lines with such escapes are nominated anyway.
"""

NEEDLES = (
    "launched",  # agents, workflows, remote agents: receipts and `async_launched`, `remote_launched`
    "backgroundTaskId",  # shells
    "in background with ID",  # shell receipts without a structured result
    "to the background",
    "backgrounded by user",
    "pawned",  # teammates: `teammate_spawned`, "Spawned successfully"
    "for the user to answer",  # an agent at a permission prompt
    "forked",  # skills in the background
    "Monitor started",
    "persistent",  # monitors without a text
    "dAgentId",  # `resumedAgentId`, `revivedAgentId`
    "in the background",  # revivals by message, to 2.1.150
    "Resuming agent",
    "runId",  # workflows
    "taskType",
    "-notification",  # notices of all three generations
    "_notification",  # structured notices, idle notices
    "task_status",
    "shell_status",  # `background_shell_status`, to 2.0.64
    "agent_status",  # `async_agent_status`, to 2.0.64
    "retrieval_status",  # polls
    "shellId",  # polls of shells
    "exit_code",  # polls of shells as text
    "Successfully ",  # stops
    "is not running (status",  # a stop that names the state
    "queue-operation",
    "agents_killed",
    "pendingBackgroundAgentCount",
    "humanSchedule",  # schedules
    "scheduledFor",  # wake-ups
    "scheduled_task_fire",
    "rigger_id",  # remote triggers, both spellings of the key below
    "riggerId",
    "CronDelete",
    "Cancelled job",
    "gettask_",
    "continuedInSessionId",
    "relocatedCwd",
    "Task",  # calls that start workers, and polls of them
    "Agent",
)

ECHO_KEY = "parentToolUseID"
"""Progress of a helper repeats the id of its call behind this key, in bulk; the first such line ties call and helper together."""
