"""`resume-scan reconcile`: options come in, what became of written state goes to standard output. It judges nothing."""

# ruff: noqa: PLC0415, PLR0913 (what is heavy is imported late; Typer reads options from signatures)

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from resume_forensics.cli import options as given
from resume_forensics.cli.console import ATTENTION, DONE, emit
from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS

RECONCILE_HELP = """Hold what was written down against the machine, claim by claim, and say what to do next.

Four systems write their state down: superscientist (workflow-state.json), devteam (devteam/), saga (.gemini/saga, .claude/saga)
and claude-org (.state/). When their work was interrupted, what is written and what is true have parted. This reads the state,
looks at processes, files, git and tmux, and answers each claim with a verdict, its evidence and a proposal. Nothing is changed
and nothing is started; with --apply the one write is done that the system's own protocol asks of whoever resumes.
"""
EPILOG = """\b
Examples:
  resume-scan reconcile                     this directory
  resume-scan reconcile DIR --json          everything, for a program
  resume-scan reconcile DIR --apply         do what stands under "what --apply would write"
  resume-scan reconcile --facts FILE        with what `gh pr list --state all --json
                                            number,title,state,mergedAt,url,reviewDecision` printed

\b
Exit status:
  0  the state was read, whatever was found
  1  --apply was refused; or, with --exit-code, something needs attention
  2  wrong use or unreadable input; one sentence on standard error
"""

Directory = Annotated[str, typer.Argument(metavar="[DIR]", help="The directory that holds the state; nothing above it is looked at.")]
Apply = Annotated[bool, typer.Option("--apply", help="Do the one write that the protocol permits, unless the evidence forbids it.")]
Accept = Annotated[
    list[str] | None,
    typer.Option("--accept", metavar="CONFLICT_ID", help="Write although this conflict stands; a person decided it. Repeatable."),
]
SystemName = Annotated[
    str | None,
    typer.Option("--system", metavar="NAME", help="superscientist, devteam, saga or claude-org, where DIR holds more than one."),
]
Facts = Annotated[
    Path | None,
    typer.Option("--facts", metavar="FILE", help="JSON of what the machine cannot show: pull requests, running agents."),
]
SessionId = Annotated[
    str | None,
    typer.Option("--session-id", metavar="ID", help="Your own session id (else CLAUDE_CODE_SESSION_ID); devteam asks whose the board is."),
]
SagaId = Annotated[str | None, typer.Option("--saga-id", metavar="ID", help="The saga's thread that is meant.")]
Issue = Annotated[str | None, typer.Option("--issue", metavar="REF", help="The thread of this issue is meant.")]
StateDir = Annotated[str | None, typer.Option("--state-dir", metavar="DIR", help="Which saga folder counts where there are two.")]
Contract = Annotated[str | None, typer.Option("--contract", metavar="REF", help="The saga's contract of obligations, below DIR.")]
Receipt = Annotated[list[str] | None, typer.Option("--receipt", metavar="REF", help="A receipt for the contract, below DIR. Repeatable.")]
RecentS = Annotated[
    int,
    typer.Option(
        "--recent-s", metavar="N", min=0, show_default=False, help=f"How many seconds a write counts as recent (else {LIMITS.recent_s})."
    ),
]
Now = Annotated[str | None, typer.Option("--now", metavar="ISO", help="The time that counts as now, with its offset from UTC.")]


def reconcile(
    directory: Directory = ".",
    *,
    json: given.Json = False,
    apply: Apply = False,
    accept: Accept = None,
    system: SystemName = None,
    facts: Facts = None,
    session_id: SessionId = None,
    saga_id: SagaId = None,
    issue: Issue = None,
    projects_dir: given.ProjectsDir = None,
    state_dir: StateDir = None,
    contract: Contract = None,
    receipt: Receipt = None,
    recent_s: RecentS = LIMITS.recent_s,
    now: Now = None,
    exit_code: given.ExitCode = False,
) -> int:
    """Reconcile, print, and answer the exit status."""
    import resume_forensics

    found = resume_forensics.reconcile(
        directory,
        system=system,
        apply=apply,
        accept=tuple(accept or ()),
        facts=facts,
        session_id=session_id,
        saga_id=saga_id,
        issue=issue,
        projects_dir=projects_dir,
        state_dir=state_dir,
        contract=contract,
        receipts=tuple(receipt or ()),
        recent_s=recent_s,
        now=_read_time(now),
    )
    if json:
        from resume_forensics.render.claim_document import write_claim_document

        emit(write_claim_document(found))
    else:
        from resume_forensics.render.claim_prose import write_claim_prose

        emit(write_claim_prose(found))
    refused = found.applied is not None and not found.applied.done
    return ATTENTION if refused or (exit_code and found.needs_attention) else DONE


def _read_time(text: str | None) -> datetime | None:
    """The time that `--now` names. Raises `WrongUse` where it is no point in time."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUse("--now takes a time in ISO 8601, such as 2026-01-02T09:00:00Z") from None
    if at.tzinfo is None:
        raise WrongUse("--now needs an offset from UTC, such as the Z in 2026-01-02T09:00:00Z")
    return at
