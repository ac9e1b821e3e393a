"""The measurement table in each of its formats, from one small document whose figures are known."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import resume_forensics
from count.rows import row, session, turn, worker
from resume_forensics.count.tally import Tally
from resume_forensics.render.figures import list_sections
from resume_forensics.render.stats import CSV_COLUMNS, write_csv, write_markdown, write_stats_document, write_table
from resume_forensics.vocabulary import StopCause, WorkerState

SCHEMA = json.loads((Path(resume_forensics.__file__).parent / "schema" / "stats-1.json").read_text("utf-8"))


@pytest.fixture
def document() -> dict[str, Any]:
    """Two turns, one of them after a lost network; three workers, of which one reported."""
    turns = (turn(bare=True, preceded_by=StopCause.NETWORK, silent_ms=2_500, no_calls=True), turn(form=2, silent_ms=60_000))
    workers = (worker(WorkerState.REPORTED), worker(), worker(launch_missing=True))
    tally = Tally.total([row(session(1, turns=turns, workers=workers, records=1234), resume_turns=2, bare_resume=1), row(None)])
    return tally.document()


@pytest.mark.parametrize("tally", [Tally(), Tally.of(row(session(1, turns=(turn(),), workers=(worker(),))))])
def test_every_document_fits_its_schema(tally: Tally) -> None:
    jsonschema.validate(tally.document(), SCHEMA)


def test_the_schema_refuses_what_is_none(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    for part, key, value in (("seed", "more", 1), ("seed", "resume_turns", None), ("exact", "bare_resume", 1), ("exact", "records", -1)):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**document, part: {**document[part], key: value}}, SCHEMA)


def test_the_document_is_json_in_plain_ascii(document: dict[str, Any]) -> None:
    document["exact"]["unreadable_files"] = ["/p/\u202e\x7f.jsonl"]
    text = write_stats_document(document)
    assert text.isascii()
    assert text.isprintable() or "\\u202e\\u007f" in text
    assert json.loads(text) == document


def test_the_table_for_people(document: dict[str, Any]) -> None:
    lines = write_table(document).splitlines()
    words = [" ".join(line.split()) for line in lines]
    assert "The bare word 1 50% of 2 [9% to 91%]" in words
    assert "Preceded by network 1 50% of 2 [9% to 91%]" in words
    assert "agent: never reported 1 50% of 2 [9% to 91%]" in words
    numbers = [line.index("  50% of 2 [") for line in lines if "50% of 2 [" in line and ":" not in line and "_" not in line]
    assert len(set(numbers[:3])) == 1
    assert [line for line in lines if "usage_limit" in line or "In flight: monitor" in line] == []
    assert any(line.split()[:2] == ["Records", "1,234"] for line in lines)
    assert any(line.split() == ["2.1.200", "1", "2", "2", "1"] for line in lines)
    assert any("median" in line and line.endswith("31.2") for line in lines)
    assert not any(line.endswith(" ") for line in lines)


def test_files_that_could_not_be_read_are_listed_visibly(document: dict[str, Any]) -> None:
    document["exact"]["unreadable_files"] = ["/p/\x1b[2J.jsonl"]
    assert write_table(document).endswith("\nFiles that could not be read\n  /p/\\x1b[2J.jsonl\n")


def test_markdown_has_the_layout_of_published_tables(document: dict[str, Any]) -> None:
    lines = write_markdown(document).splitlines()
    assert lines[:4] == ["**What was read**", "", "|  |  |  |", "| --- | ---: | ---: |"]
    assert "| The bare word | **1** | 50% of 2 [9% to 91%] |" in lines
    assert "| Preceded by usage_limit | **0** | 0% of 2 [0% to 66%] |" in lines
    assert "|  | transcripts | resume turns | workers | never reported |" in lines
    assert "| 2.1.200 | 1 | 2 | 2 | 1 |" in lines


def test_csv_names_the_place_of_every_figure(document: dict[str, Any]) -> None:
    rows = list(csv.DictReader(StringIO(write_csv(document))))
    assert tuple(rows[0]) == CSV_COLUMNS
    by_key = {one["key"]: one for one in rows}
    assert len(by_key) == len(rows)
    assert (by_key["exact.bare_resume"]["n"], by_key["exact.bare_resume"]["of"], by_key["exact.bare_resume"]["share"]) == ("1", "2", "0.5")
    assert by_key["exact.by_version.2.1.200.workers_unreported"]["n"] == "1"
    assert by_key["seed.bare_resume"]["of"] == "2"
    assert by_key["exact.records"]["of"] == ""


def test_nothing_measured_is_a_dash() -> None:
    table = write_table(Tally().document())
    assert any(line.split()[-2:] == ["median", "-"] for line in table.splitlines())


def test_every_number_of_the_document_is_a_figure(document: dict[str, Any]) -> None:
    keys = {figure.key for section in list_sections(document) for figure in section.figures}
    assert {f"seed.{key}" for key in document["seed"]} <= keys
    missing = [key for key in document["exact"] if not any(f"{one}.".startswith(f"exact.{key}.") for one in keys)]
    assert missing == []
