"""What is asked about a superscientist workflow: first its own files, then whatever these name."""

from collections.abc import Iterator

from resume_forensics.claims.superscientist.document import (
    BACKEND_LOG,
    INIT,
    LOG,
    PAUSE,
    STATE,
    error_log_of,
    exit_of,
    list_files,
    load_workflow,
    process_of,
    state_of,
)
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import ROOT_NAMES, Answers, GitLog, Inquiry, TmuxSessions
from resume_forensics.model.record import JsonObject, objects_of, text_of


def is_present(answers: Answers) -> bool:
    """A state file; or a log beside the init script or a stage's folder."""
    names = answers.folder(ROOT_NAMES).names
    return "workflow-state.json" in names or (
        "progress.log" in names and ("init.sh" in names or any(name.startswith("stage-") for name in names))
    )


def inquire(answers: Answers, circumstances: Circumstances) -> Iterator[Inquiry]:
    """Name everything that is asked; a bad state file leads to nothing further."""
    yield from (STATE, LOG, INIT, PAUSE, ask_commits(circumstances))
    document = load_workflow(answers.text(STATE)) if STATE in answers else ""
    if isinstance(document, str):
        return
    for stage in objects_of(document, "stages"):
        yield from _ask_about(stage)


def ask_commits(circumstances: Circumstances) -> GitLog:
    """The commits that whoever resumes reads."""
    return GitLog(directory=circumstances.root, commits=LIMITS.workflow_commits)


def _ask_about(stage: JsonObject) -> Iterator[Inquiry]:
    files = [state_of(path) for key in ("outputs", "inputs") for path in list_files(stage, key)]
    process = process_of(stage)
    if process is not None:
        yield from (TmuxSessions(), BACKEND_LOG, error_log_of(stage))
        files += [state_of(text_of(process, key)) for key in ("wrapper_script", "done_marker", "submission_json")]
        code = exit_of(process)
        if code:
            yield code
    yield from (file for file in files if file)
