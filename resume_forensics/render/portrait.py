"""One worker as text: what it was, whether it may still run, what to do, what it had done, what it was asked.

A masked worker comes in and lines go onto a page; the order puts what prevents harm before what takes long to read.
"""

import shlex

from msgspec import Struct

from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Digest, Position, Report, WorkerReport
from resume_forensics.render.page import Page, count, cut, end_sentence
from resume_forensics.render.words import ACTIONS, DELIVERIES, KINDS, STEPS, describe_end, describe_liveness, write_span, write_time
from resume_forensics.text import Masked
from resume_forensics.vocabulary import Ended, Liveness, StepState, WorkerKind, WorkerState

PLACEHOLDER = "[REDACTED:"
"""How every placeholder of the mask begins."""

_ASKED = frozenset({WorkerKind.AGENT, WorkerKind.TEAMMATE, WorkerKind.REMOTE_AGENT})


class Frame(Struct, frozen=True, kw_only=True):
    """What every worker of one report shares: the report, and how much of a prompt or of last words is shown."""

    report: Report[Masked]
    prompt_chars: int = LIMITS.prompt_chars
    words_chars: int = LIMITS.digest_chars


def name_worker(worker: WorkerReport[Masked]) -> str:
    """The id by which a worker is spoken of: its own, else that of the call that launched it."""
    return worker.worker_id or worker.tool_use_id or "(no id)"


def title(worker: WorkerReport[Masked]) -> str:
    """Kind, id and description on one line."""
    what = cut(worker.description or "", LIMITS.summary_chars)
    return f"{KINDS[worker.kind]} {cut(name_worker(worker), LIMITS.path_chars)}" + (f": {what}" if what else "")


def draw(page: Page, number: int, worker: WorkerReport[Masked], frame: Frame) -> None:
    """Put all that is known of one worker onto the page."""
    page.gap()
    page.item(f"{number}.", title(worker))
    page.field("launched", _launched(worker, frame.report))
    _draw_fate(page, worker)
    page.field("NEXT", f"{worker.action.name}: {end_sentence(worker.action.reason or ACTIONS[worker.action.name])}")
    _draw_steps(page, worker)
    if worker.digest:
        _draw_end(page, worker, worker.digest)
        _draw_digest(page, worker.digest, frame)
    _draw_sidecar(page, worker)
    _draw_command(page, worker, frame)
    _draw_prompt(page, worker, frame)
    _draw_places(page, worker, frame.report)


def _launched(worker: WorkerReport[Masked], report: Report[Masked]) -> str:
    """When and how it began."""
    at, died = worker.spawned_at, report.died_at
    parts = [write_time(at)]
    if at and died:
        parts.append(f"{write_span(died - at)} {'before' if died >= at else 'after'} the last record of the session")
    remarks = (
        (worker.launch_missing, "its launch is not in this session's files, only its notice is"),
        (worker.foreground, "in the foreground: the call that started it never got its result"),
        (worker.reopened, f"re-opened {count(worker.reopened, 'time')} afterwards"),
        (worker.subagent_type, f"type {worker.subagent_type}"),
        (worker.parent_worker_id, f"by worker {worker.parent_worker_id}"),
    )
    return "; ".join([*parts, *(words for holds, words in remarks if holds)])


def _draw_fate(page: Page, worker: WorkerReport[Masked]) -> None:
    """Whether it lives, or how it came back."""
    if worker.liveness:
        page.field("liveness", describe_liveness(worker.liveness))
        if worker.liveness_evidence and worker.liveness is not Liveness.DEAD_WITH_PARENT:
            page.field("because", cut(worker.liveness_evidence, LIMITS.evidence_chars))
    if worker.lost_track:
        page.field("", "The harness lost track of it after the crash; that says nothing about whether it finished.")
    if worker.state is not WorkerState.UNREPORTED:
        page.field("came back", f"{worker.status or worker.state}; {DELIVERIES[worker.delivery]}")
    if worker.summary:
        page.field("summary", cut(worker.summary, LIMITS.summary_chars))


def _draw_steps(page: Page, worker: WorkerReport[Masked]) -> None:
    """How far each agent of a workflow came; those that are done are only counted."""
    if not worker.steps:
        return
    sums = ((state, sum(step.state is state for step in worker.steps)) for state in StepState)
    page.field("steps", ", ".join(f"{number} {STEPS[state]}" for state, number in sums if number))
    left = [
        f"{step.agent_id} {step.label or ''}".rstrip() + f": {STEPS[step.state]}"
        for step in worker.steps
        if step.state is not StepState.DONE
    ]
    for words in left[: LIMITS.listed_rows]:
        page.field("", words)
    if len(left) > LIMITS.listed_rows:
        page.field("", f"... and {len(left) - LIMITS.listed_rows} more; --json lists them all")


def _draw_end(page: Page, worker: WorkerReport[Masked], digest: Digest[Masked]) -> None:
    """How its own transcript ends. That of a workflow is only one of its agents, and tells nothing of the whole."""
    if not digest.recoverable and digest.ended is Ended.NOTHING_WRITTEN:
        return
    if worker.kind is WorkerKind.WORKFLOW:
        page.field("ended", f"the newest transcript of its agents ends {digest.ended}; that is one step, not the whole")
    else:
        page.field("ended", describe_end(digest.ended))


def _draw_digest(page: Page, digest: Digest[Masked], frame: Frame) -> None:
    """What it had done, by its own copy."""
    if not digest.recoverable:
        page.field("recovered", f"nothing: {digest.reason or 'no reason is given'}")
        return
    if digest.tool_counts:
        calls = sum(row.calls for row in digest.tool_counts)
        page.field("did", f"{count(calls, 'tool call')}: " + ", ".join(f"{row.tool} {row.calls}" for row in digest.tool_counts))
    if digest.truncated_window:
        page.field("", "Only the last part of its long transcript was read for this.")
    if digest.half_written:
        page.exact("HALF-DONE?", cut(digest.half_written, LIMITS.path_chars))
        page.field("", "Its last edit of this file never got a result: look at the file before you build on it.")
    if digest.files_touched:
        page.exact("files", *(cut(path, LIMITS.path_chars) for path in digest.files_touched))
    if digest.final_text:
        text = digest.final_text
        which = (
            "last words" if len(text) <= frame.words_chars else f"last words (the last {frame.words_chars:,} of {len(text):,} characters)"
        )
        page.quote(which, text[-frame.words_chars :])


def _draw_sidecar(page: Page, worker: WorkerReport[Masked]) -> None:
    """What the harness noted beside its transcript, where it noted anything."""
    note = worker.sidecar
    if note is None:
        return
    flags = (("finished", note.finished), ("report taken", note.report_taken), ("stopped by the user", note.stopped_by_user))
    said = ", ".join(f"{name}: {'yes' if flag else 'no'}" for name, flag in flags if flag is not None)
    if said:
        page.field("noted", f"by the harness, beside its transcript: {said}")


def _draw_command(page: Page, worker: WorkerReport[Masked], frame: Frame) -> None:
    """What a shell or monitor was told to run."""
    if not worker.command:
        return
    page.value("command", cut(worker.command, LIMITS.command_chars))
    if len(worker.command) > LIMITS.command_chars:
        _point_to_whole(page, worker, frame)
    _draw_placeholders(page, worker.command)


def _draw_prompt(page: Page, worker: WorkerReport[Masked], frame: Frame) -> None:
    """What it was asked, whole or plainly labelled as cut."""
    text = worker.prompt
    if not text:
        if worker.kind in _ASKED:
            page.field("prompt", "none is recorded")
        return
    shown = min(len(text), frame.prompt_chars)
    if "prompt" in worker.cut_while_reading:
        label = f"prompt (TRUNCATED: the first {shown:,} characters; it was too long to be read whole, so --json has no more than its head)"
    elif shown < len(text):
        label = f"prompt (TRUNCATED: the first {shown:,} of {len(text):,} characters, whole in --json)"
    else:
        label = f"prompt (complete, {count(len(text), 'character')})"
    page.quote(label, text.head(shown))
    if shown < len(text):
        _point_to_whole(page, worker, frame)
    _draw_placeholders(page, text)


def _point_to_whole(page: Page, worker: WorkerReport[Masked], frame: Frame) -> None:
    """The command that prints what was cut here, ready to paste."""
    page.row(f"whole: resume-scan prompt {shlex.quote(name_worker(worker))} --session {shlex.quote(frame.report.session)}")


def _draw_placeholders(page: Page, text: str) -> None:
    """Warn where a text cannot be used as it stands."""
    if PLACEHOLDER in text:
        page.say(
            f"It holds placeholders ({PLACEHOLDER}...]): restore the real values from your own environment before re-spawning.", indent=3
        )


def _draw_places(page: Page, worker: WorkerReport[Masked], report: Report[Masked]) -> None:
    """Where to look for more, and where the verdict comes from."""
    places = (("transcript", worker.durable_transcript), ("output", worker.output_file))
    for label, path in places:
        if path:
            page.exact(label, cut(path, LIMITS.path_chars))
    found = (("launch", worker.evidence.launch), ("notice", worker.evidence.notice))
    said = [f"{name} {_place(position, report)}" for name, position in found if position]
    if said:
        page.exact("evidence", *said)


def _place(position: Position[Masked], report: Report[Masked]) -> str:
    """A line, with its file where that is not the session's own."""
    return f"line {position.line}" + ("" if position.file == report.session else f" of {cut(position.file, LIMITS.path_chars)}")
