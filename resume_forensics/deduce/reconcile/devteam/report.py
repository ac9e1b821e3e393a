"""The report of a gate: everything found goes in, under twenty short lines come out, and the last one says to stop.

What does not fit is counted. A line may grow when it is masked; whoever seals it cuts it then.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.devteam.ages import describe_age
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Sandbox, Task, TeamState
from resume_forensics.model.claim import Circumstances, Claim, Conflict, OpenQuestion
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Proposal, Verdict

_STOP: Final = "Stop and wait: nothing was written; do nothing before the client's word."
_CHECKS: Final = "check_trace, check_refs, check_scope, check_report: run them, they show where record and tree disagree"
_DAY_S: Final = 86_400
_MORE_CHARS: Final = 14


class Findings(Struct, frozen=True, kw_only=True):
    """All that a report speaks of."""

    state: TeamState
    writer: Claim[Raw]
    rotation: Claim[Raw] | None
    tasks: tuple[tuple[Task, Claim[Raw]], ...]
    sandboxes: tuple[tuple[Sandbox, Claim[Raw]], ...]
    conflicts: tuple[Conflict[Raw], ...]
    circumstances: Circumstances


class Section(Struct, frozen=True, kw_only=True):
    """What one part of the report lists, and what it says where there is nothing to list."""

    head: str
    items: tuple[Raw, ...]
    nothing: str = "none"


def write_report(found: Findings) -> tuple[Raw, ...]:
    """The report: at most `LIMITS.report_lines` lines of about `LIMITS.report_line_chars` characters, the last one a stop."""
    sections = tuple(_list_sections(found))
    return (*fit_sections(sections, LIMITS.report_lines - 1), Raw(_STOP))


def write_alert(problem: Raw) -> tuple[Raw, ...]:
    """The report where the board cannot be read."""
    return (compose("devteam/BOARD.md cannot be read (", problem, "); nothing else is claimed."), Raw(_STOP))


def last_moved_at(task: Task) -> datetime | None:
    """When a task last moved: the newest of its heartbeat, a file of its scope, a commit in its scope."""
    seen = (task.heartbeat.written_at if task.heartbeat else None, task.scope.newest_at, task.scope.committed_at)
    return max((at for at in seen if at is not None), default=None)


def fit_sections(sections: Sequence[Section], lines: int) -> tuple[Raw, ...]:
    """Each section gets a line; those that are left go one by one to the section with most still unsaid."""
    rows = [1] * len(sections)
    packed = [pack(section, 1) for section in sections]
    for _ in range(lines - len(sections)):
        unsaid, place = max(((rest, -place) for place, (_, rest) in enumerate(packed)), default=(0, 0))
        if not unsaid:
            break
        rows[-place] += 1
        packed[-place] = pack(sections[-place], rows[-place])
    return tuple(line for text, _ in packed for line in text)


def pack(section: Section, lines: int) -> tuple[tuple[Raw, ...], int]:
    """A section in at most so many lines, and how many of its items found no place; the last line then says so."""
    if not section.items:
        return (compose(f"{section.head}: {section.nothing}."),), 0
    room = LIMITS.report_line_chars - _MORE_CHARS
    text: list[list[str | Raw]] = [[f"{section.head}: "]]
    used, rest = len(section.head) + 2, 0
    for item in section.items:
        if used + len(item) > room and len(text[-1]) > 1 and len(text) < lines:
            text.append([f"{section.head}: "])
            used = len(section.head) + 2
        if used + len(item) > room:
            rest += 1
            continue
        text[-1] += ["; ", item] if len(text[-1]) > 1 else [item]
        used += len(item) + 2
    if rest:
        text[-1] += ["; " if len(text[-1]) > 1 else "", f"+{rest} more"]
    return tuple(compose(*parts) for parts in text), rest


def _list_sections(found: Findings) -> Iterator[Section]:
    state = found.state
    yield Section(head="Writer", items=tuple(_describe_writer(found)))
    yield Section(head="In flight", items=tuple(_describe_flight(found)), nothing="nothing is claimed")
    yield Section(head="Uncommitted in scope, so work", items=tuple(_describe_dirty(found)), nothing="nothing")
    yield Section(head="Uncommitted outside every claimed scope, work or debris", items=state.strays, nothing="nothing")
    yield Section(head="Kept sandboxes", items=tuple(_describe_sandboxes(found)))
    yield Section(head="Checks (not run)", items=(Raw(_CHECKS),))
    yield Section(head="Disagreements", items=tuple(_describe_conflict(conflict) for conflict in found.conflicts))
    yield Section(head="Open questions", items=tuple(_describe_question(question) for question in state.questions))
    yield Section(head="Proposed", items=tuple(_describe_proposals(found)), nothing="nothing")
    yield Section(head="A re-dispatch would destroy", items=tuple(_describe_losses(found)), nothing="nothing that was found")
    if state.warnings:
        yield Section(head="Not looked at or not read", items=state.warnings)


def _describe_writer(found: Findings) -> Iterator[Raw]:
    yield compose(found.writer.verdict, " (", found.state.writer.line or Raw("nobody"), ")")
    if found.rotation:
        yield compose(found.rotation.verdict, ": ", found.rotation.claim)


def _describe_flight(found: Findings) -> Iterator[Raw]:
    for task, claim in found.tasks:
        if claim.verdict is Verdict.CONFIRMED:
            continue
        at = last_moved_at(task)
        moved = "never seen to move" if at is None else f"moved {describe_age(found.circumstances.now, at)} ago"
        yield compose(task.id, " ", claim.claimed_status or Raw("?"), f", {claim.verdict}, {moved}")


def _describe_dirty(found: Findings) -> Iterator[Raw]:
    """Path by path; what is uncommitted under a claimed scope is work, never debris."""
    for task, _ in found.tasks:
        yield from _name_paths(task.id, task.scope.dirty)
        if task.scope.problem is not None:
            yield compose(task.id, " not known (", task.scope.problem, ")")


def _describe_sandboxes(found: Findings) -> Iterator[Raw]:
    for sandbox, claim in found.sandboxes:
        yield from _name_paths(sandbox.id, sandbox.upper) if sandbox.upper else [compose(sandbox.id, f" {claim.verdict}")]


def _name_paths(owner: Raw, paths: Sequence[Raw]) -> Iterator[Raw]:
    """The first paths of an owner one by one, the rest counted."""
    yield from (compose(owner, " ", path) for path in paths[: LIMITS.evidence_listed])
    if len(paths) > LIMITS.evidence_listed:
        yield compose(owner, f" and {len(paths) - LIMITS.evidence_listed} more")


def _describe_conflict(conflict: Conflict[Raw]) -> Raw:
    return compose(conflict.id, " (", conflict.sides[0], " / ", conflict.sides[-1], ")")


def _describe_question(question: OpenQuestion[Raw]) -> Raw:
    if question.age_s is None:
        return compose(question.id, ", nobody says since when")
    days = question.age_s // _DAY_S
    return compose(question.id, f", open {days} days" if days != 1 else ", open 1 day")


def _describe_proposals(found: Findings) -> Iterator[Raw]:
    claims = (found.writer, *((found.rotation,) if found.rotation else ()), *(claim for _, claim in (*found.tasks, *found.sandboxes)))
    yield from (compose(claim.id, f" {claim.proposal.name}") for claim in claims if claim.proposal.name is not Proposal.NONE)


def _describe_losses(found: Findings) -> Iterator[Raw]:
    for task, claim in found.tasks:
        yield from _name_paths(task.id, claim.proposal.destroys)
