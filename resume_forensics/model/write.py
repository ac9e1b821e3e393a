"""The writes that `--apply` may do, as values: a claims room spells them, only the reading room carries them out.

Paths are relative to the root. None of these is ever printed; what is shown of a write is its `PlannedWrite`.
"""

from typing import TypeAlias

from msgspec import Struct

from resume_forensics.model.inquiry import Cell
from resume_forensics.text import Raw


class Append(Struct, frozen=True, kw_only=True):
    """Whole lines for the end of a file, which is made if it is not there."""

    path: Raw
    content: bytes


class Replace(Struct, frozen=True, kw_only=True):
    """A whole file for one that must still have the SHA-256 `digest`; its mode stays."""

    path: Raw
    content: bytes
    digest: str


class Create(Struct, frozen=True, kw_only=True):
    """A new file; one that has the name already is never overwritten.

    `beside` are the names that must still be all that stands in its folder; None: that is of no matter.
    """

    path: Raw
    content: bytes
    beside: tuple[str, ...] | None = None


class Statement(Struct, frozen=True, kw_only=True):
    """One SQL statement. It must change exactly `rows` rows, where that is given, else the whole transaction is taken back."""

    sql: str
    values: tuple[Cell, ...] = ()
    rows: int | None = None


class Transaction(Struct, frozen=True, kw_only=True):
    """Statements that a SQLite database takes all or none of."""

    path: Raw
    statements: tuple[Statement, ...]


Write: TypeAlias = Append | Replace | Create | Transaction
