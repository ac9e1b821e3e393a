"""Charts: every number that the document gives stands in them, and the same document gives the same bytes."""

import sys
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from resume_forensics.errors import MissingExtra, WrongUse
from resume_forensics.render import charts
from resume_forensics.render.charts import write_charts


def _group(turns: int, lost: int) -> dict[str, Any]:
    return {"resume_turns": turns, "workers_unreported": {"n": lost}}


FULL: dict[str, Any] = {
    "exact": {
        "resume_turns": 1_234,
        "preceded_by": {"network": 1_001, "auth_expired": 233, "stalled": 0},
        "workers": {
            "agent": {"launched": 5_000, "reported": 3_963, "reported_failed": 137, "unreported": 900},
            "monitor": {"launched": 0, "reported": 0, "reported_failed": 0, "unreported": 0},
        },
        "by_month": {**{f"2026-{month:02}": _group(month, 2 * month) for month in range(1, 11)}, "unknown": _group(77, 88)},
    }
}
EMPTY: dict[str, Any] = {"exact": {"resume_turns": 0, "preceded_by": {}, "workers": {}, "by_month": {}}}


def words_of(svg: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    del monkeypatch
    return ["".join(element.itertext()).strip() for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 (our own)


def test_every_number_stands_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(charts._STYLE, "svg.fonttype", "none")  # letters as letters
    words = words_of(write_charts(FULL, "svg"), monkeypatch)
    titles = [word for word in words if "turns)" in word or "launched)" in word]
    assert titles == ["What stopped the session before a resume turn (1,234 turns)", "What became of the workers (5,000 launched)"]
    assert {"network", "1,001", "auth expired", "233", "agent (5,000)", "3,963", "900", "never came back", "2026-10", "20"} <= set(words)
    assert not {"stalled", "monitor (0)", "137", "unknown", "77", "88"} & set(words)  # 137 of 5,000 is too narrow for its number


def test_few_months_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(charts._STYLE, "svg.fonttype", "none")
    few = {"exact": {**FULL["exact"], "by_month": {"2026-01": _group(0, 0)}}}
    assert "2026-01" in words_of(write_charts(few, "svg"), monkeypatch)


def test_an_empty_corpus_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(charts._STYLE, "svg.fonttype", "none")
    assert {"no resume turns", "no workers", "no session has a time"} <= set(words_of(write_charts(EMPTY, "svg"), monkeypatch))


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_same_document_gives_the_same_bytes(form: str, begins: bytes) -> None:
    first = write_charts(FULL, form)
    assert first.startswith(begins)
    assert write_charts(FULL, form) == first
    assert b"<dc:date>" not in first


def test_another_kind_of_file_is_refused() -> None:
    with pytest.raises(WrongUse, match=r"no \.jpg"):
        write_charts(EMPTY, "jpg")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"resume-forensics\[stats\]"):
        write_charts(EMPTY, "svg")
