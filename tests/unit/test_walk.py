"""A run's round over a chain is decided as every other of that shape is, and written down as token by token."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specviz.accept.base import AcceptRule, Draw, Judgement, Trial
from specviz.accept.block import Block
from specviz.accept.coupled import Coupled
from specviz.accept.rejection import Rejection
from specviz.accept.relaxed import Relaxed
from specviz.accept.static_ensemble import StaticEnsemble
from specviz.accept.typical import Typical
from specviz.draft.base import Guess, proposal
from specviz.record import record
from specviz.record.record import SHOWN
from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, Chance, Purpose
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.ruler import segment
from specviz.sampling.thinking import Thinking
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Emission, Source, View
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


def digits(number: float) -> float:
    return float(f"{number:.6g}")


def largest(values: Floats, count: int) -> list[int]:
    """In the order of float32, where the least numbers are all 0."""
    rough = values.astype(np.float32)
    return [at for at in sorted(range(len(values)), key=lambda at: (-rough[at], at))[:count] if values[at] > 0]


def wanted(p: Floats, q: Floats, must_show: set[int], most: int) -> dict[int, tuple[float, float, float]]:
    """The bars of a view, in order."""
    missed = np.maximum(p - q, 0)
    certain = must_show | {*largest(missed, most)}
    by_size = sorted(range(len(p)), key=lambda at: (-max(p[at], q[at]), at))
    others = [at for at in by_size if at not in certain and at in {*largest(p, most), *largest(q, most)}]
    shown = certain | {*others[: SHOWN.bars - len(certain)]}
    return {at: (digits(p[at]), digits(q[at]), digits(missed[at])) for at in by_size if at in shown}


def holds(view: View, p: Floats, q: Floats, must_show: set[int], most: int) -> None:
    bars = wanted(p, q, must_show, most)
    assert [(bar.token, bar.text, (bar.p, bar.q, bar.residual)) for bar in view.bars] == [
        (token, f"<{token}>", numbers) for token, numbers in bars.items()
    ]
    rest = [at for at in range(len(p)) if at not in bars]
    sums = [each[rest].sum() for each in (p, q, np.minimum(p, q), np.maximum(p - q, 0))]
    found = [view.rest.p, view.rest.q, view.rest.overlap, view.rest.residual]
    assert view.rest.count == len(rest)
    assert np.allclose(found, sums, rtol=1e-5, atol=1e-14)
    assert np.isclose(view.overlap, np.minimum(p, q).sum(), rtol=1e-5)


def law(dice: Any, size: int, spread: float) -> Floats:
    """Few tokens have any probability at times, others hardly any."""
    weights = np.exp(spread * dice.standard_normal(size)) * (dice.random(size) < dice.choice([0.3, 1.0]))
    weights[dice.integers(size)] = 1.0
    found: Floats = weights / weights.sum()
    return found


@given(st.integers(2, 60), st.sampled_from([0.0, 1.0, 4.0, 30.0]), st.integers(0, 2**32 - 1))
@example(16, 30.0, 17594535)
def test_the_largest_get_bars_and_the_rest_is_summed(size: int, spread: float, seed: int) -> None:
    """A chain whose second guess falls: its third is untested. And a bonus behind no guess at all."""
    dice = np.random.default_rng(seed)
    p, q = [law(dice, size, spread) for _ in range(4)], [law(dice, size, spread) for _ in range(3)]
    guessed = [int(dice.choice(size, p=row)) for row in q]
    own = int(dice.integers(size))
    guesses = [Guess(token, node - 1, Row(q[node]), 0.5, Source("")) for node, token in enumerate(guessed)]
    tests = (Trial(True, 0.5, 1.0), Trial(False, 0.5, 0.5), None)
    judgement = Judgement(tests, (0,), Draw(own, 0.5, Emission.RESAMPLED, 1, False), [*p[:2], p[3]])
    verdicts, extra = record.outcome(proposal(guesses, ()), p, judgement, "<{}>".format)
    for node, (each, most) in enumerate(zip(verdicts, (SHOWN.tested, SHOWN.tested, SHOWN.untested), strict=True)):
        holds(each.view, p[node], q[node], {guessed[node], *([own] if node == 1 else [])}, most)
        assert (each.p, each.q) == (p[node][guessed[node]], q[node][guessed[node]])
        assert (each.low, each.high) == segment(q[node], guessed[node])
        for found, row in ((each.p_entropy, p[node]), (each.q_entropy, q[node])):
            assert np.isclose(found, -(row[row > 0] * np.log(row[row > 0])).sum(), rtol=1e-4, atol=1e-5)
    assert extra
    assert extra.view is verdicts[1].view
    assert (extra.p, extra.low, extra.high) == (p[1][own], *segment(p[3], own))
    alone = Judgement((), (), Draw(own, 0.5, Emission.BONUS, None, False), p[:1])
    _, extra = record.outcome(proposal((), ()), p[:1], alone, "<{}>".format)
    assert extra
    holds(extra.view, p[0], np.zeros(size), {own}, SHOWN.tested)
    assert (extra.p, extra.low, extra.high) == (p[0][own], *segment(p[0], own))


@given(
    st.lists(st.floats(-30, 1.2).map(lambda power: 10.0**power) | st.sampled_from([0.0, 1.0, 0.1, 1e-16, 9.9999995]))
)
def test_numbers_have_six_digits(numbers: list[float]) -> None:
    assert record._six_digits(np.array(numbers)) == [digits(number) for number in numbers]
