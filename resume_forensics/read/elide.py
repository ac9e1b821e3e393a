"""A line too long to hold goes in piece by piece; the same line with its long strings cut comes out.

What is kept stays valid JSON where the line was: no escape, no UTF-8 sequence and no pair of surrogate escapes is split, and
each cut string ends with `CUT_MARK`. Memory is bounded by the table of limits, whatever the line holds.
"""

import re
from typing import Final

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.text import CUT_MARK

_MARK: Final = CUT_MARK.encode()

_LOOK_BACK_BYTES: Final = 12
"""Two `\\uXXXX` escapes: the longest sequence that must not be split."""

_UNSAFE_END: Final = re.compile(
    rb"(?:\\u[dD][89abAB][0-9a-fA-F]{2})?"  # a high surrogate whose other half would be lost
    rb"(?:\\(?:u[0-9a-fA-F]{0,3})?|[\xc0-\xff][\x80-\xbf]{0,3})?\Z"  # an escape or a character that may be unfinished
)


class Elision:
    """The filter for one line: feed it every piece in order, then ask for what is left."""

    __slots__ = ("_after_nul", "_budget", "_cut", "_held", "_inside", "_kept", "_limits", "_out", "_structure", "_tail", "_too_long")

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._out = bytearray()
        self._held = b""  # a backslash whose other half is in the next piece
        self._after_nul = False
        self._inside = False  # a string is open
        self._cut = False  # the rest of the open string is dropped
        self._budget = 0  # bytes the open string may keep
        self._kept = 0  # bytes it has kept
        self._tail = b""  # the last of them, where it began in an earlier piece
        self._structure = 0
        self._too_long = False

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the line."""
        if self._too_long or not piece:
            return
        piece = self._held + self._collapse_nuls(piece)
        # One escape, one backslash: afterwards every quote opens or closes a string, at the same offset as before.
        neutral = piece.replace(b"\\\\", b"\\_").replace(b'\\"', b"\\_") if b"\\" in piece else piece
        end = len(neutral) - neutral.endswith(b"\\")
        self._held = piece[end:]
        carried = self._inside  # a string that began in an earlier piece
        position = 0 if carried else self._keep_run(piece, neutral, 0, end)
        while position < end and not self._too_long:
            quote = neutral.find(b'"', position, end)
            stop = end if quote < 0 else quote
            if not self._inside:
                self._keep_structure(piece[position:stop])
            elif not self._cut:
                self._keep_text(piece, neutral, position, stop)
            if quote >= 0:
                self._pass_quote()
            position = stop + 1
            if carried:
                carried = False
                position = self._keep_run(piece, neutral, position, end)

    def finish(self) -> bytearray | None:
        """Answer what is kept of the line, None where it is too long even so."""
        if self._too_long:
            return None
        self._out += self._held
        return self._out

    def _collapse_nuls(self, piece: bytes) -> bytes:
        """Keep one NUL of a run: a hole that a power loss left can be as long as a disk, and is never JSON."""
        if self._after_nul:
            piece = piece.lstrip(b"\0")
        self._after_nul = piece.endswith(b"\0") if piece else self._after_nul
        return re.sub(rb"\0\0+", b"\0", piece) if b"\0\0" in piece else piece

    def _keep_run(self, piece: bytes, neutral: bytes, start: int, end: int) -> int:
        """Keep at once all whole strings from `start` on, and what stands between them, if nothing of it can need a cut.

        Answers where the run ends, `start` if there is none. It changes no answer, only the time that a million short strings take.
        """
        parts = neutral[start:end].split(b'"')
        stop = end if len(parts) % 2 else end - len(parts.pop()) - 1
        if stop - start > min(self._limits.string_bytes, self._limits.elided_line_bytes - len(self._out)):
            return start
        self._out += piece[start:stop]
        self._structure += sum(map(len, parts[::2])) + len(parts) - 1
        self._measure()
        return stop

    def _keep_structure(self, piece: bytes) -> None:
        """Keep what stands outside strings."""
        self._out += piece
        self._structure += len(piece)
        self._measure()

    def _keep_text(self, piece: bytes, neutral: bytes, start: int, stop: int) -> None:
        """Keep as much of a part of the open string as its budget allows."""
        room = self._budget - self._kept
        taken = min(stop - start, room)
        end = start + taken
        self._out += piece[start:end]
        self._kept += taken
        self._tail = (self._tail + neutral[max(start, end - _LOOK_BACK_BYTES) : end])[-_LOOK_BACK_BYTES:]
        if stop - start > room:
            unsafe = _UNSAFE_END.search(self._tail)
            drop = len(self._tail) - (unsafe.start() if unsafe else 0)
            del self._out[len(self._out) - drop :]
            self._cut = True

    def _pass_quote(self) -> None:
        """Close the open string, or open one with the budget that is left for it."""
        if self._inside and self._cut:
            self._out += _MARK
        self._out += b'"'
        self._structure += 1
        self._inside = not self._inside
        self._cut = False
        self._kept = 0
        self._tail = b""
        left = self._limits.elided_line_bytes - len(self._out)
        self._budget = min(self._limits.string_bytes, max(self._limits.elided_string_bytes, left))
        self._measure()

    def _measure(self) -> None:
        """Give the line up once what is kept of it passes a bound."""
        if self._structure > self._limits.elided_structure_bytes or len(self._out) > self._limits.elided_total_bytes:
            self._too_long = True
            self._out = bytearray()
