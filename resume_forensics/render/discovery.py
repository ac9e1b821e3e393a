"""The sessions of a repository come in, one line for each or a JSON document goes out; never what they say."""

from typing import Final

from resume_forensics.model.discovery import Discovery, FoundSession
from resume_forensics.render.document import Object, dump, write_iso
from resume_forensics.render.page import Page, count
from resume_forensics.render.words import write_time
from resume_forensics.text import Masked

DISCOVERY_SCHEMA: Final = "resume-forensics/discovery/1"


def write_discovery(found: Discovery[Masked]) -> str:
    """Answer one line for each session, newest first: time, records, harness, id, path."""
    page = Page()
    for one in found.sessions:
        page.row(f"{write_time(one.last_activity):23}  {one.records:>9,}  {one.harness}  {one.session_id}  {one.session}", indent=0)
    page.gap()
    page.say(_sum_up(found))
    for warning in found.warnings:
        page.say(f"Warning: {warning}")
    if found.sessions:
        page.say("Extract one of them with `resume-scan skeleton --session FILE --output FILE`.")
    return str(page)


def write_discovery_document(found: Discovery[Masked]) -> str:
    """Answer the same as JSON, schema `resume-forensics/discovery/1`."""
    return dump(
        {
            "schema": DISCOVERY_SCHEMA,
            "repository": found.repository,
            "days": found.days,
            "sessions": [_session(one) for one in found.sessions],
            "left_out": found.left_out,
            "excluded": found.excluded,
            "warnings": list(found.warnings),
            "redacted_kinds": list(found.redacted_kinds),
        }
    )


def _session(one: FoundSession[Masked]) -> Object:
    return {
        "session": one.session,
        "session_id": one.session_id,
        "harness": one.harness,
        "last_activity": write_iso(one.last_activity),
        "records": one.records,
        "bytes": one.size_bytes,
    }


def _sum_up(found: Discovery[Masked]) -> str:
    """How many there are, and what was left out."""
    total = len(found.sessions) + found.left_out
    excluded = f"; {count(found.excluded, 'session')} excluded" if found.excluded else ""
    more = f"; {found.left_out:,} more than --cap shows" if found.left_out else ""
    numbers = count(total, "session") if total else "No session"
    return f"{numbers} of {found.repository} in the last {count(found.days, 'day')}{more}{excluded}."
