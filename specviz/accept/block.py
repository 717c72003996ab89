"""Block verification: all guesses of a round are weighed together, and the longest prefix that passes is accepted.

The first i guesses weigh rho_i = min(1, rho_{i-1} p_{i-1}(d_i) / q_{i-1}(d_i)), with rho_0 = 1. The next row leaves
Z_i = sum max(rho_i p_i - q_i, 0) of that weight. Every guess has its own number u_i, and all of them are used. The last
guess with u_i < h_i is accepted, with everything before it. h_i = Z_i / (Z_i + 1 - rho_i), where 0/0 is 1; the last
guess has no row after it, so its h is rho.

On average it accepts at least as many tokens as rejection, and more from two guesses on. On point masses and on trees
it is `rejection`. At temperature 0 every row is a point mass.

Source: Sun et al., Block verification accelerates speculative decoding, arXiv:2403.10444.
"""

from collections.abc import Sequence

import numpy as np

from specviz.accept import rejection
from specviz.accept.base import Draws, Walk, put, take, target_tokens
from specviz.accept.weighing import WeighingRule
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Purpose
from specviz.sampling.rows import Law, Row, weight_at
from specviz.sampling.tree import ROOT, DraftTree


class Block(WeighingRule):
    """Weighs a whole chain."""

    name = "block"

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
        """See `AcceptRule.walk`. A guess that ends the text is its round's last; guesses after it are ignored."""
        drawn = [law.probs for law in q if isinstance(law, Row)]
        sure = all((law.of(tokens[:, node]) == 1).all() for node, law in enumerate(q))
        if sure or len(drawn) < len(q) or not tree.is_chain:
            return rejection.RULE.walk(tree, tokens, q, p, position, ended, draws)
        rounds, size = tokens.shape
        places = np.arange(size)
        real = np.where(ended.any(1), ended.argmax(1) + 1, size)[:, None]
        tested = places < real
        weights, masses = _weighed(tokens, drawn, p)
        weights[~tested], masses[places >= real - 1] = np.nan, np.nan
        part, total = self.lightened(weights, masses)
        at_end = places == real - 1
        part[at_end], total[at_end] = weights[at_end], 1.0
        below, u = np.zeros((rounds, size), dtype=bool), np.full((rounds, size), np.nan)
        for node in range(real.max()):
            at = At(position + node, Purpose.ACCEPT)
            below[:, node], u[:, node] = draws.flip(part[:, node], total[:, node], at)
        below &= tested
        u[~tested] = np.nan
        accepted = self.accepted(below)
        won = places < accepted[:, None]
        over = (accepted > 0) & ended[np.arange(rounds), accepted - 1]
        now, empty = p[0], np.zeros(rounds, dtype=bool)
        for end in set(accepted[~over].tolist()):
            rows = (accepted == end).nonzero()[0]
            left = take(p[end], rows, rounds)
            if end < size:
                weight = weights[rows, end - 1] if end else np.ones(len(rows))
                left, empty[rows] = self.residual(weight, left, take(drawn[end], rows, rounds))
            now = put(now, rows, left)
        rejected = np.where(over | (accepted == size), ROOT, accepted)
        token, token_u = target_tokens(tree, accepted - 1, rejected, over, now, position, draws)
        return Walk(
            tested=tested,
            won=won,
            u=u,
            p=[*(p[node] for node in range(size)), now],
            token=token,
            token_u=token_u,
            rejected=rejected,
            empty=empty & ~over,
            chances=part / total,
            weights=weights,
            masses=masses,
        )

    def accepted(self, below: Bools) -> Ids:
        """How many guesses are accepted, [B].

        Args:
            below: [B, n], whether a guess's number is below its h. The last such guess decides.
        """
        count: Ids = np.where(below.any(1), below.shape[1] - below[:, ::-1].argmax(1), 0)
        return count


def _weighed(tokens: Ids, q: Sequence[Floats], p: Sequence[Floats]) -> tuple[Floats, Floats]:
    """rho and Z after each guess, [B, n] each. The last guess has no row after it, so its Z is NaN."""
    weights, masses = np.full((2, *tokens.shape), np.nan)
    weight = np.ones(len(tokens))
    for node, guess in enumerate(tokens.T):
        if node:
            left = weight[:, None] * p[node]
            left -= np.minimum(left, q[node])
            masses[:, node - 1] = left.sum(-1)
        weight = np.minimum(1.0, weight * weight_at(p[node], guess) / weight_at(q[node], guess))
        weights[:, node] = weight
    return weights, masses


RULE = Block()
