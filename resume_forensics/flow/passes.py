"""One pass over one file for the sweep: what its records say to a ledger, and where its turns of interest stand.

In: a path, and how far it was read before. Out: a `Piece`, the candidate turns, the ends of the file's own story. Nothing is judged.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from resume_forensics.count.seed import BEFORE_RECORDS, SeedTurns, human_text, is_resume_turn
from resume_forensics.count.turns import OPENINGS, is_resume
from resume_forensics.deduce.identity import Identity
from resume_forensics.deduce.ledger import Ledger
from resume_forensics.flow.gather import make_watch
from resume_forensics.limits import WINDOW
from resume_forensics.model.count import SeedCount
from resume_forensics.model.event import Event, Turn
from resume_forensics.model.layout import Harness
from resume_forensics.model.piece import Piece
from resume_forensics.model.record import Record
from resume_forensics.model.session import Source
from resume_forensics.read.edges import Edges
from resume_forensics.read.openings import OpeningNeedles
from resume_forensics.read.records import Reading, decode_line
from resume_forensics.read.segments import SegmentedReading
from resume_forensics.read.windows import load_strictly, read_lines_at, read_lines_from, read_objects_before
from resume_forensics.vocabulary import Speaker


class FilePass:
    """Reads one file once. `openings`: byte and number of each line with a turn of interest.

    `file`: the path as it was listed. `edges`: its first and last lines.

    `ledger` is told the events of the records, `identity` their session ids; each where it is given. Raises `UnreadableFile` where
    the path is no readable regular file.

    `before`: how far it was read already. `calls` and `missed`: see `Sought`.
    """

    def __init__(self, file: str, source: Source, harness: Harness, ledger: Ledger | None = None) -> None:
        self.file = file
        self.path = source.path
        self.edges = Edges(source.path)
        self.identity: Identity | None = None
        self.records = self.unparsable = self.whole_lines = 0
        self.openings: dict[int, int] = {}
        self.before = Piece()
        self.calls: tuple[int, ...] = ()
        self.missed: tuple[int, ...] = ()
        self.source = source
        self._harness = harness
        self._ledger = ledger
        self._places: list[int] = []

    def read(self, before: Piece | None, *, plain: bool) -> Piece:
        """Read the file, from where it was read to before. What a line without its newline says is counted, and is not in the answer."""
        whole_end = self.edges.whole_end
        if before is not None and before.end_byte <= whole_end:
            self.before = before
        self._replay(self.before)
        piece = self._read_on(self.before, whole_end, plain=plain)
        self.whole_lines = piece.lines
        if whole_end < self.edges.size_bytes:
            self._read_on(piece, self.edges.size_bytes, plain=plain)
        return piece

    def _replay(self, piece: Piece) -> None:
        """Take again what the places of an earlier reading say."""
        self.records, self.unparsable = piece.records, piece.unparsable
        self._places = list(piece.places)
        self.openings = dict(_pairs(piece.openings))
        if self._ledger is not None and piece.places:
            for line in read_lines_at(self.path, _pairs(piece.places)):
                for item in decode_line(line):
                    if isinstance(item, Record):
                        self._take(item)
            self._ledger.take_wishes()  # they were looked for when these lines were new

    def _read_on(self, piece: Piece, end_byte: int, *, plain: bool) -> Piece:
        reading = self._open(plain=plain)
        reading.read_part(piece.end_byte, end_byte, piece.lines)
        for item in reading:
            if isinstance(item, Record):
                said, opens = self._take(item)
                if said:
                    self._places += (item.place.byte, item.place.line)
                if opens:
                    self.openings[item.place.byte] = item.place.line
        self.records += reading.records
        self.unparsable += reading.unparsable
        return Piece(
            end_byte=end_byte,
            lines=reading.lines,
            records=self.records,
            unparsable=self.unparsable,
            places=tuple(self._places),
            openings=tuple(number for pair in self.openings.items() for number in pair),
        )

    def _open(self, *, plain: bool) -> Reading:
        if plain:
            return Reading(self.path)
        if self._ledger is None:
            return SegmentedReading(self.path, _compile((), self._harness.continuations))
        watch = make_watch(self._ledger, self._harness)
        return SegmentedReading(self.path, _compile(self._harness.needles, self._harness.continuations, watch.marks), watch)

    def _take(self, record: Record) -> tuple[bool, bool]:
        """Pass a record on; answer whether it gave events, and whether it may be a turn of interest by either of the definitions."""
        if self.identity is not None:
            self.identity.see(self._harness.session_id_of(record))
        human = human_text(record.data)
        opens = human is not None and is_resume_turn(human)
        if self._ledger is None:
            return False, opens
        said = False
        for event in self._harness.translate(record, self.source):
            self._ledger.see(event)
            said, opens = True, opens or is_turn_of_interest(event)
        return said, opens


def is_turn_of_interest(event: Event) -> bool:
    """Whether an event is a resume-class turn, or one that the harness typed so that the work goes on."""
    match event:
        case Turn(continues=True):
            return True
        case Turn(speaker=Speaker.HUMAN, text=text) if text is not None:
            return is_resume(text)
        case _:
            return False


def count_seed(path: Path, openings: dict[int, int]) -> SeedCount:
    """The first scan's sums over one file, from the windows around its candidate turns."""
    total = SeedCount(files_scanned=1)
    for byte in sorted(openings):
        turns = SeedTurns()
        turns.precede(read_objects_before(path, byte, BEFORE_RECORDS))
        for line in read_lines_from(path, byte, limits=WINDOW):
            if line.byte > byte and not turns.waits:
                break
            for data in load_strictly(line.data):
                turns.see(data, counts=line.byte == byte)
        total += turns.answer()
    return total


def _pairs(numbers: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return (pair for index, pair in enumerate(pairwise(numbers)) if index % 2 == 0)


@cache
def _compile(needles: tuple[str, ...], continuations: tuple[str, ...], keys: tuple[str, ...] = ()) -> OpeningNeedles:
    return OpeningNeedles(needles, (*(form.words for form in OPENINGS), *continuations), keys)
