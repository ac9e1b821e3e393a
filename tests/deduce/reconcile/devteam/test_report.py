"""Holds the report of the gate: under twenty lines of two hundred characters, everything named or counted, a stop at the end."""

from datetime import timedelta

import pytest

from claims.teams import NOW, Team, board, circumstances, commit, reconcile, show, task, team_of
from resume_forensics.deduce.reconcile.devteam.report import Section, fit_sections, pack, write_alert
from resume_forensics.limits import LIMITS
from resume_forensics.text import Raw

RUNNING = "RUNNING (since 03:10, T1-x-0310)"
STOP = "Stop and wait: nothing was written; do nothing before the client's word."


def report(team: Team) -> list[str]:
    """The lines of a team's report."""
    return [show(line) for line in reconcile(team).report_lines]


def section(*items: str, head: str = "Head") -> Section:
    """A section of the report."""
    return Section(head=head, items=tuple(map(Raw, items)))


def test_a_quiet_team_says_that_there_is_nothing() -> None:
    team = Team(files={"devteam/BOARD.md": board({}), "devteam/QUESTIONS.md": "# Q\n", "devteam/RECORD.md": "# R\n"})
    assert report(team) == [
        "Writer: writer-mine (5e0f-new-session)",
        "In flight: nothing is claimed.",
        "Uncommitted in scope, so work: nothing.",
        "Uncommitted outside every claimed scope, work or debris: nothing.",
        "Kept sandboxes: none.",
        "Checks (not run): check_trace, check_refs, check_scope, check_report: run them, they show where record and tree disagree",
        "Disagreements: none.",
        "Open questions: none.",
        "Proposed: nothing.",
        "A re-dispatch would destroy: nothing that was found.",
        STOP,
    ]


def test_everything_that_the_protocol_asks_for_is_said() -> None:
    team = team_of("T-1", RUNNING, "\N{EM DASH}")
    team.files |= {
        "devteam/.run/session/handoff-ready": "session a11c\ncheckpoint C-4\ncompleted x by y\n",
        "devteam/.run/locks/T-1.sandbox": "T-1 S-1 sb-9 exited 0 at 04:00 root /srv/sb-9\n",
        "/srv/sb-9/upper/src/lru.py": "",
        "devteam/QUESTIONS.md": "### Q-1\n- **Raised.** 2025-12-30\n### Q-2\n### Q-3\n- **Raised.** 2026-01-01\n",
    }
    team.dirty, team.newest = ("src/T-1/a.py", "docs/d.md"), {"src/T-1": NOW - timedelta(hours=2)}
    lines = report(team)
    assert lines[0] == "Writer: writer-mine (5e0f-new-session); rotation-completed: session a11c rotated out at C-4, completed x by y"
    assert lines[1:6] == [
        "In flight: T-1 RUNNING, stale-unpromoted, moved 2 hours ago",
        "Uncommitted in scope, so work: T-1 src/T-1/a.py",
        "Uncommitted outside every claimed scope, work or debris: docs/d.md",
        "Kept sandboxes: sb-9 src/lru.py",
        "Checks (not run): check_trace, check_refs, check_scope, check_report: run them, they show where record and tree disagree",
    ]
    assert lines[6].startswith(
        "Disagreements: board-vs-task:task:T-1 (devteam/BOARD.md says \N{EM DASH} / devteam/tasks/T-1.md says RUNNING"
    )
    assert lines[7:] == [
        "Open questions: Q-1, open 3 days; Q-2, nobody says since when; Q-3, open 1 day",
        "Proposed: task:T-1 promote-first; sandbox:sb-9 promote-first",
        "A re-dispatch would destroy: T-1 src/T-1/a.py; T-1 /srv/sb-9/upper/src/lru.py",
        STOP,
    ]


def test_a_task_that_is_as_it_is_written_is_not_in_flight() -> None:
    team = team_of("T-1", "DONE (2026-01-02)", heartbeat=None)
    team.files["devteam/RECORD.md"] = "verify T-1 PASS\n"
    assert report(team)[1] == "In flight: nothing is claimed."


def test_what_git_does_not_tell_is_said() -> None:
    team = team_of("T-1", RUNNING, heartbeat=None)
    team.dirty_problem = "git is not installed"
    assert report(team)[1:3] == [
        "In flight: T-1 RUNNING, unknown-worker, never seen to move",
        "Uncommitted in scope, so work: T-1 not known (git is not installed)",
    ]


def test_what_was_not_read_has_a_line_of_its_own() -> None:
    team = team_of("T-1", RUNNING)
    del team.files["devteam/RECORD.md"]
    assert report(team)[-2].startswith("Not looked at or not read: devteam/RECORD.md could not be read")


def crowd(tasks: int, paths: int) -> Team:
    """A team with more of everything than a report holds."""
    rows = {f"T-{number}": f"CLAIMED T{number}-x-0310" for number in range(1, tasks + 1)}
    files = {"devteam/BOARD.md": board(rows), "devteam/QUESTIONS.md": "".join(f"### Q-{one} \N{EM DASH} ?\n" for one in range(1, tasks))}
    for name in rows:
        files[f"devteam/tasks/{name}.md"] = task(name, RUNNING)
        files[f"devteam/.run/locks/{name}.sandbox"] = f"{name} S-1 sb-{name} exited 0 at 04:00 root /srv/{name}\n"
        files |= {f"/srv/{name}/upper/{'deep/' * 9}{one}.py": "" for one in range(paths)}
    dirty = tuple(f"src/{name}/{one:04}.py" for name in rows for one in range(paths))
    return Team(files=files, dirty=dirty, history=(commit("aaaa", "start"),))


@pytest.mark.parametrize(("tasks", "paths"), [(1, 0), (3, 40), (60, 3), (400, 1)])
def test_the_report_stays_short_and_counts_what_it_leaves_out(tasks: int, paths: int) -> None:
    lines = report(crowd(tasks, paths))
    assert len(lines) <= LIMITS.report_lines == 19
    assert max(map(len, lines)) <= LIMITS.report_line_chars == 200
    assert lines[-1] == STOP
    if tasks > 50:
        assert len(lines) == LIMITS.report_lines
        losses = [line for line in lines if line.startswith("A re-dispatch would destroy: ")]
        assert losses[-1].endswith(" more")
        assert "; +" in losses[-1]


def test_a_section_packs_its_items_and_counts_the_rest() -> None:
    assert pack(section("a", "b"), 1) == ((Raw("Head: a; b"),), 0)
    items = [f"{number:060}" for number in range(10)]
    lines, rest = pack(section(*items), 2)
    assert [show(line) for line in lines] == [f"Head: {items[0]}; {items[1]}", f"Head: {items[2]}; {items[3]}; +6 more"]
    assert rest == 6


def test_an_item_longer_than_a_line_is_counted() -> None:
    assert [show(line) for line in pack(section("x" * 500), 3)[0]] == ["Head: +1 more"]
    assert [show(line) for line in pack(section("x" * 500, "y"), 1)[0]] == ["Head: y; +1 more"]


def test_lines_that_are_left_go_to_the_section_with_most_unsaid() -> None:
    many = [f"{number:060}" for number in range(20)]
    lines = fit_sections([section("a"), section(*many[:5], head="Few"), section(*many, head="Many")], 6)
    assert [show(line).split(":")[0] for line in lines] == ["Head", "Few", "Many", "Many", "Many", "Many"]


def test_lines_that_nobody_needs_are_not_written() -> None:
    assert len(fit_sections([section("a"), section("b")], 18)) == 2


def test_an_alert_is_two_lines() -> None:
    assert [show(line) for line in write_alert(Raw("empty"))] == ["devteam/BOARD.md cannot be read (empty); nothing else is claimed.", STOP]


def test_a_question_of_today_is_zero_days_old() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/QUESTIONS.md"] = "### Q-1 \N{EM DASH} a?\n- **Raised.** 2026-01-02\n"
    found = reconcile(team, circumstances())
    assert "Open questions: Q-1, open 0 days" in [show(line) for line in found.report_lines]
