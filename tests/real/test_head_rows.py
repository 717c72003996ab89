"""The shipped heads on the shipped target: what they guessed, computed anew from transformers' own hidden states."""

import pytest
import torch
from transformers import LlamaForCausalLM

from specviz import session
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.heads.shaped import filled
from specviz.sampling.distribution import Sampling, row
from tests.battery.common import branch_to
from tests.opened import HEADS, SHAPES, said

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
