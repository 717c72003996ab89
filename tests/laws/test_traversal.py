"""Traversal verification, exactly: the law of all it says, what it gains, and that its trace tells how."""

import dataclasses

import numpy as np
import pytest

from specviz.accept import block, rejection, traversal
from specviz.accept.base import AcceptRule
from specviz.draft.base import Guess, proposal
from specviz.loop import Parts
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Chance, Purpose, Seeded
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.trace.round import Round
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts
from tests.trees import SHAPES, Grown, Once, left_of, unlawful

PROMPT = (0, 0)
WARM = Sampling(0.7)
DRAWN = ("i.i.d.", "without replacement")
DEEP: dict[str, tuple[tuple[int, ...], int, int]] = {
    "2": ((-1, -1), 4, 2),
    "3": ((-1, -1, -1), 4, 2),
    "2,1": ((-1, -1, 0, 1), 3, 2),
    "2,2": ((-1, -1, 0, 0, 1, 1), 2, 3),
    "1,2": ((-1, 0, 0), 3, 3),
    "uneven": ((-1, -1, 0, 2, 2), 2, 4),
    "long spine": ((-1, -1, 0, 2), 3, 3),
}
"""Parents of the nodes; tokens of the vocabulary; tokens whose law is asked."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", DRAWN)
@pytest.mark.parametrize("shape", DEEP)
def test_law_of_all_tokens_behind_a_tree(shape: str, how: str) -> None:
    nodes, size, length = DEEP[shape]
    target, models = TableModel(size, 1, spread=0.8), [TableModel(size, 2, spread=0.8)]

    def made(chance: Chance) -> Parts:
        drafter = Grown(models, nodes, how, WARM)
        return parts(target, drafter, controller=Once(4), rule=traversal.RULE, sampling=WARM, chance=chance)

    assert unlawful(Branching, made, PROMPT, length) == []


@pytest.mark.parametrize("end", range(3))
def test_law_where_a_guess_ends_the_text(end: int) -> None:
    target, models = TableModel(3, 7), [TableModel(3, 8)]

    def made(chance: Chance) -> Parts:
        drafter = Grown(models, DEEP["2,1"][0], "without replacement", Sampling())
        limit, ends = len(PROMPT) + 3, frozenset([end])
        return parts(target, drafter, rule=traversal.RULE, controller=Once(2), chance=chance, ends=ends, limit=limit)

    assert unlawful(Branching, made, PROMPT, 3) == []


@pytest.mark.parametrize("how", DRAWN)
def test_never_below_rejection_and_above_it_on_the_whole(how: str) -> None:
    """Of trees over the same laws, by the chances of what may be kept."""
    dice = np.random.default_rng(4)
    gained = 0.0
    for nodes in [DEEP[name][0] for name in ("2,1", "1,2", "long spine")] * 2:
        p, q = (dice.dirichlet(np.full(3, 0.7), len(nodes) + 1) for _ in range(2))
        one, together = (expected(rule, nodes, how, p, q) for rule in (rejection.RULE, traversal.RULE))
        assert together >= one - 1e-12
        gained += together - one
    assert gained > 0.02


def expected(rule: AcceptRule, parents: tuple[int, ...], how: str, p: Floats, q: Floats) -> float:
    """Mean number of guesses kept; a place's laws are its node's rows."""

    def kept(chance: Branching) -> int:
        guesses: list[Guess] = []
        for parent in parents:
            gone = [guess.token for guess in guesses if guess.parent == parent]
            row = left_of(q[parent + 1], gone) if how == "without replacement" else q[parent + 1]
            token = chance.pick(row, At(0, Purpose.DRAFT)).token
            guesses.append(Guess(token, parent, Row(row), 0.0, Source("")))
        return len(rule.judge(proposal(guesses, ()), [*p], 0, frozenset(), chance).path)

    return sum(length * weight for length, weight in law(Branching, kept).items())


def test_on_a_chain_the_walk_decides_as_block_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though it looks from the other end, and no further than it must: same path, token, weights, and what was used."""
    rescued = 0
    for seed in range(200):
        dice = np.random.default_rng(seed)
        size = 2 + seed % 4
        p, q = dice.dirichlet(np.full(5, 0.7), size + 1), dice.dirichlet(np.full(5, 0.7), size)
        tokens = [int(dice.choice(5, p=row)) for row in q]
        guesses = [Guess(token, node - 1, Row(q[node]), 0.0, Source("")) for node, token in enumerate(tokens)]
        asked = proposal(guesses, ()), [*p], 7, {node for node, token in enumerate(tokens) if token == seed % 9}
        whole = block.RULE.judge(*asked, Seeded(seed))
        assert traversal.RULE.judge(*asked, Seeded(seed))[:3] == whole[:3]
        with monkeypatch.context() as patch:
            patch.setattr(DraftTree, "is_chain", property(lambda self: False))
            walked = traversal.RULE.judge(*asked, Seeded(seed))
        assert (walked.path, walked.draw) == (whole.path, whole.draw)
        for one, other in zip(walked.tests, whole.tests, strict=True):
            assert one is None or other is None or one.weight == other.weight
            if one and other and one.u is not None:
                assert (one.won, one.u, one.accept_prob, one.mass) == (
                    other.won,
                    other.u,
                    other.accept_prob,
                    other.mass,
                )
        rescued += any(test and test.won and (test.u or 0) >= test.accept_prob for test in whole.tests)
    assert rescued > 10


def said(step: Round) -> dict[str, object]:
    """A round but for its times."""
    return {**dataclasses.asdict(step), "timing": None}


@pytest.mark.parametrize("shape", SHAPES)
def test_behind_points_it_is_rejection_number_for_number(shape: str) -> None:
    target, models = TableModel(5, 1), [TableModel(5, 2)]
    runs = [
        [said(step) for step in decode(parts(target, grown, rule=rule, sampling=WARM, limit=40), PROMPT)]
        for rule in (rejection.RULE, traversal.RULE)
        for grown in [Grown(models, SHAPES[shape], "points", WARM)]
    ]
    assert runs[0] == runs[1]
