"""A process of our own that looks at one segment of a file. In: its job. Out: its answer, or nothing where it could not be had."""

import subprocess
import sys
from threading import Thread
from types import TracebackType
from typing import Self

_COMMAND = ("-P", "-m", "resume_forensics.read.segment")


class Child:
    """Starts a process at once; `answer` waits for what it wrote. It is ended with the block, whatever it is doing."""

    def __init__(self, job: bytes) -> None:
        self._answer = b""
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603 (this very interpreter, and a module of this package)
                [sys.executable, *_COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError):
            return
        # A pipe holds little: what the process writes is taken as it comes, so that it never waits.
        self._thread = Thread(target=self._collect, args=(self._process, job), daemon=True)
        self._thread.start()

    def _collect(self, process: subprocess.Popen[bytes], job: bytes) -> None:
        self._answer = process.communicate(job)[0]

    def answer(self) -> bytes:
        """What the process wrote until its end; nothing where it could not be started."""
        if self._process is not None:
            self._thread.join()
        return self._answer

    def __enter__(self) -> Self:
        """The child itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        """End the process, and wait for it."""
        if self._process is not None:
            self._process.kill()
            self._thread.join()
