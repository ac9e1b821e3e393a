"""A saga's written state held against git, pull requests, documents and receipts. In: what is written, what was answered. Out: claims.

Every verdict comes from a table: threads and blockers in `chain`, receipts in `obligations`, then routes, next actions and refusals. Pure.
"""

from typing import Final

from resume_forensics.deduce.reconcile.saga.actions import find_next_action
from resume_forensics.deduce.reconcile.saga.chain import Seen, list_questions
from resume_forensics.deduce.reconcile.saga.claims import list_claims
from resume_forensics.deduce.reconcile.saga.context import find_refused, gather_context
from resume_forensics.deduce.reconcile.saga.contradictions import list_conflicts, list_warnings
from resume_forensics.deduce.reconcile.saga.obligations import settle
from resume_forensics.deduce.reconcile.saga.position import Position
from resume_forensics.deduce.reconcile.saga.reentry import foresee_refusals, plan_reentry
from resume_forensics.deduce.reconcile.saga.selection import Selection, select_thread
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances, OpenQuestion, Reconciliation
from resume_forensics.model.inquiry import Answers, GitDirty, GitPlace
from resume_forensics.model.thread import SagaState, Thread
from resume_forensics.text import Raw
from resume_forensics.vocabulary import System

_HERE: Final = Raw(".")


def judge(state: SagaState, answers: Answers, circumstances: Circumstances) -> Reconciliation[Raw]:
    """Answer what became of every claim of a saga, what contradicts what, and what comes next."""
    position = take_position(state, answers, circumstances)
    seen = position.seen
    planned = plan_reentry(position)
    return Reconciliation(
        system=System.SAGA,
        root=circumstances.root,
        generated_at=circumstances.now,
        context=gather_context(position, answers.dirty(GitDirty(directory=_HERE)), answers),
        claims=tuple(list_claims(position)),
        conflicts=position.conflicts,
        questions_open=tuple(_list_open(seen.thread, circumstances)) if seen else (),
        next_action=find_next_action(position),
        writes_planned=(planned,) if planned else (),
        refusals=foresee_refusals(position),
        warnings=tuple(list_warnings(state, seen)),
    )


def take_position(state: SagaState, answers: Answers, circumstances: Circumstances) -> Position:
    """Answer everything that is judged before it is said what follows."""
    place = answers.place(GitPlace(directory=_HERE))
    selection = select_thread(state, None if place.branch is None else Raw(place.branch))
    seen = _look_at(selection, state, answers, circumstances)
    findings = settle(state.proof) if state.proof else ()
    conflicts = tuple(list_conflicts(state, seen, findings, circumstances))
    return Position(state=state, circumstances=circumstances, selection=selection, seen=seen, findings=findings, conflicts=conflicts)


def _look_at(selection: Selection, state: SagaState, answers: Answers, circumstances: Circumstances) -> Seen | None:
    if selection.thread is None or selection.thread.newest is None:
        return None
    return Seen(
        thread=selection.thread,
        newest=selection.thread.newest,
        place=answers.place(GitPlace(directory=_HERE)),
        prs=circumstances.prs,
        by_contract=state.proof is not None,
        refused=tuple(find_refused(selection.thread.newest.papers[: LIMITS.evidence_listed], answers)),
    )


def _list_open(thread: Thread, circumstances: Circumstances) -> list[OpenQuestion[Raw]]:
    """The questions that the newest tick asks, by their numbers among all that were ever asked."""
    return [
        OpenQuestion(
            id=Raw(f"question:{number}"),
            text=each.text,
            source=each.first.name,
            raised_at=each.first.written_at,
            age_s=max(0, int((circumstances.now - each.first.written_at).total_seconds())) if each.first.written_at else None,
        )
        for number, each in enumerate(list_questions(thread), start=1)
        if each.is_open
    ]
