"""Heads on the target's hidden states: the law is exact, and every state stands where the head takes it to be."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from specviz import accept, gamma
from specviz.check.run import problems
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.guess import Unchecked
from specviz.trace.info import Reads
from specviz.trace.round import Round
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


CUTS: Mapping[str, dict[str, float]] = {
    "confidence": {"most": 2, "threshold": 0.5},
    "entropy-stop": {"most": 2, "scale": 1, "bound": 0.5},
    "acceptance-product": {"most": 2, "threshold": 0.2},
}


def cut_parts(name: str, target: Opened, params: Mapping[str, Any], by: str, **choices: Any) -> Parts:
    sampling = choices.setdefault("sampling", WARM)
    return parts(target, drafter(name, target, sampling, params), controller=gamma.load(by, 1, CUTS[by]), **choices)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("by", CUTS)
@pytest.mark.parametrize("name", ["dflash", "medusa"])
@pytest.mark.parametrize(("rule", "params", "size"), CASES, ids=str)
def test_a_draft_of_one_pass_that_is_cut_keeps_the_law(
    name: str, by: str, rule: str, params: Mapping[str, Any], size: int
) -> None:
    """Every outcome, those of the guesses too that were made and not checked."""
    target, cuts = Opened(size, 1), set[bool]()

    def made(chance: Chance) -> Parts:
        return cut_parts(name, target, {**params, "nodes": 3}, by, rule=accept.load(rule), chance=chance)

    def watch(done: Sequence[Round]) -> None:
        cuts.update(bool(step.unchecked) for step in done)

    assert unlawful(rule, made, PROMPT, 2, watch, str) == []
    assert True in cuts, "a draft was cut"


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("params", [CHAIN, TREE], ids=["chain", "tree"])
@pytest.mark.parametrize("by", CUTS)
def test_what_was_cut_follows_on_what_was_checked_and_changes_no_text(
    name: str, params: Mapping[str, Any], by: str
) -> None:
    """A run that is timed draws none of it. A head that reads its guesses stops guessing: it makes no more of them."""
    target, cut = Opened(6, 1), 0
    for sampling in (WARM, Sampling(0)):
        shown = cut_parts(name, target, params, by, sampling=sampling, limit=40, chance=Seeded(2))
        timed = cut_parts(name, target, params, by, sampling=sampling, limit=40, chance=Seeded(2))
        steps = decode(shown, PROMPT)
        assert tokens_of(steps) == tokens_of(decode(dataclasses.replace(timed, piece=None), PROMPT))
        if not sampling.temperature:
            assert [*PROMPT, *tokens_of(steps)] == plain(target, PROMPT, sampling, 40)
        for step in steps:
            depths = [*(each.depth for each in step.verdicts), *(each.depth for each in step.unchecked)]
            assert all(each.depth >= step.offered for each in step.unchecked)
            assert all(each.depth == (depths[each.parent] if each.parent >= 0 else -1) + 1 for each in step.unchecked)
            assert not step.unchecked or step.halt
            cut += len(step.unchecked)
    assert (cut > 0) == (name in ("dflash", "medusa"))


def test_a_trace_that_contradicts_itself_about_a_cut_has_problems() -> None:
    target, params = Opened(6, 1), {"most": 4, "threshold": 0.5}
    made, controller = drafter("dflash", target, WARM, CHAIN), gamma.load("confidence", 1, params)
    trace = traced(target, PROMPT, drafter=made, controller=controller, sampling=WARM, chance=Seeded(3))
    config = dataclasses.replace(trace.info.config, gamma_rule="confidence", gamma_params=params)
    trace = dataclasses.replace(trace, info=dataclasses.replace(trace.info, config=config))
    assert problems(trace) == []
    place, step = next((index, step) for index, step in enumerate(trace.rounds) if len(step.unchecked) > 1)
    first, *others = step.unchecked

    def found(*unchecked: Unchecked, **changes: Any) -> list[str]:
        rounds = [*trace.rounds]
        rounds[place] = dataclasses.replace(step, unchecked=unchecked, **changes)
        return problems(dataclasses.replace(trace, rounds=tuple(rounds)))

    assert found() == [], "older files have none"
    assert any("nothing cut" in line for line in found(first, *others, halt=None))
    for wrong, says in (
        ({"parent": len(step.verdicts) + 9}, "deep"),
        ({"depth": first.depth + 1}, "deep"),
        ({"q": 0.0}, "q 0"),
        ({"token": -1}, "token -1"),
    ):
        assert any("unchecked guess 0" in line and says in line for line in found(dataclasses.replace(first, **wrong)))
    assert any("beside" in line for line in found(first, first))
    top = dataclasses.replace(first, parent=-1, depth=0)
    assert any("were checked" in line for line in found(top)), "it is as deep as what was checked"
    assert trace.info.heads
    told = dataclasses.replace(trace.info, heads=dataclasses.replace(trace.info.heads, reads=Reads.TOLD))
    assert any("draft of one pass" in line for line in problems(dataclasses.replace(trace, info=told)))


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
