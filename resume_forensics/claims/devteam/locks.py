"""The lock files of a devteam: their text goes in; heartbeats, sandbox lines and the pointer of a rotation come out."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.claims.devteam.markdown import read_beginning, split_lines

_WAITING: Final = "waiting on"
_AWAITED: Final = re.compile(r"sandbox ([^\s,)]{1,200})")
_SANDBOX: Final = re.compile(
    r"T-(?P<task>\d{1,9})[ \t]+(?P<step>\S{1,100})[ \t]+(?P<id>\S{1,200})[ \t]+"
    r"(?:pid[ \t]+\S{1,50}[ \t]+started[ \t]+\S{1,50}[ \t]+step-timeout[ \t]+\S{1,50}|exited[ \t]+(?P<exit>\S{1,50})[ \t]+at[ \t]+\S{1,50})"
    r"[ \t]+root[ \t]+(?P<root>/.{0,4000})"
)
"""At dispatch and at exit; the root is the rest of the line and may hold spaces."""
_PROCESS: Final = re.compile(r"(\d{1,10})(?:\s+(\d{1,20}))?\s*")


class SandboxLine(Struct, frozen=True, kw_only=True):
    """A line of a `.sandbox` file. `exit` None: it was written at dispatch. `root` is absolute."""

    task: int
    id: str
    root: str
    exit: str | None


class Pointer(Struct, frozen=True, kw_only=True):
    """`handoff-ready`: who rotated out, at which checkpoint, and the words after `completed`."""

    session: str | None = None
    checkpoint: str | None = None
    completed: str | None = None


def read_first_line(text: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in split_lines(text) if line.strip()), "")


def is_waiting(line: str) -> bool:
    """Whether a heartbeat still says that its task waits."""
    return line.startswith(_WAITING)


def find_awaited(line: str) -> str | None:
    """The sandbox that a waiting heartbeat names."""
    found = _AWAITED.search(read_beginning(line))
    return found[1] if found else None


def read_sandboxes(text: str) -> tuple[tuple[SandboxLine, ...], int]:
    """The sandboxes of one lock file, the last line of each, and how many lines could not be read."""
    seen: dict[str, SandboxLine] = {}
    odd = 0
    for line in split_lines(text):
        found = _SANDBOX.fullmatch(line.strip())
        if found:
            seen[found["id"]] = SandboxLine(task=int(found["task"]), id=found["id"], root=found["root"], exit=found["exit"])
        else:
            odd += bool(line.strip())
    return tuple(seen.values()), odd


def read_process(text: str) -> tuple[int, str | None] | None:
    """`meta/pid`: the process and its start time as `/proc/<pid>/stat` field 22 writes it; None where it is no number."""
    found = _PROCESS.fullmatch(text)
    return (int(found[1]), found[2]) if found else None


def read_pointer(text: str) -> Pointer:
    """Take `handoff-ready` apart; the last word on each thing counts."""
    said = dict(_read_words(text))
    return Pointer(session=said.get("session"), checkpoint=said.get("checkpoint"), completed=said.get("completed"))


def _read_words(text: str) -> Iterator[tuple[str, str]]:
    for line in split_lines(text):
        key, _, value = line.strip().partition(" ")
        if value.strip():
            yield key, value.strip()
