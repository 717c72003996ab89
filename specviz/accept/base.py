"""The acceptance rule: it gets the guesses and the target's rows, and decides what becomes of the guesses.

A rule judges a batch of rounds at once, for proofs and tests, or one round of a run.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from specviz.accept.batch import BatchDraws
from specviz.draft.base import Proposal
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance, Purpose, Seeded
from specviz.sampling.rows import Law
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Emission
from specviz.trace.info import Ensemble, Relaxation, Threshold


class Trial(NamedTuple):
    """The test of one guess.

    Attributes:
        won: whether the guess is accepted.
        u: the number that decided it; None if no single number did.
        accept_prob: the probability with which it would be accepted.
        weight, mass: set by a rule that weighs the whole draft; see `trace.TokenVerdict`.
        entropy: of the row it was tested against, in nats, from a rule that decides by it.
        rank: its place among the target's tokens, 1 the likeliest, where a rule decides by it; 0 elsewhere.
    """

    won: bool
    u: float | None
    accept_prob: float
    weight: float | None = None
    mass: float | None = None
    entropy: float = 0.0
    rank: int = 0


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
            siblings left of it. The last one is what the draw is from.
    """

    tests: tuple[Trial | None, ...]
    path: tuple[int, ...]
    draw: Draw | None
    p: Sequence[Floats]


class Draws(Protocol):
    """Randomness for a batch of k rounds. `Chance` is the same for one round of a run, with plain floats."""

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        """True if u * scale < weight, [k], and the numbers u, [k]."""
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
        entropies: [B, n], of the row after each guess's parent, in nats, from a rule that decides by it.
        ranks: [B, n], see `Trial.rank`.
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
    ranks: Ids | None = None


Batch = TypeVar("Batch", Floats, Law)


def take(of: Batch, rows: Ids, rounds: int) -> Batch:
    """Selects rows of a batch; returns the input itself if all are selected."""
    return of if rows.size == rounds else of[rows]


def put(p: Floats, rows: Ids, fresh: Floats) -> Floats:
    """p with the rows of some rounds replaced. The old array does not change."""
    if rows.size == len(p):
        return fresh
    changed = p.copy()
    changed[rows] = fresh
    return changed


def target_tokens(
    tree: DraftTree, last: Ids, rejected: Ids, ended: Bools, p: Floats, position: int, draws: Draws
) -> tuple[Ids, Floats]:
    """Each round's own token and the number that drew it, [B]: -1 and NaN in rounds where the text has ended.

    Args:
        last: [B], the last accepted node. rejected, p: see Walk; p is what is drawn from.
    """
    token, u = np.full(len(p), -1), np.full(len(p), np.nan)
    for end in set(last.tolist()):
        for purpose, kind in ((Purpose.BONUS, rejected < 0), (Purpose.RESAMPLE, rejected >= 0)):
            rows = (kind & (last == end) & ~ended).nonzero()[0]
            if rows.size:
                at = At(position + (0 if end == ROOT else tree.depths()[end] + 1), purpose)
                token[rows], u[rows] = draws.subset(rows).pick(take(p, rows, len(p)), at)
    return token, u


class AcceptRule(Protocol):
    """A rule, with what most rules share."""

    threshold: Threshold | None = None
    """What decides about a guess where no number does."""
    ensemble: Ensemble | None = None
    """What replaces p, if anything does."""

    @property
    def name(self) -> str: ...

    relaxation: Relaxation | None = None
    """What it asks of a guess between think tags, where no number tests it."""

    def reading(self, tokenizer: Any) -> "AcceptRule":
        """The rule for a model with that tokenizer."""
        return self

    def after(self, text: Sequence[int]) -> "AcceptRule":
        """The rule for a round after that text."""
        return self

    def tuned(self, params: Mapping[str, Any]) -> "AcceptRule":
        """The rule with all of its entry's parameters."""
        return self

    def laws(self, tree: DraftTree, q: Sequence[Law], p: Sequence[Floats]) -> Sequence[Floats]:
        """What the first guess of each place is tested against, by row of p: the target's row itself, or what the rule
        puts in its place."""
        return p

    def chance(self, seed: int) -> Chance:
        """The randomness of a run under this rule, drafts included."""
        return Seeded(seed)

    def batch_draws(self, generator: np.random.Generator, rounds: int) -> Draws:
        """The same for a batch of independent rounds."""
        return BatchDraws(generator)

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """The probability that a guess tested on its own is accepted. p: float64[V], what it is tested against."""
        ...

    def walk(
        self,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Law],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> Walk:
        """Judges a batch of rounds. This defines the rule.

        Args:
            tree: the shape of every round's draft; its own tokens are ignored.
            tokens: [B, n], the guesses.
            q: what each guess was taken from in every round, given its earlier siblings.
            p: n + 1 times float64[B, V], the target's rows after the pending token and after each guess.
            position: index in the text of the first token being decided.
            ended: [B, n], the guesses that end the text; nothing after an accepted one is judged.
        """
        ...

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """Judges one round of a run: a batch of one.

        Args:
            p: the target's rows, n + 1 times float64[V].
            ends: the nodes that end the text.
        """
        tree, tokens = proposal.tree, proposal.tree.tokens
        q, batch = [law[None] for law in proposal.q], np.array([tokens], dtype=np.int64)
        ended = np.array([[node in ends for node in range(len(tokens))]], dtype=bool)
        walk = self.walk(tree, batch, q, _BatchOfOne(p), position, ended, _OneRound(chance))
        rows, won, (u,) = [row[0] for row in walk.p], walk.won[0].tolist(), walk.u.tolist()
        tests: list[Trial | None] = [None] * len(tokens)
        for node in walk.tested[0].nonzero()[0].tolist():
            probability = _number(walk.chances, node)
            if probability is None:
                probability = self.accept_prob(rows[node], proposal.q[node], tokens[node])
            weight, mass = _number(walk.weights, node), _number(walk.masses, node)
            entropy = _number(walk.entropies, node) or 0.0
            rank = 0 if walk.ranks is None else int(walk.ranks[0, node])
            tests[node] = Trial(won[node], _or_none(u[node]), probability, weight, mass, entropy, rank)
        draw, token, rejected = None, walk.token.item(), walk.rejected.item()
        if token >= 0:
            emission, node = (Emission.BONUS, None) if rejected < 0 else (Emission.RESAMPLED, rejected)
            draw = Draw(token, _or_none(walk.token_u.item()), emission, node, walk.empty.item())
        return Judgement(tuple(tests), tuple(np.flatnonzero(won).tolist()), draw, rows)


def _number(of: Floats | None, node: int) -> float | None:
    return None if of is None else _or_none(of[0, node].item())


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number


class _BatchOfOne(Sequence[Floats]):
    """Rows as batches of one. Each row is read only when it is needed, because it may be computed then."""

    def __init__(self, rows: Sequence[Floats]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        return self._rows[place][None]


class _OneRound(NamedTuple):
    """A run's `Chance` as the `Draws` of a batch of one round."""

    chance: Chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        won, u = self.chance.flip(weight.item(), scale.item(), at)
        return np.array([won]), np.array([u])

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        token, u = self.chance.pick(probs[0], at)
        return np.array([token]), np.array([math.nan if u is None else u])

    def subset(self, rows: Ids) -> "_OneRound":
        return self
