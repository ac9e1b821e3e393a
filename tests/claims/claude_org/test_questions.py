"""What is asked grows with what is known: first the database, then what open runs name, then what a work tree can tell."""

import pytest

from claims.orgs import CIRCUMSTANCES, answer, answer_fact
from resume_forensics.claims.claude_org.questions import DATABASE, MATERIAL, WORKERS, inquire, list_inquiries, list_open_rows, read_tables
from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import (
    Answers,
    Cell,
    FileText,
    FolderNames,
    GitAncestor,
    GitDirty,
    GitLog,
    GitPlace,
    Inquiry,
    PlaceFact,
    RowsFact,
)
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DatabaseProblem

FIRST = {DATABASE, WORKERS, *(FolderNames(path=Raw(folder)) for folder in MATERIAL)}
HERE = Raw("/w/oauth")
RUN: dict[str, Cell] = {"task_id": "oauth", "status": "in_use", "directory": "/w/oauth", "commit_short": "ABCD123"}
FILE = FileText(path=Raw(".state/workers/worker-oauth.md"))
PLACE = GitPlace(directory=HERE)
TREE = {GitDirty(directory=HERE), GitLog(directory=HERE, commits=LIMITS.org_commits), GitAncestor(directory=HERE, commit=Raw("ABCD123"))}


def asked(answers: Answers) -> set[Inquiry]:
    """What is asked beside what is asked first."""
    found = set(inquire(answers, CIRCUMSTANCES))
    assert found >= FIRST
    return found - FIRST


def test_nothing_but_the_state_is_asked_first() -> None:
    assert asked(Answers({})) == set()


def test_an_open_run_asks_for_its_worker_file_and_directory() -> None:
    assert asked(answer(runs=[RUN])) == {FILE, PLACE}


@pytest.mark.parametrize(
    ("place", "further"),
    [
        (PlaceFact(is_directory=True, is_top=True), TREE),
        (PlaceFact(is_directory=True, problem="slow"), set()),
        (PlaceFact(is_directory=False), set()),
    ],
)
def test_only_a_work_tree_is_asked_further(place: PlaceFact, further: set[Inquiry]) -> None:
    assert asked(answer(runs=[RUN], others={PLACE: place})) == {FILE, PLACE, *further}


@pytest.mark.parametrize("commit", [None, "", "zzzz", "--output=x", "abc", "a" * 41])
def test_what_is_no_hash_is_not_asked_for(commit: str | None) -> None:
    found = asked(answer(runs=[RUN | {"commit_short": commit}], others={PLACE: PlaceFact(is_directory=True, is_top=True)}))
    assert not any(isinstance(inquiry, GitAncestor) for inquiry in found)


@pytest.mark.parametrize("status", ["queued", "completed", "failed", "abandoned", "odd", None, 7])
def test_a_run_that_nobody_is_at_asks_nothing(status: Cell) -> None:
    assert asked(answer(runs=[RUN | {"status": status}])) == set()


@pytest.mark.parametrize("task_id", ["../../etc/passwd", "a/b", "a\\b", "a\0b", "x" * 201, None, ""])
def test_a_task_id_that_is_no_file_name_asks_for_no_file(task_id: str | None) -> None:
    assert asked(answer(runs=[RUN | {"task_id": task_id}])) == {PLACE}


def test_a_run_without_directory_asks_for_its_file_alone() -> None:
    assert asked(answer(runs=[RUN | {"directory": None}])) == {FILE}


def test_no_more_runs_are_asked_than_the_bound_names() -> None:
    tables = read_tables(answer(runs=[RUN | {"task_id": f"t{n}"} for n in range(LIMITS.org_runs + 7)]))
    assert len(list_open_rows(tables)) == LIMITS.org_runs + 7
    assert len(list_inquiries(tables)) == LIMITS.org_runs


@pytest.mark.parametrize("fact", [RowsFact(problem=DatabaseProblem.DAMAGED), RowsFact()])
def test_a_database_without_rows_asks_nothing(fact: RowsFact) -> None:
    assert asked(answer_fact(fact)) == set()
    assert read_tables(answer_fact(fact)) == (None,) * 5
