"""A book cut at a moment is the book of files that ended there, as far as workers and their ends go."""

from pathlib import Path

import pytest

from flow.builders import HARNESS, S1, Transcript, notice
from resume_forensics.deduce.cut import cut_book
from resume_forensics.deduce.join import join
from resume_forensics.deduce.ledger import Book, Ledger
from resume_forensics.model.event import Stamp
from resume_forensics.model.record import Record
from resume_forensics.model.session import Source
from resume_forensics.read.records import Reading


def tell() -> Transcript:
    """Launches, ends, a stop of all agents, a re-opened worker, and a foreground call that was lost."""
    told = Transcript(S1)
    told.human("build")
    told.agent("a1", "toolu_1")
    told.agent("a2", "toolu_2")
    told.human(notice("a1"))
    told.call("toolu_3", "SendMessage", to="a1", message="more")
    told.result("toolu_3", '{"success":true}', {"success": True, "resumedAgentId": "a1"})
    told.call("toolu_4", "Task", prompt="Look.", description="look")
    told.human("resume")
    told.result("toolu_4", "[Tool result missing due to internal error]")
    told.human(notice("a1"))
    told.shell("b1", "toolu_5")
    told.add("system", subtype="agents_killed")
    told.human(notice("b9"))
    told.human(notice("b1", "failed"))
    return told


def read_book(path: Path) -> tuple[Book, list[Stamp]]:
    """The book of a file, and the stamp of each of its lines."""
    source, ledger = Source(path=path), Ledger(HARNESS.delivery_traced_since)
    stamps: list[Stamp] = []
    for item in Reading(path):
        assert isinstance(item, Record)
        events = list(HARNESS.translate(item, source))
        for event in events:
            ledger.see(event)
        stamps += [Stamp(source=source, line=item.place.line, at=HARNESS.time_of(item))]
    return ledger.book, stamps


BETWEEN_CALL_AND_RESULT = {3, 5}
"""No turn stands there."""


@pytest.mark.parametrize("line", sorted({*range(1, len(tell().lines) + 1)} - BETWEEN_CALL_AND_RESULT))
def test_workers_at_a_moment_are_those_of_the_file_that_ended_there(tmp_path: Path, line: int) -> None:
    told = tell()
    book, stamps = read_book(told.write(tmp_path / "whole"))
    told.lines = told.lines[: line - 1]
    ended, _ = read_book(told.write(tmp_path / "cut"))
    own = stamps[0].session_id
    there = [(one.worker_id, one.kind, one.state) for one in join(cut_book(book, stamps[line - 1]), own).workers]
    assert there == [(one.worker_id, one.kind, one.state) for one in join(ended, own).workers]
