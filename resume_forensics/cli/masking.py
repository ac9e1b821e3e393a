"""The mask as a filter: a file or standard input in, masked text to standard output, in bounded memory."""

import sys
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from resume_forensics.cli.console import emit
from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.mask.stream import mask_stream
from resume_forensics.mask.user_rules import UserRules, parse_user_rules
from resume_forensics.read.files import open_regular, read_at_most
from resume_forensics.render.visible import show_block

STANDARD_INPUT = Path("-")


def filter_text(file: Path | None, rules_file: Path | None, *, quiet: bool) -> Counter[str]:
    """Mask a file (None or `-`: standard input) to standard output, and answer how often each kind of secret was masked.

    `quiet`: nothing is printed, only counted. Bytes that are no UTF-8 become U+FFFD; all else keeps every character, unless standard
    output is a terminal: there, what cannot be seen shows as escapes. Raises `UnreadableFile` or `WrongUse`.
    """
    masker = (_read_rules(rules_file) if rules_file else UserRules()).make_masker()
    show: Callable[[str], str] = show_block if sys.stdout is not None and sys.stdout.isatty() else str
    for text in mask_stream(_pieces(file), masker):
        if not quiet and not emit(show(text)):
            break
    return masker.counts


def write_counts(counts: Counter[str]) -> str:
    """One line for each kind, sorted: how often it was masked, and its name."""
    return "".join(f"{number:>7,}  {kind}\n" for kind, number in sorted(counts.items()))


def _pieces(file: Path | None) -> Iterator[str]:
    """The text of a file or of standard input, block by block; no character is ever parted."""
    decoder = getincrementaldecoder("utf-8")("replace")
    if file is None or file == STANDARD_INPUT:
        if sys.stdin is None:
            raise WrongUse("standard input is closed, so there is nothing to mask")
        blocks = iter(partial(sys.stdin.buffer.read, LIMITS.block_bytes), b"")
        yield from map(decoder.decode, blocks)
    else:
        with open_regular(file) as stream:
            yield from map(decoder.decode, iter(partial(read_at_most, stream, LIMITS.block_bytes), b""))
    yield decoder.decode(b"", final=True)


def _read_rules(file: Path) -> UserRules:
    """The user's own rules in a TOML file."""
    with open_regular(file) as stream:
        content = read_at_most(stream, LIMITS.mask_rules_bytes + 1)
    try:
        return parse_user_rules(content.decode())
    except UnicodeDecodeError:
        raise WrongUse("the file of masking rules is not UTF-8") from None
