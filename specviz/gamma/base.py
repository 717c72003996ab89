"""What every gamma rule is: a fold over the rounds so far, and perhaps a reason to stop drafting within one.

Pure, so that it can be asked about any recorded run. Neither half can bias the text: no random number is used twice,
and within a round a rule stops before a token is drawn, by what it knows of q, or after a token that still goes to the
target. Standard library only.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from specviz.config import Budget
from specviz.trace.round import Glance, Halt, Round


class State(NamedTuple):
    """What a rule knows before a round: the gamma it wants, why, the number that moved it, and what it remembers."""

    gamma: int
    reason: str
    signal: float | None = None
    memory: tuple[float, ...] = ()

    @property
    def budget(self) -> Budget:
        return Budget.chain(self.gamma, self.reason, self.signal)


class GammaRule(ABC):
    """Decides how many tokens a round drafts.

    Attributes:
        looks: whether it goes by what is known of q, which is then recorded in every round.
    """

    name: str
    looks = False

    @abstractmethod
    def first(self) -> State:
        """Before the first round."""

    def next(self, state: State, step: Round) -> State:
        """After a round that began with `state`."""
        return state

    def halt(self, seen: Sequence[Glance]) -> Halt | None:
        """Why nothing more is drafted in this round, None to go on.

        Args:
            seen: the round's slots so far. The last one's q is None before its token is drawn; the rule is asked then,
                and again after.
        """
        return None


Halting = Callable[[Sequence[Glance]], Halt | None]
"""A rule's `halt`."""


class Asked(NamedTuple):
    """What a rule would have done in a recorded round.

    Attributes:
        gamma: tokens it would have drafted.
        halted: it would have stopped there within the round, not for its budget.
        unknown: it would have gone on past the slots that were recorded, so that gamma is only the most it could be.
    """

    gamma: int
    reason: str
    signal: float | None
    halted: bool = False
    unknown: bool = False


def states(rule: GammaRule, rounds: Sequence[Round]) -> Iterator[State]:
    """What the rule knew before each round, and after the last."""
    return accumulate(rounds, rule.next, initial=rule.first())


def ask(rule: GammaRule, rounds: Sequence[Round]) -> list[Asked]:
    """What the rule would have done in each round, given the rounds before as they were recorded."""
    return [_ask(rule, state, step) for state, step in zip(states(rule, rounds), rounds, strict=False)]


def _ask(rule: GammaRule, state: State, step: Round) -> Asked:
    seen = step.seen
    for slot, glance in enumerate(seen[: state.gamma]):
        halt = rule.halt([*seen[:slot], Glance(glance.entropy, None)])
        if halt:
            return Asked(slot, halt.reason, halt.signal, halted=True)
        halt = None if glance.q is None else rule.halt(seen[: slot + 1])
        if halt:
            return Asked(slot + 1, halt.reason, halt.signal, halted=True)
    halts = type(rule).halt is not GammaRule.halt
    return Asked(state.gamma, state.reason, state.signal, unknown=halts and step.offered < state.gamma)
