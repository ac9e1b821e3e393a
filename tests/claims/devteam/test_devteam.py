"""Holds the system as one row: what makes it present."""

from resume_forensics.claims.devteam import SYSTEM
from resume_forensics.model.inquiry import Answers, FolderFact, FolderNames
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, System

FOLDER = FolderNames(path=Raw("devteam"))


def test_a_folder_of_that_name_makes_it_present_even_empty() -> None:
    assert SYSTEM.name is System.DEVTEAM
    assert SYSTEM.looks_into == ("devteam",)
    assert SYSTEM.is_present(Answers({FOLDER: FolderFact()}))
    assert not SYSTEM.is_present(Answers({FOLDER: FolderFact(missing=Missing.GONE)}))
    assert not SYSTEM.is_present(Answers({FOLDER: FolderFact(missing=Missing.NOT_REGULAR)}))
