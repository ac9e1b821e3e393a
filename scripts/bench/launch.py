"""Runs one command and writes what it cost into a file: wall seconds, CPU seconds, the peak of any one process in KiB, exit status.

In: FILE SECONDS BYTES COMMAND... Imports next to nothing: a child's peak memory starts with that of the process that starts it.
"""

import os
import resource
import signal
import sys
import time


def main() -> None:
    """Run the command in a group of its own, at most so many seconds and with so much memory."""
    answer, seconds, memory_bytes, *command = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory_bytes), int(memory_bytes)))
    began = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, setpgroup=0)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(int(seconds))
    _, status, usage = os.wait4(child, 0)
    took = time.perf_counter() - began
    with open(answer, "w", encoding="ascii") as stream:  # noqa: PTH123 (pathlib would cost the memory that this file saves)
        stream.write(f"{took} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss} {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
