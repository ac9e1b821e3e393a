"""The verdict about a file: nothing holds, its beginning holds, or all of it does (`test_cache.py` walks the same through the cache)."""

from pathlib import Path

from resume_forensics.limits import LIMITS
from resume_forensics.read.fingerprint import identify, print_samples, print_whole
from resume_forensics.read.freshness import Kept, Seen, compare, compare_whole


def keep(path: Path, *, whole: bool = False) -> Kept:
    """What would be kept of a file as it stands."""
    identity = identify(path)
    assert identity is not None
    samples, prints = print_samples(path, identity.size_bytes), print_whole(path, [identity.size_bytes])
    assert samples is not None
    assert prints is not None
    return Kept(identity, samples, prints[0] if whole else None, 4, b"counts")


def look(path: Path, kept: Kept | None, *, whole: bool = False) -> Seen:
    identity = identify(path)
    assert identity is not None
    return (compare_whole if whole else compare)(path, identity, kept, LIMITS)


def test_an_unknown_file_brings_what_is_needed_to_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc\nd")
    kept = keep(path, whole=True)
    assert look(path, None) == Seen(identity=kept.identity, samples=kept.samples)
    assert look(path, None, whole=True) == Seen(identity=kept.identity, samples=kept.samples, whole=kept.whole)


def test_the_same_file_holds_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc\nd")
    for whole in (False, True):
        seen = look(path, keep(path, whole=whole), whole=whole)
        assert (seen.payload, seen.counted_bytes, seen.complete) == (b"counts", 4, True)


def test_of_a_file_that_grew_the_beginning_holds(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for whole in (False, True):
        path.write_bytes(b"abc\nd")
        kept = keep(path, whole=whole)
        with path.open("ab") as stream:
            stream.write(b"ef\n")
        seen, now = look(path, kept, whole=whole), keep(path, whole=True)
        assert (seen.payload, seen.counted_bytes, seen.complete) == (b"counts", 4, False)
        assert (seen.identity, seen.samples, seen.whole) == (now.identity, now.samples, now.whole if whole else None)


def test_a_file_of_other_content_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for whole in (False, True):
        path.write_bytes(b"abc\nd")
        kept = keep(path, whole=whole)
        path.write_bytes(b"xbc\ndef\n")
        assert look(path, kept, whole=whole).payload is None
        path.write_bytes(b"ab")
        assert look(path, kept, whole=whole).payload is None


def test_what_was_never_read_in_full_does_not_hold_in_full(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc\nd")
    assert look(path, keep(path), whole=True).payload is None
