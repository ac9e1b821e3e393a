"""The decision tables of a devteam: signs go in, the first row that fits comes out.

The rows are those of the contract, in its order; `source` says where each was settled. Those of tasks stand in `task_rows`.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from resume_forensics.vocabulary import Proposal, TeamSign, Verdict

SEED: Final = "seed"
ORIGIN: Final = "origin"
OURS: Final = "ours"


class Condition(Struct, frozen=True, kw_only=True):
    """It fits where of every group of `seen` one sign is there, and none of `unseen`. `reason` says why it is asked."""

    seen: tuple[frozenset[TeamSign], ...] = ()
    unseen: frozenset[TeamSign] = frozenset()
    reason: str
    source: str

    def fits(self, signs: frozenset[TeamSign]) -> bool:
        """Whether it is about these signs."""
        return all(group & signs for group in self.seen) and not self.unseen & signs


class Row(Condition, frozen=True, kw_only=True):
    """One row of a decision table: what is claimed wrongly or rightly, and what to do, where its condition fits."""

    verdict: Verdict
    proposal: Proposal = Proposal.NONE


def first_fit(rows: Iterable[Row], signs: frozenset[TeamSign]) -> Row:
    """The first row that fits. The last row of every table fits all that its table is about."""
    return next(row for row in rows if row.fits(signs))


def any_of(*signs: TeamSign) -> frozenset[TeamSign]:
    """A group of signs, of which a row wants one."""
    return frozenset(signs)


_S = TeamSign

SANDBOX_ROWS: Final = (
    Row(
        seen=(any_of(_S.ROOT_GONE),),
        verdict=Verdict.SANDBOX_GONE,
        proposal=Proposal.ASK_CLIENT,
        reason="its root is not there: what it held cannot be known",
        source=OURS,
    ),
    Row(
        seen=(any_of(_S.PROCESS_ALIVE),),
        verdict=Verdict.SANDBOX_ALIVE,
        proposal=Proposal.LEAVE_ALONE,
        reason="its worker still writes there",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.EXITED, _S.PROCESS_DEAD), any_of(_S.UPPER_HOLDS)),
        verdict=Verdict.SANDBOX_UNPROMOTED,
        proposal=Proposal.PROMOTE_FIRST,
        reason="its worker is gone, and what it wrote stands nowhere else: inspect and promote it, never discard it",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.EXITED, _S.PROCESS_DEAD), any_of(_S.UPPER_UNKNOWN)),
        verdict=Verdict.SANDBOX_UNKNOWN,
        proposal=Proposal.ASK_CLIENT,
        reason="its worker is gone, and what it wrote cannot be listed",
        source=OURS,
    ),
    Row(
        seen=(any_of(_S.EXITED),),
        verdict=Verdict.SANDBOX_EXITED,
        reason="its worker ended and left nothing behind",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.PROCESS_DEAD),),
        verdict=Verdict.SANDBOX_DEAD,
        reason="its worker is gone and left nothing behind",
        source=SEED,
    ),
    Row(
        verdict=Verdict.SANDBOX_UNKNOWN,
        proposal=Proposal.ASK_CLIENT,
        reason="neither a process nor an exit is known of it, which is no sign of death",
        source=OURS,
    ),
)

WRITER_ROWS: Final = (
    Row(
        seen=(any_of(_S.LINE_VACANT),),
        verdict=Verdict.WRITER_VACANT,
        proposal=Proposal.ASK_CLIENT,
        reason="the Writer line names nobody: it is nobody's, and not there to be taken",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.SELF_UNKNOWN),),
        verdict=Verdict.WRITER_UNKNOWN,
        proposal=Proposal.ASK_CLIENT,
        reason="the id of this session is not known, so it cannot be told whose the Writer line is",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.LINE_MINE),),
        verdict=Verdict.WRITER_MINE,
        reason="the Writer line names this session",
        source=SEED,
    ),
    Row(
        verdict=Verdict.WRITER_OTHER,
        proposal=Proposal.ASK_CLIENT,
        reason="the Writer line names another session: it is not taken from one that is not known to be gone",
        source=SEED,
    ),
)

ROTATION_ROWS: Final = (
    Row(
        seen=(any_of(_S.SELF_UNKNOWN),),
        verdict=Verdict.ROTATION_UNKNOWN,
        reason="the id of this session is not known, so it cannot be told who rotated out",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.NAMES_NOBODY),),
        verdict=Verdict.ROTATION_UNKNOWN,
        reason="the pointer names no session",
        source=OURS,
    ),
    Row(
        seen=(any_of(_S.NAMES_ME), any_of(_S.LINE_MINE, _S.LINE_VACANT)),
        unseen=any_of(_S.COMPLETED),
        verdict=Verdict.ROTATION_WAITING,
        proposal=Proposal.KEEP_WORKING,
        reason="this session wrote the pointer, and its successor has not arrived",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.NAMES_ME), any_of(_S.LINE_MINE), any_of(_S.COMPLETED)),
        verdict=Verdict.ROTATION_CLOSED,
        reason="the rotation that this session began was completed, and the Writer line names it again",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.NAMES_ME),),
        verdict=Verdict.ROTATION_REPLACED,
        proposal=Proposal.STOP_WRITING,
        reason="this session rotated out and was replaced: it must not take the lock back",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.PREDECESSOR_GONE),),
        unseen=any_of(_S.COMPLETED),
        verdict=Verdict.ROTATION_SUCCESSOR,
        reason="this session is the successor, and no listed agent is alive: reconstruct from the files",
        source=SEED,
    ),
    Row(
        unseen=any_of(_S.COMPLETED),
        verdict=Verdict.ROTATION_SUCCESSOR,
        proposal=Proposal.ASK_PREDECESSOR,
        reason="this session is the successor, and its predecessor may still be there to be asked",
        source=SEED,
    ),
    Row(
        verdict=Verdict.ROTATION_COMPLETED,
        reason="the rotation is over; its pointer stays until the next one",
        source=SEED,
    ),
)
