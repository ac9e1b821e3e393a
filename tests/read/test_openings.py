"""Phrases that begin a string are found in every spelling, and those in the midst of a text are passed over."""

import json
from mmap import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.read.lines import Chunk
from resume_forensics.read.openings import OpeningNeedles

NEEDLES = OpeningNeedles(["launched"], ["resume", "keep going", "/continue", "Mixed Case"])


def found(line: bytes) -> bool:
    """Whether a line is nominated, beside others that do not matter."""
    before = b'{"a":"nothing"}\n'
    both = before + line + b"\n"
    data = mmap(-1, len(both))
    data[:] = both
    return len(before) in NEEDLES.nominate(Chunk(0, data, 0, len(both))).starts


def said(text: str, **how: bool) -> bytes:
    return json.dumps({"type": "user", "message": {"content": text}}, **how).encode()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["resume", "RESUME", "rEsUmE now", " resume", "\n\t\r resume", "\u00a0resume", "\u2003\u3000 keep GOING", "/Continue", "mixed case"],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_phrase_that_begins_a_text_is_found(text: str, *, ascii_only: bool) -> None:
    assert found(said(text, ensure_ascii=ascii_only))


@pytest.mark.parametrize(
    "text", ["I resume", "presume", "to keep going", "keep it", "a\nresume", "(resume", "x/continue", "resum", "\\nresume it"]
)
def test_a_phrase_in_the_midst_of_a_text_is_not(text: str) -> None:
    assert not found(said(text))


def test_needles_count_anywhere() -> None:
    assert found(b'{"a":"it was launched"}')
    assert not found(b'{"a":"it was started"}')


@pytest.mark.parametrize("line", [rb'{"a":"\/continue"}', rb'{"a":"\u0072esume"}', b'{"a" : "resume"}', b"resume", b'["keep","going"]'])
def test_other_spellings_of_json_are_found_to_be_on_the_safe_side(line: bytes) -> None:
    assert found(line)


def test_far_white_space_before_a_phrase_is_crossed() -> None:
    assert found(said(" " * 5_000 + "resume"))
    assert found(said("\n" * 5_000 + "resume"))


@given(space=st.text(st.sampled_from(" \t\n\r\x1f\x85\xa0\u2003\u2028"), max_size=80), ascii_only=st.booleans())
def test_no_white_space_hides_a_phrase(space: str, *, ascii_only: bool) -> None:
    assert found(said(f"{space}Keep going", ensure_ascii=ascii_only))
