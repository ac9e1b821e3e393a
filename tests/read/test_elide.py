"""The filter for giant lines: what it keeps, where it cuts, and when it gives up."""

import json

import orjson
import pytest

from resume_forensics.limits import Limits
from resume_forensics.read.elide import Elision
from resume_forensics.text import CUT_MARK, Raw

SMALL = Limits(string_bytes=12, elided_line_bytes=200, elided_string_bytes=4, elided_structure_bytes=150, elided_total_bytes=400)


def elide(line: bytes, limits: Limits = SMALL, size: int = 7) -> bytes | None:
    """Feed a line in pieces of `size` bytes."""
    elision = Elision(limits)
    for start in range(0, len(line), size):
        elision.feed(line[start : start + size])
    kept = elision.finish()
    return None if kept is None else bytes(kept)


def test_short_strings_stay_as_they_are() -> None:
    line = json.dumps({"a": "twelve chars", "b": ['\\"\n', "é", "😀😀😀"], "c": 1.5, "": {}}, ensure_ascii=False).encode()
    assert elide(line) == line


@pytest.mark.parametrize("size", range(1, 40))
def test_a_long_string_is_cut_at_its_budget_and_marked(size: int) -> None:
    kept = elide(b'{"a":"0123456789abcdefgh","b":"next"}', size=size)
    assert kept is not None
    data = orjson.loads(kept)
    assert data == {"a": "0123456789ab" + CUT_MARK, "b": "next"}
    assert (Raw(data["a"]).cut, Raw(data["b"]).cut) == (True, False)


@pytest.mark.parametrize(
    ("before", "sequence"),
    [
        (11, "\\n"),
        (11, "\\\\"),
        (11, '\\"'),
        *[(before, "\\u00e9") for before in range(7, 12)],
        *[(before, "\\ud83d\\ude00") for before in range(1, 12)],
        *[(before, "é") for before in range(11, 12)],
        *[(before, "😀") for before in range(9, 12)],
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_no_escape_character_or_surrogate_pair_is_split(before: int, sequence: str, size: int) -> None:
    line = ('{"a":"' + "x" * before + sequence * 4 + '"}').encode()
    kept = elide(line, size=size)
    assert kept is not None
    assert orjson.loads(kept) == {"a": "x" * before + CUT_MARK}


def test_a_run_of_backslashes_across_pieces_is_paired_from_its_beginning() -> None:
    line = b'{"a":"' + b"\\\\" * 30 + b'\\"","b":"\\\\"}'
    for size in range(1, 20):
        kept = elide(line, size=size)
        assert kept is not None
        assert orjson.loads(kept) == {"a": "\\" * 6 + CUT_MARK, "b": "\\"}


def test_further_strings_keep_little_once_the_line_is_full() -> None:
    line = json.dumps(["y" * 12 for _ in range(20)], separators=(",", ":")).encode()
    kept = elide(line)
    assert kept is not None
    strings = orjson.loads(kept)
    assert len(strings) == 20
    assert strings[:12] == ["y" * 12] * 12
    assert strings[-1] == "y" * 4 + CUT_MARK


def test_too_much_structure_or_too_many_strings_give_the_line_up() -> None:
    assert elide(b"[" + b"1," * 70 + b"1]") is not None
    assert elide(b"[" + b"1," * 80 + b"1]") is None
    many = json.dumps(["yyyy"] * 70, separators=(",", ":")).encode()
    assert elide(many, Limits(string_bytes=8, elided_line_bytes=20, elided_string_bytes=4, elided_total_bytes=400)) is None
    assert elide(many, Limits(string_bytes=8, elided_line_bytes=20, elided_string_bytes=4, elided_total_bytes=600)) == many
    assert elide(b"[" + b'"",' * 60 + b'""]') is None


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_a_run_of_nuls_keeps_one(size: int) -> None:
    assert elide(b"\0" * 50 + b'{"a":1}' + b"\0" * 9 + b"\0", size=size) == b'\0{"a":1}\0'
    assert elide(b'{"a":"x\0\0\0\0', size=size) == b'{"a":"x\0'


def test_a_backslash_at_the_very_end_is_kept() -> None:
    assert elide(b'{"a":"\\') == b'{"a":"\\'
    assert elide(b"") == b""
