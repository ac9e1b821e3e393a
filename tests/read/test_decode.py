"""One line: what is a record, what is damage, and which whole records are found beside it."""

import math

import pytest

from resume_forensics.limits import Limits
from resume_forensics.model.record import JsonObject, Malformed, Place, Record
from resume_forensics.read import decode as module
from resume_forensics.read.decode import BEGINS_LATE, BREAKS_OFF, DAMAGED, GLUED, NO_OBJECT, NOT_JSON, ONLY_NULS, TOO_DEEP, decode

HEAD = Place(line=1, byte=0)
LATER = Place(line=7, byte=500)


def read(line: bytes, place: Place = LATER, limits: Limits | None = None) -> tuple[str | None, list[JsonObject]]:
    """The reason, if the line is malformed, and the records. Checks what holds for every line."""
    items = list(decode(line, place, limits=limits or Limits()))
    bad = [item for item in items if isinstance(item, Malformed)]
    records = [item.data for item in items if isinstance(item, Record)]
    assert len(bad) <= 1
    assert all(item.place == place for item in items)
    if bad:
        assert items[0] is bad[0]
        assert bad[0].salvaged == bool(records)
    return (bad[0].reason if bad else None), records


@pytest.mark.parametrize("line", [b"", b" ", b"\t\r", b"\r"])
def test_a_blank_line_is_nothing(line: bytes) -> None:
    assert read(line) == (None, [])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"a":1}', {"a": 1}),
        (b"{}", {}),
        (b' {"a" : [1, {"b": null}]}\r', {"a": [1, {"b": None}]}),
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a":"\xff"}', {"a": "\ufffd"}),
        (b'{"a":1e999}', {"a": math.inf}),
        (b'{"a":-Infinity}', {"a": -math.inf}),
        (b'{"a":12345678901234567890123,"b":NaN}', None),
        (b'{"a":' + b"9" * 5000 + b"}", {"a": math.inf}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"a":"\xe2\x80\xa8\xc2\x85"}', {"a": "\u2028\x85"}),
    ],
)
def test_a_record_is_decoded_whole(line: bytes, expected: object) -> None:
    reason, records = read(line)
    assert reason is None
    if expected is not None:
        assert records == [expected]
    else:
        (record,) = records
        assert isinstance(record, dict)
        assert (record["a"], math.isnan(record["b"])) == (12345678901234567890123, True)


def test_a_byte_order_mark_is_tolerated_at_the_beginning_of_a_file_only() -> None:
    assert read(b'\xef\xbb\xbf{"a":1}', HEAD) == (None, [{"a": 1}])
    assert read(b"\xef\xbb\xbf \r", HEAD) == (None, [])
    assert read(b'\xef\xbb\xbf{"a":1}', LATER) == (DAMAGED, [{"a": 1}])


@pytest.mark.parametrize("line", [b"1", b'"text"', b"null", b"[1,2]", b"true", b"1e999", b"NaN", b"[" * 20 + b"]" * 20])
def test_other_json_is_no_record(line: bytes) -> None:
    assert read(line) == (NO_OBJECT, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\0" * 50, ONLY_NULS),
        (b"\0 \0\r", ONLY_NULS),
        (b"hello", NOT_JSON),
        (b"{'a':1}", NOT_JSON),
        (b'{"a":"\x01"}', NOT_JSON),
        (b'{"a":1,}', NOT_JSON),
        (b'{"a":"text', BREAKS_OFF),
        (b'{"a":{"b":1},"c":[{"d":2},', BREAKS_OFF),
        (b'{"a":{"b":1}', NOT_JSON),
        (b'"b":{"c":1},"d":2}', BEGINS_LATE),
        (b'text"},{"type":"text","text":"more"}],"d":2}', BEGINS_LATE),
        (b'{"type":"text"},"d":2}', NOT_JSON),
        (b'xt","message":{"role":"user"}', BEGINS_LATE),
    ],
)
def test_a_damaged_line_gives_no_part_of_a_record(line: bytes, reason: str) -> None:
    assert read(line) == (reason, [])


WHOLE = b'{"type":"user","message":{"role":"user","content":[{"type":"text","text":"{ \\"a\\": 1 }"}]},"uuid":"u"}'


def test_records_glued_together_are_all_read() -> None:
    record = read(WHOLE)[1][0]
    assert read(WHOLE + WHOLE) == (GLUED, [record, record])
    assert read(WHOLE + b'  {"b":2}' + WHOLE) == (GLUED, [record, {"b": 2}, record])
    assert read(WHOLE + b"\0\0" + WHOLE) == (DAMAGED, [record, record])
    assert read(b"\0" * 9 + WHOLE) == (DAMAGED, [record])
    assert read(WHOLE + b"\0" * 9) == (DAMAGED, [record])
    assert read(WHOLE + b"garbage") == (DAMAGED, [record])
    assert read(WHOLE + b'{"type":"us') == (DAMAGED, [record])
    assert read(b'[1]{"b":2}') == (DAMAGED, [{"b": 2}])


def test_a_whole_record_behind_a_torn_one_is_found_wherever_that_was_torn() -> None:
    record = read(WHOLE)[1][0]
    torn = b'{"a":"b\\u00e9\\\\","n":-12.5,"m":{"k":[{"x":1},true,{"y":"z"}]},"t":null}'
    lost = []
    for cut in range(1, len(torn)):
        reason, records = read(torn[:cut] + WHOLE)
        if records != [record]:
            lost.append(torn[:cut])
            assert records == []
        assert reason in {DAMAGED, BREAKS_OFF, NOT_JSON}
    # Only where an object may stand is a whole record taken for a part of the torn one: behind a colon, in an open list.
    assert all(head.endswith((b":", b"[", b",")) for head in lost)
    assert len(lost) == 7 + 1 + 2  # colons, the list's bracket, the commas in it


def test_nothing_is_found_between_two_torn_records() -> None:
    assert read(b'{"a":{"b":1},"c":"te' + b'{"type":"x","m":{"k":2},"t":"un')[1] == []


def test_deep_nesting_is_refused_on_every_road() -> None:
    limits = Limits(nesting=20)
    fits = b'{"a":' * 20 + b"1" + b"}" * 20
    assert read(fits, limits=limits)[0] is None
    assert read(fits.replace(b"1", b"NaN"), limits=limits)[0] is None
    for line in (b'{"a":' * 21 + b"1" + b"}" * 21, b'{"a":' * 21 + b"NaN" + b"}" * 21, b'{"a":' + b"[" * 100_000):
        assert read(line, limits=limits) == (TOO_DEEP, [])
    wide = b'{"a":[' + b",".join([b'{"b":[1]}'] * 40) + b"]}"
    assert read(wide, limits=limits)[0] is None
    assert read(wide.replace(b"[1]", b"[NaN]"), limits=limits)[0] is None


def test_deep_nesting_never_meets_the_recursion_limit() -> None:
    for opening in (b"[", b'{"a":', b'{"a":['):
        for ending in (b"", b"NaN", b"\xff"):
            reason, records = read(opening * 50_000 + ending)
            assert (reason, records) == (TOO_DEEP, [])


def test_the_search_in_a_damaged_line_is_bounded_in_starts_and_in_work(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = 0
    decoder = module._DECODER

    class Counting:
        def raw_decode(self, text: str, start: int = 0) -> tuple[object, int]:
            nonlocal decoded
            decoded += 1
            return decoder.raw_decode(text, start)

    monkeypatch.setattr(module, "_DECODER", Counting())
    reason, records = read(b'x{"a":1},' * 10_000 + WHOLE, limits=Limits(resync_starts=50))
    assert (reason, records) == (BEGINS_LATE, [])
    assert decoded == 51


def test_the_nesting_of_a_damaged_line_is_followed_in_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = 0
    follow = module._follow_nesting

    def count(text: str, start: int, limits: Limits) -> int:
        nonlocal followed
        stop = follow(text, start, limits)
        followed += stop - start
        return stop

    monkeypatch.setattr(module, "_follow_nesting", count)
    line = b'{"a":x' * 90 + b"[]," * 20_000
    assert read(line, limits=Limits(nesting=100, elided_total_bytes=200_000)) == (BREAKS_OFF, [])
    assert 200_000 < followed <= 200_000 + len(line)


def test_no_text_of_the_line_stands_in_a_reason() -> None:
    word = b"Xyzzy"
    for line in (word, b'{"' + word, b'{"a":"' + word, b'"' + word + b'"', word + WHOLE):
        reason, _ = read(line)
        assert reason is not None
        assert word.decode() not in reason
