"""L2: the whole engine on a Llama of eight tokens and random weights, in float64, against rows computed anew.

Every text is read once more by the target, in one pass from an empty cache: those rows are what the
recorded ones are compared with, and what the counts are held against. The law of a context is
summed over the texts that end in it, which can only make a difference harder to see.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
import torch
from scipy.stats import kstest
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.check.run import problems
from specviz.models.hf import HFModel
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Seeded
from specviz.sampling.distribution import Sampling, to_probs
from specviz.trace.guess import Emission
from specviz.trace.round import Round
from specviz.trace.run import Trace
from tests.statistic import FALSE_ALARM, SEED, p_value
from tests.tiny import TableModel, traced

pytestmark = pytest.mark.sampled(2)

VOCAB = 8
GAMMA = 3
LENGTH = 250
SETTINGS = {"plain": Sampling(0.8), "top-k": Sampling(0.7, top_k=5)}
ALPHA = FALSE_ALARM / (5 * len(SETTINGS))


def llama() -> LlamaForCausalLM:
    shape = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    config = LlamaConfig(vocab_size=VOCAB, max_position_embeddings=LENGTH + 2, initializer_range=0.5, **shape)
    torch.manual_seed(7)
    return LlamaForCausalLM(config).double()


class ShortSighted(TableModel):
    """The same Llama reading no more than two tokens: right two times of three, and tabulated to be fast."""

    def __init__(self) -> None:
        super().__init__(VOCAB, seed=0)
        every = torch.cartesian_prod(torch.arange(VOCAB), torch.arange(VOCAB))
        with torch.inference_mode():
            self.rows = llama()(every).logits[:, -1].view(VOCAB, VOCAB, VOCAB).numpy()

    def law(self, text: Sequence[int]) -> Floats:
        found: Floats = self.rows[text[-2] if len(text) > 1 else 0, text[-1]]
        return found


@cache
def pair() -> tuple[HFModel, ShortSighted]:
    return HFModel(llama()), ShortSighted()


class Slot(NamedTuple):
    """A place in the text: who decided it, the two tokens before it, its own, and its rows computed anew."""

    round: Round
    index: int
    before: tuple[int, int]
    token: int
    p: Floats
    q: Floats


@dataclass(frozen=True)
class Run:
    trace: Trace
    p: Floats
    q: Floats

    def slots(self) -> Iterator[Slot]:
        """One for each token of the text; p and q start behind the first two."""
        text = (*self.trace.prompt, *self.trace.tokens)
        for step in self.trace.rounds:
            for index in range(len(step.tokens)):
                place = step.position + index
                yield Slot(step, index, text[place - 2 : place], text[place], self.p[place - 2], self.q[place - 2])

    def tested(self) -> Iterator[Slot]:
        return (slot for slot in self.slots() if slot.index < len(slot.round.verdicts))

    def drawn(self) -> Iterator[Slot]:
        """The target's own tokens."""
        return (slot for slot in self.slots() if slot.index == len(slot.round.path))


def play(sampling: Sampling, tokens: int) -> Iterator[Run]:
    target, draft = pair()
    for index in range(tokens // LENGTH):
        prompt, chance = (index % VOCAB, index // VOCAB % VOCAB), Seeded(SEED + index)
        trace = traced(target, prompt, LENGTH, draft=draft, gamma=GAMMA, sampling=sampling, chance=chance)
        text = np.array([*prompt, *trace.tokens])
        rows = target.forward(text.tolist(), range(len(text)), None, target.new_cache(len(text)))
        yield Run(trace, to_probs(rows[1:], sampling), to_probs(draft.rows[text[:-1], text[1:]], sampling))


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param((name, 5_000), id=name) for name in SETTINGS),
        *(pytest.param((name, 100_000), id=f"{name}-long", marks=pytest.mark.long) for name in SETTINGS),
    ],
)
def sample(request: pytest.FixtureRequest) -> tuple[Run, ...]:
    name, tokens = request.param
    return tuple(play(SETTINGS[name], tokens))


def passes(law: str, found: Floats, expected: Floats) -> None:
    p = p_value(found, expected)
    told = f"{law} law, {int(found.sum()):,} counted: p = {p:.3g}, SPECVIZ_SEED={SEED}"
    print(told)
    assert p > ALPHA, told


def test_a_token_has_the_targets_law_given_the_two_before_it(sample: tuple[Run, ...]) -> None:
    found, expected = np.zeros((2, VOCAB**2, VOCAB))
    for slot in (slot for run in sample for slot in run.slots()):
        context = slot.before[0] * VOCAB + slot.before[1]
        found[context, slot.token] += 1
        expected[context] += slot.p
    passes("token", found, expected)


def test_a_slot_accepts_with_min_p_q_and_corrects_with_what_is_left(sample: tuple[Run, ...]) -> None:
    found, expected = np.zeros((2, GAMMA * VOCAB, 2 * VOCAB))
    for slot in (slot for run in sample for slot in run.tested()):
        context = slot.index * VOCAB + slot.before[1]
        found[context, slot.token + VOCAB * (slot.index == len(slot.round.path))] += 1
        expected[context] += np.concatenate([np.minimum(slot.p, slot.q), np.maximum(slot.p - slot.q, 0)])
    passes("slot", found, expected)


def test_a_bonus_has_the_targets_law_given_the_token_before_it(sample: tuple[Run, ...]) -> None:
    found, expected = np.zeros((2, VOCAB, VOCAB))
    for slot in (slot for run in sample for slot in run.drawn()):
        if slot.round.extra.emission is Emission.BONUS:
            found[slot.before[1], slot.token] += 1
            expected[slot.before[1]] += slot.p
    passes("bonus", found, expected)


def test_every_recorded_probability_is_that_of_a_pass_without_a_cache(sample: tuple[Run, ...]) -> None:
    recorded, anew = [], []
    for run in sample:
        for slot in run.tested():
            verdict = slot.round.verdicts[slot.index]
            recorded += [verdict.p, verdict.q]
            anew += [float(slot.p[verdict.token]), float(slot.q[verdict.token])]
        for slot in run.drawn():
            recorded.append(slot.round.extra.p)
            anew.append(float(slot.p[slot.token]))
    assert recorded == pytest.approx(anew, rel=0, abs=1e-9)


def test_the_numbers_behind_the_decisions_are_uniform_and_never_come_twice(sample: tuple[Run, ...]) -> None:
    """Tests are looked at apart from draws: an accepted guess's u is small, but all of them together are even."""
    tests, draws = [], []
    for run in sample:
        verdicts = [verdict for step in run.trace.rounds for verdict in step.verdicts]
        tested = [verdict.u for verdict in verdicts if verdict.u is not None]
        drawn = [*(verdict.draft_u for verdict in verdicts), *(slot.round.extra.u for slot in run.drawn())]
        assert len({*tested, *drawn}) == len(tested) + len(drawn), f"SPECVIZ_SEED={SEED}"
        tests += tested
        draws += drawn
    for name, numbers in (("tests", tests), ("draws", draws)):
        assert kstest(numbers, "uniform").pvalue > ALPHA, f"{name}, SPECVIZ_SEED={SEED}"


def test_nothing_impossible_happens(sample: tuple[Run, ...]) -> None:
    for run in sample:
        assert problems(run.trace) == [], f"SPECVIZ_SEED={SEED}"
        for step in run.trace.rounds:
            assert len(step.tokens) == len(step.path) + 1
            assert (step.extra.emission is Emission.BONUS) == (len(step.path) == len(step.verdicts))
        for slot in run.tested():
            assert slot.p[slot.token] > (slot.q[slot.token] if slot.index == len(slot.round.path) else 0)
