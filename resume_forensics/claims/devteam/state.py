"""The files of a devteam and what the machine shows of them, joined: answers go in, the typed written state comes out.

Nothing is judged here, and nothing that is not named under `devteam/` is looked at.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.claims.devteam import places
from resume_forensics.claims.devteam.board import (
    BoardText,
    find_verified,
    read_board,
    read_entries,
    read_questions,
    read_state,
    read_time,
    split_cell,
)
from resume_forensics.claims.devteam.locks import find_awaited, is_waiting, read_first_line, read_pointer
from resume_forensics.claims.devteam.markdown import bound_text, find_tasks
from resume_forensics.claims.devteam.sandboxes import ask_sandbox, name_locks, read_lines, say, see_sandbox
from resume_forensics.claims.devteam.scopes import describe_commit, find_claims, list_commits, see_scope, settle_scope
from resume_forensics.claims.devteam.tasks import TaskText, is_within, read_task
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import BoardRow, Heartbeat, Rotation, Sandbox, Scope, Task, TeamState, Writer
from resume_forensics.model.claim import Circumstances, ListedAgent, OpenQuestion
from resume_forensics.model.inquiry import Answers, Commit, Inquiry
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import BoardState, Missing, TaskStatus

_TASK_FILE: Final = re.compile(r"T-(0|[1-9][0-9]{0,8})\.md")
_NO_TEXT: Final = TaskText(status=None, said=None, labels=(), scope=(), report=None)
_NO_BOARD: Final = "it holds neither a Writer line nor a table of tasks"
_LONG_BOARD: Final = "it is larger than is read"
_TORN: Final = "its file breaks off inside its scope"
_MANY_PATHS: Final = "its scope names more paths than are looked at"


class _Desk(Struct, frozen=True, kw_only=True):
    """The files of the team, read, and what holds for all of its tasks."""

    answers: Answers
    circumstances: Circumstances
    board: BoardText
    tasks: Mapping[int, TaskText]
    files: frozenset[int]
    questions: tuple[tuple[OpenQuestion[Raw], frozenset[int]], ...]
    sandboxes: tuple[Sandbox, ...]
    torn: frozenset[str]
    claims: Mapping[int, Commit]
    verified: Mapping[int, str]
    agents: tuple[ListedAgent, ...]


def inquire(answers: Answers, circumstances: Circumstances) -> Iterator[Inquiry]:
    """What is still to be asked: first the files, then the tasks and locks that they name, then what those name."""
    del circumstances
    yield from places.FIRST
    board = _read_board(answers)
    if board is None:
        return
    for number in _find_numbers(answers, board)[: LIMITS.team_tasks]:
        yield places.ask_task(number)
        yield places.ask_heartbeat(number)
        yield from _ask_scope(number, answers, board) if places.ask_task(number) in answers else ()
    yield from map(places.ask_lock, name_locks(answers)[: LIMITS.team_tasks])
    for line in read_lines(answers)[0][: LIMITS.team_sandboxes]:
        yield from ask_sandbox(line, answers)


def _ask_scope(number: int, answers: Answers, board: BoardText) -> Iterator[Inquiry]:
    """What is asked about the scope of a task that is claimed."""
    text = _read_task(number, answers)
    paths, _ = _settle(text, number, board)
    if paths and _is_at_work(text, number, board):
        yield from map(places.ask_newest, paths[: LIMITS.scope_writes])
        yield places.ask_commits(paths)


def translate(answers: Answers, circumstances: Circumstances) -> TeamState:
    """The written state beside what was seen; with `problem` set, the board could not be read and nothing else is filled."""
    board = _read_board(answers)
    if board is None:
        fact = answers.text(places.BOARD)
        why = (_LONG_BOARD if fact.cut else _NO_BOARD) if fact.text else fact.file.missing or Missing.EMPTY
        return TeamState(writer=Writer(line=None, manager=None), problem=Raw(why))
    desk = _lay_out(answers, circumstances, board)
    at_work = [(number, text) for number, text in desk.tasks.items() if _is_at_work(text, number, board)]
    claimed = [path for number, text in at_work for path in _settle(text, number, board)[0]]
    covered = frozenset((*claimed, places.LOCKS_FOLDER))
    return TeamState(
        writer=Writer(line=_raw(board.writer), manager=_raw(read_first_line(say(answers, places.MANAGER) or ""))),
        rotation=_read_rotation(answers),
        tasks=tuple(_see_task(number, desk) for number in desk.tasks),
        sandboxes=desk.sandboxes,
        questions=tuple(question for question, _ in desk.questions[: LIMITS.team_questions]),
        entries=tuple(map(bound_text, read_entries(say(answers, places.RECORD) or "", LIMITS.record_entries))),
        commits=tuple(map(describe_commit, list_commits(places.HISTORY, answers)[: LIMITS.context_commits])),
        strays=tuple(Raw(path) for path in answers.dirty(places.DIRTY).paths if not is_within(path, covered)),
        agents_alive=None if circumstances.agents is None else tuple(Raw(agent.name) for agent in desk.agents),
        warnings=tuple(_warn(desk)),
    )


def _read_board(answers: Answers) -> BoardText | None:
    """The board, None where there is none that can be read."""
    fact = answers.text(places.BOARD) if places.BOARD in answers else None
    board = read_board(fact.text) if fact and fact.text and not fact.cut else None
    return board if board and (board.has_writer or board.has_tasks) else None


def _lay_out(answers: Answers, circumstances: Circumstances, board: BoardText) -> _Desk:
    agents = circumstances.agents or ()
    lines, torn = read_lines(answers)
    return _Desk(
        answers=answers,
        circumstances=circumstances,
        board=board,
        tasks={number: _read_task(number, answers) for number in _find_numbers(answers, board)[: LIMITS.team_tasks]},
        files=_find_files(answers),
        questions=tuple(islice(_find_open(answers, circumstances, board), LIMITS.team_questions + 1)),
        sandboxes=tuple(see_sandbox(line, answers) for line in lines[: LIMITS.team_sandboxes]),
        torn=torn,
        claims=find_claims(answers),
        verified=find_verified(say(answers, places.RECORD) or ""),
        agents=tuple(agent for agent in agents if agent.status.strip().lower() != "exited"),
    )


def _find_files(answers: Answers) -> frozenset[int]:
    """The tasks that have a file, whatever it says."""
    names = answers.folder(places.TASKS).names if places.TASKS in answers else ()
    return frozenset(int(found[1]) for found in map(_TASK_FILE.fullmatch, names) if found)


def _find_numbers(answers: Answers, board: BoardText) -> tuple[int, ...]:
    """The tasks that have a file or a row on the board."""
    return tuple(sorted(_find_files(answers) | set(board.states) | board.in_flight))


def _read_task(number: int, answers: Answers) -> TaskText:
    """The file of a task; one that is not there, or of which only the end was read, says nothing."""
    question = places.ask_task(number)
    fact = answers.text(question) if question in answers else None
    return _NO_TEXT if fact is None or fact.text is None or fact.cut else read_task(fact.text, number)


def _settle(text: TaskText, number: int, board: BoardText) -> tuple[tuple[str, ...], int]:
    """The scope of a task; where its file names no path, or breaks off among them, those of the board count."""
    whole = bool(text.scope) and not text.is_torn
    written = text.scope if whole else (*text.scope, *split_cell(board.scopes.get(number, "")))
    return settle_scope(written[: LIMITS.scope_paths])


def _is_claimed(number: int, board: BoardText) -> bool:
    return number in board.in_flight or read_state(board.states.get(number, "")) is BoardState.CLAIMED


def _is_at_work(text: TaskText, number: int, board: BoardText) -> bool:
    """Whether the scope of a task is claimed: not before it is begun, and no more once it is accepted."""
    return text.status is not TaskStatus.ACCEPTED and (text.status is not TaskStatus.PLANNED or _is_claimed(number, board))


def _see_task(number: int, desk: _Desk) -> Task:
    text = desk.tasks[number]
    name = Raw(f"T-{number}")
    cell = desk.board.states.get(number)
    return Task(
        id=name,
        file=Raw(places.name_task_file(number)),
        status=text.status,
        said=_raw(text.said),
        has_file=number in desk.files,
        scope=_see_scope(text, number, desk),
        is_claimed=_is_claimed(number, desk.board),
        board=None if cell is None else BoardRow(state=read_state(cell), said=bound_text(cell)),
        is_file_dirty=places.name_task_file(number) in desk.answers.dirty(places.DIRTY).paths,
        heartbeat=_see_heartbeat(number, desk.answers),
        sandboxes=tuple(sandbox for sandbox in desk.sandboxes if sandbox.task == name),
        is_lock_torn=f"T-{number}.sandbox" in desk.torn,
        agents=tuple(
            Raw(agent.name) for agent in desk.agents if _carries(agent, number, (*text.labels, *desk.board.labels.get(number, ())))
        ),
        questions=tuple(question.id for question, tasks in desk.questions if number in tasks),
        verified=bound_text(desk.verified[number].strip()) if number in desk.verified else None,
        report=_raw(text.report),
    )


def _see_scope(text: TaskText, number: int, desk: _Desk) -> Scope:
    """The scope of a task; where its own words are not whole, what is not seen under it proves nothing."""
    scope = see_scope(_settle(text, number, desk.board)[0], number, desk.claims.get(number), desk.answers)
    unsure = _TORN if text.is_torn else _MANY_PATHS if len(text.scope) > LIMITS.scope_paths else None
    return replace(scope, problem=Raw(unsure)) if unsure and scope.problem is None else scope


def _carries(agent: ListedAgent, number: int, labels: Sequence[str]) -> bool:
    """Whether an agent is the task's own, or one under it: it has a label of the task, or its name begins with the task's."""
    return any(word in labels or find_tasks(word)[:1] == (number,) for word in (agent.name, agent.ref))


def _see_heartbeat(number: int, answers: Answers) -> Heartbeat | None:
    """The heartbeat of a task; None where none was ever written."""
    question = places.ask_heartbeat(number)
    fact = answers.text(question) if question in answers else None
    if fact is None or fact.file.missing in {Missing.GONE, Missing.DANGLING_LINK}:
        return None
    line = read_first_line(fact.text or "")
    awaited = find_awaited(line)
    return Heartbeat(
        said=bound_text(line or fact.file.missing or Missing.EMPTY),
        waiting=is_waiting(line),
        sandbox=_raw(awaited),
        written_at=fact.file.modified_at,
    )


def _read_rotation(answers: Answers) -> Rotation | None:
    """The pointer of a planned handoff; None where none was ever written."""
    text = say(answers, places.HANDOFF)
    if text is None:
        return None
    pointer = read_pointer(text)
    return Rotation(session=_raw(pointer.session), checkpoint=_raw(pointer.checkpoint), completed=_raw(pointer.completed))


def _find_open(answers: Answers, circumstances: Circumstances, board: BoardText) -> Iterator[tuple[OpenQuestion[Raw], frozenset[int]]]:
    """Each open question, and the tasks that it names; one that stands on the board alone counts too."""
    known = tuple(read_questions(say(answers, places.QUESTIONS) or ""))
    for question in known:
        row = board.questions.get(question.id, {})
        if question.is_open:
            raised = read_time(question.raised) or read_time(row.get("raised"))
            yield _open_question(question.id, question.title, raised, places.QUESTIONS.path, circumstances), frozenset(question.tasks)
    for name in board.questions.keys() - {question.id for question in known}:
        row = board.questions[name]
        named = find_tasks(" ".join(row.values()))
        yield _open_question(name, row["question"], read_time(row.get("raised")), places.BOARD.path, circumstances), frozenset(named)


def _open_question(name: str, text: str, raised_at: datetime | None, source: Raw, circumstances: Circumstances) -> OpenQuestion[Raw]:
    age = None if raised_at is None else max(0, int((circumstances.now - raised_at).total_seconds()))
    return OpenQuestion(id=Raw(name), text=bound_text(text), source=source, raised_at=raised_at, age_s=age)


def _warn(desk: _Desk) -> Iterator[Raw]:
    """What could not be read, and what was left out."""
    answers, board = desk.answers, desk.board
    for question in (places.QUESTIONS, places.RECORD):
        fact = answers.text(question)
        if fact.text is None:
            yield compose(question.path, " could not be read (", fact.file.missing or Missing.UNREADABLE, "): what it says is not known")
        elif fact.cut:
            yield compose("only the end of ", question.path, " was read")
    for number, text in desk.tasks.items():
        untrusted = _settle(text, number, board)[1]
        if untrusted:
            yield Raw(
                f"T-{number}: {untrusted} of the paths of its scope lead out of the directory or cannot be read; they were not looked at"
            )
    yield from (Raw(f"T-{number} stands on the board more than once; the first row counts") for number in board.twice)
    for name in sorted(desk.torn):
        yield compose(name, " holds a line that cannot be read, or none: a sandbox that it names is not known")
    if len(desk.questions) > LIMITS.team_questions:
        yield Raw(f"there are more than {LIMITS.team_questions} open questions; the rest are not listed")
    if len(_find_numbers(answers, board)) > LIMITS.team_tasks:
        yield Raw(f"there are more than {LIMITS.team_tasks} tasks; those of higher numbers were not looked at")
    if len(read_lines(answers)[0]) > LIMITS.team_sandboxes or len(name_locks(answers)) > LIMITS.team_tasks:
        yield Raw(f"there are more sandboxes than are looked at ({LIMITS.team_sandboxes})")


def _raw(text: str | None) -> Raw | None:
    return bound_text(text) if text else None
