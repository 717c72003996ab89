"""A run's round over a chain is decided as every other round of that shape is."""

import numpy as np
import pytest
import torch
from torch import Tensor

from specviz.accept.base import Alone, Bools, TokenRule
from specviz.accept.coupled import Coupled
from specviz.accept.rejection import Rejection
from specviz.chance import At, Chance, Floats, Ids, Purpose
from specviz.tree import DraftTree

VOCAB = 5


class Alike:
    """The same numbers for every round of a batch."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        flip = self.chance.flip(float(weight[0]), float(scale[0]), at)
        return np.full(len(weight), flip.won), np.full(len(weight), flip.u)

    def pick(self, probs: Tensor, at: At) -> tuple[Ids, Floats]:
        pick = self.chance.pick(probs[0], at)
        u = np.nan if pick.u is None else pick.u
        return np.full(len(probs), pick.token), np.full(len(probs), u)

    def some(self, rows: Ids) -> "Alike":
        return self


@pytest.mark.parametrize("rule", [Rejection(), Coupled()], ids=lambda rule: rule.name)
def test_one_round_alone_is_one_of_many(rule: TokenRule) -> None:
    dice = torch.Generator().manual_seed(3)
    seen = set()
    for seed in range(600):
        size = seed % 4
        q, p = (torch.randn(1, n, VOCAB, generator=dice, dtype=torch.float64).softmax(-1) for n in (size, size + 1))
        drafting = rule.chance(seed)
        drawn = [drafting.pick(row, At(9 + node, Purpose.DRAFT)).token for node, row in enumerate(q[0])]
        tokens = np.array([drawn], dtype=np.int64)
        tree, ends = DraftTree.chain(drawn), frozenset({seed % 7})
        one = rule.walk(tree, tokens, q, p, 9, ends, Alone(rule.chance(seed)))
        two = rule.walk(
            tree, tokens.repeat(2, 0), *(each.expand(2, -1, -1) for each in (q, p)), 9, ends, Alike(rule.chance(seed))
        )
        for name in ("tested", "won", "u", "token", "token_u", "refused", "empty"):
            found, wanted = getattr(one, name), getattr(two, name)[:1]
            assert np.array_equal(found, wanted, equal_nan=found.dtype == np.float64), (seed, name)
            assert found.dtype == wanted.dtype
        decisive = [node for node in range(size) if one.tested[0, node]] + ([size] if one.token >= 0 else [])
        assert all(np.array_equal(one.laws[node][0], two.laws[node][0]) for node in decisive), seed
        seen.add((int(one.refused[0]), int(one.tested.sum()), bool(one.token[0] < 0)))
    assert len(seen) == 10, "rounds of every kind"
