"""Block verification, exactly: the law of all it says, what it gains, and that its trace tells how."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from specviz.accept import block, rejection
from specviz.accept.base import AcceptRule
from specviz.draft.base import Guess, proposal
from specviz.loop import Parts
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.distribution import Sampling
from specviz.sampling.rows import Row
from specviz.trace.guess import Source
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts
from tests.trees import Once, unlawful

PROMPT = (0, 1)
AT = At(0, Purpose.DRAFT)


@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("sampling", [Sampling(0.7, top_k=2), Sampling(0.9, top_p=0.85)], ids=str)
def test_law_of_all_tokens_of_a_round_with_zeros_in_p_and_q(gamma: int, sampling: Sampling) -> None:
    target, draft = TableModel(4, 1), TableModel(4, 2)

    def made(chance: Chance) -> Parts:
        return parts(target, draft=draft, rule=block.RULE, controller=Once(gamma), sampling=sampling, chance=chance)

    assert unlawful(Branching, made, PROMPT, gamma + 1) == []


@pytest.mark.parametrize(("rule", "wanted"), [(rejection.RULE, Fraction(10, 9)), (block.RULE, Fraction(11, 9))])
def test_expected_length_on_the_papers_toy(rule: AcceptRule, wanted: Fraction) -> None:
    p, q = np.array([1 / 3, 2 / 3]), np.array([2 / 3, 1 / 3])

    def kept(chance: Chance) -> int:
        tokens = [chance.pick(q, AT).token for _ in range(2)]
        guesses = [Guess(token, node - 1, Row(q), 0.0, Source("toy")) for node, token in enumerate(tokens)]
        return len(rule.judge(proposal(guesses, ()), [p, p, p], 0, frozenset(), chance).path)

    lengths = law(Branching, kept)
    mean = sum(Fraction(weight).limit_denominator(10**6) * length for length, weight in lengths.items())
    assert mean == wanted


def test_one_guess_is_judged_as_rejection_does() -> None:
    target, draft = TableModel(6, 1), TableModel(6, 2)
    told = [
        [(step.tokens, step.path) for step in decode(parts(target, draft=draft, gamma=1, rule=rule, limit=80), PROMPT)]
        for rule in (rejection.RULE, block.RULE)
    ]
    assert told[0] == told[1]


def test_never_below_rejection_and_above_it_on_the_whole() -> None:
    """Of the same guesses, by the chances of what may be kept."""
    dice = np.random.default_rng(4)
    gained = 0.0
    for _ in range(10):
        p, q = (list(dice.dirichlet(np.full(3, 0.7), size)) for size in (4, 3))
        one, together = (expected(rule, p, q) for rule in (rejection.RULE, block.RULE))
        assert together >= one - 1e-12
        gained += together - one
    assert gained > 0.1


def expected(rule: AcceptRule, p: Sequence[Floats], q: Sequence[Floats]) -> float:
    """Mean number of guesses kept."""

    def kept(chance: Branching) -> int:
        tokens = [chance.pick(row, AT).token for row in q]
        guesses = [Guess(token, node - 1, Row(q[node]), 0.0, Source("")) for node, token in enumerate(tokens)]
        return len(rule.judge(proposal(guesses, ()), p, 0, frozenset(), chance).path)

    return sum(length * weight for length, weight in law(Branching, kept).items())
