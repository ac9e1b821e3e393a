"""Holds how a sandbox is seen: its process by number and start time, its end by line or file, what it wrote by its upper layer."""

import pytest

from claims.teams import Team, circumstances, read, show, team_of
from resume_forensics.model.board import Sandbox
from resume_forensics.vocabulary import Missing, SandboxProcess

ROOT = "/srv/sand box/sb-9"
BEGUN = f"T-1 S-1 sb-9 pid - started 2026-01-02T03:12:00 step-timeout 600 root {ROOT}\n"
ENDED = f"T-1 S-1 sb-9 exited 0 at 2026-01-02T04:00:00 root {ROOT}\n"


def team_with(line: str, files: dict[str, str] | None = None, **machine: dict[int, str]) -> Team:
    """A team whose one task has a sandbox."""
    team = team_of("T-1", "RUNNING (since 03:10, T1-x-0310)")
    team.files |= {"devteam/.run/locks/T-1.sandbox": line} | {f"{ROOT}/{name}": text for name, text in (files or {}).items()}
    team.folders[ROOT] = ("meta", "upper")
    team.starts = machine.get("starts", {})
    return team


def seen(team: Team) -> Sandbox:
    """The one sandbox of a team."""
    (sandbox,) = read(team, circumstances()).sandboxes
    return sandbox


def test_a_worker_with_the_same_start_time_is_alive() -> None:
    sandbox = seen(team_with(BEGUN, {"meta/pid": "4242 881234\n"}, starts={4242: "881234"}))
    assert sandbox.process is SandboxProcess.ALIVE
    assert (show(sandbox.pid), sandbox.exit, sandbox.there) == ("4242 881234", None, True)


@pytest.mark.parametrize(
    ("mark", "starts", "process"),
    [
        ("4242 881234", {4242: "999999"}, SandboxProcess.RECYCLED),
        ("4242 881234", {}, SandboxProcess.GONE),
        ("4242", {}, SandboxProcess.UNKNOWN),
        ("4242 88", {4242: "881234"}, SandboxProcess.UNKNOWN),
        ("4242 8812345", {4242: "881234"}, SandboxProcess.RECYCLED),
        ("4242", {4242: "881234"}, SandboxProcess.UNKNOWN),
        ("garbage", {4242: "881234"}, SandboxProcess.UNKNOWN),
        ("", {}, SandboxProcess.UNKNOWN),
    ],
)
def test_a_process_is_dead_only_where_the_table_says_so(mark: str, starts: dict[int, str], process: SandboxProcess) -> None:
    assert seen(team_with(BEGUN, {"meta/pid": mark}, starts=starts)).process is process


def test_where_there_is_no_process_table_nothing_is_dead() -> None:
    team = team_with(BEGUN, {"meta/pid": "4242 881234"})
    team.has_proc = False
    assert seen(team).process is SandboxProcess.UNKNOWN


def test_no_pid_file_names_no_process_and_an_unreadable_one_is_not_known() -> None:
    assert seen(team_with(BEGUN)).process is SandboxProcess.NOT_NAMED
    team = team_with(BEGUN)
    team.missing[f"{ROOT}/meta/pid"] = Missing.UNREADABLE
    assert seen(team).process is SandboxProcess.UNKNOWN


def test_the_end_stands_on_the_line_or_in_a_file() -> None:
    assert show(seen(team_with(ENDED)).exit) == "0"
    assert show(seen(team_with(BEGUN, {"meta/exit.txt": "124\n"})).exit) == "124"
    assert seen(team_with(BEGUN)).exit is None


def test_what_it_wrote_is_listed_with_the_files_of_its_own_repository_last() -> None:
    sandbox = seen(team_with(ENDED, {"upper/.git/HEAD": "", "upper/src/a b.py": "", "upper/.gitignore": ""}))
    assert [show(name) for name in sandbox.upper or ()] == [".gitignore", "src/a b.py", ".git/HEAD"]


def test_no_upper_layer_holds_nothing_and_an_unreadable_one_is_not_known() -> None:
    assert seen(team_with(ENDED)).upper == ()
    team = team_with(ENDED)
    team.missing[f"{ROOT}/upper"] = Missing.UNREADABLE
    assert seen(team).upper is None


@pytest.mark.parametrize(
    ("missing", "there"), [(Missing.GONE, False), (Missing.DANGLING_LINK, False), (Missing.UNREADABLE, None), (Missing.NOT_REGULAR, None)]
)
def test_a_root_is_gone_only_where_nothing_is_there(missing: Missing, *, there: bool | None) -> None:
    team = team_with(BEGUN)
    team.missing[ROOT] = missing
    assert seen(team).there is there


def test_a_sandbox_that_two_files_name_is_one() -> None:
    team = team_with(BEGUN)
    team.files["devteam/.run/locks/T-2.sandbox"] = ENDED.replace("T-1", "T-2")
    assert show(seen(team).task) == "T-2"


@pytest.mark.parametrize("line", [BEGUN + "half a li", "", "T-1 S-1 sb-9 pid - star"])
def test_a_lock_that_does_not_say_which_sandbox_it_means_is_said(line: str) -> None:
    team = team_with(line)
    found = read(team)
    assert found.tasks[0].is_lock_torn
    assert [show(warning) for warning in found.warnings] == [
        "T-1.sandbox holds a line that cannot be read, or none: a sandbox that it names is not known"
    ]


def test_a_lock_that_cannot_be_read_is_torn_and_a_whole_one_is_not() -> None:
    team = team_with(BEGUN)
    assert not read(team).tasks[0].is_lock_torn
    team.missing["devteam/.run/locks/T-1.sandbox"] = Missing.UNREADABLE
    assert read(team).tasks[0].is_lock_torn
