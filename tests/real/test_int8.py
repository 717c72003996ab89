"""The target's copy in 8 bits: near it whatever the family, made beside it, and good enough to draft."""

import numpy as np
import pytest
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from specviz import session
from specviz.bench.prompts import PROMPTS
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.passes.int8 import Int8Linear
from specviz.sampling.arrays import Reals
from specviz.sampling.tree import DraftTree
from specviz.trace.metrics import summarize
from specviz.verify import verify
from tests.real.families import FAMILIES, random_model

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


def test_it_is_accepted_almost_always() -> None:
    pair = pairs.load("embedded", "cpu", "auto")
    steps = [
        step
        for prompts in PROMPTS.values()
        for prompt in prompts[:2]
        for step in session.start(RunConfig(prompt, drafter="quantized"), pair, shown=False)
    ]
    assert (summarize(steps).alpha or 0) > 0.93, "0.97 of some 300 guesses here, and 0.01 is the error of that"
