"""The sandboxes that the lock files of a devteam name: what is asked about each, and what the answers say.

A sandbox lies outside the root on purpose; only the places that its own line names are looked at.
"""

from collections.abc import Iterator
from typing import Final

from resume_forensics.claims.devteam import places
from resume_forensics.claims.devteam.locks import SandboxLine, read_first_line, read_process, read_sandboxes
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Sandbox
from resume_forensics.model.inquiry import Answers, FileText, FolderNames, Inquiry, ProcessStart
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, SandboxProcess

_ABSENT: Final = frozenset({Missing.GONE, Missing.DANGLING_LINK})
_SUFFIX: Final = ".sandbox"


def say(answers: Answers, question: FileText) -> str | None:
    """The text of a file; None where it is not there, cannot be read, or was not asked for."""
    return answers.text(question).text if question in answers else None


def name_locks(answers: Answers) -> tuple[str, ...]:
    """The names of the lock files that name sandboxes."""
    return tuple(name for name in answers.folder(places.LOCKS).names if name.endswith(_SUFFIX)) if places.LOCKS in answers else ()


def read_lines(answers: Answers) -> tuple[tuple[SandboxLine, ...], frozenset[str]]:
    """The sandboxes that are named, each once, and the names of the lock files that hold a line that cannot be read, or none."""
    seen: dict[str, SandboxLine] = {}
    torn = set()
    for name in name_locks(answers)[: LIMITS.team_tasks]:
        text = say(answers, places.ask_lock(name))
        lines, odd = read_sandboxes(text or "")
        seen |= {line.id: line for line in lines}
        torn |= {name} if odd or not lines else set()
    return tuple(seen.values()), frozenset(torn)


def ask_sandbox(line: SandboxLine, answers: Answers) -> Iterator[Inquiry]:
    """What is to be asked about one sandbox; its process only once its number is known."""
    yield from (places.ask_root(line.root), places.ask_upper(line.root), places.ask_pid(line.root), places.ask_exit(line.root))
    process = read_process(say(answers, places.ask_pid(line.root)) or "")
    if process:
        yield ProcessStart(pid=process[0])


def see_sandbox(line: SandboxLine, answers: Answers) -> Sandbox:
    """One sandbox as the machine shows it."""
    there = _is_there(places.ask_root(line.root), answers)
    upper = places.ask_upper(line.root)
    listing = answers.folder(upper) if upper in answers else None
    is_listed = listing is not None and (listing.missing is None or listing.missing in _ABSENT)
    mark = read_first_line(say(answers, places.ask_pid(line.root)) or "")
    code = line.exit or read_first_line(say(answers, places.ask_exit(line.root)) or "")
    return Sandbox(
        id=Raw(line.id),
        task=Raw(f"T-{line.task}"),
        root=Raw(line.root),
        there=there,
        process=_find_process(line, answers),
        pid=Raw(mark) if mark else None,
        exit=Raw(code[: LIMITS.quoted_chars]) if code else None,
        upper=tuple(map(Raw, sorted(listing.names, key=_is_git_own))) if listing and is_listed else None,
        upper_cut=listing is not None and listing.cut,
    )


def _is_git_own(name: str) -> bool:
    """Whether git wrote a file: a worker has a repository of its own, whose objects would hide its files in a list."""
    return name.startswith(".git/")


def _is_there(root: FolderNames, answers: Answers) -> bool | None:
    missing = answers.folder(root).missing if root in answers else Missing.UNREADABLE
    return True if missing is None else False if missing in _ABSENT else None


def _find_process(line: SandboxLine, answers: Answers) -> SandboxProcess:
    """Hold the pid file against the process table: a number without the whole start time that goes with it proves neither."""
    text = say(answers, places.ask_pid(line.root))
    if text is None:
        fact = answers.text(places.ask_pid(line.root)).file if places.ask_pid(line.root) in answers else None
        return SandboxProcess.NOT_NAMED if fact and fact.missing in _ABSENT else SandboxProcess.UNKNOWN
    number, start = read_process(text) or (0, None)
    seen = answers.start(ProcessStart(pid=number)) if ProcessStart(pid=number) in answers else None
    if start is None or seen is None or not seen.asked:
        return SandboxProcess.UNKNOWN
    if seen.start is None:
        return SandboxProcess.GONE
    if seen.start == start:
        return SandboxProcess.ALIVE
    return SandboxProcess.UNKNOWN if seen.start.startswith(start) else SandboxProcess.RECYCLED
