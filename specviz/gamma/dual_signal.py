"""Looks at the share accepted in the last round, and at how unsure the drafter was."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from specviz.config.costs import Costs
from specviz.config.settings import MOST_GAMMA, Entry, Param
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Round

ENTRY = Entry(
    name="dual-signal",
    summary="One more guess when most stood, or when the drafter was sure and half stood; one less when few did.",
    source="after Torch-Velocity's adaptive gamma",
    params=(
        Param("high", 0, 1, 0.8, "a larger share accepted: one more"),
        Param("low", 0, 1, 0.3, "a smaller share accepted: one less"),
        Param("unsure", 0, 12, 2.0, "nats; below this mean entropy of q, and with the share below: one more"),
        Param("half", 0, 1, 0.5, "the share that must have been accepted for that"),
        Param("least", 1, MOST_GAMMA, 1, "guesses a round at least", whole=True),
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
        return State(self._within(self.gamma), "to begin with")

    def next(self, state: State, step: Round) -> State:
        if not step.verdicts:
            return State(state.gamma, "nothing was drafted, so nothing was learnt")
        share = len(step.path) / step.offered
        unsure = fmean(glance.entropy for glance in step.seen)
        accepted = f"{share:.0%} accepted"
        if share > self.high:
            return State(self._within(state.gamma + 1), f"{accepted}, more than {self.high:.0%}: one more", share)
        if share < self.low:
            return State(self._within(state.gamma - 1), f"{accepted}, less than {self.low:.0%}: one less", share)
        if unsure < self.unsure and share >= self.half:
            reason = f"{accepted} and q's entropy {unsure:.2f} nats, below {self.unsure:g}: one more"
            return State(self._within(state.gamma + 1), reason, share)
        return State(state.gamma, f"{accepted}, q's entropy {unsure:.2f} nats: as before", share)

    def _within(self, gamma: int) -> int:
        return max(self.least, min(gamma, self.most))


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> DualSignal:
    """gamma is the length it begins with."""
    shares = (params["high"], params["low"], params["unsure"], params["half"])
    return DualSignal(gamma, *shares, int(params["least"]), int(params["most"]))
