"""The head of a tick: what saga.py writes is read back, and what is not understood survives line by line."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from resume_forensics.claims.saga.frontmatter import items, respell, scalar, spell, take_apart


def values_of(head: str) -> dict[str, object]:
    document = take_apart(f"---\n{head}---\n")
    assert document is not None
    return dict(document.values())


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ("key: value\n", "value"),
        ("key:value\n", "value"),
        ("key : value \n", "value"),
        ("key: 'it''s'\n", "it''s"),
        ('key: "a \\"b\\" \\\\ c"\n', 'a "b" \\ c'),
        ('key: "ends in \\\\"\n', "ends in \\"),
        ('key: "never closed\n', '"never closed'),
        ('key: "one\ntwo: 2\nthree"\n', "one\ntwo: 2\nthree"),
        ('key: "one \\"\ntwo"\n', 'one "\ntwo'),
        ("key:\n", ()),
        ("key: []\n", ()),
        ("key: []\n  - not an item\n", ()),
        ("key: value\n  - not an item\n", "value"),
        ('key:\n  - 1\n- "two: x"\n  -\n\t- four\n', ("1", "two: x", "", "four")),
        ("key:\n  - 1\n# a comment\n  - 2\n", ("1", "2")),
        ("key: first\nkey: last\n", "last"),
        ("key:\n  nested: 1\n", ()),
        ("# key: x\nkey: y\n", "y"),
        ("key: value\r\n", "value"),
        ("key: a: b # c\n", "a: b # c"),
    ],
)
def test_a_value_is_read_as_saga_py_spells_it(head: str, value: object) -> None:
    assert values_of(head)["key"] == value


def test_a_quoted_text_hides_the_keys_inside_it() -> None:
    assert values_of('blockers: "waiting\nlifecycle_phase: qa\nfor review"\nlifecycle_phase: work\n') == {
        "blockers": "waiting\nlifecycle_phase: qa\nfor review",
        "lifecycle_phase": "work",
    }


def test_nested_keys_are_no_keys() -> None:
    assert values_of("outer:\n  saga_id: other\nsaga_id: mine\n") == {"outer": (), "saga_id": "mine"}


@pytest.mark.parametrize(
    "text", ["", "---", "---\n", "---\nkey: 1\n", "---\nkey: 1\n--", "key: 1\n---\n---\n", " ---\nkey: 1\n---\n", "\ufeff---\nk: 1\n---\n"]
)
def test_what_is_not_fenced_on_both_sides_is_no_tick(text: str) -> None:
    assert take_apart(text) is None


@pytest.mark.parametrize(
    "text", ["---\n---", "---\nkey: 1\n---", "---\nkey: 1\n---\nbody", "---  \nkey: 1\n---\t\n", "---\r\nkey: 1\r\n---\r\n"]
)
def test_what_is_fenced_is_one(text: str) -> None:
    assert take_apart(text) is not None


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("", '""'),
        ("/qa", "/qa"),
        ("in_progress", "in_progress"),
        (3, "3"),
        ("2026-01-02T09:00:00+00:00", "2026-01-02T09:00:00+00:00"),
        ("a: b", '"a: b"'),
        ("ends:", '"ends:"'),
        (" blank first", '" blank first"'),
        ("No", '"No"'),
        ("#42", '"#42"'),
        ('say "x"', 'say "x"'),
        ('"x" \\', '"\\"x\\" \\\\"'),
        ("tab\there", '"tab\there"'),
    ],
)
def test_a_scalar_is_quoted_where_it_would_be_misread(value: str | int, spelled: str) -> None:
    assert spell(value) == spelled
    assert values_of(f"key: {spelled}\n")["key"] == str(value)


@pytest.mark.parametrize(
    ("value", "listed"),
    [(("a", "b"), ("a", "b")), ("a", ("a",)), (" ", ()), ("", ()), ("[]", ()), ("[1, '2', ]", ("1", "2")), ("[half", ("[half",))],
)
def test_a_list_is_a_list_however_it_is_spelled(value: str | tuple[str, ...], listed: tuple[str, ...]) -> None:
    assert items(value) == listed


@pytest.mark.parametrize(("value", "text"), [("a", "a"), ("", ""), ("[]", ""), (" [] ", ""), ((), ""), (("a", "b"), "a; b")])
def test_a_scalar_is_a_text_however_it_is_spelled(value: str | tuple[str, ...], text: str) -> None:
    assert scalar(value) == text


TICK = """---
# written by hand
saga_id: issue-42
status: active
x_unknown:
  deep: [1, 2]
blockers: "waiting
for review"
# about rounds
rounds_seen:
  - 1
status: blocked
---

Before.

## Summary

old words

## Notes / Tried

kept

##\tsummary
again
"""

RESPELLED = """---
# written by hand
saga_id: issue-42
x_unknown:
  deep: [1, 2]
blockers: ""
rounds_seen:
  - 1
status: paused
next_step: /qa
---

Before.

## Summary

new words

## Notes / Tried

kept
"""


def test_only_what_is_set_anew_changes() -> None:
    assert respell(TICK, {"status": "paused", "blockers": "", "next_step": "/qa"}, "new words") == RESPELLED


def test_a_comment_below_a_replaced_list_stays() -> None:
    before = "---\nnext_round: 2\n# about the round\nsaga_id: a\n---\n"
    assert respell(before, {"next_round": 3}, "new") == "---\nnext_round: 3\n# about the round\nsaga_id: a\n---\n\n## Summary\n\nnew\n"


def test_line_ends_stay_what_they_were() -> None:
    text = respell("---\r\nstatus: active\r\n---\r\n\r\n## Notes\r\n", {"status": "paused"}, "new")
    assert text == "---\r\nstatus: paused\r\n---\r\n\r\n## Summary\r\n\r\nnew\r\n\r\n## Notes\r\n"


def test_what_is_respelled_can_be_respelled_again() -> None:
    assert respell(RESPELLED, {"status": "paused"}, "new words") == RESPELLED


@pytest.mark.parametrize("line", ['k: "x', "k" * 9, " " * 9, "- ", "## ", "\\" * 8 + '"', "k: " + "[" * 9])
def test_many_odd_lines_cost_no_more_than_each_of_them(line: str) -> None:
    many = 20_000
    text = "---\n" + f"{line}\n" * many + "---\n" + f"{line}\n" * many
    document = take_apart(text)
    assert document is not None
    assert len(document.values()) <= 1
    assert respell(text, {"status": "paused"}, "new").count("## Summary") == 1


def test_what_is_no_tick_is_not_respelled() -> None:
    with pytest.raises(ValueError, match="no tick"):
        respell("# a note", {}, "new")


PARTS = (
    "key: ",
    "other:",
    "status: ",
    "a",
    '"',
    "\\",
    " ",
    "\n",
    "\n",
    "  - ",
    "- b",
    "[]",
    "# c",
    "\r\n",
    "## Summary\n",
    "## Notes\n",
    "--",
    "\u2028",
)
TEXTS = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


@given(head=TEXTS, body=TEXTS, value=st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20))
def test_what_is_written_is_read_back_and_nothing_else_moves(head: str, body: str, value: str) -> None:
    assume('"' not in spell(value) or '"' not in head)  # a quote left open would take in the first one that is new
    text = f"---\n{head}\n---\n{body}"
    before = take_apart(text)
    assert before is not None
    text = respell(text, {"status": value, "next_step": "/qa"}, "new words")
    after = take_apart(text)
    assert after is not None
    assert after.values() == {**before.values(), "status": value, "next_step": "/qa"}
    assert [line.strip().lower() for line in after.body if line.startswith("## ")].count("## summary") == 1
    assert respell(text, {"status": value, "next_step": "/qa"}, "new words") == text
