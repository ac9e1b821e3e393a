"""Whether a session's directory holds written state: a cheap look first, and only where that finds a trace the systems themselves."""

from typing import Final

from resume_forensics.read.files import observe, observe_named
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, System

TRACES: Final = (
    "workflow-state.json",
    "progress.log",
    "devteam",
    ".gemini/saga",
    ".claude/saga",
    ".gemini/infiquetra-lifecycle",
    ".state",
)
"""What stands in every directory that holds the state of a system. Most hold none of these, and then no system is asked."""


def find_systems_at(directory: Raw) -> tuple[System, ...]:
    """Answer the systems whose state stands in a directory that a transcript names; none where it is not on this machine."""
    root = observe_named(directory)
    if root.path is None or root.missing is not Missing.DIRECTORY:
        return ()
    if all(observe(root.path / trace).missing is Missing.GONE for trace in TRACES):
        return ()
    from resume_forensics.flow.roads import find_roads  # noqa: PLC0415 (all systems with their tables, which most scans never need)

    return tuple(road.system.name for road in find_roads(root.path))
