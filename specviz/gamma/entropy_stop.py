"""Drafts on while the entropy of q promises that a guess will be accepted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Glance, Halt

ENTRY = Entry(
    name="entropy-stop",
    source="AdaEDL, Agrawal et al., arXiv:2410.18351",
    params=(
        Param("scale", 0, 2, 0.2),
        Param("bound", 0, 1, 0.3),
        most_guesses(8),
    ),
)


@dataclass(frozen=True, slots=True)
class EntropyStop(GammaRule):
    """Stops before a draw where 1 - sqrt(scale H(q)) < bound. A round's first token is always drawn."""

    scale: float
    bound: float
    most: int
    name = ENTRY.name
    looks = True

    def first(self) -> State:
        return State(
            self.most, because("entropy.most", most=self.most, scale=f"{self.scale:g}", bound=f"{self.bound:g}")
        )

    def halt(self, seen: Sequence[Glance]) -> Halt | None:
        if seen[-1].q is not None or len(seen) == 1:
            return None
        entropy = seen[-1].entropy
        promise = 1 - math.sqrt(self.scale * max(0.0, entropy))
        if promise >= self.bound:
            return None
        numbers = {"entropy": f"{entropy:.2f}", "scale": f"{self.scale:g}", "promise": f"{promise:.2f}"}
        return Halt(because("entropy.halt", **numbers, bound=f"{self.bound:g}"), promise)


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> EntropyStop:
    """Ignores gamma."""
    return EntropyStop(params["scale"], params["bound"], int(params["most"]))
