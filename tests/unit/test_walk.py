"""A run's round over a chain is decided as every other round of that shape is."""

import numpy as np
import pytest

from specviz.accept.base import AcceptRule
from specviz.accept.block import Block
from specviz.accept.coupled import Coupled
from specviz.accept.rejection import Rejection
from specviz.accept.relaxed import Relaxed
from specviz.accept.static_ensemble import StaticEnsemble
from specviz.accept.typical import Typical
from specviz.draft.base import Guess, proposal
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.thinking import Thinking
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.info import Relaxation

VOCAB = 5
SOURCE = Source("test")


class Alike:
    """The same numbers for every round of a batch."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        flip = self.chance.flip(float(weight[0]), float(scale[0]), at)
        return np.full(len(weight), flip.won), np.full(len(weight), flip.u)

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        pick = self.chance.pick(probs[0], at)
        u = np.nan if pick.u is None else pick.u
        return np.full(len(probs), pick.token), np.full(len(probs), u)

    def subset(self, rows: Ids) -> "Alike":
        return self


THINKING = Relaxed(Relaxation(2, 0.4, "1", "2"), Thinking("1", "2", lambda tokens: "".join(map(str, tokens))), [1])
RULES = [Rejection(), Coupled(), Block(), Typical(), StaticEnsemble(0.4), THINKING]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_one_round_alone_is_one_of_many(rule: AcceptRule) -> None:
    dice = np.random.default_rng(3)
    seen = set()
    for seed in range(600):
        size = seed % 4
        q, p = (dice.dirichlet(np.ones(VOCAB), n) for n in (size, size + 1))
        drafting = rule.chance(seed)
        drawn = [drafting.pick(row, At(9 + node, Purpose.DRAFT)).token for node, row in enumerate(q)]
        tree, ends = DraftTree.chain(drawn), {node for node, token in enumerate(drawn) if token == seed % 7}
        laws: list[Law] = [Row(row) for row in q]
        if seed % 3 == 2:
            laws = [Point(token) for token in drawn]
        guesses = [Guess(token, node - 1, laws[node], None, SOURCE) for node, token in enumerate(drawn)]
        asked = proposal(guesses, ()), [*p], 9, ends
        one, two = rule.judge(*asked, rule.chance(seed)), AcceptRule.judge(rule, *asked, rule.chance(seed))
        assert one[:3] == two[:3], seed
        decisive = [node for node, test in enumerate(one.tests) if test] + ([-1] if one.draw else [])
        assert all(np.array_equal(one.p[node], two.p[node]) for node in decisive), seed
        many = rule.walk(
            tree,
            np.array([drawn] * 2, dtype=np.int64).reshape(2, size),
            [law[None][[0, 0]] for law in laws],
            [np.tile(row, (2, 1)) for row in p],
            9,
            np.array([[node in ends for node in range(size)]] * 2, dtype=bool).reshape(2, size),
            Alike(rule.chance(seed)),
        )
        assert np.array_equal(np.flatnonzero(many.won[1]), one.path), seed
        assert many.token[1] == (one.draw.token if one.draw else -1), seed
        seen.add((one.path, one.draw and one.draw.emission))
    assert len(seen) == 10, "rounds of every kind"
