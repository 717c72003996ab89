"""The closed forms: values from the paper's formula, and its ends.

tests/golden/theory.json was computed with fractions; the player's theory.js is held to all of it.
"""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.config.costs import Costs
from specviz.theory import expected_tokens, round_cost, speedup

alphas = st.floats(0, 1)
gammas = st.integers(0, 20)
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "theory.json").read_text(encoding="utf-8"))


def test_the_closed_forms_are_those_of_the_golden_table() -> None:
    for row in GOLDEN["expected_tokens"]:
        assert expected_tokens(row["alpha"], row["gamma"]) == pytest.approx(row["tokens"], rel=1e-12)
    for row in GOLDEN["speedup"]:
        times = speedup(row["alpha"], row["gamma"], row["c"], row["v"], row["overhead"])
        assert times == pytest.approx(row["speedup"], rel=1e-12)


def test_measured_costs_in_plain_steps_are_those_of_the_golden_table() -> None:
    for row in GOLDEN["costs"]:
        costs = Costs(row["draft"], row["rest"], tuple(row["widths"]), tuple(row["passes"]))
        assert (costs.c, costs.overhead) == pytest.approx((row["c"], row["overhead"]))
        assert [costs.v(width) for width, _ in row["v"]] == pytest.approx([cost for _, cost in row["v"]])


@given(st.floats(0, 0.999), gammas)
def test_expected_tokens_is_the_papers_closed_form(alpha: float, gamma: int) -> None:
    assert expected_tokens(alpha, gamma) == pytest.approx((1 - alpha ** (gamma + 1)) / (1 - alpha), rel=1e-9)


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


def test_four_guesses_of_2_ms_and_a_pass_of_40_take_48_and_not_160() -> None:
    assert 40 * round_cost(4, 2 / 40, 1) == pytest.approx(48)
    assert speedup(1, 4, 2 / 40, 1) == pytest.approx(5 * 40 / 48), "five tokens, if all four stand"
