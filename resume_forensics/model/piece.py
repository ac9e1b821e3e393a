"""What a sweep remembers of one file, so that the file need not be read again from its beginning: numbers and fingerprints, never text.

Every value can be written as JSON (`to_plain`, `from_plain`), so that processes, machines and a cache can hand it on.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self, TypeAlias

from msgspec import Struct

Plain: TypeAlias = "Sequence[Any]"
"""Lists of numbers, words and None, as JSON has them: the fields of a value in the order of its class."""


class Followed(NamedTuple):
    """What came of the turn whose line begins at `byte`, as far as whole lines say it.

    `next_line`: that of the next human turn, which ends it; None: it was read up to byte `read_to`, where line `line` begins. `targets`:
    fingerprints of the ids that calls spoke to.
    """

    byte: int
    read_to: int
    line: int
    called: bool = False
    spawned: bool = False
    acknowledged: bool = False
    retyped: bool = False
    next_line: int | None = None
    targets: tuple[int, ...] = ()


class Ending(NamedTuple):
    """Which human turns end the whole lines of a file, as byte and line number of each.

    `last`: the last one; `finished`: the last one that came to a normal end; None: there is none. So it is behind line `down_line`;
    what stands before byte `down_byte` was not looked at.
    """

    last: tuple[int, int] | None
    finished: tuple[int, int] | None
    down_byte: int
    down_line: int


class Sought(NamedTuple):
    """What was looked for in the whole lines of a file beyond its events, so that it need not be looked for there again.

    `first_human`: the byte of the first human turn. `calls`: bytes of lines with calls that were searched for, `missed` fingerprints of
    those that stand on none.
    """

    followed: tuple[Followed, ...] = ()
    ending: Ending | None = None
    first_human: int | None = None
    calls: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()

    def to_plain(self) -> Plain:
        """The fields in their order; nothing where nothing was looked for."""
        if self == _NOTHING_SOUGHT:
            return []
        return [[list(one) for one in self.followed], self.ending and list(self.ending), *self[2:]]

    @classmethod
    def from_plain(cls, plain: Plain) -> "Sought":
        """The value that `to_plain` wrote."""
        if not plain:
            return _NOTHING_SOUGHT
        followed, ending, first_human, calls, missed = plain
        last, finished, *down = ending or (None, None, 0, 0)
        return cls(
            followed=tuple(Followed._make((*one[:-1], tuple(one[-1]))) for one in followed),
            ending=Ending(last and tuple(last), finished and tuple(finished), *down) if ending else None,
            first_human=first_human,
            calls=tuple(calls),
            missed=tuple(missed),
        )


_NOTHING_SOUGHT = Sought()


class Piece(Struct, frozen=True, kw_only=True):
    """How far a file was read, and where in it the lines stand that said something. Numbers alone, so that it can be kept and sent.

    Bytes up to `end_byte`, which is the beginning of a line, held `lines` lines, of which `records` records and `unparsable` bad
    ones. `places`: byte and number of each line that gave events, in the order in which it was read, flat; the number is 0 where it
    is not known. `openings`: the same of each line that may be a turn of interest.
    """

    end_byte: int = 0
    lines: int = 0
    records: int = 0
    unparsable: int = 0
    places: tuple[int, ...] = ()
    openings: tuple[int, ...] = ()
    sought: Sought = _NOTHING_SOUGHT

    def to_plain(self) -> Plain:
        """The fields in their order."""
        return [self.end_byte, self.lines, self.records, self.unparsable, self.places, self.openings, self.sought.to_plain()]

    @classmethod
    def from_plain(cls, plain: Plain) -> Self:
        """The value that `to_plain` wrote."""
        end_byte, lines, records, unparsable, places, openings, sought = plain
        return cls(
            end_byte=end_byte,
            lines=lines,
            records=records,
            unparsable=unparsable,
            places=tuple(places),
            openings=tuple(openings),
            sought=Sought.from_plain(sought),
        )
