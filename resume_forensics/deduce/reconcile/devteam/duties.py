"""What the protocol of a devteam asks of whoever follows a proposal, once it is followed. Verdicts go in, sentences come out."""

from typing import Final

from resume_forensics.deduce.reconcile.devteam.rows import Row
from resume_forensics.model.board import Rotation, Task
from resume_forensics.model.claim import Circumstances
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Proposal, Verdict

_RECOVERIES: Final = frozenset({Proposal.REDISPATCH, Proposal.REDISPATCH_DIRTY, Proposal.PROMOTE_FIRST, Proposal.START_SUPERVISOR})
_RESUMED: Final = (
    "not before the client's word",
    "what board and task files disagree about is never repaired quietly: say it, fix it on purpose, and record that you did",
    "then, in devteam/RECORD.md: a `resumed` line, and a `stale claim` line for each recovery",
    "then run /devteam:run, whose own start reconciles once more",
)
_TAKE_LOCK: Final = (
    "on the client's word take the writer lock: the id of this session in devteam/.run/session/manager and on the Writer line"
)
_ASKING: Final = (
    "read the record and the tree first; do not take the lock yet",
    "ask only what the files could not tell; in devteam/RECORD.md log each: `record defect: the incoming session had to ask <what>`",
)


def list_duties(task: Task, proposal: Proposal) -> tuple[Raw, ...]:
    """What follows a proposal about a task."""
    if proposal not in _RECOVERIES:
        return ()
    line = compose("once the client has agreed, in devteam/RECORD.md: `stale claim ", task.id, ": <what was found>, <what was done>`")
    return (line,) if proposal is not Proposal.START_SUPERVISOR else (Raw("not before the client's word"),)


def list_writer_duties(verdict: Verdict) -> tuple[Raw, ...]:
    """What follows the report, once the client has spoken."""
    lock = () if verdict is Verdict.WRITER_MINE else (_TAKE_LOCK,)
    return tuple(map(Raw, (_RESUMED[0], *lock, *_RESUMED[1:])))


def list_rotation_duties(rotation: Rotation, row: Row, circumstances: Circumstances) -> tuple[Raw, ...]:
    """What a successor owes its predecessor and the record, in the order of the protocol."""
    if row.verdict is not Verdict.ROTATION_SUCCESSOR:
        return ()
    if row.proposal is Proposal.NONE:
        return (Raw("one line in devteam/RECORD.md: the handoff was announced, and the predecessor was gone before this session arrived"),)
    old, new = rotation.session or Raw("<old id>"), circumstances.session_id or Raw("<new id>")
    point = rotation.checkpoint or Raw("C-n")
    handoff: tuple[str | Raw, ...] = ("writer handoff: ", old, " \N{RIGHTWARDS ARROW} ", new)
    return (
        Raw(_ASKING[0]),
        compose('with the first questions ask "are you session ', old, '?": the list of agents and the pointer share no id; keep it open'),
        Raw(_ASKING[1]),
        compose("take the lock: write ", new, " to devteam/.run/session/manager and on the Writer line of devteam/BOARD.md"),
        compose("commit it as `board: writer ", new, " (rotation from ", old, ", ", point, ")`"),
        compose("in devteam/RECORD.md: `", *handoff, "`"),
        compose("tell the predecessor to finish nothing further, and ask it for the sha of its last intended write"),
        compose("in devteam/RECORD.md: `", *handoff, ", predecessor's last write <sha>`"),
        compose("append `completed <iso> by ", new, "` to devteam/.run/session/handoff-ready; never delete that file"),
    )
