"""Every form in which an end is told, and what is told without ending anything."""

from collections.abc import Callable
from typing import Final

import pytest

from harness.claude_code.builders import STAMP, assert_linear, attachment, enqueue, notice, read_events, text_block, tool_result, user
from resume_forensics.harness.claude_code.notices import GENERATIONS, LOST_TRACK, OUTCOME_BY_WORD, Generation, is_notice, read_notices
from resume_forensics.model.event import DriverMove, End, Event, Mention
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, DriverKind, DriverState, Outcome, WorkerKind

CALLED: Final[JsonObject] = {"shell": {"toolUseId": "toolu_9"}}
SYSTEM: Final = "[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated message.\nDo not answer it as the user.\n"


def said(text: str) -> list[End | Mention | DriverMove]:
    """What a text says as a notice."""
    return list(read_notices(STAMP, text, Channel.DELIVERED))


def told(text: str) -> list[tuple[str | None, str | None]]:
    """Each id of a notice with the word of its end, None where it is only mentioned."""
    heard = [event for event in said(text) if isinstance(event, End | Mention)]
    return [(_plain(event.worker_id), _plain(event.status) if isinstance(event, End) else None) for event in heard]


def _plain(raw: Raw | None) -> str | None:
    return None if raw is None else raw._chars


def ends(events: list[Event]) -> list[tuple[str | None, str, Channel]]:
    """Id, word and channel of each end among the events of a record."""
    return [(_plain(event.worker_id), event.status._chars, event.channel) for event in events if isinstance(event, End)]


# -- one notice, whole


def test_a_notice_of_2_1_says_everything_about_its_worker() -> None:
    head = "<tool-use-id>toolu_9</tool-use-id>\n<output-file>/t/a b/a1.output</output-file>"
    text = notice("a1", summary="Agent &quot;D&quot; finished", head=head, body="<result>All &lt;done&gt;</result>")
    (end,) = said(text)
    assert isinstance(end, End)
    assert end.notice is not None
    assert end == End(
        stamp=STAMP,
        outcome=Outcome.SUCCESS,
        channel=Channel.DELIVERED,
        status=Raw("completed"),
        worker_id=Raw("a1"),
        tool_use_id=Raw("toolu_9"),
        kind=WorkerKind.AGENT,
        summary=Raw('Agent "D" finished'),
        output_file=Raw("/t/a b/a1.output"),
        notice=end.notice,
    )


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda generation: generation.tag)
@pytest.mark.parametrize("word", ["completed", "failed", "killed"])
def test_every_generation_is_read(generation: Generation, word: str) -> None:
    head = f"<{generation.tag}><{generation.id_tag}>x1y2z3</{generation.id_tag}><output-file>/t/o</output-file><status>{word}</status>"
    text = f"{head}<summary>It {word}.</summary>Read the output file to retrieve the output.</{generation.tag}>"
    (end,) = said(text)
    assert isinstance(end, End)
    assert (end.worker_id, end.status, end.outcome) == (Raw("x1y2z3"), Raw(word), OUTCOME_BY_WORD[word])
    assert (end.kind, end.output_file, end.summary) == (generation.kind, Raw("/t/o"), Raw(f"It {word}."))


def test_a_tag_of_another_generation_names_nobody() -> None:
    assert said("<bash-notification><task-id>b1</task-id><status>completed</status></bash-notification>") == []


@pytest.mark.parametrize("word", sorted(OUTCOME_BY_WORD))
def test_every_word_of_the_table_ends_a_worker_in_any_case(word: str) -> None:
    (end,) = said(notice("b1", status=word.upper()))
    assert isinstance(end, End)
    assert (end.outcome, end.status) == (OUTCOME_BY_WORD[word], Raw(word.upper()))


def test_four_words_are_success_and_five_failure() -> None:
    success = {word for word, outcome in OUTCOME_BY_WORD.items() if outcome is Outcome.SUCCESS}
    assert success == {"completed", "success", "succeeded", "done"}
    assert set(OUTCOME_BY_WORD) - success == {"failed", "killed", "stopped", "cancelled", "error"}


# -- what is told without ending anything


@pytest.mark.parametrize(
    ("status", "summary"),
    [
        ("running", "Background command"),
        ("blocked", 'Remote task "T" is blocked'),
        ("", 'Agent "D" finished'),
        (None, 'Background command "D" appears to be waiting for interactive input'),
        (None, 'Background command "D" is still running after 30m, with no new output for 10m'),
        (None, 'Task "D" was paused by the user'),
        (None, 'Agent "D" was resumed by the user'),
        (None, 'Background agent "D" was restarted after the previous session ended'),
        ("completed", 'Agent "D" is waiting on its own background work'),
    ],
)
def test_no_status_another_word_and_an_interim_are_no_end(status: str | None, summary: str) -> None:
    (event,) = said(notice("a1", status=status, summary=summary, head="<tool-use-id>toolu_9</tool-use-id>"))
    assert isinstance(event, Mention)
    assert (event.worker_id, event.tool_use_id, event.notice, event.lost_track) == (Raw("a1"), Raw("toolu_9"), True, False)


LOST: Final = (
    ("failed", 'Background agent "D" was running when the previous Claude Code process exited and did not complete. Its state was lost.'),
    ("stopped", "No completion record was found for background agent/D from the previous session. It may have been stopped earlier."),
    ("stopped", "No completion record was found for this background shell command from the previous session."),
    ("stopped", 'Background agent "D" didn\'t finish before the previous session ended'),
    ("failed", "Background shell command didn&#39;t finish before the previous session ended"),
    ("stopped", 'Background workflow "N" (run wf_0a1b2c3d-4e5) didn\'t finish before the previous session ended'),
    ("stopped", '2 background agents didn\'t finish before the previous session ended: "D" (a1), "E" (a2)'),
    ("stopped", 'Background agent "D" from the previous session couldn\'t be restarted: no transcript'),
    ("stopped", "The container running this session was restarted before background work reported back: D"),
)


@pytest.mark.parametrize(("status", "words"), LOST)
@pytest.mark.parametrize("place", ["summary", "note"])
def test_every_wording_of_a_post_crash_notice_loses_track_and_ends_nothing(status: str, words: str, place: str) -> None:
    summary, body = (words, "") if place == "summary" else ('Background agent "D" stopped', f"<note>{words}</note>")
    (event,) = said(notice("a1", status=status, summary=summary, body=body))
    assert isinstance(event, Mention)
    assert (event.worker_id, event.lost_track, event.notice) == (Raw("a1"), True, True)


def test_every_post_crash_phrase_is_held_by_a_wording() -> None:
    wordings = " ".join(words for _, words in LOST)
    assert [phrase for phrase in LOST_TRACK if phrase not in wordings] == []


def test_work_that_was_done_but_never_reported_is_an_end() -> None:
    summary = 'Background agent "D" finished before the previous session ended, but its result was never reported'
    body = "<note>It was running when the previous Claude Code process exited.</note>"
    assert told(notice("a1", summary=summary)) == [("a1", "completed")]
    assert told(notice("a1", summary=summary, body=body)) == [("a1", "completed")]


def test_post_crash_words_in_a_result_or_an_event_lose_nothing() -> None:
    words = "No completion record was found"
    assert told(notice("a1", status="failed", summary="Agent failed", body=f"<result><note>{words}</note></result>")) == [("a1", "failed")]
    (event,) = said(notice("m1", status=None, summary='Monitor event: "D"', body=f"<event>{words}</event>"))
    assert isinstance(event, Mention)
    assert not event.lost_track


def test_an_aggregate_names_its_workers_and_no_pseudo_id() -> None:
    text = notice("a1", "a2", "__orphan_summary__:agent", "__orphan_summary_live__:a3", status="stopped", summary="Some agents stopped")
    events = said(text)
    assert [(event.worker_id, event.lost_track) for event in events if isinstance(event, Mention)] == [(Raw("a1"), True), (Raw("a2"), True)]
    assert len(events) == 2


def test_a_notice_of_pseudo_ids_alone_names_nobody() -> None:
    assert said(notice("__orphan_summary__:shell", status="stopped", head="<tool-use-id>toolu_9</tool-use-id>")) == []


def test_a_lost_wakeup_marks_its_driver_and_no_worker() -> None:
    words = "This session restarted at 10:00 after its next /loop wakeup was due, so that wakeup will not fire."
    move = DriverMove(stamp=STAMP, driver_id=Raw("toolu_9"), kind=DriverKind.WAKEUP, state=DriverState.LOST, tool_use_id=Raw("toolu_9"))
    assert said(notice("toolu_9", status="stopped", summary=words)) == [move]
    assert said(notice("toolu_9", status="stopped", summary="Wakeup", body=f"<note>{words}</note>")) == [move]
    assert told(notice("a1", status="failed", summary='Agent "find out why the wakeup was due" failed')) == [("a1", "failed")]


def test_a_container_names_its_workers_in_prose() -> None:
    words = "The container running this session was restarted before background work reported back: D (task b1x2y3), E (task ID: a2)"
    words += ", F (task REDACTED)."
    events = said(notice(status="stopped", summary=words))
    lost = [(event.worker_id, event.kind, event.lost_track) for event in events if isinstance(event, Mention)]
    assert lost == [(Raw("b1x2y3"), WorkerKind.BACKGROUND_SHELL, True), (Raw("a2"), WorkerKind.AGENT, True)]
    assert said(notice(status="stopped", summary="Stopped: D (task b1x2y3)")) == []


@pytest.mark.parametrize(
    ("event", "ended"),
    [
        ("[Monitor timed out — re-arm if needed.]", True),
        ("[Monitor stopped by the user]", True),
        ("\n[Monitor expired]", True),
        ("[Monitor closed]", True),
        ("[WebSocket closed: 1006]", True),
        ("[Monitor started]", False),
        ("the log says: [Monitor stopped]", False),
        ("build finished", False),
    ],
)
def test_a_monitor_event_ends_it_only_where_the_harness_says_so(event: str, ended: bool) -> None:  # noqa: FBT001 (an expected value)
    (heard,) = said(notice("m1", status=None, summary='Monitor event: "D"', body=f"<event>{event}</event>"))
    assert isinstance(heard, End if ended else Mention)
    assert (heard.worker_id, heard.kind) == (Raw("m1"), WorkerKind.MONITOR)
    if isinstance(heard, End):
        assert (heard.outcome, heard.status) == (Outcome.SUCCESS, Raw("ended"))


def test_a_status_beside_an_event_decides() -> None:
    text = notice("m1", status="failed", summary='Monitor "D" script failed (exit 1)', body="<event>[Monitor stopped]</event>")
    assert told(text) == [("m1", "failed")]


# -- many ids, many notices, quotations


def test_one_notice_may_name_many() -> None:
    text = notice("a1", "a2", "REDACTED", "b3", status="killed", summary="Stopped")
    assert told(text) == [("a1", "killed"), ("a2", "killed"), ("b3", "killed")]


def test_a_notice_may_carry_only_the_tool_call() -> None:
    head = "<tool-use-id>toolu_9</tool-use-id>"
    for text in (notice(head=head), notice("REDACTED", head=head)):
        (end,) = said(text)
        assert isinstance(end, End)
        assert (end.worker_id, end.tool_use_id) == (None, Raw("toolu_9"))
    assert said(notice()) == []
    assert said(notice("REDACTED", head="<tool-use-id>REDACTED</tool-use-id>")) == []


def test_one_text_may_hold_many_notices() -> None:
    text = "\n\n".join((notice("a1"), notice("b2", status="failed", body="<result>r</result>"), "  " + notice("b3", status="killed")))
    assert told(text) == [("a1", "completed"), ("b2", "failed"), ("b3", "killed")]


def test_a_first_notice_on_the_wrapper_s_line_is_not_lost_to_a_later_one() -> None:
    text = "A background agent completed a task: " + notice("a1") + "\n" + notice("b2")
    assert told(text) == [("a1", "completed"), ("b2", "completed")]


QUOTED: Final = notice("b9", status="failed", body="<result>deep</result>")


@pytest.mark.parametrize(
    "result",
    [
        "closing </task-notification> tag",
        "closing\n</task-notification>\n",
        QUOTED,
        f"I read this:\n{QUOTED}\nand this:\n{QUOTED}",
        f"<result>{QUOTED}</result>",
        "<task-id>b9</task-id><status>failed</status>",
        "&lt;task-notification&gt;&lt;task-id&gt;b9&lt;/task-id&gt;",
    ],
)
@pytest.mark.parametrize("tag", ["result", "event"])
def test_what_a_body_quotes_is_no_notice(result: str, tag: str) -> None:
    text = notice("a1", body=f"<{tag}>{result}</{tag}>\n<usage><total_tokens>5</total_tokens></usage>")
    assert told(text) == [("a1", "completed")]
    assert told(f"{text}\n{notice('b2')}") == [("a1", "completed"), ("b2", "completed")]


def test_an_opening_inside_an_open_notice_starts_none() -> None:
    text = "<task-notification>\n<task-id>a1</task-id>\n<task-notification>\n<status>completed</status>\n<summary>S</summary>"
    assert told(text) == [("a1", "completed")]


def test_a_body_may_close_more_than_it_opens() -> None:
    assert told(notice("a1", body="</result></result>") + "\n" + notice("b2")) == [("a1", "completed"), ("b2", "completed")]


def test_status_and_ids_behind_the_summary_are_ignored() -> None:
    text = notice("a1", status=None, body="<status>failed</status>\n<task-id>b2</task-id>\n<tool-use-id>toolu_2</tool-use-id>")
    (event,) = said(text)
    assert isinstance(event, Mention)
    assert (event.worker_id, event.tool_use_id) == (Raw("a1"), None)


def test_raw_and_escaped_summaries_read_alike() -> None:
    raw, escaped = said(notice("a1", summary='Agent "a & b" finished')), said(notice("a1", summary="Agent &quot;a &amp; b&quot; finished"))
    assert [event.summary for event in (*raw, *escaped) if isinstance(event, End)] == [Raw('Agent "a & b" finished')] * 2


def test_copies_of_a_notice_are_equal_whatever_follows_them() -> None:
    text = notice("a1", body="<result>r</result>")
    trailer = f"<system-reminder>\n{text}\nFull transcript available at: /t/a1.jsonl\n</system-reminder>"
    copies = [event.notice for each in (text, trailer, f"{notice('b2')}\n{text}") for event in said(each) if isinstance(event, End)]
    assert copies[0] == copies[1] == copies[3]
    assert copies[0] != copies[2]


# -- where a notice may stand


@pytest.mark.parametrize(
    "before", ["", "\n  ", "<system-reminder>\n", SYSTEM, f"<system-reminder>{SYSTEM}", "A background agent completed a task:\n"]
)
def test_a_notice_begins_with_its_tag_or_a_known_wrapper(before: str) -> None:
    assert is_notice(before + notice("a1"))
    assert told(before + notice("a1")) == [("a1", "completed")]


@pytest.mark.parametrize(
    "before", ["x ", "> ", "```\n", "<tool_result>\n", f"{SYSTEM}<b>", "Stop hook feedback:\n", "\u200b", "<system-reminder>As you know:\n"]
)
def test_a_notice_behind_other_words_is_a_quotation(before: str) -> None:
    assert not is_notice(before + notice("a1"))
    assert said(before + notice("a1")) == []


@pytest.mark.parametrize(
    "text", ["", "   ", SYSTEM, "<task-notification", "<task-notification >", "&lt;task-notification&gt;", "<mask-notification>"]
)
def test_other_texts_are_no_notices(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("head", "summary", "word", "kind"),
    [
        ("<task-type>remote_agent</task-type>", "x", "q1", WorkerKind.REMOTE_AGENT),
        ("<task-type>local_workflow</task-type>", "Agent x", "q1", WorkerKind.WORKFLOW),
        ("", 'Background command "D" completed (exit code 0)', "q1", WorkerKind.BACKGROUND_SHELL),
        ("", "Background shell command x", "q1", WorkerKind.BACKGROUND_SHELL),
        ("", 'Background agent "D" x', "q1", WorkerKind.AGENT),
        ("", 'Background workflow "N" x', "q1", WorkerKind.WORKFLOW),
        ("", 'Agent "D" completed.', "q1", WorkerKind.AGENT),
        ("", 'Monitor "D" stream ended', "q1", WorkerKind.MONITOR),
        ("", 'Workflow "N" completed', "q1", WorkerKind.WORKFLOW),
        ("", 'Dynamic workflow "N" completed', "q1", WorkerKind.WORKFLOW),
        ("", 'Remote task "T" completed successfully', "q1", WorkerKind.REMOTE_AGENT),
        ("", "Cloud review completed", "q1", WorkerKind.REMOTE_AGENT),
        ("", 'Task "D" was stopped by main session', "b0zk4q9wx", WorkerKind.BACKGROUND_SHELL),
        ("", 'Task "D" was stopped by main session', "q1", None),
    ],
)
def test_a_notice_tells_the_kind_of_its_worker(head: str, summary: str, word: str, kind: WorkerKind | None) -> None:
    (end,) = said(notice(word, summary=summary, head=head))
    assert isinstance(end, End)
    assert end.kind is kind


# -- the records that carry notices


def test_a_user_text_delivers_and_the_queue_queues() -> None:
    assert ends(user(notice("a1"))) == [("a1", "completed", Channel.DELIVERED)]
    assert ends(user([text_block("hello"), text_block(notice("a1")), text_block(notice("b2"))])) == [
        ("a1", "completed", Channel.DELIVERED),
        ("b2", "completed", Channel.DELIVERED),
    ]
    assert ends(enqueue(notice("a1"))) == [("a1", "completed", Channel.QUEUED)]
    assert ends(read_events("queue-operation", {"operation": "remove", "content": notice("a1")})) == []
    assert ends(read_events("queue-operation", {"operation": "popAll", "content": notice("a1")})) == []


@pytest.mark.parametrize("prompt", [notice("a1"), [text_block(notice("a1")), {"type": "image"}]])
def test_a_queued_command_delivers(prompt: Json) -> None:
    assert ends(attachment("queued_command", prompt=prompt, commandMode="task-notification")) == [("a1", "completed", Channel.DELIVERED)]


@pytest.mark.parametrize("kind", ["human", "peer", "channel", "coordinator", "observer", "plugin", "slack-ping", "voice-call"])
def test_what_a_person_or_a_peer_typed_is_a_quotation(kind: str) -> None:
    assert ends(user(notice("a1"), origin={"kind": kind})) == []
    assert ends(attachment("queued_command", prompt=notice("a1"), origin={"kind": kind})) == []
    fields: JsonObject = {"attachment": {"type": "queued_command", "prompt": notice("a1")}, "origin": {"kind": kind}}
    assert ends(read_events("attachment", fields)) == []


@pytest.mark.parametrize("subkind", ["peer-send-message", "projects-relay", "session-inbox", "external-event", "scheduled-trigger"])
def test_what_the_harness_relays_for_others_is_a_quotation(subkind: str) -> None:
    assert ends(user(notice("a1"), origin={"kind": "task-notification", "subkind": subkind})) == []


@pytest.mark.parametrize("origin", [None, {}, {"kind": "task-notification"}, {"kind": 5}, "human", {"kind": "unclassified"}])
def test_any_other_origin_lets_a_notice_count(origin: Json) -> None:
    assert ends(user(notice("a1"), origin=origin)) == [("a1", "completed", Channel.DELIVERED)]


def test_results_hooks_and_summaries_only_quote() -> None:
    assert ends(tool_result(notice("a1"))) == []
    assert ends(tool_result([text_block(notice("a1"))], {"stdout": notice("a1")})) == []
    assert ends(user(notice("a1"), isCompactSummary=True)) == []
    assert ends(attachment("hook_success", content=notice("a1"), stdout=notice("a1"))) == []
    assert ends(attachment("hook_additional_context", content=[notice("a1")])) == []
    assert ends(read_events("system", {"subtype": "stop_hook_summary", "content": notice("a1"), "hookInfos": [notice("a1")]})) == []
    assert ends(read_events("summary", {"summary": notice("a1")})) == []
    assert ends(read_events("last-prompt", {"lastPrompt": notice("a1")})) == []


@pytest.mark.parametrize("id_key", ["task_id", "taskId"])
def test_a_structured_system_notice_says_the_end(id_key: str) -> None:
    fields: JsonObject = {
        "subtype": "task_notification",
        id_key: "b1",
        "tool_use_id": "toolu_9",
        "status": "completed",
        "summary": 'Background command "D" completed (exit code 0)',
        "output_file": "/t/b1.output",
    }
    (end,) = read_events("system", fields)
    assert isinstance(end, End)
    assert (end.worker_id, end.tool_use_id, end.status, end.channel) == (Raw("b1"), Raw("toolu_9"), Raw("completed"), Channel.DELIVERED)
    assert (end.kind, end.output_file) == (WorkerKind.BACKGROUND_SHELL, Raw("/t/b1.output"))
    assert end.summary == Raw('Background command "D" completed (exit code 0)')


@pytest.mark.parametrize("place", ["summary", "note"])
def test_a_structured_system_notice_may_have_lost_track(place: str) -> None:
    fields: JsonObject = {
        "subtype": "task_notification",
        "task_id": "a1",
        "status": "stopped",
        place: "No completion record was found for it",
    }
    (event,) = read_events("system", fields)
    assert isinstance(event, Mention)
    assert (event.worker_id, event.lost_track) == (Raw("a1"), True)


@pytest.mark.parametrize("subtype", ["task_started", "task_progress", "task_updated", "api_error", "informational"])
def test_other_system_records_end_nobody(subtype: str) -> None:
    assert read_events("system", {"subtype": subtype, "task_id": "b1", "status": "completed"}) == []


def test_a_structured_notice_without_any_id_says_nothing() -> None:
    assert read_events("system", {"subtype": "task_notification", "status": "completed", "task_id": "REDACTED"}) == []


@pytest.mark.parametrize(
    ("fields", "worker_id", "kind", "summary"),
    [
        ({"type": "background_shell_status", "taskId": "bash_3", "command": "x"}, "bash_3", WorkerKind.BACKGROUND_SHELL, None),
        ({"type": "async_agent_status", "agentId": "b3f0a1c2", "description": "look"}, "b3f0a1c2", WorkerKind.AGENT, "look"),
        ({"type": "async_agent_status", "agentId": "q1"}, "q1", WorkerKind.AGENT, None),
        ({"type": "task_status", "taskId": "q1", "taskType": "local_bash", "description": "D"}, "q1", WorkerKind.BACKGROUND_SHELL, "D"),
        ({"type": "task_status", "taskId": "wabcdefgh", "taskType": "other"}, "wabcdefgh", WorkerKind.WORKFLOW, None),
    ],
)
def test_attachments_of_every_version_say_an_end(fields: JsonObject, worker_id: str, kind: WorkerKind, summary: str | None) -> None:
    for status in ("completed", "failed"):
        (end,) = read_events("attachment", {"attachment": {**fields, "status": status}})
        assert isinstance(end, End)
        assert (end.worker_id, end.kind, end.status) == (Raw(worker_id), kind, Raw(status))
        assert (end.channel, end.summary) == (Channel.DELIVERED, Raw(summary) if summary else None)


def test_an_attachment_of_2_1_332_names_call_and_output() -> None:
    (end,) = attachment("task_status", taskId="b1", status="completed", outputFilePath="/t/b1.output", **CALLED)
    assert isinstance(end, End)
    assert (end.tool_use_id, end.output_file) == (Raw("toolu_9"), Raw("/t/b1.output"))


@pytest.mark.parametrize("key", ["description", "deltaSummary"])
def test_an_attachment_may_have_lost_track(key: str) -> None:
    fields: JsonObject = {key: "No completion record was found for this background shell command from the previous session."}
    (event,) = attachment("task_status", taskId="b1", status="stopped", **fields)
    assert isinstance(event, Mention)
    assert event.lost_track


@pytest.mark.parametrize("kind", ["background_shell_status", "async_agent_status"])
def test_an_old_attachment_of_a_running_worker_ends_nothing(kind: str) -> None:
    (event,) = attachment(kind, taskId="bash_3", status="running")
    assert isinstance(event, Mention)
    assert not event.registers


def test_a_running_task_is_registered_and_not_noticed() -> None:
    events = attachment("task_status", taskId="b1", taskType="local_bash", status="running", description="serve", **CALLED)
    assert events == [
        Mention(
            stamp=STAMP,
            worker_id=Raw("b1"),
            tool_use_id=Raw("toolu_9"),
            kind=WorkerKind.BACKGROUND_SHELL,
            registers=True,
            description=Raw("serve"),
            status=Raw("running"),
            summary=Raw("serve"),
        )
    ]


def test_json_in_the_queue_says_an_end_only_with_a_status() -> None:
    registered = '{"task_id":"b1","tool_use_id":"toolu_9","description":"serve","task_type":"local_bash"}'
    assert ends(enqueue(registered)) == []
    assert [type(event) for event in enqueue(registered)] == [type(enqueue("x")[0])]
    finished = '{"task_id":"b1","tool_use_id":"toolu_9","status":"completed","summary":"done","task_type":"local_bash"}'
    assert ends(enqueue(finished)) == [("b1", "completed", Channel.QUEUED)]
    assert ends(enqueue('{"taskId":"b1","status":"running"}')) == []


@pytest.mark.parametrize(
    "content", ["{", "{}", "[1]", '{"status":5,"task_id":"b1"}', "{" * 5_000, '{"a":' * 100_000, '{"n":' + "9" * 5_000 + "}"]
)
def test_broken_json_in_the_queue_says_nothing(content: str) -> None:
    assert ends(enqueue(content)) == []


# -- hostile texts


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "<task-notification>\n" * n,
        lambda n: "<task-notification>" * n,
        lambda n: "<task-notification>\n</task-notification>\n" * n,
        lambda n: "<task-notification>\n" + "<task-id>a1</task-id>\n" * n + "<status>completed</status><summary>S</summary>",
        lambda n: "<task-notification>\n" + "<task-id>" * n,
        lambda n: "<task-notification>\n" + "<task-id>x" * n,
        lambda n: "<task-notification><summary>" + "<result>" * n + "</result>" * n,
        lambda n: notice("a1", body="<result>" * n + "\n<task-notification>" * n),
        lambda n: notice("a1", body="<result>" + "</task-notification>\n<task-notification>\n" * n),
        lambda n: "<task-notification><summary>" + "&amp;" * n,
        lambda n: "<task-notification>" + " " * n,
        lambda n: "<task-notification></task-notification>" + "\n" * n + " " * n + "<",
        lambda n: "[SYSTEM NOTIFICATION - NOT USER INPUT]" + " " * n + "x",
        lambda n: "[SYSTEM NOTIFICATION - NOT USER INPUT]" + "\n" * n + "x",
        lambda n: "<system-reminder>" + " " * n,
        lambda n: " " * n + "x",
        lambda n: notice(status="stopped", summary=LOST_TRACK[0] + "(task " * n),
        lambda n: notice("m1", status=None, body="<event>" + " " * n),
        lambda n: notice("a1", summary="This session restarted" * n),
    ],
)
def test_hostile_notices_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: said(make(size)))
