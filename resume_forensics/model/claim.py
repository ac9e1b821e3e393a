"""Written state held against the machine, in the shape of the JSON document `resume-forensics/reconcile/1`.

`Reconciliation[Raw]` is what `deduce` assembles; `seal` turns it into `Reconciliation[Masked]`, the only kind that may be shown.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Generic, TypeVar

from msgspec import Struct

from resume_forensics.model.inquiry import Answers, Inquiry
from resume_forensics.text import Raw
from resume_forensics.vocabulary import ConflictKind, EvidenceKind, Proposal, Refusal, Says, System, Verdict, WriteKind

T = TypeVar("T")


class ClaimEvidence(Struct, Generic[T], frozen=True, kw_only=True):
    """One thing that was seen (`what` was asked, `value` was the answer), and what it says of the claim."""

    kind: EvidenceKind
    what: T
    value: T
    says: Says


class Advice(Struct, Generic[T], frozen=True, kw_only=True):
    """What to do about a claim. `command` is None where there is none, or where a path of the file cannot be trusted.

    `destroys` lists, path by path, what following it would lose; `after` the duties that follow once it is carried out.
    """

    name: Proposal
    reason: T
    command: T | None = None
    destroys: tuple[T, ...] = ()
    after: tuple[T, ...] = ()


class Claim(Struct, Generic[T], frozen=True, kw_only=True):
    """One sentence that the written state makes, what was seen of it, and what became of it."""

    id: T
    claim: T
    verdict: Verdict
    proposal: Advice[T]
    claimed_status: T | None = None
    evidence: tuple[ClaimEvidence[T], ...] = ()


class Conflict(Struct, Generic[T], frozen=True, kw_only=True):
    """Two sides that cannot both be right. `id` is kind:first-claim; `resolution` says which side stands, None: a person must say."""

    id: T
    kind: ConflictKind
    claims: tuple[T, ...]
    sides: tuple[T, ...]
    blocks_apply: bool
    resolution: T | None = None


class OpenQuestion(Struct, Generic[T], frozen=True, kw_only=True):
    """A question that the written state holds open, and for how many seconds."""

    id: T
    text: T
    source: T
    raised_at: datetime | None = None
    age_s: int | None = None


class FollowingAction(Struct, Generic[T], frozen=True, kw_only=True):
    """What comes after the next action."""

    name: Proposal
    target: T | None = None
    command: T | None = None


class NextAction(Struct, Generic[T], frozen=True, kw_only=True):
    """The one thing to do first."""

    name: Proposal
    reason: T
    target: T | None = None
    command: T | None = None
    before: tuple[T, ...] = ()
    then: FollowingAction[T] | None = None


class Named(Struct, Generic[T], frozen=True, kw_only=True):
    """A fact or field by its name. `value` None is JSON's null."""

    name: T
    value: T | float | None


class Context(Struct, Generic[T], frozen=True, kw_only=True):
    """The reading half of the protocol: what whoever resumes reads first."""

    lines: tuple[T, ...] = ()
    commits: tuple[T, ...] = ()
    facts: tuple[Named[T], ...] = ()
    files: tuple[T, ...] = ()


class Change(Struct, Generic[T], frozen=True, kw_only=True):
    """One value of a JSON file: its pointer, what stands there, what will."""

    pointer: T
    before: T | float | None
    after: T | float | None


class PlannedWrite(Struct, Generic[T], frozen=True, kw_only=True):
    """One write, as it is shown before it is done. Exactly one of the four lists is filled, the one that `kind` uses."""

    path: T
    kind: WriteKind
    changes: tuple[Change[T], ...] = ()
    lines: tuple[T, ...] = ()
    fields: tuple[Named[T], ...] = ()
    statements: tuple[T, ...] = ()


class Applied(Struct, Generic[T], frozen=True, kw_only=True):
    """What `--apply` did: everything, or nothing with reasons."""

    done: bool
    refusals: tuple[Refusal, ...] = ()
    written: tuple[T, ...] = ()


class TranscriptMention(Struct, Generic[T], frozen=True, kw_only=True):
    """The newest transcript of the directory, how many workers it never heard of again, and how to see them."""

    session: T
    unreported: int
    command: T


class Reconciliation(Struct, Generic[T], frozen=True, kw_only=True):
    """The whole answer. `refusals`: why `--apply` would write nothing, as far as that can be known before it is tried."""

    system: System
    root: T
    generated_at: datetime
    context: Context[T]
    claims: tuple[Claim[T], ...]
    next_action: NextAction[T]
    conflicts: tuple[Conflict[T], ...] = ()
    questions_open: tuple[OpenQuestion[T], ...] = ()
    report_lines: tuple[T, ...] = ()
    writes_planned: tuple[PlannedWrite[T], ...] = ()
    refusals: tuple[Refusal, ...] = ()
    applied: Applied[T] | None = None
    transcripts: TranscriptMention[T] | None = None
    warnings: tuple[T, ...] = ()
    redacted_kinds: tuple[str, ...] = ()

    @property
    def needs_attention(self) -> bool:
        """Whether something conflicts or is asked, or a claim wants more than the ordinary course of its protocol."""
        return bool(self.conflicts or self.questions_open) or any(claim.proposal.name not in QUIET for claim in self.claims)


QUIET = frozenset(
    {
        Proposal.NONE,
        Proposal.KEEP_MONITORING,
        Proposal.KEEP_WORKING,
        Proposal.LEAVE_ALONE,
        Proposal.START_SESSION,
        Proposal.DISPATCH,
        Proposal.ROUTE,
        Proposal.RESUME_ORG,
    }
)
"""The proposals of a state that is as it is written."""


class PullRequest(Struct, frozen=True, kw_only=True):
    """A row of `gh pr list --json number,title,state,mergedAt,url,reviewDecision`, from `--facts`."""

    number: int | None
    title: str
    state: str
    url: str
    merged_at: datetime | None = None
    review_decision: str = ""


class ListedAgent(Struct, frozen=True, kw_only=True):
    """A row of the harness's list of agents, from `--facts`. `status` `exited` is not alive."""

    name: str
    ref: str
    status: str


class Circumstances(Struct, frozen=True, kw_only=True):
    """What the machine cannot show and the caller says. `prs` and `agents` None: nobody said; empty: there are none.

    The options of the saga system are plain strings: they are the caller's own words, and the protocol wants them taken apart (the
    number of an issue, the parts of a reference). `compose` turns them into `Raw` where they are printed.
    """

    now: datetime
    root: Raw
    session_id: Raw | None = None
    saga_id: str | None = None
    issue: str | None = None
    state_dir: str | None = None
    contract: str | None = None
    receipts: tuple[str, ...] = ()
    recent_s: int = 300
    accepted: frozenset[Raw] = frozenset()
    prs: tuple[PullRequest, ...] | None = None
    agents: tuple[ListedAgent, ...] | None = None


class StateSystem(Struct, frozen=True, kw_only=True):
    """One system that writes its state down, as a table of names and pure functions; a claims file fills one.

    `is_present` judges by the answers to `ROOT_NAMES` and to `FolderNames` of each folder in `looks_into`, relative to the root.
    `inquire` answers what is still to be asked, given the answers so far; what it names again is not asked again. It is called until
    it names nothing new; the bound on its rounds is the caller's.
    """

    name: System
    looks_into: tuple[str, ...] = ()
    is_present: Callable[[Answers], bool]
    inquire: Callable[[Answers, Circumstances], Iterable[Inquiry]]
