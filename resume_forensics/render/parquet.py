"""Rows as an Apache Parquet file. In: rows of plain values. Out: its bytes, the same for the same rows."""

# ruff: noqa: PLC0415 (an extra, loaded where such a file is asked for)

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

from resume_forensics.errors import MissingExtra

NAME_BYTES: Final = 8

SESSION_COLUMNS: Final[Mapping[str, str]] = {
    "session": "text",
    "directory": "text",
    "harness": "text",
    "version": "text",
    "first_at": "time",
    "last_at": "time",
    "records": "whole",
    "bytes": "whole",
    "unparsable_records": "whole",
    "auto_continuations": "whole",
    "resume_turns": "whole",
    "workers_launched": "whole",
    "workers_reported": "whole",
    "workers_reported_failed": "whole",
    "workers_unreported": "whole",
    "queued_never_delivered": "whole",
    "dead_while_session_went_on": "whole",
}
"""The columns of the table of sessions, each with what stands in it."""

TURN_COLUMNS: Final[Mapping[str, str]] = {
    "session": "text",
    "directory": "text",
    "at": "time",
    "form": "text",
    "bare_resume": "yes-no",
    "preceded_by": "text",
    "workers_in_flight": "whole",
    "kinds_in_flight": "text",
    "respawned_after": "yes-no",
    "queried_workers": "yes-no",
    "no_tool_calls": "yes-no",
    "acknowledged_death": "yes-no",
    "retyped": "yes-no",
    "seconds_to_resume": "fraction",
}
"""The columns of the table of resume turns."""

PATH_COLUMN: Final[Mapping[str, str]] = {"path": "text"}
"""The column that both have besides where paths may be seen."""


def name_by_salt(fingerprint: int, salt: bytes) -> str:
    """What a fingerprint is called where others may see it: equal ones alike, and not to be guessed without the salt."""
    return blake2b(fingerprint.to_bytes(16, signed=True), key=salt, digest_size=NAME_BYTES).hexdigest()


def write_parquet(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> bytes:
    """The rows as a file with these columns. Raises `MissingExtra`."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("--format parquet needs packages that are not installed: pip install 'resume-forensics[stats]'") from None
    kinds = {"text": pa.string(), "whole": pa.int64(), "yes-no": pa.bool_(), "time": pa.timestamp("ms", tz="UTC"), "fraction": pa.float64()}
    schema = pa.schema([(column, kinds[kind]) for column, kind in columns.items()])
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(list(rows), schema=schema), sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content
