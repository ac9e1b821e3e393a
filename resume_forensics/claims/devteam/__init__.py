"""The devteam system: a board, task files and locks below `devteam/`. A gate: it is read and reported, never written."""

from resume_forensics.claims.devteam.state import inquire, translate
from resume_forensics.model.claim import StateSystem
from resume_forensics.model.inquiry import Answers, FolderNames
from resume_forensics.text import Raw
from resume_forensics.vocabulary import System

_FOLDER = "devteam"


def is_present(answers: Answers) -> bool:
    """Whether the root holds a `devteam` folder."""
    return answers.folder(FolderNames(path=Raw(_FOLDER))).missing is None


SYSTEM = StateSystem(name=System.DEVTEAM, looks_into=(_FOLDER,), is_present=is_present, inquire=inquire)

__all__ = ["SYSTEM", "translate"]
