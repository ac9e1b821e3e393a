"""Holds every row of the contract from the files on: what stands in them and on the machine, which verdict, which proposal."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from claims.teams import LONG_AGO, ME, NOW, Team, agent, board, circumstances, claims_of, commit, reconcile, show, task, team_of
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, Missing, Proposal, Refusal, Verdict

RUNNING = "RUNNING (since 2026-01-02 03:10, T1-x-0310)"
DONE = "DONE (2026-01-02)"
ROOT = "/srv/sb-9"
HEARTBEAT = "devteam/.run/locks/T-1.heartbeat"
QUESTION = "### Q-1 \N{EM DASH} Does T-1 keep it?\n\n- **Raised.** 2025-12-30 by T-1\n- **Status.** open\n"


def running(**changes: object) -> Team:
    """A team whose one task is running, clean and quiet, with some things changed."""
    return change(team_of("T-1", RUNNING), **changes)


def done(**changes: object) -> Team:
    """A team whose one task is done, clean and closed."""
    return change(team_of("T-1", DONE, heartbeat="closed 2026-01-02, verified PASS"), **changes)


def change(team: Team, **changes: object) -> Team:
    """Set the fields of a team; `files` are added to those that are there, and one that is None is taken away."""
    for name, value in changes.items():
        if name == "files":
            assert isinstance(value, dict)
            files: dict[str, str | None] = {**team.files, **value}
            team.files = {path: text for path, text in files.items() if text is not None}
        else:
            setattr(team, name, value)
    return team


def sandbox(line: str = "exited 0 at 2026-01-02T04:00:00", upper: tuple[str, ...] = (), pid: str | None = None) -> dict[str, str]:
    """The lock file of T-1's sandbox, its root, what stands in it."""
    files = {"devteam/.run/locks/T-1.sandbox": f"T-1 S-1 sb-9 {line} root {ROOT}\n", f"{ROOT}/meta/status.txt": ""}
    return files | {f"{ROOT}/upper/{name}": "" for name in upper} | ({} if pid is None else {f"{ROOT}/meta/pid": pid})


BEGUN = "pid - started 2026-01-02T03:12:00 step-timeout -"
CLAIM = commit("bbbb", "board: claim T-1", LONG_AGO)
LATER = commit("cccc", "T-7: tidy imports", LONG_AGO + timedelta(hours=1))

ROWS: list[tuple[Callable[[], Team], Verdict, Proposal, list[str]]] = [
    (lambda: running(files=sandbox(BEGUN, pid="4242 88"), starts={4242: "88"}), Verdict.ALIVE, Proposal.LEAVE_ALONE, []),
    (lambda: running(written={HEARTBEAT: NOW}), Verdict.ALIVE, Proposal.LEAVE_ALONE, []),
    (lambda: running(newest={"src/T-1": NOW}), Verdict.ALIVE, Proposal.LEAVE_ALONE, []),
    (
        lambda: running(newest={"src/T-1": NOW}, dirty=("src/T-1/a.py",), files={"devteam/QUESTIONS.md": QUESTION}),
        Verdict.WAITING_ON_CLIENT,
        Proposal.ASK_CLIENT,
        ["src/T-1/a.py"],
    ),
    (lambda: team_of("T-1", "BLOCKED (on T-2)"), Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT, []),
    (lambda: team_of("T-1", "NEEDS-DECISION (Q-1)"), Verdict.WAITING_ON_CLIENT, Proposal.ASK_CLIENT, []),
    (
        lambda: running(files=sandbox(upper=("src/lru.py",)), dirty=("src/T-1/a.py",)),
        Verdict.STALE_UNPROMOTED,
        Proposal.PROMOTE_FIRST,
        ["src/T-1/a.py", f"{ROOT}/upper/src/lru.py"],
    ),
    (
        lambda: running(files=sandbox(BEGUN, upper=("a",), pid="4242 88"), starts={4242: "99"}),
        Verdict.STALE_UNPROMOTED,
        Proposal.PROMOTE_FIRST,
        [f"{ROOT}/upper/a"],
    ),
    (lambda: running(files=sandbox(BEGUN)), Verdict.UNKNOWN_WORKER, Proposal.ASK_CLIENT, []),
    (lambda: running(dirty=("src/T-1/a.py", "docs/d")), Verdict.STALE_DIRTY, Proposal.REDISPATCH_DIRTY, ["src/T-1/a.py"]),
    (
        lambda: running(files={HEARTBEAT: None}, dirty=("devteam/tasks/T-1.md",)),
        Verdict.DIED_BEFORE_DISPATCH,
        Proposal.REDISPATCH,
        ["devteam/tasks/T-1.md"],
    ),
    (lambda: running(dirty_problem="not a git work tree"), Verdict.UNKNOWN_WORKER, Proposal.ASK_CLIENT, []),
    (
        lambda: running(history=(LATER, CLAIM), touched={"src/T-1": (LATER,)}),
        Verdict.STALE_COMMITTED,
        Proposal.RUN_VERIFIER,
        [],
    ),
    (lambda: running(history=(CLAIM, LATER), touched={"src/T-1": (LATER,)}), Verdict.STALE_CLEAN, Proposal.REDISPATCH, []),
    (lambda: running(dirty=("devteam/tasks/T-1.md",)), Verdict.STALE_CLEAN, Proposal.REDISPATCH, []),
    (lambda: done(dirty=("src/T-1/a.py",)), Verdict.DONE_DIRTY, Proposal.REDISPATCH_DIRTY, ["src/T-1/a.py"]),
    (lambda: done(files={HEARTBEAT: "waiting on S-2 (verifier)"}), Verdict.NOT_RETIRED, Proposal.RUN_VERIFIER, []),
    (done, Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER, []),
    (lambda: done(files={"devteam/RECORD.md": "- verify T-10 PASS\n"}), Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER, []),
    (lambda: done(files={"devteam/RECORD.md": "- verify T-1.S-2 PASS\n"}), Verdict.CONFIRMED, Proposal.NONE, []),
    (lambda: team_of("T-1", "READY-TO-AUDIT", heartbeat=None), Verdict.DONE_UNVERIFIED, Proposal.RUN_VERIFIER, []),
    (lambda: team_of("T-1", "PLANNED"), Verdict.NEVER_STARTED, Proposal.START_SUPERVISOR, []),
    (lambda: team_of("T-1", "RUNING"), Verdict.UNKNOWN_TITLE, Proposal.ASK_CLIENT, []),
    (lambda: running(files={"devteam/tasks/T-1.md": None}), Verdict.UNKNOWN_TITLE, Proposal.ASK_CLIENT, []),
    (lambda: running(missing={"devteam/tasks/T-1.md": Missing.UNREADABLE}), Verdict.UNKNOWN_TITLE, Proposal.ASK_CLIENT, []),
]


@pytest.mark.parametrize(("make", "verdict", "proposal", "destroys"), ROWS)
def test_a_task_is_judged_by_the_first_row_that_fits(
    make: Callable[[], Team], verdict: Verdict, proposal: Proposal, destroys: list[str]
) -> None:
    claim = claims_of(reconcile(make()))["task:T-1"]
    assert (claim.verdict, claim.proposal.name) == (verdict, proposal)
    assert [show(path) for path in claim.proposal.destroys] == destroys
    assert len(claim.proposal.reason) > 0


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        (None, Verdict.STALE_CLEAN),
        ((), Verdict.STALE_CLEAN),
        ((agent("T1-x-0310"),), Verdict.ALIVE),
        ((agent("T1-x-0310", "exited"),), Verdict.STALE_CLEAN),
        ((agent("T10-x-0310"),), Verdict.STALE_CLEAN),
    ],
)
def test_a_listed_agent_is_life_unless_it_exited(listed: tuple[object, ...] | None, verdict: Verdict) -> None:
    found = reconcile(running(), circumstances(agents=listed))  # type: ignore[arg-type]  # rows of the table above
    assert claims_of(found)["task:T-1"].verdict is verdict


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("PLANNED", "\N{EM DASH}"),
        ("PLANNED", "BLOCKED on T-2"),
        ("ACCEPTED (2026-01-01, D-1)", "ACCEPTED (2026-01-01, D-1)"),
        ("ACCEPTED (2026-01-01, D-1)", "CLAIMED T1-x-0310"),
    ],
)
def test_what_nobody_claims_is_no_claim(status: str, state: str) -> None:
    team = team_of("T-1", status, state)
    team.files["devteam/QUESTIONS.md"], team.dirty, team.newest = QUESTION, ("src/T-1/a.py",), {"src/T-1": NOW}
    assert set(claims_of(reconcile(team))) == {"writer"}


def test_a_row_of_the_board_without_a_file_is_a_claim_only_where_it_says_so() -> None:
    files = {"devteam/BOARD.md": board({"T-1": "\N{EM DASH}", "T-2": "ACCEPTED (2026-01-01, D-1)", "T-3": "DONE", "T-4": "LOST"})}
    assert set(claims_of(reconcile(Team(files=files)))) == {"writer", "task:T-3", "task:T-4"}


def test_the_status_that_is_claimed_is_one_word() -> None:
    assert show(claims_of(reconcile(running()))["task:T-1"].claimed_status) == "RUNNING"
    assert show(claims_of(reconcile(team_of("T-1", "RUNING fast")))["task:T-1"].claimed_status) == "RUNING fast"


SANDBOXES: list[tuple[dict[str, str], dict[int, str], Verdict, Proposal, list[str]]] = [
    (sandbox(BEGUN, ("a",), "4242 88"), {4242: "88"}, Verdict.SANDBOX_ALIVE, Proposal.LEAVE_ALONE, [f"{ROOT}/upper/a"]),
    (sandbox(BEGUN, (), "4242 88"), {4242: "99"}, Verdict.SANDBOX_DEAD, Proposal.NONE, []),
    (sandbox(BEGUN, (), "4242 88"), {}, Verdict.SANDBOX_DEAD, Proposal.NONE, []),
    (
        sandbox(BEGUN, ("b/c", "a"), "4242 88"),
        {},
        Verdict.SANDBOX_UNPROMOTED,
        Proposal.PROMOTE_FIRST,
        [f"{ROOT}/upper/a", f"{ROOT}/upper/b/c"],
    ),
    (sandbox(), {}, Verdict.SANDBOX_EXITED, Proposal.NONE, []),
    (sandbox(upper=("a",)), {}, Verdict.SANDBOX_UNPROMOTED, Proposal.PROMOTE_FIRST, [f"{ROOT}/upper/a"]),
    (sandbox(BEGUN, ("a",)), {}, Verdict.SANDBOX_UNKNOWN, Proposal.ASK_CLIENT, [f"{ROOT}/upper/a"]),
    ({"devteam/.run/locks/T-1.sandbox": f"T-1 S-1 sb-9 {BEGUN} root {ROOT}\n"}, {}, Verdict.SANDBOX_GONE, Proposal.ASK_CLIENT, []),
]


@pytest.mark.parametrize(("files", "starts", "verdict", "proposal", "destroys"), SANDBOXES)
def test_a_sandbox_is_judged_by_its_process_its_end_and_what_it_holds(
    files: dict[str, str], starts: dict[int, str], verdict: Verdict, proposal: Proposal, destroys: list[str]
) -> None:
    claim = claims_of(reconcile(running(files=files, starts=starts)))["sandbox:sb-9"]
    assert (claim.verdict, claim.proposal.name) == (verdict, proposal)
    assert [show(path) for path in claim.proposal.destroys] == destroys
    assert (claim.proposal.command is not None) is (proposal is Proposal.PROMOTE_FIRST)


OTHER = "**Writer.** `a11c-old` since 2026-01-01"
VACANT = "**Writer.** `` since 2026-01-01"


@pytest.mark.parametrize(
    ("line", "manager", "session", "verdict", "proposal", "conflicts"),
    [
        (None, ME, ME, Verdict.WRITER_MINE, Proposal.NONE, []),
        (None, None, ME, Verdict.WRITER_MINE, Proposal.NONE, []),
        (OTHER, "a11c-old", ME, Verdict.WRITER_OTHER, Proposal.ASK_CLIENT, []),
        (OTHER, ME, ME, Verdict.WRITER_OTHER, Proposal.ASK_CLIENT, [ConflictKind.TWO_WRITERS]),
        (None, "a11c-old", ME, Verdict.WRITER_MINE, Proposal.NONE, [ConflictKind.TWO_WRITERS]),
        (OTHER, "b22d", None, Verdict.WRITER_UNKNOWN, Proposal.ASK_CLIENT, [ConflictKind.TWO_WRITERS]),
        (OTHER, "a11c-old", None, Verdict.WRITER_UNKNOWN, Proposal.ASK_CLIENT, []),
        (VACANT, ME, ME, Verdict.WRITER_VACANT, Proposal.ASK_CLIENT, [ConflictKind.WRITER_VACANT]),
        (VACANT, None, None, Verdict.WRITER_VACANT, Proposal.ASK_CLIENT, [ConflictKind.WRITER_VACANT]),
        ("", None, ME, Verdict.WRITER_VACANT, Proposal.ASK_CLIENT, [ConflictKind.WRITER_VACANT]),
    ],
)
def test_the_writer_line_is_mine_anothers_or_nobodys(  # noqa: PLR0913 (the columns of the table)
    *, line: str | None, manager: str | None, session: str | None, verdict: Verdict, proposal: Proposal, conflicts: list[ConflictKind]
) -> None:
    text = board({"T-1": "CLAIMED T1-x-0310"}) if line is None else board({"T-1": "CLAIMED T1-x-0310"}, writer=line)
    found = reconcile(running(files={"devteam/BOARD.md": text, "devteam/.run/session/manager": manager}), circumstances(session=session))
    claim = claims_of(found)["writer"]
    assert (claim.verdict, claim.proposal.name) == (verdict, proposal)
    assert [conflict.kind for conflict in found.conflicts] == conflicts
    assert all(conflict.blocks_apply and len(conflict.sides) == 2 for conflict in found.conflicts)


OLD = "session a11c-old\ncheckpoint C-4\n"
MINE = f"session {ME}\ncheckpoint C-4\n"
COMPLETED = "completed 2026-01-02T08:00:00Z by b22d\n"


@pytest.mark.parametrize(
    ("pointer", "line", "session", "listed", "verdict", "proposal", "following"),
    [
        (MINE, None, ME, None, Verdict.ROTATION_WAITING, Proposal.KEEP_WORKING, Proposal.KEEP_WORKING),
        (MINE, VACANT, ME, None, Verdict.ROTATION_WAITING, Proposal.KEEP_WORKING, Proposal.KEEP_WORKING),
        (MINE, OTHER, ME, None, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING, Proposal.STOP_WRITING),
        (MINE + COMPLETED, OTHER, ME, None, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING, Proposal.STOP_WRITING),
        (MINE + COMPLETED, VACANT, ME, None, Verdict.ROTATION_REPLACED, Proposal.STOP_WRITING, Proposal.STOP_WRITING),
        (MINE + COMPLETED, None, ME, None, Verdict.ROTATION_CLOSED, Proposal.NONE, Proposal.REPORT_AND_WAIT),
        (OLD, OTHER, ME, None, Verdict.ROTATION_SUCCESSOR, Proposal.ASK_PREDECESSOR, Proposal.ASK_PREDECESSOR),
        (OLD, OTHER, ME, (agent("busy"),), Verdict.ROTATION_SUCCESSOR, Proposal.ASK_PREDECESSOR, Proposal.ASK_PREDECESSOR),
        (OLD, OTHER, ME, (), Verdict.ROTATION_SUCCESSOR, Proposal.NONE, Proposal.REPORT_AND_WAIT),
        (OLD, OTHER, ME, (agent("busy", "exited"),), Verdict.ROTATION_SUCCESSOR, Proposal.NONE, Proposal.REPORT_AND_WAIT),
        (OLD + COMPLETED, None, ME, None, Verdict.ROTATION_COMPLETED, Proposal.NONE, Proposal.REPORT_AND_WAIT),
        (OLD, OTHER, None, None, Verdict.ROTATION_UNKNOWN, Proposal.NONE, Proposal.REPORT_AND_WAIT),
        ("", None, ME, None, Verdict.ROTATION_UNKNOWN, Proposal.NONE, Proposal.REPORT_AND_WAIT),
    ],
)
def test_a_rotation_says_who_may_write_and_what_comes_first(  # noqa: PLR0913 (the columns of the table)
    *,
    pointer: str,
    line: str | None,
    session: str | None,
    listed: tuple[object, ...] | None,
    verdict: Verdict,
    proposal: Proposal,
    following: Proposal,
) -> None:
    text = board({"T-1": "CLAIMED T1-x-0310"}) if line is None else board({"T-1": "CLAIMED T1-x-0310"}, writer=line)
    team = running(files={"devteam/BOARD.md": text, "devteam/.run/session/handoff-ready": pointer})
    found = reconcile(team, circumstances(session=session, agents=listed))  # type: ignore[arg-type]  # rows of the table above
    claim = claims_of(found)["rotation"]
    assert (claim.verdict, claim.proposal.name, found.next_action.name) == (verdict, proposal, following)
    kinds = {conflict.kind for conflict in found.conflicts}
    assert (ConflictKind.ROTATION_VS_WRITER in kinds) is (verdict is Verdict.ROTATION_REPLACED)


def test_a_successor_reports_after_it_has_asked() -> None:
    files = {"devteam/BOARD.md": board({"T-1": "DONE"}, writer=OTHER), "devteam/.run/session/handoff-ready": OLD}
    action = reconcile(running(files=files)).next_action
    assert (show(action.target), len(action.before)) == ("a11c-old", 4)
    assert action.then is not None
    assert action.then.name is Proposal.REPORT_AND_WAIT


def test_the_four_checks_come_before_the_report_and_the_last_names_each_claimed_task() -> None:
    team = running(files={"devteam/tasks/T-2.md": task("T-2", DONE), "devteam/tasks/T-3.md": task("T-3", "PLANNED")})
    action = reconcile(team).next_action
    assert action.name is Proposal.REPORT_AND_WAIT
    assert [show(command) for command in action.before] == [
        'python3 "${CLAUDE_PLUGIN_ROOT}/scripts/check_trace.py" .',
        'python3 "${CLAUDE_PLUGIN_ROOT}/scripts/check_refs.py" .',
        'python3 "${CLAUDE_PLUGIN_ROOT}/scripts/check_scope.py" .',
        'python3 "${CLAUDE_PLUGIN_ROOT}/scripts/check_report.py" . T-1 T-2',
    ]


@pytest.mark.parametrize(
    ("state", "status", "conflict"),
    [
        ("DONE", RUNNING, True),
        ("ACCEPTED (2026-01-01, D-1)", RUNNING, True),
        ("\N{EM DASH}", RUNNING, True),
        ("\N{EM DASH}", DONE, True),
        ("\N{EM DASH}", "READY-TO-AUDIT", True),
        ("CLAIMED T1-x-0310", DONE, False),
        ("CLAIMED T1-x-0310", RUNNING, False),
        ("\N{EM DASH}", "PLANNED", False),
        ("DONE", "READY-TO-AUDIT", False),
        ("BLOCKED on T-2", RUNNING, False),
    ],
)
def test_board_and_title_that_cannot_both_be_right_are_said_and_never_repaired(state: str, status: str, *, conflict: bool) -> None:
    found = reconcile(team_of("T-1", status, state))
    assert [(show(one.id), one.blocks_apply, one.resolution) for one in found.conflicts] == (
        [("board-vs-task:task:T-1", True, None)] if conflict else []
    )


@pytest.mark.parametrize("text", [None, "", "torn"])
def test_without_a_board_it_alerts_and_claims_nothing_else(text: str | None) -> None:
    found = reconcile(running(files={"devteam/BOARD.md": text}))
    (claim,) = found.claims
    assert (show(claim.id), claim.verdict, claim.proposal.name) == ("state-file", Verdict.STATE_MISSING, Proposal.STOP_AND_REPORT)
    assert found.next_action.name is Proposal.STOP_AND_REPORT
    assert 1 <= len(found.report_lines) <= 19
    assert found.refusals == (Refusal.GATE_NO_WRITE,)


def test_it_is_a_gate_whatever_it_finds() -> None:
    for make, *_ in ROWS:
        found = reconcile(make())
        assert (found.writes_planned, found.refusals) == ((), (Refusal.GATE_NO_WRITE,))


def test_the_reading_half_stands_in_the_context() -> None:
    record = {"devteam/RECORD.md": "## 2026-01-01\n- opened\n"}
    team = running(files=record, written={HEARTBEAT: NOW - timedelta(hours=5)}, newest={"src/T-1": NOW - timedelta(hours=7)})
    team.dirty, team.history, team.touched = ("docs/d.md",), (LATER, CLAIM), {"src/T-1": (LATER,)}
    context = reconcile(team).context
    assert [show(line) for line in context.lines] == ["2026-01-01: - opened"]
    assert [show(line) for line in context.commits] == ["ccccccccc T-7: tidy imports", "bbbbbbbbb board: claim T-1"]
    assert [(show(fact.name), fact.value) for fact in context.facts] == [("task:T-1 last_moved_s", 5 * 3_600)]
    assert [show(path) for path in context.files] == ["docs/d.md"]


def test_a_task_that_never_moved_has_no_age() -> None:
    team = running(files={HEARTBEAT: None})
    assert [fact.value for fact in reconcile(team).context.facts] == [None]


def test_what_was_seen_stays_in_the_evidence() -> None:
    team = running(files=sandbox(upper=("a",)), dirty=("src/T-1/a.py",), history=(LATER, CLAIM), touched={"src/T-1": (LATER,)})
    team.files["devteam/QUESTIONS.md"] = QUESTION
    kinds = {one.kind for one in claims_of(reconcile(team))["task:T-1"].evidence}
    wanted = {EvidenceKind.FILE, EvidenceKind.SANDBOX, EvidenceKind.AGENTS, EvidenceKind.HEARTBEAT, EvidenceKind.GIT, EvidenceKind.QUESTION}
    assert kinds >= wanted


def test_two_reads_give_the_same_answer() -> None:
    assert reconcile(running(files=sandbox(upper=("b", "a")))) == reconcile(running(files=sandbox(upper=("a", "b"))))
