"""A page of plain text: headings, fields and quoted blocks come in, finished lines go out.

Everything on a page passes the visible escapes here, and nothing quoted can begin a line: headings are ours alone.
"""

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.render.visible import show_block, show_line

_STEP: Final = 3
_LABEL: Final = 12
_QUOTE: Final = "| "
_COMMAND: Final = re.compile(r"`[^`]*`")
_GLUE: Final = "\x00"
"""Stands for a space at which no line may break; shown text holds no control characters, so it cannot occur otherwise."""


class Page:
    """Lines that are added from top to bottom. Fields and blocks stand under the last heading or item, indented."""

    def __init__(self) -> None:
        """Begin with an empty page."""
        self._lines: list[str] = []

    def __str__(self) -> str:
        """Answer the finished page, ending in one newline."""
        return "\n".join(self._lines).strip("\n") + "\n"

    def gap(self) -> None:
        """Leave one empty line, never two."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def heading(self, words: str) -> None:
        """Open a section. The words are our own."""
        self.gap()
        self._lines.append(show_line(words))

    def say(self, words: str, *, indent: int = 0) -> None:
        """A paragraph, wrapped."""
        self._wrap(words, " " * indent, " " * indent)

    def item(self, mark: str, words: str) -> None:
        """One entry of a list, with a hanging indent."""
        first = f"{mark} ".ljust(_STEP)
        self._wrap(words, first, " " * len(first))

    def row(self, words: str, *, indent: int = _STEP) -> None:
        """One line as it is, never wrapped: for paths and commands that a reader copies."""
        self._lines.append(" " * indent + show_line(words))

    def field(self, label: str, words: str) -> None:
        """A labelled value, wrapped."""
        self._wrap(words, self._margin(label), self._margin(""))

    def exact(self, label: str, *values: str) -> None:
        """A labelled value or several, one a line and never wrapped."""
        for value in values:
            self._lines.append(self._margin(label) + show_line(value))
            label = ""

    def quote(self, label: str, text: str) -> None:
        """A labelled block of quoted text; every line of it is marked, so that it cannot pass for ours."""
        self._lines.append(f"{' ' * _STEP}{label}")
        self._lines.extend(f"{' ' * _STEP}{_QUOTE}{line}".rstrip() for line in show_block(text).split("\n"))

    def value(self, label: str, text: str) -> None:
        """A quoted value: beside its label if it is one line, else as a block."""
        if "\n" in text.strip("\n"):
            self.quote(label, text.strip("\n"))
        else:
            self.exact(label, text.strip("\n"))

    def rows(self, words: Iterable[str], total: int) -> None:
        """A list of lines, and how many of `total` it leaves out."""
        shown = list(words)
        for line in shown:
            self.row(line)
        if total > len(shown):
            self.say(f"... and {total - len(shown)} more; --json lists them all", indent=_STEP)

    def _wrap(self, words: str, first: str, rest: str) -> None:
        glued = _COMMAND.sub(lambda command: command[0].replace(" ", _GLUE), show_line(words))
        lines = wrap(
            glued, LIMITS.text_columns, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
        )
        self._lines.extend([line.replace(_GLUE, " ") for line in lines] or [first.rstrip()])

    @staticmethod
    def _margin(label: str) -> str:
        return " " * _STEP + f"{label} ".ljust(_LABEL)


def cut(text: str, chars: int) -> str:
    """At most `chars` characters; an ellipsis says that there were more. Cut only what is masked."""
    return text if len(text) <= chars else f"{text[: max(chars - 3, 0)]}..."


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, such as `1 worker` or `1,234 workers`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def end_sentence(words: str) -> str:
    """The words with a full stop, unless they end a sentence already."""
    return words if words.endswith((".", "!", "?")) else f"{words}."
