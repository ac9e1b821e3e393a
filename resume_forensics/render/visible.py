"""Masked text comes in, text that is safe on a terminal goes out: what cannot be seen, or moves what is seen, shows as an escape.

Every printed character of text output passes here; JSON needs no such care, because it escapes all that is not ASCII.
"""

import re
import unicodedata
from typing import Final

_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U0001d173-\U0001d17a\U000e0100-\U000e01ef]"
)
"""Characters that count as letters or marks and yet show nothing. The two emoji selectors U+FE0E and U+FE0F are left alone."""

_SPACES: Final = "Zs"


def show_line(text: str) -> str:
    r"""Answer the text as one line: newlines, tabs and everything invisible become escapes such as `\n`, `\x1b`, `\u202e`."""
    return text if text.isascii() and text.isprintable() else text.translate(_LINE)


def show_block(text: str) -> str:
    """Answer the text with newlines and tabs kept and everything else invisible escaped. A CR before a newline is dropped."""
    return text.replace("\r\n", "\n").translate(_BLOCK)


def _look(char: str) -> str:
    """The character itself if a reader can see it (spaces included), else its escape."""
    category = unicodedata.category(char)
    if (char.isprintable() or category == _SPACES) and not _BLANK.match(char):
        return char
    code = ord(char)
    if code > 0xFFFF:  # noqa: PLR2004 (the end of the basic plane, where escapes grow longer)
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"  # noqa: PLR2004 (two hex digits end there)


class _Looks(dict[int, str]):
    """A table for `str.translate` that works out each code point once, when it is first met."""

    def __missing__(self, code: int) -> str:
        """Work out and remember how this code point looks."""
        look = self[code] = _look(chr(code))
        return look


_LINE: Final = _Looks({ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"})
_BLOCK: Final = _Looks({ord("\n"): "\n", ord("\t"): "\t", ord("\r"): "\\r"})
