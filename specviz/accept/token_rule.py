"""Rules that judge one guess at a time, in two steps: is the guess accepted, and what does its rejection leave?

`walk` defines the result. A run's chain takes the same two steps with plain floats, because that is faster;
tests/unit/test_walk.py holds it to `walk`.
"""

from abc import abstractmethod
from collections.abc import Sequence, Set
from typing import Any

import numpy as np

from specviz.accept.base import AcceptRule, Draw, Draws, Judgement, Trial, Walk, put, take, target_tokens
from specviz.draft.base import Proposal
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.rows import Law
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Emission


class TokenRule(AcceptRule):
    """Judges one guess at a time, root to leaf. A sibling is tested against what earlier ones left of p.

    Both steps are for one round: p is float64[V], the guess a number and draws a `Chance`; or for k rounds: p is
    float64[k, V], the guesses are [k] and draws are `Draws`.
    """

    @abstractmethod
    def test(self, p: Floats, q: Law, guess: Any, at: At, draws: Any) -> Any:
        """True if a guess is accepted, and the number that decided it, if a single one did."""

    @abstractmethod
    def residual(self, p: Floats, q: Law) -> tuple[Floats, Bools]:
        """What a rejection leaves to draw from, shaped like p, and whether nothing was left, so that it is p."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See `AcceptRule.judge`. A chain has no branches to search."""
        if not proposal.tree.is_chain:
            return super().judge(proposal, p, position, ends, chance)
        tests: list[Trial | None] = [None] * len(proposal.guesses)
        tested: list[Floats] = []
        accepted, rejected, empty = 0, None, False
        for node, guess in enumerate(proposal.guesses):
            row, q, token = p[node], guess.q, guess.token
            tested.append(row)
            won, u = self.test(row, q, token, At(position + node, Purpose.ACCEPT), chance)
            tests[node] = Trial(won, u, self.accept_prob(row, q, token))
            if not won:
                left, nothing = self.residual(row, q)
                rejected, empty = node, bool(nothing)
                break
            accepted += 1
            if node in ends:
                return Judgement(tuple(tests), tuple(range(accepted)), None, tested)
        else:
            left = p[accepted]
        purpose, emission = Purpose.RESAMPLE, Emission.RESAMPLED
        if rejected is None:
            purpose, emission = Purpose.BONUS, Emission.BONUS
        token, u = chance.pick(left, At(position + accepted, purpose))
        draw = Draw(token, u, emission, rejected, empty)
        return Judgement(tuple(tests), tuple(range(accepted)), draw, [*tested, left])

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
        """See `AcceptRule.walk`.

        Nodes are visited in draft order. A round tests only children of the node it has reached.
        """
        rounds, size = tokens.shape
        u, tested = np.full((rounds, size), np.nan), np.zeros((rounds, size), dtype=bool)
        last, rejected, empty = np.full((3, rounds), ROOT)
        over = np.zeros(rounds, dtype=bool)
        now = p[0]
        tested_p = []
        for node, (parent, depth) in enumerate(zip(tree.parents, tree.depths(), strict=True)):
            tested_p.append(now)
            rows = ((last == parent) & ~over).nonzero()[0]
            if not rows.size:
                continue
            at = At(position + depth, Purpose.ACCEPT, sibling=tree.parents[:node].count(parent))
            guess, before, drawn = tokens[rows, node], take(now, rows, rounds), take(q[node], rows, rounds)
            won, u[rows, node] = self.test(before, drawn, guess, at, draws.subset(rows))
            tested[rows, node] = True
            onward, places = rows[won], (~won).nonzero()[0]
            if onward.size:
                last[onward], rejected[onward] = node, ROOT
                over[onward] = ended[onward, node]
                now = put(now, onward, take(p[node + 1], onward, rounds))
            if places.size:
                stopped = rows[places]
                rest, empty[stopped] = self.residual(take(before, places, len(rows)), take(drawn, places, len(rows)))
                rejected[stopped] = node
                now = put(now, stopped, rest)
        token, token_u = target_tokens(tree, last, rejected, over, now, position, draws)
        return Walk(
            tested=tested,
            won=tree.paths()[last],
            u=u,
            p=[*tested_p, now],
            token=token,
            token_u=token_u,
            rejected=rejected,
            empty=(empty > 0) & (rejected >= 0),
        )
