"""Contracts and receipts: what is as the formats say is read, everything else is refused with a reason."""

import json
from collections.abc import Callable

import pytest

from claims.sagas import CONTRACT, THREAD, circumstances, contract, exhibit, read_state, receipt, thread, tick
from resume_forensics.claims.saga.proof import Given, compute_id, read_object, read_proof
from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import TextFact
from resume_forensics.model.obligation import EvidenceRule, Proof
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Missing, Settlement, Verification

PLAN = {"obligation_id": "plan"}


def proof_of(*receipts: str, by: str | None = None) -> Proof:
    named = {f"docs/r{at}.json": text for at, text in enumerate(receipts)}
    repository = {CONTRACT: contract(PLAN) if by is None else by, "docs/out.md": "written\n", **named, **thread(tick())}
    found = read_state(repository, circumstances(contract=CONTRACT, receipts=tuple(named))).proof
    assert found is not None
    return found


def problem_of(*receipts: str, by: str | None = None) -> Raw | None:
    found = proof_of(*receipts, by=by)
    assert found.problem is None or (found.obligations, found.receipts) == ((), ())
    return found.problem


def test_a_contract_is_read_in_its_order() -> None:
    text = contract(
        {**PLAN, "subject": "the plan"},
        {"obligation_id": "spec", "phase": "", "command": "impl-spec", "requirement": "optional"},
        {"obligation_id": "gate", "phase": None, "required_evidence": [{"kind": "qa-result", "minimum_count": 2, "independent": True}]},
        {"obligation_id": "slash", "phase": "", "command": "/retro"},
        {"obligation_id": "odd", "phase": "", "command": "rm -rf /"},
        {"obligation_id": "half", "fallback": {"state": "degraded", "evidence": [{"kind": "fallback-receipt"}]}},
    )
    found = proof_of(by=text)
    assert (found.path, found.contract_id, found.workstream_id) == (Raw(CONTRACT), Raw("route"), Raw(THREAD))
    assert [each.obligation_id for each in found.obligations] == list(map(Raw, ("plan", "spec", "gate", "slash", "odd", "half")))
    plan, spec, gate, slash, odd, half = found.obligations
    assert (plan.subject, plan.producer, plan.required, plan.phase, plan.command) == (
        Raw("the plan"),
        Raw("planner"),
        True,
        Raw("plan"),
        None,
    )
    assert plan.rules == (EvidenceRule(kind=Raw("canonical-output")),)
    assert (spec.required, spec.command, spec.phase) == (False, Raw("impl-spec"), None)
    assert gate.rules == (EvidenceRule(kind=Raw("qa-result"), minimum_count=2, independent=True),)
    assert (slash.command, odd.command) == (Raw("retro"), None)
    assert half.fallback == (EvidenceRule(kind=Raw("fallback-receipt")),)


def test_a_receipt_is_read_with_what_stands_at_its_references() -> None:
    github = exhibit(evidence_id="g", kind="github-fact", reference="/repos/acme/app/pulls/57", assertion="merged")
    unsure = exhibit(evidence_id="u", verification_state="unknown")
    found = proof_of(
        receipt(
            exhibit(), unsure, input_refs=[exhibit(evidence_id="i", kind="input")], external_facts=[github], settlement_state="degraded"
        )
    )
    (read,) = found.receipts
    assert (read.obligation_id, read.claimed, read.labelled) == (Raw("plan"), Settlement.SATISFIED, Settlement.DEGRADED)
    assert read.receipt_id == read.computed_id
    given, proving, unknown, fact = read.exhibits
    assert (given.is_input, proving.is_input) == (True, False)
    assert proving.file is not None
    assert compose("sha256:", proving.file.digest or "") == proving.digest
    assert (unknown.state, unknown.file) == (Verification.UNKNOWN, None)
    assert (fact.is_file, fact.is_checked, fact.file) == (False, False, None)


def test_a_reference_that_is_gone_is_read_as_gone() -> None:
    (read,) = proof_of(receipt(exhibit(reference="docs/gone.md"))).receipts
    assert read.exhibits[0].file == TextFact(file=FileFact(path=None, missing=Missing.GONE))


def test_the_id_of_a_receipt_is_made_of_its_content_without_labels() -> None:
    """Held against the id in a receipt that the origin's formula gave: sorted keys, no blanks, ASCII."""
    record = json.loads(receipt(exhibit(producer="bäcker")))
    assert record["receipt_id"] == compute_id({**record, "settlement_state": "conflicting", "settlement_reasons": ["x"]})
    assert record["receipt_id"] != compute_id({**record, "attempt": 2})
    assert record["receipt_id"] != compute_id({**record, "claimed_settlement": "unsatisfied"})
    assert len(record["receipt_id"]) == len("tr-") + 24


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is no JSON object"),
        ("[]", "it is no JSON object"),
        ("{", "it is no JSON object"),
        ("[" * 100_000, "it is no JSON object"),
        ('{"a": ' + "9" * 10_000 + "}", "it is no JSON object"),
        ("{}", "it is not of the schema saga.lifecycle-obligation.v1"),
        (contract(PLAN, schema="saga.lifecycle-obligation.v2"), "it is not of the schema saga.lifecycle-obligation.v1"),
        (contract(PLAN, schema=None), "it is not of the schema saga.lifecycle-obligation.v1"),
        (contract(), "it names no obligation, or one of them twice"),
        (contract(PLAN, PLAN), "it names no obligation, or one of them twice"),
        (contract(PLAN, obligations={}), "its `obligations` is no list of objects"),
        (contract(PLAN, obligations=["plan"]), "its `obligations` is no list of objects"),
        (contract(*[{"obligation_id": f"o{at}"} for at in range(LIMITS.contract_items + 1)]), "its `obligations` has more than 200 items"),
        (contract(PLAN, contract_id=7), "it has a `contract_id` that is no text"),
        (contract(PLAN, workstream_id="a b"), "it has a `workstream_id` that is no plain name"),
        (contract({"obligation_id": "a/b"}), "it has a `obligation_id` that is no plain name"),
        (contract({**PLAN, "subject": " "}), "it has a `subject` that is no text"),
        (contract({**PLAN, "producer": None}), "it has a `producer` that is no text"),
        (contract({**PLAN, "requirement": "wanted"}), "an obligation is neither required nor optional"),
        (contract({**PLAN, "required_evidence": []}), "an obligation asks for no evidence"),
        (contract({**PLAN, "required_evidence": None}), "its `required_evidence` is no list of objects"),
        (contract({**PLAN, "required_evidence": [{}]}), "it has a `kind` that is no text"),
        *(
            (
                contract({**PLAN, "required_evidence": [{"kind": "canonical-output", **odd}]}),
                "a rule of evidence counts in something else than whole numbers from one",
            )
            for odd in ({"minimum_count": 0}, {"minimum_count": True}, {"minimum_count": "1"}, {"independent": 1})
        ),
    ],
)
def test_a_contract_that_is_not_as_the_format_says_is_refused(text: str, why: str) -> None:
    assert problem_of(by=text) == Raw(f"{CONTRACT}: {why}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("null", "it is no JSON object"),
        (contract(PLAN), "it is not of the schema saga.transition-receipt.v1"),
        (receipt(exhibit(), obligation_id="review"), "it is for an obligation that the contract does not have"),
        (receipt(exhibit(), exhibit()), "two pieces of its evidence have the same id"),
        (receipt(exhibit(), check_results=None), "its `check_results` is no list of objects"),
        (receipt(exhibit(reference="/etc/passwd")), "a piece of its evidence refers to a file outside the repository"),
        (receipt(exhibit(reference="docs/../../x")), "a piece of its evidence refers to a file outside the repository"),
        (receipt(exhibit(verification_state="seen")), "it has a `verification_state` that is none of the known words"),
        (receipt(exhibit(digest=None)), "it has a `digest` that is no text"),
        (receipt(exhibit(assertion=7)), "it has a `assertion` that is no text"),
        (receipt(exhibit(), claimed_settlement="settled"), "it has a `claimed_settlement` that is none of the known words"),
        (receipt(exhibit(), receipt_id=""), "it has a `receipt_id` that is no text"),
    ],
)
def test_a_receipt_that_is_not_as_the_format_says_is_refused(text: str, why: str) -> None:
    assert problem_of(receipt(exhibit()), text) == Raw(f"docs/r1.json: {why}")


@pytest.mark.parametrize("reference", ["../docs/contract.json", "/repository/docs/contract.json", "docs/../docs/contract.json", ""])
def test_a_reference_that_leads_out_is_refused_before_it_is_read(reference: str) -> None:
    said = circumstances(contract=reference)
    proof = read_state({CONTRACT: contract(PLAN), reference: contract(PLAN)}, said).proof
    assert proof is not None
    assert proof.problem == Raw(f"{reference}: a reference must be relative to the repository and must not climb out of it")


def test_a_contract_that_is_not_there_says_so() -> None:
    proof = read_state({"docs/other.json": ""}, circumstances(contract=CONTRACT)).proof
    assert proof is not None
    assert proof.problem == Raw(f"{CONTRACT}: no longer on disk")


def test_a_contract_larger_than_is_read_says_so() -> None:
    cut = TextFact(file=FileFact(path=None), text="{}", cut=True)
    assert read_proof(Given(reference=CONTRACT, fact=cut), (), lambda _: None).problem == Raw(f"{CONTRACT}: it is larger than is read")


def test_a_receipt_nested_deeper_than_can_be_spelled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise RecursionError

    text = receipt(exhibit())
    monkeypatch.setattr(json, "dumps", refuse)
    assert problem_of(text, by=_CONTRACT_TEXT) == Raw("docs/r0.json: it is nested too deeply")


_CONTRACT_TEXT = contract(PLAN)


@pytest.mark.parametrize("make", [lambda: contract(PLAN), lambda: receipt(exhibit())], ids=["contract", "receipt"])
def test_a_document_cut_anywhere_is_refused_and_never_raises(make: Callable[[], str]) -> None:
    whole = make()
    for end in range(len(whole)):
        assert read_object(whole[:end]) is None
    assert read_object(whole) is not None


@pytest.mark.parametrize("odd", [None, 7, 1.5, True, "", "x", [], [[]], [7], {}, {"a": {}}, "\ud800"])
def test_a_value_of_a_wrong_type_is_refused_or_read_and_never_raises(odd: object) -> None:
    plain_contract, plain_receipt = json.loads(contract(PLAN)), json.loads(receipt(exhibit()))
    (plan,) = plain_contract["obligations"]
    found = [
        *(proof_of(by=json.dumps({**plain_contract, key: odd})) for key in plain_contract),
        *(proof_of(by=json.dumps({**plain_contract, "obligations": [{**plan, key: odd}]})) for key in plan),
        *(proof_of(json.dumps({**plain_receipt, key: odd})) for key in plain_receipt),
        *(proof_of(receipt({**exhibit(), key: odd})) for key in exhibit()),
    ]
    assert [proof for proof in found if (proof.problem is None) is not bool(proof.obligations)] == []
