"""What every acceptance rule is: it gets the guesses and the target's rows, and says what becomes of the guesses.

A rule judges a batch of rounds at once, for proofs and tests, or one round of a run.
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
    """The test of one guess.

    Attributes:
        won: whether the guess is accepted.
        u: the number that decided it; None if no single number did.
        accept_prob: the probability with which it would be accepted.
        weight, mass: set by a rule that weighs the whole draft; see `trace.TokenVerdict`.
        entropy: of the row it was tested against, in nats, from a rule that decides by it.
    """

    won: bool
    u: float | None
    accept_prob: float
    weight: float | None = None
    mass: float | None = None
    entropy: float = 0.0


class Draw(NamedTuple):
    """The target's own token.

    Attributes:
        u: the number that drew it; None if no single number did.
        node: the node whose rejection left the distribution it was drawn from; None for a bonus.
        zero_residual: the rejection left nothing, so the token was drawn from p.
    """

    token: int
    u: float | None
    emission: Emission
    node: int | None
    zero_residual: bool


class Judgement(NamedTuple):
    """What became of one round.

    Attributes:
        tests: one for each node; None for a node that was not judged.
        path: the accepted nodes, root to leaf.
        draw: None if the text ended inside the path.
        p: float64[V] each, by node: what the guess was tested against. That is the target's row, or what rejected
            siblings left of it. The last one is what the draw is from. Empty if the rows stay on a GPU.
    """

    tests: tuple[Trial | None, ...]
    path: tuple[int, ...]
    draw: Draw | None
    p: Sequence[Floats]


class Draws(Protocol):
    """Randomness for a batch of k rounds. Per-round numbers are NumPy arrays, whose calls cost less than torch's.

    `Chance` is the same for one round of a run, with plain floats.
    """

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        """Whether u * scale < weight, [k], and the numbers u, [k]."""
        ...

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        """One token from each row of float64[k, V], [k], and the number that drew it, [k]; NaN if no single one did."""
        ...

    def subset(self, rows: Ids) -> "Draws":
        """The draws of some rounds of the batch, by number."""
        ...


@dataclass(frozen=True, slots=True)
class Walk:
    """What became of B rounds with the same tree of n guesses.

    Attributes:
        tested, won: [B, n]. won: the guess is accepted; False if it was not judged.
        u: [B, n], the test's number; NaN if there was none.
        p: n + 1 times float64[B, V]: what each guess was tested against; the last is what the draw is from.
        token: [B], the target's own token; -1 if the text ended before it.
        token_u: [B], the number that drew it.
        rejected: [B], the guess whose rejection left the draw's distribution; -1 for a bonus.
        empty: [B], that rejection left nothing, so the draw is from p.
        chances, weights, masses: [B, n] each, from a rule that weighs the whole draft; NaN where a guess has none.
        entropies: [B, n], of the row behind each guess's parent, in nats, from a rule that decides by it.
    """

    tested: Bools
    won: Bools
    u: Floats
    p: Sequence[Floats]
    token: Ids
    token_u: Floats
    rejected: Ids
    empty: Bools
    chances: Floats | None = None
    weights: Floats | None = None
    masses: Floats | None = None
    entropies: Floats | None = None


class AcceptRule(Protocol):
    """local: a test needs only p and q of its own guess, and a rejection leaves `sampling.residual`."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    def chance(self, seed: int) -> Chance:
        """The randomness of a run under this rule, drafts included."""
        ...

    def batch_draws(self, generator: torch.Generator, rounds: int) -> Draws:
        """The same for a batch of independent rounds."""
        ...

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """The probability that a guess tested on its own is accepted. p: float64[V], what it is tested against."""
        ...

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """Judges one round of a run. The result is that of `walk` on a batch of one.

        Args:
            proposal: its q is in main memory.
            p: the target's rows, n + 1 times float64[V].
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
        """Judges a batch of rounds. This defines the rule.

        Args:
            tree: the shape of every round's draft; its own tokens are ignored.
            tokens: [B, n], the guesses.
            q: what each guess was taken from in every round, given its earlier siblings.
            p: n + 1 times float64[B, V], the target's rows after the pending token and after each guess.
            position: index in the text of the first token being decided.
            ends: token ids that end the text; nothing behind an accepted one is judged.
        """
        ...
