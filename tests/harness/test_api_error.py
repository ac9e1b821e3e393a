"""Every row of the table of error bodies holds what its samples promise, and a status means what HTTP says."""

import pytest

from resume_forensics.harness.api_error import BODY_ROWS, BodyRow, cause_of_body, cause_of_status, cause_of_type, names_a_limit
from resume_forensics.vocabulary import StopCause


@pytest.mark.parametrize("row", BODY_ROWS, ids=lambda row: str(row.cause))
def test_every_row_catches_its_samples_first_and_spares_its_near_misses(row: BodyRow) -> None:
    assert row.samples
    for sample in row.samples:
        assert cause_of_body(sample) is row.cause, sample
    for near_miss in row.near_misses:
        assert row.words.search(near_miss) is None, near_miss


def test_every_cause_has_one_row() -> None:
    causes = [row.cause for row in BODY_ROWS]
    assert len(set(causes)) == len(causes)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Rate limit exceeded: 50 requests per minute of your quota", StopCause.RATE_LIMITED),
        ("maximum context length is 65536 tokens; your quota is 5", StopCause.CONTEXT_TOO_LONG),
        ("weekly limit", StopCause.USAGE_LIMIT),
        ("spending cap", StopCause.USAGE_LIMIT),
        ("your window resets in 3 hours", StopCause.USAGE_LIMIT),
        ("insufficient_quota", StopCause.USAGE_LIMIT),
        ("invalid x-api-key", StopCause.AUTH_EXPIRED),
        ("read ECONNRESET", StopCause.NETWORK),
        ("socket hang up", StopCause.NETWORK),
        ("upstream connect error or disconnect/reset before headers", None),
        ("rate_limit_error", None),
        ("", None),
    ],
)
def test_a_body_names_its_cause_or_nothing(text: str, cause: StopCause | None) -> None:
    assert cause_of_body(text) is cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('{"type":"overloaded_error"}', StopCause.API_OVERLOAD),
        ('{"type":"rate_limit_error"}', StopCause.RATE_LIMITED),
        ('{"type":"authentication_error"}', StopCause.AUTH_EXPIRED),
        ('{"type":"invalid_request_error"}', None),
        ('{"type":"api_error"}', None),
    ],
)
def test_an_error_type_inside_the_body_names_its_cause(text: str, cause: StopCause | None) -> None:
    assert cause_of_type(text) is cause


@pytest.mark.parametrize(
    ("statuses", "cause"),
    [
        ((401,), StopCause.AUTH_EXPIRED),
        ((402,), StopCause.USAGE_LIMIT),
        ((429,), StopCause.RATE_LIMITED),
        ((529,), StopCause.API_OVERLOAD),
        ((500, 502, 503, 504), StopCause.API_5XX),
        ((520, 521, 522, 523, 524), StopCause.NETWORK),
        ((400, 403, 404, 413, 499), StopCause.API_ERROR_UNCLASSIFIED),
        ((0, -1, 200, 399, 501, 519, 525, 530, 600, 10**30, None), None),
    ],
)
def test_a_status_means_what_http_says(statuses: tuple[int | None, ...], cause: StopCause | None) -> None:
    assert {cause_of_status(status) for status in statuses} == {cause}


@pytest.mark.parametrize(
    ("text", "named"),
    [("5-hour limit reached", True), ("You've hit your limit", True), ("resets 3pm", True), ("quota", True), ("slow down", False)],
)
def test_a_refused_rate_may_name_a_limit(text: str, named: bool) -> None:  # noqa: FBT001 (a table's expected value)
    assert names_a_limit(text) is named
