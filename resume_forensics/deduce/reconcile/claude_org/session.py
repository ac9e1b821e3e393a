"""What became of the org's session, or of a database that cannot be believed: two decision tables. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from resume_forensics.deduce.reconcile.conflict import find_conflict
from resume_forensics.model.claim import Advice, Circumstances, Claim, ClaimEvidence, Conflict
from resume_forensics.model.org import Moment, Org
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, OrgStatus, Proposal, Says, Verdict

STATE_FILE: Final = Raw("state-file")
ORG_SESSION: Final = Raw("org-session")

_REBUILD: Final = "python -m tools.state_db.importer --db .state/state.db --root . --rebuild"
_KEEP: Final = "keep it as it is: it is evidence, and a rebuild writes over it"
_AFTER_REBUILD: Final = (Raw("then reconcile again: nothing else is read instead of the database"),)
_AFTER_RESUME: Final = (
    Raw("once the human said which work goes on: /org-delegate for each"),
    Raw("python3 dashboard/org_state_converter.py (the snapshot that the dashboard shows)"),
    Raw(".state/org-state.md is now behind the database, until the org's own writer derives it anew"),
    Raw("the panes of dispatcher and curator are not opened here: /org-start does that"),
)


class DamageRow(Struct, frozen=True, kw_only=True):
    """One way in which the database cannot be believed. Only where there is nothing to lose is a command given."""

    verdict: Verdict
    says: str
    reason: str
    command: str | None = None


DAMAGE_ROWS: Final = (
    DamageRow(
        verdict=Verdict.DB_MISSING,
        says="the state stands in .state/state.db",
        reason="state.db not found: have the human rebuild it from the journal and the markdown, which are not read instead",
        command=_REBUILD,
    ),
    DamageRow(
        verdict=Verdict.DB_CORRUPT,
        says=".state/state.db is a database of the org",
        reason=f"the database is damaged: report it and stop; {_KEEP}",
    ),
    DamageRow(
        verdict=Verdict.SCHEMA_UNKNOWN,
        says=".state/state.db has a schema that is known",
        reason=f"the database could not be understood: report it and stop; {_KEEP}",
    ),
)


class SessionRow(Struct, frozen=True, kw_only=True):
    """One state of the session's row; `status` None: a word that is not known."""

    status: OrgStatus | None
    verdict: Verdict
    proposal: Proposal
    reason: str


SESSION_ROWS: Final = (
    SessionRow(
        status=OrgStatus.SUSPENDED,
        verdict=Verdict.SESSION_SUSPENDED,
        proposal=Proposal.RESUME_ORG,
        reason="the org was suspended: brief the human, and resume it once the human confirms",
    ),
    SessionRow(
        status=OrgStatus.IDLE,
        verdict=Verdict.SESSION_IDLE,
        proposal=Proposal.RESUME_ORG,
        reason="the org is idle: brief the human, and resume it once the human confirms",
    ),
    SessionRow(
        status=OrgStatus.ACTIVE,
        verdict=Verdict.SESSION_ACTIVE,
        proposal=Proposal.ASK_HUMAN,
        reason="the org stopped without being suspended, or it is alive elsewhere: that cannot be seen from here",
    ),
    SessionRow(
        status=None,
        verdict=Verdict.UNKNOWN_STATUS,
        proposal=Proposal.ASK_HUMAN,
        reason="the database gives the session a status that is not known",
    ),
)
_NO_SESSION: Final = "the database has no row for the session: whether the org was ever started cannot be told"


def judge_damage(org: Org) -> Claim[Raw] | None:
    """Answer what is wrong with the database, None where it can be believed."""
    row = next((row for row in DAMAGE_ROWS if row.verdict is org.damage), None)
    if row is None:
        return None
    seen = ClaimEvidence(kind=EvidenceKind.DATABASE, what=Raw(".state/state.db"), value=org.detail or Raw(""), says=Says.AGAINST)
    advice = Advice(
        name=Proposal.REBUILD_DB, reason=Raw(row.reason), command=Raw(row.command) if row.command else None, after=_AFTER_REBUILD
    )
    return Claim(id=STATE_FILE, claim=Raw(row.says), evidence=(seen,), verdict=row.verdict, proposal=advice)


def judge_session(org: Org, circumstances: Circumstances) -> Claim[Raw]:
    """Answer what the session's row means for whoever resumes."""
    session = org.session
    if session is None:
        advice: Advice[Raw] = Advice(name=Proposal.ASK_HUMAN, reason=Raw(_NO_SESSION))
        return Claim(id=ORG_SESSION, claim=Raw("the org has a session"), verdict=Verdict.SESSION_MISSING, proposal=advice)
    row = next(row for row in SESSION_ROWS if row.status is session.status)
    resumes = row.proposal is Proposal.RESUME_ORG
    return Claim(
        id=ORG_SESSION,
        claim=compose("the org is ", session.claimed),
        claimed_status=session.claimed,
        evidence=tuple(
            ClaimEvidence(kind=EvidenceKind.DATABASE, what=Raw(moment.column), value=moment.text, says=Says.UNKNOWN)
            for moment in session.moments
        ),
        verdict=row.verdict,
        proposal=Advice(
            name=row.proposal,
            reason=Raw(row.reason),
            command=spell_apply(circumstances) if resumes else None,
            after=_AFTER_RESUME if resumes else (),
        ),
    )


def spell_apply(circumstances: Circumstances) -> Raw:
    """The command that makes the one write of the protocol."""
    return compose("resume-scan reconcile ", quote(circumstances.root), " --system claude-org --apply")


def list_unreadable(claim: Raw, moments: Sequence[Moment], circumstances: Circumstances) -> Iterator[Conflict[Raw]]:
    """At most one conflict a claim: its times that could not be read whole. They block nothing."""
    unreadable = tuple(moment for moment in moments if not moment.exact)
    if unreadable:
        yield find_conflict(
            ConflictKind.UNREADABLE_TIME,
            (claim,),
            tuple(compose(moment.column, " is ", moment.text) for moment in unreadable),
            circumstances,
            resolution=Raw("; ".join(f"{moment.column}: {_say_reading(moment)}" for moment in unreadable)),
        )


def _say_reading(moment: Moment) -> str:
    if moment.at is None:
        return "left as text"
    return f"read to the minute as {moment.at:%Y-%m-%dT%H:%M}Z; its seconds were written over by microseconds"
