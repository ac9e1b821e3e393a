"""The road of any reconciliation: which system is meant, what is asked how often, what the caller may accept, who may write."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from claims.workflows import NOW, circumstances, lay_out, stage
from flow.builders import S1, Transcript, scan_directory
from resume_forensics.errors import ForensicsError, UnreadableFile, WrongUse
from resume_forensics.flow import reconcile as flow
from resume_forensics.flow.reconcile import choose_road, name_below
from resume_forensics.flow.roads import ROADS, Road, find_roads
from resume_forensics.flow.traces import find_systems_at
from resume_forensics.limits import Limits
from resume_forensics.model.claim import Reconciliation, StateSystem
from resume_forensics.model.inquiry import FileState
from resume_forensics.model.session import Selection
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import Refusal, System


def reconcile(
    root: Path,
    *,
    store: Path | None = None,
    facts: Path | None = None,
    system: str | None = None,
    apply: bool = False,
    **told: Any,  # noqa: ANN401 (any circumstance)
) -> Reconciliation[Masked]:
    selection = Selection(directory=root, store=store or root / "nowhere")
    return flow.reconcile(selection, circumstances(root, **told), facts=facts, system=system, apply=apply)


def lay_out_four(root: Path) -> Path:
    """A directory that holds the state of all four systems."""
    lay_out(root, stage(1, "ready"))
    (root / "devteam").mkdir()
    (root / ".gemini/saga/sagas").mkdir(parents=True)
    (root / ".state").mkdir()
    with closing(sqlite3.connect(root / ".state/state.db")) as database:
        database.execute("create table t (a)")
    return root


def test_the_table_holds_every_system_once() -> None:
    assert [road.system.name for road in ROADS] == list(System)
    assert [road.system.name for road in ROADS if road.spell is None] == [System.DEVTEAM]


def test_the_one_system_that_is_there_is_meant(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    assert choose_road(tmp_path, None).system.name is System.SUPERSCIENTIST
    assert reconcile(tmp_path).system is System.SUPERSCIENTIST


def test_of_several_one_must_be_named(tmp_path: Path) -> None:
    lay_out_four(tmp_path)
    assert [road.system.name for road in find_roads(tmp_path)] == list(System)
    with pytest.raises(WrongUse, match="superscientist and devteam and saga and claude-org; name the one you mean with --system"):
        reconcile(tmp_path)
    for system in System:
        assert reconcile(tmp_path, system=system).system is system


def test_nothing_is_looked_for_above(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    (tmp_path / "below").mkdir()
    with pytest.raises(WrongUse, match="no written state of a known system"):
        reconcile(tmp_path / "below")


def test_a_system_that_is_not_there_or_unheard_of(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    with pytest.raises(WrongUse, match="no written state of saga"):
        reconcile(tmp_path, system="saga")
    with pytest.raises(WrongUse, match="unknown system 'sagas'; known: superscientist, devteam, saga, claude-org"):
        reconcile(tmp_path, system="sagas")


def test_a_directory_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no directory"):
        reconcile(tmp_path / "gone")


def test_the_root_is_named_with_its_links_followed(tmp_path: Path) -> None:
    lay_out(tmp_path / "real", stage(1, "ready"))
    (tmp_path / "link").symlink_to("real")
    assert reconcile(tmp_path / "link").root == str((tmp_path / "real").resolve())


def test_only_a_conflict_that_was_found_can_be_accepted(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "completed", outputs=["gone"]))
    name = Raw("output-missing:stage:stage-1")
    assert reconcile(tmp_path, accepted=frozenset({name})).refusals == ()
    with pytest.raises(WrongUse, match="--accept: no conflict 'output-missing:stage:stage-2' was found; the ids"):
        reconcile(tmp_path, accepted=frozenset({name, Raw("output-missing:stage:stage-2")}))
    with pytest.raises(WrongUse, match=r"no conflict 'a\\nb' or 'c' was found"):
        reconcile(tmp_path, accepted=frozenset({name, Raw("c"), Raw("a\nb")}))


def test_where_a_conflict_blocks_an_unknown_one_is_a_warning_and_the_write_is_refused(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "completed", outputs=["gone"]))
    state = (tmp_path / "workflow-state.json").read_bytes()
    found = reconcile(tmp_path, accepted=frozenset({Raw("x"), Raw("output-missing:stage:stage-2")}), apply=True)
    assert found.applied is not None
    assert found.applied.refusals == (Refusal.EVIDENCE_CONFLICTS,)
    told = "--accept names no conflict that was found: "
    assert found.warnings[-2:] == (f"{told}output-missing:stage:stage-2", f"{told}x")
    assert (tmp_path / "workflow-state.json").read_bytes() == state


def test_facts_reach_the_verdict_or_are_refused(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    facts = tmp_path / "facts.json"
    facts.write_text("[]", "utf-8")
    assert reconcile(tmp_path, facts=facts).system is System.SUPERSCIENTIST
    facts.write_text("{", "utf-8")
    with pytest.raises(WrongUse, match="not JSON"):
        reconcile(tmp_path, facts=facts)
    for name in ("gone.json", "."):
        with pytest.raises(UnreadableFile, match="cannot read"):
            reconcile(tmp_path, facts=tmp_path / name)


@pytest.mark.parametrize(
    ("named", "below"), [(None, None), ("a/b", "a/b"), ("/r/a/b", "a/b"), ("/elsewhere", "/elsewhere"), ("../x", "../x")]
)
def test_a_folder_may_be_named_absolutely(named: str | None, below: str | None) -> None:
    assert name_below(Path("/r"), named) == below


def endless(root: Path, monkeypatch: pytest.MonkeyPatch, questions: Any) -> Road:  # noqa: ANN401 (a function of answers and circumstances)
    """A system that asks without end, put in place of the others."""
    system = StateSystem(name=System.SAGA, is_present=lambda _: True, inquire=questions)
    road = replace(ROADS[0], system=system)
    monkeypatch.setattr(flow, "find_roads", lambda _: (road,))
    lay_out(root, stage(1, "ready"))
    return road


def test_a_state_that_leads_on_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def inquire(_: object, __: object) -> tuple[FileState, ...]:
        asked.append(1)
        return (FileState(path=Raw(f"{len(asked)}")),)

    endless(tmp_path, monkeypatch, inquire)
    with pytest.raises(ForensicsError, match="leads to more than"):
        reconcile(tmp_path)
    assert len(asked) == Limits().claim_rounds


def test_a_state_that_names_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    too_many = [FileState(path=Raw(str(number))) for number in range(Limits().claim_inquiries)]
    endless(tmp_path, monkeypatch, lambda _, __: too_many)
    with pytest.raises(ForensicsError, match="20,000"):
        reconcile(tmp_path)


def test_a_gate_never_writes(tmp_path: Path) -> None:
    (tmp_path / "devteam").mkdir()
    applied = reconcile(tmp_path, apply=True).applied
    assert applied is not None
    assert (applied.done, applied.written) == (False, ())
    assert Refusal.GATE_NO_WRITE in applied.refusals


def test_a_road_that_cannot_spell_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    monkeypatch.setattr(flow, "find_roads", lambda _: (replace(ROADS[0], spell=None),))
    applied = reconcile(tmp_path, apply=True).applied
    assert applied is not None
    assert applied.refusals == (Refusal.GATE_NO_WRITE,)


def test_the_newest_transcript_is_mentioned(tmp_path: Path) -> None:
    store, root = tmp_path / "projects", lay_out(tmp_path / "it's work", stage(1, "ready"))
    main = Transcript(S1, cwd=str(root))
    main.agent("a1", "t1")
    main.agent("a2", "t2")
    path = main.write(store)
    found = reconcile(root, store=store).transcripts
    assert found is not None
    assert (found.session, found.unreported) == (str(path), 2)
    assert found.command == f"resume-scan --session {path}"


def test_without_a_transcript_none_is_mentioned(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    assert reconcile(tmp_path).transcripts is None
    assert reconcile(tmp_path, store=tmp_path).transcripts is None


def test_the_scan_mentions_written_state_of_its_directory(tmp_path: Path) -> None:
    store, root = tmp_path / "projects", lay_out(tmp_path / "work", stage(1, "ready"))
    (root / "devteam").mkdir()
    main = Transcript(S1, cwd=str(root))
    main.human()
    main.write(store)
    states = scan_directory(root, store).written_state
    assert [(state.system, state.path) for state in states] == [("superscientist", Raw(str(root))), ("devteam", Raw(str(root)))]


@pytest.mark.parametrize("system", System)
def test_every_system_leaves_a_trace_that_the_scan_looks_for(tmp_path: Path, system: System) -> None:
    lay_out_four(tmp_path)
    kept = {"superscientist": "workflow-state.json", "devteam": "devteam", "saga": ".gemini", "claude-org": ".state"}[system]
    for path in tmp_path.iterdir():
        if path.name != kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert find_systems_at(Raw(str(tmp_path))) == (system,)


@pytest.mark.parametrize("folder", [".claude/saga", ".gemini/infiquetra-lifecycle"])
def test_the_other_folders_of_a_saga_are_traces_too(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    assert find_systems_at(Raw(str(tmp_path))) == (System.SAGA,)


def test_a_trace_alone_is_no_system(tmp_path: Path) -> None:
    (tmp_path / "progress.log").touch()
    assert find_systems_at(Raw(str(tmp_path))) == ()
    (tmp_path / "none").mkdir()
    assert find_systems_at(Raw(str(tmp_path / "none"))) == ()
    assert find_systems_at(Raw("elsewhere")) == ()


def test_the_scan_mentions_none_where_its_directory_is_not_here(tmp_path: Path) -> None:
    main = Transcript(S1, cwd=str(tmp_path / "gone"))
    main.human()
    main.write(tmp_path / "projects")
    assert scan_directory(tmp_path / "gone", tmp_path / "projects").written_state == ()


def test_the_answer_does_not_depend_on_when_it_was_asked(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "ready"))
    assert reconcile(tmp_path) == reconcile(tmp_path)
    assert reconcile(tmp_path).generated_at == NOW
