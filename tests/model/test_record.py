"""The small questions to a decoded object: a value of another type counts as absent."""

import pytest

from resume_forensics.model.record import Json, Malformed, Place, Record, flag_of, number_of, object_of, objects_of, text_of

PLACE = Place(line=3, byte=120)


@pytest.mark.parametrize("value", [None, 1, True, ["a"], {"a": "b"}])
def test_only_a_string_is_text(value: Json) -> None:
    assert text_of({"key": value}, "key") is None


def test_text_and_its_absence() -> None:
    assert text_of({"key": "said"}, "key") == "said"
    assert text_of({"key": ""}, "key") == ""
    assert text_of({}, "key") is None


@pytest.mark.parametrize("value", [None, 1, "text", ["a"]])
def test_only_an_object_is_an_object(value: Json) -> None:
    assert object_of({"key": value}, "key") == {}
    assert object_of({"key": {"a": 1}}, "key") == {"a": 1}


def test_objects_of_a_list_leave_other_items_out() -> None:
    assert objects_of({"key": [{"a": 1}, "text", None, {"b": 2}]}, "key") == ({"a": 1}, {"b": 2})


@pytest.mark.parametrize("value", [None, "text", {"a": 1}])
def test_what_is_no_list_holds_no_objects(value: Json) -> None:
    assert objects_of({"key": value}, "key") == ()


@pytest.mark.parametrize(("value", "expected"), [(7, 7), (0.5, 0.5), (True, None), ("7", None), (None, None)])
def test_a_boolean_is_no_number(value: Json, expected: float | None) -> None:
    assert number_of({"key": value}, "key") == expected


@pytest.mark.parametrize(("value", "expected"), [(True, True), (False, False), (1, None), ("true", None), (None, None)])
def test_a_flag_is_a_boolean_or_not_said(value: Json, expected: bool | None) -> None:  # noqa: FBT001 (the value under test)
    assert flag_of({"key": value}, "key") is expected


def test_a_record_never_shows_its_data() -> None:
    assert "said" not in repr(Record(place=PLACE, data={"key": "said"}))
    assert "120" in repr(Malformed(place=PLACE, reason="no JSON"))
