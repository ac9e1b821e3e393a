"""The mask as a filter: every character that is no secret stays, every secret goes, in pieces of any size."""

import io
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from resume_forensics.cli.masking import write_counts
from resume_forensics.limits import LIMITS

Call = Callable[..., tuple[int, str, str]]

KEY = "AKIA" + "Q3EGRIXB" + "7N5KHDWP"


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    """A file with one secret twice, colours, an accent and a byte that is no UTF-8."""
    file = tmp_path / "log.txt"
    file.write_bytes(f"\x1b[31mcafé\x1b[0m key={KEY}\r\nagain {KEY} ".encode() + b"\xff end")
    return file


def test_a_file_is_masked_and_otherwise_kept(call: Call, leaky: Path) -> None:
    status, out, err = call("mask", str(leaky))
    assert (status, err) == (0, "")
    assert KEY not in out
    start, middle, rest = out.split("[REDACTED:")
    assert start == "\x1b[31mcafé\x1b[0m key="
    assert middle.endswith("#1]\r\nagain ")
    assert rest.endswith("#1] \ufffd end")


def test_line_ends_pass_byte_for_byte(leaky: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "resume_forensics", "mask", str(leaky)], capture_output=True, check=True)
    assert b"#1]\r\nagain " in done.stdout


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_is_masked(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "resume_forensics", "mask", *arguments], input=f"a {KEY} b", capture_output=True, text=True, check=True
    )
    assert KEY not in done.stdout
    assert (done.stdout[:12], done.stdout[-2:], done.stderr) == ("a [REDACTED:", " b", "")


def test_standard_input_is_read_as_bytes(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xc3\xa9 " + KEY.encode())))
    status, out, err = call("mask")
    assert (status, err) == (0, "")
    assert out.startswith("café [REDACTED:")


def test_a_secret_across_two_blocks_is_masked_whole(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    padding = ("é" * 20 + "\n") * (LIMITS.block_bytes // 41)
    file.write_text(padding + " " * (LIMITS.block_bytes - len(padding.encode()) - 10) + KEY + "\n" + padding, "utf-8")
    status, out, _ = call("mask", str(file))
    assert status == 0
    assert KEY[:10] not in out
    assert KEY[10:] not in out
    assert out.count("[REDACTED:") == 1
    assert out.endswith("é\n")


def test_a_list_shows_kinds_and_counts_and_nothing_else(call: Call, leaky: Path) -> None:
    status, out, err = call("mask", "--list", str(leaky))
    assert (status, err) == (0, "")
    number, kind = out.split()
    assert number == "2"
    assert "aws" in kind


def test_exit_code_says_whether_anything_was_masked(call: Call, leaky: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean.txt"
    clean.write_text("nothing here\n", "utf-8")
    assert call("mask", "--exit-code", "--list", str(leaky))[0] == 1
    assert call("mask", "--exit-code", str(clean)) == (0, "nothing here\n", "")
    assert call("mask", str(leaky))[0] == 0


def test_a_terminal_is_shown_nothing_invisible(call: Call, leaky: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    out = call("mask", str(leaky))[1]
    assert "\x1b" not in out
    assert out.startswith("\\x1b[31mcafé\\x1b[0m key=[REDACTED:")


def test_rules_of_ones_own_are_obeyed(call: Call, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nkind = "acme-key"\nkeywords = ["acme_"]\npattern = "acme_[a-z0-9]{8}"\ncatch = ["acme_<l:8>"]\n', "utf-8")
    file = tmp_path / "text.txt"
    file.write_text("use " + "acme_" + "q7w8e9r2" + " now", "utf-8")
    assert call("mask", "--mask-rules", str(rules), str(file)) == (0, "use [REDACTED:acme-key#1] now", "")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[[rule]]\nkind = 3\n", b"no toml"])
def test_rules_that_do_not_hold_are_refused_in_one_sentence(call: Call, tmp_path: Path, content: bytes) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_bytes(content)
    status, out, err = call("mask", "--mask-rules", str(rules), str(rules))
    assert (status, out) == (2, "")
    assert err.startswith("resume-scan: ")
    assert err.count("\n") == 1


def test_what_is_no_regular_file_is_refused(call: Call, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent"):
        status, out, err = call("mask", str(place))
        assert (status, out) == (2, "")
        assert err.count("\n") == 1


def test_a_closed_standard_input_is_one_sentence(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    status, out, err = call("mask")
    assert (status, out) == (2, "")
    assert "standard input is closed" in err


def test_a_reader_that_goes_away_ends_the_filter(leaky: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    class Gone(io.StringIO):
        def write(self, _: str, /) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert call("mask", "--exit-code", str(leaky))[0] == 1


def test_counts_are_sorted_by_kind() -> None:
    assert write_counts(Counter({"b": 2, "a": 1_000})) == "  1,000  a\n      2  b\n"
