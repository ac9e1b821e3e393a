"""The second view: escapes undone, places kept, windows bounded."""

import pytest

from resume_forensics.limits import LIMITS
from resume_forensics.mask.view import IDLE_COLOUR, View, unescape, windows


def view_of(text: str) -> View | None:
    """The whole text without escapes, sought at every place."""
    return unescape(text, 0, len(text), list(range(len(text))))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a\\u002db", "a-b"),
        ("a\\\\u002Db", "a-b"),
        ("a\\\\\\\\u002d\\\\x2db", "a--b"),
        ("a\\x2db", "a-b"),
        ("a%2Db%3D", "a-b="),
        ("a\\/b", "a/b"),
        ("a&amp;b&quot;c&#39;d&lt;e", "a&b\"c'd<e"),
        ("a\x1b[31mb\x1b[0m", "ab"),
        ("a\\u001b[1;31mb", "ab"),
        ("a\u200bb\ufeffc", "abc"),
    ],
)
def test_escapes_are_undone(text: str, plain: str) -> None:
    view = view_of(text)
    assert view is not None
    assert view.text == plain


@pytest.mark.parametrize("text", ["", "plain", "\\u00e9 %80 &nbsp; \\n"])
def test_a_text_without_escapes_has_no_second_view(text: str) -> None:
    assert view_of(text) is None


def test_places_lead_back_to_the_original() -> None:
    text = "x sk\\u002dant\\u002dkey y"
    view = view_of(text)
    assert view is not None
    start = view.text.index("sk-ant-key")
    end = start + len("sk-ant-key")
    assert text[view.place(start) : view.place_end(end)] == "sk\\u002dant\\u002dkey"
    assert text[view.place(2) : view.place_end(3)] == "s"
    assert text[view.place(4) : view.place_end(5)] == "\\u002d"


def test_windows_reach_as_far_as_the_rules_and_merge() -> None:
    text = ("word " * 4_000)[:20_000]
    near = list(windows([5_000, 5_500], text))
    assert len(near) == 1
    start, end = near[0]
    assert 5_000 - 2 * LIMITS.mask_lookback_chars <= start <= 5_000 - LIMITS.mask_lookback_chars + 1
    assert end >= 5_500 + LIMITS.mask_reach_chars
    assert text[start - 1] == " "
    far = list(windows([100, 15_000], text))
    assert len(far) == 2
    assert far[0][1] < far[1][0]


def test_windows_without_a_blank_are_bounded() -> None:
    ((start, end),) = windows([10_000], "x" * 30_000)
    assert end - start <= 2 * LIMITS.mask_lookback_chars + 2 * LIMITS.mask_reach_chars + 1
    assert list(windows([], "text")) == []


@pytest.mark.parametrize("text", ["\x1b[32m\u2713", "\u2717\x1b[0m next", "\u2713\x1b[39m"])
def test_a_colour_between_a_blank_and_a_symbol_needs_no_second_view(text: str) -> None:
    assert IDLE_COLOUR.match(text, text.index("\x1b"))


@pytest.mark.parametrize("text", ["a\x1b[32m\u2713", "\x1b[32mword", "\u2713\x1b[0mword", "key: \x1b[0m value", "\u00e9\x1b[0m x"])
def test_a_colour_that_touches_a_word_has_a_second_view(text: str) -> None:
    assert not IDLE_COLOUR.match(text, text.index("\x1b"))
