"""The cache knows what was counted as long as the file is the same, and never costs an answer, whatever becomes of it."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from resume_forensics.limits import LIMITS, Limits
from resume_forensics.read import cache as room
from resume_forensics.read import files, fingerprint, freshness
from resume_forensics.read.cache import FILE, Cache
from resume_forensics.read.freshness import Seen

TODAY = date(2026, 9, 14)
LINE = b'{"type":"user"}\n'


def open_cache(folder: Path | None, definition: str = "one", **more: object) -> Cache:
    settings: dict[str, object] = {"today": TODAY, **more}
    return Cache(folder, definition, **settings)  # type: ignore[arg-type]


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def remember(cache: Cache, path: Path, payload: bytes = b"counts") -> None:
    """Count a file as a sweep would: whole lines are kept as counted."""
    cache.keep(path, cache.look(path), payload, counted_bytes=path.read_bytes().rfind(b"\n") + 1)


def known(seen: Seen) -> tuple[bytes | None, int, bool]:
    return seen.payload, seen.counted_bytes, seen.complete


UNKNOWN = (None, 0, False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "a.jsonl", LINE * 100 + b'{"torn')


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that is opened to be read."""
    paths: list[Path] = []
    original = files.open_regular

    def open_regular(path: Path) -> object:
        paths.append(path)
        return original(path)

    monkeypatch.setattr(fingerprint, "open_regular", open_regular)
    return paths


def test_a_new_file_is_unknown_and_then_known(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == UNKNOWN
        remember(cache, file)
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == (b"counts", 1600, True)
        assert cache.remarks == []


def test_a_file_that_did_not_change_is_not_opened(folder: Path, file: Path, opened: list[Path]) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    opened.clear()
    with open_cache(folder) as cache:
        assert cache.look(file).complete
    assert opened == []


def test_a_file_that_grew_goes_on_from_its_last_whole_line(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    with file.open("ab") as stream:
        stream.write(b'"}\n' + LINE)
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == (b"counts", 1600, False)
        remember(cache, file, b"more counts")
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == (b"more counts", file.stat().st_size, True)


def rewrite_longer(path: Path) -> None:
    path.write_bytes(b'{"type":"text"}\n' + path.read_bytes()[16:] + LINE)


def rewrite_same_length(path: Path) -> None:
    write(path, path.read_bytes().replace(b"user", b"text", 1))


def shrink(path: Path) -> None:
    os.truncate(path, 800)


def exchange(path: Path) -> None:
    path.replace(path.with_suffix(".old"))
    path.write_bytes(path.with_suffix(".old").read_bytes() + LINE)


def touch(path: Path) -> None:
    os.utime(path, ns=(0, 0))


@pytest.mark.parametrize("change", [rewrite_longer, rewrite_same_length, shrink, exchange, touch])
def test_any_other_change_has_it_counted_anew(folder: Path, file: Path, change: Callable[[Path], None]) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    change(file)
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == UNKNOWN


def test_what_is_no_file_is_unknown_and_not_kept(folder: Path, tmp_path: Path) -> None:
    with open_cache(folder) as cache:
        for path in (tmp_path, tmp_path / "gone"):
            seen = cache.look(path)
            assert known(seen) == UNKNOWN
            cache.keep(path, seen, b"counts", counted_bytes=0)
            assert known(cache.look(path)) == UNKNOWN
        assert cache.remarks == []


def test_a_file_that_goes_while_it_is_looked_at_is_not_kept(folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "print_samples", lambda *_, **__: None)
    with open_cache(folder) as cache:
        remember(cache, file)
    monkeypatch.undo()
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == UNKNOWN


def test_without_a_folder_nothing_is_known_and_nothing_written(file: Path, tmp_path: Path, opened: list[Path]) -> None:
    with open_cache(None) as cache:
        remember(cache, file)
        assert known(cache.look(file)) == UNKNOWN
    assert opened == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_cache_is_the_owners_alone(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
        cache._write(1)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {f"{FILE}-wal", FILE} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_neither_path_nor_content_stands_in_it(folder: Path, tmp_path: Path) -> None:
    secret_path = write(tmp_path / "a-telling-name.jsonl", b'{"a telling text": 1}\n' * 200)
    with open_cache(folder, verify=True) as cache:
        remember(cache, secret_path)
    stored = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"counts" in stored
    assert b"telling" not in stored


# -- full comparison


def test_verify_reads_everything_once_and_then_believes_the_content(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == UNKNOWN  # no whole print was kept
        remember(cache, file)
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == (b"counts", 1600, True)
    touch(file)
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == (b"counts", 1600, True)


def test_verify_sees_what_samples_cannot(folder: Path, tmp_path: Path) -> None:
    limits = Limits(sample_bytes=4, samples=2)
    path = write(tmp_path / "a.jsonl", LINE * 4)
    for verify in (False, True):
        path.write_bytes(LINE * 4)
        with open_cache(folder, verify=verify, limits=limits) as cache:
            remember(cache, path)
        with path.open("r+b") as stream:
            stream.seek(20)
            stream.write(b"X")
            stream.seek(64)
            stream.write(LINE)
        with open_cache(folder, verify=verify, limits=limits) as cache:
            assert known(cache.look(path)) == (UNKNOWN if verify else (b"counts", 64, False))


def test_verify_goes_on_where_a_file_grew(folder: Path, file: Path) -> None:
    with open_cache(folder, verify=True) as cache:
        remember(cache, file)
    with file.open("ab") as stream:
        stream.write(b'"}\n' + LINE)
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == (b"counts", 1600, False)
        remember(cache, file, b"more counts")
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == (b"more counts", 1625, True)


def test_verify_sees_a_file_that_shrank_or_cannot_be_read(folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_cache(folder, verify=True) as cache:
        remember(cache, file)
    shrink(file)
    with open_cache(folder, verify=True) as cache:
        assert known(cache.look(file)) == UNKNOWN
        monkeypatch.setattr(freshness, "print_whole", lambda *_, **__: None)
        assert cache.look(file) == Seen()


# -- whatever becomes of the cache


def test_another_definition_builds_it_anew_with_a_sentence(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    with open_cache(folder, "two") as cache:
        assert known(cache.look(file)) == UNKNOWN
        assert cache.remarks == [f"the cache in {folder} was made by another version; it is built anew"]
        remember(cache, file)
    with open_cache(folder, "two") as cache:
        assert cache.look(file).complete
        assert cache.remarks == []


def test_a_database_of_another_program_is_built_anew(folder: Path, file: Path) -> None:
    folder.mkdir()
    other = sqlite3.connect(folder / FILE)
    other.execute("CREATE TABLE songs (name TEXT)")
    other.close()
    with open_cache(folder) as cache:
        assert cache.remarks == [f"the cache in {folder} was made by another program; it is built anew"]
        remember(cache, file)
        assert cache.look(file).identity is not None


def fill_with_noise(path: Path) -> None:
    path.write_bytes(b"\x93noise" * 4_000)


def cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 100)


@pytest.mark.parametrize("damage", [fill_with_noise, cut_off])
def test_a_damaged_cache_is_built_anew_with_a_sentence(folder: Path, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE * index) for index in range(200)]
    with open_cache(folder) as cache:
        for path in files:
            remember(cache, path, b"counts" * 100)
    damage(folder / FILE)
    with open_cache(folder) as cache:
        for path in files:
            remember(cache, path, b"again")
    assert cache.remarks == [f"the cache in {folder} was damaged; it is built anew"]
    with open_cache(folder) as cache:
        assert {cache.look(path).payload for path in files} == {b"again"}
        assert cache.remarks == []


def test_damage_that_shows_on_the_way_is_survived_too(folder: Path, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE * index) for index in range(200)]
    with open_cache(folder) as cache:
        for path in files:
            remember(cache, path, b"counts" * 100)
    size = (folder / FILE).stat().st_size
    with (folder / FILE).open("r+b") as stream:  # all but the head, which says what the tables are
        stream.seek(5 * 4096)
        stream.write(b"\x93" * (size - 5 * 4096))
    with open_cache(folder) as cache:
        assert cache.remarks == []
        for path in files:
            remember(cache, path, b"again")
    assert cache.remarks == [f"the cache in {folder} was damaged; it is built anew"]
    with open_cache(folder) as cache:
        assert all(cache.look(path).payload in {b"again", None} for path in files)
        assert cache.look(files[-1]).payload == b"again"


def test_a_line_of_the_table_that_was_changed_counts_as_none(folder: Path, file: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "b.jsonl", LINE)
    for statement in ("payload = x'00'", "payload = NULL", "counted = counted - 1", "identity = 'x'"):
        with open_cache(folder) as cache:
            remember(cache, file)
            remember(cache, other)
            key = cache._key(file)
        direct = sqlite3.connect(folder / FILE, isolation_level=None)
        direct.execute(f"UPDATE file SET {statement} WHERE key = ?", (key,))  # noqa: S608 (the words above)
        direct.close()
        with open_cache(folder) as cache:
            assert known(cache.look(file)) == UNKNOWN
            assert cache.look(other).complete
            assert cache.remarks == []


def test_a_killed_beginning_leaves_nothing_half_made(folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_TABLES", (*room._TABLES[:2], "NONSENSE"))
    with open_cache(folder) as cache:
        assert len(cache.remarks) == 1
    monkeypatch.undo()
    with open_cache(folder) as cache:
        remember(cache, file)
        assert cache.remarks == []


def test_where_no_folder_can_be_made_the_sweep_goes_on(tmp_path: Path, file: Path) -> None:
    taken = write(tmp_path / "taken", b"")
    with open_cache(taken / "cache") as cache:
        assert len(cache.remarks) == 1
        assert cache.remarks[0].startswith(f"the cache in {taken / 'cache'} could not be used (")
        remember(cache, file)
        assert known(cache.look(file)) == UNKNOWN


def test_a_cache_that_is_a_link_is_not_used(folder: Path, file: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / FILE).symlink_to(write(tmp_path / "precious", b""))
    with open_cache(folder) as cache:
        assert len(cache.remarks) == 1
        remember(cache, file)
    assert (tmp_path / "precious").read_bytes() == b""


def test_a_full_disk_ends_the_cache_and_not_the_sweep(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        assert cache._connection is not None
        cache._connection.execute(f"PRAGMA max_page_count = {cache._connection.execute('PRAGMA page_count').fetchone()[0]}")
        remember(cache, file, b"counts" * 4_000)
        cache._write(1)
        assert cache.remarks == [f"the cache in {folder} could not be used (SQLITE_FULL); everything was counted without it from there on"]
        assert known(cache.look(file)) == UNKNOWN


def test_a_cache_that_another_sweep_holds_is_written_later(folder: Path, file: Path) -> None:
    other = open_cache(folder)
    assert other._connection is not None
    with open_cache(folder, limits=Limits(cache_wait_s=0)) as cache:
        other._connection.execute("BEGIN IMMEDIATE")
        remember(cache, file)
        cache._write(1)
        other._connection.execute("ROLLBACK")
        cache._write(1)
        assert cache.remarks == []
        assert cache.look(file).complete
    other.close()


SWEEP = """
import sys
from datetime import date
from pathlib import Path
from resume_forensics.limits import Limits
from resume_forensics.read.cache import Cache

with Cache(Path(sys.argv[1]), sys.argv[2], today=date(2026, 9, 14), limits=Limits(cache_batch=7)) as cache:
    for path in sorted(Path(sys.argv[3]).glob("*.jsonl")):
        seen = cache.look(path)
        cache.keep(path, seen, path.name.encode() * 100, counted_bytes=path.stat().st_size)
print(cache.remarks)
"""


def start_sweep(folder: Path, definition: str, files: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", SWEEP, str(folder), definition, str(files)], stdout=subprocess.PIPE, text=True)


def test_two_sweeps_at_once_do_not_disturb_each_other(folder: Path, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE * (index + 1)) for index in range(300)]
    both = [start_sweep(folder, "one", tmp_path) for _ in range(2)]
    assert [(sweep.communicate()[0], sweep.returncode) for sweep in both] == [("[]\n", 0)] * 2
    with open_cache(folder) as cache:
        assert [known(cache.look(path)) for path in files] == [(path.name.encode() * 100, path.stat().st_size, True) for path in files]
    direct = sqlite3.connect(folder / FILE)
    assert direct.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    direct.close()


def test_two_versions_at_once_do_not_damage_it(folder: Path, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE * (index + 1)) for index in range(300)]
    both = [start_sweep(folder, definition, tmp_path) for definition in ("one", "two")]
    said = [sweep.communicate()[0] for sweep in both]
    assert [sweep.returncode for sweep in both] == [0, 0]
    assert [remarks for remarks in said if "damaged" in remarks or "could not" in remarks] == []
    with open_cache(folder, "three") as cache:
        assert {known(cache.look(path)) for path in files} == {UNKNOWN}
        assert cache.remarks == [f"the cache in {folder} was made by another version; it is built anew"]


def test_what_was_counted_before_an_interrupt_is_kept(folder: Path, file: Path) -> None:
    def sweep() -> None:
        with open_cache(folder) as cache:
            remember(cache, file)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep()
    with open_cache(folder) as cache:
        assert cache.look(file).complete


# -- bounds


def test_many_files_are_written_in_batches(folder: Path, tmp_path: Path) -> None:
    statements: list[str] = []
    with open_cache(folder, limits=Limits(cache_batch=10)) as cache:
        assert cache._connection is not None
        cache._connection.set_trace_callback(statements.append)
        for index in range(25):
            remember(cache, write(tmp_path / f"{index}.jsonl", LINE))
        assert statements.count("BEGIN IMMEDIATE") == 2
    assert statements.count("BEGIN IMMEDIATE") == 3


def test_a_payload_above_the_bound_is_not_kept(folder: Path, tmp_path: Path) -> None:
    small, large = write(tmp_path / "a.jsonl", LINE), write(tmp_path / "b.jsonl", LINE)
    with open_cache(folder, limits=Limits(cache_payload_bytes=6)) as cache:
        remember(cache, small, b"counts")
        remember(cache, large, b"counts+")
    with open_cache(folder) as cache:
        assert known(cache.look(small)) == (b"counts", 16, True)
        assert known(cache.look(large)) == UNKNOWN


def test_beyond_so_many_files_those_not_asked_for_longest_are_forgotten(folder: Path, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE) for index in range(4)]
    for day, path in enumerate(files):
        with open_cache(folder, today=TODAY + timedelta(day)) as cache:
            remember(cache, path)
    with open_cache(folder, today=TODAY + timedelta(9), limits=Limits(cache_files=2)) as cache:
        assert cache.look(files[0]).complete  # asked for, so it is not the oldest any more
    with open_cache(folder, today=TODAY + timedelta(9)) as cache:
        assert [cache.look(path).complete for path in files] == [True, False, False, True]


def test_what_nobody_asked_for_in_a_long_time_is_forgotten(folder: Path, file: Path) -> None:
    with open_cache(folder) as cache:
        remember(cache, file)
    later = TODAY + timedelta(LIMITS.cache_days)
    with open_cache(folder, today=later):
        pass
    with open_cache(folder, today=TODAY) as cache:
        assert cache.look(file).complete
    with open_cache(folder, today=later + timedelta(1)):
        pass
    with open_cache(folder) as cache:
        assert known(cache.look(file)) == UNKNOWN


def test_a_cache_that_grew_too_large_is_shrunk(folder: Path, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{index}.jsonl", LINE) for index in range(40)]
    with open_cache(folder) as cache:
        for path in files:
            remember(cache, path, os.urandom(20_000))
    before = (folder / FILE).stat().st_size
    with open_cache(folder, limits=Limits(cache_bytes=400_000)):
        pass
    assert (folder / FILE).stat().st_size < 400_000 < before
    with open_cache(folder) as cache:
        assert 0 < sum(cache.look(path).complete for path in files) < 40
