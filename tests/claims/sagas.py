"""Invented sagas for the tests: a repository as a dictionary of paths and texts, asked and answered in memory."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from resume_forensics.claims.saga import SYSTEM, translate
from resume_forensics.claims.saga.proof import compute_id
from resume_forensics.model.claim import Circumstances, PullRequest
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import (
    Answer,
    Answers,
    DirtyFact,
    FileState,
    FileText,
    FolderFact,
    FolderNames,
    GitDirty,
    GitPlace,
    Inquiry,
    PlaceFact,
    TextFact,
)
from resume_forensics.model.thread import SagaState
from resume_forensics.text import Raw, reveal
from resume_forensics.vocabulary import Missing

NOW = datetime(2026, 1, 2, 9, 0, 0, tzinfo=UTC)
SAGAS = ".gemini/saga/sagas"
THREAD = "issue-42"
BRANCH = "feature/export"

FIELDS: Mapping[str, str | tuple[str, ...]] = {
    "schema_version": "1.0",
    "saga_id": THREAD,
    "kind": "issue",
    "id": "42",
    "created_at": "2026-01-01T10:00:00+00:00",
    "updated_at": "2026-01-02T02:00:00+00:00",
    "lifecycle_phase": "work",
    "phase_status": "in_progress",
    "status": "active",
    "next_step": '"/work: continue"',
    "issue_ref": "acme/app#42",
    "destination": "pr",
    "plan_path": "docs/plan.md",
    "branch": BRANCH,
    "rounds_seen": ("1",),
    "next_round": "2",
    "blockers": '""',
    "open_questions": (),
}


def tick(summary: str = "as above", **changes: str | tuple[str, ...] | None) -> str:
    """A tick; a change to None leaves the field out."""
    fields = {name: value for name, value in {**FIELDS, **changes}.items() if value is not None}
    spelled = [
        f"{name}: {value}"
        if isinstance(value, str)
        else "\n".join([f"{name}:", *(f"  - {item}" for item in value)])
        if value
        else f"{name}: []"
        for name, value in fields.items()
    ]
    return "\n".join(["---", *spelled, "---", "", "## Summary", "", summary, ""])


def thread(*ticks: str, saga_id: str = THREAD) -> dict[str, str]:
    """The files of one thread, a tick an hour, from midnight on."""
    return {f"{SAGAS}/{saga_id}/20260102-{hour:02}0000.md": text for hour, text in enumerate(ticks)}


def circumstances(  # noqa: PLR0913 (one name for each option)
    *,
    now: datetime = NOW,
    saga_id: str | None = None,
    issue: str | None = None,
    state_dir: str | None = None,
    contract: str | None = None,
    receipts: tuple[str, ...] = (),
    session_id: str | None = None,
    accepted: Sequence[str] = (),
    prs: Sequence[PullRequest] | None = None,
) -> Circumstances:
    """What a caller says."""
    return Circumstances(
        now=now,
        root=Raw("/repository"),
        session_id=None if session_id is None else Raw(session_id),
        saga_id=saga_id,
        issue=issue,
        state_dir=state_dir,
        contract=contract,
        receipts=receipts,
        accepted=frozenset(map(Raw, accepted)),
        prs=None if prs is None else tuple(prs),
    )


class Machine(Struct, frozen=True, kw_only=True, dict=True):
    """A repository in memory: files, the branch that is checked out, and what is uncommitted."""

    files: Mapping[str, str | bytes]
    branch: str | None = BRANCH
    dirty: tuple[str, ...] = ()
    git_problem: str | None = None

    def answer(self, inquiry: Inquiry) -> Answer:
        """Answer as the reading room does."""
        match inquiry:
            case GitPlace():
                return PlaceFact(is_directory=True, is_top=True, branch=self.branch)
            case GitDirty():
                return DirtyFact(paths=self.dirty, problem=self.git_problem)
            case FolderNames():
                return self._list(PurePosixPath(reveal(inquiry.path)), deep=inquiry.deep)
            case FileText():
                return self._read(reveal(inquiry.path), inquiry.limit_bytes)
            case FileState():
                return FileFact(path=None, missing=None if reveal(inquiry.path) in self.files else Missing.GONE)
        raise AssertionError(f"a saga asked for a {type(inquiry).__name__}")

    def _list(self, folder: PurePosixPath, *, deep: bool) -> FolderFact:
        below = [PurePosixPath(path).relative_to(folder) for path in self.files if PurePosixPath(path).is_relative_to(folder)]
        if not below or below == [PurePosixPath()]:
            return FolderFact(missing=Missing.GONE)
        return FolderFact(names=tuple(sorted({str(path) if deep else path.parts[0] for path in below})))

    def _read(self, path: str, limit_bytes: int | None) -> TextFact:
        if path not in self.files:
            return TextFact(file=FileFact(path=None, missing=Missing.GONE))
        held = self.files[path]
        content = held if isinstance(held, bytes) else held.encode(errors="surrogateescape")
        cut = limit_bytes is not None and len(content) > limit_bytes
        digest = None if cut else hashlib.sha256(content).hexdigest()
        return TextFact(
            file=FileFact(path=None),
            text=(content[-(limit_bytes or 0) :] if cut else content).decode(errors="surrogateescape"),
            cut=cut,
            digest=digest,
        )

    def gather(self, said: Circumstances) -> Answers:
        """Ask round by round until nothing new is named."""
        held: dict[Inquiry, Answer] = {
            FolderNames(path=Raw(name)): self._list(PurePosixPath(name), deep=False) for name in SYSTEM.looks_into
        }
        while wanted := [inquiry for inquiry in SYSTEM.inquire(Answers(held), said) if inquiry not in held]:
            held |= {inquiry: self.answer(inquiry) for inquiry in wanted}
        return Answers(held)


def read_state(files: Mapping[str, str | bytes], said: Circumstances | None = None) -> SagaState:
    """What the claims room makes of a repository."""
    known = said or circumstances()
    return translate(Machine(files=files).gather(known), known)


CONTRACT = "docs/contract.json"


def contract(*obligations: Mapping[str, object], **changes: object) -> str:
    """A contract of obligations, each by what it differs from a plain required one of that id."""
    rows = [
        {
            "kind": "stored-phase",
            "subject": each["obligation_id"],
            "requirement": "required",
            "producer": "planner",
            "required_evidence": [{"kind": "canonical-output"}],
            "phase": each["obligation_id"],
            **each,
        }
        for each in obligations
    ]
    record = {"schema": "saga.lifecycle-obligation.v1", "contract_id": "route", "workstream_id": THREAD, "obligations": rows}
    return json.dumps({**record, **changes})


def exhibit(content: str = "written\n", **changes: object) -> dict[str, object]:
    """A piece of evidence for `docs/out.md` with this content."""
    return {
        "evidence_id": "e1",
        "kind": "canonical-output",
        "subject": "plan",
        "producer": "builder",
        "reference": "docs/out.md",
        "digest": f"sha256:{hashlib.sha256(content.encode()).hexdigest()}",
        "verification_state": "verified",
        "assertion": "written",
        **changes,
    }


def receipt(*exhibits: Mapping[str, object], category: str = "canonical_outputs", **changes: object) -> str:
    """A receipt for the obligation `plan`, with the id that its content gives it unless that is changed."""
    lists: dict[str, object] = {
        name: []
        for name in (
            "input_refs",
            "operator_decisions",
            "execution_receipts",
            "canonical_outputs",
            "check_results",
            "review_findings",
            "lifecycle_evidence",
            "external_facts",
        )
    }
    record: dict[str, object] = {
        "schema": "saga.transition-receipt.v1",
        "contract_id": "route",
        "workstream_id": THREAD,
        "transition_id": "settle-plan",
        "obligation_id": "plan",
        "attempt": 1,
        **lists,
        category: list(exhibits),
        "claimed_settlement": "satisfied",
        "settlement_state": "satisfied",
        "settlement_reasons": [],
        **changes,
    }
    return json.dumps({"receipt_id": compute_id(record), **record})
