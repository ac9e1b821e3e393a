"""Nothing invisible reaches a terminal, and nothing that can be seen is changed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.render.visible import show_block, show_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("café, 日本語, \N{THUMBS UP SIGN}\ufe0f", "café, 日本語, \N{THUMBS UP SIGN}\ufe0f"),
        ("no-break\u00a0space", "no-break\u00a0space"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x00\x07\x7f\x9b", "\\x00\\x07\\x7f\\x9b"),
        ("one\ntwo\tthree\r", "one\\ntwo\\tthree\\r"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("zero\u200bwidth\ufeff\u2060", "zero\\u200bwidth\\ufeff\\u2060"),
        ("soft\u00adhyphen", "soft\\xadhyphen"),
        ("line\u2028paragraph\u2029next\x85", "line\\u2028paragraph\\u2029next\\x85"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("selector\ufe01\U000e0100", "selector\\ufe01\\U000e0100"),
        ("filler\u3164\u115f\u2800", "filler\\u3164\\u115f\\u2800"),
        ("private\ue000 unassigned\U0003fffd", "private\\ue000 unassigned\\U0003fffd"),
    ],
)
def test_a_line_shows_what_cannot_be_seen(text: str, shown: str) -> None:
    assert show_line(text) == shown


def test_a_block_keeps_newlines_and_tabs_and_nothing_else() -> None:
    assert show_block("a\tb\r\nc\rd\x0b\x1b") == "a\tb\nc\\rd\\x0b\\x1b"


@given(st.text())
def test_no_text_brings_anything_invisible_through(text: str) -> None:
    for shown in (show_line(text), show_block(text).replace("\n", "").replace("\t", "")):
        assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Sc", "Sm"], max_codepoint=0x2FF)))
def test_letters_and_signs_are_left_as_they_are(text: str) -> None:
    assert show_line(text) == text == show_block(text)
