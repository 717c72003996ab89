"""What every acceptance rule is: proposal and target rows in, judgement out."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from specviz.chance import Chance
from specviz.draft.base import Proposal
from specviz.trace import Emission


@dataclass(frozen=True, slots=True)
class Test:
    """One guess put to the test. p is what it was tested against, float64[V]: the
    target's row, or what earlier siblings left of it."""

    __test__ = False  # not a test class, whatever pytest thinks

    won: bool
    u: float
    p: Tensor


@dataclass(frozen=True, slots=True)
class Draw:
    """The target's own token.

    Attributes:
        law: what it was drawn from, float64[V].
        node: the node whose rejection gave the law, None for a bonus.
        zero_residual: the rejection left nothing, so law is p.
    """

    token: int
    u: float
    law: Tensor
    emission: Emission
    node: int | None
    zero_residual: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """tests has one entry per node, None if it was never reached; path is root to leaf.

    draw is None when the text ended inside the path.
    """

    tests: tuple[Test | None, ...]
    path: tuple[int, ...]
    draw: Draw | None


class AcceptRule(Protocol):
    """lossless: the text's law is the target's own, exactly."""

    @property
    def name(self) -> str: ...

    @property
    def lossless(self) -> bool: ...

    def judge(self, proposal: Proposal, probs: Tensor, position: int, ends: Set[int], chance: Chance) -> Judgement:
        """Decides a whole round.

        Args:
            probs: float64[n + 1, V], the target's law after the pending token and after each node.
            position: index in the text of the first token being decided.
            ends: token ids that end the text; nothing after an accepted one is judged.
        """
        ...
