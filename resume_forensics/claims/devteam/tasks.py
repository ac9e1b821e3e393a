"""A task file of a devteam: its text goes in; the status of its title, its scope and its last report come out.

The formats are those of the origin's own checks (check_scope.py and check_report.py of the devteam plugin).
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.claims.devteam.markdown import DASHES, find_labels, find_tasks, read_beginning, read_field, split_lines, split_title
from resume_forensics.vocabulary import TaskStatus

_STATUS: Final = re.compile(r"[A-Z]+(?:-[A-Z]+){0,3}")
_REPORT: Final = re.compile(r"REPORT\s+\S{1,100}\s+T-(\d{1,9})(?![\d.])")
_STATUS_KEY: Final = "status:"
_PATTERN_SIGNS: Final = re.compile(r"[*?\[]")


class TaskText(Struct, frozen=True, kw_only=True):
    """A task file, taken apart. `said` is the last part of its title, None where it has no title; `scope` as it is written.

    `is_torn`: the file breaks off inside its scope, so that the last path may be half of one.
    """

    status: TaskStatus | None
    said: str | None
    labels: tuple[str, ...]
    scope: tuple[str, ...]
    report: str | None
    is_torn: bool = False


def read_task(text: str, number: int) -> TaskText:
    """Take the file of task `number` apart; a title that names another task, or no word of the vocabulary, has no status."""
    lines = split_lines(text)
    title = next((line for line in lines if line.startswith("# ")), None)
    parts = split_title(title) if title else [""]
    is_own = len(parts) > 1 and find_tasks(parts[0]) == (number,)
    word = _STATUS.match(parts[-1])
    known = word is not None and word[0] in list(TaskStatus)
    scope = tuple(_read_scope(lines))
    return TaskText(
        status=TaskStatus(word[0]) if word and known and is_own else None,
        said=parts[-1] or None if is_own else title,
        labels=find_labels(parts[-1]),
        scope=scope,
        report=_read_report(lines, number),
        is_torn=bool(scope) and lines[-1][:1].isspace() and lines[-1].strip().endswith(scope[-1]),
    )


def _read_scope(lines: Iterable[str]) -> Iterator[str]:
    """The indented items under `- **Scope.**`: a bullet and backticks round the path are no part of it."""
    inside = False
    for line in lines:
        if line[:1].isspace() and inside:
            item = line.strip().removeprefix("- ").removeprefix("* ").strip()
            path = item[1:].partition("`")[0] if item.startswith("`") else item
            yield from [path] if path and path not in DASHES else []
        elif line.strip():
            inside = read_field(line, "Scope") is not None


def _read_report(lines: Iterable[str], number: int) -> str | None:
    """The status of the last REPORT block of the task itself (a step's block has its own identifier)."""
    status: str | None = None
    inside = False
    for line in lines:
        if line.startswith("REPORT "):
            found = _REPORT.match(read_beginning(line))
            inside = found is not None and int(found[1]) == number
        elif inside and line.startswith(_STATUS_KEY):
            status = line.removeprefix(_STATUS_KEY).strip()
    return status


def settle_path(written: str) -> str | None:
    """A path of a scope relative to the root, "" for the root itself; None where it is absolute or climbs out.

    Of a pattern the folder before its first sign stands for it: more is then seen under the scope, never less.
    """
    sign = _PATTERN_SIGNS.search(written)
    plain = written[: written.rfind("/", 0, sign.start()) + 1] if sign else written
    parts = [part for part in plain.split("/") if part not in {"", "."}]
    return None if plain.startswith("/") or ".." in parts or "\0" in plain or "\\" in plain else "/".join(parts)


def is_within(path: str, scope: Collection[str]) -> bool:
    """Whether a path is one of the settled paths of a scope or stands below one."""
    parts = path.split("/")
    return any("/".join(parts[:end]) in scope for end in range(len(parts) + 1))
