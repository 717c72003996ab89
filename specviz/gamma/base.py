"""What every gamma rule is: a fold over the rounds so far, and perhaps a reason to stop drafting within a round.

Rules are pure, so they can be asked about any recorded run. Neither part can bias the text: no random number is used
twice, and within a round a rule stops only before a draw, knowing q, or after a token that is still verified.
Standard library only.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from specviz.config.settings import MOST_GAMMA, Budget, Param
from specviz.config.words import Reason
from specviz.trace.round import Glance, Halt, Round


def most_guesses(usual: int) -> Param:
    """The parameter of rules that go no further, with its default."""
    return Param("most", 1, MOST_GAMMA, usual, whole=True)


class State(NamedTuple):
    """What a rule knows before a round.

    It is the gamma the rule wants, the reason, the number behind it (signal), and what the rule remembers.
    """

    gamma: int
    reason: Reason
    signal: float | None = None
    memory: tuple[float, ...] = ()

    @property
    def budget(self) -> Budget:
        return Budget.chain(self.gamma, self.reason, self.signal)


class GammaRule(ABC):
    """Decides how many tokens a round drafts.

    Attributes:
        looks: whether it looks at q. What it sees is then recorded in every round.
    """

    name: str
    looks = False

    @abstractmethod
    def first(self) -> State:
        """The state before the first round."""

    def next(self, state: State, step: Round) -> State:
        """The state after a round that began with `state`."""
        return state

    def halt(self, seen: Sequence[Glance]) -> Halt | None:
        """Why the draft of this round ends here; None to continue.

        Args:
            seen: the round's slots so far. The rule is asked twice for each: before its token is drawn, with q None,
                and after.
        """
        return None


Halting = Callable[[Sequence[Glance]], Halt | None]
"""A rule's `halt`."""


class Counterfactual(NamedTuple):
    """What a rule would have done in a recorded round.

    Attributes:
        gamma: how many tokens it would have drafted.
        halted: it would have stopped within the round, before its budget was used up.
        unknown: it would have drafted more than was recorded, so the real number may be anything up to gamma.
    """

    gamma: int
    reason: Reason
    signal: float | None
    halted: bool = False
    unknown: bool = False


def states(rule: GammaRule, rounds: Sequence[Round]) -> Iterator[State]:
    """What the rule knew before each round, and after the last."""
    return accumulate(rounds, rule.next, initial=rule.first())


def counterfactuals(rule: GammaRule, rounds: Sequence[Round]) -> list[Counterfactual]:
    """What the rule would have done in each round, given the recorded rounds before it."""
    return [_counterfactual(rule, state, step) for state, step in zip(states(rule, rounds), rounds, strict=False)]


def _counterfactual(rule: GammaRule, state: State, step: Round) -> Counterfactual:
    seen = step.seen
    for slot, glance in enumerate(seen[: state.gamma]):
        halt = rule.halt([*seen[:slot], Glance(glance.entropy, None)])
        if halt:
            return Counterfactual(slot, halt.reason, halt.signal, halted=True)
        halt = None if glance.q is None else rule.halt(seen[: slot + 1])
        if halt:
            return Counterfactual(slot + 1, halt.reason, halt.signal, halted=True)
    halts = type(rule).halt is not GammaRule.halt
    return Counterfactual(state.gamma, state.reason, state.signal, unknown=halts and step.offered < state.gamma)
