"""The closed forms: values from the paper's formula, and its ends."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.theory import best_gamma, break_even, expected_tokens, round_cost, speedup

alphas = st.floats(0, 1)
gammas = st.integers(0, 20)
TABLE = json.loads((Path(__file__).parents[1] / "golden" / "theory" / "table.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", TABLE)
def test_the_table_that_the_player_is_held_to_as_well(row: dict[str, float]) -> None:
    alpha, gamma, costs = row["alpha"], int(row["gamma"]), (row["c"], row["v"], row["overhead"])
    assert expected_tokens(alpha, gamma) == pytest.approx(row["tokens"], rel=1e-12)
    assert speedup(alpha, gamma, *costs) == pytest.approx(row["speedup"], rel=1e-12)
    assert break_even(gamma, *costs) == pytest.approx(row["break_even"], abs=1e-12)
    assert best_gamma(alpha, row["c"], longest=12) == row["best_gamma"]


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


@pytest.mark.parametrize(("alpha", "tokens"), [(0.5, 1.97), (0.7, 2.94), (0.8, 3.69), (0.9, 4.69), (0.95, 5.30)])
def test_five_guesses_give_what_the_formula_says_and_not_what_is_printed(alpha: float, tokens: float) -> None:
    assert expected_tokens(alpha, 5) == pytest.approx(tokens, abs=0.005)


@pytest.mark.parametrize(
    ("alpha", "gamma", "times", "printed", "then"), [(0.8, 6, 2.47, 8, 2.40), (0.5, 2, 1.46, 3, 1.44)]
)
def test_the_best_length_for_drafts_of_4_ms_and_passes_of_40(
    alpha: float, gamma: int, times: float, printed: int, then: float
) -> None:
    assert best_gamma(alpha, 4 / 40) == gamma
    assert speedup(alpha, gamma, 4 / 40, 1) == pytest.approx(times, abs=0.005)
    assert speedup(alpha, printed, 4 / 40, 1) == pytest.approx(then, abs=0.005)


def test_where_nothing_pays_nothing_is_guessed() -> None:
    assert best_gamma(0.3, 0.5) == 0
    assert best_gamma(1, 0.1, longest=7) == 7


def test_four_guesses_of_2_ms_and_a_pass_of_40_take_48_and_not_160() -> None:
    assert 40 * round_cost(4, 2 / 40, 1) == pytest.approx(48)
    assert speedup(1, 4, 2 / 40, 1) == pytest.approx(5 * 40 / 48), "five tokens, if all four stand"
