"""What a sample says is what textbooks and scipy say."""

import numpy as np
import pytest
from scipy import stats

from specviz.proof import statistic
from specviz.sampling.arrays import Floats


def law(*weights: float) -> Floats:
    return np.array(weights) / sum(weights)


def test_chi_square_is_scipys_where_every_token_is_a_bin() -> None:
    p, counts = law(5, 3, 1, 1), np.array([480.0, 330.0, 90.0, 100.0])
    wanted = stats.chisquare(counts, p * 1000)
    found = statistic.chi_square(p, counts)
    assert found.chi2 == pytest.approx(wanted.statistic)
    assert found.bins == 4
    assert found.p_value == pytest.approx(wanted.pvalue)


def test_what_cannot_come_up_says_everything_and_a_certain_token_nothing() -> None:
    assert statistic.chi_square(law(1, 1, 0), np.array([50.0, 49.0, 1.0])).p_value == 0
    assert statistic.chi_square(law(1, 0), np.array([100.0, 0.0])) == (0.0, 1, 1.0)


@pytest.mark.parametrize("freedom", [0, 1, 2, 3, 7, 50, 301, 5_000, 100_001])
def test_a_p_value_is_scipys_far_out_and_for_many_degrees_of_freedom(freedom: int) -> None:
    for chi2 in (0.0, 1e-6, *(freedom * share for share in (0.1, 0.9, 1.0, 1.1, 2.0, 10.0)), freedom + 200.0):
        wanted = stats.chi2.sf(chi2, freedom) if freedom else 1.0
        assert statistic.p_value(chi2, freedom) == pytest.approx(wanted, rel=1e-9, abs=1e-300)


def test_the_distance_lies_in_its_band_as_often_as_it_says() -> None:
    p = law(*(1 / rank for rank in range(1, 30)))
    median, high = statistic.null_distance(p, 2_000, seed=0)
    draw = np.random.default_rng(2)
    counts = [draw.multinomial(2_000, p).astype(np.float64) for _ in range(400)]
    found = np.array([statistic.distance(p, each) for each in counts])
    assert 0.35 < (found < median).mean() < 0.65
    assert 0.88 < (found < high).mean() < 0.99
