"""The experts that a text touches, counted by hooks, beside a count by transformers' own router logits."""

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz.lab import advice
from specviz.models import experts
from specviz.models.hf import HFModel
from tests.real.families import grown
from tests.real.shrunk import shrunk

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
