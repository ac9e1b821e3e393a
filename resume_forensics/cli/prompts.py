"""The prompt of one worker: a masked report and an id come in, the text to start it again from goes out, with remarks."""

from resume_forensics.errors import ForensicsError, UnknownWorker, WrongUse
from resume_forensics.model.report import Report, WorkerReport
from resume_forensics.render.visible import show_block
from resume_forensics.text import Masked

_PLACEHOLDER = "[REDACTED:"


def write_prompt(report: Report[Masked], worker_id: str) -> tuple[str, list[str]]:
    """Answer the whole prompt, ending in a newline, and what the person should know about it.

    A worker without a prompt answers its command. Raises `UnknownWorker` where the id fits none, `WrongUse` where it fits
    several, `ForensicsError` where neither prompt nor command is recorded.
    """
    worker = _find(report, worker_id)
    text = worker.prompt or worker.command
    if not text:
        raise ForensicsError("neither a prompt nor a command of this worker is recorded")
    shown = show_block(text)
    remarks = (
        (not worker.prompt, "this worker has no prompt; what follows is its command"),
        ("prompt" in worker.cut_while_reading, "the prompt was too long to be read whole; what follows is its head"),
        (_PLACEHOLDER in text, f"it holds placeholders ({_PLACEHOLDER}...]): restore the real values from your own environment"),
        (shown != text.replace("\r\n", "\n"), "characters that cannot be seen are shown as escapes; --json has them as they are"),
    )
    return shown if shown.endswith("\n") else shown + "\n", [words for holds, words in remarks if holds]


def _find(report: Report[Masked], worker_id: str) -> WorkerReport[Masked]:
    """The one worker that the id names: its own id first, else that of its launching call."""
    workers = (*report.unreported, *report.reported_failed, *report.reported)
    found = [worker for worker in workers if worker.worker_id == worker_id] or [w for w in workers if w.tool_use_id == worker_id]
    if not workers:
        raise UnknownWorker(f"this session has no worker, so none has the id {worker_id}; choose another session (--previous, --session)")
    if not found:
        total = "1 worker" if len(workers) == 1 else f"{len(workers):,} workers"
        raise UnknownWorker(f"no worker of this session has the id {worker_id}; it has {total}, and `resume-scan --json` lists them")
    if len(found) > 1:
        calls = ", ".join(worker.tool_use_id or "(none)" for worker in found)
        raise WrongUse(f"{len(found)} workers share this id; name the one you mean by its tool-use id: {calls}")
    return found[0]
