"""A drafter that learns: the text has the target's law while its weights move, and nothing else learns with it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.settings import Budget
from specviz.draft.base import Resources
from specviz.draft.online import Online
from specviz.gamma import Fixed
from specviz.loop import Parts
from specviz.sampling.arrays import Bools
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from specviz.trim import KVCache
from specviz.verify import Scores
from tests.laws.test_tree_drafters import WARM
from tests.tiny import TableModel, parts, traced
from tests.trees import unlawful

PROMPT = (0, 0)


class OpenTable(TableModel):
    """Its last state says which token it read last."""

    def opened(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache, hidden: Sequence[int]
    ) -> Scores:
        states = np.eye(self.vocab_size, dtype=np.float32)[list(tokens)]
        return Scores(self.forward(tokens, positions, mask, cache), dict.fromkeys(hidden, states))


def online(size: int, sampling: Sampling = WARM, seed: int = 2, model: OpenTable | None = None) -> Online:
    model = model or OpenTable(size, seed, spread=0.8)
    return Online(model, Resources(sampling, size, 64, model))


@pytest.mark.parametrize("rule", ["rejection", "block", "coupled"])
def test_the_text_has_the_targets_law_while_weights_move(rule: str) -> None:
    target, updates = TableModel(2, 1, spread=0.8), set[int]()

    def made(chance: Chance) -> Parts:
        return parts(target, online(2), controller=Fixed(1), rule=accept.load(rule), sampling=WARM, chance=chance)

    def watch(done: Sequence[Round]) -> None:
        updates.update(step.learning.updates for step in done if step.learning)

    assert unlawful(rule, made, PROMPT, 4, watch) == []
    assert updates >= {0, 1, 2}


def rounds(drafter: Online, seed: int = 4, gamma: int = 3) -> Any:
    rule = accept.load("rejection")
    return traced(
        TableModel(6, 1), PROMPT, 60, drafter=drafter, rule=rule, chance=rule.chance(seed), sampling=WARM, gamma=gamma
    )


def test_it_learns_what_the_target_says_and_is_accepted_more_often() -> None:
    trace = rounds(online(6))
    assert problems(trace) == []
    assert [step.learning.updates for step in trace.rounds] == [*range(len(trace.rounds))]
    half = len(trace.rounds) // 2
    early, late = (
        sum(each.view.overlap for step in part for each in step.verdicts) / sum(len(step.verdicts) for step in part)
        for part in (trace.rounds[:half], trace.rounds[half:])
    )
    assert late > early + 0.1


def test_the_same_seed_learns_the_same_and_a_session_beside_it_is_not_touched() -> None:
    shared = OpenTable(6, 2, spread=0.8)
    alone = rounds(online(6, model=shared))
    beside = online(6, model=shared)
    beside.begin(PROMPT)
    before = beside.propose(Budget.chain(4, ""), accept.load("rejection").chance(0))
    again = rounds(online(6, model=shared))
    assert alone.tokens == again.tokens
    assert [step.verdicts for step in alone.rounds] == [step.verdicts for step in again.rounds]
    beside.begin(PROMPT)
    after = beside.propose(Budget.chain(4, ""), accept.load("rejection").chance(0))
    assert before.tree == after.tree
    assert all((one.probs == other.probs).all() for one, other in zip(before.q, after.q, strict=True))
