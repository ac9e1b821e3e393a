"""The memory of a command and all processes that it starts, taken together. In: a command. Out: the largest sum seen while it ran.

Pages that several processes share are counted once (PSS), which Linux alone tells.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_PROC = Path("/proc")
_PAUSE_S = 0.05


def measure_together(command: Sequence[str], environment: Mapping[str, str], output: Path) -> int | None:
    """Run a command in a session of its own; answer the largest sum of its processes in bytes, None where the system does not tell.

    Raises `CalledProcessError` where the command fails.
    """
    peak = 0
    with output.open("wb") as stream:
        running = subprocess.Popen(command, stdout=stream, env=dict(environment), start_new_session=True)
        while running.poll() is None:
            peak = max(peak, sum(map(_read_pss, _list_processes(running.pid))))
            time.sleep(_PAUSE_S)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    return peak or None


def _list_processes(session: int) -> Iterator[int]:
    """The processes of a session that there are now."""
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if entry.name.isdecimal():
            try:
                if os.getsid(int(entry.name)) == session:
                    yield int(entry.name)
            except OSError:
                continue


def _read_pss(process: int) -> int:
    """The share of one process, in bytes; nothing where it is gone."""
    try:
        lines = (_PROC / str(process) / "smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
