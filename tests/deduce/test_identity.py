"""Which session a file is, by the ids that its records carry."""

from resume_forensics.deduce.identity import Identity
from resume_forensics.limits import LIMITS
from resume_forensics.text import Raw


def answer(stem: str, *ids: str | None) -> Raw | None:
    identity = Identity()
    for one in ids:
        identity.see(None if one is None else Raw(one))
    return identity.answer(Raw(stem))


def test_the_stem_wins_if_any_record_carries_it() -> None:
    assert answer("mine", "other", "other", "mine", "other") == Raw("mine")


def test_else_the_commonest_id_and_of_equals_the_first_by_name() -> None:
    assert answer("copy of mine", "b", "a", "b", None) == Raw("b")
    assert answer("copy of mine", "b", "a") == Raw("a")


def test_a_file_whose_records_carry_no_id_has_none() -> None:
    assert answer("mine", None, None) is None
    assert answer("mine") is None


def test_no_more_ids_are_counted_than_the_limit() -> None:
    ids = [f"id{number}" for number in range(LIMITS.session_ids)]
    assert answer("late", *ids, "late") == Raw("id0")
    assert answer("late", *ids, "late", "id7") == Raw("id7")
