"""Random numbers: named, fresh, reproducible; the ruler they point at; and what a sample says."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from specviz.proof import statistic
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Purpose, Seeded
from specviz.sampling.ruler import HEAD, invert, largest, segment

LAST = 1 - 2.0**-53
seeds = st.integers(0, 2**63 - 1)
uniforms = st.floats(0, LAST)
weights = st.lists(st.sampled_from([0.0, 1e-300, 1e-9, 0.1, 0.25, 0.5, 1.0]) | st.floats(0, 1), min_size=1, max_size=40)


def law(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def normal(values: list[float]) -> Floats:
    return law(values) / law(values).sum()


def ruler(probs: Floats) -> list[int]:
    """The whole ruler: the head, then every other token by id."""
    head = largest(probs[None], HEAD)[0].tolist()
    return [*head, *(token for token in range(len(probs)) if token not in head)]


def names() -> list[At]:
    return [
        At(position, purpose, stage, sibling)
        for position in (0, 1, 2, 2**40)
        for purpose in Purpose
        for stage in (0, 1, 2)
        for sibling in (0, 1, 2)
    ]


# -- Numbers ----------------------------------------------------------------------------------------------------


@given(seeds)
def test_a_seed_always_gives_the_same_numbers_in_whatever_order_they_are_asked_for(seed: int) -> None:
    first, again = Seeded(seed), Seeded(seed)
    forward = {at: first.uniform(at) for at in names()}
    backward = {at: again.uniform(at) for at in reversed(names())}
    assert forward == backward


def test_the_numbers_never_change_from_release_to_release() -> None:
    """A seed is a promise: these were drawn when the first trace of schema 4 was recorded."""
    chance = Seeded(2**62 + 1)
    found = [chance.uniform(at) for at in (At(0, Purpose.DRAFT), At(0, Purpose.DRAFT), At(9, Purpose.BONUS, 1, 2))]
    assert found == GOLDEN


GOLDEN = [0.529784813774504, 0.913494347151401, 0.48914753902619446]


# -- Flips ------------------------------------------------------------------------------------------------------


class Fixed(Seeded):
    def __init__(self, u: float) -> None:
        super().__init__(0)
        self.u = u

    def uniform(self, at: At) -> float:
        return self.u


@pytest.mark.parametrize(
    ("u", "p", "q", "won"),
    [
        (0.0, 0.0, 0.5, False),  # a token of p = 0 never stands, not even at u = 0
        (0.0, 5e-324, 1.0, True),
        (LAST, 0.5, 0.5, True),  # p = q always stands
        (LAST, 0.9, 0.1, True),
        (0.5, 0.25, 0.5, False),  # u q = p is lost
        (math.nextafter(0.5, 0), 0.25, 0.5, True),
        (0.75, 0.25, 0.5, False),
    ],
)
def test_a_guess_stands_where_u_q_is_less_than_p(u: float, p: float, q: float, won: bool) -> None:
    flip = Fixed(u).flip(p, q, At(0, Purpose.ACCEPT))
    assert flip == (won, u)


# -- Picks ------------------------------------------------------------------------------------------------------


@given(weights.filter(any), uniforms)
def test_a_number_points_at_the_token_whose_segment_holds_it(values: list[float], u: float) -> None:
    probs = normal(values)
    token = invert(probs, u)
    low, high = segment(probs, token)
    assert probs[token] > 0
    assert low - 1e-12 <= u <= high + 1e-12


@given(weights.filter(any))
def test_segments_cover_the_ruler_without_gap_or_overlap(values: list[float]) -> None:
    probs = normal(values)
    end = 0.0
    for token in ruler(probs):
        low, high = segment(probs, token)
        assert low == pytest.approx(end, abs=1e-12)
        assert high - low == pytest.approx(values[token] / sum(values), abs=1e-12)
        end = high
    assert end == pytest.approx(1)


@given(st.integers(1, 60), st.integers(0, 20), seeds)
def test_the_largest_come_largest_first_ties_by_id(size: int, count: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    laws = np.stack([normal([*dice.integers(0, 9, size).tolist(), 1.0]) for _ in range(4)])  # with ties
    before = laws.copy()
    for probs, found in zip(laws, largest(laws, count).tolist(), strict=True):
        assert found == sorted(range(size + 1), key=lambda token: (-probs[token], token))[:count]
    assert np.array_equal(laws, before)


@given(st.integers(1, 300), seeds, uniforms)
def test_a_long_ruler_is_read_as_if_every_weight_were_summed(size: int, seed: int, u: float) -> None:
    """Stretches of weights are summed at once; the token found is the one whose segment holds the number."""
    dice = np.random.default_rng(seed)
    probs = dice.random(size) * (dice.random(size) < 0.5)  # half of all weigh nothing, whole stretches at times
    probs[dice.integers(size)] = 1.0
    probs /= probs.sum()
    order = ruler(probs)
    ends = probs[order].cumsum()
    assume(abs(ends - u).min() > 1e-9)
    assert invert(probs, u) == order[int(ends.searchsorted(u, "right"))]


def shares(*weights: float) -> Floats:
    return np.array(weights) / sum(weights)


def test_chi_square_is_scipys_where_every_token_is_a_bin() -> None:
    p, counts = shares(5, 3, 1, 1), np.array([480.0, 330.0, 90.0, 100.0])
    wanted = stats.chisquare(counts, p * 1000)
    found = statistic.chi_square(p, counts)
    assert found.chi2 == pytest.approx(wanted.statistic)
    assert found.bins == 4
    assert found.p_value == pytest.approx(wanted.pvalue)


def test_what_cannot_come_up_says_everything_and_a_certain_token_nothing() -> None:
    assert statistic.chi_square(shares(1, 1, 0), np.array([50.0, 49.0, 1.0])).p_value == 0
    assert statistic.chi_square(shares(1, 0), np.array([100.0, 0.0])) == (0.0, 1, 1.0)


@pytest.mark.parametrize("freedom", [0, 1, 2, 3, 7, 50, 301, 5_000, 100_001])
def test_a_p_value_is_scipys_far_out_and_for_many_degrees_of_freedom(freedom: int) -> None:
    for chi2 in (0.0, 1e-6, *(freedom * share for share in (0.1, 0.9, 1.0, 1.1, 2.0, 10.0)), freedom + 200.0):
        wanted = stats.chi2.sf(chi2, freedom) if freedom else 1.0
        assert statistic.p_value(chi2, freedom) == pytest.approx(wanted, rel=1e-9, abs=1e-300)


def test_the_distance_lies_in_its_band_as_often_as_it_says() -> None:
    p = shares(*(1 / rank for rank in range(1, 30)))
    median, high = statistic.null_distance(p, 2_000, seed=0)
    draw = np.random.default_rng(2)
    counts = [draw.multinomial(2_000, p).astype(np.float64) for _ in range(400)]
    found = np.array([statistic.distance(p, each) for each in counts])
    assert 0.35 < (found < median).mean() < 0.65
    assert 0.88 < (found < high).mean() < 0.99
