"""Follows a moving average of the accepted guesses, looking at it every few rounds."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Round

ENTRY = Entry(
    name="ema",
    source="after SGLang's adaptive speculative steps",
    params=(
        Param("alpha", 0.01, 1, 0.2),
        Param("interval", 1, 50, 5, whole=True),
        Param("warmup", 0, 100, 10, whole=True),
        Param("hysteresis", 0, 2, 0.25),
        most_guesses(8),
    ),
)


@dataclass(frozen=True, slots=True)
class Ema(GammaRule):
    """Begins with `gamma`.

    One more where the average is above gamma - 1/2; one less where it is below gamma - 3/2 - hysteresis. In between,
    gamma is what the average can use. Memory: the average, rounds so far.
    """

    gamma: int
    alpha: float
    interval: int
    warmup: int
    hysteresis: float
    most: int
    name = ENTRY.name

    def first(self) -> State:
        return State(min(max(1, self.gamma), self.most), because("begin"))

    def next(self, state: State, step: Round) -> State:
        accepted = len(step.path)
        average, rounds = state.memory or (float(accepted), 0.0)
        average += self.alpha * (accepted - average)
        rounds += 1
        memory = (average, rounds)
        if rounds < self.warmup or (rounds - self.warmup) % self.interval:
            waiting = because("ema.waiting", rounds=self.interval)
            reason = because("ema.warming") if rounds < self.warmup else waiting
            return State(state.gamma, reason, average, memory)
        up, down = state.gamma - 0.5, state.gamma - 1.5 - self.hysteresis
        shown = f"{average:.2f}"
        if average > up:
            return State(
                min(state.gamma + 1, self.most), because("ema.up", average=shown, up=f"{up:g}"), average, memory
            )
        if average < down:
            return State(max(state.gamma - 1, 1), because("ema.down", average=shown, down=f"{down:g}"), average, memory)
        return State(state.gamma, because("ema.same", average=shown, down=f"{down:g}", up=f"{up:g}"), average, memory)


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> Ema:
    """gamma is the length it begins with."""
    rounds = (int(params["interval"]), int(params["warmup"]))
    return Ema(gamma, params["alpha"], *rounds, params["hysteresis"], int(params["most"]))
