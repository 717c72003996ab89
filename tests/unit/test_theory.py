"""The closed forms: values from the paper's formula, and its ends.

tests/golden/theory.json was computed with fractions; the player's theory.js is held to all of it.
"""

import json
from pathlib import Path

import pytest

from specviz.config.costs import Costs
from specviz.theory import expected_tokens, speedup

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


@pytest.mark.parametrize(("alpha", "gamma"), [(-0.1, 1), (1.1, 1), (0.5, -1), (float("nan"), 1)])
def test_no_such_rate_or_length(alpha: float, gamma: int) -> None:
    with pytest.raises(ValueError, match="wanted alpha"):
        expected_tokens(alpha, gamma)
