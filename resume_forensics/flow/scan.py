"""The road of one scan: find the session, read it, translate, join, judge, assemble, seal."""

from datetime import datetime

from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report, SessionList
from resume_forensics.model.session import Selection
from resume_forensics.text import Masked


def scan(selection: Selection, *, now: datetime, live_window_s: int = LIMITS.live_window_s) -> Report[Masked]:
    """Answer what became of the selected session and of every worker it launched.

    Raises `NoSession` where nothing fits the selection, `UnreadableFile` where its file is no readable regular file.
    """
    raise NotImplementedError


def list_sessions(selection: Selection, *, now: datetime) -> SessionList[Masked]:
    """Answer the sessions that belong to the selection's directory, newest first. Raises `NoSession` where there is none."""
    raise NotImplementedError
