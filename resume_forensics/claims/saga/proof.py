"""Contracts and receipts: the JSON texts that were read go in, a typed `Proof` comes out, or the reason why there is none. Pure.

`saga.lifecycle-obligation.v1` and `saga.transition-receipt.v1` fail closed: what is not as the format says is not guessed at.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.claims.saga.ticks import is_inside
from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import TextFact
from resume_forensics.model.obligation import EvidenceRule, Exhibit, Obligation, Proof, Receipt
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Missing, Settlement, Verification

Object: TypeAlias = Mapping[str, object]
Lookup: TypeAlias = Callable[[str], TextFact | None]

_CONTRACT: Final = "saga.lifecycle-obligation.v1"
_RECEIPT: Final = "saga.transition-receipt.v1"
_INPUTS: Final = "input_refs"
_CATEGORIES: Final = (
    _INPUTS,
    "operator_decisions",
    "execution_receipts",
    "canonical_outputs",
    "check_results",
    "review_findings",
    "lifecycle_evidence",
    "external_facts",
)
_IDENTITY: Final = ("contract_id", "workstream_id", "transition_id", "obligation_id", "attempt", *_CATEGORIES, "claimed_settlement")
"""What a receipt's id is made of."""

_ID_DIGITS: Final = 24
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,200}")
_GITHUB: Final = "github-fact"

_Word = TypeVar("_Word", bound=StrEnum)


class _Refused(Exception):  # noqa: N818 (it never leaves this file)
    """A document is not as its format says; the sentence is our own."""


class Given(Struct, frozen=True, kw_only=True):
    """A reference that the caller gave, and what was read there (None: not asked yet, or not to be asked)."""

    reference: str
    fact: TextFact | None


def read_proof(contract: Given, receipts: Iterable[Given], lookup: Lookup) -> Proof:
    """Answer contract and receipts. `lookup` gives what was read at a reference of the evidence, None where it was not asked."""
    at = contract
    read: list[Receipt] = []
    try:
        proof = _contract(contract)
        known = {obligation.obligation_id for obligation in proof.obligations}
        for at in receipts:
            read.append(_receipt(at, known, lookup))
    except _Refused as why:
        return Proof(path=Raw(contract.reference), problem=compose(at.reference, ": ", str(why)))
    return replace(proof, receipts=tuple(read))


def _contract(given: Given) -> Proof:
    record = _open(given, _CONTRACT)
    obligations = tuple(_obligation(each) for each in _objects(record, "obligations"))
    if not obligations or len({obligation.obligation_id for obligation in obligations}) != len(obligations):
        raise _Refused("it names no obligation, or one of them twice")
    return Proof(
        path=Raw(given.reference),
        contract_id=Raw(_name(record, "contract_id")),
        workstream_id=Raw(_name(record, "workstream_id")),
        obligations=obligations,
    )


def _open(given: Given, schema: str) -> Object:
    if not is_inside(given.reference):
        raise _Refused("a reference must be relative to the repository and must not climb out of it")
    if given.fact is None or given.fact.text is None:
        raise _Refused(str(given.fact.file.missing if given.fact else Missing.GONE))
    if given.fact.cut:
        raise _Refused("it is larger than is read")
    record = read_object(given.fact.text)
    if record is None:
        raise _Refused("it is no JSON object")
    if record.get("schema") != schema:
        raise _Refused(f"it is not of the schema {schema}")
    return record


def read_object(text: str) -> Object | None:
    """Decode one JSON object; None where the text is none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _receipt(given: Given, known: set[Raw], lookup: Lookup) -> Receipt:
    record = _open(given, _RECEIPT)
    obligation_id = Raw(_name(record, "obligation_id"))
    if obligation_id not in known:
        raise _Refused("it is for an obligation that the contract does not have")
    exhibits = tuple(_exhibit(each, category, lookup) for category in _CATEGORIES for each in _objects(record, category))
    if len({exhibit.evidence_id for exhibit in exhibits}) != len(exhibits):
        raise _Refused("two pieces of its evidence have the same id")
    return Receipt(
        path=Raw(given.reference),
        receipt_id=Raw(_text(record, "receipt_id")),
        computed_id=Raw(compute_id(record)),
        contract_id=Raw(_text(record, "contract_id")),
        workstream_id=Raw(_text(record, "workstream_id")),
        obligation_id=obligation_id,
        exhibits=exhibits,
        claimed=_word(Settlement, record, "claimed_settlement"),
        labelled=_word(Settlement, record, "settlement_state"),
    )


def compute_id(record: Object) -> str:
    """Answer the id that a receipt's content gives it: `tr-` and the first 24 hex digits of the SHA-256 over its sorted ASCII JSON."""
    identity = {name: record.get(name) for name in _IDENTITY}
    try:
        spelled = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        raise _Refused("it is nested too deeply") from None
    return f"tr-{hashlib.sha256(spelled.encode()).hexdigest()[:_ID_DIGITS]}"


def _exhibit(record: Object, category: str, lookup: Lookup) -> Exhibit:
    kind, reference = _text(record, "kind"), _text(record, "reference")
    if kind != _GITHUB and not is_inside(reference):
        raise _Refused("a piece of its evidence refers to a file outside the repository")
    exhibit = Exhibit(
        evidence_id=Raw(_text(record, "evidence_id")),
        kind=Raw(kind),
        subject=Raw(_text(record, "subject")),
        producer=Raw(_text(record, "producer")),
        reference=Raw(reference),
        digest=Raw(_text(record, "digest")),
        state=_word(Verification, record, "verification_state"),
        assertion=Raw(_text(record, "assertion", default="")),
        is_input=category == _INPUTS,
        is_file=kind != _GITHUB,
    )
    return replace(exhibit, file=lookup(reference)) if exhibit.is_checked else exhibit


def _obligation(record: Object) -> Obligation:
    required = _text(record, "requirement")
    if required not in {"required", "optional"}:
        raise _Refused("an obligation is neither required nor optional")
    fallback = record.get("fallback")
    rules = _rules(record, "required_evidence")
    if not rules:
        raise _Refused("an obligation asks for no evidence")
    return Obligation(
        obligation_id=Raw(_name(record, "obligation_id")),
        subject=Raw(_text(record, "subject")),
        producer=Raw(_text(record, "producer")),
        required=required == "required",
        rules=rules,
        command=_destination(record, "command"),
        phase=_destination(record, "phase"),
        fallback=_rules(fallback, "evidence") if isinstance(fallback, dict) else (),
    )


def _rules(record: Object, key: str) -> tuple[EvidenceRule, ...]:
    return tuple(_rule(each) for each in _objects(record, key))


def _rule(record: Object) -> EvidenceRule:
    count, independent = record.get("minimum_count", 1), record.get("independent", False)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1 or not isinstance(independent, bool):
        raise _Refused("a rule of evidence counts in something else than whole numbers from one")
    return EvidenceRule(kind=Raw(_text(record, "kind")), minimum_count=count, independent=independent)


def _destination(record: Object, key: str) -> Raw | None:
    """A command or phase as a plain name; whatever else stands there could not be followed as one."""
    value = record.get(key) or ""
    plain = value.removeprefix("/") if isinstance(value, str) else ""
    return Raw(plain) if _NAME.fullmatch(plain) else None


def _objects(record: Object, key: str) -> list[dict[str, object]]:
    value = record.get(key)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _Refused(f"its `{key}` is no list of objects")
    if len(value) > LIMITS.contract_items:
        raise _Refused(f"its `{key}` has more than {LIMITS.contract_items} items")
    return value


def _text(record: Object, key: str, *, default: str | None = None) -> str:
    value = record.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise _Refused(f"it has a `{key}` that is no text")
    return value


def _name(record: Object, key: str) -> str:
    value = _text(record, key)
    if not _NAME.fullmatch(value):
        raise _Refused(f"it has a `{key}` that is no plain name")
    return value


def _word(words: type[_Word], record: Object, key: str) -> _Word:
    value = _text(record, key)
    if value not in set(words):
        raise _Refused(f"it has a `{key}` that is none of the known words")
    return words(value)
