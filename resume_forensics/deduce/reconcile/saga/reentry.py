"""The one tick that may be written, as it is planned and shown, and what forbids it. In: a position. Pure; nothing is written here."""

from collections.abc import Callable
from datetime import UTC
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.saga.chain import Seen, judge_blockers, judge_thread, list_questions
from resume_forensics.deduce.reconcile.saga.position import Position, Way, find_way
from resume_forensics.deduce.reconcile.saga.routes import HANDOFF
from resume_forensics.model.claim import Named, PlannedWrite
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import PhaseStatus, Proposal, Refusal, ThreadStatus, Verdict, WriteKind


def plan_reentry(position: Position) -> PlannedWrite[Raw] | None:
    """The one tick that the protocol permits, None where there is no thread to write it for.

    Fields that stand in the tick are set anew by these names; `continues` and `summary` say what it follows and what was found.
    """
    seen = position.seen
    if seen is None or seen.newest.closed or position.contract_unreadable:
        return None
    return PlannedWrite(
        path=compose(seen.thread.folder, "/", _stamp(position), ".md"),
        kind=WriteKind.CREATE,
        fields=tuple(Named(name=Raw(name), value=value) for name, value in _plan_fields(position, seen).items()),
    )


def _plan_fields(position: Position, seen: Seen) -> dict[str, Raw | int | None]:
    way, blockers = find_way(position, seen), judge_blockers(seen)
    status = ThreadStatus.HANDED_OFF if way.command == Raw(HANDOFF) else ThreadStatus.PAUSED
    return {
        "saga_id": seen.thread.saga_id,
        "kind": seen.newest.fields.get("kind"),
        "id": seen.newest.fields.get("id"),
        "continues": seen.newest.name,
        "lifecycle_phase": Raw(seen.newest.phase),
        "phase_status": Raw(PhaseStatus.COMPLETE) if seen.merged else seen.newest.fields.get("phase_status"),
        "status": Raw(status),
        "next_step": way.command,
        "next_round": max(seen.newest.rounds, default=0) + 1,
        "updated_at": Raw(position.circumstances.now.astimezone(UTC).isoformat(timespec="seconds")),
        **({"blockers": Raw("")} if blockers and blockers.verdict is Verdict.BLOCKER_CLEARED else {}),
        "summary": _summarise(position, seen, way),
    }


def _names_what_is_cleared(seen: Seen) -> bool:
    """Whether the newest tick still names blockers that are no more; a blank that saga.py needs to clear them is as good as none."""
    row = judge_blockers(seen)
    return row is not None and row.proposal is Proposal.DROP_BLOCKER


def _summarise(position: Position, seen: Seen, way: Way) -> Raw:
    """One paragraph in words of our own; nothing of the thread's text is quoted."""
    row, blockers = judge_thread(seen), judge_blockers(seen)
    still_open = sum(question.is_open for question in list_questions(seen.thread))
    found = ", ".join(sorted({conflict.kind for conflict in position.conflicts})) or "none"
    return compose(
        f"Resumed at {position.circumstances.now.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC from ",
        seen.newest.name,
        f" ({seen.newest.phase}): {row.verdict}, {row.reason}. ",
        *(("Route ", way.command, ". ") if way.command else ()),
        f"Blockers: {blockers.verdict if blockers else 'none'}. Open questions: {still_open}. Conflicts: {found}.",
    )


def _stamp(position: Position) -> str:
    return f"{position.circumstances.now.astimezone(UTC):%Y%m%d-%H%M%S}"


class RefusalRow(Struct, frozen=True, kw_only=True):
    """One reason why the tick is not written."""

    fits: Callable[[Position], bool]
    refusal: Refusal


def _is_behind(position: Position) -> bool:
    newest = position.seen.thread.newest_key if position.seen else None
    return newest is not None and (_stamp(position), 0) <= newest


def _is_repeated(position: Position) -> bool:
    """Whether the newest tick says already all that the new one would."""
    seen = position.seen
    if seen is None or any(torn.newest for torn in seen.thread.torn):
        return False
    planned = _plan_fields(position, seen)
    same = all(planned[name] in {None, seen.newest.fields.get(name)} for name in ("phase_status", "status", "next_step"))
    return same and not _names_what_is_cleared(seen)


REFUSAL_ROWS: Final = (
    RefusalRow(fits=lambda p: p.selection.unreadable or p.contract_unreadable, refusal=Refusal.STATE_UNREADABLE),
    RefusalRow(fits=lambda p: p.seen is None or p.seen.newest.closed, refusal=Refusal.THREAD_NOT_SELECTED),
    RefusalRow(fits=lambda p: any(conflict.blocks_apply for conflict in p.conflicts), refusal=Refusal.EVIDENCE_CONFLICTS),
    RefusalRow(fits=_is_behind, refusal=Refusal.CLOCK_BEHIND_NEWEST_TICK),
    RefusalRow(fits=_is_repeated, refusal=Refusal.ALREADY_APPLIED),
)


def foresee_refusals(position: Position) -> tuple[Refusal, ...]:
    """Answer why the tick would not be written: the first reason that fits, or none."""
    return tuple(row.refusal for row in REFUSAL_ROWS if row.fits(position))[:1]
