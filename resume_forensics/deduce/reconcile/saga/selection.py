"""Which thread is meant: what the caller said decides, then what is still open, then the branch that is checked out. Pure."""

from msgspec import Struct

from resume_forensics.model.thread import IssueRef, SagaState, Thread
from resume_forensics.text import Raw


class Selection(Struct, frozen=True, kw_only=True):
    """The thread that is meant, or None; `reason` says by what, or why none is. `unreadable`: the meant one has no readable tick."""

    thread: Thread | None
    reason: str
    unreadable: bool = False


def select_thread(state: SagaState, branch: Raw | None) -> Selection:
    """Answer the thread that is meant. `branch` is the one that is checked out, None where that is unknown."""
    readable = [thread for thread in state.threads if thread.newest]
    if state.asked_thread is not None:
        named = [thread for thread in readable if thread.saga_id == state.asked_thread]
        return Selection(thread=named[0] if named else None, reason="it was named", unreadable=not named)
    if not readable:
        return Selection(thread=None, reason="no tick can be read", unreadable=True)
    if state.asked_issue is not None:
        return _choose_by_issue(readable, state.asked_issue, branch)
    open_threads = [thread for thread in readable if is_open(thread)]
    if not open_threads:
        return Selection(thread=None, reason="every thread is done or abandoned")
    return _choose(open_threads, branch, "it is the only open one", "several are open; no single one is of the branch that is checked out")


def is_open(thread: Thread) -> bool:
    """Whether a thread still has something to do, as its newest tick says."""
    return thread.newest is not None and not thread.newest.closed


def _choose_by_issue(readable: list[Thread], asked: IssueRef, branch: Raw | None) -> Selection:
    of_issue = [thread for thread in readable if _is_about(thread, asked)]
    if not of_issue:
        return Selection(thread=None, reason="no thread is about the issue that was named")
    still_open = [thread for thread in of_issue if is_open(thread)]
    return _choose(still_open or of_issue, branch, "it is about the issue that was named", "several are about the issue that was named")


def _is_about(thread: Thread, asked: IssueRef) -> bool:
    """Whether its newest tick names the issue; the index may know what a thread that was born as a task does not say itself."""
    said = thread.newest.issue if thread.newest else None
    known = said or thread.index_issue
    return known is not None and known.means(asked)


def _choose(threads: list[Thread], branch: Raw | None, one: str, several: str) -> Selection:
    if len(threads) == 1:
        return Selection(thread=threads[0], reason=one)
    here = [thread for thread in threads if branch is not None and thread.newest and thread.newest.fields.get("branch") == branch]
    if len(here) == 1:
        return Selection(thread=here[0], reason="of the open ones it alone is of the branch that is checked out")
    return Selection(thread=None, reason=several)
