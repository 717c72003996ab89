"""Drafters with a model that learns, for which another one drafts, or that reads other tokens: exact laws."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from specviz import accept
from specviz.check.run import problems
from specviz.config.settings import Budget, ConfigError
from specviz.draft.base import Resources
from specviz.draft.online import Online
from specviz.draft.small_model import SmallModel
from specviz.draft.staged import Staged
from specviz.draft.translated import TranslatedChain
from specviz.gamma import Fixed
from specviz.loop import Parts
from specviz.models.translation import Translation
from specviz.sampling.arrays import Bools
from specviz.sampling.chance import Chance, Noise
from specviz.sampling.distribution import Sampling
from specviz.sampling.processors import Processors
from specviz.sampling.tree import DraftTree
from specviz.trace.round import Round
from specviz.trim import KVCache
from specviz.verify import Scores
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import Branching, law
from tests.laws.test_tree_drafters import WARM
from tests.tiny import TableModel, decode, parts, tokens_of, traced
from tests.trees import Once, unlawful, written

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


def staged(size: int, sampling: Sampling, step: int) -> Staged:
    """Its cheap drafter is another model of the same vocabulary."""
    small, cheap = (TableModel(size, seed, spread=0.8) for seed in (2, 3))
    inner = SmallModel(cheap, Resources(sampling, size, 64, cheap))
    return Staged(small, inner, "cheap", step, Resources(sampling, size, 64, small))


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("sampling", [WARM, Sampling(1.2, top_k=2)], ids=str)
def test_the_draft_has_the_small_models_law(step: int, sampling: Sampling) -> None:
    drafter = staged(3, sampling, step)

    def draft(chance: Chance) -> tuple[int, ...]:
        drafter.begin(PROMPT)
        made = drafter.propose(Budget.chain(3, ""), chance)
        assert [guess.u for guess in made.guesses] == [None] * 3
        return made.tree.tokens

    small = TableModel(3, 2, spread=0.8)
    assert list(differences(law(Branching, draft), reference.texts(small, PROMPT, sampling, 3))) == []


@pytest.mark.parametrize("rule", ["rejection", "block"])
def test_behind_a_draft_in_stages_the_text_has_the_targets_law(rule: str) -> None:
    target = TableModel(2, 1, spread=0.8)

    def made(chance: Chance) -> Parts:
        drafter, judge = staged(2, WARM, 2), accept.load(rule)
        return parts(target, drafter, controller=Once(2), rule=judge, sampling=WARM, chance=chance)

    assert unlawful(rule, made, PROMPT, 3) == []


def test_under_shared_noise_it_drafts_what_the_small_model_alone_would() -> None:
    alone = TableModel(9, 2, spread=0.8)
    for seed in range(20):
        drafter, small = staged(9, WARM, 2), SmallModel(alone, Resources(WARM, 9, 64, alone))
        for each in (drafter, small):
            each.begin(PROMPT)
        proposals = [each.propose(Budget.chain(6, ""), Noise(seed)) for each in (drafter, small)]
        assert proposals[0].tree == proposals[1].tree


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
