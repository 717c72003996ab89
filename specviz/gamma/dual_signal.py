"""Looks at the share accepted in the last round, and at how unsure the drafter was."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from specviz.config.costs import Costs
from specviz.config.settings import MOST_GAMMA, Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Round

ENTRY = Entry(
    name="dual-signal",
    source="after Torch-Velocity's adaptive gamma",
    params=(
        Param("high", 0, 1, 0.8),
        Param("low", 0, 1, 0.3),
        Param("unsure", 0, 12, 2.0),
        Param("half", 0, 1, 0.5),
        Param("least", 1, MOST_GAMMA, 1, whole=True),
        most_guesses(8),
    ),
)


@dataclass(frozen=True, slots=True)
class DualSignal(GammaRule):
    """Begins with `gamma` and stays within least to most."""

    gamma: int
    high: float
    low: float
    unsure: float
    half: float
    least: int
    most: int
    name = ENTRY.name
    looks = True

    def first(self) -> State:
        return State(self._within(self.gamma), because("begin"))

    def next(self, state: State, step: Round) -> State:
        if not step.verdicts:
            return State(state.gamma, because("idle"))
        share = len(step.path) / step.offered
        unsure = fmean(glance.entropy for glance in step.seen)
        shown, nats = f"{share:.0%}", f"{unsure:.2f}"
        if share > self.high:
            return State(self._within(state.gamma + 1), because("dual.up", share=shown, high=f"{self.high:.0%}"), share)
        if share < self.low:
            return State(self._within(state.gamma - 1), because("dual.down", share=shown, low=f"{self.low:.0%}"), share)
        if unsure < self.unsure and share >= self.half:
            reason = because("dual.sure", share=shown, entropy=nats, unsure=f"{self.unsure:g}")
            return State(self._within(state.gamma + 1), reason, share)
        return State(state.gamma, because("dual.same", share=shown, entropy=nats), share)

    def _within(self, gamma: int) -> int:
        return max(self.least, min(gamma, self.most))


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> DualSignal:
    """gamma is the length it begins with."""
    shares = (params["high"], params["low"], params["unsure"], params["half"])
    return DualSignal(gamma, *shares, int(params["least"]), int(params["most"]))
