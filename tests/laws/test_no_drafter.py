"""Guesses of the target itself: the exact law under every rule, and plain decoding's text where nothing is drawn."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.entry import LawKind
from specviz.config.settings import ConfigError, RunConfig, Shape, check_together, resolve_params
from specviz.draft import entry
from specviz.draft.base import Drafter, Resources
from specviz.draft.jacobi import Jacobi
from specviz.draft.lookahead import Lookahead
from specviz.gamma import Fixed, NoLength
from specviz.gamma.base import GammaRule
from specviz.loop import Parts
from specviz.sampling.chance import Chance, Noise
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Round
from tests.battery.common import Placed
from tests.tiny import TableModel, decode, parts, tokens_of, traced
from tests.trees import unlawful

PROMPT = (0, 1, 0)
WARM = Sampling(0.7)
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

    assert unlawful(rule, made, PROMPT, length, watch) == []
    assert min(seen["accepted"], seen["rejected"]) > 0, "groups were put to the test"


MAKERS: dict[str, Callable[[], Made]] = {
    "lookahead": lambda: lookahead(2, WARM, levels=2),
    "jacobi": lambda: jacobi(2, WARM),
}


@pytest.mark.parametrize("name", MAKERS)
def test_law_under_shared_noise(name: str) -> None:
    target = TableModel(2, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, controller = MAKERS[name]()
        return parts(target, drafter, controller=controller, rule=accept.load("coupled"), sampling=WARM, chance=chance)

    assert unlawful("coupled", made, PROMPT, 4) == []


def plain(target: TableModel, sampling: Sampling, seed: int, limit: int) -> list[int]:
    """One token after the other, the likeliest or by each place's noise."""
    text, noise = list(PROMPT), Noise(seed)
    while len(text) < limit:
        logits = target.law(text)
        if sampling.temperature:
            logits = logits / sampling.temperature + noise.vector(len(text), len(logits))
        text.append(int(logits.argmax()))
    return text


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
            done = decode(made, PROMPT)
            assert [*PROMPT, *tokens_of(done)] == plain(target, sampling, seed, 50)
            kept[name] += sum(len(step.path) for step in done)
    assert min(kept[name] for name in makers) > 0


@pytest.mark.parametrize("rule", [each.name for each in accept.ENTRIES])
def test_its_traces_are_sound_and_scouts_leave_nothing(rule: str) -> None:
    chosen, end = accept.load(rule), len(PROMPT) + 40
    for sampling in (WARM, Sampling(0.0)):
        drafter, controller = lookahead(6, sampling, end)
        trace = traced(Placed(6, 1), PROMPT, 40, drafter=drafter, controller=controller, rule=chosen, sampling=sampling,
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
