"""The same draft length every round."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.config.costs import Costs
from specviz.config.settings import Entry
from specviz.config.words import because
from specviz.gamma.base import GammaRule, State

ENTRY = Entry(
    name="fixed",
    source="Leviathan et al., arXiv:2211.17192, algorithm 1",
)


@dataclass(frozen=True, slots=True)
class Fixed(GammaRule):
    """gamma tokens a round, whatever happened."""

    gamma: int
    name = ENTRY.name

    def first(self) -> State:
        return State(self.gamma, because("always", gamma=self.gamma))


@dataclass(frozen=True, slots=True)
class NoLength(GammaRule):
    """In place of a rule, for a drafter whose drafts have no length to choose."""

    most: int
    name = "none"

    def first(self) -> State:
        return State(self.most, because("none"))


def build(gamma: int, params: Mapping[str, float], costs: Costs | None) -> Fixed:
    """Takes no parameters."""
    return Fixed(gamma)
