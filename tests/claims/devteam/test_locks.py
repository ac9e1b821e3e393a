"""Holds how lock files are read: a sandbox's last line counts, a root keeps its spaces, odd lines are counted."""

import pytest

from resume_forensics.claims.devteam.locks import (
    Pointer,
    SandboxLine,
    find_awaited,
    is_waiting,
    read_first_line,
    read_pointer,
    read_process,
    read_sandboxes,
)

BEGUN = "T-1 S-1 sb-9 pid - started 2026-01-02T03:12:00 step-timeout 600 root /srv/a b/sb-9"
ENDED = "T-1 - sb-9 exited 0 at 2026-01-02T04:00:00 root /srv/a b/sb-9"


def test_the_root_is_the_rest_of_the_line() -> None:
    assert read_sandboxes(BEGUN + "\n") == ((SandboxLine(task=1, id="sb-9", root="/srv/a b/sb-9", exit=None),), 0)


def test_the_line_at_exit_replaces_the_one_at_dispatch() -> None:
    assert read_sandboxes(f"{BEGUN}\n{ENDED}\n") == ((SandboxLine(task=1, id="sb-9", root="/srv/a b/sb-9", exit="0"),), 0)


def test_a_pid_on_the_line_is_as_good_as_a_dash() -> None:
    assert read_sandboxes(BEGUN.replace("pid -", "pid 4242").replace("600", "-"))[0][0].exit is None


@pytest.mark.parametrize(
    "line", [BEGUN[:40], BEGUN.replace("/srv", "srv"), "nonsense", "T-1 S-1 sb-9 root /srv/x", ENDED.replace("at ", "")]
)
def test_a_line_that_is_no_sandbox_line_is_counted(line: str) -> None:
    assert read_sandboxes(f"{line}\n\n") == ((), 1)


def test_a_heartbeat_waits_or_is_closed() -> None:
    assert is_waiting("waiting on S-1 (implementer, dispatched 03:12)")
    assert not is_waiting("closed 2026-01-02, verified PASS")
    assert not is_waiting("")


def test_a_heartbeat_may_name_a_sandbox() -> None:
    assert find_awaited("waiting on S-1 (implementer, dispatched 03:12, sandbox sb-9)") == "sb-9"
    assert find_awaited("waiting on S-1 (implementer)") is None


def test_the_first_line_that_says_something() -> None:
    assert read_first_line("\n  \n a \nb") == "a"
    assert read_first_line("") == ""


@pytest.mark.parametrize(
    ("text", "process"),
    [
        ("4242 881234\n", (4242, "881234")),
        ("4242", (4242, None)),
        ("", None),
        ("-1 5", None),
        ("4242 x", None),
        ("12345678901 1", None),
        ("4242 1 2", None),
    ],
)
def test_a_process_is_a_number_and_a_start_time(text: str, process: tuple[int, str | None] | None) -> None:
    assert read_process(text) == process


def test_a_pointer_says_who_rotated_out_and_who_completed_it() -> None:
    text = "session a11c\ncheckpoint C-4\ncompleted 2026-01-02T08:00:00Z by 5e0f\n"
    assert read_pointer(text) == Pointer(session="a11c", checkpoint="C-4", completed="2026-01-02T08:00:00Z by 5e0f")
    assert read_pointer("session \n") == Pointer()
