"""The state of a claude-org (seed 004): its SQLite database in, what it says of session and runs out, and its one write spelled.

`.state/state.db` alone is the truth there: `.state/org-state.md` is derived from it, and neither it nor `journal.jsonl` is read.
"""

from typing import Final

from resume_forensics.claims.claude_org.questions import inquire
from resume_forensics.claims.claude_org.resume import spell
from resume_forensics.claims.claude_org.translation import translate
from resume_forensics.model.claim import StateSystem
from resume_forensics.model.inquiry import Answers, FolderNames
from resume_forensics.text import Raw
from resume_forensics.vocabulary import System

_SIGNS: Final = frozenset({"state.db", "org-state.md", "org-state.json", "workers", "journal.jsonl"})


def _is_present(answers: Answers) -> bool:
    return not _SIGNS.isdisjoint(answers.folder(FolderNames(path=Raw(".state"))).names)


SYSTEM: Final = StateSystem(name=System.CLAUDE_ORG, looks_into=(".state",), is_present=_is_present, inquire=inquire)

__all__ = ["SYSTEM", "spell", "translate"]
