"""Every text of an API error seen in public transcripts gets the cause that it supports, and structured fields come first."""

from collections.abc import Callable
from typing import Final

import pytest

from harness.claude_code.builders import STAMP, assert_linear
from resume_forensics.harness.claude_code.faults import (
    CAUSE_BY_API_ERROR,
    INTERRUPT_TEXTS,
    SENTENCES,
    SHUTDOWN_TEXTS,
    Sentence,
    is_error_sentence,
    read_fault,
    read_interrupt,
    read_reset,
    read_shutdown,
)
from resume_forensics.model.event import Fault
from resume_forensics.model.record import Json, JsonObject
from resume_forensics.text import Raw
from resume_forensics.vocabulary import StopCause

LOGIN: Final = " · Please run /login"


def cause(text: str, **fields: Json) -> StopCause:
    """What an error record with this text and these fields says."""
    return read_fault(STAMP, fields, text).cause


@pytest.mark.parametrize("row", SENTENCES, ids=lambda row: str(row.cause))
def test_every_sentence_is_reached_by_its_samples_and_spares_its_near_misses(row: Sentence) -> None:
    assert row.samples
    for sample in row.samples:
        assert next(one for one in SENTENCES if one.forms.match(sample)) is row, sample
        assert cause(sample) is row.cause
        assert is_error_sentence(sample)
    for near_miss in row.near_misses:
        assert row.forms.match(near_miss) is None, near_miss


# -- texts seen in public transcripts that name a cause, with real numbers in them

NAMED: Final = (
    ("Invalid API key · Please run /login", StopCause.AUTH_EXPIRED),
    ("Prompt is too long", StopCause.CONTEXT_TOO_LONG),
    ("You're out of extra usage · resets 3pm", StopCause.USAGE_LIMIT),
    ("API Error: Request was aborted.", StopCause.USER_INTERRUPT),
    ("API Error: Unable to connect to API (UND_ERR_SOCKET)", StopCause.NETWORK),
    ("Not logged in · Please run /login", StopCause.AUTH_EXPIRED),
    (f"API Error: 401 Invalid API key format{LOGIN}", StopCause.AUTH_EXPIRED),
    (
        'API Error: 402 {"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}',
        StopCause.USAGE_LIMIT,
    ),
    (
        (
            'API Error: 403 {"error":{"type":"new_api_error","message":"token quota is not enough, token remain quota: \uff0412, need '
            "quota: \uff0440 "
            f'(request id: 7)"}},"type":"error"}}{LOGIN}'
        ),
        StopCause.USAGE_LIMIT,
    ),
    (
        (
            'API Error: 429 {"error":{"message":"Concurrency limit exceeded for user, please retry '
            'later","type":"rate_limit_error"},"type":"error"}'
        ),
        StopCause.RATE_LIMITED,
    ),
    (
        'API Error: 502 {"error":{"message":"请求转发失败: error sending request for url (https:/p","type":"proxy_error"}}',
        StopCause.NETWORK,
    ),
    (
        'API Error: 400 {"error":{"code":"1302","message":"您的账户已达到速率限制\uff0c请您控制请求频率"},"request_id":"7"}',
        StopCause.RATE_LIMITED,
    ),
    (
        (
            "API Error: Claude's response exceeded the 32000 output token maximum. To configure this behavior, set the "
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable."
        ),
        StopCause.API_ERROR_UNCLASSIFIED,
    ),
    ("You're out of extra usage · resets Apr 3, 5pm", StopCause.USAGE_LIMIT),
    (
        "API Error: Extra usage is required for 1M context · run /extra-usage to enable, or /model to switch to standard context",
        StopCause.USAGE_LIMIT,
    ),
    (
        'API Error: 403 {"error":{"code":"","message":"该令牌无权访问模型 claude-haiku-4-5-7 (request id: 7)","type":"new_api_error"}}'
        + LOGIN,
        StopCause.API_ERROR_UNCLASSIFIED,
    ),
    ("API Error: Rate limit reached", StopCause.RATE_LIMITED),
    ("Your account does not have access to Claude Code. Please run /login.", StopCause.API_ERROR_UNCLASSIFIED),
    (
        (
            'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired. Please obtain a '
            "new token or "
            f'refresh your existing token."}},"request_id":"REDACTED"}}{LOGIN}'
        ),
        StopCause.AUTH_EXPIRED,
    ),
    ("Claude AI usage limit reached|1760000000", StopCause.USAGE_LIMIT),
    ("Invalid API key · Fix external API key", StopCause.AUTH_EXPIRED),
    ('Please run /login · API Error: 403 {"error":{"type":"forbidden","message":"Request not allowed"}}', StopCause.API_ERROR_UNCLASSIFIED),
    (
        (
            "There's an issue with the selected model (DeepSeek-V3). It may not exist or you may not have access to it. Run --model to "
            "pick a "
            "different model."
        ),
        StopCause.API_ERROR_UNCLASSIFIED,
    ),
    (
        (
            "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check "
            "status.claude.com."
        ),
        StopCause.API_OVERLOAD,
    ),
    ("API Error: Unable to connect to API (FailedToOpenSocket)", StopCause.NETWORK),
    (
        'API Error: 403 {"error":{"message":"订阅额度不足或未配置订阅: no active subscription (request id: 7)","type":"new_api_error"}}'
        + LOGIN,
        StopCause.USAGE_LIMIT,
    ),
    (
        'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"Invalid authentication credentials"}}' + LOGIN,
        StopCause.AUTH_EXPIRED,
    ),
    ("Session limit reached ∙ resets 3pm", StopCause.USAGE_LIMIT),
    (
        (
            'API Error: 500 {"type":"error","error":{"message":"Internal network failure, error id: 7, please contact customer '
            'service.","code":"1234"}}'
        ),
        StopCause.API_5XX,
    ),
    (
        (
            'API Error: 400 {"type":"error","error":{"message":"Invalid API parameter, please check the documentation.Request 250000 '
            "input tokens "
            'exceeds the model\'s maximum context length 202752","code":"1210"}}'
        ),
        StopCause.CONTEXT_TOO_LONG,
    ),
    ("You've hit your session limit · resets 7pm (Asia/Tokyo)", StopCause.USAGE_LIMIT),
)


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_a_text_that_names_a_cause_gets_it(text: str, expected: StopCause) -> None:
    assert cause(text) is expected
    assert cause(text, error="unknown") is expected
    assert cause(text, error="invalid_request", apiError="gateway_content_type") is expected


# -- and those that say no more than their status does

BY_STATUS: Final = (
    '{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    (
        '{"error":{"message":"Failed to deserialize the JSON body into the target type: messages[3]: unknown variant \'image_url\', '
        "expected "
        '\'text\' at line 1 column 7","type":"invalid_request_error"}}'
    ),
    '{"error":{"message":"Invalid request","type":"invalid_request_error"},"type":"error"}',
    (
        '{"error":{"message":"Upstream bad request: Improperly formed request. (request id: '
        '7)","type":"invalid_request_error"},"type":"error"}'
    ),
    "due to tool use concurrency issues.",
    '{"error":{"message":"所有供应商已熔断\uff0c无可用渠道","type":"proxy_error"}}',
    (
        '{"error":{"message":"The supported API model names are deepseek-v3-pro or deepseek-v3-flash, but you passed DeepSeek-chat.",'
        '"type":"invalid_request_error","param":null,"code":"invalid_request_error"}}'
    ),
    (
        '{"error":{"code":"model_not_found","message":"分组 aggregation 下模型 glm-4-flash 无可用渠道\uff08distributor\uff09 '
        '(request id: 7)","type":"new_api_error"}}'
    ),
    (
        '{"error":{"message":"Invalid \'user_id\': string does not match pattern. Expected a string that matches the pattern '
        '\'^[a-zA-Z0-9_-]+$\'.","type":"invalid_request_error"}}'
    ),
    '{"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."},"request_id":"7"}',
    (
        '{"type":"error","error":{"type":"invalid_request_error","message":"messages.3: \'tool_use\' ids were found without '
        "'tool_result' "
        "blocks immediately after: toolu_1. Each 'tool_use' block must have a corresponding block.\"}}"
    ),
    '{"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.1.image.source.base64: image cannot be empty"}}',
    (
        '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"> <html> <head><title>400 Bad Request</title></head> <body> <center><h1>400 Bad '
        "Request</h1></center> Sorry for the inconvenience.<br/> Please report this message"
    ),
    '{"error":{"message":"<!DOCTYPE html>\\n<!--[if lt IE 7]> <html class=\\"no-js ie6 oldie\\" lang=\\"en-US\\"> <![endif]-->\\n"}}',
    (
        '{"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.1: \'thinking\' or \'redacted_thinking\' '
        "blocks in "
        'the latest assistant message cannot be modified."}}'
    ),
    "No available Claude accounts support the requested model: claude-haiku-4-5-7",
    '{"error":{"message":"bad response status code 404 (request id: 7)","type":"bad_response_status_code"},"type":"error"}',
    '{"error":{"message":"该令牌无权访问模型 GLM-4","type":"new_api_error"}}',
)
BY_NUMBER: Final = {
    400: StopCause.API_ERROR_UNCLASSIFIED,
    403: StopCause.API_ERROR_UNCLASSIFIED,
    429: StopCause.RATE_LIMITED,
    500: StopCause.API_5XX,
    503: StopCause.API_5XX,
    529: StopCause.API_OVERLOAD,
}


@pytest.mark.parametrize("body", BY_STATUS)
@pytest.mark.parametrize("status", BY_NUMBER)
def test_a_text_that_names_nothing_gets_what_its_status_means(body: str, status: int) -> None:
    assert cause(f"API Error: {status} {body}") is BY_NUMBER[status]
    assert cause(f"API Error: {status} {body}{LOGIN}", error="unknown") is BY_NUMBER[status]
    assert cause(f"API Error: 418 {body}", apiErrorStatus=status) is BY_NUMBER[status]


# -- the harness's own sentences of every version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Invalid API key ∙ Please run /login", StopCause.AUTH_EXPIRED),
        ("OAuth token revoked · Please run /login", StopCause.AUTH_EXPIRED),
        ('API Error: 401 {"error":{"type":"authentication_error","message":"x"}} · Please run /login', StopCause.AUTH_EXPIRED),
        ("API Error: 401 Unauthorized · Please run /login", StopCause.AUTH_EXPIRED),
        ("Please run /login · API Error: 401 no", StopCause.AUTH_EXPIRED),
        ('Please run /login · API Error: 400 {"error":{"type":"authentication_error"}}', StopCause.AUTH_EXPIRED),
        ("Please run /login · API Error: 429 no", StopCause.RATE_LIMITED),
        ("Failed to authenticate. API Error: 401 no", StopCause.AUTH_EXPIRED),
        ("Failed to authenticate. API Error: 403 no", StopCause.API_ERROR_UNCLASSIFIED),
        ("Login expired · Please run /login", StopCause.AUTH_EXPIRED),
        ("Login reached its time limit · Please run /login", StopCause.AUTH_EXPIRED),
        ("Failed to authenticate: OAuth session expired and could not be refreshed", StopCause.AUTH_EXPIRED),
        ("Authentication error · This may be a temporary network issue, please try again", StopCause.AUTH_EXPIRED),
        ("Could not refresh your login because another Claude Code process is refreshing it.", StopCause.AUTH_EXPIRED),
        ("Your apiKeyHelper script is failing. Please check it.", StopCause.AUTH_EXPIRED),
        ("Please run /login", StopCause.API_ERROR_UNCLASSIFIED),
        ("Weekly limit reached ∙ resets Oct 9 at 9am", StopCause.USAGE_LIMIT),
        ("Opus weekly limit reached ∙ resets Oct 9", StopCause.USAGE_LIMIT),
        ("Usage limit reached ∙ resets 3pm", StopCause.USAGE_LIMIT),
        ("5-hour limit reached ∙ resets 3pm", StopCause.USAGE_LIMIT),
        ("Spending cap reached", StopCause.USAGE_LIMIT),
        ("You\u2019ve hit your weekly limit · resets Monday", StopCause.USAGE_LIMIT),
        ("You've hit your org's monthly usage limit", StopCause.USAGE_LIMIT),
        ("Credit balance is too low", StopCause.USAGE_LIMIT),
        ("API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited", StopCause.RATE_LIMITED),
        ("API Error: Request rejected (429) · this may be a temporary capacity issue", StopCause.RATE_LIMITED),
        ("Repeated server overload with Opus model", StopCause.API_OVERLOAD),
        ("Opus is experiencing high load, please use /model to switch to Sonnet", StopCause.API_OVERLOAD),
        ("API Error: Repeated 529 Overloaded errors. The API is at capacity", StopCause.API_OVERLOAD),
        ('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', StopCause.API_OVERLOAD),
        ('API Error: 500 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', StopCause.API_OVERLOAD),
        ("API Error: Overloaded. This is a server-side issue, usually temporary — try again in a moment.", StopCause.API_OVERLOAD),
        ("Overloaded. This is a server-side issue, usually temporary — try again in a moment.", StopCause.API_OVERLOAD),
        ('API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}', StopCause.API_5XX),
        ("API Error: 502 Bad gateway. This is a server-side issue, usually temporary — try again in a moment.", StopCause.API_5XX),
        ("API Error: Internal error. This is a server-side issue, usually temporary — try again.", StopCause.API_5XX),
        ("Server error mid-response. The response above may be incomplete.", StopCause.API_5XX),
        ("API Error: 524 <html>", StopCause.NETWORK),
        ("API Error: Connection error.", StopCause.NETWORK),
        ("Unable to connect to API due to poor internet connection", StopCause.NETWORK),
        ("Unable to connect to API: SSL certificate verification failed. Check your proxy", StopCause.NETWORK),
        ("Request timed out. Check your internet connection and proxy settings", StopCause.NETWORK),
        ("Connection closed mid-response. The response above may be incomplete.", StopCause.NETWORK),
        ("Connection lost before a response was produced. Try again.", StopCause.NETWORK),
        ("Connection to the API was lost (ECONNRESET). Try again.", StopCause.NETWORK),
        ("Connection dropped (ECONNRESET)", StopCause.NETWORK),
        ("Connection closed before the response finished", StopCause.NETWORK),
        ("No response from API (waited 300s)", StopCause.NETWORK),
        ("The API is temporarily unavailable", StopCause.NETWORK),
        ("The response could not be read (EPIPE)", StopCause.NETWORK),
        ("API Error: Stream idle timeout - partial response received", StopCause.STALLED),
        ("Response stalled mid-stream. The response above may be incomplete.", StopCause.STALLED),
        ("Response stalled while thinking", StopCause.STALLED),
        ("The response stalled before a response was produced. Try again.", StopCause.STALLED),
        ("Part of the response never arrived.", StopCause.STALLED),
        ("The response stream was malformed (x)", StopCause.STALLED),
        ("Connection interrupted by system sleep", StopCause.MACHINE_SLEPT),
        ("Your computer went to sleep before a response was produced. Try again.", StopCause.MACHINE_SLEPT),
        ("Connection lost while your computer was asleep", StopCause.MACHINE_SLEPT),
        ("Prompt is too long · automatic compaction failed: x", StopCause.CONTEXT_TOO_LONG),
        ("Autocompact is thrashing: the context refilled", StopCause.CONTEXT_TOO_LONG),
        ("Conversation too long. Press esc twice to go up a few messages and try again.", StopCause.CONTEXT_TOO_LONG),
        ("Context limit reached · /compact or /clear to continue", StopCause.CONTEXT_TOO_LONG),
        ("Request too large (max 20MB). Double press esc", StopCause.CONTEXT_TOO_LONG),
        ('API Error: 400 {"message":"prompt is too long: 209000 tokens > 200000 maximum"}', StopCause.CONTEXT_TOO_LONG),
        (
            "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy",
            StopCause.API_ERROR_UNCLASSIFIED,
        ),
        ("API Error: 400 due to tool use concurrency issues", StopCause.API_ERROR_UNCLASSIFIED),
        ("API Error: 400 duplicate tool_use ID", StopCause.API_ERROR_UNCLASSIFIED),
        ("a text that nobody has seen", StopCause.API_ERROR_UNCLASSIFIED),
        ("", StopCause.API_ERROR_UNCLASSIFIED),
    ],
)
def test_the_harness_s_sentences_of_every_version_mean_their_cause(text: str, expected: StopCause) -> None:
    assert cause(text) is expected
    assert cause(f"  {text}\n") is expected


# -- the order of evidence


@pytest.mark.parametrize(("word", "expected"), CAUSE_BY_API_ERROR.items())
def test_a_typed_api_error_decides_before_any_text(word: str, expected: StopCause) -> None:
    assert cause("Prompt is too long", apiError=word, apiErrorStatus=529, error="server_error") is expected


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        # an unlisted kind decides nothing; then the sentence, the body, the type, the status, the coarse word
        ("Prompt is too long", {"apiError": "max_output_tokens"}, StopCause.CONTEXT_TOO_LONG),
        ("Prompt is too long", {"apiErrorStatus": 529, "error": "server_error"}, StopCause.CONTEXT_TOO_LONG),
        ("API Error: 500 your quota is used up (overloaded_error)", {"apiErrorStatus": 500}, StopCause.USAGE_LIMIT),
        ("API Error: 500 rate_limit_error", {}, StopCause.RATE_LIMITED),
        ("API Error: 500 x", {"apiErrorStatus": 529}, StopCause.API_OVERLOAD),
        ("API Error: 500 x", {"apiErrorStatus": "529"}, StopCause.API_5XX),
        ("API Error: 500 x", {"apiErrorStatus": float("nan")}, StopCause.API_5XX),
        ("API Error (429 x)", {}, StopCause.RATE_LIMITED),
        ("API Error: 403 x", {"error": "authentication_failed"}, StopCause.API_ERROR_UNCLASSIFIED),
        ("API Error: x", {"error": "authentication_failed"}, StopCause.AUTH_EXPIRED),
        ("x", {"error": "billing_error"}, StopCause.USAGE_LIMIT),
        ("x", {"error": "overloaded"}, StopCause.API_OVERLOAD),
        ("x", {"error": "server_error"}, StopCause.API_5XX),
        ("x", {"error": "rate_limit"}, StopCause.RATE_LIMITED),
        ("No response requested.", {"error": "rate_limit"}, StopCause.RATE_LIMITED),
        ("You may go on when your usage resets 3pm", {"error": "rate_limit"}, StopCause.USAGE_LIMIT),
        *(
            ("x", {"error": word}, StopCause.API_ERROR_UNCLASSIFIED)
            for word in ("invalid_request", "unknown", "max_output_tokens", "model_not_found")
        ),
        ("x", {"error": ["server_error"], "apiError": {"a": 1}}, StopCause.API_ERROR_UNCLASSIFIED),
        ("The log has 529 and 401 in it", {}, StopCause.API_ERROR_UNCLASSIFIED),
    ],
)
def test_evidence_is_asked_in_its_order(text: str, fields: JsonObject, expected: StopCause) -> None:
    assert cause(text, **fields) is expected


def test_a_fault_keeps_its_words_and_the_reset_of_a_limit() -> None:
    text = "  You've hit your weekly limit · resets Apr 3, 5pm (Europe/Berlin)\n"
    expected = Fault(stamp=STAMP, cause=StopCause.USAGE_LIMIT, evidence=Raw(text), resets_at=Raw("Apr 3, 5pm (Europe/Berlin)"))
    assert read_fault(STAMP, {}, text) == expected


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Claude AI usage limit reached|1760000000", "2025-10-09T08:53:20Z"),
        ("Session limit reached ∙ resets 3pm", "3pm"),
        ("Weekly limit reached ∙ resets Oct 9 at 9am", "Oct 9 at 9am"),
        ('{"message":"Your limit will reset at 2026-03-01 00:00:00.","code":"1"}', "2026-03-01 00:00:00"),
        ("You've hit your limit · resets in 3 hours · /upgrade", "3 hours"),
        ("Credit balance is too low", None),
        ("Claude AI usage limit reached|12", None),
        ("resets ", None),
    ],
)
def test_a_limit_names_when_it_resets(text: str, when: str | None) -> None:
    assert read_reset(text) == (Raw(when) if when else None)


def test_only_a_limit_resets() -> None:
    assert read_fault(STAMP, {}, "Unable to connect to API: connection reset by peer").resets_at is None
    assert read_fault(STAMP, {}, "API Error: 429 slow down, resets 3pm").resets_at == Raw("3pm")


# -- records without a flag, and the sentences of interrupts


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("API Error: 500 x", True),
        ("\n API Error (Connection error.)", True),
        ("Please run /login · API Error: 403 x", True),
        ("Failed to authenticate. API Error: 403 x", True),
        ("API Errors are explained below.", False),
        ("I saw API Error: 500", False),
        ("Please run /login yourself", False),
        ("No response requested.", False),
        ("", False),
    ],
)
def test_a_text_without_a_flag_is_an_error_only_by_its_first_words(text: str, known: bool) -> None:  # noqa: FBT001 (an expected value)
    assert is_error_sentence(text) is known


@pytest.mark.parametrize("text", SHUTDOWN_TEXTS)
def test_a_shutdown_is_nobody_s_wish(text: str) -> None:
    said = f" {text} Nobody asked it to stop.]"
    assert list(read_interrupt(STAMP, said)) == [Fault(stamp=STAMP, cause=StopCause.PROCESS_SHUTDOWN, evidence=Raw(said))]


@pytest.mark.parametrize("text", INTERRUPT_TEXTS)
def test_an_interrupt_is_the_user_s(text: str) -> None:
    assert list(read_interrupt(STAMP, text)) == [Fault(stamp=STAMP, cause=StopCause.USER_INTERRUPT, evidence=Raw(text))]


@pytest.mark.parametrize("text", ["", "continue", "It says [Request interrupted by user]", "[Request interrupted]"])
def test_other_texts_interrupt_nothing(text: str) -> None:
    assert list(read_interrupt(STAMP, text)) == []


def test_a_shutdown_keeps_all_the_texts_of_its_record() -> None:
    assert read_shutdown(STAMP, ["a", "b"]) == Fault(stamp=STAMP, cause=StopCause.PROCESS_SHUTDOWN, evidence=Raw("a\nb"))
    assert read_shutdown(STAMP, []).evidence == Raw("")


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "API Error: " * n,
        lambda n: "x" * n + "This is a server-side issue",
        lambda n: "Please run /login · API Error: " + "authentication_erro" * n,
        lambda n: "concurrent " * n,
        lambda n: "concurrent " + "a" * n,
        lambda n: "balance " * n,
        lambda n: "resets " * n,
        lambda n: "limit reached|" + "1" * n,
        lambda n: "API Error: " + " " * n + "Overloade",
    ],
)
def test_hostile_errors_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: read_fault(STAMP, {"error": "rate_limit"}, make(size)))
