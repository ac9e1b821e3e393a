"""The ticks of one saga folder: names in their order, and each file's text as a tick or as a torn one. Pure; nothing is judged.

A tick that cannot be read never becomes one with defaults: read so, a cut file would be a thread that has only begun.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.claims.saga.frontmatter import Value, items, scalar, take_apart
from resume_forensics.model.inquiry import TextFact
from resume_forensics.model.thread import IssueRef, Paper, Tick, TornTick
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Destination, LifecyclePhase, Missing, PhaseStatus, ThreadStatus

_NAME: Final = re.compile(r"([0-9]{8}-[0-9]{6})(?:-([0-9]{1,9}))?\.md")
_NUMBER: Final = re.compile(r"\A\s*([0-9]{1,9})\s*\Z")
_ISSUE: Final = re.compile(r"(?:https?://[^/\s]+/)?(?:([\w.-]+/[\w.-]+)(?:/issues/|#)|#?)([0-9]{1,9})", re.ASCII)
_PULL_REQUEST: Final = re.compile(r"(?:^|[#/])([0-9]{1,9})/?\Z")
_FINDING: Final = re.compile(r"\bP[01]\b")
_SETTLED: Final = re.compile(
    r"\b(?:no|zero|0|without)\s(?:open\s|unresolved\s)?P[01]\b|\bP[01]\s?[:=]\s?(?:0|none)\b"
    r"|(?<!not )\b(?:resolved|closed|fixed|cleared|pass|passed)\b",
    re.IGNORECASE,
)

INDEXED: Final = ("lifecycle_phase", "phase_status", "status", "issue_ref", "branch", "destination", "plan_path")
"""The fields that `state.json` repeats of a thread's newest tick and that decide something."""

_SHOWN: Final = (*INDEXED, "next_step", "updated_at", "kind", "id")
_PAPERS: Final = ("plan_path", "work_session_paths", "review_paths", "qa_paths")
_VERDICTS: Final = ("gate_verdicts", "blockers", "open_questions")

_Word = TypeVar("_Word", bound=StrEnum)


class TickFile(Struct, frozen=True, kw_only=True):
    """One file of a saga's folder that is named as a tick."""

    name: str
    path: Raw
    fact: TextFact


def order_key(name: str) -> tuple[str, int] | None:
    """Where a name stands in its thread: time, then the number that two ticks of one second are told apart by; None: no tick."""
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2] or 0)) if found else None


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """The names that are ticks, oldest first. Only the name decides; modification times do not survive a copy."""
    keyed = [(key, name) for name in names if (key := order_key(name))]
    return tuple(name for _, name in sorted(keyed))


def read_issue(text: str) -> IssueRef | None:
    """Read `owner/repo#N`, `#N`, `N` or an issue's address."""
    found = _ISSUE.fullmatch(text.strip())
    return IssueRef(number=int(found[2]), repository=Raw(found[1].lower()) if found[1] else None) if found else None


def is_inside(reference: str) -> bool:
    """Whether a reference stays in the repository as it is spelled: relative, and no part of it climbs."""
    return bool(reference) and not reference.startswith("/") and ".." not in reference.split("/") and "\\" not in reference


def read_chain(saga_id: str, files: Iterable[TickFile]) -> tuple[tuple[Tick, ...], tuple[TornTick, ...]]:
    """Answer the readable ticks and the torn ones of a thread, both oldest first, from its files in order."""
    ticks: list[Tick] = []
    torn: list[TornTick] = []
    newest: TornTick | None = None
    for file in files:
        prior = ticks[-1] if ticks else None
        read = _read_tick(saga_id, file, prior)
        if isinstance(read, Tick):
            ticks.append(read)
            newest = None
        else:
            newest = TornTick(name=Raw(file.name), why=Raw(read), newest=False, previous=prior.name if prior else None)
            torn.append(newest)
    return tuple(ticks), tuple(replace(each, newest=each is newest) for each in torn)


def _read_tick(saga_id: str, file: TickFile, prior: Tick | None) -> Tick | str:
    """The tick of a file, or why it is none."""
    if file.fact.text is None:
        return str(file.fact.file.missing or Missing.UNREADABLE)
    if file.fact.cut:
        return "larger than a tick is read"
    document = take_apart(file.fact.text)
    if document is None:
        return "no closing fence: it was cut in its head" if file.fact.text.startswith("---") else "it does not open with a fence"
    values = document.values()
    phase = _word(LifecyclePhase, values.get("lifecycle_phase", ""))
    if scalar(values.get("saga_id", "")) != saga_id:
        return "it does not name its own folder as its saga"
    return "its lifecycle_phase is none of the known ones" if phase is None else _make_tick(file, phase, values, prior)


def _make_tick(file: TickFile, phase: LifecyclePhase, values: Mapping[str, Value], prior: Tick | None) -> Tick:
    return Tick(
        path=file.path,
        name=Raw(file.name),
        written_at=_written_at(file.name),
        phase=phase,
        phase_status=_word(PhaseStatus, values.get("phase_status", "")),
        status=_word(ThreadStatus, values.get("status", "")),
        destination=_word(Destination, values.get("destination", "")),
        fields={name: Raw(scalar(values[name])) for name in _SHOWN if name in values},
        blockers=_blockers(values) if "blockers" in values or prior is None else prior.blockers,
        questions=_listed(values, "open_questions") if "open_questions" in values or prior is None else prior.questions,
        checks=_listed(values, "checks_run") if "checks_run" in values or prior is None else prior.checks,
        findings=tuple(Raw(text) for name in _VERDICTS for text in items(values.get(name, ())) if _is_open_finding(text)),
        rounds=_numbers(values, "rounds_seen", _NUMBER) if "rounds_seen" in values or prior is None else prior.rounds,
        pull_requests=_numbers(values, "pr_refs", _PULL_REQUEST) if "pr_refs" in values or prior is None else prior.pull_requests,
        issue=_issue(values),
        papers=tuple(_paper(name, text) for name in _PAPERS for text in items(values.get(name, ()))),
    )


def _word(words: type[_Word], value: Value) -> _Word | None:
    return next((word for word in words if word == value), None)


def _written_at(name: str) -> datetime | None:
    try:
        return datetime.strptime(name[: len("YYYYMMDD-HHMMSS")], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:  # digits in the right places, but no such day
        return None


def _blockers(values: Mapping[str, Value]) -> Raw | None:
    text = scalar(values["blockers"]) if "blockers" in values else ""
    return Raw(text.strip()) if text.strip() else None


def _listed(values: Mapping[str, Value], name: str) -> tuple[Raw, ...]:
    """The items of a list, each once."""
    return tuple(dict.fromkeys(map(Raw, items(values.get(name, ())))))


def _numbers(values: Mapping[str, Value], name: str, form: re.Pattern[str]) -> tuple[int, ...]:
    found = (form.search(text) for text in items(values.get(name, ())))
    return tuple(sorted({int(match[1]) for match in found if match}))


def _issue(values: Mapping[str, Value]) -> IssueRef | None:
    said = read_issue(scalar(values.get("issue_ref", "")))
    return said or (read_issue(scalar(values.get("id", ""))) if values.get("kind") == "issue" else None)


def _paper(field: str, text: str) -> Paper:
    return Paper(field=field, name=Raw(text), path=Raw(text) if is_inside(text) else None)


def _is_open_finding(text: str) -> bool:
    return bool(_FINDING.search(text)) and not _SETTLED.search(text)
