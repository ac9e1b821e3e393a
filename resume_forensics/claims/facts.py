"""What the machine cannot show: the text of the `--facts` file comes in, pull requests and listed agents go out.

The file is `{"schema": "resume-forensics/facts/1", "prs": [...], "agents": [...]}`, or bare the array that
`gh pr list --state all --json number,title,state,mergedAt,url,reviewDecision` prints.
"""

import json
from typing import Final

from msgspec import Struct

from resume_forensics.errors import WrongUse
from resume_forensics.model.claim import ListedAgent, PullRequest
from resume_forensics.model.record import JsonObject, number_of, objects_of, read_time, text_of

FACTS_SCHEMA: Final = "resume-forensics/facts/1"


class Facts(Struct, frozen=True, kw_only=True):
    """None: the file does not speak of them; empty: it says that there are none."""

    prs: tuple[PullRequest, ...] | None = None
    agents: tuple[ListedAgent, ...] | None = None


def read_facts(text: str) -> Facts:
    """Read the file. Raises `WrongUse` for what is neither of the two forms; a row without what makes it one is passed over."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise WrongUse("the file of facts is not JSON") from None
    if isinstance(found, list):
        found = {"schema": FACTS_SCHEMA, "prs": found}
    if not isinstance(found, dict) or found.get("schema") != FACTS_SCHEMA:
        raise WrongUse(f"the file of facts is neither a list of pull requests nor an object with the schema {FACTS_SCHEMA}")
    if any(key in found and not isinstance(found[key], list) for key in ("prs", "agents")):
        raise WrongUse("`prs` and `agents` in the file of facts must be lists")
    return Facts(
        prs=tuple(_read_pull_request(row) for row in objects_of(found, "prs")) if "prs" in found else None,
        agents=tuple(_read_agent(row) for row in objects_of(found, "agents")) if "agents" in found else None,
    )


def _read_pull_request(row: JsonObject) -> PullRequest:
    number = number_of(row, "number")
    return PullRequest(
        number=number if isinstance(number, int) else None,
        title=text_of(row, "title") or "",
        state=text_of(row, "state") or "",
        url=text_of(row, "url") or "",
        merged_at=read_time(text_of(row, "mergedAt")),
        review_decision=text_of(row, "reviewDecision") or "",
    )


def _read_agent(row: JsonObject) -> ListedAgent:
    return ListedAgent(name=text_of(row, "name") or "", ref=text_of(row, "ref") or "", status=text_of(row, "status") or "")
