"""Recorded passes, over a stand-in for CUDA graphs that replays the very tensors it recorded. No GPU is involved."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from specviz.draft.base import Resources
from specviz.draft.small_model import SmallModel
from specviz.models.hf import HFModel
from specviz.models.passes.graphs import GraphedModel
from specviz.sampling.distribution import Sampling
from specviz.sampling.tree import DraftTree
from specviz.verify import verify
from tests.tiny import decode, parts, tokens_of


class StandIn:
    """Runs what it is given once, as a recording does, and again on every replay, into the same result."""

    def __init__(self) -> None:
        self.recorded = self.replayed = 0

    def __call__(self, work: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
        self.recorded += 1
        out = work().clone()

        def replay() -> None:
            self.replayed += 1
            out.copy_(work())

        return replay, out


def gpt2() -> PreTrainedModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=90, n_embd=32, n_layer=2, n_head=2, n_positions=128))


def qwen() -> PreTrainedModel:
    return Qwen3ForCausalLM(
        Qwen3Config(vocab_size=90, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                    num_key_value_heads=2, head_dim=8, max_position_embeddings=128)
    )  # fmt: skip


@pytest.fixture(params=[gpt2, qwen])
def model(request: pytest.FixtureRequest) -> PreTrainedModel:
    torch.manual_seed(2)
    model = request.param().double()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.2 * torch.randn_like(weight)
    return model


def test_replayed_passes_are_the_eager_ones(model: PreTrainedModel) -> None:
    """Prefill, chains, a tree, what is kept of it, forgotten slots: all as without a recording."""
    found = []
    for reader in (HFModel(model), GraphedModel(model, 96, StandIn())):
        cache = reader.new_cache(80)
        rows = [reader.forward(list(range(30)), range(30), None, cache)]
        for start in (30, 33, 36):
            rows.append(verify(reader, cache, [start], DraftTree.chain([5, 6, start])).logits)
            cache.truncate(start + 3)
        rows.append(verify(reader, cache, [1, 2], DraftTree((3, 4, 5, 6), (-1, -1, 0, 1))).logits)
        cache.keep(41, (1, 3))
        rows.append(reader.forward([7], [43], None, cache))
        assert cache.length == 44
        found.append(np.concatenate(rows))
    assert found[0].std() > 0.3
    assert np.allclose(*found, atol=1e-9)


def test_two_runs_at_once_do_not_share_slots(model: PreTrainedModel) -> None:
    stand_in = StandIn()
    reader = GraphedModel(model, 96, stand_in)
    first, second = reader.new_cache(40), reader.new_cache(40)
    rows = [reader.forward([3, 4], range(2), None, cache) for cache in (first, second)]
    assert stand_in.recorded == 1, "the second has slots of its own and goes the eager way"
    assert np.allclose(*rows, atol=1e-9)
    reader.forward([9], [2], None, second)
    assert (first.length, second.length) == (2, 3)
    lent = first.slots.data_ptr()
    del first
    assert reader.new_cache(40).slots.data_ptr() == lent, "given back, they are lent again"


def test_a_model_that_looks_through_a_window_is_recorded_no_further_than_that() -> None:
    """Recorded passes look at all slots, so a longer text goes the eager way."""
    torch.manual_seed(2)
    shape: dict[str, Any] = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}
    config = MistralConfig(**shape, num_attention_heads=4, num_key_value_heads=2, sliding_window=12)
    window = MistralForCausalLM(config).double()
    eager = HFModel(window)
    assert (eager.window, HFModel(gpt2()).window) == (12, 128)
    text = list(range(20))
    with torch.inference_mode():
        wanted = window(torch.tensor([text])).logits[0].numpy()
    for length in (12, 20):
        reader = GraphedModel(window, eager.window, StandIn())
        cache = reader.new_cache(length)
        rows = [reader.forward([token], [place], None, cache) for place, token in enumerate(text[:length])]
        assert np.allclose(np.concatenate(rows), wanted[:length], atol=1e-9)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_whole_runs_write_the_same_text(model: PreTrainedModel, temperature: float) -> None:
    """Target and draft both recorded, refusals and all."""
    texts = []
    sampling = Sampling(temperature)
    for make in (HFModel, lambda each: GraphedModel(each, 96, StandIn())):
        torch.manual_seed(5)
        other = type(model)(model.config).double()
        other.load_state_dict(model.state_dict())
        with torch.no_grad():
            for weight in other.parameters():
                weight += 0.05 * torch.randn_like(weight)
        drafter = SmallModel(make(other), Resources(sampling, 90, 80))
        made = parts(make(model), drafter, sampling=sampling, gamma=3, limit=70)
        done = decode(made, (1, 2, 3))
        assert {verdict.verdict.value for step in done for verdict in step.verdicts} >= {"accepted", "rejected"}
        texts.append(tokens_of(done))
    assert texts[0] == texts[1]
