"""Whether the obligations of a contract are settled by the receipts that were given. Pure; no label is believed, digests decide."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from resume_forensics.model.claim import ClaimEvidence
from resume_forensics.model.obligation import EvidenceRule, Exhibit, Obligation, Proof, Receipt
from resume_forensics.text import Raw, compose, quote
from resume_forensics.vocabulary import EvidenceKind, Says, Settlement, Verification

_DIGEST_PREFIX: Final = "sha256:"
_UNSAID: Final = frozenset((Verification.UNKNOWN, Verification.UNAVAILABLE))


class Trial(Struct, frozen=True, kw_only=True):
    """One receipt held against its obligation."""

    receipt: Receipt
    obligation: Obligation
    proof: Proof

    @property
    def proving(self) -> tuple[Exhibit, ...]:
        """What can prove something: inputs cannot."""
        return tuple(exhibit for exhibit in self.receipt.exhibits if not exhibit.is_input)

    @property
    def computed(self) -> Settlement:
        """What its evidence comes to, whatever its labels say."""
        state = _weigh(self.obligation, self.obligation.rules, self.proving)
        half = not self.obligation.required and bool(self.obligation.fallback)
        if state is Settlement.SATISFIED or not half:
            return state
        fallen_back = _weigh(self.obligation, self.obligation.fallback, self.proving)
        return Settlement.DEGRADED if fallen_back is Settlement.SATISFIED else fallen_back


class Row(Struct, frozen=True, kw_only=True):
    """One reason why a receipt settles nothing, whatever its evidence comes to."""

    fits: Callable[[Trial], bool]
    state: Settlement
    reason: str


ROWS: Final = (
    Row(
        fits=lambda t: t.receipt.receipt_id != t.receipt.computed_id,
        state=Settlement.CONFLICTING,
        reason="its id is not the one that its content gives",
    ),
    Row(
        fits=lambda t: t.receipt.contract_id != t.proof.contract_id,
        state=Settlement.CONFLICTING,
        reason="it is for another contract",
    ),
    Row(
        fits=lambda t: t.receipt.workstream_id != t.proof.workstream_id,
        state=Settlement.CONFLICTING,
        reason="it is for another workstream",
    ),
    Row(
        fits=lambda t: any(_is_refuted(exhibit) for exhibit in t.receipt.exhibits),
        state=Settlement.CONFLICTING,
        reason="a file that it calls verified is missing or was changed since",
    ),
    Row(
        fits=lambda t: any(exhibit.state is Verification.CONFLICTING for exhibit in t.receipt.exhibits),
        state=Settlement.CONFLICTING,
        reason="it reports evidence that conflicts",
    ),
    Row(
        fits=lambda t: _contradicts_itself(t.proving),
        state=Settlement.CONFLICTING,
        reason="its verified evidence says two things of one source",
    ),
    Row(
        fits=lambda t: any(_is_too_large(exhibit) for exhibit in t.proving),
        state=Settlement.UNAVAILABLE,
        reason="a file that it calls verified is larger than is read, so its digest was not computed",
    ),
    Row(
        fits=lambda t: t.receipt.claimed is not t.computed,
        state=Settlement.CONFLICTING,
        reason="it claims another settlement than its evidence comes to",
    ),
    Row(
        fits=lambda t: t.receipt.labelled is not t.computed,
        state=Settlement.CONFLICTING,
        reason="it is labelled with another settlement than its evidence comes to",
    ),
)
"""The first that fits decides; where none does, the evidence does."""

REASONS: Final = {
    Settlement.SATISFIED: "its evidence is verified and complete",
    Settlement.UNSATISFIED: "its evidence is not complete",
    Settlement.DEGRADED: "only what was declared as a fallback is there",
    Settlement.UNAVAILABLE: "its evidence could not be verified when the receipt was written",
}


class Finding(Struct, frozen=True, kw_only=True):
    """What became of one obligation, and everything that was seen of it."""

    obligation: Obligation
    state: Settlement
    reason: Raw
    evidence: tuple[ClaimEvidence[Raw], ...]

    @property
    def by_producer(self) -> bool:
        """Whether it has neither command nor phase, so that only its producer settles it."""
        return self.obligation.command is None and self.obligation.phase is None

    @property
    def destination(self) -> Raw:
        """The command that settles it: its own, else that of its phase, else the name of its producer (written state, 4.4)."""
        plain = self.obligation.command or self.obligation.phase
        return compose("/", plain) if plain is not None else quote(self.obligation.producer)


def settle(proof: Proof) -> tuple[Finding, ...]:
    """Answer what became of every required obligation, and of each optional one that has a receipt, in the contract's order."""
    return tuple(
        _find(obligation, proof, receipts)
        for obligation in proof.obligations
        if (receipts := [each for each in proof.receipts if each.obligation_id == obligation.obligation_id]) or obligation.required
    )


def judge_receipt(trial: Trial) -> tuple[Settlement, str]:
    """Answer what one receipt comes to, and why."""
    row = next((row for row in ROWS if row.fits(trial)), None)
    return (row.state, row.reason) if row else (trial.computed, REASONS[trial.computed])


def _find(obligation: Obligation, proof: Proof, receipts: Iterable[Receipt]) -> Finding:
    judged = sorted(
        ((*judge_receipt(Trial(receipt=receipt, obligation=obligation, proof=proof)), receipt) for receipt in receipts),
        key=lambda each: (list(Settlement).index(each[0]), each[1], each[2].path),
    )
    evidence = tuple(item for state, reason, receipt in judged for item in _show(state, reason, receipt))
    if not judged:
        return Finding(obligation=obligation, state=Settlement.UNSATISFIED, reason=Raw("no receipt settles it"), evidence=())
    satisfied = judged[0][0] is Settlement.SATISFIED and judged[-1][0] is not Settlement.CONFLICTING
    state, reason, receipt = judged[0 if satisfied else -1]
    return Finding(obligation=obligation, state=state, reason=compose(receipt.path, ": ", reason), evidence=evidence)


def _show(state: Settlement, reason: str, receipt: Receipt) -> Iterator[ClaimEvidence[Raw]]:
    says = {Settlement.SATISFIED: Says.FOR, Settlement.UNAVAILABLE: Says.UNKNOWN}.get(state, Says.AGAINST)
    yield ClaimEvidence(kind=EvidenceKind.RECEIPT, what=receipt.path, value=compose(state, ": ", reason), says=says)
    for exhibit in receipt.exhibits:
        if exhibit.is_checked:
            word, agrees = _hold_digest(exhibit)
            yield ClaimEvidence(kind=EvidenceKind.DIGEST, what=exhibit.reference, value=Raw(word), says=agrees)


def _hold_digest(exhibit: Exhibit) -> tuple[str, Says]:
    """What stands at the reference now, and whether it is what was verified."""
    if exhibit.file is None or exhibit.file.text is None:
        return f"missing: {exhibit.file.file.missing if exhibit.file else 'it was not asked'}", Says.AGAINST
    if exhibit.file.digest is None:
        return "larger than is read", Says.UNKNOWN
    same = Raw(f"{_DIGEST_PREFIX}{exhibit.file.digest}") == exhibit.digest
    return ("the digest is the same", Says.FOR) if same else ("the digest differs: it was changed", Says.AGAINST)


def _is_refuted(exhibit: Exhibit) -> bool:
    return exhibit.is_checked and _hold_digest(exhibit)[1] is Says.AGAINST


def _is_too_large(exhibit: Exhibit) -> bool:
    return exhibit.is_checked and _hold_digest(exhibit)[1] is Says.UNKNOWN


def _contradicts_itself(exhibits: Iterable[Exhibit]) -> bool:
    verified = [each for each in exhibits if each.state is Verification.VERIFIED and len(each.assertion)]
    sources = {(each.kind, each.subject, each.reference) for each in verified}
    return len({(each.kind, each.subject, each.reference, each.assertion) for each in verified}) != len(sources)


def _weigh(obligation: Obligation, rules: Iterable[EvidenceRule], exhibits: Iterable[Exhibit]) -> Settlement:
    """What exhibits come to under rules: every rule met; else one that only lacks answers; else unmet."""
    held = list(exhibits)
    unmet = [rule for rule in rules if not _is_met(rule, obligation, _fitting(rule, obligation, held))]
    if not unmet:
        return Settlement.SATISFIED
    unsaid = any(_is_unsaid(_fitting(rule, obligation, held)) for rule in unmet)
    return Settlement.UNAVAILABLE if unsaid else Settlement.UNSATISFIED


def _fitting(rule: EvidenceRule, obligation: Obligation, exhibits: Iterable[Exhibit]) -> list[Exhibit]:
    return [exhibit for exhibit in exhibits if exhibit.kind == rule.kind and exhibit.subject == obligation.subject]


def _is_met(rule: EvidenceRule, obligation: Obligation, fitting: Iterable[Exhibit]) -> bool:
    verified = [exhibit for exhibit in fitting if exhibit.state is Verification.VERIFIED]
    if not rule.independent:
        return len(verified) >= rule.minimum_count
    return len({exhibit.producer for exhibit in verified} - {obligation.producer}) >= rule.minimum_count


def _is_unsaid(fitting: Iterable[Exhibit]) -> bool:
    states = {exhibit.state for exhibit in fitting}
    return bool(states) and states <= _UNSAID
