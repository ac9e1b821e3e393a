"""How far a sweep is, on standard error: a bar on a terminal, a line every ten seconds elsewhere, nothing if nobody wants it.

In: files and bytes as they are done. Nothing is left on the terminal at the end, however it ends.
"""

# ruff: noqa: PLC0415 (drawing a bar is only loaded where there is one)

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from resume_forensics.cli.console import tell
from resume_forensics.read import machine

EVERY_S: Final = 10
"""How often a line is written where there is no terminal."""

_MB: Final = 1_000_000

Advance: TypeAlias = Callable[[int, int], None]
"""Tell of files, and of bytes, that were done since it was called last."""


@contextmanager
def show_progress(*, files: int, size_bytes: int, quiet: bool = False, clock: Callable[[], float] = machine.ticks) -> Iterator[Advance]:
    """Show how much is done of so many files and bytes while the block runs."""
    if quiet or sys.stderr is None:
        yield lambda _files, _bytes: None
    elif sys.stderr.isatty():
        with _show_bar(files, size_bytes) as advance:
            yield advance
    else:
        yield _Lines(files, size_bytes, clock).advance


@contextmanager
def _show_bar(files: int, size_bytes: int) -> Iterator[Advance]:
    """A bar by bytes, beside it the files, the rate and the time left. It is wiped at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    counted = TextColumn("{task.fields[files]:,} of {task.fields[all_files]:,} files")
    columns = (counted, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4) as progress:
        task = progress.add_task("", total=size_bytes, files=0, all_files=files)
        done = 0

        def advance(more_files: int, more_bytes: int) -> None:
            nonlocal done
            done += more_files
            progress.update(task, advance=more_bytes, files=done)

        yield advance


class _Lines:
    """A sentence every ten seconds, and none for a sweep that is shorter."""

    def __init__(self, files: int, size_bytes: int, clock: Callable[[], float]) -> None:
        self._all = files, size_bytes
        self._done = 0, 0
        self._clock = clock
        self._began = self._said = clock()

    def advance(self, files: int, size_bytes: int) -> None:
        """Take what was done, and speak if it is time."""
        self._done = self._done[0] + files, self._done[1] + size_bytes
        now = self._clock()
        if now - self._said >= EVERY_S:
            self._said = now
            tell(self._describe(now - self._began))

    def _describe(self, seconds: float) -> str:
        (files, size_bytes), (all_files, all_bytes) = self._done, self._all
        rate = size_bytes / seconds
        left = f", about {_spell_time((all_bytes - size_bytes) / rate)} left" if rate and all_bytes > size_bytes else ""
        return f"{files:,} of {all_files:,} files, {size_bytes / _MB:,.0f} of {all_bytes / _MB:,.0f} MB, {rate / _MB:,.0f} MB/s{left}"


def _spell_time(seconds: float) -> str:
    """A time that is known roughly."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
