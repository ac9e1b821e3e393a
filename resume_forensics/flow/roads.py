"""The systems that write their state down, each with its road from answers to claims: this table pairs what the rooms do apart.

A system is added as a file in `claims/`, a file in `deduce/reconcile/` and a row here.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from resume_forensics.claims import claude_org, devteam, saga, superscientist
from resume_forensics.deduce.reconcile.claude_org import judge as judge_claude_org
from resume_forensics.deduce.reconcile.devteam import judge as judge_devteam
from resume_forensics.deduce.reconcile.saga import judge as judge_saga
from resume_forensics.deduce.reconcile.superscientist import judge as judge_superscientist
from resume_forensics.model.claim import Circumstances, PlannedWrite, Reconciliation, StateSystem
from resume_forensics.model.inquiry import ROOT_NAMES, Answer, Answers, FolderNames, Inquiry
from resume_forensics.model.write import Write
from resume_forensics.read.inquiries import answer
from resume_forensics.text import Masked, Raw

Judge = Callable[[Answers, Circumstances], Reconciliation[Raw]]
Spell = Callable[[Answers, Circumstances, tuple[PlannedWrite[Masked], ...]], tuple[Write, ...]]
_Written = TypeVar("_Written")


class Road(Struct, frozen=True, kw_only=True):
    """One system: what is asked, how the answers are judged, and how a planned write is spelled (None: it never writes)."""

    system: StateSystem
    judge: Judge
    spell: Spell | None = None


def join_rooms(
    translate: Callable[[Answers, Circumstances], _Written], judge: Callable[[_Written, Answers, Circumstances], Reconciliation[Raw]]
) -> Judge:
    """The claims room's translation and the verdict on it as one step."""
    return lambda answers, circumstances: judge(translate(answers, circumstances), answers, circumstances)


ROADS: tuple[Road, ...] = (
    Road(
        system=superscientist.SYSTEM,
        judge=join_rooms(superscientist.translate, judge_superscientist),
        spell=superscientist.spell,
    ),
    Road(system=devteam.SYSTEM, judge=join_rooms(devteam.translate, judge_devteam)),
    Road(system=saga.SYSTEM, judge=join_rooms(saga.translate, judge_saga), spell=saga.spell),
    Road(system=claude_org.SYSTEM, judge=join_rooms(claude_org.translate, judge_claude_org), spell=claude_org.spell),
)


def find_roads(root: Path) -> tuple[Road, ...]:
    """The systems whose written state stands in a directory, in table order."""
    around = Answers(look_around(root))
    return tuple(road for road in ROADS if road.system.is_present(around))


def look_around(root: Path) -> dict[Inquiry, Answer]:
    """The names by which every system's presence is judged."""
    folders = {FolderNames(path=Raw(name)) for road in ROADS for name in road.system.looks_into}
    return {inquiry: answer(inquiry, root) for inquiry in (ROOT_NAMES, *folders)}
