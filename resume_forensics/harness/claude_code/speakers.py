"""Who speaks in a `user` record: a person, the harness by itself, a notice, a tool. In: the record and its texts. Out: a `Speaker`."""

from resume_forensics.harness.claude_code.faults import INTERRUPT_TEXTS, SHUTDOWN_TEXTS
from resume_forensics.harness.claude_code.notices import is_notice
from resume_forensics.harness.claude_code.teammates import is_teammate_message
from resume_forensics.model.record import JsonObject, object_of, text_of
from resume_forensics.vocabulary import Speaker

CONTINUATION_TEXTS = (
    "Continue from where you left off.",
    "I hit my usage limit while you were working, but it has reset now.",
    "My computer went to sleep while you were working.",
    "This session's worker process was restarted.",
)
"""What the harness types by itself so that the work goes on (2.1.215+; the second and the third 2.1.332)."""

CONTINUATION_ORIGIN = "auto-continuation"
"""The `origin.kind` of such a turn (2.1.332)."""

_FOREIGN_ORIGINS = frozenset({"human", "peer", "channel", "coordinator", "observer", "plugin", "slack-ping", "voice-call"})
_RELAYS = frozenset({"scheduled-trigger", "peer-send-message", "projects-relay", "session-inbox", "external-event"})
_HARNESS_TEXTS = (
    *CONTINUATION_TEXTS,
    *INTERRUPT_TEXTS,
    *SHUTDOWN_TEXTS,
    "[SYSTEM NOTIFICATION - NOT USER INPUT]",
    "<system-reminder>",
    "<local-command-",
    "<command-name>",
    "Caveat:",
)


def tell_speaker(data: JsonObject, texts: list[str], results: list[JsonObject]) -> Speaker:
    """Who produced a `user` record with these texts and tool results."""
    if results:
        return Speaker.TOOL
    text, origin = texts[0].lstrip() if texts else "", object_of(data, "origin")
    if origin.get("kind") == "task-notification" or (not is_relayed(origin) and (is_notice(text) or is_teammate_message(text))):
        return Speaker.NOTICE
    own = data.get("isMeta") is True or data.get("isCompactSummary") is True or origin.get("kind") == CONTINUATION_ORIGIN
    return Speaker.HARNESS if own or not text or text.startswith(_HARNESS_TEXTS) else Speaker.HUMAN


def is_continuation(data: JsonObject, texts: list[str], speaker: Speaker) -> bool:
    """Whether the harness typed a turn by itself, so that the work goes on."""
    if speaker is not Speaker.HARNESS:
        return False
    kind = text_of(object_of(data, "origin"), "kind")
    return kind == CONTINUATION_ORIGIN or (bool(texts) and texts[0].lstrip().startswith(CONTINUATION_TEXTS))


def is_relayed(origin: JsonObject) -> bool:
    """Whether a text came from a person, a peer or another program, so that what looks like a notice in it is a quotation."""
    return text_of(origin, "kind") in _FOREIGN_ORIGINS or text_of(origin, "subkind") in _RELAYS
