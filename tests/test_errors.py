"""The exceptions: one root, a tree that the docstring draws, and messages of one sentence."""

import inspect

import pytest

from resume_forensics import errors

EXCEPTIONS = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)]


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=[exception.__name__ for exception in EXCEPTIONS])
def test_every_exception_is_of_the_family_and_is_drawn(exception: type[Exception]) -> None:
    assert issubclass(exception, errors.ForensicsError)
    assert exception.__name__ in str(errors.__doc__)


def test_a_message_is_what_was_given() -> None:
    with pytest.raises(errors.ForensicsError, match=r"^no session here$"):
        raise errors.NoSession("no session here")


def test_the_family_is_small() -> None:
    assert {exception.__name__ for exception in EXCEPTIONS} == {
        "ForensicsError",
        "UnreadableFile",
        "NoSession",
        "UnknownWorker",
        "WrongUse",
        "MissingExtra",
    }
