"""The one place that asks the clock, the home folder, the working directory and the environment.

Only the outermost callers ask here; everything else takes these values as arguments.
"""

import os
import signal
import time
from datetime import UTC, datetime
from pathlib import Path


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def ticks() -> float:
    """Seconds since some moment, to measure how long something took; setting the clock does not change them."""
    return time.monotonic()


def home() -> Path | None:
    """The home folder of the user, None where the machine knows none."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def environment() -> tuple[tuple[str, str], ...]:
    """The environment variables, sorted by name."""
    return tuple(sorted(os.environ.items()))


def cache_folder() -> Path | None:
    """The folder of this program among the user's caches, None where the machine knows no home folder."""
    from platformdirs import user_cache_path  # noqa: PLC0415 (a scan needs none)

    try:
        return user_cache_path("resume-forensics", appauthor=False)
    except RuntimeError:
        return None


def working_directory() -> Path | None:
    """The directory the program was called in, None where it is gone. The shell's own spelling of it, links and all, if that is true."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    spelled = Path(os.environ.get("PWD", ""))
    try:
        return spelled if spelled.is_absolute() and spelled.samefile(here) else here
    except OSError:
        return here


def count_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
