"""The prompt of one worker, found by its id."""

from collections.abc import Callable

import pytest

from resume_forensics.cli.prompts import write_prompt
from resume_forensics.errors import ForensicsError, UnknownWorker, WrongUse
from resume_forensics.model.report import Report, WorkerReport
from resume_forensics.text import Masked, forge

WorkerMaker = Callable[..., WorkerReport[Masked]]
ReportMaker = Callable[..., Report[Masked]]


def test_a_prompt_is_found_by_worker_id_and_by_tool_use_id(report: ReportMaker, worker: WorkerMaker) -> None:
    scanned = report(worker(), worker(worker_id=forge("a2"), tool_use_id=forge("toolu_2"), prompt=forge("Second.\n")))
    assert write_prompt(scanned, "a1") == ("Review every file.\n", [])
    assert write_prompt(scanned, "toolu_2") == ("Second.\n", [])


def test_a_shell_answers_its_command(report: ReportMaker, worker: WorkerMaker) -> None:
    text, remarks = write_prompt(report(worker(prompt=None, command=forge("make deploy"))), "a1")
    assert text == "make deploy\n"
    assert remarks == ["this worker has no prompt; what follows is its command"]


def test_what_cannot_be_seen_is_escaped_and_said(report: ReportMaker, worker: WorkerMaker) -> None:
    text, remarks = write_prompt(report(worker(prompt=forge("a\r\nb\x1b[2J\tc"))), "a1")
    assert text == "a\nb\\x1b[2J\tc\n"
    assert remarks == ["characters that cannot be seen are shown as escapes; --json has them as they are"]


def test_a_prompt_with_windows_newlines_needs_no_remark(report: ReportMaker, worker: WorkerMaker) -> None:
    assert write_prompt(report(worker(prompt=forge("a\r\nb"))), "a1") == ("a\nb\n", [])


def test_a_prompt_that_was_cut_or_masked_says_so(report: ReportMaker, worker: WorkerMaker) -> None:
    _, remarks = write_prompt(report(worker(prompt=forge("[REDACTED:x#1]"), cut_while_reading=("prompt",))), "a1")
    assert remarks == [
        "the prompt was too long to be read whole; what follows is its head",
        "it holds placeholders ([REDACTED:...]): restore the real values from your own environment",
    ]


def test_an_unknown_id_names_how_many_there_are(report: ReportMaker, worker: WorkerMaker) -> None:
    with pytest.raises(UnknownWorker, match="it has 2 workers, and `resume-scan --json` lists them"):
        write_prompt(report(worker(), worker()), "zz")


def test_a_shared_id_asks_for_the_tool_use_id(report: ReportMaker, worker: WorkerMaker) -> None:
    with pytest.raises(WrongUse, match=r"2 workers share this id; name the one you mean by its tool-use id: toolu_1, \(none\)"):
        write_prompt(report(worker(), worker(tool_use_id=None)), "a1")


def test_a_worker_without_anything_to_start_from(report: ReportMaker, worker: WorkerMaker) -> None:
    with pytest.raises(ForensicsError, match="neither a prompt nor a command"):
        write_prompt(report(worker(prompt=None)), "a1")


def test_a_session_without_workers_points_to_other_sessions(report: ReportMaker) -> None:
    with pytest.raises(UnknownWorker, match="this session has no worker, so none has the id a1; choose another session"):
        write_prompt(report(), "a1")
