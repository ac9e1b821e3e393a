"""Which sessions belong to a directory, and which is the newest; what is no session though its name ends like one."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow.builders import CWD, HARNESS, S1, S2, S3, START, Transcript, plain, select, spell_time, touch
from resume_forensics.errors import NoSession, UnreadableFile
from resume_forensics.flow import discover
from resume_forensics.flow.discover import choose_session, find_sessions, find_store, open_session
from resume_forensics.limits import LIMITS
from resume_forensics.model.session import Selection, Session


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "config" / "projects"


def session(name: str, minutes: float = 0, cwd: str | None = CWD) -> Transcript:
    """A session that was last active that many minutes after the start."""
    transcript = Transcript(name, cwd=cwd, at=START + timedelta(minutes=minutes))
    transcript.human()
    return transcript


def names(directory: Path | str, store: Path) -> list[str]:
    return [one.path.stem for one in find_sessions(select(directory, store), HARNESS)]


# -- order and position


def test_newest_is_the_one_with_the_latest_record_not_the_latest_modification(store: Path) -> None:
    for name, minutes in ((S1, 30), (S2, 60), (S3, 45)):
        path = session(name, minutes).write(store)
        touch(path, START - timedelta(minutes=minutes))
    assert names(CWD, store) == [S2, S3, S1]


def test_equal_times_are_ordered_by_path(store: Path) -> None:
    for name in (S3, S1, S2):
        session(name).write(store)
    assert names(CWD, store) == [S1, S2, S3]


def test_metadata_written_again_at_exit_is_no_activity(store: Path) -> None:
    old = session(S1, 0)
    old.remark("custom-title", customTitle="shop")
    late = spell_time(START + timedelta(hours=9))
    old.remark("last-prompt", lastPrompt="go on", timestamp=late)
    old.remark("queue-operation", operation="enqueue", content="typed", timestamp=late)
    touch(old.write(store), START + timedelta(hours=9))
    session(S2, 10).write(store)
    assert names(CWD, store) == [S2, S1]


def test_a_session_without_any_time_is_ordered_by_its_modification(store: Path) -> None:
    timeless = Transcript(S1)
    timeless.add("user", timestamp=None, message={"role": "user", "content": "hi"})
    touch(timeless.write(store), START + timedelta(hours=1))
    session(S2, 30).write(store)
    session(S3, 90).write(store)
    assert names(CWD, store) == [S3, S1, S2]


@pytest.mark.parametrize(("position", "name"), [(0, S3), (1, S2), (2, S1)])
def test_position_picks_and_the_others_are_named_newest_first(store: Path, position: int, name: str) -> None:
    for minutes, one in enumerate((S1, S2, S3)):
        session(one, minutes).write(store)
    chosen, others = choose_session(select(CWD, store, position), HARNESS)
    assert chosen.path.stem == name
    assert [one.path.stem for one in others] == [one for one in (S3, S2, S1) if one != name]


@pytest.mark.parametrize(
    ("made", "position", "sentence"),
    [
        (0, 0, "no session of '/work/shop' was found; name another directory with --cwd, a store with --projects-dir"),
        (0, 3, "no session of '/work/shop' was found"),
        (1, 1, "'/work/shop' has only 1 session; --list-sessions shows them"),
        (2, 2, "'/work/shop' has only 2 sessions; --list-sessions shows them"),
    ],
)
def test_where_none_fits_one_sentence_says_so(store: Path, made: int, position: int, sentence: str) -> None:
    store.mkdir(parents=True)
    for one in (S1, S2)[:made]:
        session(one).write(store)
    with pytest.raises(NoSession) as refusal:
        choose_session(select(CWD, store, position), HARNESS)
    assert str(refusal.value).startswith(sentence)


def test_a_store_that_is_not_there_is_named(tmp_path: Path) -> None:
    mistyped = tmp_path / "projetcs"
    with pytest.raises(NoSession, match=f"was found .there is no store at '{mistyped}'.; name another directory"):
        choose_session(select(CWD, mistyped), HARNESS)
    with pytest.raises(NoSession, match="no home folder is known"):
        choose_session(Selection(directory=Path(CWD)), HARNESS)


# -- where a session belongs


def test_two_directories_with_one_slug_are_told_apart_by_their_records(store: Path) -> None:
    session(S1, cwd="/work/a-b").write(store, "-work-a-b")
    session(S2, cwd="/work/a/b").write(store, "-work-a-b")
    session(S3, cwd="/work/a.b").write(store, "-work-a-b")
    assert (names("/work/a-b", store), names("/work/a/b", store), names("/work/a_b", store)) == ([S1], [S2], [])


def test_a_session_that_names_no_directory_belongs_where_its_folder_points(store: Path) -> None:
    session(S1, cwd=None).write(store, "-work-shop")
    assert names(CWD, store) == [S1]
    assert names("/work/other", store) == []


def test_a_session_that_worked_in_several_directories_belongs_to_each(store: Path) -> None:
    transcript = session(S1)
    transcript.human(cwd="/work/shop/src")
    transcript.human(cwd="/work/shop")
    path = transcript.write(store)
    assert names("/work/shop/src", store) == [S1]
    assert [plain(one) for one in open_session(path, HARNESS).directories] == ["/work/shop/src", "/work/shop"]


def test_the_directory_of_the_last_record_counts_though_the_head_does_not_name_it(store: Path) -> None:
    transcript = Transcript(S1, cwd=None)
    for _ in range(LIMITS.probe_lines):
        transcript.human()
    transcript.human(cwd="/work/late")
    transcript.human()
    transcript.write(store, "-work-shop")
    assert names(CWD, store) == [S1]  # neither the head nor the last record says where
    transcript.human(cwd="/work/late")
    transcript.write(store, "-work-shop")
    assert (names(CWD, store), names("/work/late", store)) == ([], [S1])


def test_a_moved_session_belongs_where_it_says_it_moved_to(store: Path) -> None:
    at_the_end, at_the_head = session(S1), Transcript(S2)
    at_the_end.remark("relocated", relocatedCwd="/work/new")
    at_the_head.remark("relocated", relocatedCwd="/work/new")
    at_the_head.human()
    for one in (at_the_end, at_the_head):
        one.write(store)
    assert names("/work/new", store) == [S1, S2]
    assert names(CWD, store) == []


def test_the_last_move_counts_though_the_head_tells_of_an_earlier_one(store: Path) -> None:
    transcript = session(S1)
    transcript.remark("relocated", relocatedCwd="/work/first")
    for _ in range(LIMITS.probe_lines):
        transcript.human(cwd="/work/first")
    transcript.remark("relocated", relocatedCwd="/work/second")
    transcript.write(store)
    assert (names("/work/second", store), names("/work/first", store)) == ([S1], [])


def test_other_folders_are_searched_only_where_the_named_ones_hold_nothing(store: Path) -> None:
    session(S1).write(store, "renamed-project")
    assert names(CWD, store) == [S1]
    session(S2).write(store)
    assert names(CWD, store) == [S2]


def test_other_folders_give_nothing_by_name_alone(store: Path) -> None:
    session(S1, cwd=None).write(store, "renamed-project")
    assert names(CWD, store) == []


def test_long_directories_match_by_prefix_whatever_hash_follows_and_then_by_cwd(store: Path) -> None:
    base = "/work/" + "d" * 210
    mine, other = base + "/one", base + "/two"
    prefix = ("-work-" + "d" * 210)[:200]
    session(S1, 1, cwd=mine).write(store, prefix + "-1a2b3c")
    session(S2, 2, cwd=mine).write(store, prefix + "-zzzz9")
    session(S3, 3, cwd=other).write(store, prefix + "-1a2b3c")
    assert (names(mine, store), names(other, store)) == ([S2, S1], [S3])


def test_a_linked_directory_is_found_by_either_name(store: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    session(S1, 1, cwd=str(real)).write(store)
    session(S2, 2, cwd=str(link)).write(store)
    assert set(names(link, store)) == {S1, S2}
    assert names(real, store) == [S1]  # the folder that bears its name holds one
    (store / discover_name(real)).rename(store / "away")
    assert set(names(real, store)) == {S1, S2}


def discover_name(directory: Path) -> str:
    return HARNESS.slug(str(directory))


def test_one_windows_directory_in_two_spellings_is_one(store: Path) -> None:
    session(S1, 1, cwd="C:\\Users\\Noor\\shop").write(store, "C--Users-Noor-shop")
    session(S2, 2, cwd="c:\\Users\\Noor\\shop").write(store, "c--Users-Noor-shop")
    for spelling in ("c:\\users\\noor\\shop", "C:/Users/Noor/shop", "C:\\Users\\Noor\\shop"):
        assert names(spelling, store) == [S2, S1]


# -- what is no session


def test_files_that_are_no_sessions(store: Path) -> None:
    folder = session(S1).write(store).parent
    for name in (
        "agent-a1b2c3d.jsonl",
        "history.jsonl",
        f"{S2}.sync-conflict-20260914-090000-ABCDEFG.jsonl",
        f"{S2} (conflicted copy 2026-09-14).jsonl",
        f"{S2} 2.jsonl",
        f"{S2}.json",
        f"{S2}.jsonl.bak",
    ):
        session(S2, 60).write_to(folder / name)
    (folder / f"{S2}.jsonl").touch()
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "fifo.jsonl")
    (folder / "dangling.jsonl").symlink_to(folder / "nowhere")
    (store / "a file beside the folders").touch()
    assert names(CWD, store) == [S1]


def test_a_link_to_a_session_is_one(store: Path, tmp_path: Path) -> None:
    elsewhere = session(S1).write_to(tmp_path / "elsewhere.jsonl")
    folder = session(S2, 1).write(store).parent
    (folder / f"{S1}.jsonl").symlink_to(elsewhere)
    assert names(CWD, store) == [S2, S1]


def test_a_file_without_one_readable_record_is_a_session_by_its_name(store: Path) -> None:
    transcript = Transcript(S1)
    transcript.add_line("no record at all")
    transcript.write(store)
    assert names(CWD, store) == [S1]


def test_a_file_that_is_gone_when_it_is_opened_is_passed_over(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (S1, S2):
        session(one).write(store)
    whole = discover.probe

    def probe(path: Path, *more: object) -> Session:
        if path.stem == S1:
            raise UnreadableFile("it is gone")
        return whole(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(discover, "probe", probe)
    assert names(CWD, store) == [S2]


def test_a_store_that_is_not_there_has_no_sessions(tmp_path: Path) -> None:
    assert names(CWD, tmp_path / "nowhere") == []
    assert find_sessions(Selection(directory=Path(CWD)), HARNESS) == []


# -- one file


def test_a_named_file_is_opened_whatever_its_name_and_names_no_others(store: Path) -> None:
    path = session(S1).write_to(store / "-work-shop" / "agent-a1.jsonl")
    chosen, others = choose_session(Selection(directory=Path(), session=path), HARNESS)
    assert (chosen.path, chosen.main_exists, others) == (path, True, ())
    assert chosen.size_bytes == path.stat().st_size
    assert chosen.last_activity_at == START + timedelta(seconds=1)


def test_a_named_file_that_is_not_there_is_refused(store: Path) -> None:
    for path in (store / "gone.jsonl", store):
        with pytest.raises(UnreadableFile):
            open_session(path, HARNESS)


@pytest.mark.parametrize("name", ["", ".", "/", "-work-shop", f"-work-shop/{S1}"])
def test_a_folder_is_no_session_file_whatever_lies_in_it(store: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session(S2).write(store)
    session(S1).write_to(store / "-work-shop" / S1 / "subagents" / "agent-a1.jsonl")
    monkeypatch.chdir(store)
    with pytest.raises(UnreadableFile, match="it is a directory, not a file"):
        open_session(Path(name), HARNESS)


def test_an_empty_named_file_is_a_session_without_records(store: Path) -> None:
    path = Transcript(S1).write(store)
    touch(path, START)
    found = open_session(path, HARNESS)
    assert (found.main_exists, found.size_bytes, found.directories) == (True, 0, ())


def test_a_session_whose_main_file_is_gone_is_what_is_left_in_its_folder(store: Path) -> None:
    left = store / "-work-shop" / S1
    session(S1, 5).write_to(left / "subagents" / "agent-a1.jsonl")
    touch(left / "subagents", START + timedelta(minutes=7))
    found = open_session(left.with_suffix(".jsonl"), HARNESS)
    assert (found.main_exists, found.size_bytes, found.directories) == (False, 0, ())
    assert (plain(found.session_id), found.last_activity_at) == (S1, START + timedelta(minutes=7))


# -- the store


def test_the_store_that_is_named_goes_first_then_what_the_file_implies_then_the_users_own(store: Path, tmp_path: Path) -> None:
    path = store / "-work-shop" / f"{S1}.jsonl"
    home = tmp_path / "home"
    named = Selection(directory=Path(), session=path, store=tmp_path / "named", home=home)
    assert find_store(named, HARNESS) == tmp_path / "named"
    assert find_store(replace(named, store=None), HARNESS) == store
    assert find_store(replace(named, store=None, session=tmp_path / "any" / "where.jsonl"), HARNESS) is None
    own = Selection(directory=Path(CWD), home=home)
    assert find_store(own, HARNESS) == home / ".claude" / "projects"
    moved = replace(own, environment=(("CLAUDE_CONFIG_DIR", str(tmp_path / "moved")),))
    assert find_store(moved, HARNESS) == tmp_path / "moved" / "projects"
    assert find_store(replace(own, home=None), HARNESS) is None
