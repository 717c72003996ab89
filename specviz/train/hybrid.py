"""Trains a hybrid on a pair's vocabulary: layers that keep a running state (gated delta nets) between attention layers.

It starts from the pair's draft, whose layers become its attention layers, and learns what the pair's target says.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import LlamaForCausalLM, Qwen3_5ForCausalLM, Qwen3_5TextConfig

from specviz.train.corpus import batch
from specviz.train.descent import descend
from specviz.train.pair import WEIGHTS, Plan

SAME = ("vocab_size", "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "head_dim")
STATES = 2
"""Layers with a state before each layer with attention."""


def new(draft: LlamaForCausalLM, sample: Tensor, seed: int) -> Qwen3_5ForCausalLM:
    """A hybrid that says nearly what the draft says: its layers with a state add nothing yet.

    The attention of its family gives all queries and keys one length: here the mean one, seen in a sample, int64[b, n].
    """
    torch.manual_seed(seed)
    shape = draft.config
    same = (*SAME, "max_position_embeddings", "rms_norm_eps", "tie_word_embeddings", "bos_token_id", "eos_token_id")
    kinds = (["linear_attention"] * STATES + ["full_attention"]) * shape.num_hidden_layers
    hybrid = Qwen3_5ForCausalLM(
        Qwen3_5TextConfig(
            **{name: getattr(shape, name) for name in same},
            num_hidden_layers=len(kinds),
            layer_types=kinds,
            rope_parameters=shape.rope_parameters | {"partial_rotary_factor": 1.0},
            linear_num_key_heads=shape.num_attention_heads,
            linear_num_value_heads=shape.num_attention_heads,
            linear_key_head_dim=shape.head_dim,
            linear_value_head_dim=shape.head_dim,
        )
    )
    with torch.no_grad():
        for name, weight in hybrid.named_parameters():
            if name.endswith(("out_proj.weight", "down_proj.weight")):
                weight.zero_()
        hybrid.model.embed_tokens.load_state_dict(draft.model.embed_tokens.state_dict())
        hybrid.model.norm.weight.copy_(draft.model.norm.weight - 1)
        seen = draft.model(sample, output_hidden_states=True).hidden_states
        for layer, old, states in zip(
            hybrid.model.layers[STATES :: STATES + 1], draft.model.layers, seen, strict=False
        ):
            _fill(layer, old, old.input_layernorm(states), shape.head_dim)
    return hybrid


def _fill(layer: Any, old: Any, normed: Tensor, size: int) -> None:
    """Makes one layer from one of the draft's. Its norms store their weight less 1; its gates start half open."""
    layer.mlp.load_state_dict(old.mlp.state_dict())
    for norm in ("input_layernorm", "post_attention_layernorm"):
        getattr(layer, norm).weight.copy_(getattr(old, norm).weight - 1)
    there, here = layer.self_attn, old.self_attn
    there.k_proj.weight.copy_(here.k_proj.weight)
    there.v_proj.weight.copy_(here.v_proj.weight)
    there.o_proj.weight.copy_(2 * here.o_proj.weight)
    there.q_proj.weight.copy_(
        torch.stack([here.q_proj.weight.view(-1, size, normed.shape[-1])] * 2, 1)
        .mul(torch.tensor([1.0, 0.0])[:, None, None])
        .flatten(0, 2)
    )
    for norm, project in ((there.q_norm, here.q_proj), (there.k_norm, here.k_proj)):
        norm.weight.fill_(project(normed).square().mean().sqrt() - 1)


def distil(
    hybrid: Qwen3_5ForCausalLM, target: LlamaForCausalLM, streams: Mapping[str, Tensor], plan: Plan, checkpoint: Path
) -> None:
    """Trains it to say what the target says, by their KL divergence at temperature 1."""
    target.eval().requires_grad_(requires_grad=False)

    def loss(step: int) -> Tensor:
        length = plan.length(step)
        window = batch(streams, WEIGHTS, max(1, plan.tokens // length), length, plan.seed, step)[:, :-1]
        window = window.to(target.device)
        with torch.no_grad():
            wanted = target(input_ids=window, use_cache=False).logits.float().log_softmax(-1)
        logs = hybrid(input_ids=window, use_cache=False).logits.float().log_softmax(-1)
        return torch.nn.functional.kl_div(
            logs.flatten(0, 1), wanted.flatten(0, 1), log_target=True, reduction="batchmean"
        )

    kept = {"running": 0.0}

    def watch(done: int, last: float) -> Mapping[str, str]:
        kept["running"] = last if done == 1 else 0.95 * kept["running"] + 0.05 * last
        return {"KL": f"{kept['running']:.3f}"}

    matrices = [weight for weight in hybrid.model.layers.parameters() if weight.ndim == 2]
    descend("hybrid", hybrid, matrices, plan, checkpoint, loss, watch, kept)
