"""One worker as text: words that prevent harm, a prompt that is never half and called whole, text that cannot pass for ours."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from resume_forensics.model.report import Digest, Evidence, Proposal, Report, Sidecar, Step, WorkerReport
from resume_forensics.render.page import Page
from resume_forensics.render.portrait import Frame, draw, name_worker, title
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import Action, Delivery, Ended, Liveness, Shape, StepState, StopCause, WorkerKind, WorkerState

WorkerMaker = Callable[..., WorkerReport[Masked]]
Drawer = Callable[..., str]


@pytest.fixture
def drawn(report: Callable[..., Report[Masked]], worker: WorkerMaker) -> Drawer:
    """Draw one worker with the given fields; the lines it wraps are joined again."""

    def draw_one(*, prompt_chars: int = 4_000, words_chars: int = 1_200, **fields: object) -> str:
        page = Page()
        draw(page, 1, worker(**fields), Frame(report=report(), prompt_chars=prompt_chars, words_chars=words_chars))
        return str(page).replace("\n               ", " ")

    return draw_one


def test_a_dead_agent_in_full(drawn: Drawer) -> None:
    assert drawn(prompt=forge("Look at it.")) == (
        "1. agent a81e8a82: Review the diff\n"
        "   launched    2026-09-14 08:59:00 UTC; 11 min 21 s before the last record of the session\n"
        "   liveness    DEAD: it ran inside the session's process and died with it\n"
        "   NEXT        respawn-whole: nothing of it survives.\n"
        "   prompt (complete, 11 characters)\n"
        "   | Look at it.\n"
        "   evidence    launch line 12\n"
    )


@pytest.mark.parametrize(
    ("liveness", "words"),
    [
        (Liveness.POSSIBLY_LIVE, "POSSIBLY STILL RUNNING: check before re-running"),
        (Liveness.UNKNOWN_NO_OUTPUT_FILE, "verify before re-running anything with side effects"),
        (Liveness.DEAD, "DEAD: nothing shows that it went on"),
    ],
)
def test_liveness_in_words_with_its_evidence(drawn: Drawer, liveness: Liveness, words: str) -> None:
    text = drawn(liveness=liveness, liveness_evidence=forge("pid 7 holds it open"))
    assert words in text
    assert "pid 7 holds it open" in text


def test_a_cut_prompt_says_so_and_names_the_ways_to_the_whole(drawn: Drawer) -> None:
    text = drawn(prompt=forge("word " * 1_000), prompt_chars=20)
    assert "prompt (TRUNCATED: the first 20 of 5,000 characters, whole in --json)" in text
    assert "   | word word word word\n" in text
    assert "   whole: resume-scan prompt a81e8a82 --session /home/dev/.claude/projects/-home-dev-shop/8d350044.jsonl\n" in text
    assert "complete" not in text


def test_a_prompt_that_was_cut_while_reading_is_never_called_complete(drawn: Drawer) -> None:
    text = drawn(prompt=forge("head"), cut_while_reading=("prompt",))
    assert "prompt (TRUNCATED: the first 4 characters; it was too long to be read whole" in text
    assert "complete" not in text


def test_an_id_in_a_command_is_quoted_for_the_shell(drawn: Drawer) -> None:
    text = drawn(worker_id=forge("x; rm -rf ~"), prompt=forge("word " * 10), prompt_chars=4)
    assert "resume-scan prompt 'x; rm -rf ~' --session" in text


def test_placeholders_are_named_where_a_prompt_or_command_holds_them(drawn: Drawer) -> None:
    masked = forge("use [REDACTED:aws-key#1] to log in")
    warning = "restore the real values from your own environment before re-spawning"
    assert warning in " ".join(drawn(prompt=masked).split())
    assert warning in " ".join(drawn(prompt=None, command=masked).split())
    assert warning not in " ".join(drawn(prompt=forge("no secret")).split())


def test_an_agent_without_a_prompt_says_so_and_a_shell_needs_none(drawn: Drawer) -> None:
    assert "prompt      none is recorded" in drawn(prompt=None)
    assert "   prompt " not in drawn(prompt=None, kind=WorkerKind.BACKGROUND_SHELL)


def test_a_long_command_is_cut_and_can_be_had_whole(drawn: Drawer) -> None:
    text = drawn(prompt=None, kind=WorkerKind.BACKGROUND_SHELL, command=forge("x" * 401))
    assert "   command     " + "x" * 397 + "...\n" in text
    assert "whole: resume-scan prompt a81e8a82" in text
    assert "whole: resume-scan" not in drawn(prompt=None, kind=WorkerKind.BACKGROUND_SHELL, command=forge("x" * 400))


def test_what_it_did_and_how_it_ended(drawn: Drawer, full_report: Report[Masked]) -> None:
    text = drawn(digest=full_report.unreported[0].digest, durable_transcript=forge("/t.jsonl"), output_file=forge("/o"))
    assert "   ended       in the middle of a tool call (mid-tool)\n" in text
    assert "   did         9 tool calls: Read 7, Edit 2\n" in text
    assert "   HALF-DONE?  src/tax.py Its last edit of this file never got a result: look at the file" in text
    assert "   files       src/cart.py src/tax.py\n" in text
    assert "   last words\n   | Two of three files are done.\n   | Now the last one.\n" in text
    assert "   transcript  /t.jsonl\n   output      /o\n" in text


def test_one_finished_step_does_not_finish_a_workflow(drawn: Drawer) -> None:
    digest: Digest[Masked] = Digest(recoverable=True, ended=Ended.END_OF_TURN)
    text = drawn(kind=WorkerKind.WORKFLOW, digest=digest)
    assert "ended       the newest transcript of its agents ends end-of-turn; that is one step, not the whole\n" in text
    assert "the work may be done" not in text


def test_last_words_are_cut_from_the_front(drawn: Drawer) -> None:
    digest: Digest[Masked] = Digest(recoverable=True, ended=Ended.MID_TEXT, final_text=forge("first words, last words"))
    text = drawn(digest=digest, words_chars=10)
    assert "   last words (the last 10 of 23 characters)\n   | last words\n" in text


def test_a_long_transcript_and_an_error_are_said(drawn: Drawer) -> None:
    digest: Digest[Masked] = Digest(recoverable=True, ended=StopCause.RATE_LIMITED, shape=Shape.RAW_STDOUT, truncated_window=True)
    text = drawn(digest=digest)
    assert "with an error: requests came too fast and were refused (rate_limited)" in text
    assert "Only the last part of its long transcript was read for this." in text


def test_where_nothing_survives_the_reason_is_given(drawn: Drawer) -> None:
    gone: Digest[Masked] = Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN, reason=forge("no longer on disk"))
    text = drawn(digest=gone)
    assert "recovered   nothing: no longer on disk" in text
    assert "ended" not in text
    unsaid: Digest[Masked] = Digest(recoverable=False, ended=Ended.NOTHING_WRITTEN)
    assert "recovered   nothing: no reason is given" in drawn(digest=unsaid)
    error: Digest[Masked] = Digest(recoverable=False, ended=StopCause.API_OVERLOAD, reason=forge("only an error"))
    assert "ended       with an error: the API was overloaded (api_overload) recovered" in drawn(digest=error).replace("\n  ", "")


def test_an_action_without_a_reason_is_explained_by_its_word(drawn: Drawer) -> None:
    text = drawn(action=Proposal(name=Action.FOLD_IN, reason=forge("")))
    assert "NEXT        fold-in: the work is finished: read its result and use it, do not run it again.\n" in text


def test_an_agent_that_died_with_its_parent_needs_no_evidence_in_text(drawn: Drawer) -> None:
    assert "so it did" not in drawn(liveness_evidence=forge("so it did"))


def test_a_worker_that_came_back_broken(drawn: Drawer) -> None:
    text = drawn(
        state=WorkerState.REPORTED_FAILED,
        liveness=None,
        status=forge("killed"),
        summary=forge("exit\x1b[31m 137\nNEVER CAME BACK (0)"),
        delivery=Delivery.STOPPED,
        action=Proposal(name=Action.READ_FAILURE, reason=forge("it was killed")),
    )
    assert "liveness" not in text
    assert "   came back   killed; it was stopped on purpose\n" in text
    assert "   summary     exit\\x1b[31m 137\\nNEVER CAME BACK (0)\n" in text


def test_remarks_about_the_launch(drawn: Drawer) -> None:
    text = drawn(
        launch_missing=True,
        foreground=True,
        reopened=2,
        subagent_type=forge("reviewer"),
        parent_worker_id=forge("a0"),
        spawned_at=None,
        lost_track=True,
        evidence=Evidence(launch=None, notice=None),
    )
    assert "launched    at an unknown time; its launch is not in this session's files, only its notice is; in the foreground" in text
    assert "re-opened 2 times afterwards; type reviewer; by worker a0" in text
    assert "The harness lost track of it after the crash; that says nothing about whether it finished." in text
    assert "evidence" not in text


def test_a_launch_after_the_last_record_is_said_as_such(drawn: Drawer) -> None:
    text = drawn(spawned_at=datetime(2026, 9, 14, 9, 10, 51, tzinfo=UTC))
    assert "30 s after the last record of the session" in text


def test_steps_of_a_workflow_are_counted_and_the_unfinished_named(drawn: Drawer) -> None:
    many = tuple(Step(agent_id=forge(f"s{n}"), label=None, state=StepState.IN_FLIGHT) for n in range(25))
    done = Step(agent_id=forge("d"), label=forge("lint"), state=StepState.DONE)
    failed = Step(agent_id=forge("f"), label=forge("test"), state=StepState.FAILED)
    text = drawn(steps=(done, failed, *many))
    assert "steps       1 done, 1 failed, 25 in flight when the session ended" in text
    assert "f test: failed" in text
    assert "s18: in flight" in text
    assert "s19: in flight" not in text
    assert "... and 6 more; --json lists them all" in text
    assert "d lint" not in text


def test_the_note_beside_the_transcript_is_quoted_where_it_says_anything(drawn: Drawer) -> None:
    noted: Sidecar[Masked] = Sidecar(file=forge("m"), finished=True, stopped_by_user=False)
    silent: Sidecar[Masked] = Sidecar(file=forge("m"))
    assert "by the harness, beside its transcript: finished: yes, stopped by the user: no" in drawn(sidecar=noted)
    assert "noted" not in drawn(sidecar=silent)


def test_a_worker_is_named_by_the_best_id_there_is(worker: WorkerMaker) -> None:
    assert name_worker(worker()) == "a81e8a82"
    assert name_worker(worker(worker_id=None)) == "toolu_01"
    assert name_worker(worker(worker_id=None, tool_use_id=None)) == "(no id)"
    assert title(worker(description=None)) == "agent a81e8a82"
