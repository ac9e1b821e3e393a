"""What earlier sweeps counted: a unit goes in, and its row comes out, or how far each of its files was read before.

A row counts only while every file of its unit is as it was, and no file came or went; a piece as long as its file only grew.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from resume_forensics.flow.unit import Unit
from resume_forensics.model.count import Counted, UnitCount
from resume_forensics.model.piece import Piece
from resume_forensics.read.cache import Cache
from resume_forensics.read.freshness import Seen

FORM = 2
"""What is kept, and how; to be raised where either changes, so that nothing old is taken for new."""


class Recalled(Struct, frozen=True, kw_only=True):
    """What is known of a unit. `row` is None where something of it is to be read; then `pieces` say from where on."""

    row: UnitCount | None = None
    pieces: dict[str, Piece] = field(default_factory=dict)


class Memory:
    """The cache, as a sweep asks it. How a unit stood when it was looked for is held until it is kept: it may be written to meanwhile."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._seen: dict[tuple[str, ...], tuple[Seen, ...]] = {}  # in the order of the files, and no more: there may be very many

    def recall(self, unit: Unit) -> Recalled:
        """Answer what is known of a unit."""
        seen = {file: self._cache.look(Path(file)) for file in unit.files}
        first = seen[unit.files[0]].payload
        if first is not None and all(one.complete for one in seen.values()):
            print_of_files, row, _ = first.split(b"\n", 2)
            if print_of_files == _print_files(unit):
                return Recalled(row=_name(UnitCount.from_plain(orjson.loads(row)), unit.main or ""))
        self._seen[unit.files] = tuple(seen.values())
        return Recalled(pieces=dict(_read_pieces(seen)))

    def keep(self, unit: Unit, counted: Counted) -> None:
        """Remember what was counted of a unit that `recall` was asked for. Where a file could not be read, the row is asked for again."""
        for file, seen in zip(unit.files, self._seen.pop(unit.files, ()), strict=False):
            piece = counted.pieces.get(file)
            if piece is not None:
                head = _write_row(unit, counted.row) if file == unit.files[0] and not counted.row.unreadable else b"\n"
                self._cache.keep(Path(file), seen, b"\n".join((head, orjson.dumps(piece.to_plain()))), counted_bytes=piece.end_byte)


def _write_row(unit: Unit, row: UnitCount) -> bytes:
    """What stands before the piece of a unit's first file: of which files the row is, and the row, without their names."""
    return b"\n".join((_print_files(unit), orjson.dumps(_name(row, "").to_plain())))


def _name(row: UnitCount, main: str) -> UnitCount:
    """The row with this path as that of its session."""
    return row if row.session is None else replace(row, session=replace(row.session, file=main))


def _read_pieces(seen: dict[str, Seen]) -> Iterator[tuple[str, Piece]]:
    for file, one in seen.items():
        if one.payload is not None:
            piece = Piece.from_plain(orjson.loads(one.payload.rsplit(b"\n", 1)[1]))
            if piece.end_byte == one.counted_bytes:
                yield file, piece


def _print_files(unit: Unit) -> bytes:
    return blake2b("\n".join(unit.files).encode(errors="surrogateescape"), digest_size=16).hexdigest().encode()
