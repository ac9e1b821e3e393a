"""Cut a transcript anywhere: a worker is unreported in the cut if and only if its launch is before the cut and no end of it is.

The truth comes from the whole file's events (real transcripts) or from the story itself (generated ones), never from a second scan.
"""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.stories import boundaries, open_workers, tell
from property.truth import unreported_ids
from resume_forensics.harness import HARNESSES
from resume_forensics.model.event import Call, End, Launch
from resume_forensics.model.record import Record
from resume_forensics.model.session import Source
from resume_forensics.read.records import read_records
from resume_forensics.text import Raw, reveal

THOROUGH = os.environ.get("RESUME_FORENSICS_PROFILE") == "slow"
RANDOM_CUTS = 60 if THOROUGH else 3
LARGE_BYTES = 1_000_000
"""Larger real files are cut at every fourth event only, unless the run is a thorough one."""


@given(seed=st.integers(0, 2**32), where=st.floats(0, 1))
def test_generated_story_cut_at_any_byte(seed: int, where: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    story = tell(seed)
    lines = story.lines()
    whole = b"\n".join(lines)
    cut = int(where * len(whole))
    folder = tmp_path_factory.mktemp("story")
    path = story.write(folder, [whole[:cut]])
    before = [step for step, end in zip(story.steps, boundaries(lines), strict=True) if end <= cut]
    assert unreported_ids(path) == open_workers(before)


@given(seed=st.integers(0, 2**32))
def test_generated_story_cut_at_every_record(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    story = tell(seed)
    lines = story.lines()
    folder = tmp_path_factory.mktemp("story")
    for count in range(1, len(lines) + 1, 1 if THOROUGH else 3):
        assert unreported_ids(story.write(folder, lines[:count])) == open_workers(story.steps[:count])


def real_cuts(path: Path, numbers: random.Random) -> tuple[list[tuple[int, Launch | End]], list[int]]:
    """The launches and ends of a real transcript with the byte at which each is whole, and the bytes to cut at."""
    data = path.read_bytes()
    events: list[tuple[int, Launch | End]] = []
    marks: list[int] = []
    for record in (item for item in read_records(path) if isinstance(item, Record)):
        feed = data.find(b"\n", record.place.byte)
        end = len(data) if feed < 0 else feed
        for event in HARNESSES[0].translate(record, Source(path=path)):
            if isinstance(event, Launch | End):
                events.append((end, event))
                marks.append(end)
            elif isinstance(event, Call) and event.spawns:
                marks.append(end)
    if len(data) > LARGE_BYTES and not THOROUGH:
        marks = marks[::4]
    cuts = {mark + shift for mark in marks for shift in (-1, 0, 1)} | {numbers.randrange(1, len(data) + 1) for _ in range(RANDOM_CUTS)}
    return events, sorted(cut for cut in cuts if 0 < cut <= len(data))


def check_cuts(path: Path, copy: Path) -> Iterator[int]:
    data = path.read_bytes()
    events, cuts = real_cuts(path, random.Random(len(data)))  # noqa: S311 (no secret, a cut)
    copy.parent.mkdir(parents=True, exist_ok=True)
    for cut in cuts:
        copy.write_bytes(data[:cut])
        before = [event for end, event in events if end <= cut]
        launched = {event.worker_id for event in before if isinstance(event, Launch)}
        ended = {event.worker_id for event in before if isinstance(event, End)}
        want = {reveal(worker) for worker in launched - ended if isinstance(worker, Raw)}
        assert unreported_ids(copy) == want, f"{path.parent.name}/{path.name} cut at byte {cut}"
        yield cut


def test_real_transcripts_cut_around_every_event(shared: Path, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    total = 0
    for path in sorted((shared / "corpus" / "projects").glob("*/*.jsonl")):
        total += sum(1 for _ in check_cuts(path, tmp_path / "projects" / path.parent.name / path.name))
    record_property("cuts", total)
    assert total >= (2_000 if THOROUGH else 200)
