"""Holds that nothing the protocol asks of whoever resumes is lost: each duty stands behind the proposal that it follows."""

import pytest

from claims.teams import ME, agent, board, circumstances, claims_of, reconcile, show, team_of
from resume_forensics.vocabulary import Proposal

RUNNING = "RUNNING (since 03:10, T1-x-0310)"
OTHER = "**Writer.** `a11c-old` since 2026-01-01"
OPEN = {
    "devteam/BOARD.md": board({"T-1": "DONE"}, writer=OTHER),
    "devteam/.run/session/handoff-ready": "session a11c-old\ncheckpoint C-4\n",
}


def duties(team_files: dict[str, str], claim: str, agents: tuple[object, ...] | None = None) -> list[str]:
    """The duties behind a claim."""
    team = team_of("T-1", RUNNING)
    team.files |= team_files
    found = reconcile(team, circumstances(agents=agents))  # type: ignore[arg-type]  # rows of the tests below
    return [show(line) for line in claims_of(found)[claim].proposal.after]


def test_a_successor_asks_takes_the_lock_and_completes_the_pointer_in_this_order() -> None:
    lines = duties(OPEN, "rotation")
    order = [
        "do not take the lock yet",
        '"are you session a11c-old?"',
        "`record defect: the incoming session had to ask <what>`",
        f"write {ME} to devteam/.run/session/manager and on the Writer line",
        f"`board: writer {ME} (rotation from a11c-old, C-4)`",
        f"`writer handoff: a11c-old \N{RIGHTWARDS ARROW} {ME}`",
        "ask it for the sha of its last intended write",
        f"`writer handoff: a11c-old \N{RIGHTWARDS ARROW} {ME}, predecessor's last write <sha>`",
        f"append `completed <iso> by {ME}` to devteam/.run/session/handoff-ready; never delete",
    ]
    assert [wanted for wanted, line in zip(order, lines, strict=True) if wanted not in line] == []


def test_a_successor_whose_predecessor_is_gone_leaves_one_line() -> None:
    assert duties(OPEN, "rotation", agents=(agent("x", "exited"),)) == [
        "one line in devteam/RECORD.md: the handoff was announced, and the predecessor was gone before this session arrived"
    ]


def test_a_finished_rotation_asks_nothing() -> None:
    assert duties(OPEN | {"devteam/.run/session/handoff-ready": "session a11c-old\ncompleted x by y\n"}, "rotation") == []


@pytest.mark.parametrize(("files", "lock"), [({}, False), (OPEN, True)])
def test_after_the_clients_word_come_the_lock_the_lines_and_the_loop(files: dict[str, str], *, lock: bool) -> None:
    lines = duties(files, "writer")
    assert lines[0] == "not before the client's word"
    assert ("take the writer lock" in lines[1]) is lock
    assert "never repaired quietly" in lines[-3]
    assert "a `resumed` line, and a `stale claim` line for each recovery" in lines[-2]
    assert "/devteam:run" in lines[-1]


def test_every_recovery_has_its_line_in_the_record() -> None:
    assert duties({}, "task:T-1") == [
        "once the client has agreed, in devteam/RECORD.md: `stale claim T-1: <what was found>, <what was done>`"
    ]


def test_what_is_only_asked_or_verified_has_none() -> None:
    for status, wanted in (("NEEDS-DECISION (Q-1)", Proposal.ASK_CLIENT), ("DONE (2026-01-02)", Proposal.RUN_VERIFIER)):
        proposal = claims_of(reconcile(team_of("T-1", status, heartbeat=None)))["task:T-1"].proposal
        assert (proposal.name, proposal.after) == (wanted, ())


def test_a_supervisor_that_never_started_waits_for_the_word_too() -> None:
    proposal = claims_of(reconcile(team_of("T-1", "PLANNED")))["task:T-1"].proposal
    assert [show(line) for line in proposal.after] == ["not before the client's word"]
