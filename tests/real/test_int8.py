"""The target's copy in 8 bits: near it whatever the family, made beside it, and good enough to draft."""

import dataclasses

import pytest
import torch
from torch import nn

from specviz import session
from specviz.bench.prompts import PROMPTS
from specviz.config import ConfigError, RunConfig
from specviz.draft import load
from specviz.draft.base import Resources
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.passes import fastest, int8
from specviz.models.passes.graphs import GraphedModel
from specviz.models.passes.int8 import Int8Linear
from specviz.sampling import Sampling
from specviz.trace.metrics import summarize
from tests.real.test_forwards import LEAN, PACKED, made, rows
from tests.tiny import TableModel
from tests.unit.test_graphs import StandIn

NEAR = 0.1
"""Of the largest logit. Random weights are hard to round."""


@pytest.mark.parametrize("name", [*LEAN, *PACKED])
def test_it_is_near_the_model_and_leaves_it_as_it_is(name: str) -> None:
    model = fastest.fastest(made((LEAN | PACKED)[name]))
    before = rows(model)
    rough = model.in_8_bits()
    found = rows(rough)
    assert 0 < float((found - before).abs().max()) < NEAR * float(before.abs().max())
    assert torch.equal(rows(model), before)
    assert (rough.way.name, rough.way.error) == (model.way.name, None)
    assert model.in_8_bits() is rough, "made once"
    assert (rough.slot_bytes, rough.context, rough.vocab_size) == (model.slot_bytes, model.context, model.vocab_size)


def test_its_embedding_is_the_models_own_and_only_the_output_layer_is_rounded() -> None:
    model = HFModel(made(LEAN["tied, wide heads"]))
    rough = model.in_8_bits()
    inner = rough.model
    assert inner.get_input_embeddings().weight is model.model.get_input_embeddings().weight
    assert isinstance(inner.lm_head, Int8Linear)
    assert not [layer for layer in inner.modules() if isinstance(layer, nn.Linear)]
    assert rough.weight_bytes < 0.5 * model.weight_bytes


def test_recorded_passes_have_a_copy_with_recordings_of_its_own() -> None:
    model = made(LEAN["qwen3"])
    recorded = GraphedModel(model, 128, StandIn())
    plain, rough = rows(recorded), rows(recorded.in_8_bits())
    assert isinstance(recorded.in_8_bits(), GraphedModel)
    assert torch.allclose(rough, rows(HFModel(model).in_8_bits()), atol=1e-4)
    assert torch.equal(rows(recorded), plain)


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
    assert (summarize(steps).alpha or 0) >= 0.97


def test_a_target_without_a_copy_is_refused_by_name() -> None:
    resources = Resources(Sampling(), 6, 32, target=TableModel(6, 1))
    with pytest.raises(ConfigError, match="no 8-bit copy of this target"):
        load("quantized").build(resources, {})
    with pytest.raises(ConfigError, match="no target to learn from"):
        load("recycling").build(dataclasses.replace(resources, target=None), {"nodes": 4.0})
