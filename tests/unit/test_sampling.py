"""Logits to probabilities, as transformers does it; and what a rejection leaves."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from specviz.sampling import Sampling, entropy, residual, row, rows, stacked, to_probs
from tests import reference

seeds = st.integers(0, 2**32 - 1)
warmths = st.floats(0.05, 2.0)


def noise(seed: int, *shape: int, spread: float = 2.0) -> Tensor:
    """Random logits; two equal ones do not happen."""
    return spread * torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def both(logits: Tensor, sampling: Sampling) -> Tensor:
    """`to_probs`, of which `rows` says the same, or refuses alike."""
    flat = logits.reshape(-1, logits.shape[-1])
    try:
        probs = to_probs(logits, sampling)
    except ValueError:
        with pytest.raises(ValueError, match="NaN or infinite"):
            list(rows(flat, sampling))
        raise
    before = logits.clone()
    one_by_one = stacked(list(rows(flat, sampling)), flat.shape[-1])
    assert torch.allclose(one_by_one, probs.reshape(flat.shape), rtol=1e-12, atol=1e-300)
    assert torch.equal(stacked([row(flat[0], sampling)], flat.shape[-1]), one_by_one[:1])
    assert torch.equal(logits, before), "a model's own numbers stay as they are"
    return probs


def laws(seed: int, rows: int, size: int) -> Tensor:
    return both(noise(seed, rows, size), Sampling())


def theirs(logits: Tensor, sampling: Sampling) -> Tensor:
    warpers = LogitsProcessorList([TemperatureLogitsWarper(sampling.temperature)])
    if sampling.top_k:
        warpers.append(TopKLogitsWarper(sampling.top_k))
    if sampling.top_p < 1:
        warpers.append(TopPLogitsWarper(sampling.top_p))
    none: Tensor = torch.empty(len(logits), 0, dtype=torch.long)
    return warpers(none, logits).softmax(-1)


@given(seeds, st.integers(2, 70), warmths, st.integers(0, 80), st.floats(0.01, 1.0))
def test_probabilities_are_those_of_transformers_own_warpers(
    seed: int, size: int, warmth: float, top_k: int, top_p: float
) -> None:
    sampling = Sampling(warmth, top_k, top_p)
    logits = noise(seed, 3, size)
    assert torch.allclose(both(logits, sampling), theirs(logits, sampling), rtol=1e-9, atol=1e-12)


@given(seeds, st.integers(2, 20), warmths, st.integers(0, 20), st.floats(0.01, 1.0))
def test_probabilities_are_those_of_the_rule_written_down_token_by_token(
    seed: int, size: int, warmth: float, top_k: int, top_p: float
) -> None:
    logits, sampling = noise(seed, size), Sampling(warmth, top_k, top_p)
    wanted = torch.tensor(reference.softmax(logits.tolist(), sampling), dtype=torch.float64)
    assert torch.allclose(both(logits, sampling), wanted, rtol=1e-9, atol=1e-12)


def test_top_k_comes_before_top_p() -> None:
    """Of (.4, .3, .2, .1) top-k 2 leaves (4/7, 3/7), of which top-p .55 leaves one; the other way round two stay."""
    logits = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64).log()
    assert both(logits, Sampling(top_k=2, top_p=0.55)).tolist() == [1, 0, 0, 0]


def test_temperature_comes_before_top_p() -> None:
    """Squared and renormalized, .6 becomes .69: enough for top-p .65 on its own."""
    logits = torch.tensor([0.6, 0.4], dtype=torch.float64).log()
    assert both(logits, Sampling(temperature=0.5, top_p=0.65)).tolist() == [1, 0]
    assert both(logits, Sampling(top_p=0.65)).tolist() == pytest.approx([0.6, 0.4])


@given(seeds, warmths, st.integers(0, 9), st.floats(0.01, 1.0), st.sampled_from([torch.float32, torch.bfloat16]))
def test_every_row_sums_to_one_and_is_worked_out_alone(
    seed: int, warmth: float, top_k: int, top_p: float, dtype: torch.dtype
) -> None:
    logits, sampling = noise(seed, 2, 3, 9).to(dtype), Sampling(warmth, top_k, top_p)
    probs = both(logits, sampling)
    assert probs.dtype == torch.float64
    assert torch.allclose(probs.sum(-1), torch.ones(2, 3, dtype=torch.float64), atol=1e-12)
    assert torch.equal(probs[1, 2], both(logits[1, 2], sampling))


def test_top_k_keeps_every_token_tied_with_the_last_one_kept() -> None:
    assert both(torch.tensor([1.0, 2.0, 1.0, 0.0]), Sampling(top_k=2)).count_nonzero() == 3


def test_top_p_breaks_ties_by_id() -> None:
    assert both(torch.zeros(4), Sampling(top_p=0.5)).tolist() == [0.5, 0.5, 0, 0]


def test_top_p_keeps_one_token_at_least() -> None:
    assert both(torch.tensor([0.0, 3.0, 1.0]), Sampling(top_p=1e-9)).tolist() == [0, 1, 0]


@pytest.mark.parametrize("sampling", [Sampling(0.0), Sampling(0.0, top_k=2, top_p=0.3)])
def test_temperature_0_is_the_largest_logit_lowest_id_on_ties(sampling: Sampling) -> None:
    assert both(torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]]), sampling).tolist() == [[0, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize("temperature", [0.0, 0.05, 1.0])
def test_a_logit_of_minus_infinity_is_a_probability_of_0(temperature: float) -> None:
    probs = both(torch.tensor([-math.inf, 1.0, 0.0]), Sampling(temperature, top_k=2, top_p=0.9))
    assert probs[0] == 0
    assert probs.sum() == pytest.approx(1)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_that_returns_no_numbers_is_refused(bad: float, temperature: float) -> None:
    with pytest.raises(ValueError, match="NaN or infinite"):
        both(torch.tensor([[0.0, 1.0], [bad, 1.0]]), Sampling(temperature))
    with pytest.raises(ValueError, match="NaN or infinite"):
        both(torch.full((2,), -math.inf), Sampling(temperature))


def test_a_row_is_made_once_and_not_before_it_is_looked_at() -> None:
    made = rows(torch.tensor([[0.0, 1.0], [math.nan, 1.0]]), Sampling())
    assert made[0] is made[0]
    with pytest.raises(ValueError, match="NaN or infinite"):
        made[1]


def test_huge_logits_at_the_smallest_temperature_stay_finite() -> None:
    assert both(torch.tensor([3e38, -3e38, 0.0]), Sampling(0.05)).tolist() == [1, 0, 0]


def test_half_precision_logits_are_read_as_they_are() -> None:
    logits = noise(3, 50).to(torch.bfloat16)
    assert torch.equal(both(logits, Sampling(0.7)), both(logits.double(), Sampling(0.7)))


@given(seeds, st.integers(2, 40))
def test_the_residual_is_what_q_missed_of_p(seed: int, size: int) -> None:
    p, q = laws(seed, 2, size)
    left, empty = residual(p, q)
    wanted = [max(0.0, float(p[token] - q[token])) for token in range(size)]
    assert not empty
    assert torch.allclose(left * sum(wanted), torch.tensor(wanted, dtype=torch.float64), atol=1e-12)
    assert left.sum() == pytest.approx(1)


@given(seeds, st.integers(1, 40), st.sampled_from([0.0, 1e-17, 1e-15, 1e-13]))
def test_a_residual_is_a_law_however_close_p_and_q_are(seed: int, size: int, apart: float) -> None:
    p = laws(seed, 1, size)[0]
    left, empty = residual(p, both(p.log() + apart * noise(seed + 1, size), Sampling()))
    assert torch.isfinite(left).all()
    assert left.sum() == pytest.approx(1)
    if apart == 0:
        assert empty
    if empty:
        assert torch.equal(left, p)


def test_residuals_of_many_rows_are_worked_out_alone() -> None:
    p = torch.tensor([[0.5, 0.5], [0.2, 0.8]], dtype=torch.float64)
    q = torch.tensor([[0.5, 0.5], [0.6, 0.4]], dtype=torch.float64)
    left, empty = residual(p, q)
    assert empty.tolist() == [True, False]
    assert left.tolist() == [[0.5, 0.5], [0, 1]]


def test_entropy_is_in_nats_and_impossible_tokens_add_nothing() -> None:
    rows = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], dtype=torch.float64)
    assert entropy(rows).tolist() == pytest.approx([math.log(2), 0.0])
