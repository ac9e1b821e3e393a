"""The rows become typed state; a database that cannot be believed becomes its damage and nothing else."""

import pytest

from claims.orgs import CIRCUMSTANCES, Row, answer, answer_fact
from resume_forensics.claims.claude_org.translation import translate
from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answers, FileText, RowsFact, TextFact
from resume_forensics.model.org import Org, OrgSession, Run
from resume_forensics.text import Raw
from resume_forensics.vocabulary import DatabaseProblem, Missing, OrgStatus, RunStatus, Verdict

WORKER_FILE = FileText(path=Raw(".state/workers/worker-oauth.md"))
RUN: Row = {
    "task_id": "oauth",
    "status": "in_use",
    "title": "Log in",
    "directory": "/w/oauth",
    "branch": "feat/oauth",
    "directory_branch": "feat/other",
    "commit_short": "ABC1234",
    "pr_url": "https://example.invalid/1",
    "pr_state": "Open",
    "outcome_note": "  ",
    "dispatched_at": "2026-01-01T10:00:00.000Z",
}


def read(answers: Answers) -> Org:
    """What the answers say."""
    return translate(answers, CIRCUMSTANCES)


def read_session(answers: Answers) -> OrgSession:
    """The session that they speak of."""
    session = read(answers).session
    assert session is not None
    return session


def read_run(text: str | None = None, *, cut: bool = False) -> Run:
    """The run, with this worker file."""
    fact = TextFact(file=FileFact(path=None, missing=None if text else Missing.GONE), text=text, cut=cut)
    (run,) = read(answer(runs=[RUN], others={WORKER_FILE: fact})).runs
    return run


@pytest.mark.parametrize(
    ("fact", "verdict"),
    [
        (RowsFact(missing=Missing.GONE), Verdict.DB_MISSING),
        (RowsFact(missing=Missing.DIRECTORY), Verdict.DB_CORRUPT),
        (RowsFact(missing=Missing.NOT_REGULAR), Verdict.DB_CORRUPT),
        (RowsFact(missing=Missing.DANGLING_LINK), Verdict.DB_CORRUPT),
        (RowsFact(missing=Missing.OUTSIDE), Verdict.SCHEMA_UNKNOWN),
        (RowsFact(missing=Missing.UNREADABLE), Verdict.SCHEMA_UNKNOWN),
        (RowsFact(problem=DatabaseProblem.DAMAGED, detail="file is not a database"), Verdict.DB_CORRUPT),
        (RowsFact(problem=DatabaseProblem.TOO_LARGE), Verdict.SCHEMA_UNKNOWN),
        (RowsFact(problem=DatabaseProblem.CHANGING), Verdict.SCHEMA_UNKNOWN),
        (RowsFact(problem=DatabaseProblem.UNREADABLE), Verdict.SCHEMA_UNKNOWN),
    ],
)
def test_a_database_that_gave_no_rows_is_damage(fact: RowsFact, verdict: Verdict) -> None:
    org = read(answer_fact(fact))
    assert org == Org(damage=verdict, detail=org.detail)
    assert org.detail is not None


def test_what_sqlite_said_is_told() -> None:
    org = read(answer_fact(RowsFact(problem=DatabaseProblem.DAMAGED, detail="file is not a database")))
    assert org.detail == Raw("SQLite finds it damaged: file is not a database")


@pytest.mark.parametrize(
    ("versions", "verdict"),
    [
        (None, Verdict.SCHEMA_UNKNOWN),
        ([], Verdict.SCHEMA_UNKNOWN),
        ([{"version": "three"}], Verdict.SCHEMA_UNKNOWN),
        ([{"version": 3}, {"version": 4}], Verdict.SCHEMA_UNKNOWN),
        ([{"version": 3}, {"version": None}], None),
        ([{"version": 1}], None),
    ],
)
def test_the_newest_version_must_be_known(versions: list[Row] | None, verdict: Verdict | None) -> None:
    assert read(answer(versions=versions)).damage is verdict


def test_a_table_that_must_be_there_is_damage_where_it_is_not() -> None:
    assert read(answer(runs=None)).damage is Verdict.DB_CORRUPT
    assert read(answer(sessions=None)).damage is Verdict.DB_CORRUPT
    old = read(answer(sessions=None, events=None, suspensions=None, versions=[{"version": 1}]))
    assert (old.damage, old.session) == (None, None)
    assert old.warnings == (Raw("the database has no table events"), Raw("the database has no table org_sessions"))


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("SUSPENDED", OrgStatus.SUSPENDED),
        ("IDLE", OrgStatus.IDLE),
        ("ACTIVE", OrgStatus.ACTIVE),
        ("suspended", None),
        (7, None),
        (None, None),
    ],
)
def test_the_status_of_the_session_is_a_known_word_or_none(word: str | int | None, status: OrgStatus | None) -> None:
    session = read_session(answer(sessions=[{"status": word}]))
    assert (session.status, session.claimed) == (status, Raw("" if word is None else str(word)))


def test_of_the_instructions_the_first_line_is_kept() -> None:
    session = read_session(answer(sessions=[{"status": "IDLE", "objective": "the blog", "resume_instructions": "\n First.\nThen.\n"}]))
    assert (session.objective, session.instructions) == (Raw("the blog"), Raw("First."))
    assert read_session(answer(sessions=[{"status": "IDLE"}])).instructions is None


def test_a_run_is_read_field_by_field() -> None:
    run = read_run("Task: oauth\n  STATUS: Completed on Friday\nStatus: active\n")
    assert (run.task_id, run.status, run.claimed, run.title) == (Raw("oauth"), RunStatus.IN_USE, Raw("in_use"), Raw("Log in"))
    assert (run.directory, run.branch, run.directory_branch) == (Raw("/w/oauth"), Raw("feat/oauth"), Raw("feat/other"))
    assert (run.commit, run.pr_url, run.pr_state) == (Raw("abc1234"), Raw("https://example.invalid/1"), Raw("open"))
    assert (run.outcome, [moment.column for moment in run.moments]) == (None, ["dispatched_at"])
    assert run.worker_says == Raw("completed")


@pytest.mark.parametrize(
    "text", [None, "", "Task: oauth\nPane ID: 3\n", "Status:\nStatus: completed\n", "the status: completed\n", "Status: 7\n"]
)
def test_a_worker_file_without_a_status_says_nothing(text: str | None) -> None:
    assert read_run(text).worker_says is None


def test_a_worker_file_of_which_only_the_end_was_read_says_nothing() -> None:
    assert read_run("Status: completed\n", cut=True).worker_says is None


@pytest.mark.parametrize("status", ["in_use", "review", "suspended"])
def test_an_open_run_that_was_not_asked_about_has_no_inquiries(status: str) -> None:
    rows = [{"task_id": f"t{n}", "status": status, "directory": "/w"} for n in range(LIMITS.org_runs + 1)]
    files = {FileText(path=Raw(f".state/workers/worker-t{n}.md")): TextFact(file=FileFact(path=None)) for n in range(LIMITS.org_runs)}
    org = read(answer(runs=rows, others=files))
    assert [run.inquiries.place is None for run in org.runs[-2:]] == [False, True]
    assert org.warnings == (Raw("1 more open runs than the 200 that were held against the machine"),)


def test_rows_without_the_columns_that_must_be_there_are_read_all_the_same() -> None:
    org = read(answer(runs=[{}], events=[{}], suspensions=[{"payload_json": '{"reason": 7}'}], sessions=[{}]))
    assert (org.runs[0].task_id, org.runs[0].status) == (Raw(""), None)
    assert (org.events[0].kind, org.events[0].at, org.events[0].actor) == (Raw(""), None, None)
    assert org.suspension is not None
    assert org.suspension.reason is None


def test_the_last_suspension_tells_its_reason_and_counts() -> None:
    row: Row = {
        "occurred_at": "2026-01-01T18:00:678901Z",
        "actor": "secretary",
        "kind": "suspend",
        "payload_json": '{"reason": "night", "active_workers_count": 2, "pending_items": ["a"]}',
    }
    suspension = read(answer(suspensions=[row])).suspension
    assert suspension is not None
    assert (suspension.reason, suspension.active_workers, suspension.pending_items) == (Raw("night"), 2, 1)
    assert suspension.event.at is not None
    assert (suspension.event.at.column, suspension.event.at.exact) == ("events.occurred_at", False)


def test_notes_and_unsorted_files_are_named_up_to_the_bound() -> None:
    org = read(answer(folders={"notes": [".gitkeep", "lead.md"], "knowledge/raw": ["a.md"]}))
    assert org.files == (Raw("notes/lead.md"), Raw("knowledge/raw/a.md"))
    many = read(answer(folders={"notes": [f"{n:04}" for n in range(LIMITS.org_names + 3)]}))
    assert len(many.files) == LIMITS.org_names
    assert many.warnings == (Raw("3 more names under notes and knowledge/raw than are listed"),)


def test_worker_files_of_unknown_runs_are_named() -> None:
    names = ["archive", "worker-oauth.md", "worker-lost.md", "worker-.md", "readme.md"]
    run: Row = {"task_id": "oauth", "status": "completed"}
    assert read(answer(runs=[run], folders={".state/workers": names})).stray_worker_files == (Raw(".state/workers/worker-lost.md"),)


def test_a_cut_answer_is_said() -> None:
    assert read(answer(cut=True)).warnings == (Raw("the database holds more than 10,000 runs; the later ones were not read"),)


def test_nothing_is_planned_without_a_session() -> None:
    assert read(answer(sessions=[])).resume == ()
    assert len(read(answer(sessions=[{"status": "IDLE"}])).resume) == 4
