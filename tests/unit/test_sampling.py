"""Logits to probabilities, as transformers does it; and what a rejection leaves."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from specviz.sampling.arrays import Floats, Reals
from specviz.sampling.distribution import Sampling, residual, row, rows, to_probs

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


def theirs(logits: Floats, sampling: Sampling) -> Floats:
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
    assert np.allclose(both(logits, sampling), theirs(logits, sampling), rtol=1e-9, atol=1e-12)


def test_top_k_keeps_every_token_tied_with_the_last_one_kept() -> None:
    assert np.count_nonzero(both([1.0, 2.0, 1.0, 0.0], Sampling(top_k=2))) == 3


def test_top_p_breaks_ties_by_id() -> None:
    assert both(np.zeros(4), Sampling(top_p=0.5)).tolist() == [0.5, 0.5, 0, 0]


def test_top_p_keeps_one_token_at_least() -> None:
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
