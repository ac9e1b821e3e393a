"""The few exceptions: for what cannot begin, never for bad input in the middle (that is a value, `Malformed` or `Missing`).

    ForensicsError            one clear sentence, exit status 2
    ├── UnreadableFile        a path that cannot be opened as a regular file
    ├── NoSession             nothing to scan was found
    ├── UnknownWorker         no worker of that id
    ├── WrongUse              options that contradict each other
    └── MissingExtra          an optional dependency is not installed

No transcript text ever stands in one of these; a path that the caller gave may.
"""


class ForensicsError(Exception):
    """The scan cannot begin; the message is one sentence for the person who asked."""


class UnreadableFile(ForensicsError):  # noqa: N818 (the name says what is wrong)
    """The file does not exist, is no regular file, or may not be read."""


class NoSession(ForensicsError):  # noqa: N818
    """No session fits what was asked."""


class UnknownWorker(ForensicsError):  # noqa: N818
    """The session has no worker of that id."""


class WrongUse(ForensicsError):  # noqa: N818
    """Options that cannot be obeyed together, or a value out of range."""


class MissingExtra(ForensicsError):  # noqa: N818
    """An optional dependency is missing; the message names the extra that brings it."""
