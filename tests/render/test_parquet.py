"""A Parquet file holds the rows with their kinds, and the same rows give the same bytes."""

import sys
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from pyarrow import parquet

from resume_forensics.errors import MissingExtra
from resume_forensics.render.parquet import PATH_COLUMN, TURN_COLUMNS, name_by_salt, write_parquet

ROW = {
    "session": "s",
    "directory": "d",
    "at": datetime(2026, 9, 14, 9, 10, 21, tzinfo=UTC),
    "form": "f",
    "bare_resume": True,
    "preceded_by": "network",
    "workers_in_flight": 2,
    "kinds_in_flight": "agent",
    "respawned_after": False,
    "queried_workers": False,
    "no_tool_calls": True,
    "acknowledged_death": False,
    "retyped": False,
    "seconds_to_resume": 1.5,
}


def test_rows_come_back_as_they_were() -> None:
    content = write_parquet([ROW, {**ROW, "at": None, "seconds_to_resume": None}], TURN_COLUMNS)
    table = parquet.read_table(pa.BufferReader(content))
    assert table.column_names == list(TURN_COLUMNS) == list(ROW)
    assert table.to_pylist() == [ROW, {**ROW, "at": None, "seconds_to_resume": None}]
    assert write_parquet([ROW, {**ROW, "at": None, "seconds_to_resume": None}], TURN_COLUMNS) == content


def test_no_rows_are_a_table_too() -> None:
    table = parquet.read_table(pa.BufferReader(write_parquet([], {**TURN_COLUMNS, **PATH_COLUMN})))
    assert (table.num_rows, table.column_names[-1]) == (0, "path")


def test_a_name_depends_on_the_salt() -> None:
    names = [name_by_salt(number, salt) for number in (1, -1, 2**63) for salt in (b"a" * 16, b"b" * 16)]
    assert len(set(names)) == 6
    assert name_by_salt(1, b"a" * 16) == names[0]
    assert {len(name) for name in names} == {16}


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"resume-forensics\[stats\]"):
        write_parquet([], TURN_COLUMNS)
