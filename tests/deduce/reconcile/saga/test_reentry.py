"""The one tick that may be written: how it is planned, and every reason for which it is not written."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from claims.sagas import SAGAS, circumstances, contract, thread, tick
from deduce.reconcile.saga.trials import pull_request, reconcile, words
from resume_forensics.deduce.reconcile.saga.reentry import REFUSAL_ROWS
from resume_forensics.model.claim import Circumstances, PlannedWrite
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Refusal, WriteKind

MERGED = pull_request(57, "#42 round-1")
OTHER = {f"{SAGAS}/issue-43/20260102-000000.md": tick(saga_id="issue-43", branch="x")}
R = Refusal


def plan_of(files: dict[str, str], said: Circumstances | None = None) -> PlannedWrite[Raw]:
    (planned,) = reconcile(files, said).writes_planned
    return planned


def fields_of(planned: PlannedWrite[Raw]) -> dict[str, str | float | None]:
    return {words(field.name): words(field.value) if isinstance(field.value, Raw) else field.value for field in planned.fields}


def test_a_tick_is_planned_as_a_snapshot_of_the_newest_readable_one() -> None:
    planned = plan_of(thread(tick(), tick(rounds_seen=("1", "4")), "torn"))
    assert (planned.kind, words(planned.path)) == (WriteKind.CREATE, f"{SAGAS}/issue-42/20260102-090000.md")
    fields = fields_of(planned)
    summary = fields.pop("summary")
    assert fields == {
        "saga_id": "issue-42",
        "kind": "issue",
        "id": "42",
        "continues": "20260102-010000.md",
        "lifecycle_phase": "work",
        "phase_status": "in_progress",
        "status": "paused",
        "next_step": "/work",
        "next_round": 5,
        "updated_at": "2026-01-02T09:00:00+00:00",
    }
    assert summary == (
        "Resumed at 2026-01-02 09:00:00 UTC from 20260102-010000.md (work): confirmed, nothing speaks against its newest readable tick. "
        "Route /work. Blockers: none. Open questions: 0. Conflicts: torn-tick."
    )


@pytest.mark.parametrize(
    ("fields", "prs", "expected"),
    [
        ({}, (MERGED,), {"phase_status": "complete", "next_step": "/qa", "status": "paused", "lifecycle_phase": "work"}),
        ({"blockers": "review of 57"}, (MERGED,), {"blockers": "", "phase_status": "complete"}),
        ({"lifecycle_phase": "qa"}, None, {"status": "handed-off", "next_step": "/handoff"}),
        ({"lifecycle_phase": "retro"}, None, {"status": "paused", "next_step": None}),
        ({"status": "blocked"}, None, {"status": "paused"}),
        ({"rounds_seen": ()}, None, {"next_round": 1}),
        ({"phase_status": None, "kind": None}, None, {"phase_status": None, "kind": None}),
    ],
)
def test_what_was_reconciled_is_planned(fields: dict[str, str | tuple[str, ...] | None], prs: object, expected: dict[str, object]) -> None:
    said = circumstances(prs=(MERGED,) if prs else None)
    found = fields_of(plan_of(thread(tick("", **fields)), said))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("blank", ['" "', '""', "", ()])
def test_blockers_that_a_later_tick_left_blank_are_written_empty(blank: str | tuple[str, ...]) -> None:
    files = thread(tick(blockers="quota"), tick(blockers=blank))
    assert fields_of(plan_of(files))["blockers"] == ""
    assert reconcile(thread(tick(blockers="quota"), tick("", **{**PAUSED, "blockers": " "}))).refusals == (R.ALREADY_APPLIED,)


def test_blockers_that_are_not_cleared_are_not_touched() -> None:
    assert "blockers" not in fields_of(plan_of(thread(tick(blockers="quota"))))


def test_an_unsettled_obligation_is_the_next_step() -> None:
    files = {**thread(tick()), "docs/c.json": contract({"obligation_id": "review"})}
    assert fields_of(plan_of(files, circumstances(contract="docs/c.json")))["next_step"] == "/review"


def test_the_name_is_the_time_in_utc() -> None:
    at = datetime(2026, 1, 2, 23, 30, 5, tzinfo=timezone(timedelta(hours=-5)))
    planned = plan_of(thread(tick()), circumstances(now=at))
    assert words(planned.path).endswith("/20260103-043005.md")
    assert fields_of(planned)["updated_at"] == "2026-01-03T04:30:05+00:00"


PAUSED = {"status": "paused", "next_step": "/work"}
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
SAMPLES = (
    ("no readable tick", thread("torn"), None, R.STATE_UNREADABLE),
    ("the named thread is torn", {**thread("torn"), **OTHER}, circumstances(saga_id="issue-42"), R.STATE_UNREADABLE),
    ("a contract that cannot be read", {**thread(tick()), "c.json": ""}, circumstances(contract="c.json"), R.STATE_UNREADABLE),
    ("threads to choose", {**thread(tick(branch="y")), **OTHER}, None, R.THREAD_NOT_SELECTED),
    ("a thread that is over", thread(tick(status="abandoned")), circumstances(saga_id="issue-42"), R.THREAD_NOT_SELECTED),
    ("every thread is over", thread(tick(status="done")), None, R.THREAD_NOT_SELECTED),
    ("a merged round", thread(tick()), circumstances(prs=(MERGED,)), R.EVIDENCE_CONFLICTS),
    ("a carried blocker", thread(tick(blockers="x"), tick(blockers="x")), None, R.EVIDENCE_CONFLICTS),
    ("two state folders", {**thread(tick()), ".claude/saga/x": ""}, None, R.EVIDENCE_CONFLICTS),
    (
        "a conflict and a clock behind",
        thread(tick()),
        circumstances(prs=(MERGED,), now=NEW_YEAR),
        R.EVIDENCE_CONFLICTS,
    ),
    ("a clock behind", thread(tick()), circumstances(now=datetime(2026, 1, 1, 23, 59, 59, tzinfo=UTC)), R.CLOCK_BEHIND_NEWEST_TICK),
    ("the same second", thread(tick()), circumstances(now=datetime(2026, 1, 2, tzinfo=UTC)), R.CLOCK_BEHIND_NEWEST_TICK),
    ("behind a torn one", thread(tick(), "torn"), circumstances(now=datetime(2026, 1, 2, 0, 30, tzinfo=UTC)), R.CLOCK_BEHIND_NEWEST_TICK),
    (
        "behind a second of the same second",
        {f"{SAGAS}/issue-42/20260102-090000-1.md": tick()},
        None,
        R.CLOCK_BEHIND_NEWEST_TICK,
    ),
    ("said already", thread(tick(), tick("", **PAUSED)), None, R.ALREADY_APPLIED),
    ("said already, at its end", thread(tick(status="paused", lifecycle_phase="retro")), None, R.ALREADY_APPLIED),
    ("paused, but for another step", thread(tick(status="paused")), None, None),
    ("said, then torn", thread(tick("", **PAUSED), "torn"), None, None),
    ("an accepted conflict", thread(tick()), circumstances(prs=(MERGED,), accepted=("cache-vs-pr:saga:issue-42",)), None),
    ("a chosen folder", {**thread(tick()), ".claude/saga/x": ""}, circumstances(state_dir=".gemini/saga"), None),
    ("another branch", thread(tick(branch="other")), None, None),
    ("a regression", thread(tick(), tick(lifecycle_phase="plan")), None, None),
    ("nothing", thread(tick()), None, None),
)


@pytest.mark.parametrize(("files", "said", "refusal"), [row[1:] for row in SAMPLES], ids=[row[0] for row in SAMPLES])
def test_a_tick_is_not_written_for_one_reason(files: dict[str, str], said: Circumstances | None, refusal: Refusal | None) -> None:
    found = reconcile(files, said)
    assert found.refusals == (() if refusal is None else (refusal,))
    unplanned = refusal in {R.STATE_UNREADABLE, R.THREAD_NOT_SELECTED}
    assert len(found.writes_planned) == (0 if unplanned else 1)


def test_every_refusal_was_walked() -> None:
    assert {row.refusal for row in REFUSAL_ROWS} == {row[3] for row in SAMPLES} - {None}
