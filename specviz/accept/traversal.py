"""Traversal verification: a drawn tree is weighed as a whole. The first leaf that passes is accepted with its path.

rho(root) = 1, and a child x of v weighs rho(x) = min(1, rho(v) p_v(x) / q_v(x)). Leaves are tested depth first, in the
order they were drawn; a leaf is accepted with probability rho(leaf). A rejected leaf is taken off the tree. Its parent
v is left R = sum max(rho(v) p_v - q_v, 0), the distribution p_v = norm(max(rho(v) p_v - q_v, 0)) and the weight
rho(v) = R / (R + 1 - rho(v)), where 0/0 is 1. Without children left, v is a leaf itself.

Never fewer tokens than under rejection. A guess is accepted with its weight as probability, whatever hangs below it, so
a tree may contain what was drawn elsewhere, as when drafters share it. On a chain it is `block`, on point masses
`rejection`.

Source: Weng et al., Traversal verification for speculative tree decoding, arXiv:2505.12398.
"""

from collections.abc import Sequence

import numpy as np

from specviz.accept import block
from specviz.accept.base import Draws, Walk, target_tokens
from specviz.accept.weighing import WeighingRule
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Purpose
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import ROOT, DraftTree


class Traversal(WeighingRule):
    """Weighs a whole tree."""

    name = "traversal"

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
        """See `AcceptRule.walk`. A guess that ends the text is a leaf, whatever hangs below it."""
        rows = [law.probs for law in q if isinstance(law, Row)]
        if tree.is_chain or len(rows) < len(q):
            return block.RULE.walk(tree, tokens, q, p, position, ended, draws)
        return _Rounds(self, tree, tokens, rows, p, position, ended, draws).walk()


class _Rounds:
    """A batch of rounds during their walk. What is known of a place is stored at its node; ROOT comes last.

    Attributes:
        stands: [B], the accepted leaf; -2 if there is none yet.
        part, whole: [n + 1, B], a place's current weight as numerator and denominator.
        now: n + 1 times float64[B, V], a place's current distribution.
    """

    def __init__(
        self,
        rule: Traversal,
        tree: DraftTree,
        tokens: Ids,
        q: Sequence[Floats],
        p: Sequence[Floats],
        position: int,
        ended: Bools,
        draws: Draws,
    ) -> None:
        rounds, size = tokens.shape
        self.rule, self.tree, self.tokens, self.q, self.draws = rule, tree, tokens, q, draws
        self.position, self.depths = position, tree.depths()
        self.now: list[Floats] = [*(p[node + 1] for node in range(size)), p[0]]
        self.part, self.total = np.ones((2, size + 1, rounds))
        self.stands = np.full(rounds, ROOT - 1)
        self.last = np.full((size + 1, rounds), ROOT)
        self.empty = np.zeros((size + 1, rounds), dtype=bool)
        self.ended = ended
        self.tested_p: list[Floats] = [p[parent + 1] for parent in tree.parents]
        self.u, self.chances, self.weights, self.masses = np.full((4, rounds, size), np.nan)

    def walk(self) -> Walk:
        """Walks everything below ROOT, then ROOT itself, which is always accepted."""
        rounds = len(self.tokens)
        everybody = np.arange(rounds)
        self._below(ROOT, everybody)
        self.stands[self.stands < ROOT] = ROOT
        won = self.tree.paths()[self.stands]
        self.chances = np.where(won & np.isnan(self.chances), self.weights, self.chances)
        rejected = self.last[self.stands, everybody]
        over = (self.stands != ROOT) & self.ended[everybody, self.stands]
        last_p = np.empty_like(self.now[ROOT])
        for end in set(self.stands.tolist()):
            there = self.stands == end
            last_p[there] = self.now[end][there]
        token, token_u = target_tokens(self.tree, self.stands, rejected, over, last_p, self.position, self.draws)
        return Walk(
            tested=~np.isnan(self.chances),
            won=won,
            u=self.u,
            p=[*self.tested_p, last_p],
            token=token,
            token_u=token_u,
            rejected=rejected,
            empty=self.empty[self.stands, everybody],
            chances=self.chances,
            weights=self.weights,
            masses=self.masses,
        )

    def _below(self, parent: int, rows: Ids) -> None:
        """Tests the children of a place, in the rounds that reach them."""
        for rank, node in enumerate(self.tree.children(parent)):
            rows = rows[self.stands[rows] < ROOT]
            if not rows.size:
                return
            self._reach(node, parent, rows)
            self._below(node, rows[~self.ended[rows, node]])
            left = rows[self.stands[rows] < ROOT]
            if left.size:
                at = At(self.position + self.depths[node], Purpose.ACCEPT, sibling=rank)
                won, self.u[left, node] = self.draws.subset(left).flip(
                    self.part[node, left], self.total[node, left], at
                )
                self.chances[left, node] = self.part[node, left] / self.total[node, left]
                self.stands[left[won]] = node
                self._take_off(node, parent, left[~won])

    def _reach(self, node: int, parent: int, rows: Ids) -> None:
        """Computes a guess's weight."""
        now, guess = self.now[parent], self.tokens[rows, node]
        self.tested_p[node] = now
        before = self.part[parent, rows] / self.total[parent, rows]
        weight = np.minimum(1.0, before * now[rows, guess] / self.q[node][rows, guess])
        self.part[node, rows] = self.weights[rows, node] = weight

    def _take_off(self, node: int, parent: int, rows: Ids) -> None:
        """Computes what a rejected guess leaves at its place."""
        if not rows.size:
            return
        weight, now, q = self.part[parent, rows] / self.total[parent, rows], self.now[parent], self.q[node][rows]
        excess = weight[:, None] * now[rows] - q
        mass = np.maximum(excess, 0, out=excess).sum(-1)
        left = now.copy()
        left[rows], self.empty[parent, rows] = self.rule.residual(weight, now[rows], q)
        self.now[parent] = left
        self.part[parent, rows], self.total[parent, rows] = self.rule.lightened(weight, mass)
        self.last[parent, rows] = node
        if parent != ROOT:
            self.masses[rows, parent] = mass


RULE = Traversal()
