"""Searches the files of a session once more for tool calls that stand far before their receipts.

In: a ledger that wants calls, and the files as they were read. Out: the ledger is told; and what to remember, so that a file that has
grown is not searched again from its beginning.
"""

from collections.abc import Collection, Iterator, Sequence

from resume_forensics.deduce.ledger import Ledger
from resume_forensics.flow.gather import pass_over_missing
from resume_forensics.flow.passes import FilePass
from resume_forensics.model.event import Call
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Record
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.records import decode_line
from resume_forensics.read.search import Needles
from resume_forensics.read.windows import read_lines_at
from resume_forensics.text import Raw


def find_calls(ledger: Ledger, readings: Sequence[FilePass], harness: Harness) -> None:
    """Search as a scan does, in the order of the files, until no call is wanted; of each file what is not known already."""
    for reading in readings:
        wanted = ledger.wanted_calls()
        if not wanted:
            return
        found = _find_in(reading, wanted, harness)
        for byte in sorted(found):
            for call in found[byte]:
                ledger.see(call)
        _remember(reading, wanted, found)


def _find_in(reading: FilePass, wanted: Collection[Raw], harness: Harness) -> dict[int, list[Call]]:
    """The calls of each line that has a wanted one, by the byte of the line."""
    before = reading.before
    found: dict[int, list[Call]] = {}
    for line in read_lines_at(reading.path, ((byte, 0) for byte in before.sought.calls)):
        for item in decode_line(line):
            if isinstance(item, Record):
                found[line.byte] = _read_calls(reading, item, harness)
    known = {call.tool_use_id for calls in found.values() for call in calls}
    missed = frozenset(before.sought.missed)
    old = [one for one in wanted if one in known or one.fingerprint() in missed]
    for ids, start in ((old, before.end_byte), (frozenset(wanted).difference(old), 0)):
        for record in _search(reading, ids, start) if ids else ():
            found[record.place.byte] = _read_calls(reading, record, harness)
    return found


def _search(reading: FilePass, ids: Collection[Raw], start_byte: int) -> Iterator[Record]:
    """The records from a byte on that hold one of the ids."""
    size = reading.edges.size_bytes
    if start_byte < size:
        search = NominatedReading(reading.path, Needles.of(ids))
        search.read_part(start_byte, size, 0)
        yield from (item for item in pass_over_missing(search) if isinstance(item, Record))


def _read_calls(reading: FilePass, record: Record, harness: Harness) -> list[Call]:
    return [event for event in harness.translate(record, reading.source) if isinstance(event, Call)]


def _remember(reading: FilePass, wanted: Collection[Raw], found: dict[int, list[Call]]) -> None:
    """Keep where wanted calls stand, and which do not stand in the whole lines of the file."""
    whole = {byte: {call.tool_use_id for call in calls} for byte, calls in found.items() if byte < reading.edges.whole_end}
    there = {one for ids in whole.values() for one in ids}
    reading.calls = tuple(byte for byte, ids in sorted(whole.items()) if not ids.isdisjoint(wanted))
    reading.missed = tuple(sorted(one.fingerprint() for one in wanted if one not in there))
