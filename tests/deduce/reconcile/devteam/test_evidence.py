"""Holds what is shown of a task and a sandbox, and which way it points."""

from datetime import timedelta

import pytest

from claims.teams import LONG_AGO, NOW, agent, circumstances, claims_of, commit, reconcile, show, task, team_of
from resume_forensics.deduce.reconcile.devteam.evidence import list_sandbox_evidence
from resume_forensics.limits import LIMITS
from resume_forensics.model.board import Sandbox
from resume_forensics.model.claim import Claim
from resume_forensics.text import Raw
from resume_forensics.vocabulary import EvidenceKind, SandboxProcess, Says

RUNNING = "RUNNING (since 03:10, T1-x-0310)"
HEARTBEAT = "devteam/.run/locks/T-1.heartbeat"


def told(claim: Claim[Raw], kind: EvidenceKind) -> list[tuple[str, str, Says]]:
    """The evidence of one kind."""
    return [(show(one.what), show(one.value), one.says) for one in claim.evidence if one.kind is kind]


def test_the_words_of_title_board_and_report_are_quoted() -> None:
    team = team_of("T-1", RUNNING)
    team.files["devteam/tasks/T-1.md"] += "## Execution record\n\nREPORT supervisor T-1\nstatus: RED\n"
    claim = claims_of(reconcile(team))["task:T-1"]
    assert told(claim, EvidenceKind.FILE) == [
        ("devteam/tasks/T-1.md", RUNNING, Says.FOR),
        ("devteam/BOARD.md", "state CLAIMED T1-x-0310", Says.FOR),
    ]
    assert told(claim, EvidenceKind.LOG) == [("the last report of T-1", "status: RED", Says.UNKNOWN)]


@pytest.mark.parametrize(
    ("status", "line", "hours", "says"),
    [
        (RUNNING, "waiting on S-1", 0, Says.FOR),
        (RUNNING, "waiting on S-1", 6, Says.UNKNOWN),
        (RUNNING, "closed 2026-01-02, verified PASS", 0, Says.AGAINST),
        ("DONE (2026-01-02)", "waiting on S-1", 6, Says.AGAINST),
        ("DONE (2026-01-02)", "closed 2026-01-02, verified PASS", 6, Says.FOR),
    ],
)
def test_a_heartbeat_points_as_its_title_wants_it(status: str, line: str, hours: int, says: Says) -> None:
    team = team_of("T-1", status, heartbeat=line)
    team.written[HEARTBEAT] = NOW - timedelta(hours=hours)
    ago = "6 hours" if hours else "less than a minute"
    assert told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.HEARTBEAT) == [("T-1.heartbeat", f"{line}, {ago} ago", says)]


def test_a_heartbeat_that_was_never_written_proves_nothing() -> None:
    claim = claims_of(reconcile(team_of("T-1", RUNNING, heartbeat=None)))["task:T-1"]
    assert told(claim, EvidenceKind.HEARTBEAT) == [("T-1.heartbeat", "none was ever written", Says.UNKNOWN)]


def test_a_sandbox_that_cannot_be_found_is_said() -> None:
    team = team_of("T-1", RUNNING, heartbeat="waiting on S-1 (implementer, dispatched 03:12, sandbox sb-9)")
    team.files["devteam/.run/locks/T-1.sandbox"] = "torn"
    assert told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.SANDBOX) == [
        ("T-1.sandbox", "it does not say which sandbox it means", Says.UNKNOWN),
        ("sandbox sb-9", "its heartbeat names it, and nothing says where it is", Says.UNKNOWN),
    ]


def test_agents_are_shown_as_far_as_somebody_listed_them() -> None:
    team = team_of("T-1", RUNNING)
    unknown, none, alive = (reconcile(team, circumstances(agents=listed)) for listed in (None, (), (agent("T1-x-0310"),)))
    assert told(claims_of(unknown)["task:T-1"], EvidenceKind.AGENTS)[0][2] is Says.UNKNOWN
    assert told(claims_of(none)["task:T-1"], EvidenceKind.AGENTS)[0][2] is Says.AGAINST
    assert told(claims_of(alive)["task:T-1"], EvidenceKind.AGENTS) == [("T1-x-0310", "listed and not exited", Says.FOR)]


def test_a_write_is_shown_with_its_age() -> None:
    team = team_of("T-1", RUNNING)
    team.newest = {"src/T-1": LONG_AGO}
    assert told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.MTIME) == [("src/T-1/code.py", "written, 6 hours ago", Says.UNKNOWN)]


def test_uncommitted_paths_are_shown_one_by_one_and_then_counted() -> None:
    team = team_of("T-1", "DONE (2026-01-02)")
    team.dirty = tuple(f"src/T-1/{number:03}.py" for number in range(30))
    shown = told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.GIT)
    assert shown[0] == ("src/T-1/000.py", "uncommitted", Says.AGAINST)
    assert shown[-1] == ("uncommitted", "+10 more", Says.AGAINST)
    assert len(shown) == LIMITS.evidence_listed + 1


def test_a_clean_scope_names_its_paths() -> None:
    team = team_of("T-1", "DONE (2026-01-02)")
    team.files["devteam/tasks/T-1.md"] = task("T-1", "DONE", scope="src/a/\n  src/b.py")
    assert told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.GIT) == [("src/a, src/b.py", "nothing is uncommitted", Says.FOR)]


def test_commits_are_quoted_with_whose_subject_they_bear() -> None:
    claimed = commit("bbbb", "board: claim T-1")
    own, other = commit("cccc", "T-1: parse"), commit("dddd", "T-7: tidy")
    team = team_of("T-1", RUNNING)
    team.history, team.touched = (other, own, claimed), {"src/T-1": (other, own)}
    shown = told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.GIT)
    assert shown[-3:] == [
        ("the commit that claims it", "bbbbbbbbb board: claim T-1", Says.FOR),
        ("committed in its scope since it was claimed, under another subject", "ddddddddd T-7: tidy", Says.UNKNOWN),
        ("committed in its scope since it was claimed, under its own subject", "ccccccccc T-1: parse", Says.UNKNOWN),
    ]


def test_a_claim_that_is_not_found_is_said() -> None:
    shown = told(claims_of(reconcile(team_of("T-1", RUNNING)))["task:T-1"], EvidenceKind.GIT)
    assert shown[-1] == ("the commit that claims it", "not found, so no commit can be said to be later", Says.UNKNOWN)


def test_git_that_gave_no_answer_says_why() -> None:
    team = team_of("T-1", RUNNING)
    team.dirty_problem = "git is not installed"
    assert [value for _, value, _ in told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.GIT)] == ["git is not installed"]


def test_a_verdict_of_the_record_is_quoted_or_missed() -> None:
    team = team_of("T-1", "DONE (2026-01-02)", heartbeat=None)
    assert told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.LOG)[0][2] is Says.AGAINST
    team.files["devteam/RECORD.md"] = "- verify T-1 PASS (all green)\n"
    shown = told(claims_of(reconcile(team))["task:T-1"], EvidenceKind.LOG)
    assert shown == [("devteam/RECORD.md", "- verify T-1 PASS (all green)", Says.FOR)]


def make(process: SandboxProcess, *, code: str | None = None, upper: tuple[str, ...] | None = (), there: bool | None = True) -> Sandbox:
    """A sandbox."""
    held = None if upper is None else tuple(map(Raw, upper))
    exited = None if code is None else Raw(code)
    return Sandbox(id=Raw("s"), task=Raw("T-1"), root=Raw("/srv/s"), there=there, process=process, pid=Raw("7 8"), exit=exited, upper=held)


@pytest.mark.parametrize(
    ("process", "says"),
    [
        (SandboxProcess.ALIVE, Says.FOR),
        (SandboxProcess.GONE, Says.AGAINST),
        (SandboxProcess.RECYCLED, Says.AGAINST),
        (SandboxProcess.UNKNOWN, Says.UNKNOWN),
        (SandboxProcess.NOT_NAMED, Says.UNKNOWN),
    ],
)
def test_a_process_speaks_for_its_sandbox_or_against_it(process: SandboxProcess, says: Says) -> None:
    shown = list_sandbox_evidence(make(process))
    assert [(show(one.value), one.says) for one in shown if one.kind is EvidenceKind.PID] == [(f"{process}: 7 8", says)]


@pytest.mark.parametrize(("there", "says"), [(True, Says.FOR), (False, Says.AGAINST), (None, Says.UNKNOWN)])
def test_a_root_is_there_or_not_or_not_known(*, there: bool | None, says: Says) -> None:
    shown = list_sandbox_evidence(make(SandboxProcess.GONE, there=there))
    assert [one.says for one in shown if one.kind is EvidenceKind.DIRECTORY] == [says]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("0", "exited 0"),
        ("124", "exited 124 (it ran out of time)"),
        ("125", "exited 125 (no worker ran)"),
        ("126", "exited 126 (its output was not captured)"),
    ],
)
def test_an_exit_code_with_a_meaning_of_its_own_is_explained(code: str, words: str) -> None:
    shown = list_sandbox_evidence(make(SandboxProcess.NOT_NAMED, code=code))
    assert [show(one.value) for one in shown if one.kind is EvidenceKind.EXIT_CODE] == [words]


def test_what_a_sandbox_holds_is_listed_counted_or_not_known() -> None:
    many = list_sandbox_evidence(make(SandboxProcess.GONE, upper=tuple(map(str, range(25)))))
    assert [show(one.value) for one in many if one.kind is EvidenceKind.SANDBOX][-2:] == ["19", "+5 more"]
    unknown = list_sandbox_evidence(make(SandboxProcess.GONE, upper=None))
    assert [one.says for one in unknown if one.kind is EvidenceKind.SANDBOX] == [Says.UNKNOWN]
