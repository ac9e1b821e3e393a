"""The system is present where its folder holds one of its names."""

import pytest

from resume_forensics.claims.claude_org import SYSTEM
from resume_forensics.model.inquiry import Answers, FolderFact, FolderNames
from resume_forensics.text import Raw
from resume_forensics.vocabulary import System


@pytest.mark.parametrize(
    ("names", "present"),
    [
        (("state.db",), True),
        (("org-state.md",), True),
        (("org-state.json", "x"), True),
        (("workers",), True),
        (("journal.jsonl",), True),
        (("state.db-wal", "State.db", "x"), False),
        ((), False),
    ],
)
def test_it_is_present_by_name(names: tuple[str, ...], present: bool) -> None:  # noqa: FBT001
    assert SYSTEM.name is System.CLAUDE_ORG
    assert SYSTEM.looks_into == (".state",)
    assert SYSTEM.is_present(Answers({FolderNames(path=Raw(".state")): FolderFact(names=names)})) is present
