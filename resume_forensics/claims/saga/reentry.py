"""The one tick that may be written: the newest readable tick, line by line, with the planned fields set anew. Pure: bytes go out.

Saga, kind and id stay literally what they were, and so does every key and section that is not planned: a tick is a full snapshot.
"""

from collections.abc import Iterable
from typing import Final

from resume_forensics.claims.saga.frontmatter import respell
from resume_forensics.claims.saga.places import folder_in_use, saga_ids, thread_folder, tick_files
from resume_forensics.claims.saga.ticks import TickFile, read_chain
from resume_forensics.errors import ForensicsError
from resume_forensics.model.claim import Circumstances, PlannedWrite
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import Answers, TextFact
from resume_forensics.model.write import Create, Write
from resume_forensics.text import Masked, Raw

_REWRITTEN: Final = ("updated_at", "phase_status", "status", "next_step", "next_round", "blockers")
"""The fields of a plan that are set anew in the tick; the others only say what it continues."""


def spell(answers: Answers, circumstances: Circumstances, planned: Iterable[PlannedWrite[Masked]]) -> tuple[Write, ...]:
    """Spell each planned tick. Raises `ForensicsError` where the mask hid the name of its thread, or where it could not be read back."""
    return tuple(_spell_one(answers, circumstances, write) for write in planned)


def _spell_one(answers: Answers, circumstances: Circumstances, planned: PlannedWrite[Masked]) -> Create:
    fields = {str(field.name): field.value for field in planned.fields}
    meant = circumstances.saga_id or str(fields["saga_id"])
    if meant not in saga_ids(answers, circumstances):
        raise ForensicsError("the name of the thread was masked, so no tick was written; name the thread with --saga-id")
    folder = folder_in_use(answers, circumstances)
    files = tick_files(answers, folder, meant)
    ticks, _ = read_chain(meant, files)
    newest = next(file.fact.text or "" for file in files if file.path == ticks[-1].path)
    values = {name: str(fields[name]) for name in _REWRITTEN if fields.get(name) is not None}
    text = respell(newest, values, str(fields["summary"]))
    name = str(planned.path).rpartition("/")[2]
    again, _ = read_chain(meant, [TickFile(name=name, path=ticks[-1].path, fact=TextFact(file=FileFact(path=None), text=text))])
    if not again:
        raise ForensicsError("the newest tick has a quote that nothing closes, so a new one could not be read back; none was written")
    around = answers.folder(thread_folder(folder, meant))
    return Create(
        path=Raw(f"{folder}/sagas/{meant}/{name}"),
        content=text.encode(errors="surrogateescape"),
        beside=None if around.cut else around.names,
    )
