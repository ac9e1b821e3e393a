"""The sessions of a directory come in, a table for people or a JSON document goes out.

The number in front is what `--nth` takes: 1 is the newest, 2 the one before it.
"""

from pathlib import PurePath
from typing import Final

from resume_forensics.model.report import OtherSession, SessionList
from resume_forensics.render.document import dump, other_session
from resume_forensics.render.page import Page
from resume_forensics.render.words import write_time
from resume_forensics.text import Masked

SESSIONS_SCHEMA: Final = "resume-forensics/sessions/1"


def write_listing(listing: SessionList[Masked]) -> str:
    """Answer one line for each session, newest first: number, last activity, bytes, id, path."""
    page = Page()
    if listing.sessions:
        page.row(f"{'nth':>4}  {'last activity':23}  {'bytes':>13}  session", indent=0)
    for number, other in enumerate(listing.sessions, 1):
        page.row(f"{number:>4}  {write_time(other.last_activity):23}  {other.size_bytes:>13,}  {_id(other)}  {other.session}", indent=0)
    for warning in listing.warnings:
        page.gap()
        page.say(f"Warning: {warning}")
    page.gap()
    if listing.sessions:
        page.say("Scan one of them with `resume-scan --nth N` or `resume-scan --session FILE`.")
    else:
        page.say("No session of this directory was found. Name another directory with --cwd, or a store with --projects-dir.")
    return str(page)


def write_listing_document(listing: SessionList[Masked]) -> str:
    """Answer the same as JSON, schema `resume-forensics/sessions/1`."""
    rows = [{"nth": number, "session_id": _id(other), **other_session(other)} for number, other in enumerate(listing.sessions, 1)]
    return dump(
        {"schema": SESSIONS_SCHEMA, "sessions": rows, "warnings": list(listing.warnings), "redacted_kinds": list(listing.redacted_kinds)}
    )


def _id(other: OtherSession[Masked]) -> str:
    """A session file is named by its session."""
    return PurePath(other.session).stem
