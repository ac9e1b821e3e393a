"""The grammar that the markdown files of a devteam share: sample rows, tables, fields, titles, identifiers.

Text of a file goes in, pieces of it come out; every pattern is linear, and no line is searched beyond its beginning.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.text import CUT_MARK, Raw

DASHES: Final = frozenset("\N{EM DASH}\N{EN DASH}-")
_EXAMPLE_BEGIN: Final = "<!-- example:begin"
_EXAMPLE_END: Final = "<!-- example:end"
_SEPARATOR: Final = re.compile(r"(?<=\s)[\u2014\u2013-](?=\s)")
"""A title's separator is a dash with spaces round it: a hyphen inside a word or a date has none (the origin's checks say so)."""
_TASK: Final = re.compile(r"(?<![A-Za-z0-9-])T(?:-(\d{1,9})(?!\d)|(\d{1,9})(?=-[a-z]))")
"""A task as it is cited (`T-7`, `T-7.S-2`) or as its agent's label begins (`T7-log-0310`)."""
_LABEL: Final = re.compile(r"(?<![A-Za-z0-9-])T\d{1,9}-[A-Za-z0-9][\w.-]{0,200}")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = frozenset("|-: \t")


def split_lines(text: str) -> list[str]:
    """The lines of a text, split where an editor ends a line and nowhere else."""
    return text.replace("\r\n", "\n").split("\n")


def drop_examples(text: str) -> Iterator[str]:
    """The lines outside the example marks; a mark that is never closed drops the rest, as samples must not become claims."""
    inside = False
    for line in split_lines(text):
        mark = line.lstrip()
        if mark.startswith(_EXAMPLE_BEGIN):
            inside = True
        elif mark.startswith(_EXAMPLE_END):
            inside = False
        elif not inside:
            yield line


def read_tables(lines: Iterator[str]) -> Iterator[Mapping[str, str]]:
    """Each row of each table, by the names of its columns in lower case, cells without backticks or strike-through."""
    columns: list[str] = []
    before: list[str] = []
    for line in lines:
        if not line.lstrip().startswith("|"):
            columns, before = [], []
        elif before and not columns and set(line) <= _RULE:
            columns = [name.lower() for name in before]
        else:
            before = [clean(cell) for cell in _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))]
            if columns:
                yield dict(zip(columns, before, strict=False))


def clean(cell: str) -> str:
    """The words of a cell."""
    return cell.replace("~~", "").replace("`", "").replace("\\|", "|").strip()


def read_field(line: str, label: str) -> str | None:
    """The value of a bold-labelled field (`- **Label.** value`) in a line, None if the line has no such field."""
    _, found, value = line[: LIMITS.searched_chars].partition(f"**{label}.**")
    return value.strip() if found else None


def split_title(line: str) -> list[str]:
    """The parts of a heading between its separators, without the marks of the heading."""
    words = line.lstrip("#") if len(line) <= LIMITS.searched_chars else ""
    return [part.strip() for part in _SEPARATOR.split(words.replace("~~", ""))]


def find_tasks(text: str) -> tuple[int, ...]:
    """The numbers of the tasks that a text names, in its order, each once."""
    return tuple(dict.fromkeys(int(found[1] or found[2]) for found in _TASK.finditer(text)))


def find_labels(text: str) -> tuple[str, ...]:
    """The labels of agents (`T<n>-<slug>-<HHMM>`) that a text names."""
    return tuple(_LABEL.findall(text[: LIMITS.searched_chars]))


def bound_text(text: str) -> Raw:
    """A text as it may be printed; a long one is cut, so that the mask leaves out what stands beside the cut."""
    shown = LIMITS.quoted_chars
    return Raw(text) if len(text) <= shown else Raw(text[: shown + LIMITS.cut_margin_chars] + CUT_MARK)


def read_beginning(line: str) -> str:
    """As much of a line as is searched."""
    return line[: LIMITS.searched_chars]
