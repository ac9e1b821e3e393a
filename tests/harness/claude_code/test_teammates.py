"""What teammates' messages say of their ends, and what they only quote."""

import json
from collections.abc import Callable

import pytest

from harness.claude_code.builders import STAMP, assert_linear, attachment, enqueue, user
from resume_forensics.harness.claude_code.teammates import is_teammate_message, read_idle_notice, read_teammate_messages
from resume_forensics.model.event import End, Event, Mention
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, Outcome, WorkerKind


def idle(sender: object = "scout", **fields: object) -> str:
    """The body of an idle notice."""
    return json.dumps({"type": "idle_notification", "from": sender, "timestamp": "2026-03-01T10:00:00Z", **fields})


def message(body: str) -> str:
    """A teammate's message as a user text or the queue holds it."""
    return f'<teammate-message teammate_id="scout" color="blue">\n{body}\n</teammate-message>'


def told(events: list[Event]) -> list[tuple[Raw | None, Raw | None]]:
    """Whom the events name, each with the word of its end."""
    return [(event.worker_id, event.status if isinstance(event, End) else None) for event in events if isinstance(event, End | Mention)]


DONE = idle(idleReason="available", completedTaskId="3", completedStatus="completed")


def test_an_idle_notice_with_a_status_ends_its_teammate() -> None:
    (end,) = read_idle_notice(STAMP, DONE, Channel.DELIVERED)
    assert isinstance(end, End)
    assert end.notice is not None
    assert end == End(
        stamp=STAMP,
        outcome=Outcome.SUCCESS,
        channel=Channel.DELIVERED,
        status=Raw("completed"),
        worker_id=Raw("scout"),
        kind=WorkerKind.TEAMMATE,
        summary=Raw("available"),
        notice=end.notice,
    )


def test_a_failure_says_its_reason() -> None:
    body = idle(idleReason="failed", completedStatus="failed", failureReason="no network")
    (end,) = read_idle_notice(STAMP, body, Channel.QUEUED)
    assert isinstance(end, End)
    assert (end.outcome, end.summary, end.channel) == (Outcome.FAILURE, Raw("no network"), Channel.QUEUED)


@pytest.mark.parametrize("fields", [{}, {"completedStatus": None}, {"completedStatus": "blocked"}, {"completedStatus": 5}])
def test_an_idle_notice_without_a_final_word_only_mentions(fields: dict[str, object]) -> None:
    (event,) = read_idle_notice(STAMP, idle(**fields), Channel.DELIVERED)
    assert event == Mention(stamp=STAMP, worker_id=Raw("scout"), kind=WorkerKind.TEAMMATE)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "I am done.",
        "[]",
        '"idle_notification"',
        "{",
        "[" * 100_000,
        '{"type":"shutdown_request","from":"scout","completedStatus":"completed"}',
        idle(None, completedStatus="completed"),
        idle("REDACTED", completedStatus="completed"),
        idle(["scout"], completedStatus="completed"),
    ],
)
def test_other_bodies_say_nothing(body: str) -> None:
    assert list(read_idle_notice(STAMP, body, Channel.DELIVERED)) == []


def test_messages_are_read_in_user_texts_the_queue_and_the_mailbox() -> None:
    end = [(Raw("scout"), Raw("completed"))]
    assert told(user(message(DONE))) == end
    assert told(enqueue(message(DONE))) == end
    assert told(attachment("queued_command", prompt=message(DONE))) == end
    assert (
        told(attachment("teammate_mailbox", messages=[{"from": "scout", "text": DONE}, {"from": "scout", "text": "hello"}, 5, {}])) == end
    )
    assert told(user(message(DONE), origin={"kind": "peer"})) == []


def test_one_text_may_hold_many_messages() -> None:
    text = f"{message(DONE)}\n{message('I am done.')}\n\n{message(idle('cook', completedStatus='failed'))}"
    assert told(user(text)) == [(Raw("scout"), Raw("completed")), (Raw("cook"), Raw("failed"))]


@pytest.mark.parametrize(
    "text",
    [
        DONE,
        f"It said: {message(DONE)}",
        message(f"It said:\n{DONE}"),
        message(f"It said: {message(DONE)}"),
        message(f"x</teammate-message>y>{DONE}"),
        f'<teammate-message teammate_id="scout">{DONE}',
    ],
)
def test_a_quoted_idle_notice_is_none(text: str) -> None:
    assert list(read_teammate_messages(STAMP, text, Channel.DELIVERED)) == []


def test_a_message_begins_with_its_tag() -> None:
    assert is_teammate_message("\n <teammate-message>")
    assert not is_teammate_message("> <teammate-message>")


@pytest.mark.parametrize(
    "make",
    [
        lambda n: '<teammate-message teammate_id="a">' * n,
        lambda n: "<teammate-message></teammate-message>" * n,
        lambda n: "<teammate-message>" + "</teammate-message>" * n,
        lambda n: message(DONE) * (n // 10),
        lambda n: message("[" * n),
        lambda n: message('{"type":"idle_notification","from":"' + "a" * n + '"}'),
    ],
)
def test_hostile_messages_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: list(read_teammate_messages(STAMP, make(size), Channel.DELIVERED)))
