"""The target's first layers draft over its own slots: the law is exact, whatever stops a draft."""

import numpy as np
import pytest

from specviz import accept, gamma
from specviz.config.costs import Costs
from specviz.config.settings import Budget
from specviz.draft.base import begin
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from tests.enumerate_chance import Branching
from tests.laws.test_exact import SHORT
from tests.layered import Layered, early
from tests.tiny import parts
from tests.trees import unlawful

PROMPT = (0, 1)
WARM = Sampling(0.8)


@pytest.mark.parametrize("unsplit", [False, True])
@pytest.mark.parametrize(("rule", "size", "depth"), [("rejection", 3, 2), ("block", 3, 2), ("coupled", 2, 3)])
def test_the_text_has_the_targets_law(rule: str, size: int, depth: int, unsplit: bool) -> None:
    target = Layered(size, 1)
    target.unsplit = unsplit

    def made(chance: Chance) -> Parts:
        judge = accept.load(rule)
        return parts(target, early(target, WARM), gamma=depth, rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, PROMPT, 2) == []


@pytest.mark.parametrize("name", SHORT)
def test_no_gamma_rule_biases_it(name: str) -> None:
    """A draft that ends before a draw has read its last guess, another has not."""
    target = Layered(2, 5)
    controller = gamma.load(name, 1, SHORT[name], Costs(0.3, 0.1, (1, 5), (1.0, 2.0)))

    def made(chance: Chance) -> Parts:
        return parts(target, early(target, WARM), controller=controller, sampling=WARM, chance=chance)

    assert unlawful(Branching, made, PROMPT, 3) == []


def test_its_laws_are_those_it_drew_from_wherever_the_guess_stands() -> None:
    target = Layered(5, 3)
    drafter = early(target, WARM)
    text = [0, 1, 4, 2]
    begin(drafter, target, text, target.new_cache(20))
    drawn = drafter.propose(Budget.chain(6, ""), Seeded(1))
    for law_, guess in zip(early(target, WARM).q_of(text, drawn.tree), drawn.guesses, strict=True):
        assert guess.q is not None
        assert np.array_equal(law_.dense(5), guess.q.dense(5))
