"""The bytes of the one tick that may be written: what was planned is set anew, everything else is literally the tick before."""

import pytest

from claims.sagas import SAGAS, THREAD, Machine, circumstances, thread, tick
from resume_forensics.claims.saga import spell
from resume_forensics.errors import ForensicsError
from resume_forensics.mask.engine import Masker
from resume_forensics.model.claim import Circumstances, Named, PlannedWrite
from resume_forensics.model.write import Create
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import WriteKind


def masked(text: str) -> Masked:
    return Masker().mask(Raw(text))


def planned(saga_id: str = THREAD, **fields: str | int | None) -> PlannedWrite[Masked]:
    named = {
        "saga_id": saga_id,
        "continues": "x",
        "status": "paused",
        "next_step": "/qa",
        "next_round": 3,
        "summary": "New words.",
        **fields,
    }
    return PlannedWrite(
        path=masked(f"{SAGAS}/{saga_id}/20260102-090000.md"),
        kind=WriteKind.CREATE,
        fields=tuple(Named(name=masked(name), value=masked(value) if isinstance(value, str) else value) for name, value in named.items()),
    )


def spelled(files: dict[str, str], write: PlannedWrite[Masked], said: Circumstances | None = None) -> Create:
    known = said or circumstances()
    (only,) = spell(Machine(files=files).gather(known), known, (write,))
    assert isinstance(only, Create)
    return only


def test_a_tick_is_the_newest_readable_one_with_the_planned_fields() -> None:
    files = thread(tick(), tick("old words", x_unknown="kept", updated_at="then", blockers="quota"), "torn")
    write = spelled(files, planned(updated_at="2026-01-02T09:00:00+00:00", blockers="", phase_status=None))
    assert write.path == Raw(f"{SAGAS}/{THREAD}/20260102-090000.md")
    expected = tick("New words.", x_unknown="kept", updated_at="2026-01-02T09:00:00+00:00", blockers='""', status="paused", next_step="/qa")
    assert write.content.decode() == expected.replace("next_round: 2", "next_round: 3")


def test_blockers_that_are_not_cleared_stay() -> None:
    assert b"\nblockers: quota\n" in spelled(thread(tick(blockers="quota")), planned()).content


def test_what_was_read_beside_it_must_still_be_all() -> None:
    write = spelled({**thread(tick(), "torn"), f"{SAGAS}/{THREAD}/notes.txt": ""}, planned())
    assert write.beside == ("20260102-000000.md", "20260102-010000.md", "notes.txt")


def test_bytes_that_are_no_text_survive() -> None:
    write = spelled(thread(tick(x_odd="a\udcff\udcfeb")), planned())
    assert b"\nx_odd: a\xff\xfeb\n" in write.content


def test_what_the_mask_would_hide_survives_in_the_file() -> None:
    secret = "ghp_" + "Zk3" * 12
    assert f"x_note: {secret}\n".encode() in spelled(thread(tick(x_note=secret)), planned()).content


def test_a_thread_whose_name_is_masked_must_be_named() -> None:
    secret = "task-" + "ghp_" + "Zk3" * 12
    files = {f"{SAGAS}/{secret}/20260102-000000.md": tick(saga_id=secret)}
    with pytest.raises(ForensicsError, match="name the thread with --saga-id"):
        spelled(files, planned(saga_id=secret))
    assert spelled(files, planned(saga_id=secret), circumstances(saga_id=secret)).path == Raw(f"{SAGAS}/{secret}/20260102-090000.md")


def test_a_tick_that_could_not_be_read_back_is_not_written() -> None:
    unclosed = tick(schema_version='"1.0', next_step="/work", blockers="quota")
    assert spelled(thread(unclosed), planned()).content
    with pytest.raises(ForensicsError, match="could not be read back"):
        spelled(thread(unclosed), planned(blockers=""))
