"""BOARD.md, QUESTIONS.md and RECORD.md of a devteam: their text goes in, what they say comes out, sample rows left out.

The formats are those of the origin's own checks (FORMATS.md and check_refs.py of the devteam plugin).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct, field

from resume_forensics.claims.devteam.markdown import (
    DASHES,
    clean,
    drop_examples,
    find_labels,
    find_tasks,
    read_beginning,
    read_field,
    read_tables,
    split_title,
)
from resume_forensics.vocabulary import BoardState

_QUESTION: Final = re.compile(r"#{2,4}\s+(?:~~)?(Q-\d{1,9})(?!\d)")
_QUESTION_CELL: Final = re.compile(r"Q-\d{1,9}")
_TASK_CELL: Final = re.compile(r"T-(\d{1,9})")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_SETTLED: Final = ("answered", "proceeded-unreviewed", "withdrawn")
_QUOTED: Final = re.compile(r"`([^`]*)`")
_NOBODY: Final = frozenset({"none", "vacant", "nobody", ""}) | DASHES
_VERIFIED: Final = re.compile(r"(?<![A-Za-z])(?:[Vv]erify|PASS|FAIL)(?![A-Za-z])|(?<![A-Za-z0-9-])T-?\d{1,9}(?!\d)")


class BoardText(Struct, frozen=True, kw_only=True):
    """BOARD.md, taken apart. `states` are the cells by task number; `labels` those of the agents that hold a task."""

    has_writer: bool
    has_tasks: bool
    writer: str | None
    states: Mapping[int, str]
    scopes: Mapping[int, str]
    labels: Mapping[int, tuple[str, ...]]
    in_flight: frozenset[int]
    questions: Mapping[str, Mapping[str, str]]
    """The rows of the board's own table of questions, by identifier."""
    twice: tuple[int, ...] = ()


class QuestionText(Struct):
    """One question of QUESTIONS.md: its heading, its status and when it was raised, as written; the tasks that it names."""

    id: str
    title: str
    is_struck: bool
    status: str | None = None
    raised: str | None = None
    tasks: set[int] = field(default_factory=set)

    @property
    def is_open(self) -> bool:
        """Whether it still waits: no word says that it was settled, and without a word its heading is not struck through."""
        return not self.is_struck if self.status is None else not self.status.lower().startswith(_SETTLED)


def read_board(text: str) -> BoardText:
    """Take BOARD.md apart; of two rows of one task the first counts, and `twice` names it."""
    lines = tuple(drop_examples(text))
    writer = next((value for line in lines if (value := read_field(line, "Writer")) is not None), None)
    states: dict[int, str] = {}
    scopes: dict[int, str] = {}
    labels: dict[int, tuple[str, ...]] = {}
    flights: set[int] = set()
    questions: dict[str, Mapping[str, str]] = {}
    twice: list[int] = []
    for row in read_tables(iter(lines)):
        found = _TASK_CELL.fullmatch(row.get("task", ""))
        if found is None:
            questions |= {row["#"]: row} if "question" in row and _QUESTION_CELL.fullmatch(row.get("#", "")) else {}
            continue
        number = int(found[1])
        if "state" in row:
            twice += [number] if number in states else []
            states.setdefault(number, row["state"])
        else:
            flights.add(number)
        scopes.setdefault(number, row.get("scope", ""))
        labels[number] = labels.get(number, ()) + find_labels(row.get("agent label", "") + " " + row.get("state", ""))
    return BoardText(
        has_writer=writer is not None,
        has_tasks=any(clean(line.lstrip("| ")).startswith("Task") for line in lines if line.startswith("|")),
        writer=None if writer is None else read_writer(writer),
        states=states,
        scopes=scopes,
        labels=labels,
        in_flight=frozenset(flights),
        questions=questions,
        twice=tuple(twice),
    )


def read_writer(value: str) -> str | None:
    """The session that a Writer line names; None where it names nobody: empty backticks, a dash, the template's placeholder."""
    quoted = _QUOTED.search(value)
    name = (quoted[1] if quoted else value.partition(" ")[0]).strip()
    return None if name.lower() in _NOBODY or "<" in name or not (quoted or any(map(str.isdigit, name))) else name


def read_state(cell: str) -> BoardState | None:
    """The state that a cell of the board's table of tasks begins with."""
    word = cell.partition(" ")[0]
    if word in DASHES:
        return BoardState.OPEN
    return BoardState(word) if word in list(BoardState) else None


def read_questions(text: str) -> Iterator[QuestionText]:
    """Each question of QUESTIONS.md, in its order."""
    question: QuestionText | None = None
    for line in drop_examples(text):
        found = _QUESTION.match(line)
        if found:
            if question:
                yield question
            question = QuestionText(id=found[1], title=_read_heading(line), is_struck="~~" in line)
        if question:
            question.status = question.status or _word(read_field(line, "Status"))
            question.raised = question.raised or _word(read_field(line, "Raised"))
            question.tasks.update(find_tasks(read_beginning(line)))
    if question:
        yield question


def _read_heading(line: str) -> str:
    return " \N{EM DASH} ".join(split_title(line)[1:])


def _word(value: str | None) -> str | None:
    return clean(value) if value is not None else None


def read_time(words: str | None) -> datetime | None:
    """The first date in a text; one without a time is the beginning of its day, one without an offset UTC."""
    found = _DATE.search(words or "")
    try:
        at = datetime.fromisoformat(found[0]) if found else None
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at


def read_entries(text: str, count: int) -> tuple[str, ...]:
    """The last entries of RECORD.md, each with the heading it stands under and the lines that continue it."""
    entries: list[list[str]] = []
    heading = ""
    for line in drop_examples(text):
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()
        elif line.strip() and line[0].isspace() and entries:
            entries[-1].append(line.strip())
        elif line.strip():
            entries = [*entries[1 - count :], [heading, line.strip()]] if count > 1 else [[heading, line.strip()]]
    return tuple(" ".join(part for part in (f"{entry[0]}:" if entry[0] else "", *entry[1:]) if part) for entry in entries)


def find_verified(text: str) -> Mapping[int, str]:
    """The line of RECORD.md that passed each task last; a later FAIL takes a PASS back.

    Only `verify` ... task ... PASS in one line is one (`verify T-7.S-2 PASS`, `verify T7-log-0310 PASS`).
    """
    passed: dict[int, str] = {}
    for line in drop_examples(text):
        _read_verdicts(line, passed)
    return passed


def _read_verdicts(line: str, passed: dict[int, str]) -> None:
    named: set[int] | None = None
    for word in _VERIFIED.findall(read_beginning(line)):
        if word in {"verify", "Verify"}:
            named = set()
        elif named is None:
            continue
        elif word == "PASS":
            passed |= dict.fromkeys(named, line)
            named = set()
        elif word == "FAIL":
            for number in named:
                passed.pop(number, None)
            named = set()
        else:
            named.add(int(word.lstrip("T-")))


def split_cell(cell: str) -> Iterable[str]:
    """The paths of a cell of the board's scope column."""
    return (part.strip() for part in cell.replace("<br>", ",").split(",") if part.strip() and part.strip() not in DASHES)
