"""Under a grammar the text has the target's law under the same mask, whoever guesses and whatever q knows of it."""

import dataclasses
import itertools
import math
import re
import time
from collections.abc import Callable
from functools import cache

import pytest

from specviz import accept
from specviz.config.settings import resolve_params
from specviz.draft import entry
from specviz.draft.base import Drafter, Resources
from specviz.draft.grammar import Forced
from specviz.draft.handing import Handing
from specviz.draft.recycling import Recycling
from specviz.draft.small_model import SmallModel
from specviz.draft.small_tree import SmallTree
from specviz.draft.suffix import Suffix
from specviz.loop import Parts
from specviz.models.grammar import Grammar
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.processors import Processors
from specviz.trace.guess import Verdict
from tests import reference
from tests.battery.common import differences
from tests.tiny import TableModel, decode, parts
from tests.trees import Once, written
from tests.unit.test_grammar import letters

PROMPT = (0, 0)
RULES = "(a[bc]|ba|c)(ab)?"
"""Of a, b, c: several may follow, or one alone; it may end after one token, and must after four."""
Make = Callable[[int, Sampling], Drafter]


@cache
def grammar(rules: str, size: int) -> Grammar:
    return Grammar(rules, letters(*"abc"[: size - 1]), size, frozenset([size - 1]))


def masked(rules: str, size: int) -> Sampling:
    return Sampling(0.7, processors=Processors(mask=grammar(rules, size), ends=(size - 1,), prompt=len(PROMPT)))


@cache
def matches(rules: str) -> frozenset[str]:
    texts = ("".join(each) for length in range(6) for each in itertools.product("abc", repeat=length))
    return frozenset(text for text in texts if re.fullmatch(rules, text))


def texts(model: TableModel, rules: str, length: int) -> dict[tuple[int, ...], float]:
    """The law of the model's own first `length` tokens, fewer where the text ends, by hand."""
    end = model.vocab_size - 1
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(length):
        step: dict[tuple[int, ...], float] = {}
        for text, weight in found.items():
            if end in text:
                step[text] = weight
                continue
            written = "".join("abc"[token] for token in text)
            wanted = [any(each.startswith(written + letter) for each in matches(rules)) for letter in "abc"[:end]]
            logits = model.law([*PROMPT, *text]).tolist()
            barred = [
                score if fits else -math.inf
                for score, fits in zip(logits, [*wanted, written in matches(rules)], strict=True)
            ]
            for token, share in enumerate(reference.softmax(barred, Sampling(0.7))):
                if share:
                    step[(*text, token)] = weight * share
        found = step
    return found


def small(size: int, sampling: Sampling) -> Drafter:
    draft = TableModel(size, 2, spread=0.8)
    return SmallModel(draft, Resources(sampling, size, 64, draft))


def tree(draw: str) -> Make:
    def made(size: int, sampling: Sampling) -> Drafter:
        draft = TableModel(size, 2, spread=0.8)
        params = {"shape": "2,1", "draw": draw}
        return SmallTree(draft, resolve_params(entry("small-tree"), params), Resources(sampling, size, 64, draft))

    return made


def forced(size: int, sampling: Sampling) -> Drafter:
    return handing(small(size, sampling), sampling)


def handing(inner: Drafter, sampling: Sampling) -> Handing:
    assert sampling.processors
    return Handing(Forced(sampling.processors), inner, time.perf_counter)


def unmasked(size: int, sampling: Sampling) -> Drafter:
    return small(size, Sampling(0.7))


def otherwise(size: int, sampling: Sampling) -> Drafter:
    return small(size, masked("(ab|b|ca)a*", size))


def recycled(size: int, sampling: Sampling) -> Drafter:
    return Recycling(4, TableModel(size, 1, spread=0.8), time.perf_counter)


def copied(size: int, sampling: Sampling) -> Drafter:
    return Suffix(resolve_params(entry("suffix"), {}), Resources(sampling, size, 64))


CASES: dict[str, Make] = {
    "a chain": small,
    "what is forced, then a chain": forced,
    "a drawn tree": tree("drawn"),
    "a tree of the likeliest": tree("top"),
    "points that ask no grammar": recycled,
    "a copy of the prompt": copied,
    "a chain whose q has no mask": unmasked,
    "a chain whose q has another mask": otherwise,
}


@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize("case", CASES)
def test_law_of_the_first_two_tokens(case: str, rule: str) -> None:
    target, sampling = TableModel(4, 1, spread=0.8), masked(RULES, 4)
    wanted = texts(target, RULES, 2)

    assert len(wanted) == 5
    assert list(differences(found(rule, 2, target, CASES[case], sampling), wanted)) == []


@pytest.mark.parametrize(
    "case", ["a chain", "what is forced, then a chain", "a drawn tree", "points that ask no grammar"]
)
def test_law_under_shared_noise(case: str) -> None:
    """Two letters, and an end that comes behind the third at the earliest: `Shared` tries two tokens."""
    rules = "(a[ab]|ba)(a|b)+"
    target, sampling = TableModel(3, 1, spread=0.8), masked(rules, 3)

    wanted = texts(target, rules, 2)
    assert len(wanted) == 3
    assert list(differences(found("coupled", 2, target, CASES[case], sampling), wanted)) == []


def found(rule: str, length: int, target: TableModel, make: Make, sampling: Sampling) -> dict[tuple[int, ...], float]:
    """The law of a run's first tokens, as many or up to its end."""

    def made(chance: Chance) -> Parts:
        drafter, ends = make(target.vocab_size, sampling), frozenset([target.vocab_size - 1])
        judge = accept.load(rule)
        return parts(target, drafter, controller=Once(2), rule=judge, sampling=sampling, chance=chance, ends=ends)

    return written(rule, made, PROMPT, length)


@pytest.mark.parametrize("rule", [each.name for each in accept.ENTRIES])
@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_what_is_forced_is_certain_under_every_rule(rule: str, temperature: float) -> None:
    sampling = dataclasses.replace(masked("ab(c|a)bca?", 4), temperature=temperature)
    target, certain = TableModel(4, 1), 0
    for seed in range(12):
        made = parts(target, forced(4, sampling), gamma=4, rule=accept.load(rule), sampling=sampling,
                     chance=accept.load(rule).chance(seed), ends=frozenset([3]))  # fmt: skip
        for step in decode(made, PROMPT):
            own = [each for each in step.verdicts if each.source.who == "grammar"]
            assert [each.node for each in own] == [*range(len(own))], "they come first"
            assert {(each.verdict, each.p, each.accept_prob) for each in own} <= {(Verdict.ACCEPTED, 1.0, 1.0)}
            certain += len(own)
    assert certain >= 12 * 2
