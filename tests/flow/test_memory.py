"""What was counted is not read again: nothing of a file that is the same, and of one that grew only what is new."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from flow.builders import S1, S2, Transcript, helper, helper_path
from resume_forensics.flow.memory import Memory
from resume_forensics.flow.sweep import Swept, choose_engine, plan_sweep, run_sweep
from resume_forensics.read.cache import Cache

_opened: list[str] = []
_listening = False


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if _listening and event == "open" and str(arguments[0]).endswith(".jsonl"):
        _opened.append(str(arguments[0]))


sys.addaudithook(_listen)


@contextmanager
def opened() -> Iterator[list[str]]:
    """Every transcript that this process opens meanwhile, in whatever way."""
    global _listening  # noqa: PLW0603 (an audit hook cannot be taken out again)
    _opened.clear()
    _listening = True
    try:
        yield _opened
    finally:
        _listening = False


def sweep(root: Path, *, cached: bool = True, verify: bool = False) -> Swept:
    """A sweep in this process, with a cache beside the root."""
    plan = plan_sweep([root])
    with Cache(root.parent / "cache" if cached else None, "one", today=date(2026, 9, 14), verify=verify) as cache:
        swept = run_sweep(plan, choose_engine(plan, jobs=1), memory=Memory(cache))
        assert cache.remarks == []
    return swept


def write_session(root: Path, session: str, *turns: str) -> Path:
    """A session with an agent of its own transcript, which was lost, and these human turns."""
    transcript = Transcript(session)
    transcript.human("build the shop")
    transcript.agent("a1", "toolu_1")
    for turn in turns:
        transcript.human(turn)
    main = transcript.write(root)
    helper("a1").write_to(helper_path(main, "a1"))
    return main


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two sessions."""
    folder = tmp_path / "projects"
    write_session(folder, S1, "resume", "go on")
    write_session(folder, S2)
    return folder


def test_an_unchanged_corpus_is_not_opened_and_gives_the_same_answer(root: Path) -> None:
    with opened() as files:
        first = sweep(root)
    assert len(set(files)) == 4
    with opened() as files:
        second = sweep(root)
    assert files == []
    assert second == first
    assert second.tally.document() == sweep(root, cached=False).tally.document()


def test_one_that_is_verified_is_opened_and_gives_the_same_answer(root: Path) -> None:
    first = sweep(root, verify=True)
    with opened() as files:
        assert sweep(root, verify=True) == first
    assert len(set(files)) == 4


@pytest.mark.parametrize("torn", [False, True])
def test_of_a_file_that_grew_only_the_new_part_is_read(root: Path, *, torn: bool) -> None:
    begun = Transcript(S1)
    begun.human("build the shop")
    main = begun.write(root)
    filler = b'{"type":"system","subtype":"informational","content":"%s"}\n' % (b"x" * 500)
    late = Transcript(S1)
    late.human("continue")
    with main.open("ab") as stream:
        stream.write(filler * 32_000 + (late.lines[0][:20] if torn else b""))
    sweep(root)
    with main.open("ab") as stream:
        stream.write((late.lines[0][20:] if torn else late.lines[0]) + b"\n")
    before = _read_bytes()
    found = sweep(root)
    assert _read_bytes() - before < 5_000_000 < main.stat().st_size // 3
    assert found.tally.document() == sweep(root, cached=False).tally.document()
    assert found.tally.document()["exact"]["resume_turns"] == 1


def _read_bytes() -> int:
    """What this process has read so far."""
    status = Path("/proc/self/io")
    if not status.exists():
        pytest.skip("only Linux tells how much a process has read")
    return int(status.read_text().split("rchar: ")[1].split()[0])


def test_a_rewritten_file_is_counted_anew(root: Path) -> None:
    sweep(root)
    write_session(root, S1, "resume", "continue", "resume")
    found = sweep(root)
    assert found.tally.document() == sweep(root, cached=False).tally.document()
    assert found.tally.document()["exact"]["resume_turns"] == 3


def test_a_file_that_comes_or_goes_changes_its_session_alone(root: Path) -> None:
    sweep(root)
    worker = helper_path(next(root.rglob(f"{S1}.jsonl")), "a1")
    worker.unlink()
    with opened() as files:
        found = sweep(root)
    assert {Path(file).stem for file in files} == {S1}
    assert found.tally.document() == sweep(root, cached=False).tally.document()
    helper("a1").write_to(worker)
    assert sweep(root).tally.document() == sweep(root, cached=False).tally.document()


def test_the_cache_holds_neither_paths_nor_ids_nor_words(root: Path) -> None:
    sweep(root)
    stored = b"".join(path.read_bytes() for path in (root.parent / "cache").iterdir())
    assert b"clean_or_unknown" in stored
    for text in (S1, S2, root.name, "toolu_1", "build the shop", "jsonl"):
        assert text.encode() not in stored


def test_a_file_that_could_not_be_read_is_tried_again(root: Path) -> None:
    broken = root / "broken.jsonl"
    broken.symlink_to(root / "gone")
    first = sweep(root)
    assert first == sweep(root)
    broken.unlink()
    assert sweep(root).tally.document()["exact"]["unreadable_files"] == []
    assert first.tally.document()["exact"]["unreadable_files"] != []
