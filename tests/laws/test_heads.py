"""Heads on the target's hidden states: the law is exact, and every state stands where the head takes it to be."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.info import Reads
from tests.opened import HEADS, Opened, drafter
from tests.reference import plain
from tests.tiny import decode, parts, tokens_of, traced
from tests.trees import Once, unlawful

PROMPT = (0, 1)
WARM = Sampling(0.8)
TREE: Mapping[str, Any] = {"shape": "tree", "nodes": 4, "width": 2}
CHAIN: Mapping[str, Any] = {"shape": "chain"}
CASES = [
    ("rejection", CHAIN, 3),
    ("block", CHAIN, 3),
    ("coupled", CHAIN, 2),
    ("rejection", TREE, 3),
    ("traversal", TREE, 3),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize(("rule", "params", "size"), CASES, ids=str)
def test_the_text_has_the_targets_law(name: str, rule: str, params: Mapping[str, Any], size: int) -> None:
    target = Opened(size, 1)

    def made(chance: Chance) -> Parts:
        drafts, judge = drafter(name, target, WARM, params), accept.load(rule)
        return parts(target, drafts, controller=Once(2), rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, PROMPT, 3) == []


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("params", [CHAIN, TREE], ids=["chain", "tree"])
def test_greedy_text_is_plain_decodings(name: str, params: Mapping[str, Any]) -> None:
    target, greedy = Opened(6, 1), Sampling(0)
    made = parts(target, drafter(name, target, greedy, params), sampling=greedy, limit=40)
    assert [*PROMPT, *tokens_of(decode(made, PROMPT))] == plain(target, PROMPT, greedy, 40)


def test_a_trace_that_contradicts_itself_about_heads_has_problems() -> None:
    target = Opened(6, 1)
    trace = traced(target, PROMPT, drafter=drafter("eagle", target, WARM, CHAIN), sampling=WARM, chance=Seeded(3))
    assert problems(trace) == []
    assert trace.info.heads is not None
    heads, (first, *others) = trace.info.heads, trace.rounds
    state = first.imagined[0]
    for wrong in (
        dataclasses.replace(heads, layers=(2, 1)),
        dataclasses.replace(heads, layers=(1, 9)),
        dataclasses.replace(heads, places=1),
        dataclasses.replace(heads, reads=Reads.BLOCK),
        None,
    ):
        assert problems(dataclasses.replace(trace, info=dataclasses.replace(trace.info, heads=wrong)))
    for states in (
        (),
        (state, *first.imagined),
        (dataclasses.replace(state, likeness=1.5), *first.imagined[1:]),
        (dataclasses.replace(state, own=state.own[1:]), *first.imagined[1:]),
    ):
        step = dataclasses.replace(first, imagined=states)
        assert problems(dataclasses.replace(trace, rounds=(step, *others)))
