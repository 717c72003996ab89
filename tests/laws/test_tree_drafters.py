"""Trees of drafters, and guesses of the target itself: the exact law under every rule, and caches of the text alone."""

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

from specviz import accept, gamma, loop
from specviz.check.run import problems
from specviz.config.entry import LawKind
from specviz.config.settings import ConfigError, RunConfig, Shape, check_together, resolve_params
from specviz.draft import entry, load, shapes
from specviz.draft.base import Drafter, Resources
from specviz.draft.ensemble import Ensemble
from specviz.draft.jacobi import Jacobi
from specviz.draft.lookahead import Lookahead
from specviz.draft.recycling import Recycling
from specviz.draft.small_model import SmallModel
from specviz.draft.small_tree import SmallTree
from specviz.gamma import Fixed, NoLength
from specviz.gamma.base import GammaRule
from specviz.loop import Parts
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests.battery.common import Placed
from tests.reference import plain
from tests.tiny import TableModel, decode, parts, tokens_of, traced
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


TEXT = (0, 1, 0)
Made = tuple[Drafter, GammaRule]


def lookahead(size: int, sampling: Sampling, capacity: int = 64, **params: float | str) -> Made:
    made = Lookahead(resolve_params(entry("lookahead"), params), Resources(sampling, size, capacity))
    return made, NoLength(made.nodes)


def jacobi(size: int, sampling: Sampling, window: int = 2) -> Made:
    return Jacobi(Resources(sampling, size, 64)), Fixed(window)


@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize(
    ("size", "length", "params"),
    [
        (2, 5, {"window": 2, "levels": 2, "candidates": 2, "pool": "empty"}),
        (2, 5, {"window": 2, "levels": 3, "candidates": 2, "pool": "empty"}),
        (3, 3, {"window": 1, "levels": 2, "candidates": 3, "pool": "prompt"}),
    ],
)
def test_law_of_what_lookahead_writes(rule: str, size: int, length: int, params: Mapping[str, float | str]) -> None:
    target, seen = TableModel(size, 1, spread=0.8), Counter[str]()

    def made(chance: Chance) -> Parts:
        drafter, controller = lookahead(size, WARM, **params)
        return parts(target, drafter, controller=controller, rule=accept.load(rule), sampling=WARM, chance=chance)

    def watch(done: Sequence[Round]) -> None:
        seen.update(each.verdict for step in done for each in step.verdicts)

    assert unlawful(rule, made, TEXT, length, watch) == []
    assert min(seen["accepted"], seen["rejected"]) > 0, "groups were put to the test"


MAKERS: dict[str, Callable[[], Made]] = {
    "lookahead": lambda: lookahead(2, WARM, levels=2),
    "jacobi": lambda: jacobi(2, WARM),
}


@pytest.mark.parametrize("name", MAKERS)
def test_law_of_the_targets_guesses_under_shared_noise(name: str) -> None:
    target = TableModel(2, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, controller = MAKERS[name]()
        return parts(target, drafter, controller=controller, rule=accept.load("coupled"), sampling=WARM, chance=chance)

    assert unlawful("coupled", made, TEXT, 4) == []


@pytest.mark.parametrize("sampling", [Sampling(0), WARM], ids=["greedy", "coupled"])
def test_the_text_is_plain_decodings(sampling: Sampling) -> None:
    kept, rule = Counter[str](), accept.load("coupled")
    for seed in range(4):
        target = Placed(6, seed)
        makers = {
            "jacobi": jacobi(6, sampling, 5),
            "lookahead": lookahead(6, sampling, 50),
            "wide": lookahead(6, sampling, 50, window=7, levels=3, candidates=2),
            "pairs": lookahead(6, sampling, 50, window=1, levels=2, candidates=1),
        }
        for name, (drafter, controller) in makers.items():
            chance = rule.chance(seed)
            made = parts(target, drafter, controller=controller, rule=rule, sampling=sampling, chance=chance, limit=50)
            done = decode(made, TEXT)
            assert [*TEXT, *tokens_of(done)] == plain(target, TEXT, sampling, 50, seed)
            kept[name] += sum(len(step.path) for step in done)
    assert min(kept[name] for name in makers) > 0


@pytest.mark.parametrize("rule", [each.name for each in accept.ENTRIES])
def test_its_traces_are_sound_and_scouts_leave_nothing(rule: str) -> None:
    chosen, end = accept.load(rule), len(TEXT) + 40
    for sampling in (WARM, Sampling(0.0)):
        drafter, controller = lookahead(6, sampling, end)
        trace = traced(Placed(6, 1), TEXT, 40, drafter=drafter, controller=controller, rule=chosen, sampling=sampling,
                       chance=chosen.chance(3), law=LawKind.POINT, shape=Shape.TREE)  # fmt: skip
        trace = dataclasses.replace(trace, info=dataclasses.replace(trace.info, controller=controller.name))
        assert problems(trace) == []
        assert [len(step.scouts) for step in trace.rounds[:4]] == [6, 11, 14, 14], "two passes fill levels"
        for step in trace.rounds:
            assert all(step.position + scout.depth < end for scout in step.scouts), "no place behind the text's end"
            assert step.target_cache.kept == step.position + len(step.path)


def test_jacobi_is_refused_where_its_guesses_never_come_to_rest() -> None:
    for rule in accept.ENTRIES:
        check_together(entry("lookahead"), rule, RunConfig("Q"))
        if not rule.plain_text and not rule.cold:
            with pytest.raises(ConfigError, match=r"wanted a rule whose text at temperature 0 is plain"):
                check_together(entry("jacobi"), rule, RunConfig("Q", temperature=0))
            continue
        check_together(entry("jacobi"), rule, RunConfig("Q", temperature=0))
        if not rule.plain_text:
            with pytest.raises(ConfigError, match=r"temperature is 0.8; wanted 0, or shared noise .* of jacobi never"):
                check_together(entry("jacobi"), rule, RunConfig("Q"))
    check_together(entry("jacobi"), accept.entry("coupled"), RunConfig("Q"))


def test_what_needs_a_grammar_is_refused_without_one() -> None:
    rule = accept.entry("rejection")
    with pytest.raises(ConfigError, match="the drafter grammar needs a grammar; set one"):
        check_together(entry("grammar"), rule, RunConfig("Q"))
    check_together(entry("grammar"), rule, RunConfig("Q", grammar="a"))
