"""The Wilson interval, against values worked out by its formula and against what must always hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_forensics.model.share import Share, measure_share


@pytest.mark.parametrize(
    ("n", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (48, 91, 0.4259, 0.6268), (1, 1, 0.2065, 1.0)],
)
def test_the_interval_is_wilsons(n: int, of: int, low: float, high: float) -> None:
    share = measure_share(n, of)
    assert (share.n, share.of, share.share) == (n, of, n / of)
    assert share.low == pytest.approx(low, abs=5e-5)
    assert share.high == pytest.approx(high, abs=5e-5)


def test_a_share_of_nothing_is_unknown() -> None:
    assert measure_share(0, 0) == Share(n=0, of=0, share=None, low=None, high=None)


@given(numbers=st.integers(1, 10**9).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_lies_in_its_interval(numbers: tuple[int, int]) -> None:
    share = measure_share(*numbers)
    assert share.share is not None
    assert share.low is not None
    assert share.high is not None
    assert 0 <= share.low <= share.share <= share.high <= 1
