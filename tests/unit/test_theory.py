"""The closed forms: values from the paper's formula, and its ends."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.theory import break_even, expected_tokens, round_cost, speedup

alphas = st.floats(0, 1)
gammas = st.integers(0, 20)


@given(st.floats(0, 0.999), gammas)
def test_expected_tokens_is_the_papers_closed_form(alpha: float, gamma: int) -> None:
    assert expected_tokens(alpha, gamma) == pytest.approx((1 - alpha ** (gamma + 1)) / (1 - alpha), rel=1e-9)


def test_expected_tokens_at_its_ends() -> None:
    assert [expected_tokens(1, 4), expected_tokens(0, 4), expected_tokens(0.7, 0)] == [5, 1, 1]


def test_expected_tokens_is_what_rounds_of_independent_guesses_add() -> None:
    draw = random.Random(1)
    total = 0
    for _ in range(40_000):
        total += 1 + next((guess for guess in range(4) if draw.random() >= 0.7), 4)
    assert total / 40_000 == pytest.approx(expected_tokens(0.7, 4), abs=0.04)


@pytest.mark.parametrize(("alpha", "gamma"), [(-0.1, 1), (1.1, 1), (0.5, -1), (float("nan"), 1)])
def test_no_such_rate_or_length(alpha: float, gamma: int) -> None:
    with pytest.raises(ValueError, match="wanted alpha"):
        expected_tokens(alpha, gamma)


def test_costs_are_counted_in_plain_steps() -> None:
    assert round_cost(4, 0.1, 1.1, 0.05) == pytest.approx(1.55)
    assert speedup(1, 4, 0.1, 1.1) == pytest.approx(5 / 1.5)


@given(gammas, st.floats(0, 1), st.floats(0.5, 4), st.floats(0, 1))
def test_from_break_even_on_a_round_pays(gamma: int, c: float, v: float, overhead: float) -> None:
    alpha = break_even(gamma, c, v, overhead)
    if alpha is None:
        assert speedup(1, gamma, c, v, overhead) < 1
    else:
        assert speedup(alpha, gamma, c, v, overhead) >= 1 - 1e-9
        assert alpha == 0 or speedup(max(0, alpha - 1e-6), gamma, c, v, overhead) < 1 + 1e-9
