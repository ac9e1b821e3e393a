"""Holds how the files of a devteam are joined: which tasks there are, who names them, what was left out and is said."""

from datetime import datetime, timedelta

import pytest

from claims.teams import LONG_AGO, NOW, Team, agent, ask, board, circumstances, commit, read, show, task, team_of
from resume_forensics.claims.devteam import SYSTEM, places
from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import Answers
from resume_forensics.vocabulary import BoardState, Missing, TaskStatus

RUNNING = "RUNNING (since 03:10, T1-x-0310)"


def test_the_first_round_asks_for_the_files_alone() -> None:
    assert tuple(SYSTEM.inquire(Answers({}), circumstances())) == places.FIRST


@pytest.mark.parametrize("text", [None, "", "# BOARD\n", "\0\0\0\0"])
def test_without_a_board_nothing_else_is_asked_or_filled(text: str | None) -> None:
    team = team_of("T-1", RUNNING)
    del team.files["devteam/BOARD.md"]
    team.files |= {} if text is None else {"devteam/BOARD.md": text}
    found = read(team)
    assert show(found.problem) in {Missing.GONE, Missing.EMPTY, "it holds neither a Writer line nor a table of tasks"}
    assert (found.tasks, found.questions, found.warnings) == ((), (), ())
    assert places.ask_task(1) not in ask(team, circumstances())


def test_a_task_is_joined_from_its_file_its_row_and_its_locks() -> None:
    team = team_of("T-1", RUNNING, heartbeat="\nwaiting on S-1 (implementer, dispatched 03:12, sandbox sb-9)\n")
    team.written["devteam/.run/locks/T-1.heartbeat"] = NOW
    team.dirty = ("devteam/tasks/T-1.md",)
    (found,) = read(team).tasks
    assert (show(found.id), found.status, found.is_claimed, found.has_file, found.is_file_dirty) == (
        "T-1",
        TaskStatus.RUNNING,
        True,
        True,
        True,
    )
    assert found.board is not None
    assert (found.board.state, show(found.board.said)) == (BoardState.CLAIMED, "CLAIMED T1-x-0310")
    assert found.heartbeat is not None
    assert (found.heartbeat.waiting, show(found.heartbeat.sandbox), found.heartbeat.written_at) == (True, "sb-9", NOW)


def test_tasks_stand_in_the_order_of_their_numbers_wherever_they_are_named() -> None:
    flight = "\n| Task | Agent label |\n|---|---|\n| T-3 | T3-a-0300 |\n"
    files = {"devteam/BOARD.md": board({"T-10": "DONE"}, more=flight)}
    files |= {f"devteam/tasks/{name}": task("T-2", RUNNING) for name in ("T-2.md", "T-02.md", "TASK.md", "T-2.md.bak", "T-x.md")}
    found = read(Team(files=files)).tasks
    assert [(show(one.id), one.has_file, one.is_claimed) for one in found] == [
        ("T-2", True, False),
        ("T-3", False, True),
        ("T-10", False, False),
    ]


def test_a_heartbeat_that_cannot_be_read_is_there_all_the_same() -> None:
    team = team_of("T-1", RUNNING)
    team.missing["devteam/.run/locks/T-1.heartbeat"] = Missing.DIRECTORY
    (found,) = read(team).tasks
    assert found.heartbeat is not None
    assert (show(found.heartbeat.said), found.heartbeat.waiting) == (Missing.DIRECTORY, False)
    (none,) = read(team_of("T-1", RUNNING, heartbeat=None)).tasks
    assert none.heartbeat is None


def test_an_agent_is_the_tasks_by_label_or_by_the_beginning_of_its_name() -> None:
    team = team_of("T-1", RUNNING)
    agents = (
        agent("T1-x-0310"),
        agent("someone", ref="T1-x-0310"),
        agent("T-1.S-2 implementer"),
        agent("T1-older-0100"),
        agent("T-1 verifier", "Exited "),
        agent("T-10.S-1"),
        agent("helps T-10 and T-1"),
    )
    found = read(team, circumstances(agents=agents))
    assert [show(name) for name in found.tasks[0].agents] == ["T1-x-0310", "someone", "T-1.S-2 implementer", "T1-older-0100"]
    assert found.agents_alive is not None
    assert len(found.agents_alive) == 6


def test_agents_that_nobody_listed_are_not_known() -> None:
    assert read(team_of("T-1", RUNNING)).agents_alive is None
    assert read(team_of("T-1", RUNNING), circumstances(agents=())).agents_alive == ()


def question(number: int, words: str, raised: str = "2025-12-30", status: str = "open") -> str:
    """A question of QUESTIONS.md."""
    return f"### Q-{number} \N{EM DASH} {words}\n\n- **Raised.** {raised}\n- **Status.** {status}\n\n"


def test_open_questions_know_their_age_and_the_tasks_that_they_name() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/QUESTIONS.md"] = (
        question(1, "Does T-1 keep the old feed?") + question(2, "T-10?") + question(3, "T-1!", status="answered D-1")
    )
    found = read(team)
    assert [(show(one.id), show(one.text), show(one.source)) for one in found.questions] == [
        ("Q-1", "Does T-1 keep the old feed?", "devteam/QUESTIONS.md"),
        ("Q-2", "T-10?", "devteam/QUESTIONS.md"),
    ]
    assert found.questions[0].age_s == 3 * 86_400 + 9 * 3_600
    assert [show(name) for name in found.tasks[0].questions] == ["Q-1"]


def test_a_date_is_taken_from_the_board_where_the_question_has_none() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/QUESTIONS.md"] = question(1, "Which?", raised="long ago")
    table = "| # | Raised | Question |\n|---|---|---|\n| Q-1 | 2026-01-01 | Which? |\n| Q-2 | soon | Is T-1 wanted? |\n"
    team.files["devteam/BOARD.md"] = board({"T-1": "DONE"}, more=table)
    first, second = read(team).questions
    assert first.raised_at == datetime.fromisoformat("2026-01-01T00:00:00Z")
    assert (show(second.id), show(second.source), second.raised_at, second.age_s) == ("Q-2", "devteam/BOARD.md", None, None)
    assert [show(name) for name in read(team).tasks[0].questions] == ["Q-2"]


def test_a_question_from_the_future_has_no_negative_age() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/QUESTIONS.md"] = question(1, "Which?", raised="2026-01-03")
    assert read(team).questions[0].age_s == 0


def test_the_reading_half_is_the_end_of_the_record_the_last_commits_and_strays() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/RECORD.md"] = "## 2026-01-01\n" + "".join(f"- entry {number}\n" for number in range(20))
    team.history = tuple(commit(f"{number:04}", f"work {number}", LONG_AGO - timedelta(minutes=number)) for number in range(30))
    team.dirty = ("src/T-1/a.py", "docs/d.md", "devteam/BOARD.md", "devteam/.run/locks/T-1.heartbeat")
    found = read(team)
    assert [show(line) for line in found.entries] == [f"2026-01-01: - entry {number}" for number in range(10, 20)]
    assert len(found.commits) == LIMITS.context_commits
    assert show(found.commits[0]) == "000000000 work 0"
    assert [show(path) for path in found.strays] == ["devteam/BOARD.md", "docs/d.md"]


def test_a_scope_that_nobody_claims_covers_nothing() -> None:
    team = team_of("T-1", "PLANNED", "\N{EM DASH}")
    team.dirty = ("src/T-1/a.py",)
    assert [show(path) for path in read(team).strays] == ["src/T-1/a.py"]
    team = team_of("T-1", "ACCEPTED (2026-01-01, D-1)", "ACCEPTED (2026-01-01, D-1)")
    team.dirty = ("src/T-1/a.py",)
    assert [show(path) for path in read(team).strays] == ["src/T-1/a.py"]


def test_writer_and_manager_are_the_words_of_their_files() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/.run/session/manager"] = "\na11c-old-session\n"
    found = read(team).writer
    assert (show(found.line), show(found.manager)) == ("5e0f-new-session", "a11c-old-session")


def test_a_rotation_is_there_once_its_pointer_was_written() -> None:
    team = team_of("T-1", RUNNING)
    assert read(team).rotation is None
    team.files["devteam/.run/session/handoff-ready"] = "session a11c\ncheckpoint C-4\n"
    found = read(team).rotation
    assert found is not None
    assert (show(found.session), show(found.checkpoint), found.completed) == ("a11c", "C-4", None)


def test_what_cannot_be_read_is_said() -> None:
    team = team_of("T-1", RUNNING)
    del team.files["devteam/QUESTIONS.md"]
    team.missing["devteam/RECORD.md"] = Missing.UNREADABLE
    team.files["devteam/BOARD.md"] += board({"T-1": "DONE"})
    assert [show(one) for one in read(team).warnings] == [
        "devteam/QUESTIONS.md could not be read (no longer on disk): what it says is not known",
        "devteam/RECORD.md could not be read (not readable): what it says is not known",
        "T-1 stands on the board more than once; the first row counts",
    ]


def test_more_tasks_than_are_looked_at_are_said() -> None:
    team = team_of("T-1", RUNNING)
    team.files |= {f"devteam/tasks/T-{number}.md": "" for number in range(2, LIMITS.team_tasks + 2)}
    found = read(team)
    assert len(found.tasks) == LIMITS.team_tasks
    assert [show(one) for one in found.warnings] == ["there are more than 500 tasks; those of higher numbers were not looked at"]


def test_more_sandboxes_than_are_looked_at_are_said() -> None:
    team = team_of("T-1", RUNNING)
    lines = (f"T-1 S-1 sb-{number} exited 0 at 04:00 root /srv/{number}\n" for number in range(LIMITS.team_sandboxes + 1))
    team.files["devteam/.run/locks/T-1.sandbox"] = "".join(lines)
    found = read(team)
    assert len(found.sandboxes) == LIMITS.team_sandboxes
    assert [show(one) for one in found.warnings] == ["there are more sandboxes than are looked at (200)"]


def test_many_paths_of_a_scope_are_not_all_asked_for_their_newest_write() -> None:
    team = team_of("T-1", RUNNING)
    paths = "\n".join(f"  src/p{number}" for number in range(100))
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope=paths.strip())
    answers = ask(team, circumstances())
    asked = [number for number in range(100) if places.ask_newest(f"src/p{number}") in answers]
    assert len(asked) == LIMITS.scope_writes


def test_a_scope_of_more_paths_than_are_looked_at_is_not_known() -> None:
    team = team_of("T-1", RUNNING)
    paths = "\n".join(f"  src/p{number}" for number in range(LIMITS.scope_paths + 1))
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope=paths.strip())
    (found,) = read(team).tasks
    assert len(found.scope.paths) == LIMITS.scope_paths
    assert show(found.scope.problem) == "its scope names more paths than are looked at"


def test_a_file_that_breaks_off_inside_its_scope_leaves_it_unknown() -> None:
    team = team_of("T-1", RUNNING)
    whole = team.files["devteam/tasks/T-1.md"]
    team.files["devteam/tasks/T-1.md"] = whole[: whole.index("src/T-1/") + 5]
    assert show(read(team).tasks[0].scope.problem) == "its file breaks off inside its scope"
    team.files["devteam/tasks/T-1.md"] = whole[: whole.index("- **Depends")]
    assert read(team).tasks[0].scope.problem is None
    team.dirty_problem, team.files["devteam/tasks/T-1.md"] = "git is not installed", whole[: whole.index("src/T-1/") + 5]
    assert show(read(team).tasks[0].scope.problem) == "git is not installed"


def test_a_board_of_which_only_the_end_was_read_is_none() -> None:
    team = team_of("T-1", RUNNING)
    team.cut.add("devteam/BOARD.md")
    found = read(team)
    assert show(found.problem) == "it is larger than is read"


def test_a_task_of_which_only_the_end_was_read_has_no_title() -> None:
    team = team_of("T-1", RUNNING)
    team.cut.add("devteam/tasks/T-1.md")
    (found,) = read(team).tasks
    assert (found.status, found.said, found.has_file) == (None, None, True)


def test_a_record_of_which_only_the_end_was_read_is_said() -> None:
    team = team_of("T-1", RUNNING)
    team.cut.add("devteam/RECORD.md")
    assert [show(one) for one in read(team).warnings] == ["only the end of devteam/RECORD.md was read"]


def test_more_open_questions_than_are_listed_are_said() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/QUESTIONS.md"] = "".join(question(number, "?") for number in range(LIMITS.team_questions + 1))
    found = read(team)
    assert len(found.questions) == LIMITS.team_questions
    assert [show(one) for one in found.warnings] == ["there are more than 500 open questions; the rest are not listed"]


def test_the_scope_of_a_task_that_nobody_claims_is_not_asked_about() -> None:
    for status, state in (("ACCEPTED (2026-01-01, D-1)", "ACCEPTED (2026-01-01, D-1)"), ("PLANNED", "\N{EM DASH}")):
        answers = ask(team_of("T-1", status, state), circumstances())
        assert places.ask_commits(["src/T-1"]) not in answers
        assert places.ask_newest("src/T-1") not in answers
