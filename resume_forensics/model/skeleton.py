"""The skeleton of a session: what was said aloud, which tools were called and how that went, what was notified, what stopped it.

A row is one entry of it. `Row[Raw]` becomes `Row[Masked]` in the seal; texts are cut only after that.
"""

from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from resume_forensics.text import Masked
from resume_forensics.vocabulary import Speaker, StopCause

T = TypeVar("T")


class SpeechRow(Struct, Generic[T], frozen=True, kw_only=True):
    """Somebody said something."""

    at: datetime | None
    speaker: Speaker
    text: T


class ToolRow(Struct, Generic[T], frozen=True, kw_only=True):
    """Calls of one tool that follow each other. `targets` are the first few; what has no result is in none of the three counts."""

    at: datetime | None
    tool: T
    targets: tuple[T, ...]
    calls: int
    succeeded: int
    failed: int
    interrupted: int


class NoticeRow(Struct, Generic[T], frozen=True, kw_only=True):
    """A worker was spoken of. `status` None: without a word on how it stands. `lost_track`: the harness itself does not know."""

    at: datetime | None
    worker: T | None
    status: T | None
    summary: T | None
    lost_track: bool = False


class StopRow(Struct, Generic[T], frozen=True, kw_only=True):
    """Something stopped the work."""

    at: datetime | None
    cause: StopCause
    evidence: T
    resets_at: T | None


class BadLineRow(Struct, Generic[T], frozen=True, kw_only=True):
    """A line could not be read."""

    line: int
    reason: T


Row: TypeAlias = SpeechRow[T] | ToolRow[T] | NoticeRow[T] | StopRow[T] | BadLineRow[T]


class SkeletonFacts(Struct, frozen=True, kw_only=True):
    """What is known of a skeleton once it is written. `left_out`: rows of its middle, beyond its bound."""

    session: Masked
    output: Masked
    size_bytes: int
    lines: int
    parse_errors: int
    user: int
    assistant: int
    tool: int
    notices: int
    stops: int
    left_out: int
    changed: str | None
    redacted_kinds: tuple[str, ...]
