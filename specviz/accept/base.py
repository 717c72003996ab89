"""What every acceptance rule is: guesses and the target's rows in, what became of them out.

A rule decides a batch of rounds at once, as proofs and tests ask it to, or a run's round alone.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch

from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Chance
from specviz.draft.base import Proposal
from specviz.law import Law, Laws
from specviz.trace.guess import Emission
from specviz.tree import DraftTree


class Trial(NamedTuple):
    """One guess put to the test.

    Attributes:
        won: whether it stands.
        u: the number that decided it, None if no one number did.
        accept_prob: the chance it had.
        weight, mass: what a rule that weighs the block as a whole made of it; see `trace.TokenVerdict`.
    """

    won: bool
    u: float | None
    accept_prob: float
    weight: float | None = None
    mass: float | None = None


class Draw(NamedTuple):
    """The target's own token.

    Attributes:
        u: the number that drew it, None if no one number did.
        node: the node whose rejection gave what it was drawn from, None for a bonus.
        zero_residual: the rejection left nothing, so that it was drawn from p.
    """

    token: int
    u: float | None
    emission: Emission
    node: int | None
    zero_residual: bool


class Judgement(NamedTuple):
    """What became of one round.

    Attributes:
        tests: one for each node, None if it was never judged.
        path: root to leaf.
        draw: None when the text ended inside the path.
        laws: float64[V] each: by node what a guess was tested against, if it was: the target's row, or what earlier
            siblings left of it; the last one is what the draw is from. None are told where they stay on a GPU.
    """

    tests: tuple[Trial | None, ...]
    path: tuple[int, ...]
    draw: Draw | None
    laws: Sequence[Floats]


class Draws(Protocol):
    """A chance for a batch of k rounds. One number a round stands in numpy, whose calls cost less than torch's.

    A run's `Chance` is the same for one round alone, in plain numbers.
    """

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        """[k], true where u * scale < weight, and u, [k]."""
        ...

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        """One token from each row of float64[k, V], [k], and what drew it, [k]: NaN if no one number."""
        ...

    def subset(self, rows: Ids) -> "Draws":
        """Those of some rounds of the batch, by number."""
        ...


@dataclass(frozen=True, slots=True)
class Walk:
    """What became of B rounds of one shape, n guesses each.

    Attributes:
        tested, won: [B, n]; won is whether a guess stands, false where it was never judged.
        u: [B, n], the test's number, NaN where there was none.
        laws: n + 1 times float64[B, V]: what each guess was tested against, if it was; last what the draw is from.
        token: [B], the target's own token; -1 where the text ended before it.
        token_u: [B], what drew it.
        refused: [B], the guess whose refusal gave the draw's law; -1 for a bonus.
        empty: [B], that refusal left nothing, so the law is p.
        chances, weights, masses: [B, n] each, of a rule that weighs the block as a whole; NaN where there is none.
    """

    tested: Bools
    won: Bools
    u: Floats
    laws: Sequence[Floats]
    token: Ids
    token_u: Floats
    refused: Ids
    empty: Bools
    chances: Floats | None = None
    weights: Floats | None = None
    masses: Floats | None = None


class AcceptRule(Protocol):
    """local: a test looks at p and q of the guess alone, and a refusal leaves `sampling.residual`."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    def chance(self, seed: int) -> Chance:
        """The randomness of a run by this rule, drafts included."""
        ...

    def batch_draws(self, generator: torch.Generator, rounds: int) -> Draws:
        """The same for a batch of rounds that have nothing to do with each other."""
        ...

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """The chance that a guess stands on its own, p float64[V] being what it is tested against."""
        ...

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """Decides one round, a run's: what `walk` makes of a batch of one.

        Args:
            proposal: its laws are in main memory.
            p: the target's laws, n + 1 times float64[V].
        """
        ...

    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Laws],
        p: Sequence[Floats],
        position: int,
        ends: Set[int],
        draws: Draws,
    ) -> Walk:
        """Decides a batch of rounds: the definition of what a round comes to.

        Args:
            tree: the shape all of them have; its own tokens are not looked at.
            tokens: [B, n], the guesses.
            q: of each guess what it was taken from in every round, its earlier siblings given.
            p: n + 1 times float64[B, V], the target's laws after the pending token and after each guess.
            position: index in the text of the first token being decided.
            ends: token ids that end the text; nothing after an accepted one is judged.
        """
        ...
