"""How long ago something was, in the one or two words of a report. Two times go in, words come out."""

from datetime import datetime
from typing import Final

_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def age_s(now: datetime, at: datetime) -> int:
    """Whole seconds since a time; none where it lies ahead of our clock."""
    return max(0, int((now - at).total_seconds()))


def describe_age(now: datetime, at: datetime) -> str:
    """The age of a time in its largest whole unit: days, hours, minutes; below a minute it says so."""
    return describe_seconds(age_s(now, at))


def describe_seconds(seconds: int) -> str:
    """A span in its largest whole unit."""
    for size, name in _UNITS:
        if seconds >= size:
            number = seconds // size
            return f"{number} {name}{'s' if number > 1 else ''}"
    return "less than a minute"
