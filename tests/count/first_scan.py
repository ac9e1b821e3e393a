"""The first scan's statistics, written down once more as plainly as its description: the oracle for `count/seed.py`.

It reads whole files with the standard library and looks at lists of records by index.
"""

import glob
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OPENING = re.compile(
    r"^\s*(resume|continue|keep going|go on|carry on|pick up|please continue|please resume|/resume|/continue|proceed|keep working"
    r"|continue working|as you were)\b",
    re.IGNORECASE,
)
AUTH = re.compile(
    r"Login expired|Please run /login|authentication_error|invalid[_ ]api[_ ]key|Failed to authenticate|OAuth (session|token) expired"
    r"|OAuth token has expired|\b401\b",
    re.IGNORECASE,
)
INTERRUPT = re.compile(r"\[Request interrupted|Interrupted by user", re.IGNORECASE)
API_ERROR = re.compile(
    r"API Error|rate.?limit|\b429\b|\b529\b|Overloaded|\b5(00|02|03)\b|Internal server error|Bad gateway|Service unavailable|ENOTFOUND"
    r"|ECONNRESET|ETIMEDOUT|ConnectionRefused|Connection error|Connection lost|Connection closed mid-response"
    r"|Response stalled mid-stream|socket hang up|fetch failed|Unable to connect|Can't reach the API|\b52[0-4]\b"
    r"|response stopped arriving|stopped responding",
    re.IGNORECASE,
)
DEATH = re.compile(
    r"\b(died|killed|dead|mid-flight|mid-review|mid-call|never (returned|reported)|hit (an|the) .{0,25}limit)\b", re.IGNORECASE
)

Facts = dict[str, Any]


def read(path: str) -> list[Facts]:
    found = []
    with Path(path).open(encoding="utf-8", errors="replace", newline=None) as lines:
        for line in lines:
            try:
                value = json.loads(line.strip())
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                found.append(value)
    return found


def blocks(record: Facts) -> list[Facts]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def texts(found: list[Facts]) -> Iterator[str]:
    for block in found:
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def whole_text(record: Facts) -> str:
    parts: list[str] = []
    for block in blocks(record):
        parts += texts([block])
        if block.get("type") == "tool_result":
            content = block.get("content")
            parts += [content] if isinstance(content, str) else texts([part for part in content or [] if isinstance(part, dict)])
    return " ".join(parts)


def human(record: Facts) -> str:
    if record.get("type") != "user" or record.get("isSidechain"):
        return ""
    said = " ".join(texts(blocks(record))).strip()
    return "" if any(mark in said for mark in ("<system-reminder>", "<local-command-caveat>", "Caveat:")) else said


def calls(record: Facts) -> set[str]:
    return {str(block.get("name")) for block in blocks(record) if block.get("type") == "tool_use"}


def count(root: Path, limit: int | None = None) -> dict[str, int]:
    """The summary over a folder."""
    files = sorted(glob.glob(str(root / "**/*.jsonl"), recursive=True))[:limit]  # noqa: PTH207 (as it was)
    turns = [turn for file in files for turn in count_file(read(file))]
    forms = {turn.pop("form") for turn in turns}
    keys = [
        *("bare_resume", "preceded_by_api_error", "preceded_by_auth", "preceded_by_interrupt", "had_inflight_spawn", "respawned_after"),
        *("queried_running_tasks", "no_tool_calls_at_all", "acknowledged_death_not_restored", "acknowledged_death_and_restored"),
        "retyped_within_40_records",
    ]
    sums = {key: sum(turn[key] for turn in turns) for key in keys}
    return {"files_scanned": len(files), "resume_turns": len(turns), **sums, "distinct_surface_forms": len(forms)}


def count_file(records: list[Facts]) -> Iterator[Facts]:
    for index, record in enumerate(records):
        said = human(record)
        if not said or len(said) > 120 or not OPENING.match(said):
            continue
        before = records[max(0, index - 6) : index]
        causes = " || ".join(("API Error " if one.get("isApiErrorMessage") else "") + whole_text(one) for one in before)
        earlier = records[max(0, index - 120) : index]
        after = []
        for one in records[index + 1 : index + 80]:
            if human(one):
                break
            after.append(one)
        assistant = [one for one in after if one.get("type") == "assistant"]
        made: set[str] = set().union(*map(calls, assistant))
        died = any(DEATH.search(whole_text(one)) for one in assistant)
        following = [human(one) for one in records[index + 1 : index + 40] if human(one)]
        spawns = {"Agent", "Task", "Workflow"}
        yield {
            "form": said.lower().rstrip(".!"),
            "bare_resume": said.lower().rstrip(".!") == "resume",
            "preceded_by_api_error": bool(API_ERROR.search(causes)),
            "preceded_by_auth": bool(AUTH.search(causes)),
            "preceded_by_interrupt": bool(INTERRUPT.search(causes)),
            "had_inflight_spawn": any(calls(one) & spawns for one in earlier),
            "respawned_after": bool(made & spawns),
            "queried_running_tasks": bool(made & {"TaskOutput", "SendMessage", "TaskStop"}),
            "no_tool_calls_at_all": not made,
            "acknowledged_death_not_restored": died and not made & spawns,
            "acknowledged_death_and_restored": died and bool(made & spawns),
            "retyped_within_40_records": bool(following and len(following[0]) <= 60 and OPENING.match(following[0])),
        }
