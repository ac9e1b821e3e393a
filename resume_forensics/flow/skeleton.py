"""A session goes in, its skeleton goes to a file: record by record, masked, in memory that does not grow with the session.

Only the facts come back; whoever asked sees nothing that the session says.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from msgspec.structs import replace

from resume_forensics.deduce.outline import Outline
from resume_forensics.errors import WrongUse
from resume_forensics.flow.scan import find_harness
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.event import Event, Spoken, Turn
from resume_forensics.model.layout import Harness
from resume_forensics.model.record import Malformed, Record
from resume_forensics.model.session import Selection, Source
from resume_forensics.model.skeleton import BadLineRow, NoticeRow, Row, SkeletonFacts, SpeechRow, StopRow, ToolRow
from resume_forensics.read.output import write_whole
from resume_forensics.read.records import Reading
from resume_forensics.render.skeleton import write_facts, write_gap, write_row
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker


def write_skeleton(selection: Selection, output: Path, *, force: bool = False, limits: Limits = LIMITS) -> SkeletonFacts:
    """Write the skeleton of the selection's session to `output`, and answer what is known of it.

    A bad line never stops it. Raises `UnreadableFile` where the session is no readable file, `WrongUse` where `output` is there
    already (without `force`) or is the session itself, `ForensicsError` where it could not be written.
    """
    if selection.session is None:
        raise WrongUse("a skeleton is made of one session: name its file")
    harness, masker = find_harness(selection), Masker()
    reading = Reading(selection.session, limits=limits)
    counts: Counter[str] = Counter()
    with write_whole(output, force=force, spared=selection.session) as stream:
        window = _Window(stream, limits)
        for row in _list_rows(reading, harness):
            _count(row, counts)
            window.add(write_row(seal(row, masker)))
        facts = SkeletonFacts(
            session=masker.mask(Raw(str(selection.session))),
            output=masker.mask(Raw(str(output))),
            size_bytes=0,
            lines=reading.lines,
            parse_errors=reading.unparsable,
            user=counts["user"],
            assistant=counts["assistant"],
            tool=counts["tool"],
            notices=counts["notices"],
            stops=counts["stops"],
            left_out=window.left_out,
            changed=reading.changed,
            redacted_kinds=masker.kinds,
        )
        window.close(write_facts(facts))
    return replace(facts, size_bytes=window.size_bytes)


def _list_rows(reading: Reading, harness: Harness) -> Iterator[Row[Raw]]:
    """The rows of a transcript; of the bad lines the first few by place."""
    source = Source(path=reading.path, owner=harness.worker_id_of(reading.path.name))
    outline = Outline()
    for item in reading:
        if isinstance(item, Malformed):
            if reading.unparsable <= LIMITS.unparsable_listed:
                yield BadLineRow(line=item.place.line, reason=Raw(item.reason))
            continue
        events = [event for event in harness.translate(item, source) if _is_own(event, source)]
        yield from outline.see(events, _read_speech(item, events, source, harness))
    yield from outline.close()


def _is_own(event: Event | Spoken, source: Source) -> bool:
    """Whether it belongs to the session itself: in old versions helpers wrote into its file too."""
    return not event.stamp.sidechain or source.owner is not None


def _read_speech(record: Record, events: Sequence[Event], source: Source, harness: Harness) -> Spoken | None:
    if harness.read_speech is not None:
        spoken = harness.read_speech(record, source)
        return spoken if spoken is not None and _is_own(spoken, source) else None
    turns = (event for event in events if isinstance(event, Turn) and event.text is not None)
    return next((Spoken(stamp=turn.stamp, speaker=turn.speaker, text=turn.text) for turn in turns if turn.text), None)


def _count(row: Row[Raw], counts: Counter[str]) -> None:
    match row:
        case SpeechRow():
            counts["assistant" if row.speaker is Speaker.ASSISTANT else "user"] += row.speaker is not Speaker.HARNESS
        case ToolRow():
            counts["tool"] += row.calls
        case NoticeRow():
            counts["notices"] += 1
        case StopRow():
            counts["stops"] += 1
        case BadLineRow():
            pass


class _Window:
    """The beginning and the end of a text that may be endless: the beginning is written at once, the end is held until it is known."""

    def __init__(self, stream: IO[bytes], limits: Limits) -> None:
        self._stream = stream
        self._limits = limits
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self.size_bytes = 0
        self.left_out = 0

    def add(self, text: str) -> None:
        """Take the next row."""
        content = text.encode()
        if not self._tail and self.size_bytes + len(content) <= self._limits.skeleton_head_bytes:
            self._write(content)
            return
        self._tail.append(content)
        self._tail_bytes += len(content)
        while self._tail_bytes > self._limits.skeleton_tail_bytes:
            self._tail_bytes -= len(self._tail.popleft())
            self.left_out += 1

    def close(self, last: str) -> None:
        """Write what was held, and a last line."""
        if self.left_out:
            self._write(write_gap(self.left_out).encode())
        for content in self._tail:
            self._write(content)
        self._write(last.encode())

    def _write(self, content: bytes) -> None:
        self._stream.write(content)
        self.size_bytes += len(content)
