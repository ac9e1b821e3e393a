"""What the body of an API error says by itself, whichever harness wrote it down. In: the text of an error. Out: a stop cause, or None.

Providers and gateways spell the same cause in many ways; a text that fits no row decides nothing, so that its status may.
"""

import re

from msgspec import Struct

from resume_forensics.vocabulary import StopCause


class BodyRow(Struct, frozen=True, kw_only=True):
    """One way in which bodies name a cause. `samples` must fit this row first, `near_misses` must not fit it."""

    cause: StopCause
    words: re.Pattern[str]
    samples: tuple[str, ...]
    near_misses: tuple[str, ...] = ()


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


BODY_ROWS = (
    BodyRow(
        cause=StopCause.RATE_LIMITED,
        words=_any(
            "per (?:minute|second)",
            r"\b[RT]PM\b",
            r"concurren(?:cy|t) (?:\w+ )?limit",
            "request frequency",
            "请求频率",
            "速率限制",
            "并发",
        ),
        samples=(
            "Concurrency limit exceeded for user, please retry later",
            "您的账户已达到速率限制\uff0c请您控制请求频率",
            "Quota exceeded for metric: requests per minute",
        ),
        near_misses=("due to tool use concurrency issues.", "token quota is not enough"),
    ),
    BodyRow(
        cause=StopCause.CONTEXT_TOO_LONG,
        words=_any(
            "prompt is too long",
            "maximum context length",
            "context[ _]length[ _]exceeded",
            "exceeds? (?:the )?context (?:window|limit)",
            "input is too long",
        ),
        samples=(
            "Request 250000 input tokens exceeds the model's maximum context length 200000",
            "input length and `max_tokens` exceed context limit: 198240 + 21333 > 200000",
            "Prompt is too long",
        ),
        near_misses=("response exceeded the 32000 output token maximum",),
    ),
    BodyRow(
        cause=StopCause.USAGE_LIMIT,
        words=_any(
            r"\bquota\b",
            r"insufficient[ _](?:balance|credit|funds|quota)",
            r"(?:credit )?balance (?:is )?(?:too low|not enough|insufficient)",
            "out of (?:extra )?usage",
            "extra usage is required",
            r"(?:usage|spend(?:ing)?|billing|weekly|monthly|daily|session) (?:limit|cap)",
            "no active subscription",
            r"\b(?:resets|will (?:be )?reset) (?:at|in|on|after)\b",
            "额度",
            "余额",
            "欠费",
        ),
        samples=(
            "token quota is not enough, token remain quota: 1",
            "Insufficient Balance",
            "订阅额度不足或未配置订阅: no active subscription",
            "Extra usage is required for 1M context",
            "You're out of extra usage · resets 3pm",
            "monthly spend limit reached",
            "You are over your plan, which will reset at 2026-03-01 00:00:00",
        ),
        near_misses=(
            "upstream connection was reset after 3s",
            "rate_limit_error",
            "This organization has been disabled.",
            "该令牌无权访问模型 glm",
        ),
    ),
    BodyRow(
        cause=StopCause.AUTH_EXPIRED,
        words=_any(
            "(?:invalid|incorrect) (?:x-)?api[ _-]?key",
            "oauth (?:session|token) (?:has )?expired",
            "oauth token (?:has been )?revoked",
            "invalid authentication credentials",
        ),
        samples=("Invalid API key format", "OAuth token has expired. Please obtain a new token"),
        near_misses=("Your account does not have access to Claude Code. Please run /login.", "Request not allowed"),
    ),
    BodyRow(
        cause=StopCause.NETWORK,
        words=_any(
            "fetch failed",
            "error sending request",
            "socket hang up",
            r"\bE(?:NOTFOUND|CONNRESET|CONNREFUSED|TIMEDOUT|AI_AGAIN|HOSTUNREACH|PIPE)\b",
            "getaddrinfo",
        ),
        samples=("请求转发失败: error sending request for url (https:/x)", "TypeError: fetch failed"),
        near_misses=("Internal network failure, error id: 1",),
    ),
)

_TYPE_WORDS = (
    ("overloaded_error", StopCause.API_OVERLOAD),
    ("rate_limit_error", StopCause.RATE_LIMITED),
    ("authentication_error", StopCause.AUTH_EXPIRED),
)

CAUSE_BY_STATUS = {
    401: StopCause.AUTH_EXPIRED,
    402: StopCause.USAGE_LIMIT,
    429: StopCause.RATE_LIMITED,
    529: StopCause.API_OVERLOAD,
    **dict.fromkeys((500, 502, 503, 504), StopCause.API_5XX),
    **dict.fromkeys(range(520, 525), StopCause.NETWORK),
}

_LIMIT_NAMED = re.compile(r"limit reached|hit your|usage|quota|\bresets?\b", re.IGNORECASE)


def cause_of_body(text: str) -> StopCause | None:
    """The cause that the words of a body name: the first row that fits."""
    return next((row.cause for row in BODY_ROWS if row.words.search(text)), None)


def cause_of_type(text: str) -> StopCause | None:
    """The cause that an error type inside the body names."""
    return next((cause for word, cause in _TYPE_WORDS if word in text), None)


def cause_of_status(status: int | None) -> StopCause | None:
    """The cause that an HTTP status means; every other 4xx is an error that nobody classified, 403 included."""
    if status is None:
        return None
    other = StopCause.API_ERROR_UNCLASSIFIED if 400 <= status < 500 else None  # noqa: PLR2004 (the class of client errors)
    return CAUSE_BY_STATUS.get(status, other)


def names_a_limit(text: str) -> bool:
    """Whether a refused rate names a usage limit or the time of its reset."""
    return _LIMIT_NAMED.search(text) is not None
