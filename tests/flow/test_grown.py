"""A session that grows, counted again and again: always the row of one reading of all that is there, and only what is new is read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.builders import S1, Transcript, count_reading, helper, helper_path, notice
from resume_forensics.flow import endings
from resume_forensics.flow.count import count_unit
from resume_forensics.flow.unit import Unit, group_units
from resume_forensics.limits import MIB
from resume_forensics.model.count import Counted
from resume_forensics.model.piece import Piece

Step = Callable[[Transcript, int], object]

STEPS: tuple[Step, ...] = (
    lambda told, _: told.human("resume"),
    lambda told, _: told.human("continue please"),
    lambda told, _: told.human("build the shop"),
    lambda told, _: told.human("Continue from where you left off.", isMeta=True),
    lambda told, _: told.answer("The shell died."),
    lambda told, _: told.answer("half of it", stop="tool_use"),
    lambda told, _: told.add("system", subtype="turn_duration", durationMs=5),
    lambda told, _: told.error("API Error: Repeated 529 Overloaded errors"),
    lambda told, number: told.agent(f"a{number % 3}", f"toolu_{number}"),
    lambda told, number: told.shell(f"b{number % 3}x", f"toolu_{number}"),
    lambda told, number: told.result(f"toolu_lost{number % 2}", f"Command running in background with ID: b{number}y."),
    lambda told, number: told.result(
        f"toolu_{number % 4}far", f"Command was moved to the background (ID: b{number}z) after running for 30s."
    ),
    lambda told, number: told.human(notice(f"a{number % 3}")),
    lambda told, number: told.enqueue(notice(f"b{number % 3}x", "failed")),
    lambda told, number: told.call(f"toolu_{number}", "TaskOutput", task_id=f"a{number % 3}"),
    lambda told, number: told.call(f"toolu_{number}", "Task", prompt="Look.", description="look"),
    lambda told, number: told.call(f"toolu_{number % 4}far", "Bash", command="make"),
    lambda told, number: told.result(f"toolu_{number}", "", {"success": True, "message": f'Agent "a{number % 3}" resumed from transcript'}),
    lambda told, number: told.call(f"toolu_{number}", "SendMessage", to=f"a{number % 3}"),
    lambda told, number: told.call(f"toolu_{number}", "Read", file_path="a.py"),
    lambda told, _: told.add("user", isSidechain=True, message={"role": "user", "content": "resume"}),
    lambda told, _: told.add_line("{torn"),
    lambda told, _: told.add_line(""),
)


def tell(steps: list[Step], told: Transcript) -> bytes:
    """The bytes of a transcript with these steps."""
    for number, step in enumerate(steps):
        step(told, number)
    return b"".join(line + b"\n" for line in told.lines)


def unit_of(path: Path) -> Unit:
    files = sorted(str(file) for file in path.parent.rglob("*.jsonl"))
    return group_units((file, Path(file).stat().st_size) for file in files)[0]


def count(path: Path, pieces: dict[str, Piece] | None = None) -> Counted:
    """Count; what was remembered goes through JSON, as in the cache."""
    plain = json.loads(json.dumps({file: piece.to_plain() for file, piece in (pieces or {}).items()}))
    return count_unit(unit_of(path), pieces={file: Piece.from_plain(piece) for file, piece in plain.items()})


def cut(content: bytes, share: float, more: int) -> bytes:
    """The first lines, and so many bytes behind the last of them: none, all but the newline of the next line (-1), or a part of it."""
    lines = content.splitlines(keepends=True)
    whole = round(len(lines) * share)
    following = lines[whole] if whole < len(lines) else b""
    return b"".join(lines[:whole]) + following[:more]


CUTS = st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from([0, -1, 40]))


@given(
    main=st.lists(st.sampled_from(STEPS), min_size=3, max_size=40),
    own=st.lists(st.sampled_from(STEPS), max_size=6),
    cuts=st.lists(CUTS, min_size=1, max_size=6),
)
def test_a_session_that_grows_gives_at_any_cut_the_row_of_one_reading(
    tmp_path_factory: pytest.TempPathFactory, main: list[Step], own: list[Step], cuts: list[tuple[float, float, int]]
) -> None:
    path = tmp_path_factory.mktemp("grown") / f"{S1}.jsonl"
    worker = helper_path(path, "a1")
    worker.parent.mkdir(parents=True)
    begun = Transcript(S1)
    begun.human("build the shop")
    contents = {path: tell(main, begun), worker: tell(own, helper("a1"))}
    pieces: dict[str, Piece] = {}
    shares = zip(sorted(one[0] for one in cuts), sorted(one[1] for one in cuts), (one[2] for one in cuts), strict=True)
    for main_share, own_share, more in (*shares, (1.0, 1.0, 0)):
        for (file, content), share in zip(contents.items(), (main_share, own_share), strict=True):
            file.write_bytes(cut(content, share, more))
        counted = count(path, pieces)
        assert counted.row == count(path).row
        pieces = dict(counted.pieces)


OPEN_STEPS: dict[str, list[Step]] = {
    "a resume turn that no human turn follows": [lambda told, _: told.human("resume")],
    "a worker that was lost": [lambda told, _: told.shell("b1x", "toolu_1")],
    "a receipt whose call is in no file": [lambda told, _: told.result("toolu_9", "Command running in background with ID: b9y.")],
    "a resume turn, and a human turn far behind it": [
        lambda told, _: told.human("resume"),
        lambda told, _: [told.call(f"toolu_{number}", "Read", file_path="x" * 1_000) for number in range(2_000)],
        lambda told, _: told.human("build the shop"),
    ],
}


@pytest.mark.parametrize("steps", OPEN_STEPS.values(), ids=OPEN_STEPS.keys())
@pytest.mark.parametrize("answers", [0, 1])
def test_where_something_is_open_only_the_new_part_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: list[Step], answers: int
) -> None:
    told = Transcript(S1)
    told.human("build the shop")
    tell(steps, told)
    for number in range(8_000):
        told.call(f"toolu_f{number}", "Read", file_path="x" * 1_000)
    path = told.write(tmp_path)
    before = count(path)
    for _ in range(answers):
        told.answer()
    told.call("toolu_last", "Read", file_path="x")
    told.write(tmp_path)
    with count_reading(monkeypatch) as read:
        after = count(path, dict(before.pieces))
    assert after.row == count(path).row
    assert path.stat().st_size > 8_000_000
    assert 0 < sum(read) < MIB


def test_what_is_remembered_from_too_far_back_is_looked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "_REMEMBERED_BYTES", 10)
    told = Transcript(S1)
    told.shell("b1x", "toolu_1")
    told.human("build the shop")
    told.answer()
    path = told.write(tmp_path)
    before = count(path)
    told.answer("half", stop="tool_use")
    told.write(tmp_path)
    assert count(path, dict(before.pieces)).row == count(path).row
