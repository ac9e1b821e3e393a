"""Which of two records came first. Within a file the line decides; between files the time does, because clocks step and files do not."""

from resume_forensics.model.event import Stamp


def is_before(one: Stamp, other: Stamp) -> bool:
    """Whether `one` stands before `other`. Between files without times the order of the files decides."""
    if one.source is other.source or one.at is None or other.at is None:
        return (one.source.order, one.line) < (other.source.order, other.line)
    return one.at < other.at
