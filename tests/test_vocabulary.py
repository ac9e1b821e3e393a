"""The closed sets of words: their spelling is a contract with everyone who reads the JSON document."""

import enum
import inspect

import pytest

from resume_forensics import vocabulary

SETS = [value for value in vars(vocabulary).values() if inspect.isclass(value) and issubclass(value, enum.StrEnum) and len(value)]

CONTRACT = {
    "StopCause": "auth_expired usage_limit rate_limited api_overload api_5xx network stalled machine_slept context_too_long "
    "user_interrupt process_shutdown api_error_unclassified clean_or_unknown",
    "WorkerKind": "agent background-shell workflow monitor teammate remote-agent",
    "WorkerState": "reported reported_failed unreported",
    "Liveness": "possibly-live dead dead-with-parent unknown-teammate unknown-workflow unknown-no-output-file "
    "unknown-mtimes-not-trustworthy unknown-output-not-its-own",
    "Delivery": "stopped delivered fetched queued none",
    "Action": "fold-in continue respawn-remainder respawn-whole verify-first read-failure restart-driver none",
    "Ended": "end-of-turn mid-tool mid-text nothing-written",
    "DriverKind": "schedule wakeup loop trigger",
    "DriverState": "lost possibly-live durable fired removed",
}
"""The words that stand in the document (schema `resume-forensics/scan/1`): none may be renamed or dropped."""


@pytest.mark.parametrize("name", CONTRACT)
def test_the_words_of_the_document_are_pinned(name: str) -> None:
    assert [str(word) for word in getattr(vocabulary, name)] == CONTRACT[name].split()


@pytest.mark.parametrize("words", SETS, ids=[words.__name__ for words in SETS])
def test_every_set_is_documented_and_free_of_doubles(words: type[enum.StrEnum]) -> None:
    assert inspect.getdoc(words)
    assert len(set(words)) == len(words.__members__)


def test_a_word_is_its_own_spelling() -> None:
    assert f"{vocabulary.Liveness.POSSIBLY_LIVE}" == "possibly-live"
    assert vocabulary.StopCause("api_5xx") is vocabulary.StopCause.API_5XX
