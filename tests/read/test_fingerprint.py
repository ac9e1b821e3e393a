"""Files are told apart by what the file system says of them and by their content; what cannot be read has no print."""

import os
from pathlib import Path

import pytest

from resume_forensics.limits import Limits
from resume_forensics.read.fingerprint import Identity, identify, print_samples, print_whole

SMALL = Limits(sample_bytes=4, samples=3, block_bytes=64)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_the_identity_is_what_the_file_system_says(tmp_path: Path) -> None:
    status = write(tmp_path / "a", b"12345").stat()
    assert identify(tmp_path / "a") == Identity(status.st_dev, status.st_ino, 5, status.st_mtime_ns, status.st_ctime_ns)


def test_what_is_no_regular_file_has_no_identity(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert [identify(path) for path in (tmp_path, tmp_path / "pipe", tmp_path / "gone", Path("nul\0"))] == [None] * 4


def test_a_rewritten_file_with_its_old_time_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "a", b"12345")
    before = identify(path)
    status = path.stat()
    while path.stat().st_ctime_ns == status.st_ctime_ns:
        path.write_bytes(b"54321")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    after = identify(path)
    assert before is not None
    assert after is not None
    assert after[:4] == before[:4]
    assert after != before


@pytest.mark.parametrize(
    ("content", "changed"),
    [
        (b"", b"x"),
        (b"abc", b"abd"),
        (b"abcdefgh", b"abcdefgi"),
        (b"a" * 100, b"b" + b"a" * 99),
        (b"a" * 100, b"a" * 99 + b"b"),
        (b"a" * 100, b"a" * 50 + b"b" + b"a" * 49),
    ],
)
def test_samples_see_a_change_in_head_middle_and_tail(tmp_path: Path, content: bytes, changed: bytes) -> None:
    first, second = write(tmp_path / "a", content), write(tmp_path / "b", changed)
    assert print_samples(first, len(content), limits=SMALL) == print_samples(first, len(content), limits=SMALL)
    assert print_samples(first, len(content), limits=SMALL) != print_samples(second, len(changed), limits=SMALL)


@pytest.mark.parametrize("size", [0, 3, 9, 63, 64, 1000])
def test_samples_of_the_beginning_are_those_of_the_file_before_it_grew(tmp_path: Path, size: int) -> None:
    content = bytes(index % 251 for index in range(size))
    before, after = write(tmp_path / "a", content), write(tmp_path / "b", content + b"more")
    assert print_samples(before, size, limits=SMALL) == print_samples(after, size, limits=SMALL)


def test_a_change_between_the_samples_is_seen_by_the_whole_print_alone(tmp_path: Path) -> None:
    content = b"a" * 100
    first, second = write(tmp_path / "a", content), write(tmp_path / "b", content[:10] + b"b" + content[11:])
    assert print_samples(first, 100, limits=SMALL) == print_samples(second, 100, limits=SMALL)
    assert print_whole(first, [100], limits=SMALL) != print_whole(second, [100], limits=SMALL)


def test_whole_prints_of_several_sizes_cost_one_reading(tmp_path: Path) -> None:
    path = write(tmp_path / "a", b"a" * 100 + b"b" * 100)
    both = print_whole(path, [100, 200], limits=SMALL)
    assert both is not None
    assert [both[:1], both[1:]] == [print_whole(path, [100], limits=SMALL), print_whole(path, [200], limits=SMALL)]
    assert both[0] == (print_whole(write(tmp_path / "b", b"a" * 100), [100]) or [b""])[0]


def test_what_is_shorter_or_unreadable_has_no_print(tmp_path: Path) -> None:
    path = write(tmp_path / "a", b"abc")
    for gone in (tmp_path / "gone", tmp_path):
        assert print_samples(gone, 3) is None
        assert print_whole(gone, [3]) is None
    assert print_samples(path, 4) is None
    assert print_whole(path, [2, 4]) is None
