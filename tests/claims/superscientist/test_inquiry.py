"""What shows that a workflow is there, and what is asked about it round by round."""

from pathlib import Path

import pytest

from claims.workflows import circumstances, gather, lay_out, process, put, stage
from resume_forensics.claims.superscientist import SYSTEM
from resume_forensics.model.inquiry import ROOT_NAMES, Answers, FileState, FileText, FolderFact, GitLog, Inquiry, TmuxSessions
from resume_forensics.text import Raw


@pytest.mark.parametrize(
    ("names", "present"),
    [
        (("workflow-state.json",), True),
        (("init.sh", "progress.log"), True),
        (("progress.log", "stage-1"), True),
        (("progress.log",), False),
        (("init.sh", "stage-1"), False),
        ((), False),
    ],
)
def test_a_state_file_or_a_log_beside_its_traces_shows_a_workflow(names: tuple[str, ...], present: bool) -> None:  # noqa: FBT001 (a parameter)
    assert SYSTEM.is_present(Answers({ROOT_NAMES: FolderFact(names=names)})) is present


def test_first_only_the_own_files_are_asked_for(tmp_path: Path) -> None:
    asked = set(SYSTEM.inquire(Answers({}), circumstances(tmp_path)))
    assert FileText(path=Raw("workflow-state.json")) in asked
    assert GitLog(directory=Raw(str(tmp_path)), commits=10) in asked
    assert TmuxSessions() not in asked


def test_then_whatever_these_name(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(2, "running", running_process=process(2), outputs=["a.txt", {"path": "b.txt"}, 3], inputs=["c.txt"]))
    answers = gather(tmp_path)
    wanted: tuple[Inquiry, ...] = (
        *(FileState(path=Raw(name)) for name in ("a.txt", "b.txt", "c.txt", "stage-2/DPDISP_DONE", "stage-2/dpdisp-run.sh")),
        FileText(path=Raw("stage-2/DPDISP_EXIT_CODE"), limit_bytes=4_096),
        FileText(path=Raw("stage-2/err"), limit_bytes=16_384),
    )
    assert [inquiry for inquiry in wanted if inquiry not in answers] == []


def test_tmux_is_not_asked_where_no_process_is_written_down(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1, "running"), stage(2, "running", running_process={}))
    asked = set(SYSTEM.inquire(gather(tmp_path), circumstances(tmp_path)))
    assert TmuxSessions() not in asked


def test_a_bad_state_file_leads_to_no_further_question(tmp_path: Path) -> None:
    put(tmp_path, "workflow-state.json", '{"stages": [{"id": "stage-1", "running_process": {"done_marker": "x"')
    asked = list(SYSTEM.inquire(gather(tmp_path), circumstances(tmp_path)))
    assert len(asked) == 5
