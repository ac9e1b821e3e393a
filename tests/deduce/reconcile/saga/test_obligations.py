"""Whether a receipt settles its obligation: every row, and what several receipts come to whatever their order."""

import itertools
import json

import pytest
from msgspec.structs import replace

from claims.sagas import CONTRACT, circumstances, contract, exhibit, read_state, receipt, thread, tick
from resume_forensics.deduce.reconcile.saga.obligations import REASONS, ROWS, Finding, Trial, judge_receipt, settle
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import TextFact
from resume_forensics.model.obligation import Proof
from resume_forensics.text import Raw
from resume_forensics.vocabulary import EvidenceKind, Says, Settlement

S = Settlement
PLAN = {"obligation_id": "plan"}
RULES = "required_evidence"


def proof_of(*receipts: str, by: str | None = None, out: str = "written\n") -> Proof:
    named = {f"docs/r{at}.json": text for at, text in enumerate(receipts)}
    files = {CONTRACT: by or contract(PLAN), "docs/out.md": out, "docs/more.md": out, **named, **thread(tick())}
    proof = read_state(files, circumstances(contract=CONTRACT, receipts=tuple(named))).proof
    assert proof is not None
    assert proof.problem is None
    return proof


def found(*receipts: str, by: str | None = None, out: str = "written\n") -> Finding:
    return settle(proof_of(*receipts, by=by, out=out))[0]


def labelled(state: str, *exhibits: dict[str, object], category: str = "canonical_outputs", attempt: int = 1) -> str:
    return receipt(*exhibits, category=category, claimed_settlement=state, settlement_state=state, attempt=attempt)


TWO = contract({**PLAN, RULES: [{"kind": "canonical-output", "minimum_count": 2}]})
INDEPENDENT = contract({**PLAN, RULES: [{"kind": "qa-result", "minimum_count": 2, "independent": True}]})
BOTH = contract({**PLAN, RULES: [{"kind": "canonical-output"}, {"kind": "github-fact"}]})
OPTIONAL = contract(
    {**PLAN, "requirement": "optional", "fallback": {"state": "degraded", "evidence": [{"kind": "fallback-receipt"}]}},
)
FALLBACK_OF_REQUIRED = contract({**PLAN, "fallback": {"state": "degraded", "evidence": [{"kind": "fallback-receipt"}]}})
SECOND = exhibit(evidence_id="e2", reference="docs/more.md")
FACT = exhibit(evidence_id="f", kind="github-fact", reference="https://example.invalid/pr/57", digest="none", assertion="merged")


def checks(*producers: str) -> list[dict[str, object]]:
    return [exhibit(evidence_id=f"q{at}", kind="qa-result", producer=name) for at, name in enumerate(producers)]


REFUTED = (
    (receipt(exhibit(), receipt_id="tr-0123456789abcdef01234567"), None, "its id is not the one that its content gives"),
    (receipt(exhibit(), contract_id="other"), None, "it is for another contract"),
    (receipt(exhibit(), workstream_id="issue-43"), None, "it is for another workstream"),
    (receipt(exhibit("other\n")), None, "a file that it calls verified is missing or was changed since"),
    (receipt(exhibit(reference="docs/gone.md")), None, "a file that it calls verified is missing or was changed since"),
    (
        receipt(exhibit(), input_refs=[exhibit("old\n", evidence_id="i", kind="input")]),
        None,
        "a file that it calls verified is missing or was changed since",
    ),
    (receipt(exhibit(), exhibit(evidence_id="e2", verification_state="conflicting")), None, "it reports evidence that conflicts"),
    (receipt(exhibit(), exhibit(evidence_id="e2", assertion="empty")), None, "its verified evidence says two things of one source"),
    (receipt(exhibit(verification_state="unverified")), None, "it claims another settlement than its evidence comes to"),
    (labelled("unsatisfied", exhibit()), None, "it claims another settlement than its evidence comes to"),
    (
        receipt(exhibit(), settlement_state="unsatisfied"),
        None,
        "it is labelled with another settlement than its evidence comes to",
    ),
)
WEIGHED = (
    (receipt(exhibit()), None, S.SATISFIED),
    (receipt(exhibit(), SECOND), TWO, S.SATISFIED),
    (receipt(exhibit(), FACT), BOTH, S.SATISFIED),
    (labelled("unsatisfied"), None, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit(kind="qa-result")), None, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit(subject="review")), None, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit(), category="input_refs"), None, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit(verification_state="unverified")), None, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit()), TWO, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit()), BOTH, S.UNSATISFIED),
    (labelled("unavailable", exhibit(verification_state="unknown")), None, S.UNAVAILABLE),
    (labelled("unavailable", exhibit(verification_state="unavailable")), None, S.UNAVAILABLE),
    (
        labelled("unsatisfied", exhibit(verification_state="unknown"), exhibit(evidence_id="e2", verification_state="unverified")),
        None,
        S.UNSATISFIED,
    ),
    (receipt(*checks("a", "b")), INDEPENDENT, S.SATISFIED),
    (labelled("unsatisfied", *checks("a", "a")), INDEPENDENT, S.UNSATISFIED),
    (labelled("unsatisfied", *checks("a", "planner")), INDEPENDENT, S.UNSATISFIED),
    (receipt(exhibit()), OPTIONAL, S.SATISFIED),
    (labelled("degraded", exhibit(kind="fallback-receipt")), OPTIONAL, S.DEGRADED),
    (labelled("unsatisfied"), OPTIONAL, S.UNSATISFIED),
    (labelled("unsatisfied", exhibit(kind="fallback-receipt")), FALLBACK_OF_REQUIRED, S.UNSATISFIED),
)


@pytest.mark.parametrize(("text", "by", "reason"), REFUTED)
def test_what_is_refuted_conflicts_whatever_it_is_labelled(text: str, by: str | None, reason: str) -> None:
    seen = found(text, by=by)
    assert (seen.state, seen.reason) == (S.CONFLICTING, Raw(f"docs/r0.json: {reason}"))


@pytest.mark.parametrize(("text", "by", "state"), WEIGHED)
def test_what_is_not_refuted_comes_to_what_its_evidence_does(text: str, by: str | None, state: Settlement) -> None:
    seen = found(text, by=by)
    assert (seen.state, seen.reason) == (state, Raw(f"docs/r0.json: {REASONS[state]}"))


def test_every_row_and_every_state_has_its_receipt() -> None:
    unread = "a file that it calls verified is larger than is read, so its digest was not computed"
    assert {reason for _, _, reason in REFUTED} | {unread} == {row.reason for row in ROWS}
    assert {state for _, _, state in WEIGHED} == set(REASONS)


def test_a_file_larger_than_is_read_leaves_it_open() -> None:
    """A digest that was not computed refutes nothing and proves nothing."""
    proof = proof_of(receipt(exhibit()))
    (only,) = proof.receipts
    large = replace(only.exhibits[0], file=TextFact(file=FileFact(path=None), text="end", cut=True))
    trial = Trial(receipt=replace(only, exhibits=(large,)), obligation=proof.obligations[0], proof=proof)
    assert judge_receipt(trial)[0] is S.UNAVAILABLE


def test_the_labels_of_a_receipt_are_never_believed() -> None:
    record = json.loads(receipt(exhibit("other\n")))
    assert record["settlement_state"] == record["claimed_settlement"] == "satisfied"
    assert found(json.dumps(record)).state is S.CONFLICTING


GOOD, BAD = receipt(exhibit()), receipt(exhibit(), contract_id="other")
OPEN, UNSURE = labelled("unsatisfied", attempt=2), labelled("unavailable", exhibit(verification_state="unknown"))


@pytest.mark.parametrize(
    ("receipts", "state"),
    [
        ((), S.UNSATISFIED),
        ((GOOD, OPEN), S.SATISFIED),
        ((GOOD, UNSURE, OPEN), S.SATISFIED),
        ((GOOD, BAD), S.CONFLICTING),
        ((OPEN, UNSURE), S.UNAVAILABLE),
        ((OPEN, UNSURE, BAD), S.CONFLICTING),
    ],
)
def test_several_receipts_come_to_the_same_in_any_order(receipts: tuple[str, ...], state: Settlement) -> None:
    seen = [found(*order) for order in itertools.permutations(receipts)]
    assert {each.state for each in seen} == {state}


def test_no_receipt_is_a_reason_of_its_own() -> None:
    assert found().reason == Raw("no receipt settles it")


def test_an_optional_obligation_is_named_only_where_there_is_a_receipt_for_it() -> None:
    assert settle(proof_of(by=OPTIONAL)) == ()
    assert len(settle(proof_of(receipt(exhibit()), by=OPTIONAL))) == 1


def test_every_obligation_is_judged_by_its_own_receipts_in_the_order_of_the_contract() -> None:
    by = contract({"obligation_id": "review"}, PLAN)
    first, second = settle(proof_of(GOOD, by=by))
    assert (first.obligation.obligation_id, first.state) == (Raw("review"), S.UNSATISFIED)
    assert (second.obligation.obligation_id, second.state) == (Raw("plan"), S.SATISFIED)


@pytest.mark.parametrize(
    ("changes", "destination"),
    [
        ({}, "/plan"),
        ({"command": "impl-spec"}, "/impl-spec"),
        ({"phase": ""}, "planner"),
        ({"phase": "", "producer": "a; b"}, "'a; b'"),
        ({"phase": "", "command": "/retro"}, "/retro"),
    ],
)
def test_an_obligation_leads_to_its_command_or_its_phase_or_its_producer(changes: dict[str, object], destination: str) -> None:
    assert found(by=contract({**PLAN, **changes})).destination == Raw(destination)


def test_receipt_and_digest_are_shown() -> None:
    changed = found(receipt(exhibit("other\n"), exhibit(evidence_id="e2", reference="docs/gone.md"), FACT))
    assert [(each.kind, each.says) for each in changed.evidence] == [
        (EvidenceKind.RECEIPT, Says.AGAINST),
        (EvidenceKind.DIGEST, Says.AGAINST),
        (EvidenceKind.DIGEST, Says.AGAINST),
    ]
    assert [each.value for each in changed.evidence][1:] == [
        Raw("the digest differs: it was changed"),
        Raw("missing: no longer on disk"),
    ]
    good = found(receipt(exhibit()))
    assert [(each.kind, each.what, each.says) for each in good.evidence] == [
        (EvidenceKind.RECEIPT, Raw("docs/r0.json"), Says.FOR),
        (EvidenceKind.DIGEST, Raw("docs/out.md"), Says.FOR),
    ]
    assert found(UNSURE).evidence[0].says is Says.UNKNOWN
