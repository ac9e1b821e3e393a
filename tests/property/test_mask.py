"""The mask under arbitrary text: it never fails, changes nothing twice, and does not care how a text is cut into pieces."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mask.planted import DIFFICULTIES, plant
from resume_forensics.mask.engine import Masker, mask_text
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rules import RULES
from resume_forensics.mask.stream import mask_stream
from resume_forensics.text import CUT_MARK, Raw

LITERALS = sorted({word for rule in RULES for word in rule.keywords})
SEPARATORS = (
    "=",
    ": ",
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    " ",
    "\\u002d",
    "%3D",
    "&quot;",
    "\x1b[31m",
    "[REDACTED:jwt#2]",
    "[REDACTED:",
    "...",
    "@",
    "://",
    ";",
)


@st.composite
def samples(draw: st.DrawFn) -> str:
    """The text of one row's recipe, with fresh secrets, perhaps cut."""
    rule = draw(st.sampled_from(RULES))
    text = write_sample(draw(st.sampled_from(rule.catch)), Random(draw(st.integers(0, 10**6)))).text
    return text[: draw(st.integers(0, len(text)))]


TEXTS = st.lists(st.one_of(st.text(max_size=30), st.sampled_from(LITERALS), st.sampled_from(SEPARATORS), samples()), max_size=12).map(
    "".join
)


@given(TEXTS)
def test_masking_what_is_masked_changes_nothing(text: str) -> None:
    once = mask_text(text)
    assert mask_text(once) == once


@given(st.text(max_size=400))
def test_arbitrary_text_is_masked_without_a_crash_and_loses_nothing_else(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    masker = Masker()
    masked = masker.mask(Raw(clean))
    if not masker.kinds:
        assert masked == clean


@given(TEXTS, st.lists(st.integers(1, 60), min_size=1, max_size=5))
def test_pieces_of_any_size_give_what_the_whole_gives(text: str, sizes: list[int]) -> None:
    whole = (text + "\n" + "w " * 4_000) * 2
    pieces, at, turn = [], 0, 0
    while at < len(whole):
        size = sizes[turn % len(sizes)] * 50
        pieces.append(whole[at : at + size])
        at, turn = at + size, turn + 1
    assert "".join(mask_stream(pieces, Masker(), step_chars=500)) == mask_text(whole)


@given(st.sampled_from(DIFFICULTIES), st.integers(0, 10**9), st.integers(0, 600))
def test_no_cut_made_while_reading_shows_a_secret(difficulty: str, seed: int, behind: int) -> None:
    secret = plant(Random(seed), difficulty)
    whole = mask_text(secret.text)
    if secret.shows(whole):
        return
    cut = Raw(secret.text + " word" * (behind // 5) + CUT_MARK)
    assert not secret.shows(Masker().mask(cut))


@given(st.lists(samples(), min_size=1, max_size=6))
def test_equal_texts_are_masked_to_equal_texts_within_a_report(texts: list[str]) -> None:
    masker = Masker()
    first = [masker.mask(Raw(text)) for text in texts]
    assert [masker.mask(Raw(text)) for text in texts] == first
