"""Rules that judge one guess at a time, by two steps: whether it stands, and what its refusal leaves.

A run's chain takes them in plain numbers; everything else is a batch.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from specviz.accept.base import AcceptRule, Bools, Draw, Draws, Judgement, Trial, Walk
from specviz.chance import At, Chance, Floats, Ids, Purpose
from specviz.draft.base import Proposal
from specviz.sampling import stacked
from specviz.trace import Emission
from specviz.tree import ROOT, DraftTree


class TokenRule(AcceptRule):
    """A rule that judges one guess at a time, root to leaf, each sibling against what earlier ones left of p."""

    @abstractmethod
    def test(self, p: Floats, q: Floats, guess: Any, at: At, draws: Any) -> tuple[Any, Any]:
        """Which guesses stand, and the tests' numbers: for k rounds, or for one alone in plain numbers.

        Args:
            p, q: float64[k, V]; guess: ids, [k]; draws: Draws. One round alone: float64[V], an id, a Chance.
        """

    @abstractmethod
    def left(self, p: Floats, q: Floats) -> tuple[Floats, Any]:
        """What a refusal leaves to draw from, float64[..., V], and whether it had to fall back to p, bool[...]."""

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        """See AcceptRule. A chain is walked in plain numbers: nobody need be looked for."""
        tokens, q = proposal.tree.tokens, proposal.q
        if not proposal.tree.is_chain:
            return alone(self, proposal, p, position, ends, chance)
        assert not isinstance(q, Tensor)
        size, kept, refused, empty = len(tokens), 0, None, False
        tests: list[Trial | None] = [None] * size
        laws: list[Floats] = []
        for node, token in enumerate(tokens):
            law = p[node]
            laws.append(law)
            won, u = self.test(law, q[node], token, At(position + node, Purpose.ACCEPT), chance)
            tests[node] = Trial(won, u, self.keeps(law, q[node], token))
            if not won:
                left, empty = self.left(law, q[node])
                laws.append(left)
                refused = node
                break
            kept += 1
            if token in ends:
                return Judgement(tuple(tests), tuple(range(kept)), None, laws)
        else:
            laws.append(p[size])
        bonus = refused is None
        pick = chance.pick(laws[-1], At(position + kept, Purpose.BONUS if bonus else Purpose.RESAMPLE))
        emission = Emission.BONUS if bonus else Emission.RESAMPLED
        return Judgement(tuple(tests), tuple(range(kept)), Draw(*pick, emission, refused, bool(empty)), laws)

    def walk(
        self, tree: DraftTree, tokens: Ids, q: Tensor, p: Tensor, position: int, ends: Set[int], draws: Draws
    ) -> Walk:
        """See AcceptRule. Guesses come up as they were drawn; a round looks at those below where it stands."""
        rounds, size = tokens.shape
        depths = tree.depths()
        u, tested = np.full((rounds, size), np.nan), np.zeros((rounds, size), dtype=bool)
        stands, refused, empty = np.full((3, rounds), ROOT)
        ended = np.zeros(rounds, dtype=bool)
        p_rows, q_rows = p.numpy().swapaxes(0, 1), q.numpy().swapaxes(0, 1)
        law = p_rows[0]
        laws = []
        for node, (parent, depth) in enumerate(zip(tree.parents, depths, strict=True)):
            laws.append(law)
            rows = ((stands == parent) & ~ended).nonzero()[0]
            if not rows.size:
                continue
            at = At(position + depth, Purpose.ACCEPT, sibling=tree.parents[:node].count(parent))
            guess, before, drawn = tokens[rows, node], _take(law, rows), _take(q_rows[node], rows)
            kept, u[rows, node] = self.test(before, drawn, guess, at, draws.some(rows))
            tested[rows, node] = True
            stays = rows[kept]
            if stays.size:
                stands[stays], refused[stays] = node, ROOT
                law = _put(law, stays, _take(p_rows[node + 1], stays))
                if ends:
                    ended[stays] = [token in ends for token in guess[kept].tolist()]
            if stays.size < rows.size:
                leaves, places = rows[~kept], (~kept).nonzero()[0]
                refused[leaves] = node
                left, empty[leaves] = self.left(_take(before, places), _take(drawn, places))
                law = _put(law, leaves, left)
        laws.append(law)
        token, token_u = np.full(rounds, -1), np.full(rounds, np.nan)
        for end in set(stands.tolist()):
            for purpose, kind in ((Purpose.BONUS, refused < 0), (Purpose.RESAMPLE, refused >= 0)):
                rows = (kind & (stands == end) & ~ended).nonzero()[0]
                if rows.size:
                    at = At(position + (0 if end == ROOT else depths[end] + 1), purpose)
                    token[rows], token_u[rows] = draws.some(rows).pick(_take(law, rows), at)
        return Walk(
            tested=tested,
            won=tree.paths()[stands],
            u=u,
            laws=laws,
            token=token,
            token_u=token_u,
            refused=refused,
            empty=(empty > 0) & (refused >= 0),
        )


def _take(rounds: Floats, rows: Ids) -> Floats:
    """Some rounds of a batch; the batch itself where that is all of them."""
    return rounds if rows.size == len(rounds) else rounds[rows]


def _put(laws: Floats, rows: Ids, fresh: Floats) -> Floats:
    """The laws with some rows replaced; the old ones stay as they are."""
    if rows.size == len(laws):
        return fresh
    laws = laws.copy()
    laws[rows] = fresh
    return laws


def alone(
    rule: AcceptRule, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
) -> Judgement:
    """A batch of one; see `AcceptRule.judge`."""
    tree, size = proposal.tree, len(p[0])
    q, tokens = stacked(proposal.q, size), np.array([tree.tokens], dtype=np.int64)
    walk = rule.walk(tree, tokens, q[None], stacked(p, size)[None], position, ends, Alone(chance))
    (tested,), (won,), (us,) = walk.tested.tolist(), walk.won.tolist(), walk.u.tolist()
    laws = [law[0] for law in walk.laws]
    tests = tuple(
        Trial(won[node], _number(us[node]), rule.keeps(laws[node], q[node].numpy(), token)) if tested[node] else None
        for node, token in enumerate(tree.tokens)
    )
    path = tuple(node for node, stands in enumerate(won) if stands)
    (token,), (token_u,), (refused,) = walk.token.tolist(), walk.token_u.tolist(), walk.refused.tolist()
    if token < 0:
        return Judgement(tests, path, None, laws)
    bonus = refused < 0
    draw = Draw(
        token=token,
        u=_number(token_u),
        emission=Emission.BONUS if bonus else Emission.RESAMPLED,
        node=None if bonus else refused,
        zero_residual=bool(walk.empty),
    )
    return Judgement(tests, path, draw, laws)


def _number(u: float) -> float | None:
    return None if math.isnan(u) else u


@dataclass(frozen=True, slots=True)
class Alone:
    """A run's own chance as the draws of a batch of one."""

    chance: Chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        won, u = self.chance.flip(weight.item(), scale.item(), at)
        return np.array([won]), np.array([u])

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        token, u = self.chance.pick(probs[0], at)
        return np.array([token]), np.array([math.nan if u is None else u])

    def some(self, rows: Ids) -> "Alone":
        return self


def guessed(law: Floats, guess: Any) -> Any:
    """What each law gives its guess, [k] of float64[k, V]; of one law alone a plain number."""
    return law.item(guess) if law.ndim == 1 else law[np.arange(len(law)), guess]
