"""Whatever the bytes: nothing crashes, every line is accounted for, and how the file is cut into blocks changes nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from resume_forensics.limits import MIB, Limits
from resume_forensics.model.record import Malformed, Place, Record
from resume_forensics.read.decode import (
    BEGINS_LATE,
    BREAKS_OFF,
    DAMAGED,
    GLUED,
    NO_OBJECT,
    NOT_JSON,
    ONLY_NULS,
    TOO_DEEP,
    TOO_LONG,
    Item,
    decode,
)
from resume_forensics.read.elide import Elision
from resume_forensics.read.records import Reading, read_records
from resume_forensics.read.tail import BackwardReading
from resume_forensics.text import CUT_MARK

REASONS = {BEGINS_LATE, BREAKS_OFF, DAMAGED, GLUED, NO_OBJECT, NOT_JSON, ONLY_NULS, TOO_DEEP, TOO_LONG}
PIECES = (
    b'{"a":1}',
    b'{"a":{"b":[1,"x"]}}',
    b'{"',
    b'"',
    b"\\",
    b"\\u",
    b"\\ud83d\\ude00",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\n",
    b"\r\n",
)
ODD = (b"\0", b"\0\0\0", b"\xef\xbb\xbf", b"\xff", "é😀".encode(), b"NaN", b"1e999", b" ", b"\t", b"x" * 40, b"1", b"null")

anything = st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(PIECES + ODD), max_size=60).map(b"".join))
small = st.builds(
    Limits,
    block_bytes=st.integers(1, 60),
    line_bytes=st.integers(1, 200),
    string_bytes=st.integers(1, 40),
    elided_line_bytes=st.integers(1, 120),
    elided_string_bytes=st.integers(1, 20),
    elided_structure_bytes=st.integers(1, 150),
    elided_total_bytes=st.integers(1, 300),
    nesting=st.integers(1, 30),
    resync_starts=st.integers(1, 10),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that every example overwrites."""
    return tmp_path_factory.mktemp("reading") / "transcript.jsonl"


def outline(items: list[Item]) -> list[tuple[object, ...]]:
    """Items as values that compare equal even where a record holds NaN."""
    return [
        (item.place.byte, item.reason, item.salvaged) if isinstance(item, Malformed) else (item.place.byte, json.dumps(item.data))
        for item in items
    ]


@given(content=anything, limits=small)
def test_every_line_that_is_not_blank_is_a_record_or_a_bad_line(path: Path, content: bytes, limits: Limits) -> None:
    path.write_bytes(content)
    reading = Reading(path, limits=limits)
    items = list(reading)
    lines = content.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    touched = {item.place.line for item in items}
    assert reading.lines == len(lines)
    assert reading.blank + len(touched) == len(lines)
    assert reading.records == sum(isinstance(item, Record) for item in items)
    assert reading.unparsable == len({item.place.line for item in items if isinstance(item, Malformed)})
    for number, line in enumerate(lines, 1):
        if line.strip() and not (number == 1 and not line.removeprefix(b"\xef\xbb\xbf").strip()):
            assert number in touched
    assert all(item.reason in REASONS for item in items if isinstance(item, Malformed))
    assert (reading.size_bytes, reading.changed) == (len(content), None)
    assert outline(list(read_records(path, limits=limits))) == outline(items)


@given(content=anything, limits=small, other=st.integers(1, 400))
def test_the_size_of_blocks_changes_no_record(path: Path, content: bytes, limits: Limits, other: int) -> None:
    path.write_bytes(content)
    rows = {row.name: row.value for row in limits.rows()} | {"block_bytes": other}
    assert outline(list(Reading(path, limits=limits))) == outline(list(Reading(path, limits=Limits(**rows))))


@given(content=anything, limits=small)
@example(content=b"\n\n", limits=Limits(block_bytes=1))
def test_backwards_gives_what_forwards_gives(path: Path, content: bytes, limits: Limits) -> None:
    path.write_bytes(content)
    forwards = Reading(path, limits=limits)
    items = list(forwards)
    backwards = BackwardReading(path, max_bytes=2 * len(content), limits=limits)
    mirrored = list(backwards)[::-1]
    assert outline(mirrored) == outline(items)
    assert [item.place.line + 1 + forwards.lines for item in mirrored] == [item.place.line for item in items]
    assert not backwards.cut


@given(content=anything, limits=small, max_bytes=st.integers(0, 500))
def test_a_tail_is_an_end_of_the_file_and_never_reads_more_than_allowed(path: Path, content: bytes, limits: Limits, max_bytes: int) -> None:
    path.write_bytes(content)
    items = list(Reading(path, limits=limits))
    reading = BackwardReading(path, max_bytes=max_bytes, limits=limits)
    tail = list(reading)[::-1]
    assert outline(tail) == outline(items[len(items) - len(tail) :])
    assert 0 <= reading.bytes_left <= max_bytes
    if len(tail) < len(items):
        assert reading.cut


@given(line=anything.filter(lambda content: b"\n" not in content))
def test_what_the_standard_library_decodes_is_decoded(line: bytes) -> None:
    try:
        expected = json.loads(line.decode(errors="replace"))
    except ValueError:
        return
    items = list(decode(line, Place(line=2, byte=9)))
    if isinstance(expected, dict):
        assert [json.dumps(item.data) for item in items if isinstance(item, Record)] == [json.dumps(expected)]
        assert len(items) == 1
    else:
        assert [item.reason for item in items if isinstance(item, Malformed)] == [NO_OBJECT]


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text('\\"\né😀x\ud83d', max_size=30)
values = st.recursive(
    st.none() | st.integers() | text, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4)
)


@given(data=st.dictionaries(text, values, max_size=5), ascii_only=st.booleans(), size=st.integers(1, 50), budget=st.integers(1, 30))
def test_elision_keeps_short_strings_and_cuts_long_ones_to_a_beginning(
    data: dict[str, object], *, ascii_only: bool, size: int, budget: int
) -> None:
    line = json.dumps(data, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    whole = json.loads(line.decode(errors="replace"), object_pairs_hook=list)

    def shorten(limit: int) -> object:
        elision = Elision(Limits(string_bytes=limit, elided_string_bytes=limit))
        for start in range(0, len(line), size):
            elision.feed(line[start : start + size])
        kept = elision.finish()
        assert kept is not None
        return json.loads(kept.decode(errors="replace"), object_pairs_hook=list)

    assert shorten(len(line)) == whole
    check_cut(shorten(budget), whole)


def check_cut(kept: object, whole: object) -> None:
    """Same shape; each string is the whole one, or a beginning of it with the mark."""
    if isinstance(whole, list | tuple):
        assert isinstance(kept, list | tuple)
        assert len(kept) == len(whole)
        for one, other in zip(kept, whole, strict=True):
            check_cut(one, other)
    elif isinstance(whole, str):
        assert isinstance(kept, str)
        assert kept == whole or (kept.endswith(CUT_MARK) and whole.startswith(kept.removesuffix(CUT_MARK)))
    else:
        assert kept == whole


GIANT = """
import sys
from pathlib import Path
from resume_forensics.model.record import Record
from resume_forensics.read.records import Reading

reading = Reading(Path(sys.argv[1]))
print([sorted(item.data) if isinstance(item, Record) else item.reason for item in reading])
print(reading.lines, reading.records, reading.unparsable)
# Not `ru_maxrss`: across a fork it starts with the peak of the parent.
rows = dict(row.split(":", 1) for row in Path("/proc/self/status").read_text().splitlines())
print(int(rows["VmHWM"].split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the peak memory of a process, as Linux tells it")
@pytest.mark.parametrize(
    ("filling", "second", "counts"),
    [
        (b"x" * 50 + b'\\n\\"y\\" \xf0\x9f\x98\x80' + b"z" * 200, ["tail", "type", "x"], "3 3 0"),
        (b"\0" * 256, NOT_JSON, "3 2 1"),
        (b'word","', TOO_LONG, "3 2 1"),
    ],
    ids=["one string", "a run of NULs", "a million strings"],
)
def test_a_line_of_two_hundred_megabytes_costs_little_memory(tmp_path: Path, filling: bytes, second: object, counts: str) -> None:
    path = tmp_path / "giant.jsonl"
    block = filling * (MIB // len(filling))
    with path.open("wb") as stream:
        stream.write(b'{"type":"first"}\n{"type":"user","x":{"content":["')
        for _ in range(200):
            stream.write(block)
        stream.write(b'"]},"tail":1}\n{"type":"last"}\n')
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    done = subprocess.run([sys.executable, "-c", GIANT, str(path)], env=environment, capture_output=True, text=True, check=True)
    path.unlink()
    shape, totals, peak = done.stdout.splitlines()
    assert shape == str([["type"], second, ["type"]])
    assert totals == counts
    assert int(peak) <= 45


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"a":[', b'{"'])
def test_deep_or_torn_repetition_takes_time_in_proportion(opening: bytes) -> None:
    line = opening * (2 * MIB // len(opening))
    items = list(decode(line, Place(line=1, byte=0)))
    assert len(items) == 1
    assert isinstance(items[0], Malformed)


def test_a_number_of_any_length_is_a_number() -> None:
    (item,) = decode(b'{"a":-' + b"7" * 100_000 + b"}", Place(line=1, byte=0))
    assert isinstance(item, Record)
    assert item.data["a"] == float("-inf")
    assert orjson.loads(b'{"a":-7}') == {"a": -7}
