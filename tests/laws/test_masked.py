"""Grammars, penalties, bans and filters inside a run: the text has the target's law under them, whoever guesses."""

import dataclasses
import itertools
import math
import re
import time
from collections.abc import Callable
from functools import cache

import pytest
import torch
from transformers.generation import logits_process as process

from specviz import accept, loop
from specviz.config.settings import resolve_params
from specviz.draft import entry
from specviz.draft.base import Drafter, Resources
from specviz.draft.grammar import Forced
from specviz.draft.handing import Handing
from specviz.draft.prompt_lookup import PromptLookup
from specviz.draft.small_model import SmallModel
from specviz.draft.suffix import Suffix
from specviz.loop import Parts
from specviz.models.grammar import Grammar
from specviz.sampling import distribution as engine
from specviz.sampling.chance import At, Chance, Noise, Purpose
from specviz.sampling.distribution import Sampling
from specviz.sampling.processors import Processors
from specviz.trace.guess import Verdict
from tests import reference
from tests.battery.common import differences
from tests.laws.test_tree_drafters import Make, recycled, shaped
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import Once, written
from tests.unit.test_tokenizer import letters

PROMPT = (0, 0)
RULES = "(a[bc]|ba|c)(ab)?"
"""Of a, b, c: several may follow, or one alone; it may end after one token, and must after four."""
Text = tuple[int, ...]


@cache
def grammar(rules: str, size: int) -> Grammar:
    return Grammar(rules, letters(*"abc"[: size - 1]), size, frozenset([size - 1]))


def masked(rules: str, size: int) -> Sampling:
    return Sampling(0.7, processors=Processors(mask=grammar(rules, size), ends=(size - 1,), prompt=len(PROMPT)))


@cache
def matches(rules: str) -> frozenset[str]:
    texts = ("".join(each) for length in range(6) for each in itertools.product("abc", repeat=length))
    return frozenset(text for text in texts if re.fullmatch(rules, text))


def texts(model: TableModel, rules: str, length: int) -> dict[Text, float]:
    """The law of the model's own first `length` tokens, fewer where the text ends, by hand."""
    end = model.vocab_size - 1
    found: dict[Text, float] = {(): 1.0}
    for _ in range(length):
        step: dict[Text, float] = {}
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


def forced(size: int, sampling: Sampling) -> Drafter:
    return handing(small(size, sampling), sampling)


def handing(inner: Drafter, sampling: Sampling) -> Handing:
    assert sampling.processors
    return Handing(Forced(sampling.processors), inner, time.perf_counter)


def unmasked(size: int, sampling: Sampling) -> Drafter:
    return small(size, Sampling(0.7))


def otherwise(size: int, sampling: Sampling) -> Drafter:
    return small(size, masked("(ab|b|ca)a*", size))


def copied(size: int, sampling: Sampling) -> Drafter:
    return Suffix(resolve_params(entry("suffix"), {}), Resources(sampling, size, 64))


CASES: dict[str, Make] = {
    "a chain": small,
    "what is forced, then a chain": forced,
    "a drawn tree": shaped("2,1"),
    "a tree of the likeliest": shaped("2,1", "top"),
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


def found(
    rule: str, length: int, target: TableModel, make: Make, sampling: Sampling, prompt: Text = PROMPT
) -> dict[Text, float]:
    """The exact law of a run's first tokens, as many or up to its end: the last token where a mask may ask for one."""
    ends = frozenset([target.vocab_size - 1]) if prompt == PROMPT else frozenset[int]()

    def made(chance: Chance) -> Parts:
        drafter, judge = make(target.vocab_size, sampling), accept.load(rule)
        return parts(target, drafter, controller=Once(2), rule=judge, sampling=sampling, chance=chance, ends=ends)

    return written(rule, made, prompt, length)


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


TEXT, SIZE = (0, 1, 1), 3
TARGET = TableModel(SIZE, 1, spread=0.8)


PENALTIES: dict[str, tuple[Sampling, Callable[[], list]]] = {  # type: ignore[type-arg]
    "repetition": (
        Sampling(0.7, processors=Processors(repetition=1.8)),
        lambda: [process.RepetitionPenaltyLogitsProcessor(1.8), process.TemperatureLogitsWarper(0.7)],
    ),
    "no two tokens twice": (
        Sampling(processors=Processors(no_repeat=2)),
        lambda: [process.NoRepeatNGramLogitsProcessor(2)],
    ),
    "bad words": (
        Sampling(processors=Processors(banned=((0, 1), (1, 2, 2)))),
        lambda: [process.NoBadWordsLogitsProcessor([[0, 1], [1, 2, 2]])],
    ),
    "least written": (
        Sampling(processors=Processors(min_new=2, ends=(1,), prompt=len(TEXT))),
        lambda: [process.MinNewTokensLengthLogitsProcessor(len(TEXT), 2, [1])],
    ),
    "suppressed first": (
        Sampling(processors=Processors(suppressed_first=(0,), prompt=len(TEXT))),
        lambda: [process.SuppressTokensAtBeginLogitsProcessor([0], len(TEXT))],
    ),
    "all, and filters": (
        Sampling(0.8, 0, 0.95, 0.2, 0.9, Processors(repetition=1.4, banned=((0, 2),))),
        lambda: [
            process.RepetitionPenaltyLogitsProcessor(1.4),
            process.NoBadWordsLogitsProcessor([[0, 2]]),
            process.TemperatureLogitsWarper(0.8),
            process.TopPLogitsWarper(0.95),
            process.MinPLogitsWarper(0.2),
            process.TypicalLogitsWarper(0.9),
        ],
    ),
}


def by_theirs(made: Callable[[], list], length: int) -> dict[Text, float]:  # type: ignore[type-arg]
    """The law of the target's own next tokens, through transformers' processors."""
    processed: dict[Text, float] = {(): 1.0}
    for _ in range(length):
        longer: dict[Text, float] = {}
        for text, weight in processed.items():
            ids = [*TEXT, *text]
            scores = torch.from_numpy(TARGET.law(ids))[None]
            for processor in made():
                scores = processor(torch.tensor([ids]), scores)
            shares = scores[0].softmax(-1).tolist()
            longer |= {(*text, token): weight * share for token, share in enumerate(shares) if share}
        processed = longer
    return processed


chain_or_tree = pytest.mark.parametrize("drafter", [small, shaped("2,1")], ids=["chain", "tree"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize("case", PENALTIES)
@chain_or_tree
def test_the_law_is_that_of_transformers_processors(case: str, rule: str, drafter: Make) -> None:
    sampling, made = PENALTIES[case]
    assert list(differences(found(rule, 3, TARGET, drafter, sampling, TEXT), by_theirs(made, 3))) == []


@pytest.mark.parametrize("case", PENALTIES)
@chain_or_tree
def test_under_shared_noise_the_text_is_plain_decodings(case: str, drafter: Make) -> None:
    sampling, _ = PENALTIES[case]
    for seed in range(6):
        noise, text = Noise(seed), list(TEXT)
        own = drafter(SIZE, sampling)
        made = parts(TARGET, own, rule=accept.load("coupled"), sampling=sampling, chance=Noise(seed))
        written = tokens_of(decode(made, TEXT, lambda done: len(tokens_of(done)) >= 3))
        for token in written:
            probs = engine.row(TARGET.law(text), sampling, text)
            assert token == noise.pick(probs, At(len(text), Purpose.BONUS)).token
            text.append(token)


def test_copied_guesses_count_too() -> None:
    sampling, made = PENALTIES["repetition"]
    copies = lambda size, warm: PromptLookup(1, 2, Resources(warm, size, 64))  # noqa: E731
    assert list(differences(found("rejection", 3, TARGET, copies, sampling, TEXT), by_theirs(made, 3))) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@chain_or_tree
def test_a_penalty_on_p_alone_costs_guesses_and_not_the_law(rule: str, drafter: Make) -> None:
    """q may be anything, as long as it is what the guess was drawn from."""
    sampling, made = PENALTIES["repetition"]
    bare = lambda size, _: drafter(size, Sampling(0.7))  # noqa: E731
    assert list(differences(found(rule, 3, TARGET, bare, sampling, TEXT), by_theirs(made, 3))) == []


@pytest.mark.parametrize("case", ["repetition", "no two tokens twice", "bad words", "all, and filters"])
def test_a_penalty_that_counts_committed_tokens_alone_is_found(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sampling, made = PENALTIES[case]
    monkeypatch.setattr(loop, "rows", lambda logits, how, text, drawn: engine.rows(logits, how, text))
    assert list(differences(found("rejection", 2, TARGET, small, sampling, TEXT), by_theirs(made, 2)))
