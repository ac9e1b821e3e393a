"""What stopped a turn, from the record that says so. In: an error record or an interrupt text. Out: a `Fault`.

Structured fields first, then the harness's exact sentences, then what the body itself names, its error type, its HTTP status, and
last the coarse `error` field. "Please run /login" alone proves nothing: gateways append it to quota and permission errors.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from msgspec import Struct

from resume_forensics.harness.api_error import cause_of_body, cause_of_status, cause_of_type, names_a_limit
from resume_forensics.harness.claude_code.fields import read_whole
from resume_forensics.model.event import Fault, Stamp
from resume_forensics.model.record import JsonObject, text_of
from resume_forensics.text import Raw
from resume_forensics.vocabulary import StopCause

CAUSE_BY_API_ERROR = {
    "usage_limit_reached": StopCause.USAGE_LIMIT,
    "model_requires_usage_credits": StopCause.USAGE_LIMIT,
    "long_context_credits_required": StopCause.USAGE_LIMIT,
    "computer_slept": StopCause.MACHINE_SLEPT,
    "stream_idle_timeout": StopCause.STALLED,
    **dict.fromkeys(
        ("connection_failed", "no_response", "tls_untrusted_ca", "tls_cert_signature_failure", "network_edge_blocked"),
        StopCause.NETWORK,
    ),
    **dict.fromkeys(("message_over_context_limit", "autocompact_thrashing"), StopCause.CONTEXT_TOO_LONG),
    **dict.fromkeys(
        (
            "provider_credentials",
            "gateway_signin_required",
            "gateway_session_expired",
            "api_key_auth_disabled",
            "org_disabled_credential",
            "invalid_credential_header",
            "stored_login_refused",
            "oauth_refresh_store_refused",
            "named_profile_unusable",
        ),
        StopCause.AUTH_EXPIRED,
    ),
}
"""The typed `apiError` of 2.1.332; kinds that are not listed decide nothing."""


class Sentence(Struct, frozen=True, kw_only=True):
    """Sentences of the harness that mean one cause. Each matches from the start of the text, after an optional "API Error: "."""

    cause: StopCause
    forms: re.Pattern[str]
    samples: tuple[str, ...]
    near_misses: tuple[str, ...] = ()


def _sentences(cause: StopCause, forms: tuple[str, ...], samples: tuple[str, ...], near_misses: tuple[str, ...] = ()) -> Sentence:
    whole = re.compile(rf"(?:API Error: )?(?:{'|'.join(forms)})")
    return Sentence(cause=cause, forms=whole, samples=samples, near_misses=near_misses)


SENTENCES = (
    _sentences(
        StopCause.AUTH_EXPIRED,
        (
            r"Invalid API key [·∙] (?:Please run /login|Fix external API key)",
            r"Not logged in [·∙] Please run /login",
            r"OAuth token revoked",
            r"Login expired",
            r"Login reached its time limit",
            r"Failed to authenticate: OAuth session expired",
            r"Authentication error [·∙] This may be a temporary",
            r"Could not refresh your login",
            r"Your apiKeyHelper script is failing",
            r"(?:Please run /login [·∙] |Failed to authenticate\. )API Error: (?:401\b|[^\n]*authentication_error)",
        ),
        ("Login expired · Please run /login", "Please run /login · API Error: 401 {}", "Not logged in · Please run /login"),
        ('Please run /login · API Error: 403 {"error":{"type":"forbidden"}}', "Please run /login"),
    ),
    _sentences(
        StopCause.RATE_LIMITED,
        (r"Rate limit reached", r"Server is temporarily limiting requests", r"Request rejected \(429\)"),
        ("API Error: Rate limit reached", "API Error: Server is temporarily limiting requests (not your usage limit) · retry"),
    ),
    _sentences(
        StopCause.USAGE_LIMIT,
        (
            r"Claude (?:AI )?usage limit reached",
            r"(?:Session|Weekly|Usage|(?:Opus|Sonnet) weekly|\d+-hour) limit reached",
            r"Spending cap reached",
            r"You(?:'|\u2019)ve hit your",
            r"You(?:'|\u2019)re out of extra usage",
            r"Credit balance is too low",
            r"Extra usage is required",
        ),
        (
            "Claude AI usage limit reached|1760000000",
            "Session limit reached ∙ resets 3pm",
            "You've hit your weekly limit · resets Apr 3, 5pm",
        ),
        ("Claude's response exceeded the 32000 output token maximum.",),
    ),
    _sentences(
        StopCause.API_OVERLOAD,
        (r"Repeated server overload", r"Opus is experiencing high load", r"Repeated 529"),
        ("API Error: Repeated 529 Overloaded errors. The API is at capacity", "Repeated server overload with Opus model"),
    ),
    _sentences(
        StopCause.MACHINE_SLEPT,
        (r"Connection interrupted by system sleep", r"Your computer went to sleep", r"Connection lost while your computer was asleep"),
        ("API Error: Your computer went to sleep mid-response. The response above may be incomplete.",),
    ),
    _sentences(
        StopCause.STALLED,
        (
            r"Stream idle timeout",
            r"Response stalled",
            r"The response stopped arriving",
            r"The response stalled",
            r"Part of the response never arrived",
            r"The response stream was malformed",
        ),
        (
            "API Error: Stream idle timeout - partial response received",
            "The response stopped arriving. The response above may be incomplete.",
        ),
    ),
    _sentences(
        StopCause.NETWORK,
        (
            r"Connection error",
            r"Unable to connect to API",
            r"Request timed out",
            r"Connection (?:closed|lost|dropped)",
            r"Connection to the API was lost",
            r"No response from API",
            r"The API is temporarily unavailable",
            r"The response could not be read",
        ),
        ("API Error: Unable to connect to API (UND_ERR_SOCKET)", "Connection lost mid-response. Try again."),
    ),
    _sentences(
        StopCause.API_5XX,
        (
            r"Server error mid-response",
            r"(?!(?:API Error: )?(?:\d{3}\b|Overloaded\b))[^\n{]{1,300}This is a server-side issue, usually temporary",
        ),
        ("API Error: Internal error. This is a server-side issue, usually temporary — try again in a moment.",),
        (
            "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
            "API Error: Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
        ),
    ),
    _sentences(
        StopCause.CONTEXT_TOO_LONG,
        (
            r"Prompt is too long",
            r"Autocompact is thrashing",
            r"Conversation too long",
            r"Context limit reached",
            r"Request too large \(max",
            r"too many total text bytes",
        ),
        ("Prompt is too long", "Prompt is too long · automatic compaction failed: x"),
    ),
    _sentences(StopCause.USER_INTERRUPT, (r"Request was aborted",), ("API Error: Request was aborted.",)),
)
"""The sentences of versions 1.0.60 to 2.1.332, in the order in which they are asked."""

_OPENINGS = re.compile(r"API Error\b|Please run /login [·∙] |Failed to authenticate")
_STATUS = re.compile(r"API Error:? \(?(?:Repeated |Request rejected )?[(<]?(\d{3})\b")
_OVERLOADED = re.compile(r"(?:API Error: )?(?:529 )?\W*Overloaded\b")
_EPOCH = re.compile(r"limit reached\|(\d{9,11})")
_LIMITED = frozenset({StopCause.USAGE_LIMIT, StopCause.RATE_LIMITED})
_RESETS = re.compile(r"\bresets?(?: (?:at|on|in))? (?P<when>[^\n·∙\"{}]{1,80})")

_COARSE = {
    "authentication_failed": StopCause.AUTH_EXPIRED,
    "billing_error": StopCause.USAGE_LIMIT,
    "overloaded": StopCause.API_OVERLOAD,
    "server_error": StopCause.API_5XX,
}

SHUTDOWN_TEXTS = (
    "[Request interrupted: the session ended before this agent finished",
    "[This turn ended before it finished.]",
    "[Tool call interrupted: the session ended",
    "[Agent call interrupted: the process running this conversation stopped",
)
"""The harness was told to stop (2.1.332); nobody asked for it and nothing upstream is wrong."""

INTERRUPT_TEXTS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")


def is_error_sentence(text: str) -> bool:
    """Whether a text block starts with a known error sentence (for records that carry no flag)."""
    opening = text.lstrip()
    return _OPENINGS.match(opening) is not None or any(row.forms.match(opening) for row in SENTENCES)


def read_fault(stamp: Stamp, record: JsonObject, text: str) -> Fault:
    """The fault that an error record says; unrecognised errors are `api_error_unclassified`, never clean."""
    cause = next((cause for ask in _ORDER if (cause := ask(record, text.strip()))), StopCause.API_ERROR_UNCLASSIFIED)
    return Fault(stamp=stamp, cause=cause, evidence=Raw(text), resets_at=read_reset(text) if cause in _LIMITED else None)


def read_interrupt(stamp: Stamp, text: str) -> Iterator[Fault]:
    """The fault that a user record's text says, if it is one of the harness's interrupt or shutdown sentences."""
    opening = text.lstrip()
    if opening.startswith(SHUTDOWN_TEXTS):
        yield read_shutdown(stamp, [text])
    elif opening.startswith(INTERRUPT_TEXTS):
        yield Fault(stamp=stamp, cause=StopCause.USER_INTERRUPT, evidence=Raw(text))


def read_shutdown(stamp: Stamp, texts: list[str]) -> Fault:
    """The shutdown that a record with these texts says: by its words, or by `interruptedByShutdown` (2.1.219+) whatever they are."""
    return Fault(stamp=stamp, cause=StopCause.PROCESS_SHUTDOWN, evidence=Raw("\n".join(texts)))


def read_reset(text: str) -> Raw | None:
    """When a limit resets: an exact time where the text has the epoch (1.0.60), else its own words."""
    epoch = _EPOCH.search(text)
    if epoch:
        return Raw(datetime.fromtimestamp(int(epoch[1]), tz=UTC).isoformat().replace("+00:00", "Z"))
    words = _RESETS.search(text)
    return Raw(words["when"].strip().rstrip(".")) if words else None


def _ask_api_error(record: JsonObject, _text: str) -> StopCause | None:
    return CAUSE_BY_API_ERROR.get(text_of(record, "apiError") or "")


def _ask_sentences(_record: JsonObject, text: str) -> StopCause | None:
    return next((row.cause for row in SENTENCES if row.forms.match(text)), None)


def _ask_body(_record: JsonObject, text: str) -> StopCause | None:
    return cause_of_body(text)


def _ask_type(_record: JsonObject, text: str) -> StopCause | None:
    return StopCause.API_OVERLOAD if _OVERLOADED.match(text) else cause_of_type(text)


def _ask_status(record: JsonObject, text: str) -> StopCause | None:
    field = read_whole(record.get("apiErrorStatus"))
    found = _STATUS.search(text)
    return cause_of_status(field if field is not None else int(found[1]) if found else None)


def _ask_coarse(record: JsonObject, text: str) -> StopCause | None:
    word = text_of(record, "error") or ""
    if word == "rate_limit":
        return StopCause.USAGE_LIMIT if names_a_limit(text) else StopCause.RATE_LIMITED
    return _COARSE.get(word)


_ORDER: tuple[Callable[[JsonObject, str], StopCause | None], ...] = (
    _ask_api_error,
    _ask_sentences,
    _ask_body,
    _ask_type,
    _ask_status,
    _ask_coarse,
)
