"""Awaited ids: every line is found in which one is the value of a key, however it is written; answered ids are let go."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.model.record import JsonObject, Record
from resume_forensics.read.awaited import Awaited, Key, Watch
from resume_forensics.read.files import open_regular
from resume_forensics.read.lines import Chunk, read_chunks
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.search import Needles
from resume_forensics.text import Raw, reveal

FIRST = b'{"t":"needle"}\n'
IDS = ("call_1", "call_2", "call_22", "c/d", 'q"', "é", "-")


def make_watch(awaited: set[str], unlinked: set[str], *, early: bool) -> Watch:
    """A watch that awaits the same ids to the last line: `early` before anything was read, else once a line was seen."""
    ids = [Raw(one) for one in sorted(awaited | unlinked)]
    news = [] if early else ids

    def take() -> list[Raw]:
        taken = news.copy()
        news.clear()
        return taken

    keys = (
        Key(name="of", is_wanted=lambda one: reveal(one) in awaited),
        Key(name="by", is_wanted=lambda one: reveal(one) in unlinked, mark="who"),
    )
    return Watch(wishes=list, is_wanted=lambda _: False, awaited=lambda: ids if early else [], news=take, keys=keys)


def write(data: object, style: int) -> bytes:
    """A line in one of the ways in which JSON can be written."""
    spaced, ascii_only, slashed = style & 1, style & 2, style & 4
    text = json.dumps(data, separators=None if spaced else (",", ":"), ensure_ascii=bool(ascii_only))
    return (text.replace("/", "\\/") if slashed else text).encode() + b"\n"


def values_of(data: object, name: str) -> set[str]:
    """The values of all members of a name, at any depth."""
    if isinstance(data, list):
        return {value for item in data for value in values_of(item, name)}
    if not isinstance(data, dict):
        return set()
    own = {data[name]} if name in data else set()
    return own | {value for held in data.values() for value in values_of(held, name)}


members = st.dictionaries(st.sampled_from(["of", "by", "who", "n"]), st.sampled_from(IDS), max_size=4)
objects = st.one_of(members, members.map(lambda held: {"n": "x", "in": [held]}), members.map(lambda held: {**held, "n": {"who": "w"}}))


@given(
    lines=st.lists(st.tuples(objects, st.integers(0, 7)), max_size=12),
    awaited=st.sets(st.sampled_from(IDS), max_size=3),
    unlinked=st.sets(st.sampled_from(IDS), max_size=3),
    early=st.booleans(),
)
def test_every_line_is_found_that_holds_an_awaited_id(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[JsonObject, int]], awaited: set[str], unlinked: set[str], *, early: bool
) -> None:
    path = tmp_path_factory.mktemp("awaited") / "t.jsonl"
    first = b"" if early else FIRST
    path.write_bytes(first + b"".join(write(data, style) for data, style in lines))
    watch = make_watch(awaited, unlinked, early=early)
    reading = NominatedReading(path, Needles(("needle",), watch.marks), watch)
    found = {item.place.line for item in reading if isinstance(item, Record)}
    wanted = {
        number
        for number, (data, _) in enumerate(lines, start=1 if early else 2)
        if values_of(data, "of") & awaited or (values_of(data, "who") and values_of(data, "by") & unlinked)
    }
    assert found >= wanted
    assert reading.records == len(lines) + (not early)


def only_chunk(path: Path, content: bytes) -> Chunk:
    path.write_bytes(content)
    with open_regular(path) as stream:
        (chunk,) = read_chunks(stream, len(content))
    assert isinstance(chunk, Chunk)
    return chunk


def test_an_id_that_was_answered_is_let_go(tmp_path: Path) -> None:
    wanted = {"call_1", "call_2"}
    awaited = Awaited((Key(name="of", is_wanted=lambda one: reveal(one) in wanted),))
    awaited.add([Raw("call_1"), Raw("call_2")])
    chunk = only_chunk(tmp_path / "t", b'{"of":"call_1"}\n{"of":"call_3"}\n{"of":"call_2"}\n')
    spots = Needles((), ("of",)).nominate(chunk).spots
    found = awaited.find(chunk.data, spots, chunk.start, chunk.stop)
    assert [(one.offset - chunk.start, one.one) for one in found] == [(7, b'call_1"'), (39, b'call_2"')]
    wanted.discard("call_1")
    assert [awaited.wants(one) for one in found] == [False, True]
    wanted.clear()
    for _ in range(2):  # those of a chunk are held against the question once the next one was read
        assert awaited
        awaited.review_latest()
    assert not awaited


def test_an_id_behind_a_key_counts_only_if_the_key_says_so() -> None:
    awaited = Awaited((Key(name="of", is_wanted=lambda one: reveal(one) == "call_1"),))
    befores = (b'{"id":"', b'{"of":"', b'{"of" : "', b"ran ", b'of":"')
    assert [awaited.counts(before, Raw("call_1")) for before in befores] == [True] * 5
    assert [awaited.counts(before, Raw("call_2")) for before in befores] == [True, False, False, True, True]
