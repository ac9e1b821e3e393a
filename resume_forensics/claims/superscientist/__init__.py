"""Superscientist writes `workflow-state.json` and `progress.log`: what is asked about them, what they say, how a change is spelled back.

The rooms take `SYSTEM`, `translate` and `spell`; nothing here judges.
"""

from resume_forensics.claims.superscientist.inquiry import inquire, is_present
from resume_forensics.claims.superscientist.reading import translate
from resume_forensics.claims.superscientist.spelling import spell
from resume_forensics.model.claim import StateSystem
from resume_forensics.vocabulary import System

__all__ = ["SYSTEM", "spell", "translate"]

SYSTEM = StateSystem(name=System.SUPERSCIENTIST, is_present=is_present, inquire=inquire)
