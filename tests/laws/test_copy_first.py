"""Copies before another drafter, and the target's first layers as one: the exact law, and what the rounds hear."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from specviz import accept, gamma
from specviz.check.run import problems
from specviz.config.costs import Costs
from specviz.config.entry import LawKind
from specviz.config.settings import Budget
from specviz.draft.base import Drafter, begin
from specviz.draft.copy_first import Copies
from specviz.draft.handing import Handing
from specviz.loop import Parts
from specviz.sampling.chance import At, Chance, Purpose, Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from specviz.verify import LanguageModel
from tests.enumerate_chance import Branching
from tests.laws.test_exact import SHORT
from tests.laws.test_masked import small
from tests.layered import Layered, early
from tests.opened import Opened, drafter
from tests.statistic import SEED
from tests.tiny import parts, traced
from tests.trees import unlawful

PROMPT = (0, 0, 0, 1, 1)
"""Behind it a copy is sure enough; behind some of what follows none is."""
WARM = Sampling(0.8)
INNERS: dict[str, Callable[[LanguageModel, Sampling], Drafter]] = {
    "small-model": lambda target, sampling: small(target.vocab_size, sampling),
    "eagle": lambda target, sampling: drafter("eagle", target, sampling, {"shape": "chain"}),
}


def copying(inner: str, target: LanguageModel, sampling: Sampling) -> Handing:
    return Handing(Copies(), INNERS[inner](target, sampling), time.perf_counter)


@pytest.mark.parametrize("inner", INNERS)
@pytest.mark.parametrize(
    ("rule", "size", "length"), [("rejection", 3, 3), ("block", 2, 3), ("traversal", 2, 3), ("coupled", 2, 3)]
)
def test_the_text_has_the_targets_law(inner: str, rule: str, size: int, length: int) -> None:
    target, turns = Opened(size, 1), set[str]()

    def made(chance: Chance) -> Parts:
        drafter = copying(inner, target, WARM)
        return parts(target, drafter, gamma=2, rule=accept.load(rule), sampling=WARM, chance=chance)

    def watch(done: Sequence[Round]) -> None:
        turns.update(each.source.who for step in done for each in step.verdicts)

    assert unlawful(rule, made, PROMPT, length, watch) == []
    assert turns == {"prompt-lookup", inner}


@pytest.mark.parametrize("inner", INNERS)
@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_a_round_is_one_of_boths_and_begins_as_theirs_who_read_the_text_anew(inner: str, temperature: float) -> None:
    target, sampling, replay = Opened(3, 1), Sampling(temperature), Seeded(SEED)
    trace = traced(target, PROMPT, 50, LawKind.MIXED, drafter=copying(inner, target, sampling), gamma=3,
                   sampling=sampling, chance=Seeded(SEED))  # fmt: skip
    text, turns, accepted, tested = list(PROMPT), set[str](), 0, 0
    assert problems(trace) == []
    for step in trace.rounds:
        anew = copying(inner, target, sampling)
        begin(anew, target, text, target.new_cache(60))
        again = anew.propose(Budget.chain(step.budget.depth, ""), replay)
        ours, anews = ([(each.token, each.source.who) for each in made] for made in (step.verdicts, again.guesses))
        if inner in {who for _, who in ours}:
            rate = (accepted + 0.5) / (tested + 1)
            assert len(ours) == min(step.budget.depth, max(1, int(math.log(0.5) / math.log(rate))))
            accepted, tested = accepted + len(step.path), tested + min(len(step.path) + 1, len(ours))
            for place in range(len(anews), len(ours)):  # numbers that the run used and its beginning leaves
                replay.uniform(At(len(text) + place, Purpose.DRAFT))
            ours = ours[: len(anews)]
        assert anews == ours
        laws = copying(inner, target, sampling).q_of(text, again.tree)
        for found, guess in zip(laws, again.guesses, strict=True):
            assert found is not None
            assert found.of(guess.token) == pytest.approx(guess.q.of(guess.token))
        assert len({each.source.who for each in step.verdicts}) < 2
        turns.update(each.source.who for each in step.verdicts)
        text += step.tokens
    assert turns == {"prompt-lookup", inner}


SHORT_TEXT = (0, 1)


@pytest.mark.parametrize("unsplit", [False, True])
@pytest.mark.parametrize(("rule", "size", "depth"), [("rejection", 3, 2), ("block", 3, 2), ("coupled", 2, 3)])
def test_the_text_has_the_targets_law_though_it_drafted_it(rule: str, size: int, depth: int, unsplit: bool) -> None:
    target = Layered(size, 1)
    target.unsplit = unsplit

    def made(chance: Chance) -> Parts:
        judge = accept.load(rule)
        return parts(target, early(target, WARM), gamma=depth, rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, SHORT_TEXT, 2) == []


@pytest.mark.parametrize("name", SHORT)
def test_no_gamma_rule_biases_it(name: str) -> None:
    """A draft that ends before a draw has read its last guess, another has not."""
    target = Layered(2, 5)
    controller = gamma.load(name, 1, SHORT[name], Costs(0.3, 0.1, (1, 5), (1.0, 2.0)))

    def made(chance: Chance) -> Parts:
        return parts(target, early(target, WARM), controller=controller, sampling=WARM, chance=chance)

    assert unlawful(Branching, made, SHORT_TEXT, 3) == []


def test_its_laws_are_those_it_drew_from_wherever_the_guess_stands() -> None:
    target = Layered(5, 3)
    drafter = early(target, WARM)
    text = [0, 1, 4, 2]
    begin(drafter, target, text, target.new_cache(20))
    drawn = drafter.propose(Budget.chain(6, ""), Seeded(1))
    for law_, guess in zip(early(target, WARM).q_of(text, drawn.tree), drawn.guesses, strict=True):
        assert guess.q is not None
        assert np.array_equal(law_.dense(5), guess.q.dense(5))
