"""Takes the draft length with the most expected tokens a second, from the acceptance so far and measured costs: none
where plain decoding has most."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz import theory
from specviz.config.costs import Costs
from specviz.config.settings import ConfigError, Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Round

ENTRY = Entry(
    name="throughput",
    source="argmax of theorem 3.8's speed-up, arXiv:2211.17192, with the true cost of a verify pass",
    params=(
        Param("prior", 0, 1, 0.7),
        Param("weight", 0.1, 100, 5),
        most_guesses(12),
    ),
)
FADES = 0.9
"""What is left of the memory after a round that guessed nothing: α goes back to the prior, until one is tried again."""


@dataclass(frozen=True, slots=True)
class Throughput(GammaRule):
    """argmax over 1 to most of (1 - α**(gamma + 1)) / ((1 - α)(gamma c + v(gamma + 1) + overhead)); 0 if all are < 1.

    Memory: slots accepted and tested so far.
    """

    prior: float
    weight: float
    most: int
    costs: Costs
    name = ENTRY.name

    def first(self) -> State:
        return self._best((0.0, 0.0))

    def next(self, state: State, step: Round) -> State:
        accepted, tested = state.memory
        if not step.slots:
            return self._best((FADES * accepted, FADES * tested))
        return self._best((accepted + len(step.path), tested + step.slots))

    def _best(self, memory: tuple[float, float]) -> State:
        accepted, tested = memory
        alpha = (accepted + self.prior * self.weight) / (tested + self.weight)
        costs = self.costs
        speeds = [
            theory.speedup(alpha, gamma, costs.c, costs.v(gamma + 1), costs.overhead)
            for gamma in range(1, self.most + 1)
        ]
        best = max(speeds)
        gamma = 1 + speeds.index(best) if best >= 1 else 0
        reason = because("throughput" if gamma else "plain_pays", alpha=f"{alpha:.2f}", speedup=f"{best:.2f}")
        return State(gamma, reason, alpha, memory)


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> Throughput:
    """Ignores gamma. Raises ConfigError: no costs."""
    if costs is None:
        raise ConfigError("no_costs")
    return Throughput(params["prior"], params["weight"], int(params["most"]), costs)
