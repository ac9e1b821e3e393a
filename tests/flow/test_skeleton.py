"""A session's skeleton on the disk: what it holds, what it never holds, and how little it costs."""

import gc
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from flow.builders import S1, Transcript, helper, helper_path, notice
from resume_forensics.errors import UnreadableFile, WrongUse
from resume_forensics.flow import skeleton as module
from resume_forensics.flow.skeleton import write_skeleton
from resume_forensics.harness.claude_code import CLAUDE_CODE
from resume_forensics.limits import Limits
from resume_forensics.model.session import Selection
from resume_forensics.model.skeleton import SkeletonFacts

SECRET = "ghp_" + "aB3dE6gH9j" * 3 + "kL2mN5"


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Where the skeleton goes."""
    return tmp_path / "skeleton.txt"


def extract(transcript: Transcript | Path, output: Path, *, limits: Limits = Limits()) -> tuple[list[str], SkeletonFacts]:  # noqa: B008 (frozen)
    """The lines of a session's skeleton without times, and the facts."""
    path = transcript if isinstance(transcript, Path) else transcript.write(output.parent / "store")
    facts = write_skeleton(Selection(directory=Path(), session=path), output, force=True, limits=limits)
    assert facts.size_bytes == output.stat().st_size
    return [line.partition("UTC ")[2] or line for line in output.read_text("utf-8").splitlines()], facts


def died() -> Transcript:
    """A session that was resumed after its API broke down."""
    transcript = Transcript()
    transcript.human("Review the diff.")
    transcript.answer("I read first.", stop="tool_use")
    for number, text in enumerate(("whispered one", "whispered two", "whispered three")):
        transcript.call(f"t{number}", "Read", file_path=f"/work/{number}.py")
        transcript.result(f"t{number}", text, is_error=number == 2)
    transcript.agent("a1b2c3d4e5f6a7b8c", "t9")
    transcript.error("API Error: 529 Overloaded", error="overloaded")
    transcript.human("resume")
    transcript.enqueue(notice("a1b2c3d4e5f6a7b8c", summary="Agent came back", more="<result>its whole report</result>\n"))
    transcript.human(notice("a1b2c3d4e5f6a7b8c", summary="Agent came back", more="<result>its whole report</result>\n"))
    transcript.answer("All is done.")
    return transcript


def test_what_matters_is_there_in_its_order(output: Path) -> None:
    lines, facts = extract(died(), output)
    assert lines[:-1] == [
        "user: Review the diff.",
        "assistant: I read first.",
        "tools: 3x Read (/work/0.py, /work/1.py, +1 more) -> 3 ok",
        "tools: Agent (piece) -> ok",
        "stop: api_overload: API Error: 529 Overloaded",
        "user: resume",
        "notice: a1b2c3d4e5f6a7b8c completed: Agent came back",
        "assistant: All is done.",
    ]
    assert (facts.user, facts.assistant, facts.tool, facts.notices, facts.stops) == (2, 2, 4, 1, 1)
    assert (facts.lines, facts.parse_errors, facts.left_out, facts.changed) == (15, 0, 0, None)
    last = json.loads(lines[-1])
    assert (last["_meta"], last["lines"], last["user"]) == (True, 15, 2)


def test_no_output_of_a_tool_is_there(output: Path) -> None:
    extract(died(), output)
    text = output.read_text("utf-8")
    assert "whispered" not in text
    assert "its whole report" not in text


def test_secrets_are_masked_before_anything_is_cut(output: Path) -> None:
    transcript = Transcript()
    transcript.human("x" * 780 + " " + SECRET)
    transcript.call("t1", "Bash", command="y" * 100 + f" curl -H 'Authorization: token {SECRET}'")
    transcript.error(f"API Error: 400 {SECRET}")
    _, facts = extract(transcript, output)
    text = output.read_text("utf-8")
    assert SECRET[:12] not in text
    assert "github-token" in facts.redacted_kinds


@pytest.mark.parametrize(
    "line", ["42", "null", "[]", '"text"', "{", "", '{"type":"user","timestamp":null,"message":"x"}', "\0", '{"type":7}']
)
def test_a_bad_line_never_stops_it(output: Path, line: str) -> None:
    transcript = Transcript()
    transcript.human("before")
    transcript.add_line(line)
    transcript.human("after")
    lines, facts = extract(transcript, output)
    assert (lines[0], lines[-2]) == ("user: before", "user: after")
    assert facts.parse_errors == sum("unreadable: line 2" in line for line in lines)


def test_only_the_first_bad_lines_are_named(output: Path) -> None:
    transcript = Transcript()
    for _ in range(30):
        transcript.add_line("{")
    lines, facts = extract(transcript, output)
    assert (len(lines), facts.parse_errors) == (21, 30)


def test_a_helper_inside_the_file_is_not_the_session(output: Path) -> None:
    transcript = Transcript()
    transcript.human("begin")
    transcript.human("do the piece", isSidechain=True)
    transcript.answer("the piece is done", isSidechain=True)
    assert len(extract(transcript, output)[0]) == 2


def test_a_helpers_own_file_has_a_skeleton_of_its_own(output: Path, tmp_path: Path) -> None:
    session = died().write(tmp_path / "store")
    own = helper("a1b2c3d4e5f6a7b8c")
    own.answer("the piece is done")
    path = own.write_to(helper_path(session, "a1b2c3d4e5f6a7b8c"))
    assert "assistant: the piece is done" in extract(path, output)[0]


def test_the_middle_is_left_out_where_it_is_too_long(output: Path) -> None:
    transcript = Transcript()
    for number in range(100):
        transcript.human(f"turn {number:02}")
    lines, facts = extract(transcript, output, limits=Limits(skeleton_head_bytes=120, skeleton_tail_bytes=150))
    assert facts.left_out == 94  # a row is 38 bytes long
    assert lines[:-1] == [
        *("user: turn 00", "user: turn 01", "user: turn 02"),
        "- left out: 94 rows of the middle; the end follows",
        *("user: turn 97", "user: turn 98", "user: turn 99"),
    ]


def test_what_is_held_does_not_grow_with_the_session(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Limits(block_bytes=4096, skeleton_head_bytes=2_000, skeleton_tail_bytes=2_000)
    held: list[int] = []
    close = module._Window.close

    def count_and_close(self: module._Window, last: str) -> None:
        gc.collect()
        held.append(len(gc.get_objects()))
        close(self, last)

    monkeypatch.setattr(module._Window, "close", count_and_close)
    for turns in (20, 100, 1_000):
        transcript = Transcript()
        for number in range(turns):
            transcript.human("go on")
            transcript.call(f"t{number % 9}", "Bash", command="make")  # few ids, so that no cache grows
            transcript.result(f"t{number % 9}", "output " * 20)
        path = transcript.write(output.parent / "store")
        del transcript
        extract(path, output, limits=small)
    assert abs(held[2] - held[1]) < 50


def test_a_harness_that_tells_no_speech_is_taken_at_its_turns(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_harness", lambda _: replace(CLAUDE_CODE, read_speech=None))
    lines, _ = extract(died(), output)
    assert "user: resume" in lines
    assert lines[-2] == "assistant: All is done."


def test_a_session_that_is_not_there_writes_nothing(output: Path) -> None:
    with pytest.raises(UnreadableFile):
        extract(output.parent / "gone.jsonl", output)
    assert list(output.parent.iterdir()) == []


def test_a_session_must_be_named(output: Path) -> None:
    with pytest.raises(WrongUse, match="name its file"):
        write_skeleton(Selection(directory=Path()), output)


def test_two_runs_are_equal(output: Path) -> None:
    extract(died(), output)
    first = output.read_bytes()
    extract(died(), output)
    assert output.read_bytes() == first


LINES = st.lists(
    st.sampled_from(tuple(died().lines)) | st.binary(max_size=40),
    max_size=12,
)


@given(LINES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_have_a_skeleton(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / f"{S1}.jsonl"
    path.write_bytes(b"\n".join(lines))
    written, facts = extract(path, tmp_path / "any.txt")
    assert json.loads(written[-1])["_meta"] is True
    assert facts.lines == len(path.read_bytes().split(b"\n")) - path.read_bytes().endswith(b"\n") - (not path.read_bytes())


def test_every_shared_session_has_a_skeleton(shared: Path, output: Path) -> None:
    sessions = sorted((shared / "corpus/projects").rglob("*.jsonl"))
    assert len(sessions) > 50
    for session in sessions:
        lines, facts = extract(session, output)
        last = json.loads(lines[-1])
        assert last["lines"] == facts.lines
        assert facts.size_bytes < 5_000_000
