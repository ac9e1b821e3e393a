"""Holds a scope against git and the disk: what is uncommitted under it, written last, and committed since its claim."""

from datetime import timedelta

from claims.teams import LONG_AGO, NOW, Team, commit, read, show, task, team_of
from resume_forensics.model.board import Scope

RUNNING = "RUNNING (since 03:10, T1-x-0310)"
START = commit("aaaa", "start", LONG_AGO - timedelta(days=1))
CLAIM = commit("bbbb", "board: claim T-1", LONG_AGO)
TIDY = commit("cccc", "T-7: tidy imports", LONG_AGO + timedelta(hours=1))
OWN = commit("dddd", "T-1: parse it", LONG_AGO + timedelta(hours=2))


def seen(team: Team) -> Scope:
    """The scope of the one task of a team."""
    (found,) = read(team).tasks
    return found.scope


def told(scope: Scope) -> list[tuple[str, bool]]:
    """Its commits as short text, and whether they name the task."""
    return [(show(one.said), one.own) for one in scope.commits]


def test_what_is_uncommitted_under_it_is_named_path_by_path() -> None:
    team = team_of("T-1", RUNNING)
    team.dirty = ("src/T-1/b.py", "src/T-1/a.py", "src/T-10/c.py", "docs/d.md")
    assert [show(path) for path in seen(team).dirty] == ["src/T-1/a.py", "src/T-1/b.py"]
    assert seen(team).problem is None


def test_commits_since_the_claim_are_told_by_their_order() -> None:
    team = team_of("T-1", RUNNING)
    team.history = (OWN, TIDY, CLAIM, START)
    team.touched = {"src/T-1": (OWN, TIDY, START)}
    scope = seen(team)
    assert show(scope.claimed_by) == "bbbbbbbbb board: claim T-1"
    assert told(scope) == [("ddddddddd T-1: parse it", True), ("ccccccccc T-7: tidy imports", False)]
    assert scope.committed_at == OWN.at


def test_a_claim_behind_the_history_is_found_by_the_board_and_held_against_the_clock() -> None:
    team = team_of("T-1", RUNNING)
    team.history = (OWN,)
    team.touched = {"src/T-1": (OWN, CLAIM, START), "devteam/BOARD.md": (CLAIM,)}
    assert told(seen(team)) == [("ddddddddd T-1: parse it", True)]


def test_without_a_claim_no_commit_is_later() -> None:
    team = team_of("T-1", RUNNING)
    team.history = (commit("eeee", "board: claim T-10"), commit("ffff", "mention: claim T-1"), commit("abab", "board: release T-1"), START)
    team.touched = {"src/T-1": (START,)}
    scope = seen(team)
    assert (scope.claimed_by, scope.commits) == (None, ())


def test_the_newest_claim_counts_in_whichever_words() -> None:
    team = team_of("T-1", RUNNING)
    again = commit("eeee", "board: re-claim T-1 as T1-refute-0928", OWN.at + timedelta(hours=1))
    team.history = (again, OWN, CLAIM)
    team.touched = {"src/T-1": (OWN,)}
    assert show(seen(team).claimed_by) == "eeeeeeeee board: re-claim T-1 as T1-refute-0928"
    assert seen(team).commits == ()
    team.history = (OWN, commit("eeee", "board: claim T-3 and T-1"))
    assert told(seen(team)) == [("ddddddddd T-1: parse it", True)]


def test_the_newest_write_below_any_of_its_paths() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope="src/a/\n  src/b/\n  src/c/")
    team.newest = {"src/a": LONG_AGO, "src/b": NOW}
    scope = seen(team)
    assert (show(scope.newest), scope.newest_at) == ("src/b/code.py", NOW)


def test_the_whole_root_may_be_a_scope() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope="./")
    team.dirty, team.newest = ("x.py",), {".": NOW}
    scope = seen(team)
    assert [show(path) for path in (*scope.paths, *scope.dirty, *([scope.newest] if scope.newest else []))] == [".", "x.py", "code.py"]


def test_where_the_file_names_no_path_the_board_does() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope="")
    assert [show(path) for path in seen(team).paths] == ["src/T-1"]


def test_without_a_path_nothing_is_known() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/tasks/T-1.md"] = task("T-1", RUNNING, scope="/etc\n  ../up")
    team.dirty = ("etc",)
    scope = seen(team)
    assert (scope.paths, show(scope.problem), scope.dirty) == ((), "no path of its scope is written down", ())
    warning = "T-1: 2 of the paths of its scope lead out of the directory or cannot be read; they were not looked at"
    assert [show(one) for one in read(team).warnings] == [warning]


def test_git_that_does_not_answer_leaves_it_unknown() -> None:
    team = team_of("T-1", RUNNING)
    team.dirty_problem = "not a git work tree"
    assert show(seen(team).problem) == "not a git work tree"


def test_a_history_that_git_does_not_tell_leaves_it_unknown() -> None:
    team = team_of("T-1", RUNNING)
    team.log_problem = "git did not answer in time"
    assert show(seen(team).problem) == "git did not answer in time"


def test_a_list_that_was_cut_proves_no_clean_scope() -> None:
    team = team_of("T-1", RUNNING)
    team.dirty, team.dirty_cut = ("docs/d.md",), True
    assert show(seen(team).problem) == "more is uncommitted than was listed"
    team.dirty = ("src/T-1/a.py",)
    assert seen(team).problem is None
