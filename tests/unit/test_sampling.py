"""Logits to probabilities as transformers does it, what a rejection leaves; penalties, bans and filters to 1e-12."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper
from transformers.generation import logits_process as process

from specviz.sampling.arrays import Floats, Reals
from specviz.sampling.distribution import Sampling, UnsoundLogitsError, residual, row, rows, to_probs
from specviz.sampling.processors import Processors
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Processor

seeds = st.integers(0, 2**32 - 1)
warmths = st.floats(0.05, 2.0)


def noise(seed: int, *shape: int, spread: float = 2.0) -> Floats:
    """Random logits; two equal ones do not happen."""
    return spread * np.random.default_rng(seed).standard_normal(shape)


def both(logits: Reals | list[Any], sampling: Sampling) -> Floats:
    """`to_probs`, of which `rows` says the same, or refuses alike."""
    logits = np.array(logits)
    flat = logits.reshape(-1, logits.shape[-1])
    try:
        probs = to_probs(logits, sampling)
    except ValueError:
        with pytest.raises(ValueError, match="NaN or infinite"):
            list(rows(flat, sampling))
        raise
    before = logits.copy()
    assert np.array_equal(list(rows(flat, sampling)), probs.reshape(flat.shape))
    assert np.array_equal(row(flat[0], sampling), probs.reshape(flat.shape)[0])
    assert np.array_equal(logits, before), "a model's own numbers stay as they are"
    return probs


def laws(seed: int, rows: int, size: int) -> Floats:
    return both(noise(seed, rows, size), Sampling())


def by_warpers(logits: Floats, sampling: Sampling) -> Floats:
    warpers = LogitsProcessorList([TemperatureLogitsWarper(sampling.temperature)])
    if sampling.top_k:
        warpers.append(TopKLogitsWarper(sampling.top_k))
    if sampling.top_p < 1:
        warpers.append(TopPLogitsWarper(sampling.top_p))
    none: Any = torch.empty(len(logits), 0, dtype=torch.long)
    found: Floats = warpers(none, torch.from_numpy(logits)).softmax(-1).numpy()
    return found


@given(seeds, st.integers(2, 70), warmths, st.integers(0, 80), st.floats(0.01, 1.0))
def test_probabilities_are_those_of_transformers_own_warpers(
    seed: int, size: int, warmth: float, top_k: int, top_p: float
) -> None:
    sampling = Sampling(warmth, top_k, top_p)
    logits = noise(seed, 3, size)
    assert np.allclose(both(logits, sampling), by_warpers(logits, sampling), rtol=1e-9, atol=1e-12)


def test_top_k_keeps_every_token_tied_with_the_last_top_p_the_first_ids_and_one_at_least() -> None:
    assert np.count_nonzero(both([1.0, 2.0, 1.0, 0.0], Sampling(top_k=2))) == 3
    assert both(np.zeros(4), Sampling(top_p=0.5)).tolist() == [0.5, 0.5, 0, 0]
    assert both([0.0, 3.0, 1.0], Sampling(top_p=1e-9)).tolist() == [0, 1, 0]


@pytest.mark.parametrize("sampling", [Sampling(0.0), Sampling(0.0, top_k=2, top_p=0.3)])
def test_temperature_0_is_the_largest_logit_lowest_id_on_ties(sampling: Sampling) -> None:
    assert both([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]], sampling).tolist() == [[0, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize("temperature", [0.0, 0.05, 1.0])
def test_a_logit_of_minus_infinity_is_a_probability_of_0(temperature: float) -> None:
    probs = both([-math.inf, 1.0, 0.0], Sampling(temperature, top_k=2, top_p=0.9))
    assert probs[0] == 0
    assert probs.sum() == pytest.approx(1)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_that_returns_no_numbers_is_refused(bad: float, temperature: float) -> None:
    with pytest.raises(ValueError, match="NaN or infinite"):
        both([[0.0, 1.0], [bad, 1.0]], Sampling(temperature))
    with pytest.raises(ValueError, match="NaN or infinite"):
        both([-math.inf] * 2, Sampling(temperature))


def test_huge_logits_at_the_smallest_temperature_stay_finite() -> None:
    assert both(np.array([3e38, -3e38, 0.0], np.float32), Sampling(0.05)).tolist() == [1, 0, 0]


@given(seeds, st.integers(2, 40))
def test_the_residual_is_what_q_missed_of_p(seed: int, size: int) -> None:
    p, q = laws(seed, 2, size)
    left, empty = residual(p, q)
    wanted = [max(0.0, float(p[token] - q[token])) for token in range(size)]
    assert not empty
    assert np.allclose(left * sum(wanted), wanted, atol=1e-12)
    assert left.sum() == pytest.approx(1)


@given(seeds, st.integers(1, 40), st.sampled_from([0.0, 1e-17, 1e-15, 1e-13]))
def test_a_residual_is_a_law_however_close_p_and_q_are(seed: int, size: int, apart: float) -> None:
    p = laws(seed, 1, size)[0]
    left, empty = residual(p, both(np.log(p) + apart * noise(seed + 1, size), Sampling()))
    assert np.isfinite(left).all()
    assert left.sum() == pytest.approx(1)
    if apart == 0:
        assert empty
    if empty:
        assert np.array_equal(left, p)


SIZE, PROMPT = 40, 5
ENDS = (3, 7)
TEXTS = [[1, 2, 3, 4, 5], [1, 2, 1, 2, 1, 2, 1, 9, 9, 30, 12, 1, 2], [5, *range(25), 5, 6], [8, 8, 8, 8, 8, 8, 8]]
BAN = ((11,), (1, 2), (8, 8, 8), (12, 1, 2))
BIAS = (((4,), 1.5), ((1, 2), -2.0), ((9, 30, 12), 0.25))


def alone(**settings: Any) -> Sampling:
    return Sampling(processors=Processors(**settings))


ALONE: dict[str, tuple[Sampling, Any]] = {
    "repetition": (alone(repetition=1.3), process.RepetitionPenaltyLogitsProcessor(1.3)),
    "repetition below 1": (alone(repetition=0.7), process.RepetitionPenaltyLogitsProcessor(0.7)),
    **{
        f"no {size} tokens twice": (alone(no_repeat=size), process.NoRepeatNGramLogitsProcessor(size))
        for size in (1, 2, 3, 6)
    },
    "biases": (alone(biases=BIAS), process.SequenceBiasLogitsProcessor([[[*words], by] for words, by in BIAS])),
    "bad words": (alone(banned=BAN), process.NoBadWordsLogitsProcessor([[*words] for words in BAN])),
    "least length": (alone(min_length=9, ends=ENDS), process.MinLengthLogitsProcessor(9, [*ENDS])),
    "least written": (
        alone(min_new=3, ends=ENDS, prompt=PROMPT),
        process.MinNewTokensLengthLogitsProcessor(PROMPT, 3, [*ENDS]),
    ),
    "suppressed": (alone(suppressed=(1, 2, 39)), process.SuppressTokensLogitsProcessor([1, 2, 39])),
    "suppressed first": (
        alone(suppressed_first=(1, 2), prompt=PROMPT),
        process.SuppressTokensAtBeginLogitsProcessor([1, 2], PROMPT),
    ),
    "temperature": (Sampling(0.6), process.TemperatureLogitsWarper(0.6)),
    "top-k": (Sampling(top_k=7), process.TopKLogitsWarper(7)),
    "top-p": (Sampling(top_p=0.7), process.TopPLogitsWarper(0.7)),
    **{f"min-p {share}": (Sampling(min_p=share), process.MinPLogitsWarper(share)) for share in (0.05, 0.4, 1.0)},
    **{f"typical-p {mass}": (Sampling(typical_p=mass), process.TypicalLogitsWarper(mass)) for mass in (0.2, 0.6, 0.95)},
}
TOGETHER = ("repetition", "no 3 tokens twice", "bad words", "least written", "suppressed", "temperature", "top-k")
FILTERS = ("top-p", "min-p 0.05", "typical-p 0.95")


def theirs(names: Sequence[str], logits: np.ndarray, text: Sequence[int]) -> np.ndarray:  # type: ignore[type-arg]
    scores = torch.from_numpy(logits)[None]
    for name in names:
        scores = ALONE[name][1](torch.tensor([text]), scores)
    return scores[0].softmax(-1).numpy()


@pytest.mark.parametrize("name", ALONE)
def test_each_is_transformers_own(name: str) -> None:
    sampling, changed = ALONE[name][0], False
    for seed, text in enumerate(TEXTS * 5):
        logits = 3 * np.random.default_rng(seed).standard_normal(SIZE)
        found = row(logits, sampling, text[:PROMPT], text[PROMPT:])
        np.testing.assert_allclose(found, theirs([name], logits, text), rtol=0, atol=1e-12)
        changed |= not np.allclose(found, row(logits, Sampling()))
    assert changed


def test_all_together_stand_in_transformers_order() -> None:
    processors = Processors(
        repetition=1.3, no_repeat=3, banned=BAN, min_new=3, suppressed=(1, 2, 39), ends=ENDS, prompt=PROMPT
    )
    sampling = Sampling(0.6, 7, 0.7, 0.05, 0.95, processors)
    for seed, text in enumerate(TEXTS * 10):
        logits = 3 * np.random.default_rng(seed).standard_normal(SIZE)
        wanted = theirs(TOGETHER + FILTERS, logits, text)
        np.testing.assert_allclose(row(logits, sampling, text), wanted, rtol=0, atol=1e-12)


def test_frequency_and_presence_count_what_was_written() -> None:
    """As OpenAI's and vLLM's: c * frequency + (c > 0) * presence, c how often the token was written."""
    logits = np.zeros(6)
    processors = Processors(frequency=0.5, presence=0.25, prompt=2)
    scores = processors.processed(logits, [4, 4, 1, 2, 1, 1])
    assert scores.tolist() == [0, -1.75, -0.75, 0, 0, 0]


def test_a_row_behind_guesses_counts_them() -> None:
    """The third row of a pass depends on the first two guesses; each branch of a tree has its own."""
    logits = np.random.default_rng(0).standard_normal((4, SIZE))
    sampling, text = Sampling(processors=Processors(repetition=2.0)), [1, 2]
    tree = DraftTree((5, 6, 7), (-1, 0, 0))
    found = rows(logits, sampling, text, tree)
    for place, behind in enumerate(([], [5], [5, 6], [5, 7])):
        np.testing.assert_array_equal(found[place], row(logits[place], sampling, [*text, *behind]))
    assert not np.array_equal(found[2], row(logits[2], sampling, [*text, 5]))


def test_settings_that_leave_no_token_are_said() -> None:
    nothing = Sampling(processors=Processors(suppressed=tuple(range(SIZE))))
    with pytest.raises(UnsoundLogitsError, match="leave no token to write"):
        row(np.zeros(SIZE), nothing, [1])


class Odd:
    """A grammar's stand-in: none of the odd tokens may follow an odd number of them."""

    def allowed(self, written: Sequence[int]) -> np.ndarray:  # type: ignore[type-arg]
        odd: np.ndarray = np.arange(SIZE) % 2 == 1  # type: ignore[type-arg]
        return ~odd if len(written) % 2 else odd | True


NAMED: dict[Processor, Processors] = {
    Processor.BIAS: Processors(biases=(*BIAS, ((30, 12), 1.0))),
    Processor.REPETITION: Processors(repetition=1.3, prompt=PROMPT),
    Processor.FREQUENCY: Processors(frequency=0.5, prompt=PROMPT),
    Processor.PRESENCE: Processors(presence=-0.25, prompt=PROMPT),
    Processor.BANNED: Processors(banned=BAN),
    Processor.NO_REPEAT: Processors(no_repeat=2),
    Processor.LENGTH: Processors(min_new=3, min_length=9, ends=ENDS, prompt=PROMPT),
    Processor.SUPPRESSED: Processors(suppressed=(1, 39), suppressed_first=(2,), prompt=PROMPT),
    Processor.MASK: Processors(mask=Odd(), prompt=PROMPT),
}


@pytest.mark.parametrize("by", NAMED)
def test_a_token_is_named_if_and_only_if_its_score_changed(by: Processor) -> None:
    processors, named = NAMED[by], 0
    for seed, text in enumerate([*TEXTS, *(text[:PROMPT] for text in TEXTS), [1, 2, 9, 30], [7]]):
        logits = np.random.default_rng(seed).standard_normal(SIZE)
        changed = np.flatnonzero(processors.processed(logits, text) != logits).tolist()
        found = processors.changes(range(SIZE), text)
        assert sorted(each.token for each in found) == changed
        assert {each.by for each in found} <= {by}
        named += len(found)
    assert named
