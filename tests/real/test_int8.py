"""The target's copy in 8 bits: near it whatever the family, made beside it, and good enough to draft."""

import dataclasses

import numpy as np
import pytest
import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from specviz import session
from specviz.bench.prompts import PROMPTS
from specviz.config.settings import ConfigError, RunConfig
from specviz.draft import load
from specviz.draft.base import Resources
from specviz.law.arrays import Reals
from specviz.law.sampling import Sampling
from specviz.law.tree import DraftTree
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.passes import int8
from specviz.models.passes.graphs import GraphedModel
from specviz.models.passes.int8 import Int8Linear
from specviz.trace.metrics import summarize
from specviz.verify import verify
from tests.real.families import FAMILIES, random_model
from tests.tiny import TableModel
from tests.unit.test_graphs import StandIn

NEAR = 0.1
"""Of the largest logit. Random weights are hard to round."""


def rows(model: HFModel) -> Reals:
    """Of a prompt, a tree and one more token."""
    cache = model.new_cache(64)
    out = [model.forward(range(20), range(20), None, cache)]
    out.append(verify(model, cache, [20], DraftTree((1, 2, 3, 4), (-1, -1, 0, 1))).logits)
    cache.keep(21, (1, 3))
    out.append(model.forward([12], [23], None, cache))
    return np.concatenate(out)


@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_near_the_model_and_leaves_it_as_it_is(family: str) -> None:
    model = HFModel(random_model(family))
    before = rows(model)
    rough = model.in_8_bits()
    found = rows(rough)
    assert 0 < abs(found - before).max() < NEAR * abs(before).max()
    assert np.array_equal(rows(model), before)
    assert (rough.way.name, rough.way.error) == (model.way.name, None)
    assert model.in_8_bits() is rough, "made once"
    assert (rough.slot_bytes, rough.context, rough.vocab_size) == (model.slot_bytes, model.context, model.vocab_size)


def test_its_embedding_is_the_models_own_and_only_the_output_layer_is_rounded() -> None:
    shape = {"hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "num_attention_heads": 4}
    model = HFModel(LlamaForCausalLM(LlamaConfig(vocab_size=150, tie_word_embeddings=True, **shape)))
    inner = model.in_8_bits().model
    assert inner.get_input_embeddings().weight is model.model.get_input_embeddings().weight
    assert isinstance(inner.lm_head, Int8Linear)
    assert not [layer for layer in inner.modules() if isinstance(layer, nn.Linear)]
    assert model.in_8_bits().weight_bytes < 0.5 * model.weight_bytes


def test_recorded_passes_have_a_copy_with_recordings_of_its_own() -> None:
    model = random_model("qwen3")
    recorded = GraphedModel(model, 128, StandIn())
    plain, rough = rows(recorded), rows(recorded.in_8_bits())
    assert isinstance(recorded.in_8_bits(), GraphedModel)
    assert np.allclose(rough, rows(HFModel(model).in_8_bits()), atol=1e-4)
    assert np.array_equal(rows(recorded), plain)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("shape", [(64, 32), (50, 33), (1, 7)])
def test_a_layer_multiplies_what_its_weights_stand_for(shape: tuple[int, int], dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    weight, bias = torch.randn(shape, dtype=torch.float64), torch.randn(shape[0], dtype=torch.float64)
    weight[0] = 0.0
    layer = Int8Linear(weight.to(dtype), bias.to(dtype))
    stands = layer.weight.double() * layer.scale[:, None].double()
    assert float((stands - weight.to(dtype).double()).abs().max()) <= float(layer.scale.max()) * 0.501
    assert int(layer.weight.abs().max()) in (0, int8.LARGEST)
    x = torch.randn(2, 3, shape[1], dtype=torch.float64).to(dtype)
    close = {torch.float64: 1e-5, torch.float32: 1e-4, torch.bfloat16: 0.2, torch.float16: 0.05}[dtype]
    assert torch.allclose(layer(x).double(), x.double() @ stands.t() + bias, atol=close)


def test_it_is_accepted_almost_always() -> None:
    pair = pairs.load("embedded", "cpu", "auto")
    steps = [
        step
        for prompts in PROMPTS.values()
        for prompt in prompts[:2]
        for step in session.start(RunConfig(prompt, drafter="quantized"), pair, shown=False)
    ]
    assert (summarize(steps).alpha or 0) > 0.93, "0.97 of some 300 guesses here, and 0.01 is the error of that"


def test_a_target_without_a_copy_is_refused_by_name() -> None:
    resources = Resources(Sampling(), 6, 32, target=TableModel(6, 1))
    with pytest.raises(ConfigError, match="no 8-bit copy of this target"):
        load("quantized").build(resources, {})
    with pytest.raises(ConfigError, match="no target to learn from"):
        load("recycling").build(dataclasses.replace(resources, target=None), {"nodes": 4.0})
