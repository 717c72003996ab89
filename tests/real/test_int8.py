"""Parts of a model beside the whole: its copy in 8 bits, the experts that a text touches, the heads it ships with."""

import numpy as np
import pytest
import torch
from torch import nn
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from specviz import session
from specviz.bench.prompts import PROMPTS
from specviz.config.settings import RunConfig
from specviz.lab import advice
from specviz.models import experts
from specviz.models import pair as pairs
from specviz.models.heads.shaped import filled
from specviz.models.hf import HFModel
from specviz.models.passes.int8 import Int8Linear
from specviz.sampling.arrays import Reals
from specviz.sampling.distribution import Sampling, row
from specviz.sampling.tree import DraftTree
from specviz.trace.metrics import summarize
from specviz.verify import verify
from tests.battery.common import branch_to
from tests.opened import HEADS, SHAPES, said
from tests.real.families import FAMILIES, grown, random_model
from tests.real.shrunk import shrunk

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


@pytest.mark.sampled(3)
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


TEXT = [5, 17, 200, 3, 44, 44, 91, 250, 8, 120, 33, 6]


@pytest.mark.parametrize("family", ["mixtral", "qwen3_moe"])
def test_the_hooks_count_the_experts_that_the_router_logits_name(family: str) -> None:
    torch.manual_seed(4)
    config = shrunk(family)
    model = grown(AutoModelForCausalLM.from_config(config)).eval()
    hooks = [len(module._forward_hooks) for module in model.modules()]
    layers, of = experts.routed(HFModel(model), TEXT)
    assert hooks == [len(module._forward_hooks) for module in model.modules()]
    with torch.inference_mode():
        logits = model(torch.tensor([TEXT]), output_router_logits=True).router_logits
    assert len(layers) == len(logits) == config.num_hidden_layers
    assert of == logits[0].shape[-1] == 4
    own = [
        set(map(tuple, np.sort(each.topk(config.num_experts_per_tok).indices.numpy(), -1).tolist())) for each in logits
    ]
    assert [set(map(tuple, np.sort(each, -1).tolist())) for each in layers] == own
    found = advice.touched(layers, of, 5)
    assert found is not None
    assert found.touched[0] == config.num_experts_per_tok
    pairs = [
        len({*each[at].topk(2).indices.tolist(), *each[at + 1].topk(2).indices.tolist()})
        for each in logits
        for at in range(len(TEXT) - 1)
    ]
    assert found.touched[1] == pytest.approx(sum(pairs) / len(pairs))
    assert list(found.touched) == sorted(found.touched)


OFF = 1e-4
PROMPT = "Once upon a time there was a fox"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("shape", ["chain", "tree"])
@torch.inference_mode()
def test_every_recorded_q_is_what_the_head_says_there(name: str, shape: str) -> None:
    pair = pairs.load("embedded", "cpu", "auto")
    config = RunConfig(PROMPT, drafter=name, params={"shape": shape}, max_new_tokens=20, seed=3)
    rounds = [*session.start(config, pair)]
    plain = LlamaForCausalLM.from_pretrained(pair.weights, dtype=torch.float32)
    head = filled(pair.head(name), type(SHAPES[name]), HEADS[name], pair.target)
    text = [*pair.tokenizer.encode(PROMPT)]
    for step in rounds:
        seen = plain(input_ids=torch.tensor([text[:-1]]), output_hidden_states=True).hidden_states
        states = torch.stack([seen[layer][0] for layer in head.shape.layers], 1)
        for each in step.verdicts:
            if each.source.rank == 0:
                tokens = (plain.model.embed_tokens.weight[part] for part in (text, branch_to(step, each.parent)))
                logits = plain.lm_head(said(name, head, states, *tokens))[0].numpy()
                assert each.q == pytest.approx(row(logits, Sampling(0.8))[each.token], abs=OFF)
        text += step.tokens
