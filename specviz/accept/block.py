"""Block verification: all guesses of a round are weighed together, and the longest prefix that passes is accepted.

The first i guesses weigh rho_i = min(1, rho_{i-1} p_{i-1}(d_i) / q_{i-1}(d_i)), with rho_0 = 1. The next row leaves
Z_i = sum max(rho_i p_i - q_i, 0) of that weight. Every guess has its own number u_i, and all of them are used. The last
guess with u_i < h_i is accepted, with everything before it. h_i = Z_i / (Z_i + 1 - rho_i), where 0/0 is 1; the last
guess has no row behind it, so its h is rho.

On average it accepts at least as many tokens as rejection, and more from two guesses on. On point masses and on trees
it is `rejection`. At temperature 0 every row is a point mass.

Source: Sun et al., Block verification accelerates speculative decoding, arXiv:2403.10444.
"""

from collections.abc import Sequence, Set

import numpy as np

from specviz.accept import rejection
from specviz.accept.base import Draw, Draws, Judgement, Trial, Walk
from specviz.accept.weighing import WeighingRule
from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Chance, Purpose
from specviz.config import LawKind
from specviz.draft.base import Proposal
from specviz.law import Laws, Rows
from specviz.trace.guess import Emission
from specviz.tree import ROOT, DraftTree


class Block(WeighingRule):
    """Weighs a whole chain."""

    name = "block"

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See `AcceptRule.judge`."""
        rows = all(q.kind is LawKind.ROW for q in proposal.q)
        drawn = any(q.of(token) < 1 for q, token in zip(proposal.q, proposal.tree.tokens, strict=True))
        if drawn and rows and proposal.tree.is_chain:
            return self._judge_chain(proposal, p, position, ends, chance)
        return rejection.RULE.judge(proposal, p, position, ends, chance)

    def _judge_chain(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """`walk` for a run's chain with plain floats, because that is faster. `walk` defines what is right."""
        tokens, q = proposal.tree.tokens, [each.dense(len(p[0])) for each in proposal.q]
        real = next((node + 1 for node, token in enumerate(tokens) if token in ends), len(tokens))
        below = np.zeros((1, len(tokens)), dtype=bool)
        weight, weights, tests = 1.0, [1.0], list[Trial]()
        for node in range(real):
            token = tokens[node]
            mass: float | None = None
            weight = min(1.0, weight * p[node].item(token) / q[node].item(token))
            part, whole = weight, 1.0
            if node + 1 < real:
                left = weight * p[node + 1] - q[node + 1]
                part = float(np.maximum(left, 0, out=left).sum())
                mass, whole = part, part + (1 - weight)
                if whole <= 0:  # p and q are equal, so 0/0 is 1
                    part = whole = 1.0
            won, u = chance.flip(part, whole, At(position + node, Purpose.ACCEPT))
            below[0, node] = won
            weights.append(weight)
            tests.append(Trial(won, u, part / whole, weight, mass))
        count = int(self.accepted(below)[0])
        trials = *(test._replace(won=node < count) for node, test in enumerate(tests)), *[None] * (len(tokens) - real)
        path, rows = tuple(range(count)), [p[node] for node in range(len(tokens))]
        if count == real and tokens[real - 1] in ends:
            return Judgement(trials, path, None, rows)
        bonus, empty = count == len(tokens), False
        if bonus:
            last = p[count]
        else:
            many, nothing = self.residual(np.array([weights[count]]), p[count][None], q[count][None])
            last, empty = many[0], bool(nothing[0])
        own = chance.pick(last, At(position + count, Purpose.BONUS if bonus else Purpose.RESAMPLE))
        emission, rejected = (Emission.BONUS, None) if bonus else (Emission.RESAMPLED, count)
        return Judgement(trials, path, Draw(own.token, own.u, emission, rejected, empty), [*rows, last])

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
        """See `AcceptRule.walk`. A guess that ends the text is its round's last; guesses behind it are ignored."""
        rows = [each.probs for each in q if isinstance(each, Rows)]
        if not tree.is_chain or not rows or len(rows) < len(q):
            return rejection.RULE.walk(tree, tokens, q, p, position, ends, draws)
        rounds, size = tokens.shape
        real = _until_end(tokens, ends)
        weights, masses = _weighed(tokens, rows, p, real)
        last = np.isnan(masses)
        part, whole = np.where(last, weights, masses), np.where(last, 1.0, masses + (1 - weights))
        equal = whole <= 0  # p and q are equal, so 0/0 is 1
        part[equal], whole[equal] = 1.0, 1.0
        tested = np.arange(size) < real[:, None]
        below, u = np.zeros((rounds, size), dtype=bool), np.full((rounds, size), np.nan)
        for node in range(size):
            judged = tested[:, node].nonzero()[0]
            at = At(position + node, Purpose.ACCEPT)
            if judged.size:
                below[judged, node], u[judged, node] = draws.subset(judged).flip(
                    part[judged, node], whole[judged, node], at
                )
        accepted = self.accepted(below)
        ended = (accepted == real) & (real > 0) & _in(tokens[np.arange(rounds), real - 1], ends)
        last_p, token, token_u = p[size].copy(), np.full(rounds, -1), np.full(rounds, np.nan)
        empty = np.zeros(rounds, dtype=bool)
        for end in set(accepted[~ended].tolist()):
            judged = ((accepted == end) & ~ended).nonzero()[0]
            if end < size:
                weight = weights[judged, end - 1] if end else np.ones(len(judged))
                last_p[judged], empty[judged] = self.residual(weight, p[end][judged], rows[end][judged])
            at = At(position + end, Purpose.RESAMPLE if end < size else Purpose.BONUS)
            token[judged], token_u[judged] = draws.subset(judged).pick(last_p[judged], at)
        return Walk(
            tested=tested,
            won=np.arange(size) < accepted[:, None],
            u=u,
            p=[*(p[node] for node in range(size)), last_p],
            token=token,
            token_u=token_u,
            rejected=np.where(ended | (accepted == size), ROOT, accepted),
            empty=empty,
            chances=part / whole,
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


def _until_end(tokens: Ids, ends: Set[int]) -> Ids:
    """How many guesses there are up to the first that ends the text, [B]."""
    ending = _in(tokens, ends)
    real: Ids = np.where(ending.any(1), ending.argmax(1) + 1, tokens.shape[1])
    return real


def _in(tokens: Ids, ends: Set[int]) -> Bools:
    return np.isin(tokens, [*ends])


def _weighed(tokens: Ids, q: Sequence[Floats], p: Sequence[Floats], real: Ids) -> tuple[Floats, Floats]:
    """rho and Z after each guess, [B, n] each.

    Z is NaN for a round's last guess. Both are NaN behind it.
    """
    rounds, size = tokens.shape
    weights, masses = np.full((2, rounds, size), np.nan)
    weight, every = np.ones(rounds), np.arange(rounds)
    for node in range(size):
        guess = tokens[:, node]
        weight = np.minimum(1.0, weight * p[node][every, guess] / q[node][every, guess])
        judged = (real > node).nonzero()[0]
        weights[judged, node] = weight[judged]
        judged = (real > node + 1).nonzero()[0]
        if judged.size:
            left = weight[judged, None] * p[node + 1][judged] - q[node + 1][judged]
            masses[judged, node] = np.maximum(left, 0, out=left).sum(-1)
    return weights, masses


RULE = Block()
