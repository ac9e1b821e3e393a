"""What the messages of teammates say of their ends. In: a text or the body of an idle notice. Out: `End` and `Mention` events.

Teammates post no task notice: an idle notice with `completedStatus` is all that they say (2.0.64+).
"""

import json
from collections.abc import Iterator

from resume_forensics.harness.claude_code.fields import identify, read_id, read_text
from resume_forensics.harness.claude_code.notices import OUTCOME_BY_WORD
from resume_forensics.model.event import End, Mention, Stamp
from resume_forensics.model.record import text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, WorkerKind


def is_teammate_message(text: str) -> bool:
    """Whether a text is a message of a teammate."""
    return text.lstrip().startswith("<teammate-message")


def read_teammate_messages(stamp: Stamp, text: str, channel: Channel) -> Iterator[End | Mention]:
    """The ends that teammates' idle notices say: only those with `completedStatus` (2.0.64+)."""
    if not is_teammate_message(text):
        return
    for message in text.split("</teammate-message>")[:-1]:
        opening, _, body = message.partition(">")
        if is_teammate_message(opening):
            yield from read_idle_notice(stamp, body.strip(), channel)


def read_idle_notice(stamp: Stamp, body: str, channel: Channel) -> Iterator[End | Mention]:
    """The end that one idle notice (JSON text) says."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict) or data.get("type") != "idle_notification":
        return
    status = text_of(data, "completedStatus")
    outcome = OUTCOME_BY_WORD.get((status or "").lower())
    sender = read_id(data.get("from"))
    if sender is None:
        return
    if outcome is None or status is None:
        yield Mention(stamp=stamp, worker_id=sender, kind=WorkerKind.TEAMMATE)
        return
    yield End(
        stamp=stamp,
        outcome=outcome,
        channel=channel,
        status=Raw(status),
        worker_id=sender,
        kind=WorkerKind.TEAMMATE,
        summary=read_text(data.get("failureReason")) or read_text(data.get("idleReason")),
        notice=identify(body),
    )
