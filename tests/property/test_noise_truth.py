"""Records that only quote receipts, notices and errors change no verdict, wherever they are put; nor does an order that real files show."""

import json
import random
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.noise import PLACES, make_noise, quotes
from property.stories import START, Step, Story, tell
from property.truth import scan_file, verdicts

RATIO = 0.4


def with_noise(lines: list[bytes], workers: list[str], numbers: random.Random, ratio: float = RATIO) -> list[bytes]:
    """The lines with quoting records put between them, also before the first."""
    noisy: list[bytes] = []
    for line in lines:
        if numbers.random() < ratio:
            noisy.append(json.dumps(make_noise(numbers, workers), ensure_ascii=False).encode())
        noisy.append(line)
    return noisy


def launched_ids(story: Story) -> list[str]:
    return [step.launches for step in story.steps if step.launches]


@given(seed=st.integers(0, 2**32))
def test_noise_in_a_generated_story(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    story = tell(seed)
    folder = tmp_path_factory.mktemp("story")
    quiet = scan_file(story.write(folder))
    noisy = scan_file(story.write(folder, with_noise(story.lines(), launched_ids(story), random.Random(seed))))  # noqa: S311
    assert verdicts(noisy) == verdicts(quiet)
    assert noisy.termination.kind == quiet.termination.kind


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__.strip("_"))
def test_every_quote_in_every_place(place: object, tmp_path: Path) -> None:
    story = tell(7)
    quiet = verdicts(scan_file(story.write(tmp_path)))
    assert callable(place)
    noise = [json.dumps(place(quote, index)).encode() for worker in launched_ids(story) for index, quote in enumerate(quotes(worker))]
    noisy = verdicts(scan_file(story.write(tmp_path, [*noise, *story.lines(), *noise])))
    assert quiet
    assert noisy == quiet


def test_noise_in_real_transcripts(shared: Path, tmp_path: Path) -> None:
    """Text behind a real fault could be a recovery, so here only the workers are compared."""
    compared = 0
    for path in sorted((shared / "corpus" / "projects").glob("*/*.jsonl")):
        copy = tmp_path / "projects" / path.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_bytes().splitlines(keepends=False)
        copy.write_bytes(path.read_bytes())
        quiet = verdicts(scan_file(copy))
        numbers = random.Random(len(lines))  # noqa: S311
        noise = with_noise([line for line in path.read_bytes().split(b"\n") if line], list(quiet), numbers, 0.1)
        copy.write_bytes(b"\n".join(noise) + b"\n")
        assert verdicts(scan_file(copy)) == quiet, path.name
        compared += len(quiet)
    assert compared >= 20


def swap_notices_before_receipts(steps: list[Step], numbers: random.Random) -> list[Step]:
    """Move the end of a worker directly before its receipt, as very fast workers leave it, where nothing else speaks of it."""
    swapped = list(steps)
    for worker in {step.launches for step in steps if step.launches}:
        speaking = [step for step in swapped if worker in json.dumps(step.record)]
        launch = next(step for step in swapped if step.launches == worker)
        ends = [step for step in speaking if step.ends == worker]
        revived = any(step.revives == worker for step in steps)
        if ends and not revived and not any(step.kills for step in steps) and numbers.random() < 0.7:
            end = ends[-1] if len(ends) == 1 else None
            queued = end is not None and end.record.get("type") == "user" and "origin" in end.record
            if end is not None and queued:
                swapped.remove(end)
                swapped.insert(swapped.index(launch), end)
    return swapped


def with_clock_steps(steps: list[Step], numbers: random.Random) -> list[bytes]:
    """The lines with a clock that steps back and forth by up to two minutes."""
    lines = []
    for index, step in enumerate(steps):
        record = dict(step.record)
        if record.get("timestamp"):
            moment = START + timedelta(seconds=index * 10 + numbers.randrange(-120, 120))
            record["timestamp"] = moment.isoformat().replace("+00:00", "Z")
        lines.append(json.dumps(record).encode())
    return lines


@given(seed=st.integers(0, 2**32))
def test_orders_that_real_files_show(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    story = tell(seed)
    numbers = random.Random(seed)  # noqa: S311
    folder = tmp_path_factory.mktemp("story")
    straight = scan_file(story.write(folder))
    steps = swap_notices_before_receipts(story.steps, numbers)
    bent = scan_file(story.write(folder, with_clock_steps(steps, numbers)))
    assert verdicts(bent) == verdicts(straight)
    assert bent.termination.kind == straight.termination.kind
