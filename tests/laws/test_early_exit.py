"""The target's first layers draft over its own slots: the law is exact, whatever stops a draft."""

import dataclasses

import numpy as np
import pytest

from specviz import accept, gamma
from specviz.config.costs import Costs
from specviz.config.settings import Budget
from specviz.draft.base import begin
from specviz.law.chance import Chance, Seeded
from specviz.law.sampling import Sampling
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.laws.test_exact import EVERY_OUTCOME, SHORT
from tests.layered import Layered, early
from tests.tiny import decode, parts, tokens_of

PROMPT = (0, 1)
WARM = Sampling(0.8)


@pytest.mark.parametrize("unsplit", [False, True])
@pytest.mark.parametrize(("rule", "size", "depth"), [("rejection", 3, 2), ("block", 3, 2), ("coupled", 2, 3)])
def test_the_text_has_the_targets_law(rule: str, size: int, depth: int, unsplit: bool) -> None:
    target = Layered(size, 1)
    target.unsplit = unsplit

    def two(chance: Chance) -> tuple[int, ...]:
        drafter = early(target, WARM)
        made = parts(target, drafter, gamma=depth, rule=accept.load(rule), sampling=WARM, chance=chance)
        made = dataclasses.replace(made, piece=None)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 2))[:2])

    assert list(differences(law(EVERY_OUTCOME[rule], two), reference.texts(target, PROMPT, WARM, 2))) == []


@pytest.mark.parametrize("name", SHORT)
def test_no_gamma_rule_biases_it(name: str) -> None:
    """A draft that ends before a draw has read its last guess, another has not."""
    target = Layered(2, 5)
    controller = gamma.load(name, 1, SHORT[name], Costs(0.3, 0.1, (1, 5), (1.0, 2.0)))

    def three(chance: Chance) -> tuple[int, ...]:
        made = parts(target, early(target, WARM), controller=controller, sampling=WARM, chance=chance)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 3))[:3])

    assert list(differences(law(Branching, three), reference.texts(target, PROMPT, WARM, 3))) == []


def test_its_laws_are_those_it_drew_from_wherever_the_guess_stands() -> None:
    target = Layered(5, 3)
    drafter = early(target, WARM)
    text = [0, 1, 4, 2]
    begin(drafter, target, text, target.new_cache(20))
    drawn = drafter.propose(Budget.chain(6, ""), Seeded(1))
    for law_, guess in zip(early(target, WARM).q_of(text, drawn.tree), drawn.guesses, strict=True):
        assert guess.q is not None
        assert np.array_equal(law_.dense(5), guess.q.dense(5))
