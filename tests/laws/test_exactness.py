"""What is said of a method's exactness: true rules hold, and a text or a distribution not the target's own does not."""

from typing import Any

import pytest

from specviz.config.settings import RunConfig
from specviz.lab import exactness
from specviz.proof.findings import Exactness
from tests.battery.common import tiny_pair

TEXTS = ("abé", "aééabéééé", "bab", "éab")


def found(**config: Any) -> Exactness:
    *steps, last = exactness.exactness(RunConfig("", temperature=0.7, **config), tiny_pair(), TEXTS)
    assert steps[: len(TEXTS)] == [1, 2, 3, 4]
    assert isinstance(last, Exactness)
    return last


@pytest.mark.parametrize(
    "config",
    [{}, {"rule": "block"}, {"drafter": "small-tree", "rule": "traversal"}, {"drafter": "jacobi", "rule": "coupled"}],
    ids=str,
)
def test_a_true_rule_holds(config: dict[str, Any]) -> None:
    said = found(**config)
    assert (said.prompts, said.equal, said.ties) == (4, 4, 0)
    assert said.samples >= 4_000
    assert said.freedom >= 8
    assert said.p_value
    assert said.holds


def test_a_lossy_rule_does_not_hold() -> None:
    said = found(rule="typical")
    assert said.p_value is not None
    assert said.p_value < 1e-6
    assert not said.holds


def test_a_text_that_is_not_plain_decodings_does_not_hold() -> None:
    plain = {"abé": [3] * exactness.LENGTH}
    *_, said = exactness.exactness(RunConfig("", temperature=0.7), tiny_pair(), TEXTS, plain=plain)
    assert isinstance(said, Exactness)
    assert (said.equal, said.ties, said.holds) == (3, 0, False)
