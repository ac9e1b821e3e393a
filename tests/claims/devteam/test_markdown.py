"""Holds the grammar of a devteam's files: samples are dropped, tables read by their columns, separators told from hyphens."""

from claims.teams import show
from resume_forensics.claims.devteam.markdown import (
    bound_text,
    clean,
    drop_examples,
    find_labels,
    find_tasks,
    read_beginning,
    read_field,
    read_tables,
    split_lines,
    split_title,
)
from resume_forensics.limits import LIMITS


def test_lines_end_where_an_editor_ends_them() -> None:
    assert split_lines("a\r\nb\nc\u2028d\x0be") == ["a", "b", "c\u2028d\x0be"]


def test_what_stands_between_example_marks_is_no_row() -> None:
    text = "a\n<!-- example:begin -->\nb\n<!-- example:end -->\nc\n  <!-- example:begin -->\nd"
    assert list(drop_examples(text)) == ["a", "c"]


def test_a_table_is_read_by_the_names_of_its_columns() -> None:
    lines = ["| Task | State |", "|---|---|", "| `T-1` | ~~DONE~~ |", "| T-2 | a \\| b |", "", "| T-3 | alone |"]
    assert list(read_tables(iter(lines))) == [{"task": "T-1", "state": "DONE"}, {"task": "T-2", "state": "a | b"}]


def test_a_row_of_dashes_is_a_row() -> None:
    assert list(read_tables(iter(["| A | B |", "|:-|-:|", "| - | - |", "| x |"]))) == [{"a": "-", "b": "-"}, {"a": "x"}]


def test_a_rule_without_a_head_makes_no_table() -> None:
    assert list(read_tables(iter(["|---|---|", "| T-1 | x |"]))) == []


def test_a_cell_loses_its_decoration() -> None:
    assert clean(" `T-1` ~~old~~ ") == "T-1 old"


def test_a_field_is_bold_and_ends_with_a_point() -> None:
    assert read_field("- **Status.** open", "Status") == "open"
    assert read_field("**Writer.** `a` since", "Writer") == "`a` since"
    assert read_field("- **Scope.**", "Scope") == ""
    assert read_field("- Status. open", "Status") is None


def test_a_separator_has_spaces_round_it_and_a_hyphen_has_none() -> None:
    assert split_title("# T-1 \N{EM DASH} the well-known parser - DONE (2026-09-03)") == [
        "T-1",
        "the well-known parser",
        "DONE (2026-09-03)",
    ]
    assert split_title("### ~~Q-1~~ \N{EN DASH} which?") == ["Q-1", "which?"]


def test_a_title_as_long_as_a_file_is_not_searched() -> None:
    assert split_title("# T-1 " + "- " * 100_000) == [""]


def test_tasks_are_named_by_citation_or_label_and_not_by_a_longer_number() -> None:
    assert find_tasks("T-1.S-2, T-10 and T7-log-0310, again T-1") == (1, 10, 7)
    assert find_tasks("PLAT-1 2026-01-02T10:00 XT-3 T1 -T-4 T-1234567890") == ()


def test_labels_are_whole() -> None:
    assert find_labels("CLAIMED T1-x-0310, RUNNING (since 03:10, T12-parse.a-0311)") == ("T1-x-0310", "T12-parse.a-0311")
    assert find_labels("CLAIMED") == ()


def test_a_long_text_is_cut_with_its_mark() -> None:
    assert show(bound_text("short")) == "short"
    assert not bound_text("short").cut
    long = bound_text("x" * 10_000_000)
    assert long.cut
    assert len(long) == LIMITS.quoted_chars + LIMITS.cut_margin_chars


def test_only_the_beginning_of_a_line_is_searched() -> None:
    assert len(read_beginning("x" * 10_000)) == 4_000
