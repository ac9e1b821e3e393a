"""The road that decodes only nominated lines and the one that decodes every line give the same report."""

import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from property.noise import make_noise
from property.stories import Story, tell
from property.truth import NOW
from read.builders import InProcess
from resume_forensics.flow import gather
from resume_forensics.flow.scan import assemble
from resume_forensics.limits import LIMITS
from resume_forensics.model.report import Report
from resume_forensics.model.session import Selection
from resume_forensics.read import child, segments
from resume_forensics.text import Raw

ROOT = Path(__file__).resolve().parents[2]


def scan_on(path: Path, *, plain: bool) -> Report[Raw]:
    selection = Selection(directory=path.parent, session=path, store=path.parent.parent)
    return assemble(selection, now=NOW, live_window_s=90, plain=plain)


def check(path: Path) -> None:
    plain = scan_on(path, plain=True)
    assert scan_on(path, plain=False) == plain, path
    assert scan_in_segments(path) == plain, path


def scan_in_segments(path: Path) -> Report[Raw]:
    """The scan of a large file, which several processes read; here the file is small, and their work is done in this one."""
    limits = replace(LIMITS, block_bytes=4_096, segment_bytes=2_048, segments=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "count_processors", lambda: 3)
        patch.setattr(child, "Child", InProcess)
        patch.setattr(gather, "SegmentedReading", partial(segments.SegmentedReading, limits=limits))
        return scan_on(path, plain=False)


def sessions_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.jsonl")) if path.parent.parent.name == "projects" and path.is_file())


@given(seed=st.integers(0, 2**32))
def test_a_generated_story_with_noise_escapes_and_carriage_returns(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    story, numbers = tell(seed), random.Random(seed)  # noqa: S311
    workers = [step.launches for step in story.steps if step.launches]
    lines = []
    for step in story.steps:
        if numbers.random() < 0.5:
            lines.append(json.dumps(make_noise(numbers, workers)).encode())
        line = step.line()
        if numbers.random() < 0.3:  # an escape may stand for any character, and this one hides every needle
            line = line.replace(b"n", b"\\u006e") if b"\\n" not in line else line
        lines.append(line + b"\r" * numbers.randrange(2))
    lines += [b"", b"7", b'{"torn": '][: numbers.randrange(4)]
    check(Story(seed=seed).write(tmp_path_factory.mktemp("story"), lines))


@pytest.mark.parametrize("path", list(sessions_below(ROOT / "fixtures")), ids=lambda path: path.parents[2].name)
def test_every_fixture(path: Path) -> None:
    check(path)


def test_the_demo_session() -> None:
    paths = list(sessions_below(ROOT / "resume_forensics" / "demo"))
    assert paths
    for path in paths:
        check(path)


def test_every_case(shared: Path) -> None:
    compared = 0
    for path in sessions_below(shared / "cases"):
        check(path)
        compared += 1
    assert compared >= 30


def test_every_real_transcript(shared: Path) -> None:
    """What looks like a record and is none is the one thing that only the plain road sees (LIMITS.md)."""
    compared = 0
    for path in sessions_below(shared / "corpus"):
        fast, plain = scan_on(path, plain=False), scan_on(path, plain=True)
        if fast != plain:
            unseen = plain.unparsable_records - fast.unparsable_records
            assert unseen > 0, path
            fast = replace(fast, records=plain.records, unparsable_records=plain.unparsable_records, unparsable=plain.unparsable)
        assert fast == plain, path
        compared += 1
    assert compared >= 40
