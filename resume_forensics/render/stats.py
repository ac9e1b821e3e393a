"""Writes the measurement table: for people, as Markdown, as CSV, as JSON. In: the document `resume-forensics/stats/1`. Out: text."""

import csv

from resume_forensics.render.document import Object, dump
from resume_forensics.render.figures import Figure, Json, Section, list_sections, spell_number, spell_share
from resume_forensics.render.visible import show_line

CSV_COLUMNS = ("key", "label", "n", "of", "share", "low", "high")


def write_table(document: Json) -> str:
    """The table for people: a heading for each section, numbers under each other, shares with denominator and 95 % interval."""
    lines: list[str] = []
    for section in list_sections(document):
        lines += ["", section.title, *_align(section)]
    lines += ["", "Shares carry their 95 % Wilson interval.", *_list_unreadable(document)]
    return "\n".join(lines[1:]) + "\n"


def write_markdown(document: Json) -> str:
    """The table in the layout in which such tables are published: what was measured, how often, which share."""
    lines: list[str] = []
    for section in list_sections(document):
        head = ["", *section.columns] if section.columns else ["", "", ""]
        lines += ["", f"**{section.title}**", "", _cells(head), _cells(["---", *["---:"] * (len(head) - 1)])]
        lines += [_cells([_escape(name), *numbers]) for name, numbers in _rows(section)]
    return "\n".join(lines[1:]) + "\n"


def write_csv(document: Json) -> str:
    """One line for each figure, with the place where it stands in the JSON document."""
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for section in list_sections(document):
        writer.writerows([getattr(one, column) for column in CSV_COLUMNS] for one in section.figures)
    return "".join(lines)


class _Lines(list[str]):
    """Takes lines as a file does."""

    def write(self, line: str) -> None:
        """Take one line."""
        self.append(line)


def write_stats_document(document: Object) -> str:
    """The whole document as JSON."""
    return dump(document)


def _rows(section: Section) -> list[tuple[str, list[str]]]:
    """What a section says, row by row: a name, and what stands under each column, or the number and its share."""
    if not section.columns:
        return [(one.label, [f"**{spell_number(one)}**", spell_share(one)]) for one in section.figures]
    spelled = [spell_number(one) for one in section.figures]
    width = len(section.columns)
    return [(name, spelled[width * row : width * (row + 1)]) for row, name in enumerate(section.names)]


def _cells(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _align(section: Section) -> list[str]:
    """The rows of a section for people, numbers under each other."""
    if section.columns:
        table = [("", list(section.columns)), *_rows(section)]
        widths = [max(len(cells[column]) for _, cells in table) for column in range(len(section.columns))]
        name_width = max(len(name) for name, _ in table)
        return ["  ".join([f"  {name:<{name_width}}", *map(str.rjust, cells, widths)]) for name, cells in table]
    shown = [(show_line(one.label), spell_number(one), spell_share(one)) for one in _worth_showing(section)]
    label, number = (max((len(row[column]) for row in shown), default=0) for column in (0, 1))
    return [f"  {row[0]:<{label}}  {row[1]:>{number}}  {row[2]}".rstrip() for row in shown]


def _worth_showing(section: Section) -> list[Figure]:
    """The rows for people: a cause or a kind that never occurred is left out."""
    rare = ("exact.preceded_by.", "exact.in_flight.workers.")
    return [one for one in section.figures if one.n or not one.key.startswith(rare)]


def _list_unreadable(document: Json) -> list[str]:
    files = document["exact"]["unreadable_files"]
    return ["", "Files that could not be read", *(f"  {show_line(file)}" for file in files)] if files else []


def _escape(label: str) -> str:
    return show_line(label).replace("|", "\\|")
