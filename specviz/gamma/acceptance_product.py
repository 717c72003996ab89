"""Drafts on while everything drafted so far is likely enough to be accepted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import MOST_GAMMA, Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Glance, Halt

ENTRY = Entry(
    name="acceptance-product",
    source="after SpecDec++, Huang et al., arXiv:2405.19715; the predictor is a logistic one",
    params=(
        Param("threshold", 0, 1, 0.3),
        most_guesses(MOST_GAMMA),
    ),
)
WEIGHTS = (1.6119, 0.1740, -0.2492)
"""Weights of 1, ln q(x) and H(q), fitted to the tested guesses of 50 runs. A test fits them again."""


def chance(glance: Glance) -> float:
    """The estimated probability that a guess is accepted, from its q and the entropy of what it was drawn from."""
    assert glance.q is not None, "the guess is drawn"
    bias, by_q, by_entropy = WEIGHTS
    return 1 / (1 + math.exp(-(bias + by_q * math.log(glance.q) + by_entropy * glance.entropy)))


@dataclass(frozen=True, slots=True)
class AcceptanceProduct(GammaRule):
    """Stops after the token that lifts 1 - product of chances above the threshold. That token is still verified."""

    threshold: float
    most: int
    name = ENTRY.name
    looks = True

    def first(self) -> State:
        return State(self.most, because("product.most", most=self.most, limit=f"{self.threshold:.0%}"))

    def halt(self, seen: Sequence[Glance]) -> Halt | None:
        if seen[-1].q is None:
            return None
        risk = 1 - math.prod(map(chance, seen))
        if risk <= self.threshold:
            return None
        return Halt(because("product.halt", guesses=len(seen), risk=f"{risk:.0%}", limit=f"{self.threshold:.0%}"), risk)


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> AcceptanceProduct:
    """Ignores gamma."""
    return AcceptanceProduct(params["threshold"], int(params["most"]))
