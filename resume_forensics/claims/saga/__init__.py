"""The saga: threads of work, each a chain of ticks, below `.gemini/saga` or `.claude/saga`. Answers in, what is written out; pure.

Formats of saga.py (schema 1.0): a tick is never changed, the newest by name speaks for its thread, `state.json` is derived from ticks.
"""

from collections.abc import Mapping
from typing import Final

from resume_forensics.claims.saga.places import (
    OUTCOMES,
    STATE_FOLDERS,
    answered_proof,
    checkpoints_of,
    folder_in_use,
    index_of,
    inquire,
    is_present,
    saga_ids,
    sagas_of,
    standing_folders,
    thread_folder,
    tick_files,
    tick_names,
)
from resume_forensics.claims.saga.proof import Object, read_object
from resume_forensics.claims.saga.reentry import spell
from resume_forensics.claims.saga.ticks import INDEXED, order_key, read_chain, read_issue
from resume_forensics.errors import WrongUse
from resume_forensics.model.claim import Circumstances, StateSystem
from resume_forensics.model.inquiry import Answers, FolderNames
from resume_forensics.model.thread import SagaState, Thread
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, System

__all__ = ["SYSTEM", "spell", "translate"]

SYSTEM: Final = StateSystem(name=System.SAGA, looks_into=STATE_FOLDERS, is_present=is_present, inquire=inquire)

_KEPT: Final = frozenset({"sagas", "state.json", "checkpoints"})
"""What makes a folder of another name one of a saga; a folder of a known name is one before anything is kept in it."""


def translate(answers: Answers, circumstances: Circumstances) -> SagaState:
    """Answer what the state folder says. Raises `WrongUse` for options that fit nothing that stands there."""
    folder = folder_in_use(answers, circumstances)
    _refuse_wrong_use(answers, circumstances, folder)
    index, problem = _read_index(answers, folder)
    ids = saga_ids(answers, circumstances)
    there = set(answers.folder(sagas_of(folder)).names)
    outcomes = answers.folder(OUTCOMES).names if OUTCOMES in answers else ()
    return SagaState(
        folder=Raw(folder),
        folders=tuple(map(Raw, standing_folders(answers))),
        chosen=circumstances.state_dir is not None,
        threads=tuple(thread for saga_id in ids if (thread := _read_thread(answers, folder, saga_id, index))),
        asked_thread=None if circumstances.saga_id is None else Raw(circumstances.saga_id),
        asked_issue=None if circumstances.issue is None else read_issue(circumstances.issue),
        proof=answered_proof(answers, circumstances),
        index_problem=problem,
        strays=tuple(Raw(saga_id) for saga_id in index if saga_id not in there),
        checkpoints=tuple(Raw(name) for name in answers.folder(checkpoints_of(folder)).names if name.endswith(".md")),
        contracts=tuple(Raw(f"docs/outcomes/{name}") for name in outcomes if "contract" in name and name.endswith(".json")),
        unread_threads=len(there - set(ids)),
    )


def _refuse_wrong_use(answers: Answers, circumstances: Circumstances, folder: str) -> None:
    names = answers.folder(sagas_of(folder)).names
    chosen = answers.folder(FolderNames(path=Raw(folder)))
    if circumstances.state_dir is not None and chosen.missing is not None:
        raise WrongUse(f"--state-dir: {circumstances.state_dir!r} is no folder below the directory that is reconciled")
    if folder not in STATE_FOLDERS and _KEPT.isdisjoint(chosen.names):
        raise WrongUse(f"--state-dir: {circumstances.state_dir!r} is no saga folder, for it holds neither sagas/ nor state.json")
    if circumstances.saga_id is not None and circumstances.saga_id not in names:
        raise WrongUse(f"--saga-id: {folder}/sagas has no thread {circumstances.saga_id!r}")
    if circumstances.issue is not None and read_issue(circumstances.issue) is None:
        raise WrongUse(f"--issue: {circumstances.issue!r} is neither owner/repo#N nor a number")
    if circumstances.receipts and circumstances.contract is None:
        raise WrongUse("--receipt: a receipt says something only beside the contract that it is for; name it with --contract")


def _read_index(answers: Answers, folder: str) -> tuple[Mapping[str, Object], Raw | None]:
    """The entries of `state.json` by thread, and why there are none."""
    fact = answers.text(index_of(folder))
    if fact.text is None:
        return {}, None if fact.file.missing is Missing.GONE else Raw(str(fact.file.missing))
    record = None if fact.cut else read_object(fact.text)
    sagas = record.get("sagas") if record else None
    if not isinstance(sagas, dict):
        return {}, Raw("larger than is read" if fact.cut else "no JSON object with `sagas`")
    return {saga_id: entry for saga_id, entry in sagas.items() if isinstance(entry, dict)}, None


def _read_thread(answers: Answers, folder: str, saga_id: str, index: Mapping[str, Object]) -> Thread | None:
    """One thread; None for what is no folder, or a folder without ticks."""
    names = tick_names(answers, folder, saga_id)
    if not names:
        return None
    files = tick_files(answers, folder, saga_id)
    ticks, torn = read_chain(saga_id, files)
    entry = {name: value for name, value in index.get(saga_id, {}).items() if name in INDEXED and isinstance(value, str)}
    return Thread(
        saga_id=Raw(saga_id),
        folder=thread_folder(folder, saga_id).path,
        ticks=ticks,
        torn=torn,
        newest_key=order_key(names[-1]),
        index={name: Raw(value) for name, value in entry.items()},
        index_issue=read_issue(entry.get("issue_ref", "")),
        unread=len(names) - len(files),
    )
