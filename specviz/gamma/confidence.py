"""Drafts on while the drafter is sure of its guesses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import MOST_GAMMA, Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Glance, Halt

ENTRY = Entry(
    name="confidence",
    source="transformers, assistant_confidence_threshold; Mamou et al., arXiv:2405.04304",
    params=(
        Param("threshold", 0, 1, 0.4),
        most_guesses(MOST_GAMMA),
    ),
)


@dataclass(frozen=True, slots=True)
class Confidence(GammaRule):
    """Stops after the first token with q < threshold. That token is still verified."""

    threshold: float
    most: int
    name = ENTRY.name
    looks = True

    def first(self) -> State:
        return State(self.most, because("confidence.most", most=self.most, least=f"{self.threshold:g}"))

    def halt(self, seen: Sequence[Glance]) -> Halt | None:
        q = seen[-1].q
        if q is None or q >= self.threshold:
            return None
        return Halt(because("confidence.halt", q=f"{q:.3g}", least=f"{self.threshold:g}"), q)


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> Confidence:
    """Ignores gamma."""
    return Confidence(params["threshold"], int(params["most"]))
