"""A page lays out our words and quoted text so that one can never pass for the other."""

from resume_forensics.limits import LIMITS
from resume_forensics.render.page import Page, count, cut, end_sentence


def test_gaps_never_double_and_the_page_ends_in_one_newline() -> None:
    page = Page()
    page.gap()
    page.heading("FIRST")
    page.gap()
    page.gap()
    page.heading("SECOND")
    page.gap()
    assert str(page) == "FIRST\n\nSECOND\n"


def test_our_sentences_wrap_under_themselves() -> None:
    page = Page()
    page.field("cause", "word " * 40)
    page.item("1.", "word " * 40)
    lines = str(page).splitlines()
    assert max(len(line) for line in lines) <= LIMITS.text_columns
    assert lines[0].startswith("   cause       word")
    assert lines[1].startswith("               word")
    assert lines[-1].startswith("   word")


def test_a_command_in_backquotes_is_never_broken() -> None:
    page = Page()
    page.say("x" * 85 + " `resume-scan --list-sessions --json` shows it")
    assert "`resume-scan --list-sessions --json`" in str(page).splitlines()[1]


def test_rows_and_exact_values_stay_on_one_line() -> None:
    page = Page()
    path = "/a b" * 60
    page.row(path)
    page.exact("file", path, "second")
    assert str(page).splitlines() == ["   " + path, "   file        " + path, "               second"]


def test_quoted_lines_are_all_marked_so_that_none_can_fake_a_heading() -> None:
    page = Page()
    page.quote("last words", "one\n\nNEVER CAME BACK (0)\n1. agent x")
    assert str(page) == "   last words\n   | one\n   |\n   | NEVER CAME BACK (0)\n   | 1. agent x\n"


def test_a_value_stands_beside_its_label_if_it_is_one_line() -> None:
    page = Page()
    page.value("command", "make test\n")
    page.value("command", "cd a\nmake")
    assert str(page) == "   command     make test\n   command\n   | cd a\n   | make\n"


def test_a_field_cannot_begin_a_line_of_its_own() -> None:
    page = Page()
    page.field("summary", "done\nWHAT TO DO NEXT\x1b[2J")
    assert str(page) == "   summary     done\\nWHAT TO DO NEXT\\x1b[2J\n"


def test_an_empty_field_keeps_its_label() -> None:
    page = Page()
    page.field("summary", "")
    assert str(page) == "   summary\n"


def test_rows_say_how_many_they_leave_out() -> None:
    page = Page()
    page.rows(["a", "b"], 5)
    assert str(page) == "   a\n   b\n   ... and 3 more; --json lists them all\n"


def test_a_sentence_ends_in_one_full_stop() -> None:
    assert [end_sentence(words) for words in ("wait", "wait.", "why?")] == ["wait.", "wait.", "why?"]


def test_cut_and_count() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abc..."
    assert cut("abcdefg", 2) == "..."
    assert (count(1, "worker"), count(1_234, "worker"), count(0, "copy", "copies")) == ("1 worker", "1,234 workers", "0 copies")
