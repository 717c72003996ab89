"""Rules that judge one guess at a time, in two steps: is the guess accepted, and what does its rejection leave?

`walk` defines the result. A run's chain takes the same two steps with plain floats, in chain.py.
"""

from abc import abstractmethod
from collections.abc import Sequence, Set

import numpy as np

from specviz.accept.base import AcceptRule, Draws, Judgement, Walk
from specviz.accept.chain import judge_chain
from specviz.accept.one_round import judge_one_round
from specviz.arrays import Bools, Floats, Ids
from specviz.chance import At, Chance, Purpose
from specviz.draft.base import Proposal
from specviz.law import Law, Laws
from specviz.tree import ROOT, DraftTree


class TokenRule(AcceptRule):
    """Judges one guess at a time, root to leaf. A sibling is tested against what earlier ones left of p."""

    @abstractmethod
    def test(self, p: Floats, q: Law, guess: int, at: At, chance: Chance) -> tuple[bool, float | None]:
        """Whether a guess is accepted, and the number that decided it, if a single one did. p: float64[V]."""

    @abstractmethod
    def residual(self, p: Floats, q: Law) -> tuple[Floats, bool]:
        """What a rejection leaves to draw from, float64[V], and whether nothing was left, so that it is p."""

    @abstractmethod
    def test_many(self, p: Floats, q: Laws, guesses: Ids, at: At, draws: Draws) -> tuple[Bools, Floats]:
        """`test` for k rounds, p float64[k, V]: [k] each, NaN where no single number decided."""

    @abstractmethod
    def residual_many(self, p: Floats, q: Laws) -> tuple[Floats, Bools]:
        """`residual` for k rounds."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See `AcceptRule.judge`."""
        if proposal.tree.is_chain:
            return judge_chain(self, proposal, p, position, ends, chance)
        return judge_one_round(self, proposal, p, position, ends, chance)

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
        """See `AcceptRule.walk`.

        Nodes are visited in draft order. A round tests only children of the node it has reached.
        """
        rounds, size = tokens.shape
        depths = tree.depths()
        u, tested = np.full((rounds, size), np.nan), np.zeros((rounds, size), dtype=bool)
        reached, rejected, empty = np.full((3, rounds), ROOT)
        ended = np.zeros(rounds, dtype=bool)
        now = p[0]
        tested_p = []
        for node, (parent, depth) in enumerate(zip(tree.parents, depths, strict=True)):
            tested_p.append(now)
            rows = ((reached == parent) & ~ended).nonzero()[0]
            if not rows.size:
                continue
            at = At(position + depth, Purpose.ACCEPT, sibling=tree.parents[:node].count(parent))
            guess, before, drawn = tokens[rows, node], _take(now, rows), q[node].subset(rows)
            won, u[rows, node] = self.test_many(before, drawn, guess, at, draws.subset(rows))
            tested[rows, node] = True
            onward = rows[won]
            if onward.size:
                reached[onward], rejected[onward] = node, ROOT
                now = _put(now, onward, _take(p[node + 1], onward))
                if ends:
                    ended[onward] = [token in ends for token in guess[won].tolist()]
            if onward.size < rows.size:
                stopped, places = rows[~won], (~won).nonzero()[0]
                rejected[stopped] = node
                rest, empty[stopped] = self.residual_many(_take(before, places), drawn.subset(places))
                now = _put(now, stopped, rest)
        tested_p.append(now)
        token, token_u = np.full(rounds, -1), np.full(rounds, np.nan)
        for end in set(reached.tolist()):
            for purpose, kind in ((Purpose.BONUS, rejected < 0), (Purpose.RESAMPLE, rejected >= 0)):
                rows = (kind & (reached == end) & ~ended).nonzero()[0]
                if rows.size:
                    at = At(position + (0 if end == ROOT else depths[end] + 1), purpose)
                    token[rows], token_u[rows] = draws.subset(rows).pick(_take(now, rows), at)
        return Walk(
            tested=tested,
            won=tree.paths()[reached],
            u=u,
            p=tested_p,
            token=token,
            token_u=token_u,
            rejected=rejected,
            empty=(empty > 0) & (rejected >= 0),
        )


def _take(p: Floats, rows: Ids) -> Floats:
    """The rows of some rounds. For all rounds nothing is copied."""
    return p if rows.size == len(p) else p[rows]


def _put(p: Floats, rows: Ids, fresh: Floats) -> Floats:
    """p with some rows replaced. The old array does not change."""
    if rows.size == len(p):
        return fresh
    changed = p.copy()
    changed[rows] = fresh
    return changed
