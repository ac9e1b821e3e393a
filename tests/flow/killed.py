"""Run as a program: apply a reconciliation in one child process after another, and kill each at the next line of the writing module.

Arguments: a folder that holds the state, a folder for the copies, and the time that counts as now. Each copy `N` is what a kill
at line `N` left; the last one was not killed. Prints how many there are.
"""

import os
import shutil
import signal
import sys
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import resume_forensics
from resume_forensics.flow import reconcile as flow
from resume_forensics.model.inquiry import TmuxFact
from resume_forensics.read import inquiries, writes


def apply(root: Path, now: datetime) -> None:
    """The whole road, with no transcripts and no tmux session."""
    with patch.object(inquiries, "list_sessions", lambda **_: TmuxFact()):
        resume_forensics.reconcile(root, apply=True, now=now, projects_dir=root / "nowhere")


def apply_until(root: Path, now: datetime, number: int) -> None:
    """The same, ended by a kill at the given line that the writing module executes."""
    lines = 0

    def follow(frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401 (a trace function)
        nonlocal lines
        if frame.f_code.co_filename != writes.__file__:
            return None
        lines += event == "line"
        if lines >= number:
            os.kill(os.getpid(), signal.SIGKILL)
        return follow

    def write(*arguments: Any) -> Any:  # noqa: ANN401 (as the function it stands before)
        sys.settrace(follow)
        return writes.carry_out(*arguments)

    with patch.object(flow, "carry_out", write):
        apply(root, now)


def main(state: Path, copies: Path, now: datetime) -> None:
    """Kill at every line in turn, until one run comes to its end."""
    number, was_killed = 0, True
    apply(Path(shutil.copytree(state, copies / "warm", symlinks=True)), now)  # what is made ready once is ready for every child
    while was_killed:
        number += 1
        copy = copies / str(number)
        shutil.copytree(state, copy, symlinks=True)
        child = os.fork()
        if child == 0:
            apply_until(copy, now, number)
            os._exit(0)
        was_killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    sys.stdout.write(f"{number}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), datetime.fromisoformat(sys.argv[3]))
