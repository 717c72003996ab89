"""Tries the compiled pass on a small model of the same kind, beside transformers' own."""

import copy
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM

from specviz.config.words import Reason, because
from specviz.models.passes import llama
from specviz.models.passes.llama import Llama

TOKENS = 48
MOST = 2e-5
"""How far logits may be off, as a share of the largest."""


@torch.inference_mode()
def differs(config: Any) -> tuple[Reason, float | None]:
    """What is wrong with the compiled pass for such a model, "" if nothing, and the largest error of a logit.

    A model with this config but few and narrow layers gets random weights: whatever else the config says, the compiled
    pass must do as this version of transformers does.
    """
    small = copy.deepcopy(config)
    groups = config.num_attention_heads // config.num_key_value_heads
    small.head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    small.num_attention_heads, small.num_key_value_heads = 2 * groups, 2
    small.hidden_size, small.intermediate_size, small.num_hidden_layers, small.vocab_size = 64, 96, 2, 128
    small.bos_token_id = small.eos_token_id = small.pad_token_id = None
    if getattr(small, "layer_types", None):
        small.layer_types = small.layer_types[:2]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(small, dtype=torch.float32).eval()
        for weight in model.parameters():
            weight += 0.1 * torch.randn_like(weight)
    text = list(range(TOKENS))
    wanted = model(torch.tensor([text])).logits[0].numpy()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        try:
            own = Llama.load(Path(folder), small.to_dict())
            found = own.forward(text, text, None, own.new_cache(TOKENS))
        except llama.FAULTS as fault:
            return llama.failed(fault), None
    error, most = float(np.abs(found - wanted).max()), float(np.abs(wanted).max())
    if not error <= MOST * most:
        return because("pass.differs", error=f"{error:.2g}", most=f"{most:.2g}"), None
    return "", error
