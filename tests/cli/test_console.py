"""Whatever goes wrong ends in one sentence and the right status, without a traceback and without text of a transcript."""

import errno
import io
import subprocess
import sys
from collections.abc import Callable

import pytest

from resume_forensics.cli import console
from resume_forensics.errors import ForensicsError, NoSession

Run = Callable[[], int | None]


def raising(error: BaseException) -> Run:
    """A run that ends in this exception."""

    def run() -> int:
        raise error

    return run


def test_a_run_answers_its_own_status() -> None:
    assert console.guard(lambda: None) == 0
    assert console.guard(lambda: 1) == 1


def test_a_known_fault_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert console.guard(raising(NoSession("nothing to scan was found"))) == 2
    assert capfd.readouterr() == ("", "resume-scan: nothing to scan was found\n")


@pytest.mark.parametrize("run", [raising(KeyboardInterrupt()), lambda: 130])
def test_an_interrupt_is_one_sentence(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert console.guard(run) == 130
    assert capfd.readouterr().err == "resume-scan: interrupted; nothing was changed\n"


def test_an_abort_of_an_older_typer_is_an_interrupt(capfd: pytest.CaptureFixture[str]) -> None:
    abort = type("Abort", (RuntimeError,), {})
    assert console.guard(raising(abort())) == 130
    assert "interrupted" in capfd.readouterr().err


def test_a_defect_names_its_type_and_never_its_text(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(console.TRACEBACK, raising=False)
    assert console.guard(raising(ValueError("text of a transcript"))) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "this is a defect, please report it with these words: ValueError at cli/console.py:" in err
    assert "text of a transcript" not in err


def test_a_defect_shows_its_traceback_on_request_line_by_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(console.TRACEBACK, "1")
    assert console.guard(raising(ValueError("odd\x1b[2J"))) == 2
    err = capfd.readouterr().err
    assert "resume-scan: Traceback (most recent call last):\n" in err
    assert "ValueError: odd\\x1b[2J\n" in err
    assert "\x1b" not in err


def test_an_error_from_outside_the_package_has_no_place() -> None:
    assert console._place(ValueError()) == "an unknown place"


def test_a_sentence_that_cannot_be_masked_is_not_shown(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resume_forensics.mask.engine", None)
    assert console.guard(raising(ForensicsError("a path"))) == 2
    err = capfd.readouterr().err
    assert "a path" not in err
    assert "masking the sentence about it failed too" in err


def test_a_full_disk_is_one_sentence(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, _: str, /) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert console.guard(lambda: 0 if console.emit("x") else 1) == 2
    assert capfd.readouterr().err == "resume-scan: standard output could not be written: No space left on device\n"


def test_a_closed_output_is_one_sentence(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert console.guard(lambda: 0 if console.emit("x") else 1) == 2
    assert "standard output is closed" in capfd.readouterr().err


def test_a_reader_that_went_away_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _: str, /) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert console.emit("x") is False
    assert sys.stdout.closed
    assert console.emit("more") is False


@pytest.mark.parametrize("stream", [None, "broken"])
def test_an_error_output_that_cannot_be_written_changes_no_status(monkeypatch: pytest.MonkeyPatch, stream: str | None) -> None:
    class Broken(io.StringIO):
        def write(self, _: str, /) -> int:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "stderr", Broken() if stream else None)
    assert console.guard(raising(NoSession("nothing"))) == 2


def test_output_is_utf8_whatever_the_locale_says() -> None:
    script = "from resume_forensics.cli.console import emit, guard; guard(lambda: 0 if emit('caf\\u00e9 \\u65e5\\n') else 1)"
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=environment)
    assert done.stdout == "café 日\n".encode()
