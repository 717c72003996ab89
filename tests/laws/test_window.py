"""The target as its own drafter, through a window over its own cache: the exact law, and what its cache holds."""

from collections.abc import Callable
from typing import Any

import pytest

from specviz import accept, gamma
from specviz.config.costs import Costs
from specviz.draft.base import Resources
from specviz.draft.window import Window
from specviz.loop import Parts, prefill, rounds
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from tests import reference
from tests.enumerate_chance import Branching
from tests.laws.test_exact import SHORT
from tests.statistic import SEED
from tests.tiny import TableModel, parts
from tests.trees import unlawful

PROMPT = (0, 1, 1)
WARM = Sampling(0.8)


def windowed(target: TableModel, sampling: Sampling = WARM, sinks: int = 1, window: int = 1) -> Window:
    return Window(sinks, window, target, Resources(sampling, target.vocab_size, 64, target=target))


def maker(target: TableModel, rule: str, **controlled: Any) -> Callable[[Chance], Parts]:
    controlled |= {"rule": accept.load(rule), "sampling": WARM}

    def made(chance: Chance) -> Parts:
        return parts(target, windowed(target), chance=chance, **controlled)

    return made


@pytest.mark.parametrize("rule", ["rejection", "block", "coupled"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_text_has_the_targets_law_though_it_drafted_it(rule: str, order: int) -> None:
    """Of order 1 the window is all that the target looks at; of 2 and 3 it sees the wrong tokens."""
    target = TableModel(2 + (rule != "coupled"), SEED % 1000, order)
    assert unlawful(rule, maker(target, rule, gamma=2), PROMPT, 2) == []


@pytest.mark.parametrize("name", SHORT)
def test_no_gamma_rule_biases_it(name: str) -> None:
    controller = gamma.load(name, 1, SHORT[name], Costs(0.3, 0.1, (1, 5), (1.0, 2.0)))
    assert unlawful(Branching, maker(TableModel(2, 5, 3), "rejection", controller=controller), PROMPT, 3) == []


@pytest.mark.parametrize(("sinks", "window"), [(1, 3), (0, 2), (2, 1), (4, 20)])
def test_a_guess_sees_the_first_and_the_last_slots_and_leaves_nothing_in_the_cache(sinks: int, window: int) -> None:
    target, text = TableModel(5, 3, order=30, spread=0.8), [0, 1, 4]
    drafter = windowed(target, WARM, sinks, window)
    made = parts(target, drafter, gamma=4, sampling=WARM, chance=Seeded(SEED), limit=40)
    cache, whole = prefill(made, text), 0
    for step in rounds(made, text, cache):
        drafted = [each.token for each in step.verdicts]
        for row, each in enumerate(step.verdicts):
            read = [*text, *drafted[:row]]
            seen = read if len(read) <= sinks + window else [*read[:sinks], *read[-window:]]
            assert each.q == pytest.approx(reference.law(target, seen, WARM)[each.token])
            if seen == read and len(step.path) >= row:
                assert (each.q, row in step.path) == (pytest.approx(each.p), True), "q is p"
                whole += 1
        text += step.tokens
        assert cache.slots[0, 0, 0, : cache.length, 0].tolist() == text[:-1]
    assert whole or sinks + window < 4
