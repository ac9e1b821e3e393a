"""Lines around a place, and objects as the first scan read them: universal newlines, nothing salvaged, the standard `json`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.read.windows import find_whole_end, load_strictly, read_lines_at, read_lines_from, read_objects_before

LINES = [b'{"n":0}', b"", b'{"n":2}\r', b"{torn", b'{"n":4}']
CONTENT = b"\n".join(LINES)
STARTS = [0, 8, 9, 18, 24]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "x.jsonl").write_bytes(CONTENT)
    return tmp_path / "x.jsonl"


@pytest.mark.parametrize("first", range(5))
def test_lines_from_a_place_have_their_bytes_and_numbers(path: Path, first: int) -> None:
    found = [(line.number, line.byte, bytes(line.data)) for line in read_lines_from(path, STARTS[first], number=first + 1)]
    assert found == [(index + 1, STARTS[index], LINES[index]) for index in range(first, 5)]


def test_lines_end_where_they_are_told_to(path: Path) -> None:
    assert [line.byte for line in read_lines_from(path, 0, end=STARTS[2])] == STARTS[:2]
    assert [line.byte for line in read_lines_from(path, 0, end=10**9)] == STARTS


def test_lines_at_places_come_in_the_order_asked_for(path: Path) -> None:
    found = [(line.number, bytes(line.data)) for line in read_lines_at(path, [(24, 5), (0, 1), (9, 0)])]
    assert found == [(5, LINES[4]), (1, LINES[0]), (0, LINES[2])]


def test_a_long_line_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a" * 100_000 + b"\nb")
    assert [len(line.data) for line in read_lines_at(tmp_path / "x", [(0, 1), (100_001, 2)])] == [100_000, 1]
    assert find_whole_end(tmp_path / "x") == (100_002, 100_001)


@pytest.mark.parametrize(
    ("content", "whole"), [(b"", 0), (b"a", 0), (b"\n", 1), (b"a\nb", 2), (b"a\nb\n", 4), (b"\n" + b"x" * 40_000, 1), (b"x" * 40_000, 0)]
)
def test_the_end_of_the_whole_lines(tmp_path: Path, content: bytes, whole: int) -> None:
    (tmp_path / "x").write_bytes(content)
    assert find_whole_end(tmp_path / "x") == (len(content), whole)


@pytest.mark.parametrize(("byte", "count", "numbers"), [(24, 9, [0, 2]), (24, 1, [2]), (9, 9, [0]), (0, 9, []), (len(CONTENT), 2, [2, 4])])
def test_objects_before_a_place_are_the_last_ones_in_file_order(path: Path, byte: int, count: int, numbers: list[int]) -> None:
    assert [data["n"] for data in read_objects_before(path, byte, count)] == numbers


@pytest.mark.parametrize(
    ("line", "count"),
    [
        (b'{"a":1}', 1),
        (b' {"a":1}\xc2\xa0', 1),
        (b'{"a":1}\r{"a":2}\r', 2),
        (b'{"a":1}{"a":2}', 0),
        (b'\xef\xbb\xbf{"a":1}', 0),
        (b'{"a":NaN}', 1),
        (rb'{"a":"\ud800"}', 1),
        (b'{"a":"\xff"}', 1),
        (b'{"a":"\x01"}', 0),
        (b"[]", 0),
        (b"7", 0),
        (b"", 0),
        (b"[" * 100_000, 0),
        (b'{"a":' + b"9" * 5_000 + b"}", 0),
    ],
)
def test_objects_on_a_line(line: bytes, count: int) -> None:
    assert len(list(load_strictly(line))) == count


@given(content=st.lists(st.sampled_from([b"a", b"\n", b"\n", b"bc"]), max_size=12).map(b"".join))
def test_whole_lines_end_behind_the_last_newline(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("w") / "x"
    path.write_bytes(content)
    assert find_whole_end(path) == (len(content), content.rfind(b"\n") + 1)
