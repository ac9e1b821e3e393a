"""The two kinds of text at run time: every road by which raw text could come out by itself is walked, and leaks nothing."""

import copy
import io
import json
import logging
import pickle
import pprint
import re
import shlex
import string
import traceback
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.text import CUT_MARK, Masked, Raw, compose, forge, quote, reveal

HIDDEN = "hunter2-and-more"


@dataclass(frozen=True, slots=True)
class Holder:
    """A dataclass that holds raw text, as an importer's may."""

    text: Raw


class Row(msgspec.Struct, frozen=True):
    """Something that holds raw text, as the model does."""

    text: Raw


def logged(raw: Raw) -> str:
    stream = io.StringIO()
    logger = logging.Logger("here")  # noqa: LOG001 (one that nothing else writes to)
    logger.addHandler(logging.StreamHandler(stream))
    logger.error("said %s and %r", raw, raw)
    return stream.getvalue()


def printed(raw: Raw) -> str:
    stream = io.StringIO()
    print(raw, [raw], {"key": raw}, file=stream)
    return stream.getvalue()


def raised(raw: Raw) -> str:
    try:
        raise ValueError(raw)  # noqa: TRY301 (being caught is the point)
    except ValueError as error:
        return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())


ROADS: dict[str, Callable[[Any], object]] = {
    "str": str,
    "repr": repr,
    "ascii": ascii,
    "format": format,
    "f-string": lambda raw: f"{raw}",
    "f-string with repr": lambda raw: f"{raw!r}",
    "f-string with str": lambda raw: f"{raw!s}",
    "percent s": lambda raw: "%s" % raw,  # noqa: UP031
    "percent r": lambda raw: "%r" % (raw,),  # noqa: UP031
    "str.format": lambda raw: "{} {!r}".format(raw, raw),  # noqa: UP032
    "str.format_map": lambda raw: "{raw!s}".format_map({"raw": raw}),
    "template": lambda raw: string.Template("$raw").substitute(raw=raw),
    "join": lambda raw: " ".join([raw, raw]),  # noqa: FLY002
    "plus": lambda raw: "a" + raw,
    "plus from the left": lambda raw: raw + "a",
    "times": lambda raw: raw * 2,
    "slice": lambda raw: raw[:3],
    "item": lambda raw: raw[0],
    "iteration": list,
    "unpacking": lambda raw: [*raw],
    "bytes": bytes,
    "int": int,
    "write": lambda raw: io.StringIO().write(raw),
    "json": json.dumps,
    "json with str": lambda raw: json.dumps(raw, default=str),
    "json with vars": lambda raw: json.dumps(raw, default=vars),
    "orjson": orjson.dumps,
    "orjson of a dataclass": lambda raw: orjson.dumps(Holder(raw)),
    "orjson as a key": lambda raw: orjson.dumps({raw: 1}, option=orjson.OPT_NON_STR_KEYS),
    "orjson of a struct": lambda raw: orjson.dumps(Row(raw)),
    "msgspec": lambda raw: msgspec.json.encode(Row(raw)),
    "msgspec as bytes": lambda raw: msgspec.msgpack.encode(Row(raw)),
    "builtins of a struct": lambda raw: repr(msgspec.to_builtins(Row(raw))),
    "pickle": pickle.dumps,
    "pickle, oldest protocol": lambda raw: pickle.dumps(raw, protocol=0),
    "pickle of a dataclass": lambda raw: pickle.dumps(Holder(raw)),
    "state": lambda raw: raw.__getstate__(),
    "reduce": lambda raw: raw.__reduce__(),
    "vars": vars,
    "copy": lambda raw: repr(copy.copy(raw)),
    "deepcopy": lambda raw: repr(copy.deepcopy([raw])),
    "pickle of a struct": lambda raw: pickle.dumps(Row(raw)),
    "dict of a struct": lambda raw: repr(msgspec.structs.asdict(Row(raw))),
    "repr of a struct": lambda raw: repr(Row(raw)),
    "asdict": lambda raw: repr(asdict(Holder(raw))),
    "astuple": lambda raw: repr(astuple(Holder(raw))),
    "repr of a dataclass": lambda raw: repr(Holder(raw)),
    "pprint": lambda raw: pprint.pformat({"text": [raw]}),
    "print": printed,
    "logging": logged,
    "traceback with locals": raised,
}


@pytest.mark.parametrize("road", ROADS.values(), ids=ROADS)
def test_no_road_leaks(road: Callable[[Raw], object]) -> None:
    came_out = ""
    try:
        answer = road(Raw(HIDDEN))
        came_out = answer.decode("latin-1") if isinstance(answer, bytes) else repr(answer) + str(answer)
    except (TypeError, ValueError) as error:
        came_out = f"{error!r} {error.args}"
    assert came_out
    assert "hunter" not in came_out
    assert "hunter" not in "".join(filter(str.isalnum, came_out))


@pytest.mark.parametrize(
    "road",
    [
        "format",
        "f-string",
        "json",
        "orjson",
        "orjson of a struct",
        "msgspec",
        "msgspec as bytes",
        "pickle",
        "state",
        "reduce",
        "join",
        "plus",
        "slice",
        "iteration",
    ],
)
def test_what_must_be_refused_is_refused(road: str) -> None:
    with pytest.raises(TypeError):
        ROADS[road](Raw(HIDDEN))


def test_raw_says_how_long_it_is() -> None:
    assert repr(Raw("four")) == "<raw: 4 chars>"
    assert str(Raw("four")) == "<raw: 4 chars>"
    assert len(Raw("four")) == 4
    assert not Raw("")
    assert Raw(" ")


def test_raw_is_equal_to_the_same_raw_text_only() -> None:
    assert Raw("a") == Raw("a")
    assert Raw("a") != Raw("b")
    assert Raw("a") != "a"
    assert {Raw("a"): 1}[Raw("a")] == 1
    assert sorted([Raw("b"), Raw("a")]) == [Raw("a"), Raw("b")]


def test_a_copy_is_the_thing_itself() -> None:
    raw = Raw("a")
    assert copy.copy(raw) is raw
    assert copy.deepcopy([raw])[0] is raw
    assert asdict(Holder(raw))["text"] is raw


def test_lone_surrogates_become_replacement_characters() -> None:
    assert reveal(Raw("a\ud800b\udfff")) == "a\ufffdb\ufffd"


def test_a_cut_string_carries_its_flag_and_not_the_mark() -> None:
    cut = Raw("begin" + CUT_MARK)
    assert cut.cut
    assert reveal(cut) == "begin"
    assert not Raw("begin").cut


def test_composed_text_is_raw_and_keeps_the_cut() -> None:
    joined = compose("says ", Raw("this"), " and no more")
    assert isinstance(joined, Raw)
    assert reveal(joined) == "says this and no more"
    assert not joined.cut
    assert compose("says ", Raw("this" + CUT_MARK)).cut


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_can_be_raw_and_encodes(chars: str) -> None:
    raw = Raw(chars)
    assert reveal(raw).encode().decode() == reveal(raw)
    assert len(raw) == len(chars) - (len(CUT_MARK) if raw.cut else 0)


def test_no_caller_can_make_masked_text() -> None:
    with pytest.raises(TypeError, match="only the mask"):
        Masked("plain")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Masked()  # type: ignore[call-arg]


def test_masked_text_is_a_string() -> None:
    masked = forge("safe words")
    assert isinstance(masked, str)
    assert f"{masked}" == "safe words"
    assert json.dumps({"text": masked}) == '{"text": "safe words"}'
    assert json.loads(orjson.dumps([masked])) == ["safe words"]


def test_a_head_of_masked_text_is_masked() -> None:
    head = forge("safe words").head(4)
    assert isinstance(head, Masked)
    assert head == "safe"
    assert forge("safe").head(99) == "safe"


def test_what_is_made_from_masked_text_is_plain() -> None:
    masked = forge("safe words")
    made = [masked[:4], masked.upper(), masked + "", pickle.loads(pickle.dumps(masked)), copy.copy(masked)]  # noqa: S301 (our own bytes)
    assert [type(text) for text in made] == [str] * 5


@pytest.mark.parametrize("word", ["stage-1", "a b", "it's", "$(id)", "", "-x", "ü;", "a\nb"])
def test_a_quoted_word_is_one_word_for_a_shell(word: str) -> None:
    for always in (False, True):
        quoted = quote(Raw(word), always=always)
        assert shlex.split(reveal(quoted)) == [word]
    assert reveal(quote(Raw(word), always=True)).startswith("'")


def test_masked_text_has_masked_lines() -> None:
    lines = forge("a\n\nb").lines()
    assert lines == ("a", "", "b")
    assert {type(line) for line in lines} == {Masked}


def test_a_pattern_is_answered_by_one_bit() -> None:
    assert Raw("Resume it").matches(re.compile("^resume", re.IGNORECASE)) is True
    assert Raw("and resume").matches(re.compile("^resume")) is False


def test_folded_text_is_as_people_compare_it() -> None:
    assert Raw("  Go ON!. \n").folded() == Raw("go on")
    assert Raw("...").folded() == Raw("")


def test_fingerprints_are_equal_for_equal_texts_alone_and_fit_63_bits() -> None:
    texts = ["", "a", "b", "\u00e9", "a" * 10_000]
    prints = [Raw(text).fingerprint() for text in texts]
    assert prints == [Raw(text).fingerprint() for text in texts]
    assert len(set(prints)) == len(texts)
    assert all(0 <= one < 2**63 for one in prints)
