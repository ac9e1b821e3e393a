"""How sure a counted share is. In: how many of how many. Out: the share with its Wilson interval."""

from math import sqrt
from typing import Final

from msgspec import Struct

_Z: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: an interval of 95 %."""


class Share(Struct, frozen=True, kw_only=True):
    """`n` of `of`, as a fraction from 0 to 1, with the bounds of its 95 % Wilson interval; all three None of nothing."""

    n: int
    of: int
    share: float | None
    low: float | None
    high: float | None


def measure_share(n: int, of: int) -> Share:
    """The share of `n` in `of`, which is at least `n`."""
    if of == 0:
        return Share(n=n, of=of, share=None, low=None, high=None)
    part, square = n / of, _Z * _Z
    middle = (part + square / (2 * of)) / (1 + square / of)
    reach = _Z * sqrt(part * (1 - part) / of + square / (4 * of * of)) / (1 + square / of)
    low, high = (0.0 if n == 0 else middle - reach), (1.0 if n == of else middle + reach)
    return Share(n=n, of=of, share=part, low=low, high=high)
