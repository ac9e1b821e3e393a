"""tmux is asked for the names of its sessions, and for nothing else; no server is started, no configuration read."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.inquiry import TmuxFact
from resume_forensics.read.machine import environment

NOT_INSTALLED: Final = "tmux is not installed"
TOO_SLOW: Final = "tmux did not answer in time"
NO_ANSWER: Final = "tmux gave no answer"

_KEPT: Final = frozenset({"PATH", "HOME", "TMUX", "TMUX_TMPDIR", "TMPDIR"})
"""What decides which server is meant."""

_NO_SERVER: Final = (b"no server running", b"error connecting")
"""What tmux 3.3 says where no server runs: then no session lives. The second only where the socket is not there or nobody listens."""

_SHUT_OUT: Final = b"Permission denied"


def list_sessions(*, limits: Limits = LIMITS) -> TmuxFact:
    """Answer the names of this user's tmux sessions, sorted. tmux itself wrote `_` where a name was given with `.` or `:`."""
    program = shutil.which("tmux") or ""
    if not Path(program).is_absolute():
        return TmuxFact(problem=NOT_INSTALLED)
    variables = {name: value for name, value in environment() if name in _KEPT} | {"LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 (a fixed argument vector, no shell)
            [program, "-u", "-f", "/dev/null", "list-sessions", "-F", "#{session_name}"],
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limits.tmux_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return TmuxFact(problem=TOO_SLOW)
    except OSError:
        return TmuxFact(problem=NO_ANSWER)
    if done.returncode == 0:
        return TmuxFact(sessions=tuple(sorted(done.stdout.decode(errors="replace").splitlines())))
    gone = any(words in done.stderr for words in _NO_SERVER) and _SHUT_OUT not in done.stderr
    return TmuxFact() if gone else TmuxFact(problem=NO_ANSWER)
