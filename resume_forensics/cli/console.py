"""The one place that writes to the terminal and decides the exit status.

Results go to standard output, everything else to standard error; whatever goes wrong ends in one sentence, never in a traceback.
"""

# ruff: noqa: PLC0415 (what is only needed when something goes wrong is imported then)

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from resume_forensics.errors import ForensicsError, WrongUse

DONE: Final = 0
ATTENTION: Final = 1
FAILED: Final = 2
INTERRUPTED: Final = 130
TRACEBACK: Final = "RESUME_FORENSICS_TRACEBACK"

_program: Final = ["resume-scan"]
"""The name of the program that speaks, as its only item; `guard` sets it."""


def emit(text: str) -> bool:
    """Write a piece of the result to standard output; answer whether anybody still reads.

    A reader that went away (`| head`) is no error; a full disk is a `ForensicsError`.
    """
    if sys.stdout is None:
        raise WrongUse("standard output is closed, so there is nowhere to write the result")
    if sys.stdout.closed:
        return False
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
        return False
    except OSError as error:
        _silence(sys.stdout)
        raise ForensicsError(f"standard output could not be written: {error.strerror}") from None
    return True


def tell(sentence: str) -> None:
    """Write one sentence to standard error, masked and with nothing invisible in it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{_program[0]}: {_clean(sentence)}\n")
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)


def guard(run: Callable[[], int | None], *, program: str = "resume-scan") -> int:
    """Answer the exit status of `run`, turning every exception into one sentence of the program and its status."""
    _program[0] = program
    _use_utf8()
    try:
        status = run() or DONE
    except ForensicsError as error:
        tell(str(error))
        return FAILED
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the last line of defence: a traceback could show text of a transcript)
        return _explain(error)
    if status == INTERRUPTED:
        tell("interrupted; nothing was changed")
    return status


def _explain(error: Exception) -> int:
    """Say what an exception means that is none of ours: wrong use of the command line, or a defect."""
    usage = getattr(error, "format_message", None)
    if usage is not None:
        context = getattr(error, "ctx", None)
        tell(f"{' '.join(str(usage()).split())} (`{context.command_path if context else _program[0]} --help` explains it)")
    elif type(error).__name__ == "Abort":
        tell("interrupted; nothing was changed")
        return INTERRUPTED
    else:
        _show_traceback(error)
        tell(f"this is a defect, please report it with these words: {type(error).__name__} at {_place(error)} ({TRACEBACK}=1 shows more)")
    return FAILED


def _place(error: Exception) -> str:
    """The innermost line of this package that the error passed."""
    place = "an unknown place"
    trace = error.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename.replace("\\", "/")
        if "/resume_forensics/" in file:
            place = f"{file.rsplit('/resume_forensics/', 1)[1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _show_traceback(error: Exception) -> None:
    """Write the traceback if it was asked for; line by line, so that each line passes the mask."""
    from traceback import format_exception

    from resume_forensics.read.machine import environment

    if dict(environment()).get(TRACEBACK) != "1":
        return

    for line in "".join(format_exception(error)).splitlines():
        tell(line)


def _clean(sentence: str) -> str:
    """Mask a sentence and make it visible. Where the mask itself is broken, nothing of the sentence is shown."""
    try:
        from resume_forensics.mask.engine import mask_text
        from resume_forensics.render.visible import show_line

        return show_line(mask_text(sentence))
    except Exception as error:  # noqa: BLE001 (a sentence that could not be masked is not shown)
        return f"something went wrong, and masking the sentence about it failed too ({type(error).__name__} at {_place(error)})"


def _use_utf8() -> None:
    """Speak UTF-8 whatever the locale says; a character that cannot be written shows as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _silence(stream: TextIO) -> None:
    """Close a stream that cannot be written, so that nothing tries to write its rest at exit."""
    with suppress(OSError, ValueError):
        stream.close()
