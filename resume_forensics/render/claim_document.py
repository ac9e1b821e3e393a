"""A masked reconciliation comes in, the JSON document `resume-forensics/reconcile/1` goes out: plain ASCII, keys always in one order.

Fields are added within one schema number, never renamed or dropped; `schema/reconcile-1.json` in this package says it formally.
"""

from collections.abc import Iterable
from typing import Final

from resume_forensics.model.claim import (
    Advice,
    Claim,
    Conflict,
    Context,
    Named,
    NextAction,
    OpenQuestion,
    PlannedWrite,
    Reconciliation,
)
from resume_forensics.render.document import Object, dump, write_iso
from resume_forensics.text import Masked
from resume_forensics.vocabulary import WriteKind

RECONCILE_SCHEMA: Final = "resume-forensics/reconcile/1"


def write_claim_document(found: Reconciliation[Masked]) -> str:
    """Answer the whole reconciliation as JSON with a final newline. Times are ISO 8601 in UTC, ages seconds."""
    return dump(
        {
            "schema": RECONCILE_SCHEMA,
            "system": found.system,
            "root": found.root,
            "generated_at": write_iso(found.generated_at),
            "context": _context(found.context),
            "claims": [_claim(claim) for claim in found.claims],
            "conflicts": [_conflict(conflict) for conflict in found.conflicts],
            "questions_open": [_question(question) for question in found.questions_open],
            "next_action": _next_action(found.next_action),
            "report_lines": list(found.report_lines),
            "writes_planned": [_write(write) for write in found.writes_planned],
            "applied": _applied(found),
            "transcripts": _transcripts(found),
            "warnings": list(found.warnings),
            "redacted_kinds": list(found.redacted_kinds),
        }
    )


def _context(context: Context[Masked]) -> Object:
    return {
        "lines": list(context.lines),
        "commits": list(context.commits),
        "facts": _named(context.facts),
        "files": list(context.files),
    }


def _named(rows: Iterable[Named[Masked]]) -> Object:
    return {row.name: row.value for row in rows}


def _claim(claim: Claim[Masked]) -> Object:
    return {
        "id": claim.id,
        "claim": claim.claim,
        "claimed_status": claim.claimed_status,
        "evidence": [{"kind": seen.kind, "what": seen.what, "value": seen.value, "says": seen.says} for seen in claim.evidence],
        "verdict": claim.verdict,
        "proposal": _advice(claim.proposal),
    }


def _advice(advice: Advice[Masked]) -> Object:
    return {
        "name": advice.name,
        "command": advice.command,
        "reason": advice.reason,
        "destroys": list(advice.destroys),
        "after": list(advice.after),
    }


def _conflict(conflict: Conflict[Masked]) -> Object:
    return {
        "id": conflict.id,
        "kind": conflict.kind,
        "claims": list(conflict.claims),
        "sides": list(conflict.sides),
        "resolution": conflict.resolution,
        "blocks_apply": conflict.blocks_apply,
    }


def _question(question: OpenQuestion[Masked]) -> Object:
    return {
        "id": question.id,
        "text": question.text,
        "raised_at": write_iso(question.raised_at),
        "age_s": question.age_s,
        "source": question.source,
    }


def _next_action(action: NextAction[Masked]) -> Object:
    then = action.then
    return {
        "name": action.name,
        "target": action.target,
        "reason": action.reason,
        "command": action.command,
        "before": list(action.before),
        "then": {"name": then.name, "target": then.target, "command": then.command} if then else None,
    }


def _write(write: PlannedWrite[Masked]) -> Object:
    """One planned write, with the one list that its kind uses."""
    parts: Object = {
        WriteKind.REPLACE: {
            "changes": [{"pointer": change.pointer, "before": change.before, "after": change.after} for change in write.changes]
        },
        WriteKind.APPEND: {"lines": list(write.lines)},
        WriteKind.CREATE: {"fields": _named(write.fields)},
        WriteKind.TRANSACTION: {"statements": list(write.statements)},
    }
    part = parts[write.kind]
    return {"path": write.path, "kind": write.kind, **(part if isinstance(part, dict) else {})}


def _applied(found: Reconciliation[Masked]) -> Object | None:
    applied = found.applied
    return {"done": applied.done, "refusals": list(applied.refusals), "written": list(applied.written)} if applied else None


def _transcripts(found: Reconciliation[Masked]) -> Object | None:
    mention = found.transcripts
    return {"session": mention.session, "unreported": mention.unreported, "command": mention.command} if mention else None
