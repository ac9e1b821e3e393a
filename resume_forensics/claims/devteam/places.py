"""Where a devteam keeps its state, as inquiries: what is asked of the machine, and in which words.

Names and numbers go in, inquiries come out; nothing is read here.
"""

from collections.abc import Sequence
from typing import Final

from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import FileText, FolderNames, GitDirty, GitLog, Inquiry, NewestWrite
from resume_forensics.text import Raw

BOARD: Final = FileText(path=Raw("devteam/BOARD.md"))
QUESTIONS: Final = FileText(path=Raw("devteam/QUESTIONS.md"))
RECORD: Final = FileText(path=Raw("devteam/RECORD.md"))
MANAGER: Final = FileText(path=Raw("devteam/.run/session/manager"), limit_bytes=LIMITS.lock_bytes)
HANDOFF: Final = FileText(path=Raw("devteam/.run/session/handoff-ready"), limit_bytes=LIMITS.lock_bytes)
TASKS: Final = FolderNames(path=Raw("devteam/tasks"))
LOCKS: Final = FolderNames(path=Raw("devteam/.run/locks"))
DIRTY: Final = GitDirty(directory=Raw("."))
LOCKS_FOLDER: Final = "devteam/.run"
"""What the team notes of its own running there is read for itself, and no work."""
HISTORY: Final = GitLog(directory=Raw("."), commits=LIMITS.claim_commits)
CLAIMS: Final = GitLog(directory=Raw("."), commits=LIMITS.claim_commits, paths=(BOARD.path,))
"""A claim is a commit of the board: asked by itself it is found behind many others."""

FIRST: Final[tuple[Inquiry, ...]] = (BOARD, QUESTIONS, RECORD, MANAGER, HANDOFF, TASKS, LOCKS, DIRTY, HISTORY, CLAIMS)


def name_task_file(number: int) -> str:
    """The file of a task, relative to the root."""
    return f"devteam/tasks/T-{number}.md"


def ask_task(number: int) -> FileText:
    """The text of a task's file."""
    return FileText(path=Raw(name_task_file(number)), limit_bytes=LIMITS.task_file_bytes)


def ask_lock(name: str) -> FileText:
    """The text of a lock file, by its name."""
    return FileText(path=Raw(f"devteam/.run/locks/{name}"), limit_bytes=LIMITS.lock_bytes)


def ask_heartbeat(number: int) -> FileText:
    """The text of a task's heartbeat."""
    return ask_lock(f"T-{number}.heartbeat")


def ask_newest(path: str) -> NewestWrite:
    """What was written last at a settled path of a scope."""
    return NewestWrite(path=Raw(path or "."))


def ask_commits(paths: Sequence[str]) -> GitLog:
    """The last commits that touched a scope."""
    return GitLog(directory=Raw("."), commits=LIMITS.scope_commits, paths=tuple(Raw(path or ".") for path in paths))


def ask_root(root: str) -> FolderNames:
    """Whether the root of a sandbox is there."""
    return FolderNames(path=Raw(root), anywhere=True)


def ask_upper(root: str) -> FolderNames:
    """What a sandbox's worker wrote."""
    return FolderNames(path=Raw(f"{root}/upper"), deep=True, anywhere=True)


def ask_pid(root: str) -> FileText:
    """The process of a sandbox: `<pid> <start time>`, removed when the run ends."""
    return FileText(path=Raw(f"{root}/meta/pid"), limit_bytes=LIMITS.lock_bytes, anywhere=True)


def ask_exit(root: str) -> FileText:
    """The exit code of a sandbox's worker."""
    return FileText(path=Raw(f"{root}/meta/exit.txt"), limit_bytes=LIMITS.lock_bytes, anywhere=True)
