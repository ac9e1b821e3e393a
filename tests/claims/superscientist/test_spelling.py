"""Edited JSON: what was wanted is there, and every other byte is as it was."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.workflows import circumstances, gather, lay_out, stage
from resume_forensics.claims.superscientist import spell
from resume_forensics.claims.superscientist.spelling import edit
from resume_forensics.model.claim import Change, PlannedWrite
from resume_forensics.model.write import Append, Replace
from resume_forensics.text import Raw, forge
from resume_forensics.vocabulary import WriteKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "wanted", "edited"),
    [
        ('{"a": 1}', {"a": "2"}, '{"a": 2}'),
        ('{ "b" : 1e-5 ,\t"a" :[ 1.50, "\\u00e9" ] }\n', {"a": {"1": "null"}}, '{ "b" : 1e-5 ,\t"a" :[ 1.50, null ] }\n'),
        ('{"a": 1, "a": 2}', {"a": "3"}, '{"a": 1, "a": 3}'),
        ('{\n  "a": 1\n}\n', {"b": "2"}, '{\n  "a": 1,\n  "b": 2\n}\n'),
        ('{"a":1}', {"b": "2"}, '{"a":1, "b": 2}'),
        ("{}", {"b": "2"}, '{"b": 2}'),
        ("{ }", {"b": {"c": "2"}}, '{"b": {"c": 2} }'),
        ('{"a": null}', {"a": {"c": "2"}}, '{"a": {"c": 2}}'),
        (
            '{"a": {"x": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]}',
            {"b": {"1": {"a": "9"}}},
            '{"a": {"x": {"a": 1}}, "b": [{"a": 1}, {"a": 9}]}',
        ),
        ('  {"a": "}{,"}', {"a": '"x"'}, '  {"a": "x"}'),
    ],
)
def test_only_what_was_wanted_changes(text: str, wanted: Any, edited: str) -> None:  # noqa: ANN401 (nested)
    assert edit(text, wanted) == edited


@given(document=st.dictionaries(st.text(), JSON, min_size=1, max_size=6), new=JSON, indent=st.sampled_from([None, 2, "\t"]), data=st.data())
def test_an_edit_is_what_a_parser_would_have_done(
    document: dict[str, Any], new: object, indent: int | str | None, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(document)) | st.text())
    text = json.dumps(document, indent=indent)
    edited = edit(text, {key: json.dumps(new)})
    assert json.loads(edited) == {**document, key: new}
    assert list(json.loads(edited)) == list({**document, key: new})
    assert edit(text, {}) == text


def replacement(*changes: tuple[str, Any]) -> PlannedWrite[Any]:
    rows = tuple(Change(pointer=forge(pointer), before=None, after=after) for pointer, after in changes)
    return PlannedWrite(path=forge("workflow-state.json"), kind=WriteKind.REPLACE, changes=rows)


def test_the_state_is_replaced_by_itself_with_the_changes(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1), foreign=["kept", 1.0])
    path = tmp_path / "workflow-state.json"
    before = path.read_bytes().replace(b"kept", b"k\xffpt").replace(b"\n", b"\r\n")
    path.write_bytes(before)
    answers = gather(tmp_path)
    planned = replacement(
        ("/session_config/session_count", 5), ("/stages/0/status", forge("failed")), ("/session_config/exit_reason", None)
    )
    (write,) = spell(answers, circumstances(tmp_path), (planned,))
    assert isinstance(write, Replace)
    expected = (
        before.replace(b'"session_count": 4', b'"session_count": 5')
        .replace(b'"pending"', b'"failed"')
        .replace(b'"budget_exhausted"', b"null")
    )
    assert write.content == expected


def test_a_log_line_is_one_line(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1))
    planned = PlannedWrite(path=forge("progress.log"), kind=WriteKind.APPEND, lines=(forge("a\nb\x1b[2J"), forge("c")))
    (write,) = spell(gather(tmp_path), circumstances(tmp_path), (planned,))
    assert write == Append(path=Raw("progress.log"), content=b"a b [2J\nc\n")


def test_writes_stand_in_the_order_they_were_planned_in(tmp_path: Path) -> None:
    lay_out(tmp_path, stage(1))
    log = PlannedWrite(path=forge("progress.log"), kind=WriteKind.APPEND, lines=(forge("a"),))
    kinds = [
        type(write) for write in spell(gather(tmp_path), circumstances(tmp_path), (log, replacement(("/session_config/session_count", 5))))
    ]
    assert kinds == [Append, Replace]
