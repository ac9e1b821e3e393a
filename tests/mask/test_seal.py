"""The seal: any frozen struct of raw text becomes the same of masked text."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.mask.engine import Masker
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.seal import seal
from resume_forensics.model.report import OtherSession, SessionList
from resume_forensics.text import CUT_MARK, Masked, Raw
from resume_forensics.vocabulary import WorkerKind

GITHUB = write_sample("ghp_<w:36>", Random(1)).text
AWS = write_sample("AKIA<b:16>", Random(1)).text


class Inner(Struct, frozen=True, kw_only=True):
    """Something inside."""

    text: Raw
    redacted_kinds: tuple[str, ...] = ()


class Outer(Struct, frozen=True, kw_only=True):
    """One field of every sort."""

    name: Raw
    kind: WorkerKind
    at: datetime | None
    plain: str
    count: int
    share: float
    flag: bool
    inner: Inner | None
    many: tuple[Raw, ...] = ()
    cut_while_reading: tuple[str, ...] = ()
    redacted_kinds: tuple[str, ...] = ()


OUTER = Outer(
    name=Raw(AWS),
    kind=WorkerKind.AGENT,
    at=datetime(2026, 9, 14, tzinfo=UTC),
    plain=GITHUB,
    count=3,
    share=0.5,
    flag=True,
    inner=Inner(text=Raw(GITHUB)),
    many=(Raw("a"), Raw(GITHUB)),
)


def sealed(value: Outer) -> Any:  # noqa: ANN401 (its fields changed their type on the way)
    result = seal(value, Masker())
    assert isinstance(result, Outer)
    return result


class Page(Struct, frozen=True, kw_only=True):
    """Something of several lines."""

    lines: tuple[Raw, ...]
    redacted_kinds: tuple[str, ...] = ()


KEY = (
    "-----BEGIN RSA " + "PRIVATE KEY-----",
    *(b64encode(Random(n).randbytes(48)).decode() for n in range(25)),
    "-----END RSA " + "PRIVATE KEY-----",
)


def test_a_secret_of_several_lines_is_masked_as_one() -> None:
    after: Any = seal(Page(lines=tuple(map(Raw, ("before", *KEY, "after")))), Masker())
    assert after == Page(lines=("before", "[REDACTED:pem#1]", "after"), redacted_kinds=("pem",))  # type: ignore[arg-type]  # sealed
    assert {type(line) for line in after.lines} == {Masked}


def test_lines_that_hold_nothing_together_stay_apart() -> None:
    after: Any = seal(Page(lines=(Raw("one\ntwo"), Raw(GITHUB), Raw(""))), Masker())
    assert (len(after.lines), after.lines[0], after.redacted_kinds) == (3, "one\ntwo", after.redacted_kinds[:1])
    assert seal(Page(lines=()), Masker()) == Page(lines=())


def test_raw_becomes_masked_and_everything_else_stays() -> None:
    after = sealed(OUTER)
    assert isinstance(after.name, Masked)
    assert str(after.name) == "[REDACTED:aws-key#1]"
    assert (after.kind, after.at, after.plain, after.count, after.share, after.flag) == (
        WorkerKind.AGENT, OUTER.at, GITHUB, 3, 0.5, True,
    )  # fmt: skip
    assert after.inner is not None
    assert after.inner.text == after.many[1] == "[REDACTED:github-token#2]"
    assert after.many[0] == "a"


def test_each_object_names_the_kinds_masked_inside_it() -> None:
    after = sealed(OUTER)
    assert after.redacted_kinds == ("aws-key", "github-token")
    assert after.inner is not None
    assert after.inner.redacted_kinds == ("github-token",)
    assert sealed(replace(OUTER, name=Raw("x"), inner=None, many=())).redacted_kinds == ()


def test_fields_that_were_cut_are_named() -> None:
    after = sealed(replace(OUTER, name=Raw("n" * 600 + CUT_MARK), many=(Raw("m" * 600 + CUT_MARK),)))
    assert after.cut_while_reading == ("name", "many")
    assert after.name == "n" * 88
    assert sealed(OUTER).cut_while_reading == ()


def test_numbers_of_placeholders_anywhere_in_the_report_are_left_out() -> None:
    after = sealed(replace(OUTER, many=(Raw("[REDACTED:jwt#1]"),)))
    assert after.name == "[REDACTED:aws-key#2]"
    assert after.many == ("[REDACTED:jwt#1]",)


def test_a_list_of_sessions_is_sealed() -> None:
    one = OtherSession(session=Raw(f"/p/{GITHUB}.jsonl"), last_activity=datetime(2026, 9, 14, tzinfo=UTC), size_bytes=7)
    after = seal(SessionList(sessions=(one,), warnings=(Raw("w"),)), Masker())
    assert after.sessions[0].session == "/p/[REDACTED:github-token#1].jsonl"
    assert after.warnings == ("w",)
    assert after.redacted_kinds == ("github-token",)


@pytest.mark.parametrize("stranger", [["list"], {"a": 1}, Path("x"), b"bytes", object(), Outer])
def test_a_value_that_the_seal_does_not_know_stops_it(stranger: object) -> None:
    with pytest.raises(TypeError, match="does not know"):
        seal((stranger,), Masker())
