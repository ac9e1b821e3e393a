"""What is a workflow, and in which words it is said of everything else that it is none."""

import json
from typing import Any

import pytest

from claims.workflows import document, stage
from resume_forensics.claims.superscientist.document import list_files, load_workflow, process_of
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import TextFact
from resume_forensics.vocabulary import Missing

HERE = FileFact(path=None)


def load(text: str) -> object:
    return load_workflow(TextFact(file=HERE, text=text))


def test_a_workflow_is_answered_as_it_stands() -> None:
    whole = document(stage(1), stage(2), foreign={"kept": [1.50, None]})
    assert load(json.dumps(whole)) == whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ('{"stages": [', "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"n": ' + "9" * 5_000 + "}", "not valid JSON"),
        ("[]", "no list of stages"),
        ('{"stages": {}}', "no list of stages"),
        ('{"stages": []}', "names no stage"),
        ('{"stages": [{"id": 3}]}', "has no id"),
        ('{"stages": [{"id": ""}]}', "has no id"),
        ('{"stages": [{"id": "a"}, 4]}', "has no id"),
        ('{"stages": [{"id": "a"}, {"id": "a"}]}', "share one id"),
        ('{"stages": [{"id": "a"}], "session_config": 3}', "session_config"),
        (json.dumps({"stages": [{"id": str(number)} for number in range(201)]}), "more than 200 stages"),
    ],
)
def test_everything_else_is_none_and_says_why(text: str, words: str) -> None:
    said = load(text)
    assert isinstance(said, str)
    assert words in said


def test_a_file_that_was_not_read_whole_is_no_workflow() -> None:
    assert "longer than" in str(load_workflow(TextFact(file=HERE, text="{}", cut=True)))
    assert "no longer on disk" in str(load_workflow(TextFact(file=FileFact(path=None, missing=Missing.GONE))))


def test_the_session_may_be_absent_or_null() -> None:
    assert isinstance(load('{"stages": [{"id": "a"}]}'), dict)
    assert isinstance(load('{"stages": [{"id": "a"}], "session_config": null}'), dict)


@pytest.mark.parametrize(
    ("named", "found"), [(["a", {"path": "b"}, {"path": 3}, 4, "", None], ["a", "b"]), ("a", []), (None, []), (["x"] * 60, ["x"] * 50)]
)
def test_named_files_are_strings_or_objects_with_a_path(named: Any, found: list[str]) -> None:  # noqa: ANN401 (any JSON)
    assert list(list_files({"outputs": named}, "outputs")) == found


@pytest.mark.parametrize(
    ("written", "found"), [(None, None), ({}, None), ({"tmux_session": "a"}, {"tmux_session": "a"}), ("odd", {}), (5, {})]
)
def test_a_process_that_is_no_object_names_nothing(written: Any, found: object) -> None:  # noqa: ANN401 (any JSON)
    assert process_of({"running_process": written}) == found
