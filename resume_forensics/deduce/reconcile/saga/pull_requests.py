"""Which pull requests are about a thread, and of which round. In: what the caller was told by GitHub. Pure; a guess is no match."""

import re
from collections.abc import Iterable
from typing import Final

from resume_forensics.model.claim import PullRequest
from resume_forensics.model.thread import IssueRef, Tick
from resume_forensics.text import Raw, compose

_REFERENCE: Final = re.compile(r"([\w.-]{1,100}/[\w.-]{1,100})?#([0-9]{1,9})(?![0-9])", re.ASCII)
_ROUND: Final = re.compile(r"round-([0-9]{1,9})(?![0-9])", re.IGNORECASE)


def round_of(pull_request: PullRequest) -> int | None:
    """The round that its title names."""
    found = _ROUND.search(pull_request.title)
    return int(found[1]) if found else None


def is_merged(pull_request: PullRequest) -> bool:
    """Whether GitHub says that it was merged."""
    return pull_request.state.upper() == "MERGED" or pull_request.merged_at is not None


def is_about(pull_request: PullRequest, tick: Tick) -> bool:
    """Whether its title names the thread's issue by its whole number, or the thread's newest tick names the pull request."""
    named = (
        IssueRef(number=int(found[2]), repository=Raw(found[1].lower()) if found[1] else None)
        for found in _REFERENCE.finditer(pull_request.title)
    )
    about = tick.issue is not None and any(tick.issue.means(reference) for reference in named)
    return about or pull_request.number in tick.pull_requests


def of_thread(pull_requests: Iterable[PullRequest], tick: Tick) -> tuple[PullRequest, ...]:
    """Those that are about the thread, in the order of their rounds and numbers."""
    about = (each for each in pull_requests if is_about(each, tick))
    return tuple(sorted(about, key=lambda each: (round_of(each) or 0, each.number or 0, each.title)))


def of_newest_round(pull_requests: Iterable[PullRequest], tick: Tick) -> tuple[PullRequest, ...]:
    """Those of the thread that belong to the newest round that its newest tick has seen."""
    return tuple(each for each in of_thread(pull_requests, tick) if tick.rounds and round_of(each) == max(tick.rounds))


def describe(pull_request: PullRequest) -> Raw:
    """One line: number, title, state, when it was merged, and what the review said."""
    number = f"#{pull_request.number}" if pull_request.number is not None else "(no number)"
    merged = f" at {pull_request.merged_at:%Y-%m-%dT%H:%M:%SZ}" if pull_request.merged_at else ""
    review: tuple[str | Raw, ...] = (", review ", Raw(pull_request.review_decision)) if pull_request.review_decision else ()
    return compose(number, " ", Raw(pull_request.title), ": ", Raw(pull_request.state or "no state"), merged, *review)
