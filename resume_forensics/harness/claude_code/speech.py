"""What a record of a Claude Code transcript says aloud: the texts of user, model and queue, without what the harness wrote round them.

Output of commands is no speech, nor is a reminder to the model; a notice is told by its event. Nothing short is dropped: "resume"
is the turn that matters most.
"""

import re
from collections.abc import Iterator
from typing import Final

from resume_forensics.harness.claude_code.fields import block_texts, content_blocks, read_stamp
from resume_forensics.harness.claude_code.notices import is_notice
from resume_forensics.harness.claude_code.speakers import is_relayed, tell_speaker
from resume_forensics.harness.claude_code.teammates import is_teammate_message
from resume_forensics.model.event import Spoken, Stamp
from resume_forensics.model.record import JsonObject, Record, object_of, text_of
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker

_BLOCK: Final = re.compile(r"<(system-reminder|local-command-(?:caveat|stdout|stderr)|bash-std(?:out|err))>")
"""Blocks that the harness puts into user text (1.0.60 to 2.1.332): reminders, and output of commands that the user ran."""

_TAGS: Final = re.compile(r"</?(?:command-(?:message|name|args|contents)|user_query|bash-input)>")
"""Tags round what the user typed; they go, what they hold stays."""


def read_speech(record: Record, source: Source) -> Spoken | None:
    """Answer who says what in a record; None where nothing is said aloud."""
    data = record.data
    match text_of(data, "type"):
        case "user":
            message = object_of(data, "message")
            texts = list(block_texts(message))
            results = [block for block in content_blocks(message) if block.get("type") == "tool_result"]
            return _say(read_stamp(record, source), tell_speaker(data, texts, results), map(_clean, texts))
        case "assistant":
            return _say(read_stamp(record, source), Speaker.ASSISTANT, block_texts(object_of(data, "message")))
        case "attachment":
            return _read_queued(data, read_stamp(record, source))
    return None


def _read_queued(data: JsonObject, stamp: Stamp) -> Spoken | None:
    """What was typed while the model was at work, and reached it in the middle of a turn."""
    attachment = object_of(data, "attachment")
    if text_of(attachment, "type") != "queued_command":
        return None
    texts = list(block_texts({"content": attachment.get("prompt")}))
    opening = texts[0].lstrip() if texts else ""
    told = not is_relayed(object_of(attachment, "origin") or object_of(data, "origin")) and (
        is_notice(opening) or is_teammate_message(opening)
    )
    return _say(stamp, Speaker.NOTICE if told else Speaker.HUMAN, map(_clean, texts))


def _say(stamp: Stamp, speaker: Speaker, texts: Iterator[str]) -> Spoken | None:
    text = "\n".join(said for text in texts if (said := text.strip()))
    return Spoken(stamp=stamp, speaker=speaker, text=Raw(text)) if text else None


def _clean(text: str) -> str:
    """A text without the harness's own blocks; one that never closes goes to the end."""
    pieces: list[str] = []
    done = 0
    while (opened := _BLOCK.search(text, done)) is not None:
        pieces.append(text[done : opened.start()])
        closing = f"</{opened[1]}>"
        closed = text.find(closing, opened.end())
        done = len(text) if closed < 0 else closed + len(closing)
    return _TAGS.sub(" ", "".join((*pieces, text[done:])))
