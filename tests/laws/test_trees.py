"""Trees of every shape and kind of children: the exact law of what comes out, and a spine that is a chain."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from specviz import accept
from specviz.accept.base import AcceptRule
from specviz.accept.coupled import Coupled
from specviz.accept.rejection import Rejection
from specviz.accept.static_ensemble import StaticEnsemble
from specviz.sampling.chance import Noise
from specviz.sampling.distribution import Sampling
from specviz.sampling.tree import DraftTree
from specviz.trace.round import Timing
from tests.reference import plain
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import HOW, SHAPES, Grown, unlawful_behind

WARM = Sampling(0.7)
WIDE = {"2": 4, "2,1": 3, "2,2": 2, "3,1": 3, "uneven": 3}
"""Tokens of the vocabulary: as many as can be tried."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shape", SHAPES)
def test_law_of_two_tokens_behind_a_tree_is_the_targets_under_rejection(shape: str, how: str) -> None:
    assert unlawful_behind(Rejection(), shape, how, WIDE[shape], WARM) == []


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shape", ["2", "2,1", "2,2", "uneven"])
def test_law_of_two_tokens_behind_a_tree_is_the_targets_under_shared_noise(shape: str, how: str) -> None:
    assert unlawful_behind(Coupled(), shape, how, 2, WARM) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shape", SHAPES)
def test_behind_any_tree_the_coupled_text_is_plain_decodings_token_for_token(shape: str, how: str) -> None:
    target, models = TableModel(7, 1), [TableModel(7, seed) for seed in (2, 3, 4)]
    kept = 0
    for seed in range(6):
        drafter = Grown(models, SHAPES[shape], how, WARM)
        done = decode(parts(target, drafter, rule=Coupled(), sampling=WARM, chance=Noise(seed), limit=42), (0, 1))
        assert [0, 1, *tokens_of(done)] == plain(target, (0, 1), WARM, 42, seed)
        kept += sum(any(node > 0 and step.verdicts[node].source.rank for node in step.path) for step in done)
    assert kept or how == "i.i.d.", "a second choice stood now and then; shared noise draws the same one again"


CHAIN = (-1, 0, 1, 2)
ALIKE: dict[str, tuple[AcceptRule, str, list[tuple[int, ...]]]] = {
    "block behind a tree": (accept.load("block"), "i.i.d.", [*SHAPES.values()]),
    "block behind points": (accept.load("block"), "points", [CHAIN, *SHAPES.values()]),
    "traversal behind points": (accept.load("traversal"), "points", [CHAIN, *SHAPES.values()]),
    "a static ensemble all of whose weight is the target's": (StaticEnsemble(1.0), "i.i.d.", [CHAIN, *SHAPES.values()]),
}


@pytest.mark.parametrize("case", ALIKE)
def test_a_rule_that_weighs_nothing_is_rejection_number_for_number(case: str) -> None:
    rule, how, shapes = ALIKE[case]
    target, models = TableModel(5, 1), [TableModel(5, 2)]
    for shape in shapes:
        one, other = (
            [said(step) for step in decode(parts(target, drafter, rule=each, sampling=WARM, limit=40), (0, 1))]
            for each in (Rejection(), rule)
            for drafter in [Grown(models, shape, how, WARM)]
        )
        assert one == other


def said(step: Any) -> dict[str, Any]:
    """A round but for its times."""
    return dataclasses.asdict(dataclasses.replace(step, timing=Timing((), 0.0, 0.0, 0.0, 0.0)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [entry.name for entry in accept.ENTRIES])
@pytest.mark.parametrize("sampling", [WARM, Sampling(0.8, top_k=3), Sampling(0.0)], ids=str)
def test_a_tree_whose_every_node_has_one_child_is_a_chain(
    name: str, sampling: Sampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Number for number, though it is read with a mask and judged as a batch: rows, verdicts, cache lengths, trace."""
    rule = accept.load(name)

    def runs() -> Iterator[dict[str, Any]]:
        for seed in range(4):
            chance = rule.chance(seed)
            made = parts(
                TableModel(6, 1), draft=TableModel(6, 2), gamma=4, rule=rule, sampling=sampling, chance=chance,
                limit=60, ends=frozenset([seed]),
            )  # fmt: skip
            yield from (said(step) for step in decode(made, (4, 5)))

    chain = list(runs())
    if not accept.entry(name).weighs:  # which has no quicker way for a chain
        monkeypatch.setattr(DraftTree, "is_chain", property(lambda self: False))
        assert list(runs()) == chain
    else:
        assert chain
