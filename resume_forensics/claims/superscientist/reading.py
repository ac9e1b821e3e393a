"""The answers about a superscientist workflow come in, the typed `Workflow` goes out. Pure translation: nothing is judged."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

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
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answers, TextFact
from resume_forensics.model.record import Json, JsonObject, flag_of, number_of, object_of, objects_of, read_time, text_of
from resume_forensics.model.workflow import NamedFile, Process, SessionConfig, Stage, Workflow
from resume_forensics.text import CUT_MARK, Raw
from resume_forensics.vocabulary import Missing, StageStatus, Verdict

_STAMP: Final = re.compile(r"\[[^\]\n]{0,40}\] ")
_CODE: Final = re.compile(r"[+-]?\d{1,9}")
_KEY_BEGINS: Final = "-----BEGIN "
_KEY_ENDS: Final = "-----END "
_PREFIX: Final = "stage-"
_OPERATORS: Final = frozenset("!(),")
"""What `find` takes for a part of its expression, where a path should stand."""

_RESPELLED: Final = re.compile(r"\\|\$[A-Za-z_{]")
"""What tmux 3.3 writes with a further backslash in the names of its sessions, other versions not: such a name cannot be looked up."""

_MISTAKEN: Final = re.compile(r"#|;\Z|\A\$\s*[+-]?\d|\A(?:/dev/.*|pts/\d+|tty\w*|client-\d+)\Z")
"""Names that tmux 3.3 takes for something else: `#` begins a format, and `#(...)` runs a command; `;` at the end parts two commands;
`$1` is whichever session has that number, and a terminal or a client the session that is shown on it."""

_HERE: Final = (None, Missing.EMPTY)


def translate(answers: Answers, circumstances: Circumstances) -> Workflow:
    """Answer the whole workflow. A state file that is missing or no workflow gives its verdict, and nothing else of it."""
    del circumstances  # what the files say does not depend on who asks
    lines = _lines(answers.text(LOG))
    log = None if lines is None else tuple(map(Raw, lines))
    can_grow = answers.text(LOG).file.missing in {*_HERE, Missing.GONE}
    document = load_workflow(answers.text(STATE))
    if isinstance(document, str):
        gone = answers.text(STATE).file.missing in {Missing.GONE, Missing.DANGLING_LINK}
        return Workflow(problem=Verdict.STATE_MISSING if gone else Verdict.STATE_CORRUPT, reason=document, log=log, log_can_grow=can_grow)
    return Workflow(
        id=_raw(text_of(document, "workflow_id")),
        word=_raw(text_of(document, "workflow_status")),
        stages=tuple(_read_stage(index, stage, document, answers) for index, stage in enumerate(objects_of(document, "stages"))),
        session=_read_session(object_of(document, "session_config")),
        log=log,
        entries=tuple(Raw(_STAMP.sub("", line, count=1)) for line in lines or ()),
        log_can_grow=can_grow,
        was_copied=_was_copied(document, answers),
        has_init=answers.file(INIT).missing in _HERE,
        is_paused=answers.file(PAUSE).missing is not Missing.GONE,
    )


def _read_stage(index: int, stage: JsonObject, document: JsonObject, answers: Answers) -> Stage:
    name, word = text_of(stage, "id") or "", text_of(stage, "status")
    process = process_of(stage)
    count = number_of(stage, "retry_count")
    return Stage(
        index=index,
        id=Raw(name),
        number=Raw(name.removeprefix(_PREFIX)),
        status=StageStatus(word) if word in set(StageStatus) else None,
        status_word=_raw(word),
        depends_on=_read_names(stage.get("depends_on")),
        outputs=tuple(named for path in list_files(stage, "outputs") if (named := _name_file(path, answers))),
        retry_count=count if isinstance(count, int) else None,
        retry_limit=_find_retry_limit(stage, document),
        process=None if process is None else _read_process(process, stage, answers),
        last_error=_raw(text_of(stage, "last_error")),
    )


def _read_process(process: JsonObject, stage: JsonObject, answers: Answers) -> Process:
    session, code = text_of(process, "tmux_session") or "", exit_of(process)
    held = answers.text(code) if code else None
    number = _read_code(held)
    source, error = _find_error(stage, answers) if number else (None, None)
    return Process(
        session=_spell_session(session),
        session_is_plain=not _MISTAKEN.search(session),
        wrapper=_name_file(text_of(process, "wrapper_script"), answers),
        done=_name_file(text_of(process, "done_marker"), answers),
        exit=None if code is None or held is None else NamedFile(path=code.path, file=held.file, is_plain=_is_plain(process)),
        exit_code=number,
        recovery_attempted=flag_of(process, "recovery_attempted"),
        launched=_raw(text_of(process, "launched_at")),
        launched_at=read_time(text_of(process, "launched_at")),
        error=error,
        error_source=source,
    )


def _spell_session(name: str) -> Raw | None:
    """The name of a session as tmux stores it."""
    return Raw(name.replace(".", "_").replace(":", "_")) if name.isprintable() and name and not _RESPELLED.search(name) else None


def _is_plain(process: JsonObject) -> bool:
    return _can_be_typed(text_of(process, "exit_code_file") or "")


def _read_code(held: TextFact | None) -> int | None:
    """The one number that an exit code file holds."""
    text = (held.text or "").strip() if held and not held.cut else ""
    return int(text) if _CODE.fullmatch(text) else None


def _find_error(stage: JsonObject, answers: Answers) -> tuple[Raw | None, Raw | None]:
    """The last line of the wrapper's standard error, else of DPDispatcher's own log, with the file it stands in."""
    for inquiry in (error_log_of(stage), BACKEND_LOG):
        lines = _leave_out_keys(line for line in _lines(answers.text(inquiry)) or () if line.strip())
        if lines:
            line = lines[-1].strip()
            kept = line if len(line) <= LIMITS.error_chars else line[: LIMITS.error_chars] + CUT_MARK
            return inquiry.path, Raw(kept)
    return None, None


def _leave_out_keys(lines: Iterable[str]) -> list[str]:
    """The lines outside keys between marks, one of which may be missing: a line of a key, alone, would be no secret to any mask."""
    kept: list[str] = []
    inside = False
    for line in lines:
        begins, ends = _KEY_BEGINS in line, _KEY_ENDS in line
        if ends and not begins and not inside:
            kept.clear()
        elif not (begins or ends or inside):
            kept.append(line)
        inside = (inside or begins) and not ends
    return kept


def _read_session(config: JsonObject) -> SessionConfig:
    count, name = config.get("session_count"), text_of(config, "session_id")
    return SessionConfig(
        count=count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None,
        count_word=None if count is None else Raw(str(count) if isinstance(count, str | int | float) else type(count).__name__),
        id=_raw(name),
        began_at=read_time(name),
        cost=_read_value(config.get("session_cost")),
        budget=_read_value(config.get("session_budget")),
        exit_reason=None if config.get("exit_reason") is None else Raw(str(config["exit_reason"])),
    )


def _read_value(value: Json) -> Raw | float | None:
    """A value as it is shown: a number, a text, or the text of anything else."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    return Raw(value if isinstance(value, str) else str(value))


def _find_retry_limit(stage: JsonObject, document: JsonObject) -> int:
    """A stage names its backend, or has the workflow's; the profile of that name says where it runs."""
    backend = text_of(stage, "backend") or text_of(document, "default_backend") or ""
    profile = object_of(object_of(document, "backend_profiles"), backend)
    return LIMITS.retries_remote if (text_of(profile, "type") or backend) == "remote" else LIMITS.retries_local


def _read_names(value: Json) -> tuple[Raw, ...] | None:
    if value is None:
        return ()
    names = [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
    return tuple(map(Raw, names)) if isinstance(value, list) and len(names) == len(value) else None


def _name_file(path: str | None, answers: Answers) -> NamedFile | None:
    inquiry = state_of(path)
    if path is None or inquiry is None:
        return None
    return NamedFile(path=inquiry.path, file=answers.file(inquiry), is_plain=_can_be_typed(path))


def _can_be_typed(path: str) -> bool:
    """Whether a name can be an argument of a command: it is no option (bash has some that begin with `+`), and all of it shows."""
    return path.isprintable() and not path.startswith(("-", "+")) and path not in _OPERATORS


def _was_copied(document: JsonObject, answers: Answers) -> bool:
    """Whether the files that the state names, and its own, bear one time: then it is the time of a copy."""
    facts = [answers.text(STATE).file, answers.text(LOG).file, answers.file(INIT), *_named_facts(document, answers)]
    times = {fact.path: fact.modified_at for fact in facts if fact.modified_at and fact.missing in _HERE}
    spread = max(times.values()) - min(times.values()) if times else timedelta()
    return len(times) >= LIMITS.copied_files and spread <= timedelta(seconds=LIMITS.copied_tree_s)


def _named_facts(document: JsonObject, answers: Answers) -> Iterable[FileFact]:
    for stage in objects_of(document, "stages"):
        process = process_of(stage) or {}
        paths = [text_of(process, key) for key in ("wrapper_script", "done_marker", "submission_json")]
        paths += [path for key in ("outputs", "inputs") for path in list_files(stage, key)]
        yield from (answers.file(inquiry) for path in paths if (inquiry := state_of(path)))
        code = exit_of(process)
        if code:
            yield answers.text(code).file


def _lines(fact: TextFact) -> list[str] | None:
    return None if fact.text is None else fact.text.splitlines()


def _raw(text: str | None) -> Raw | None:
    return None if text is None else Raw(text)
