"""Two more after a round whose guesses were all accepted, one less after any other."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import MOST_GAMMA, Entry, Param
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State, most_guesses
from specviz.trace.round import Round

ENTRY = Entry(
    name="heuristic",
    source="transformers, num_assistant_tokens_schedule='heuristic'",
    params=(
        Param("up", 1, 8, 2, whole=True),
        Param("down", 1, 8, 1, whole=True),
        most_guesses(MOST_GAMMA),
    ),
)


@dataclass(frozen=True, slots=True)
class Heuristic(GammaRule):
    """Begins with `gamma`; never below 1."""

    gamma: int
    up: int
    down: int
    most: int
    name = ENTRY.name

    def first(self) -> State:
        return State(min(max(1, self.gamma), self.most), because("begin"))

    def next(self, state: State, step: Round) -> State:
        drafted, accepted = step.offered, len(step.path)
        if not drafted:
            return State(state.gamma, because("idle"))
        if accepted == drafted:
            return State(
                min(state.gamma + self.up, self.most), because("heuristic.up", drafted=drafted, up=self.up), accepted
            )
        return State(
            max(state.gamma - self.down, 1),
            because("heuristic.down", accepted=accepted, drafted=drafted, down=self.down),
            accepted,
        )


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> Heuristic:
    """gamma is the length it begins with."""
    return Heuristic(gamma, int(params["up"]), int(params["down"]), int(params["most"]))
