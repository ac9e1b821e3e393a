"""Where a saga keeps what, and so what is asked of the machine, round by round. Pure: names and answers in, inquiries out."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from resume_forensics.claims.saga.proof import Given, read_proof
from resume_forensics.claims.saga.ticks import TickFile, in_order, read_chain
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import Answers, FileState, FileText, FolderNames, GitDirty, GitPlace, Inquiry, TextFact
from resume_forensics.model.obligation import Proof
from resume_forensics.text import Raw

STATE_FOLDERS: Final = (".gemini/saga", ".claude/saga", ".gemini/infiquetra-lifecycle")
"""Where the state may stand, the folder in use first. The last is the name from before the plugin was called saga."""

PLACE: Final = GitPlace(directory=Raw("."))
DIRTY: Final = GitDirty(directory=Raw("."))
OUTCOMES: Final = FolderNames(path=Raw("docs/outcomes"), deep=True)
"""Where contracts and receipts are kept."""


def is_present(answers: Answers) -> bool:
    """Whether a state folder stands below the root."""
    return bool(standing_folders(answers))


def standing_folders(answers: Answers) -> tuple[str, ...]:
    """The state folders that stand there."""
    return tuple(name for name in STATE_FOLDERS if answers.folder(FolderNames(path=Raw(name))).missing is None)


def folder_in_use(answers: Answers, circumstances: Circumstances) -> str:
    """The state folder that is read, as a plain path."""
    return str(PurePosixPath(circumstances.state_dir or next(iter(standing_folders(answers)), STATE_FOLDERS[0])))


def inquire(answers: Answers, circumstances: Circumstances) -> Iterator[Inquiry]:
    """What is to be asked, as far as the answers so far lead."""
    folder = folder_in_use(answers, circumstances)
    yield from (PLACE, DIRTY, FolderNames(path=Raw(folder)), index_of(folder), checkpoints_of(folder), sagas_of(folder))
    yield from _ask_for_proof(answers, circumstances)
    if sagas_of(folder) in answers:
        for saga_id in saga_ids(answers, circumstances):
            yield from _ask_for_thread(answers, folder, saga_id)


def sagas_of(folder: str) -> FolderNames:
    """The folder of all threads."""
    return FolderNames(path=Raw(f"{folder}/sagas"))


def index_of(folder: str) -> FileText:
    """The derived index."""
    return FileText(path=Raw(f"{folder}/state.json"))


def checkpoints_of(folder: str) -> FolderNames:
    """What was kept before there were ticks."""
    return FolderNames(path=Raw(f"{folder}/checkpoints"))


def thread_folder(folder: str, saga_id: str) -> FolderNames:
    """The folder of one thread."""
    return FolderNames(path=Raw(f"{folder}/sagas/{saga_id}"))


def saga_ids(answers: Answers, circumstances: Circumstances) -> tuple[str, ...]:
    """The names of the threads that are read: the first `LIMITS.saga_threads`, and the one that was asked for."""
    names = [name for name in answers.folder(sagas_of(folder_in_use(answers, circumstances))).names if not name.startswith(".")]
    asked = [name for name in names if name == circumstances.saga_id]
    return tuple(dict.fromkeys([*names[: LIMITS.saga_threads], *asked]))


def tick_files(answers: Answers, folder: str, saga_id: str) -> tuple[TickFile, ...]:
    """The ticks of a thread that are read and were answered, oldest first; all but the newest `LIMITS.saga_ticks` are left out."""
    texts = {name: tick_text(folder, saga_id, name) for name in tick_names(answers, folder, saga_id)[-LIMITS.saga_ticks :]}
    return tuple(TickFile(name=name, path=text.path, fact=answers.text(text)) for name, text in texts.items() if text in answers)


def tick_names(answers: Answers, folder: str, saga_id: str) -> tuple[str, ...]:
    """The names of all ticks of a thread, oldest first; none where its folder was not asked."""
    place = thread_folder(folder, saga_id)
    return in_order(answers.folder(place).names if place in answers else ())


def tick_text(folder: str, saga_id: str, name: str) -> FileText:
    """One tick."""
    return FileText(path=Raw(f"{folder}/sagas/{saga_id}/{name}"), limit_bytes=LIMITS.tick_bytes)


def answered_proof(answers: Answers, circumstances: Circumstances) -> Proof | None:
    """The contract and its receipts as far as they were answered; None where no contract was given."""

    def lookup(reference: str) -> TextFact | None:
        text = FileText(path=Raw(reference))
        return answers.text(text) if text in answers else None

    if circumstances.contract is None:
        return None
    receipts = (Given(reference=each, fact=lookup(each)) for each in circumstances.receipts)
    return read_proof(Given(reference=circumstances.contract, fact=lookup(circumstances.contract)), receipts, lookup)


def _ask_for_proof(answers: Answers, circumstances: Circumstances) -> Iterator[Inquiry]:
    if circumstances.contract is None:
        yield OUTCOMES
        return
    yield from (FileText(path=Raw(reference)) for reference in (circumstances.contract, *circumstances.receipts))
    proof = answered_proof(answers, circumstances)
    for receipt in proof.receipts if proof else ():
        yield from (FileText(path=exhibit.reference) for exhibit in receipt.exhibits if exhibit.is_checked)


def _ask_for_thread(answers: Answers, folder: str, saga_id: str) -> Iterator[Inquiry]:
    yield thread_folder(folder, saga_id)
    if thread_folder(folder, saga_id) not in answers:
        return
    names = tick_names(answers, folder, saga_id)[-LIMITS.saga_ticks :]
    yield from (tick_text(folder, saga_id, name) for name in names)
    files = tick_files(answers, folder, saga_id)
    if files and len(files) == len(names):
        ticks, _ = read_chain(saga_id, files)
        papers = ticks[-1].papers[: LIMITS.evidence_listed] if ticks else ()
        yield from (FileState(path=paper.path) for paper in papers if paper.path is not None)
