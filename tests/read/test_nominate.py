"""The nominating pass gives the records that matter and the same counts as the plain one, for any bytes and any block size."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from resume_forensics.errors import UnreadableFile
from resume_forensics.limits import LIMITS
from resume_forensics.model.record import Malformed, Record
from resume_forensics.read import nominate as module
from resume_forensics.read.awaited import Key, Watch
from resume_forensics.read.nominate import NominatedReading
from resume_forensics.read.records import Reading
from resume_forensics.read.search import Needles
from resume_forensics.text import Raw

NEEDLES = Needles(("needle", "other"), keys=("of", "who"))
SMALL = replace(LIMITS, block_bytes=64, line_bytes=256, lookback_bytes=128)


def lay(folder: Path, content: bytes) -> Path:
    path = folder / "t.jsonl"
    path.write_bytes(content)
    return path


def names(items: object) -> list[object]:
    assert hasattr(items, "__iter__")
    return [item.data.get("n") if isinstance(item, Record) else "bad" for item in items]


def counts(reading: Reading) -> tuple[object, ...]:
    return reading.lines, reading.records, reading.unparsable, reading.blank, reading.size_bytes, reading.bad_lines


def test_only_lines_with_a_needle_are_decoded(tmp_path: Path) -> None:
    path = lay(tmp_path, b'{"n":1}\n{"n":2,"t":"a needle"}\n{"n":3}\n{"n":4,"t":"the other"}\n{"n":5}\n')
    reading = NominatedReading(path, NEEDLES)
    items = list(reading)
    assert names(items) == [2, 4]
    assert [item.place.line for item in items] == [2, 4]
    assert [item.place.byte for item in items] == [8, 39]
    assert (reading.records, reading.lines, reading.decoded, reading.unparsable) == (5, 5, 2, 0)


def test_an_escape_that_could_hide_a_needle_nominates_its_line(tmp_path: Path) -> None:
    path = lay(tmp_path, b'{"n":1,"t":"a n\\u0065edle"}\n{"n":2,"t":"\\u4e00"}\n')
    assert names(NominatedReading(path, NEEDLES)) == [1]


@pytest.mark.parametrize(
    ("content", "bad"),
    [
        (b'{"n":1}\n7\n{"n":2}\n', 1),
        (b'{"n":1}\n\n\n{"n":2}\n', 0),
        (b'{"n":1}\r\n{"n":2}\r\n', 0),
        (b'{"n":1}\r\n{"n":2}\n{"n":3}\r\n', 0),
        (b'\xef\xbb\xbf{"n":1}\n{"n":2}', 0),
        (b'{"n":1}\n{"n":2}{"n":3}\n', 0),
        (b'{"n":1}\n{"n":2', 1),
        (b"\0\0\0\0\n" + b'{"n":1}\n', 1),
        (b'  {"n":1}\n{"n":2}  \n', 0),
        (b"", 0),
        (b"\n", 0),
    ],
)
def test_every_line_is_counted_and_odd_ones_are_judged(tmp_path: Path, content: bytes, bad: int) -> None:
    """A glued line looks like an object, so only the plain pass sees that it is bad; here it counts as the record it begins with."""
    path = lay(tmp_path, content)
    fast, plain = NominatedReading(path, NEEDLES), Reading(path)
    assert [item for item in fast if isinstance(item, Malformed)] == ([] if bad == 0 else fast.bad_lines)
    list(plain)
    assert fast.unparsable == bad
    assert (fast.lines, fast.blank) == (plain.lines, plain.blank)


@given(
    lines=st.lists(
        st.one_of(
            st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b"")),
            st.sampled_from([b'{"n":1,"t":"needle"}', b'{"n":2}', b"", b"[1]", b'{"n":3', b'"n":4}', b"\0\0", b'{"t":"needle"']),
        ),
        max_size=20,
    ),
    block=st.integers(1, 80),
    ended=st.booleans(),
)
def test_any_bytes_in_any_blocks(lines: list[bytes], block: int, tmp_path_factory: pytest.TempPathFactory, *, ended: bool) -> None:
    path = lay(tmp_path_factory.mktemp("any"), b"\n".join(lines) + (b"\n" if ended else b""))
    whole, pieces = NominatedReading(path, NEEDLES), NominatedReading(path, NEEDLES, limits=replace(SMALL, block_bytes=block))
    plain = Reading(path)
    found, in_pieces = list(whole), list(pieces)
    wanted = [item for item in plain if isinstance(item, Record) and "needle" in str(item.data)]
    assert found == in_pieces
    assert counts(whole) == counts(pieces)
    assert [item for item in found if isinstance(item, Record) and "needle" in str(item.data)] == wanted
    assert (whole.lines, whole.blank) == (plain.lines, plain.blank)


def test_a_giant_line_is_cut_and_still_read(tmp_path: Path) -> None:
    giant = b'{"n":1,"t":"' + b"x" * 2_000 + b'","k":"needle"}'
    reading = NominatedReading(lay(tmp_path, b'{"n":0}\n' + giant + b'\n{"n":2}\n'), NEEDLES, limits=replace(SMALL, string_bytes=100))
    items = [item for item in reading if isinstance(item, Record)]
    assert [(item.data["n"], item.data["k"], item.place.line) for item in items] == [(1, "needle", 2)]
    assert reading.records == 3


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        list(NominatedReading(tmp_path, NEEDLES))


class Asked:
    """A watch whose wishes depend on what was read so far."""

    def __init__(self) -> None:
        self.behind: set[Raw] = set()
        self.ahead: set[Raw] = set()
        self.unlinked: set[Raw] = set()
        self.news: list[Raw] = []

    def take_news(self) -> list[Raw]:
        """What came to be awaited since the last call."""
        news, self.news = self.news, []
        return news

    def watch(self) -> Watch:
        """The watch that reads the wishes of the moment."""
        keys = (Key(name="of", is_wanted=self.ahead.__contains__), Key(name="echo", is_wanted=self.unlinked.__contains__, mark="who"))
        return Watch(wishes=lambda: sorted(self.behind), is_wanted=self.behind.__contains__, awaited=list, news=self.take_news, keys=keys)


@pytest.mark.parametrize("block", [32, 64, 4096])
def test_a_call_is_looked_for_behind_its_receipt(tmp_path: Path, block: int) -> None:
    lines = [b'{"n":1,"id":"call-7"}', *[b'{"n":2}'] * 9, b'{"n":3,"t":"needle","of":"call-7"}', b'{"n":4}']
    asked = Asked()
    found = []
    for item in NominatedReading(lay(tmp_path, b"\n".join(lines)), NEEDLES, asked.watch(), limits=replace(SMALL, block_bytes=block)):
        assert isinstance(item, Record)
        found.append(item.data["n"])
        if item.data["n"] == 3:
            asked.behind.add(Raw("call-7"))
        if item.data["n"] == 1:
            asked.behind.clear()
    assert found == [3, 1]


@pytest.mark.parametrize("block", [96, 4096])
@pytest.mark.parametrize("result", [b'"of":"call-7"', b'"of" : "call-7"', b'"of":"call\\u002d7"'])
def test_a_result_is_looked_for_ahead_of_its_call_and_echoes_until_one_told(tmp_path: Path, block: int, result: bytes) -> None:
    echo, quote = b'{"n":2,"who":"x","echo":"call-7","who":1}', b'{"n":9,"by":"call-7","echo":"call-7"}'
    lines = [b'{"n":1,"t":"needle","id":"call-7"}', echo, echo, quote, echo, b'{"n":3,%s}' % result, echo, b'{"n":4,"of":"call-7"}']
    path = lay(tmp_path, b"\n".join([*lines[1:], *lines]) + b"\n" + b'{"n":0}\n' * 20 + lines[-1] + b"\n")
    asked = Asked()
    reading = NominatedReading(path, NEEDLES, asked.watch(), limits=replace(SMALL, block_bytes=block))
    found: list[object] = []
    for item in reading:
        assert isinstance(item, Record)
        found.append(item.data["n"])
        if item.data["n"] == 1:
            for told in (asked.ahead, asked.unlinked, asked.news):
                (told.append if isinstance(told, list) else told.add)(Raw("call-7"))
        if found.count(2) == 2:  # the first was a hook that ran before the helper, and tells nothing
            asked.unlinked.clear()
        if found[-1] == 3:
            asked.ahead.clear()
    early = [3] if b"\\" in result else []  # an escape that could hide a needle
    assert found == [*early, 1, 2, 2, 3]
    assert reading.records == 7 + 8 + 21


@pytest.mark.parametrize("written", [b"a\\/b", b"a/b"])
def test_an_id_that_json_may_spell_otherwise_is_found_however_it_is_spelled(tmp_path: Path, written: bytes) -> None:
    lines = [b'{"n":1,"t":"needle"}', b'{"n":2,"of":"%s"}' % written, b'{"n":3}']
    asked = Asked()
    found = []
    for item in NominatedReading(lay(tmp_path, b"\n".join(lines)), NEEDLES, asked.watch()):
        assert isinstance(item, Record)
        found.append(item.data.get("of"))
        asked.ahead.add(Raw("a/b"))
        asked.news.append(Raw("a/b"))
    assert found == [None, "a/b"]


def test_what_is_looked_for_behind_stays_in_proportion_to_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand receipts without a call, each with an id of its own, must not search the file a thousand times."""
    searched = 0

    def rfind(text: memoryview, needle: bytes) -> int:
        nonlocal searched
        searched += len(text)
        return bytes(text).rfind(needle)

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        nonlocal searched
        searched += size
        return os.pread(descriptor, size, offset)

    content = b"".join(b'{"n":%d,"t":"needle"}\n' % number for number in range(1_000))
    limits = replace(SMALL, block_bytes=1_000, line_bytes=1_000, lookback_bytes=5_000)
    wishes = iter(Raw(f"call-{number}") for number in range(10_000))
    watch = Watch(wishes=lambda: [next(wishes)], is_wanted=lambda _: True, awaited=list, news=list, keys=())
    monkeypatch.setattr("stringzilla.rfind", rfind)
    monkeypatch.setattr(module, "os", SimpleNamespace(pread=pread, fstat=os.fstat))
    reading = NominatedReading(lay(tmp_path, content), NEEDLES, watch, limits=limits)
    assert len(list(reading)) == 1_000
    assert len(content) < searched < 2 * len(content) + 5_000
