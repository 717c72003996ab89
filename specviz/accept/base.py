"""What every acceptance rule is: guesses and the target's rows in, what became of them out.

A rule decides a batch of rounds at once. The engine's batch is one round; proofs and tests hand
it thousands. There is no second implementation for either.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.chance import At, Chance, Purpose
from specviz.draft.base import Proposal
from specviz.trace import Emission
from specviz.tree import ROOT, DraftTree


@dataclass(frozen=True, slots=True)
class Test:
    """One guess put to the test.

    Attributes:
        u: the number that decided it, None if no one number did.
        p: what it was tested against, float64[V]: the target's row, or what earlier siblings left of it.
        keeps: the chance it had.
    """

    __test__ = False  # not a test class, whatever pytest thinks

    won: bool
    u: float | None
    p: Tensor
    keeps: float


@dataclass(frozen=True, slots=True)
class Draw:
    """The target's own token.

    Attributes:
        u: the number that drew it, None if no one number did.
        law: what it was drawn from, float64[V].
        node: the node whose rejection gave the law, None for a bonus.
        zero_residual: the rejection left nothing, so law is p.
    """

    token: int
    u: float | None
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


class Draws(Protocol):
    """A chance for a batch of rounds; `rows`, int64[k], says which of them a call is about."""

    def flip(self, weight: Tensor, scale: Tensor, at: At, rows: Tensor) -> tuple[Tensor, Tensor]:
        """bool[k], true where u * scale < weight, and u, float64[k]."""
        ...

    def pick(self, probs: Tensor, at: At, rows: Tensor) -> tuple[Tensor, Tensor]:
        """int64[k], one token from each row of float64[k, V], and what drew it, float64[k]: NaN if no one number."""
        ...


@dataclass(frozen=True, slots=True)
class Walk:
    """What became of B rounds of one shape, n guesses each.

    Attributes:
        tested, won: bool[B, n]; won is false where a guess was never reached.
        u: float64[B, n], the test's number, NaN where there was none.
        laws: n + 1 times float64[B, V]: what each guess was tested against, if it was; last what the draw is from.
        token: int64[B], the target's own token; -1 where the text ended before it.
        token_u: float64[B], what drew it.
        refused: int64[B], the guess whose refusal gave the draw's law; -1 for a bonus.
        empty: bool[B], that refusal left nothing, so the law is p.
    """

    tested: Tensor
    won: Tensor
    u: Tensor
    laws: Sequence[Tensor]
    token: Tensor
    token_u: Tensor
    refused: Tensor
    empty: Tensor


class AcceptRule(Protocol):
    """lossless: the text's law is the target's own, exactly."""

    @property
    def name(self) -> str: ...

    @property
    def lossless(self) -> bool: ...

    def chance(self, seed: int) -> Chance:
        """The randomness of a run by this rule, drafts included."""
        ...

    def crowd(self, generator: torch.Generator, rounds: int) -> Draws:
        """The same for a batch of rounds that have nothing to do with each other."""
        ...

    def keeps(self, p: Tensor, q: Tensor, token: int) -> float:
        """The chance that a guess stands, p and q float64[V] being what it is tested against and was drawn from."""
        ...

    def walk(
        self, tree: DraftTree, tokens: Tensor, q: Tensor, p: Tensor, position: int, ends: Set[int], draws: Draws
    ) -> Walk:
        """Decides a batch of rounds.

        Args:
            tree: the shape all of them have; its own tokens are not looked at.
            tokens: int64[B, n], the guesses.
            q: float64[B, n, V], what each was drawn from, its earlier siblings given.
            p: float64[B, n + 1, V], the target's law after the pending token and after each guess.
            position: index in the text of the first token being decided.
            ends: token ids that end the text; nothing after an accepted one is judged.
        """
        ...


class TokenRule(ABC):
    """A rule that judges one guess at a time, root to leaf, each sibling against what earlier ones left of p."""

    @abstractmethod
    def test(self, p: Tensor, q: Tensor, guess: Tensor, at: At, rows: Tensor, draws: Draws) -> tuple[Tensor, Tensor]:
        """Which guesses stand, bool[k], and the tests' numbers, float64[k]. p, q: float64[k, V]; guess: int64[k]."""

    @abstractmethod
    def left(self, p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
        """What a refusal leaves to draw from, float64[k, V], and whether it had to fall back to p, bool[k]."""

    def walk(
        self, tree: DraftTree, tokens: Tensor, q: Tensor, p: Tensor, position: int, ends: Set[int], draws: Draws
    ) -> Walk:
        """See AcceptRule. Guesses come up as they were drawn; a round looks at those below where it stands."""
        rounds, size = tokens.shape
        depths = tree.depths()
        final = torch.tensor(sorted(ends), dtype=torch.long)
        tested = torch.zeros(rounds, size, dtype=torch.bool)
        won = torch.zeros_like(tested)
        u = torch.full((rounds, size), torch.nan, dtype=torch.float64)
        stands = torch.full((rounds,), ROOT)
        refused = torch.full((rounds,), -1)
        empty = torch.zeros(rounds, dtype=torch.bool)
        live = torch.ones(rounds, dtype=torch.bool)
        length = torch.zeros(rounds, dtype=torch.long)
        law = p[:, 0]
        laws = []
        for node, (parent, depth) in enumerate(zip(tree.parents, depths, strict=True)):
            laws.append(law)
            rows = (live & (stands == parent)).nonzero().flatten()
            if not len(rows):
                continue
            guess = tokens[rows, node]
            at = At(position + depth, Purpose.ACCEPT, sibling=tree.parents[:node].count(parent))
            kept, u[rows, node] = self.test(law[rows], q[rows, node], guess, at, rows, draws)
            tested[rows, node] = True
            stays, leaves = rows[kept], rows[~kept]
            won[stays, node] = True
            stands[stays] = node
            length[stays] = depth + 1
            refused[stays] = -1
            live[stays] = ~torch.isin(guess[kept], final)
            refused[leaves] = node
            left, empty[leaves] = self.left(law[leaves], q[leaves, node])
            law = _put(_put(law, stays, p[stays, node + 1]), leaves, left)
        laws.append(law)
        token = torch.full((rounds,), -1)
        token_u = torch.full((rounds,), torch.nan, dtype=torch.float64)
        for depth in range(max(depths, default=-1) + 2):
            for purpose, kind in ((Purpose.BONUS, refused < 0), (Purpose.RESAMPLE, refused >= 0)):
                rows = (live & kind & (length == depth)).nonzero().flatten()
                if len(rows):
                    token[rows], token_u[rows] = draws.pick(law[rows], At(position + depth, purpose), rows)
        return Walk(tested, won, u, laws, token, token_u, refused, empty & (refused >= 0))


def _put(laws: Tensor, rows: Tensor, fresh: Tensor) -> Tensor:
    """The laws with some rows replaced; the old ones stay as they are."""
    if not len(rows):
        return laws
    if len(rows) == len(laws):
        return fresh
    laws = laws.clone()
    laws[rows] = fresh
    return laws


def judge(
    rule: AcceptRule, proposal: Proposal, probs: Tensor, position: int, ends: Set[int], chance: Chance
) -> Judgement:
    """Decides one round: a batch of one.

    Args:
        probs: float64[n + 1, V].
    """
    tokens = torch.tensor([proposal.tree.tokens], dtype=torch.long)
    walk = rule.walk(proposal.tree, tokens, proposal.q[None], probs[None], position, ends, _One(chance))
    tests = tuple(
        Test(bool(won), _number(u), law[0], rule.keeps(law[0], q, token)) if tested else None
        for tested, won, u, law, q, token in zip(
            walk.tested[0], walk.won[0], walk.u[0], walk.laws, proposal.q, proposal.tree.tokens, strict=False
        )
    )
    path = tuple(walk.won[0].nonzero().flatten().tolist())
    if walk.token[0] < 0:
        return Judgement(tests, path, None)
    refused = int(walk.refused[0])
    bonus = refused < 0
    draw = Draw(
        token=int(walk.token[0]),
        u=_number(walk.token_u[0]),
        law=walk.laws[-1][0],
        emission=Emission.BONUS if bonus else Emission.RESAMPLED,
        node=None if bonus else refused,
        zero_residual=bool(walk.empty[0]),
    )
    return Judgement(tests, path, draw)


def _number(u: Tensor) -> float | None:
    return None if u.isnan() else float(u)


@dataclass(frozen=True, slots=True)
class _One:
    """A run's own chance as the draws of a batch of one."""

    chance: Chance

    def flip(self, weight: Tensor, scale: Tensor, at: At, rows: Tensor) -> tuple[Tensor, Tensor]:
        flip = self.chance.flip(float(weight), float(scale), at)
        return torch.tensor([flip.won]), torch.tensor([flip.u], dtype=torch.float64)

    def pick(self, probs: Tensor, at: At, rows: Tensor) -> tuple[Tensor, Tensor]:
        pick = self.chance.pick(probs[0], at)
        u = torch.nan if pick.u is None else pick.u
        return torch.tensor([pick.token]), torch.tensor([u], dtype=torch.float64)
