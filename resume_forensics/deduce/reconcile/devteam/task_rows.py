"""The decision table of a devteam task, in the order of the contract: the first row that fits decides."""

from typing import Final

from resume_forensics.deduce.reconcile.devteam.rows import ORIGIN, OURS, SEED, Condition, Row, any_of
from resume_forensics.vocabulary import Proposal, TeamSign, Verdict

_S = TeamSign
_GOING: Final = any_of(_S.RUNNING, _S.PLANNED)
_RUNNING: Final = any_of(_S.RUNNING)
_ENDED: Final = any_of(_S.DONE, _S.READY_TO_AUDIT)
_STRONG: Final = any_of(_S.PROCESS_ALIVE, _S.AGENT_ALIVE)
_WEAK: Final = any_of(_S.HEARTBEAT_RECENT, _S.WRITE_RECENT)
_READ_FIRST: Final = "its uncommitted change is work, not debris: read it before anything else, never stash or discard it"

NO_CLAIM: Final = (
    Condition(
        seen=(any_of(_S.ACCEPTED),),
        reason="it is accepted: nothing more is claimed",
        source=ORIGIN,
    ),
    Condition(
        seen=(any_of(_S.NO_FILE),),
        unseen=any_of(_S.ON_BOARD),
        reason="the board does not claim it, and it has no file yet",
        source=OURS,
    ),
    Condition(
        seen=(any_of(_S.PLANNED),),
        unseen=any_of(_S.CLAIMED) | _STRONG,
        reason="it is planned and nobody claimed it",
        source=SEED,
    ),
)
"""A task that fits one of these makes no claim."""

TASK_ROWS: Final = (
    Row(
        seen=(any_of(_S.NO_TITLE),),
        verdict=Verdict.UNKNOWN_TITLE,
        proposal=Proposal.ASK_CLIENT,
        reason="its title cannot be read, so nobody says how far it came",
        source=OURS,
    ),
    Row(
        seen=(_GOING, _STRONG),
        verdict=Verdict.ALIVE,
        proposal=Proposal.LEAVE_ALONE,
        reason="a worker or an agent of it is alive: whoever starts it again makes a second writer",
        source=SEED,
    ),
    Row(
        seen=(_GOING, _WEAK),
        unseen=any_of(_S.QUESTION_OPEN),
        verdict=Verdict.ALIVE,
        proposal=Proposal.LEAVE_ALONE,
        reason="something under it was written a moment ago, and no open question explains a pause",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.RUNNING, _S.PLANNED, _S.BLOCKED, _S.NEEDS_DECISION), any_of(_S.QUESTION_OPEN)),
        verdict=Verdict.WAITING_ON_CLIENT,
        proposal=Proposal.ASK_CLIENT,
        reason="an open question names it: it stopped for an answer, whatever else looks live",
        source=ORIGIN,
    ),
    Row(
        seen=(any_of(_S.BLOCKED, _S.NEEDS_DECISION),),
        verdict=Verdict.WAITING_ON_CLIENT,
        proposal=Proposal.ASK_CLIENT,
        reason="its title says that it waits",
        source=ORIGIN,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.UPPER_KEPT)),
        verdict=Verdict.STALE_UNPROMOTED,
        proposal=Proposal.PROMOTE_FIRST,
        reason="a sandbox of it was kept with work that no commit knows; a re-dispatch opens a new one, and nothing leads to the old",
        source=SEED,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.WORKER_UNKNOWN)),
        verdict=Verdict.UNKNOWN_WORKER,
        proposal=Proposal.ASK_CLIENT,
        reason="of a sandbox of it neither a process nor an exit is known, or not what it holds: its worker may be alive",
        source=OURS,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.SCOPE_DIRTY)),
        verdict=Verdict.STALE_DIRTY,
        proposal=Proposal.REDISPATCH_DIRTY,
        reason=f"re-dispatch with TREE: dirty, and say that the predecessor died; {_READ_FIRST}",
        source=SEED,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.NO_HEARTBEAT), any_of(_S.FILE_DIRTY)),
        verdict=Verdict.DIED_BEFORE_DISPATCH,
        proposal=Proposal.REDISPATCH,
        reason="its supervisor wrote into the task file and died before its first dispatch; read what it wrote",
        source=ORIGIN,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.SCOPE_UNKNOWN)),
        verdict=Verdict.UNKNOWN_WORKER,
        proposal=Proposal.ASK_CLIENT,
        reason="it cannot be told what is uncommitted or committed under its scope, so a loss cannot be ruled out",
        source=OURS,
    ),
    Row(
        seen=(_RUNNING, any_of(_S.COMMITTED)),
        verdict=Verdict.STALE_COMMITTED,
        proposal=Proposal.RUN_VERIFIER,
        reason="its scope was committed to since it was claimed: the work may be done, under its own or another task's name",
        source=ORIGIN,
    ),
    Row(
        seen=(_RUNNING,),
        verdict=Verdict.STALE_CLEAN,
        proposal=Proposal.REDISPATCH,
        reason="nothing of it is seen to live, nothing is uncommitted, and no commit in its scope is known to be later than its claim",
        source=SEED,
    ),
    Row(
        seen=(_ENDED, any_of(_S.SCOPE_DIRTY)),
        verdict=Verdict.DONE_DIRTY,
        proposal=Proposal.REDISPATCH_DIRTY,
        reason=f"it says that it is done, and its scope is not committed: treat it as running; {_READ_FIRST}",
        source=SEED,
    ),
    Row(
        seen=(_ENDED, any_of(_S.HEARTBEAT_WAITS)),
        verdict=Verdict.NOT_RETIRED,
        proposal=Proposal.RUN_VERIFIER,
        reason="it says that it is done, and its heartbeat still waits: it was never closed",
        source=ORIGIN,
    ),
    Row(
        seen=(_ENDED,),
        unseen=any_of(_S.VERIFIED),
        verdict=Verdict.DONE_UNVERIFIED,
        proposal=Proposal.RUN_VERIFIER,
        reason="no line of the record says that a verifier passed it",
        source=SEED,
    ),
    Row(
        seen=(_ENDED, any_of(_S.SCOPE_UNKNOWN)),
        verdict=Verdict.DONE_UNVERIFIED,
        proposal=Proposal.RUN_VERIFIER,
        reason="a verifier passed it, and it cannot be told whether its scope is committed",
        source=OURS,
    ),
    Row(
        seen=(_ENDED,),
        verdict=Verdict.CONFIRMED,
        reason="its scope is committed, and the record says that a verifier passed it",
        source=SEED,
    ),
    Row(
        seen=(any_of(_S.PLANNED),),
        verdict=Verdict.NEVER_STARTED,
        proposal=Proposal.START_SUPERVISOR,
        reason="the board claims it, and its supervisor never started",
        source=SEED,
    ),
)
