"""Trees of drafters that draw: the exact law behind them under every rule, and caches that hold the text alone."""

import time
from collections.abc import Callable, Mapping

import pytest

from specviz import accept, gamma, loop
from specviz.config.settings import ConfigError, resolve_params
from specviz.draft import entry, load, shapes
from specviz.draft.base import Drafter, Resources
from specviz.draft.ensemble import Ensemble
from specviz.draft.recycling import Recycling
from specviz.draft.small_model import SmallModel
from specviz.draft.small_tree import SmallTree
from specviz.gamma.base import GammaRule
from specviz.loop import Parts
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from tests.tiny import TableModel, parts
from tests.trees import Grown, Once, unlawful

PROMPT = (0, 0)
WARM = Sampling(0.7)
Make = Callable[[int, Sampling], Drafter]


def small_tree(params: Mapping[str, float | str], size: int, sampling: Sampling) -> Drafter:
    draft = TableModel(size, 2, spread=0.8)
    return SmallTree(draft, resolve_params(entry("small-tree"), params), Resources(sampling, size, 64, draft))


def shaped(shape: str, draw: str = "drawn") -> Make:
    return lambda size, sampling: small_tree({"shape": shape, "draw": draw}, size, sampling)


def dynamic(size: int, sampling: Sampling) -> Drafter:
    return small_tree({"draw": "top", "nodes": 3, "width": 2}, size, sampling)


def planned(size: int, sampling: Sampling) -> Drafter:
    return small_tree({"nodes": 4, "width": 2}, size, sampling)


def ensemble(size: int, sampling: Sampling) -> Drafter:
    first, second = (TableModel(size, seed, spread=0.8) for seed in (2, 3))
    chain = Grown([second], (-1, 0, 1), "i.i.d.", sampling)
    return Ensemble([SmallModel(first, Resources(sampling, size, 64, first)), chain])


def recycled(size: int, sampling: Sampling) -> Drafter:
    return Recycling(4, TableModel(size, 1, spread=0.8), time.perf_counter)


CASES: dict[str, tuple[Make, int, int, int]] = {
    "shape 2,1": (shaped("2,1"), 3, 2, 2),
    "shape (1)(2)": (shaped("(1)(2)"), 3, 2, 3),
    "shape (2)(1,1), likeliest": (shaped("(2)(1,1)", "top"), 3, 2, 3),
    "best shape": (planned, 2, 2, 3),
    "by cumulative q": (dynamic, 3, 2, 3),
    "recycling": (recycled, 3, 2, 3),
    "ensemble": (ensemble, 2, 2, 3),
    "ensemble of single guesses": (ensemble, 3, 1, 2),
}
"""A drafter, tokens of the vocabulary, gamma, tokens whose law is asked."""


@pytest.mark.parametrize("rule", ["rejection", "traversal"])
@pytest.mark.parametrize("case", CASES)
def test_law_of_what_follows(case: str, rule: str) -> None:
    make, size, depth, length = CASES[case]
    target = TableModel(size, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, judge = make(size, WARM), accept.load(rule)
        return parts(target, drafter, controller=Once(depth), rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, PROMPT, length) == []


@pytest.mark.parametrize("case", ["shape 2,1", "by cumulative q", "recycling", "ensemble"])
def test_law_under_shared_noise(case: str) -> None:
    target = TableModel(2, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, judge = CASES[case][0](2, WARM), accept.load("coupled")
        return parts(target, drafter, controller=Once(2), rule=judge, sampling=WARM, chance=chance)

    assert unlawful("coupled", made, PROMPT, 2) == []


@pytest.mark.parametrize("rule", ["rejection", "traversal"])
@pytest.mark.parametrize("case", ["shape 2,1", "ensemble"])
def test_a_gamma_rule_that_looks_at_a_tree_biases_nothing(case: str, rule: str) -> None:
    target, lengths = TableModel(2, 1, spread=0.8), set()
    for name, params in (("confidence", {"most": 2, "threshold": 0.5}), ("entropy-stop", {"most": 2, "bound": 0.25})):
        controller = gamma.load(name, 2, {**params, **({"scale": 1} if name == "entropy-stop" else {})}, None)

        def made(chance: Chance, controller: GammaRule = controller) -> Parts:
            drafter, judge = CASES[case][0](2, WARM), accept.load(rule)
            return parts(target, drafter, controller=controller, rule=judge, sampling=WARM, chance=chance)

        watch = lambda done: lengths.update(step.offered for step in done)  # noqa: E731
        assert unlawful(rule, made, PROMPT, 2, watch) == []
    assert len(lengths) > 1, "the rule was put to work"


@pytest.mark.parametrize("draw", ["drawn", "top"])
@pytest.mark.parametrize("sampling", [Sampling(0.8), Sampling(0.0), Sampling(0.9, top_k=2)], ids=str)
def test_between_rounds_its_cache_holds_the_text_alone(draw: str, sampling: Sampling) -> None:
    """TableModel's slots are its tokens, and what it says depends on all it sees: see Placed for positions."""
    target, draft = TableModel(6, 1), TableModel(6, 2)
    params = resolve_params(entry("small-tree"), {"draw": draw, "nodes": 9, "width": 3})
    drafter = SmallTree(draft, params, Resources(sampling, 6, 62, draft))
    made = parts(target, drafter, gamma=4, sampling=sampling, limit=62)
    cache = loop.prefill(made, PROMPT)
    text, kept = list(PROMPT), 0
    for step in loop.rounds(made, PROMPT, cache):
        text += step.tokens
        (own,) = drafter.caches
        assert own.cache.slots[0, 0, 0, : own.cache.length, 0].tolist() == text[: own.cache.length]
        assert own.cache.length >= step.position + len(step.path) - 1, "nothing that was read of the path is forgotten"
        kept += len(step.path)
        assert step.calls.draft <= step.budget.depth, "one pass a level"
    assert kept > 5


def test_shapes_as_people_write_them() -> None:
    for text, nodes in (("2,1", 4), ("(2)(2,1)(2,1,1)(1)(1)(1)", 12), ("(2)(0,1)(1)", 4), ("3", 3)):
        plan = shapes.parsed(text)
        assert shapes.size(plan) == nodes
        assert shapes.parsed(shapes.written(plan)) == plan
    assert shapes.written(shapes.parsed("2,1")) == "(2)(1,1)"
    assert shapes.cut(shapes.parsed("2,1,1"), 2) == shapes.parsed("2,1")
    for wrong in ("9", "2,", "(2", "two"):
        with pytest.raises(ConfigError, match="shape is"):
            resolve_params(entry("small-tree"), {"shape": wrong})
    with pytest.raises(ConfigError, match="has 72 guesses"):
        small_tree({"shape": "8,8"}, 3, WARM)
    assert load("small-tree").entry.name == "small-tree"
