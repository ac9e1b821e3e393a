"""Which conflicts forbid the write of a protocol, and how one is named. In: two sides of a claim. Out: a `Conflict`."""

from typing import Final

from resume_forensics.model.claim import Circumstances, Conflict
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import ConflictKind

BLOCKING: Final = frozenset(
    {
        ConflictKind.DONE_WITHOUT_EXIT_CODE,
        ConflictKind.UNDATABLE_MARKER,
        ConflictKind.STATUS_VS_PROCESS,
        ConflictKind.OUTPUT_MISSING,
        ConflictKind.SESSION_COUNT_MISSING,
        ConflictKind.WRITER_VACANT,
        ConflictKind.TWO_WRITERS,
        ConflictKind.ROTATION_VS_WRITER,
        ConflictKind.BOARD_VS_TASK,
        ConflictKind.CACHE_VS_PR,
        ConflictKind.CARRIED_SCALAR,
        ConflictKind.OBLIGATION_CONFLICT,
        ConflictKind.TWO_STATE_DIRS,
        ConflictKind.DIR_VS_DB,
        ConflictKind.BRANCH_VS_DB,
        ConflictKind.HEAD_VS_DB,
        ConflictKind.PR_VS_DB,
        ConflictKind.WORKER_FILE_VS_DB,
    }
)
"""Contract, section 3: after these nothing is written unless a person accepts the conflict by its id."""

_ACCEPTED: Final = "accepted by the caller"


def find_conflict(
    kind: ConflictKind, claims: tuple[Raw, ...], sides: tuple[Raw, ...], circumstances: Circumstances, *, resolution: Raw | None = None
) -> Conflict[Raw]:
    """Answer a conflict, named by its kind and the first of its claims; one that the caller accepted blocks nothing."""
    name = compose(kind, ":", claims[0])
    accepted = name in circumstances.accepted
    return Conflict(
        id=name,
        kind=kind,
        claims=claims,
        sides=sides,
        resolution=Raw(_ACCEPTED) if accepted and resolution is None else resolution,
        blocks_apply=kind in BLOCKING and not accepted,
    )
