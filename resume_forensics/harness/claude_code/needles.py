"""What a line of a Claude Code transcript must hold to matter for the ledger, as literal texts, each with the events it nominates.

A needle is printable ASCII from one JSON string, without backslash or slash. A quote may stand at its ends alone, as one end of that
string. So no spelling of JSON can hide it but an escape of four digits, and lines with such escapes are nominated anyway. Of the words that
always stand there, those are taken that begin with four letters which are rare in other text: that halves the time of the search.
"""

NEEDLES = (
    "launched",  # agents, workflows, remote agents: receipts and `async_launched`, `remote_launched`
    '"backgroundTaskId"',  # shells
    "h ID: ",  # shell receipts without a structured result: "running in background with ID: ", "backgrounded by user with ID: "
    "(ID: ",  # "moved to the background (ID: "
    "pawned",  # teammates: `teammate_spawned`, "Spawned successfully"
    "It is waiting for",  # an agent at a permission prompt
    '"forked"',  # skills in the background
    "Monitor started",
    '"persistent"',  # monitors without a text
    "dAgentId",  # `resumedAgentId`, `revivedAgentId`
    "umed it in the",  # revivals by message, to 2.1.150: "resumed it in the background"
    "umed from transcript",
    "Resuming agent",
    '"runId"',  # workflows
    '"taskType"',
    "-notification",  # notices of all three generations
    "_notification",  # structured notices, idle notices
    '"task_status"',
    '"background_shell_status"',  # to 2.0.64
    '"async_agent_status"',  # to 2.0.64
    "retrieval_status",  # polls
    '"shellId"',  # polls of shells
    "<status>",  # polls of shells as text
    '"task_id"',  # stops, confirmed or not
    '"shell_id"',
    "Successfully ",  # stops without a structured result
    "running (status: ",  # a stop that names the state: "is not running (status: completed)"
    '"queue-operation"',
    '"agents_killed"',
    '"pendingBackgroundAgentCount"',
    '"pendingWorkflowCount"',
    '"humanSchedule"',  # schedules
    "Scheduled ",  # their receipts without a structured result
    '"scheduled',  # `scheduledFor` (wake-ups), `scheduled_task_fire`
    '"trigger',  # `trigger_id`, `triggerId`: remote triggers
    '"CronDelete"',
    "Cancelled job",
    "gettask_",
    "continuedInSessionId",
    '"Task"',  # calls that start workers
    '"Agent"',
    '"run_in_background"',  # their receipts may stand far behind them; to have seen the call saves looking for it
)

RESULT_KEY = "tool_use_id"
"""The member of a result that names the call it answers."""

LINK_KEY = "parentToolUseID"
"""The member of a progress record that names the call at work. The first `agent_progress` ties call and helper together; the others, which
stand there in bulk, say nothing new."""

LINK_MARK = "agentId"
"""The member of such a record that names the helper. Of the progress of commands and hooks, which is most of it, none has one."""
