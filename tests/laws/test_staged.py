"""A draft made by speculative decoding has the small model's own law, and the text has the target's."""

import pytest

from specviz import accept
from specviz.config.settings import Budget
from specviz.draft.base import Resources
from specviz.draft.small_model import SmallModel
from specviz.draft.staged import Staged
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Noise
from specviz.sampling.distribution import Sampling
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.laws.test_tree_drafters import WARM
from tests.tiny import TableModel, parts
from tests.trees import Once, unlawful

PROMPT = (0, 0)


def staged(size: int, sampling: Sampling, step: int) -> Staged:
    """Its cheap drafter is another model of the same vocabulary."""
    small, cheap = (TableModel(size, seed, spread=0.8) for seed in (2, 3))
    inner = SmallModel(cheap, Resources(sampling, size, 64, cheap))
    return Staged(small, inner, "cheap", step, Resources(sampling, size, 64, small))


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("sampling", [WARM, Sampling(1.2, top_k=2)], ids=str)
def test_the_draft_has_the_small_models_law(step: int, sampling: Sampling) -> None:
    drafter = staged(3, sampling, step)

    def draft(chance: Chance) -> tuple[int, ...]:
        drafter.begin(PROMPT)
        made = drafter.propose(Budget.chain(3, ""), chance)
        assert [guess.u for guess in made.guesses] == [None] * 3
        return made.tree.tokens

    small = TableModel(3, 2, spread=0.8)
    assert list(differences(law(Branching, draft), reference.texts(small, PROMPT, sampling, 3))) == []


@pytest.mark.parametrize("rule", ["rejection", "block"])
def test_the_text_has_the_targets_law(rule: str) -> None:
    target = TableModel(2, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, judge = staged(2, WARM, 2), accept.load(rule)
        return parts(target, drafter, controller=Once(2), rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, PROMPT, 3) == []


def test_under_shared_noise_it_drafts_what_the_small_model_alone_would() -> None:
    alone = TableModel(9, 2, spread=0.8)
    for seed in range(20):
        drafter, small = staged(9, WARM, 2), SmallModel(alone, Resources(WARM, 9, 64, alone))
        for each in (drafter, small):
            each.begin(PROMPT)
        proposals = [each.propose(Budget.chain(6, ""), Noise(seed)) for each in (drafter, small)]
        assert proposals[0].tree == proposals[1].tree
