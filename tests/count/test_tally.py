"""A tally merges: any order and any grouping of the rows gives the same document."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from count.rows import row, session, turn, worker
from resume_forensics.count.tally import Adding, Tally
from resume_forensics.model.count import SeedCount, UnitCount
from resume_forensics.vocabulary import StopCause, WorkerKind, WorkerState

STATES, KINDS, CAUSES = (st.sampled_from(list(words)) for words in (WorkerState, WorkerKind, StopCause))
SMALL = st.integers(0, 3)
WORKERS = st.builds(
    worker, STATES, KINDS, work=SMALL, name=SMALL, call=SMALL, launched_ms=st.integers(0, 9_000_000), ended_ms=st.integers(0, 9_000_000),
    unheard=st.booleans(), launch_missing=st.booleans(), redone=st.booleans(), survived=st.booleans(),
)  # fmt: skip
TURNS = st.builds(
    turn, form=SMALL, at_ms=st.integers(0, 9_000_000), preceded_by=CAUSES, opens_file=st.booleans(), silent_ms=st.integers(0, 99_000),
    in_flight=st.lists(KINDS, max_size=2).map(tuple),
)  # fmt: skip
SESSIONS = st.builds(
    session, st.integers(0, 20), session=st.integers(0, 6), records=SMALL, directory=SMALL, folder=SMALL, file=st.sampled_from("abcdef"),
    turns=st.lists(TURNS, max_size=2).map(tuple), workers=st.lists(WORKERS, max_size=3).map(tuple), version=st.sampled_from(["", "2.1.9"]),
)  # fmt: skip
SEEDS = st.builds(SeedCount, files_scanned=SMALL, resume_turns=SMALL, forms=st.frozensets(SMALL))
ROWS = st.builds(
    UnitCount, seed=SEEDS, session=st.none() | SESSIONS, checkpoints=SMALL, unreadable=st.sampled_from([(), ("x",), ("y", "x")])
)


@given(rows=st.lists(ROWS, max_size=8), data=st.data())
def test_any_order_and_grouping_gives_the_same_tally(rows: list[UnitCount], data: st.DataObject) -> None:
    whole = Tally.total(rows)
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    assert Tally.total(shuffled[:cut]) + Tally.total(shuffled[cut:]) == whole
    assert sum(map(Tally.of, shuffled), Tally()) == whole
    assert Tally.total(shuffled).document() == whole.document()


@given(one=ROWS)
def test_rows_survive_their_plain_form(one: UnitCount) -> None:
    back = UnitCount.from_plain(one.to_plain())
    assert back.session == one.session
    assert back.seed.files_scanned == one.seed.files_scanned


def test_an_empty_tally_has_every_key() -> None:
    document = Tally().document()
    assert document["schema"] == "resume-forensics/stats/1"
    assert set(document["exact"]) >= {"transcripts", "records", "bytes", "unparsable_records", "unreadable_files", "resume_turns"}
    assert document["exact"]["bare_resume"] == {"n": 0, "of": 0, "share": None, "low": None, "high": None}


def test_the_sums_of_the_seed_are_added() -> None:
    rows = [row(None, resume_turns=2, bare_resume=1), row(None, resume_turns=1), row(None)]
    seed = Tally.total(rows).document()["seed"]
    assert (seed["files_scanned"], seed["resume_turns"], seed["bare_resume"], seed["distinct_surface_forms"]) == (3, 3, 1, 0)


@pytest.mark.parametrize("order", [1, -1])
def test_of_copies_the_fullest_counts(order: int) -> None:
    rows = [row(session(1, session=5, records=records, file=file)) for records, file in ((3, "a"), (4, "b"), (4, "c"))][::order]
    tally = Tally.total(rows)
    assert [one.file for one in tally.sessions.values()] == ["c"]
    assert tally.copies == 2


def test_what_was_added_can_be_asked_at_any_time() -> None:
    adding = Adding()
    assert adding.answer() == Tally()
    adding.add(row(session(1)))
    first = adding.answer()
    adding.add(row(session(2)))
    assert (len(adding.answer().sessions), first.seed.files_scanned) == (2, 1)


def test_groups_stand_in_the_order_of_versions_and_months() -> None:
    day = 86_400_000
    versions = ["2.1.100", "2.1.9", "", "1.0.60"]
    rows: list[Any] = [row(session(n, version=version, last_ms=n * 20 * day or None)) for n, version in enumerate(versions)]
    exact = Tally.total(rows).document()["exact"]
    assert list(exact["by_version"]) == ["1.0.60", "2.1.9", "2.1.100", "unknown"]
    assert list(exact["by_month"]) == ["1970-01", "1970-02", "1970-03", "unknown"]
