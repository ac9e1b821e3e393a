"""What to do about a stage, with the command that does it: a row of the table and its stage come in, `Advice` goes out.

Every name taken from a file is quoted for the shell; where one cannot be trusted there is no command.
"""

from datetime import datetime, timedelta
from typing import Final

from resume_forensics.deduce.reconcile.superscientist.sight import can_be_looked_at
from resume_forensics.deduce.reconcile.superscientist.table import Row
from resume_forensics.model.claim import Advice, Circumstances
from resume_forensics.model.workflow import Process, Stage
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import Proposal

EXECUTE: Final = "superscientist:executing-workflows"
VERIFY: Final = "superscientist:result-verification"
COMPLETE: Final = "superscientist:workflow-completion"
DEBUG: Final = "superscientist:systematic-debugging"

_REPEATS: Final = frozenset({Proposal.RELAUNCH, Proposal.RETRY})
"""What runs the work again, over what the first run left."""

_MOMENT: Final = timedelta(microseconds=1)


def advise(stage: Stage, row: Row, circumstances: Circumstances) -> Advice[Raw]:
    """Answer the row's proposal for this stage, with its command, what it would lose and what follows it."""
    outputs = (output.path for output in stage.outputs if output.file.missing is None)
    return Advice(
        name=row.proposal,
        reason=Raw(row.reason),
        command=write_command(stage, row.proposal, circumstances),
        destroys=tuple(outputs) if row.proposal in _REPEATS else (),
        after=list_duties(stage, row.proposal),
    )


def write_command(stage: Stage, proposal: Proposal, circumstances: Circumstances) -> Raw | None:
    """The command of a proposal about this stage; None where it has none, or where a name is not fit for one."""
    process = stage.process
    if proposal is Proposal.RELAUNCH:
        return write_relaunch(process) if process else None
    if proposal is Proposal.KEEP_MONITORING:
        return write_monitor(process, circumstances.now) if process else None
    if proposal is Proposal.VERIFY_RESULT:
        return compose(VERIFY, " ", quote(stage.id))
    if proposal is Proposal.RECHECK:
        return compose("resume-scan reconcile ", quote(circumstances.root))
    return Raw(EXECUTE) if proposal in {Proposal.DISPATCH, Proposal.RETRY} else None


def write_relaunch(process: Process) -> Raw | None:
    """End what may be left of the session, then begin it anew.

    The target is exact (`=`), for tmux takes a bare name as a prefix and would end stage 10 for stage 1; and the second command
    does not wait for the first one's success, for there is mostly nothing to end.
    """
    if process.session is None or not process.session_is_plain or process.wrapper is None or not process.wrapper.is_plain:
        return None
    target = quote(compose("=", process.session), always=True)
    wrapper = quote(compose("bash ", quote(process.wrapper.path)), always=True)
    session = quote(process.session, always=True)
    return compose("tmux kill-session -t ", target, " 2>/dev/null; tmux new-session -d -s ", session, " ", wrapper)


def write_monitor(process: Process, now: datetime) -> Raw | None:
    """Wait for a marker of this launch, then print its exit code. That a marker is there proves nothing: it may be an old one."""
    if process.done is None or process.exit is None or not (can_be_looked_at(process.done) and can_be_looked_at(process.exit)):
        return None
    since = ((process.launched_at or now) - _MOMENT).isoformat()
    found = compose("find ", quote(process.done.path), f" -newermt '{since}' 2>/dev/null")
    return compose('until [ -n "$(', found, ')" ]; do sleep 30; done; cat ', quote(process.exit.path))


def list_duties(stage: Stage, proposal: Proposal) -> tuple[Raw, ...]:
    """What the protocol asks of whoever carries a proposal out."""
    if proposal is Proposal.RELAUNCH:
        return (
            compose("set running_process.recovery_attempted of ", stage.id, " to true in workflow-state.json: nobody else will"),
            compose('log "Recovering stage-', stage.number, ': re-launching DPDispatcher" in progress.log'),
            Raw("run it in the directory of the workflow"),
        )
    if proposal is Proposal.KEEP_MONITORING:
        return (
            Raw("run it in the background, with a timeout of 600 s, before any new stage is dispatched"),
            Raw(f"then {EXECUTE}, step 5"),
        )
    if proposal is Proposal.RETRY:
        return (Raw("set its status to ready and add 1 to its retry_count"), Raw(f"then {EXECUTE}"))
    return (Raw(f"invoke {EXECUTE}"),) if proposal is Proposal.DISPATCH else ()
