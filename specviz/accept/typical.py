"""Typical acceptance, Medusa's own rule. It is lossy: the text does not have the target's distribution.

A guess x passes if p(x) > min(0.09, 0.3 exp(-H(p))), where H is the entropy of p in nats: where the target is
unsure, less is asked. p is the target's row after temperature, top-k and top-p; what the guess was drawn from is never
asked. The longest path of passing guesses is accepted; of equally long ones the one with the largest product of p, then
the one drafted first. The target's own token is drawn from p after it, also where guesses failed.

At temperature 0 every row is a point mass, so only the target's first choice passes: the text is plain decoding's.

Source: Cai et al., Medusa, arXiv:2401.10774. Their code takes H of p + 1e-5; here it is H of p itself.
"""

from collections.abc import Sequence

import numpy as np

from specviz.accept.base import AcceptRule, Draws, Walk, target_tokens
from specviz.sampling.arrays import Bools, Floats, Ids, Reals
from specviz.sampling.distribution import entropy
from specviz.sampling.rows import Law, weight_at
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.info import Threshold


class Typical(AcceptRule):
    """No number tests a guess: p alone decides."""

    name = "typical"
    threshold = Threshold(epsilon=0.09, delta=0.3)

    def accept_prob(self, p: Floats, q: Law, token: int) -> float:
        """1 if the guess passes, else 0."""
        return float(p.item(token) > self._needed(entropy(p)))

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
        rounds, size = tokens.shape
        tested = np.zeros((rounds, size), dtype=bool)
        goes_on = np.ones((rounds, size + 1), dtype=bool)  # that of ROOT comes last
        product = np.ones((rounds, size + 1))
        leaf, length, best = np.full(rounds, ROOT), np.zeros(rounds), np.ones(rounds)
        entropies = np.empty((rounds, size))
        for node, (parent, depth) in enumerate(zip(tree.parents, tree.depths(), strict=True)):
            row = p[parent + 1]
            weight = weight_at(row, tokens[:, node])
            entropies[:, node] = entropy(row if row.strides[0] else row[:1])
            tested[:, node] = goes_on[:, parent]
            passes = tested[:, node] & (weight > self._needed(entropies[:, node]))
            goes_on[:, node] = passes & ~ended[:, node]
            product[:, node] = product[:, parent] * weight
            better = passes & ((depth + 1 > length) | ((depth + 1 == length) & (product[:, node] > best)))
            leaf[better], length[better], best[better] = node, depth + 1, product[better, node]
        over = ~goes_on[np.arange(rounds), leaf]
        last_p, rejected = np.empty_like(p[0]), np.full(rounds, ROOT)
        for end in set(leaf.tolist()):
            rows = leaf == end
            last_p[rows] = p[end + 1][rows]
            rejected[rows & ~over] = max(tree.children(end), default=ROOT)
        token, token_u = target_tokens(tree, leaf, rejected, over, last_p, position, draws)
        return Walk(
            tested=tested,
            won=tree.paths()[leaf],
            u=np.full((rounds, size), np.nan),
            p=[*(p[parent + 1] for parent in tree.parents), last_p],
            token=token,
            token_u=token_u,
            rejected=rejected,
            empty=np.zeros(rounds, dtype=bool),
            entropies=entropies,
        )

    def _needed(self, entropies: Reals) -> Reals:
        """What p must exceed."""
        found: Reals = np.minimum(self.threshold.epsilon, self.threshold.delta * np.exp(-entropies))
        return found


RULE = Typical()
