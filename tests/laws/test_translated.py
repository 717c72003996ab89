"""A draft with a tokenizer of its own: the exact law of what comes out, and what it reads of a text."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.settings import ConfigError
from specviz.draft.base import Resources
from specviz.draft.translated import TranslatedChain
from specviz.loop import Parts
from specviz.models.translation import Translation
from specviz.sampling.chance import Chance, Noise
from specviz.sampling.distribution import Sampling
from specviz.sampling.processors import Processors
from specviz.sampling.tree import DraftTree
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching
from tests.tiny import TableModel, decode, parts, tokens_of, traced
from tests.trees import Once, written

WARM = Sampling(0.7)


class Words:
    """A tokenizer that takes the longest of its words first."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def vocabulary(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def piece(self, token: int) -> str:
        return self.words[token]

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(self.words[token] for token in tokens)

    def encode(self, text: str) -> list[int]:
        found = []
        while text:
            word = max((word for word in self.words if text.startswith(word)), key=len)
            found.append(self.words.index(word))
            text = text[len(word) :]
        return found

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return self.encode(text)


TARGET, DRAFT = Words("a", "b", "ab"), Words("ba", "b", "a", "aa")


def translation() -> Translation:
    ours: Any = TARGET
    theirs: Any = DRAFT
    return Translation((ours, 3), (theirs, 4))


def drafter(sampling: Sampling, capacity: int = 64) -> TranslatedChain:
    draft = TableModel(4, 2, spread=0.8)
    return TranslatedChain("small-model", draft, translation(), Resources(sampling, 3, capacity, draft))


def test_the_map_holds_the_tokens_that_read_the_same() -> None:
    made = translation()
    assert (made.shared, made.covered.tolist()) == (2, [True, True, False])
    assert [made.guess(token) for token in (0, 1)] == [2, 1]
    assert made.of(np.array([1.0, 2.0, 3.0, 4.0])).tolist() == [3.0, 2.0, -np.inf]
    assert made.read([0, 2, 1]) == DRAFT.encode("aabb")
    none: Any = Words("x")
    theirs: Any = DRAFT
    with pytest.raises(ConfigError, match="no text in common"):
        Translation((none, 1), (theirs, 4))


@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize(
    "sampling", [WARM, Sampling(0.8, processors=Processors(repetition=1.5))], ids=["bare", "penalty"]
)
def test_the_law_is_the_targets(rule: str, sampling: Sampling) -> None:
    target = TableModel(3, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        judge = accept.load(rule)
        return parts(target, drafter(sampling), controller=Once(3), rule=judge, sampling=sampling, chance=chance)

    wanted = reference.texts(target, (0, 1), sampling, 3)
    if sampling.processors:
        alone = parts(target, drafter(sampling), gamma=0, sampling=sampling)
        wanted = written(Branching, lambda chance: dataclasses.replace(alone, chance=chance), (0, 1), 3)
    assert list(differences(written(Branching, made, (0, 1), 3), wanted)) == []


def test_its_q_is_what_it_draws_from_and_its_cache_holds_its_own_tokens() -> None:
    target = TableModel(3, 1, spread=0.8)
    made = drafter(WARM)
    trace = traced(target, max_new_tokens=48, drafter=made, sampling=WARM)
    assert problems(trace) == []
    text = list(trace.prompt)
    for step in trace.rounds[:8]:
        tree = DraftTree(tuple(each.token for each in step.verdicts), tuple(each.parent for each in step.verdicts))
        for verdict, q in zip(step.verdicts, drafter(WARM).q_of(text, tree), strict=True):
            assert q is not None
            assert q.of(verdict.token) == pytest.approx(verdict.q)
        text += step.tokens
    assert all(each.token in (0, 1) for step in trace.rounds for each in step.verdicts), "it guesses what both have"
    assert any(2 in step.tokens for step in trace.rounds), "the target writes what the draft lacks too"


def test_under_shared_noise_the_text_is_plain_decodings() -> None:
    target = TableModel(3, 1, spread=0.8)
    for seed in range(4):
        texts = [
            tokens_of(decode(parts(target, drafter(WARM), gamma=gamma, rule=accept.load("coupled"), sampling=WARM,
                                   chance=Noise(seed), limit=40), (0, 1)))
            for gamma in (0, 4)
        ]  # fmt: skip
        assert texts[0] == texts[1]
