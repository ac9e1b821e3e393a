"""The mask as a filter: text in pieces of any size in, masked text in pieces out, the same as masking the whole at once.

No more is held than one step, what the rules can look across, and a secret that is not yet at its end. A secret longer than
`LIMITS.mask_held_chars` is the one thing that masking whole would show differently: it becomes several placeholders.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.mask.engine import Masker
from resume_forensics.text import Masked

BEHIND_CHARS: Final = 4 * LIMITS.mask_lookback_chars
"""Text already given out that is kept, because rules look back on it."""

AHEAD_CHARS: Final = 3 * LIMITS.mask_reach_chars
"""Text not yet given out, because rules that begin in it have not seen all they may look at."""


def mask_stream(pieces: Iterable[str], masker: Masker, *, step_chars: int = LIMITS.mask_chunk_chars) -> Iterator[Masked]:
    """Mask a text that comes in pieces. The pieces that come out need not begin where the ones that came in did."""
    held = ""
    shown = 0
    for piece in pieces:
        held += piece
        if len(held) - shown >= step_chars + AHEAD_CHARS:
            text, until = masker.advance(held, shown, len(held) - AHEAD_CHARS, final=False)
            yield text
            keep = max(0, until - BEHIND_CHARS)
            held, shown = held[keep:], until - keep
    text, _ = masker.advance(held, shown, len(held), final=True)
    yield text
