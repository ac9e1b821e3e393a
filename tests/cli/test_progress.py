"""Progress goes to standard error: a bar on a terminal and wiped at the end, else a line every ten seconds, or nothing at all."""

import os
import pty
import subprocess
import sys
from io import StringIO

import pytest

from resume_forensics.cli import progress
from resume_forensics.cli.progress import show_progress

MB = 1_000_000


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        """The time it is set to."""
        return self.seconds


class Terminal(StringIO):
    """A place that says it is a terminal."""

    def isatty(self) -> bool:
        """It says so."""
        return True


def test_lines_come_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with show_progress(files=4_000, size_bytes=4_000 * MB, clock=clock) as advance:
        for seconds, files in ((109.9, 500), (110.0, 500), (119.0, 500), (120.0, 2_499), (131.0, 1)):
            clock.seconds = seconds
            advance(files, files * MB)
    out, err = capsys.readouterr()
    assert out == ""
    said = [line.partition(": ")[2] for line in err.splitlines()]
    assert said == [
        "1,000 of 4,000 files, 1,000 of 4,000 MB, 100 MB/s, about 30 s left",
        "3,999 of 4,000 files, 3,999 of 4,000 MB, 200 MB/s, about 0 s left",
        "4,000 of 4,000 files, 4,000 of 4,000 MB, 129 MB/s",
    ]


@pytest.mark.parametrize(
    ("seconds", "spelled"), [(0.4, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h 0 min"), (7_325, "2 h 2 min")]
)
def test_a_time_is_spelled_roughly(seconds: float, spelled: str) -> None:
    assert progress._spell_time(seconds) == spelled


def test_nothing_read_yet_has_no_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with show_progress(files=2, size_bytes=5 * MB, clock=clock) as advance:
        clock.seconds += 20
        advance(1, 0)
    assert capsys.readouterr().err.endswith("1 of 2 files, 0 of 5 MB, 0 MB/s\n")


def test_quiet_and_closed_say_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    for quiet in (True, False):
        with show_progress(files=1, size_bytes=1, quiet=quiet, clock=clock) as advance:
            clock.seconds += 60
            advance(1, 1)
        monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with show_progress(files=3, size_bytes=4 * MB) as advance:
        advance(1, MB)
        advance(1, 2 * MB)
    assert "2 of 3 files" in terminal.getvalue()
    assert "3.0/4.0 MB" in terminal.getvalue()


SCRIPT = """
import sys, time
from resume_forensics.cli.progress import show_progress
with show_progress(files=1234, size_bytes=2_000_000) as advance:
    advance(617, 1_000_000)
    time.sleep(0.6)
    if sys.argv[1] == "interrupt":
        raise KeyboardInterrupt
print("done")
"""


@pytest.mark.parametrize(("how", "status"), [("finish", 0), ("interrupt", -2)])
def test_a_bar_on_a_terminal_is_wiped_at_the_end(how: str, status: int) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, how], stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while piece := _read(ours):
        shown += piece
    os.close(ours)
    out, _ = child.communicate()
    assert child.returncode == status
    assert out == (b"done\n" if how == "finish" else b"")
    assert b"617 of 1,234 files" in shown
    assert b"1.0/2.0 MB" in shown
    hidden, wiped, visible = (shown.rfind(code) for code in (b"\x1b[?25l", b"\x1b[2K", b"\x1b[?25h"))
    assert -1 < hidden < wiped
    assert hidden < visible
    assert b"files" not in shown[max(wiped, visible) :]


def _read(terminal: int) -> bytes:
    """What the other side wrote; nothing once it is gone, which Linux says with an error."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""
