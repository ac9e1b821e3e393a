"""Which of two records came first. Within a file the line decides; between files the time does, because clocks step and files do not."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from heapq import merge

from resume_forensics.model.event import Launch, Stamp

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def is_before(one: Stamp, other: Stamp) -> bool:
    """Whether `one` stands before `other`. Between files without times the order of the files decides."""
    if one.source is other.source or one.at is None or other.at is None:
        return (one.source.order, one.line) < (other.source.order, other.line)
    return one.at < other.at


def merge_in_order(launches: Iterable[Launch]) -> Iterator[Launch]:
    """All launches, earliest first: those of one file by line, the files merged by time. One without a time does not wait."""
    files: defaultdict[int, list[Launch]] = defaultdict(list)
    for launch in launches:
        files[launch.stamp.source.order].append(launch)
    by_line = [sorted(files[order], key=lambda launch: launch.stamp.line) for order in sorted(files)]
    return merge(*by_line, key=lambda launch: launch.stamp.at or _LONG_AGO)
