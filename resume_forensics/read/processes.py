"""The process table is asked, never touched: who holds a file open, whether a process is the one a registry means, when this machine began.

Where the machine cannot be asked the answer says so; nothing here raises.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.model.fact import HolderFact, ProcessFact, StartFact
from resume_forensics.text import Raw, reveal

PROC: Final = Path("/proc")

_STAT_STATE: Final = 0
_STAT_START: Final = 19
"""Fields 3 and 22 of /proc/<pid>/stat (proc(5)), counted behind the command name, which may itself hold spaces and brackets."""

_ENDED: Final = frozenset("ZXx")
"""States of a process that has ended and is only waited for."""


def find_holders(paths: Iterable[Path], *, proc: Path = PROC, limits: Limits = LIMITS) -> Mapping[Path, HolderFact]:
    """Answer for each path which processes hold the file open, as far as this user may see; our own process is left out.

    One sweep for all paths. `asked` is false where the table could not be read, or had more than `LIMITS.processes` rows and
    none of those asked holds the file. Pids are sorted.
    """
    wanted = tuple(dict.fromkeys(paths))
    table = _Wanted()
    for path in wanted:
        table.add(path)
    complete = _sweep_proc(table, proc, limits) if _has_proc(proc) else _sweep_psutil(table, limits)
    return {path: HolderFact(asked=complete or bool(table.pids[path]), pids=tuple(sorted(table.pids[path]))) for path in wanted}


def observe_process(pid: int, start: Raw | str | None, *, proc: Path = PROC) -> ProcessFact:
    """Answer whether a process runs, and whether it is the one that began at `start`.

    `start` is what the harness's registry noted: on Linux field 22 of /proc/<pid>/stat, elsewhere the `lstart` of `ps` in UTC
    (Claude Code 2.1.150 on). None: it noted nothing. A process that has ended but was not yet waited for does not run.
    """
    mark = _start_mark(pid, proc)
    if mark is None:
        return ProcessFact(pid=pid, alive=False, started=None)
    if start is None:
        return ProcessFact(pid=pid, alive=True, started=None)
    noted = reveal(start) if isinstance(start, Raw) else start
    return ProcessFact(pid=pid, alive=True, started=noted.split() == mark.split())


def start_mark_of(pid: int, *, proc: Path = PROC) -> StartFact:
    """Answer the start mark, field 22 of /proc/<pid>/stat, of the process that has this number now; asked only where there is a /proc."""
    return StartFact(asked=True, start=_start_mark(pid, proc)) if _has_proc(proc) else StartFact(asked=False)


def process_began_at(pid: int) -> datetime | None:
    """When a process was started, by the present clock; None where there is none or it cannot be told."""
    import psutil  # noqa: PLC0415 (slow to import, and needed only where a registry names a process that runs)

    try:
        return datetime.fromtimestamp(psutil.Process(pid).create_time(), UTC)
    except (psutil.Error, OSError, OverflowError, ValueError):
        return None


def list_ancestors() -> frozenset[int]:
    """The process that asks, and those it came from; as far as they can be told."""
    import psutil  # noqa: PLC0415 (as above)

    try:
        return frozenset({os.getpid(), *(process.pid for process in psutil.Process().parents())})
    except (psutil.Error, OSError):
        return frozenset({os.getpid()})


def boot_at(*, proc: Path = PROC) -> datetime | None:
    """When this machine was started, None where it cannot be told."""
    try:
        if _has_proc(proc):
            rows = (proc / "stat").read_text(encoding="ascii", errors="replace").splitlines()
            seconds = next(float(row.split()[1]) for row in rows if row.startswith("btime "))
        else:
            import psutil  # noqa: PLC0415 (slow to import, and needed only where there is no /proc)

            seconds = psutil.boot_time()
        return datetime.fromtimestamp(seconds, UTC)
    except (OSError, ValueError, IndexError, StopIteration, OverflowError, RuntimeError):
        return None


class _Wanted:
    """The files whose holders are asked for, and the holders found so far."""

    __slots__ = ("by_file", "names", "pids")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.by_file: defaultdict[tuple[int, int], list[Path]] = defaultdict(list)
        self.pids: defaultdict[Path, set[int]] = defaultdict(set)

    def add(self, path: Path) -> None:
        """Take a path; one that leads to no file is passed over."""
        try:
            target = path.resolve()
            status = target.stat()
        except (OSError, ValueError, RuntimeError):
            return
        self.names.add(target.name)
        self.by_file[status.st_dev, status.st_ino].append(path)

    def note(self, pid: int, opened: Path) -> None:
        """Hold a file that a process has open against those wanted."""
        try:
            status = opened.stat()
        except (OSError, ValueError):
            return
        for path in self.by_file.get((status.st_dev, status.st_ino), ()):
            self.pids[path].add(pid)


def _has_proc(proc: Path) -> bool:
    """Whether this machine has a process file system of the Linux kind."""
    return (proc / "self" / "stat").exists()


def _sweep_proc(table: _Wanted, proc: Path, limits: Limits) -> bool:
    """Walk /proc/*/fd once; answer whether every process was reached.

    The link is read before anything is asked of its target: sockets, pipes and files of a dead network mount are never touched.
    """
    try:
        pids = sorted(int(entry.name) for entry in proc.iterdir() if entry.name.isdecimal())
    except OSError:
        return False
    own = os.getpid()
    for pid in pids[: limits.processes]:
        for descriptor in _list_descriptors(proc / str(pid) / "fd") if pid != own else ():
            try:
                target = descriptor.readlink()
            except OSError:
                continue
            if target.name in table.names:
                table.note(pid, descriptor)
    return len(pids) <= limits.processes


def _list_descriptors(folder: Path) -> tuple[Path, ...]:
    """The descriptors of one process; none for a process of somebody else, or one that has just ended."""
    try:
        return tuple(folder.iterdir())
    except OSError:
        return ()


def _sweep_psutil(table: _Wanted, limits: Limits) -> bool:
    """The same by psutil, for machines without /proc."""
    import psutil  # noqa: PLC0415 (as above)

    own = os.getpid()
    processes = psutil.process_iter()
    for process in islice(processes, limits.processes):
        try:
            opened = process.open_files() if process.pid != own else []
        except (psutil.Error, OSError):
            continue
        for file in opened:
            table.note(process.pid, Path(file.path))
    return next(processes, None) is None


def _start_mark(pid: int, proc: Path) -> str | None:
    """The start mark of a running process in the spelling of the platform, None where there is no such process."""
    if not _has_proc(proc):
        return _start_mark_psutil(pid)
    try:
        content = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        fields = content.rpartition(")")[2].split()
        return None if fields[_STAT_STATE] in _ENDED else fields[_STAT_START]
    except (OSError, IndexError):
        return None


def _start_mark_psutil(pid: int) -> str | None:
    """The same as `ps -o lstart` writes it in UTC, from psutil."""
    import psutil  # noqa: PLC0415 (as above)

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return datetime.fromtimestamp(process.create_time(), UTC).ctime()
    except (psutil.Error, OSError, OverflowError, ValueError):
        return None
