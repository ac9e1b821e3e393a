"""A contract of obligations, and the receipts that are said to settle them, as a saga's repository holds them.

Formats `saga.lifecycle-obligation.v1` and `saga.transition-receipt.v1`. Filled by the claims room; whether anything is settled is
not answered here.
"""

from msgspec import Struct

from resume_forensics.model.inquiry import TextFact
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Settlement, Verification


class EvidenceRule(Struct, frozen=True, kw_only=True):
    """What an obligation wants: so many pieces of one kind, with `independent` each from a producer other than its own."""

    kind: Raw
    minimum_count: int = 1
    independent: bool = False


class Obligation(Struct, frozen=True, kw_only=True):
    """One obligation. `command` and `phase` are None where the contract has none, or a word that is no plain name.

    `fallback` are the rules that settle an optional obligation half ("degraded").
    """

    obligation_id: Raw
    subject: Raw
    producer: Raw
    required: bool
    rules: tuple[EvidenceRule, ...]
    command: Raw | None = None
    phase: Raw | None = None
    fallback: tuple[EvidenceRule, ...] = ()


class Exhibit(Struct, frozen=True, kw_only=True):
    """One piece of evidence in a receipt; all but a fact of GitHub are files. `file`: what stands there now, None: not asked."""

    evidence_id: Raw
    kind: Raw
    subject: Raw
    producer: Raw
    reference: Raw
    digest: Raw
    state: Verification
    assertion: Raw
    is_input: bool = False
    is_file: bool = True
    file: TextFact | None = None

    @property
    def is_checked(self) -> bool:
        """Whether its file must have its digest: a fact of GitHub has none, and what was not verified proves nothing."""
        return self.is_file and self.state is Verification.VERIFIED


class Receipt(Struct, frozen=True, kw_only=True):
    """One attempt to settle an obligation. `computed_id` is the id that its own content gives."""

    path: Raw
    receipt_id: Raw
    computed_id: Raw
    contract_id: Raw
    workstream_id: Raw
    obligation_id: Raw
    exhibits: tuple[Exhibit, ...]
    claimed: Settlement
    labelled: Settlement


class Proof(Struct, frozen=True, kw_only=True):
    """The contract that was given and its receipts. `problem` says why they cannot be read; then nothing else is filled."""

    path: Raw
    problem: Raw | None = None
    contract_id: Raw | None = None
    workstream_id: Raw | None = None
    obligations: tuple[Obligation, ...] = ()
    receipts: tuple[Receipt, ...] = ()
