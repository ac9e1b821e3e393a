"""How much of what was counted of a file still holds: nothing of it, its beginning, or all of it.

In: what was kept, and the file as it stands. Out: a verdict. A doubt always means that the file is counted anew.
"""

from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.limits import Limits
from resume_forensics.read.fingerprint import Identity, print_samples, print_whole


class Kept(NamedTuple):
    """What is kept of a file: who it was, its prints (`whole` where it was read in full), and the caller's `payload`.

    `counted_bytes`: the end of its last whole line, where counting goes on once the file has grown.
    """

    identity: Identity
    samples: bytes
    whole: bytes | None
    counted_bytes: int
    payload: bytes


class Seen(Struct, frozen=True, kw_only=True, gc=False):
    """A file as it stands now, and what is known of it.

    `payload`: what was kept of its first `counted_bytes` bytes, None where nothing is known and everything is to be read.
    `complete`: nothing was added since, so the payload tells of the whole file. The rest is for keeping it; what has no `samples`
    could not be read, and is not kept.
    """

    payload: bytes | None = None
    counted_bytes: int = 0
    complete: bool = False
    identity: Identity | None = None
    samples: bytes | None = None
    whole: bytes | None = None


def compare(path: Path, identity: Identity, kept: Kept | None, limits: Limits) -> Seen:
    """Believe the file system: a file that it says is the same is not opened. One that grew is compared by samples."""
    if kept is not None and kept.identity == identity:
        return _adopt(Seen(identity=identity, samples=kept.samples), kept, complete=True)
    fresh = Seen(identity=identity, samples=print_samples(path, identity.size_bytes, limits=limits))
    if kept is not None and _has_grown(path, identity, kept, limits):
        return _adopt(fresh, kept, complete=False)
    return fresh


def compare_whole(path: Path, identity: Identity, kept: Kept | None, limits: Limits) -> Seen:
    """Believe the content alone: the file is read in full, and whoever has these bytes at this path is the file that was counted."""
    size = identity.size_bytes
    before = kept.identity.size_bytes if kept is not None and kept.whole is not None else size
    prints = print_whole(path, [min(before, size), size], limits=limits)
    if prints is None:
        return Seen()
    samples = print_samples(path, size, limits=limits)
    fresh = Seen(identity=identity, samples=samples, whole=prints[1])
    if kept is not None and kept.whole == prints[0]:
        return _adopt(fresh, kept, complete=before == size)
    return fresh


def _adopt(fresh: Seen, kept: Kept, *, complete: bool) -> Seen:
    return replace(fresh, payload=kept.payload, counted_bytes=kept.counted_bytes, complete=complete)


def _has_grown(path: Path, identity: Identity, kept: Kept, limits: Limits) -> bool:
    """Whether it is the same file with more behind what it held."""
    before = kept.identity
    same = (before.device, before.inode) == (identity.device, identity.inode) and before.size_bytes < identity.size_bytes
    return same and print_samples(path, before.size_bytes, limits=limits) == kept.samples
