"""Random heads in the layouts that other projects publish, and their mathematics once more, over all of a text at once.

Written after the published code, without ours: dictionaries of tensors by their published names, no caches.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import silu

EAGLE: dict[str, Any] = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10_000.0,
    "max_position_embeddings": 512,
    "draft_vocab_size": 24,
    "vocab_size": 64,
}
"""As SafeAILab publishes heads for Llama."""
QWEN: dict[str, Any] = {
    "speculators_model_type": "eagle3",
    "transformer_layer_config": EAGLE | {"head_dim": 16, "rope_theta": 1e6, "model_type": "qwen3"},
    "norm_before_residual": True,
    "eagle_aux_hidden_state_layer_ids": [1, 3, 5],
}
"""As speculators publish heads, here with norms of their own for queries and keys, and the whole vocabulary."""
DFLASH: dict[str, Any] = {
    "architectures": ["DFlashDraftModel"],
    "model_type": "qwen3",
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1e6,
    "block_size": 5,
    "dflash_config": {"mask_token_id": 63, "target_layer_ids": [0, 2, 4]},
}
MEDUSA: dict[str, Any] = {"medusa_num_heads": 3, "medusa_num_layers": 1}
Tensors = dict[str, Tensor]


def _layer(config: Mapping[str, Any], reads: int, *, normed: bool) -> dict[str, tuple[int, ...]]:
    width, heads = config["hidden_size"], config["num_attention_heads"]
    dim = config.get("head_dim", width // heads)
    inner, outer, wide = heads * dim, config["num_key_value_heads"] * dim, config["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj": (inner, reads),
        "self_attn.k_proj": (outer, reads),
        "self_attn.v_proj": (outer, reads),
        "self_attn.o_proj": (width, inner),
        "mlp.gate_proj": (wide, width),
        "mlp.up_proj": (wide, width),
        "mlp.down_proj": (width, wide),
        "input_layernorm": (width,),
        "post_attention_layernorm": (width,),
    }
    return shapes | ({"self_attn.q_norm": (dim,), "self_attn.k_norm": (dim,)} if normed else {})


def _random(shapes: Mapping[str, tuple[int, ...]], seed: int) -> Tensors:
    dice = torch.Generator().manual_seed(seed)
    return {
        f"{name}.weight": torch.randn(shape, generator=dice) * (0.3 if len(shape) > 1 else 0.1) + (len(shape) == 1)
        for name, shape in shapes.items()
    }


def eagle(config: Mapping[str, Any] = EAGLE, seed: int = 0) -> Tensors:
    """A layer named midlayer over a reduced vocabulary; for QWEN layers.0, an embedding and all words of its own."""
    own = "transformer_layer_config" in config
    inner = config.get("transformer_layer_config", config)
    width, first = inner["hidden_size"], "layers.0" if own else "midlayer"
    shapes = _layer(inner, 2 * width, normed=own) | {"hidden_norm": (width,)}
    words = inner["vocab_size" if own else "draft_vocab_size"]
    made = {f"{first}.{name}": shape for name, shape in shapes.items()}
    made |= {"fc": (width, 3 * width), "norm": (width,), "lm_head": (words, width)}
    made |= {f"fc_norm.{state}": (width,) for state in range(3)} if config.get("fc_norm") else {}
    made |= {"input_norm": (3 * width,)} if config.get("norm_before_fc") else {}
    found = _random(made | ({"embed_tokens": (words, width)} if own else {}), seed)
    if not own:
        ids = torch.arange(words) * 2 + 5
        known = torch.zeros(inner["vocab_size"], dtype=torch.bool)
        known[ids] = True
        found |= {"d2t": ids - torch.arange(words), "t2d": known}
    return found


def dflash(config: Mapping[str, Any] = DFLASH, seed: int = 0) -> Tensors:
    width, fused = config["hidden_size"], len(config["dflash_config"]["target_layer_ids"])
    shapes: dict[str, tuple[int, ...]] = {"fc": (width, fused * width), "hidden_norm": (width,), "norm": (width,)}
    for number in range(config["num_hidden_layers"]):
        shapes |= {f"layers.{number}.{name}": shape for name, shape in _layer(config, width, normed=True).items()}
    return _random(shapes, seed)


def medusa(width: int = 32, words: int = 64, heads: int = 3, seed: int = 0) -> Tensors:
    shapes: dict[str, tuple[int, ...]] = {}
    for head in range(heads):
        shapes |= {f"{head}.0.linear": (width, width), f"{head}.1": (words, width)}
    found = _random(shapes, seed)
    return found | {f"{head}.0.linear.bias": torch.full((width,), 0.1 * head) for head in range(heads)}


def save(folder: Path, config: Mapping[str, Any], tensors: Tensors, name: str = "model.safetensors") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    save_file(tensors, folder / name)
    return str(folder)


# -- The published mathematics -----------------------------------------------------------------------------------


def _rms(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def _turned(x: Tensor, positions: Tensor, theta: float) -> Tensor:
    dim = x.shape[-1]
    out = torch.empty_like(x)
    for pair in range(dim // 2):
        angle = positions * theta ** (-2 * pair / dim)
        one, other = x[..., pair], x[..., pair + dim // 2]
        out[..., pair] = one * angle.cos() - other * angle.sin()
        out[..., pair + dim // 2] = other * angle.cos() + one * angle.sin()
    return out


def _attended(
    tensors: Tensors, layer: str, config: Mapping[str, Any], asks: Tensor, answers: Tensor, *, causal: bool
) -> Tensor:
    """Attention of `asks`, the last rows of `answers`."""
    heads, keys, theta = config["num_attention_heads"], config["num_key_value_heads"], config["rope_theta"]
    positions = torch.arange(len(answers)).float()
    parts = []
    for name, x, count in (("q", asks, heads), ("k", answers, keys), ("v", answers, keys)):
        part = (x @ tensors[f"{layer}.self_attn.{name}_proj.weight"].T).view(len(x), count, -1)
        norm = tensors.get(f"{layer}.self_attn.{name}_norm.weight")
        part = (part if norm is None else _rms(part, norm, config["rms_norm_eps"])).transpose(0, 1)
        parts.append(part if name == "v" else _turned(part, positions[-len(x) :], theta))
    q, k, v = parts
    found = []
    for head in range(heads):
        scores = q[head] @ k[head * keys // heads].T / math.sqrt(q.shape[-1])
        if causal:
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        found.append(scores.softmax(-1) @ v[head * keys // heads])
    return torch.cat(found, -1) @ tensors[f"{layer}.self_attn.o_proj.weight"].T


def _mlp(tensors: Tensors, layer: str, x: Tensor, eps: float) -> Tensor:
    x = _rms(x, tensors[f"{layer}.post_attention_layernorm.weight"], eps)
    gate, up, down = (tensors[f"{layer}.mlp.{name}_proj.weight"] for name in ("gate", "up", "down"))
    return (silu(x @ gate.T) * (x @ up.T)) @ down.T


def fused_by_eagle(config: Mapping[str, Any], tensors: Tensors, states: Tensor) -> Tensor:
    """[n, width] from the target's states, [n, 3 * target's width]; EAGLE-3.1 norms each of the three before."""
    eps = config.get("transformer_layer_config", config)["rms_norm_eps"]
    if config.get("fc_norm"):
        parts = states.chunk(3, -1)
        states = torch.cat([_rms(x, tensors[f"fc_norm.{at}.weight"], eps) for at, x in enumerate(parts)], -1)
    if config.get("norm_before_fc"):
        states = _rms(states, tensors["input_norm.weight"], eps)
    return states @ tensors["fc.weight"].T


def said_by_eagle(
    config: Mapping[str, Any], tensors: Tensors, states: Tensor, embedded: Tensor, words: int, *, every: bool = False
) -> tuple[Tensor, Tensor]:
    """Logits[V] behind the last token, and the state that stands for it; behind every token, [n, V], if asked.

    Args:
        states: [n, width], fused or put out by the head, before each token.
        embedded: [n, width], of the tokens that follow each state.
    """
    inner = config.get("transformer_layer_config", config)
    layer, eps = ("layers.0" if "layers.0.hidden_norm.weight" in tensors else "midlayer"), inner["rms_norm_eps"]
    normed = _rms(states, tensors[f"{layer}.hidden_norm.weight"], eps)
    both = torch.cat([_rms(embedded, tensors[f"{layer}.input_layernorm.weight"], eps), normed], -1)
    x = (normed if config.get("norm_before_residual") else states) + _attended(
        tensors, layer, inner, both, both, causal=True
    )
    x = x + _mlp(tensors, layer, x, eps)
    x = x if every else x[-1]
    normal = _rms(x, tensors["norm.weight"], eps)
    rows = normal @ tensors["lm_head.weight"].T
    logits = torch.full((*rows.shape[:-1], words), -torch.inf)
    ids = torch.arange(rows.shape[-1]) + tensors.get("d2t", torch.zeros(rows.shape[-1], dtype=torch.long))
    logits[..., ids] = rows
    return logits, normal if config.get("norm_output") else x


def said_by_dflash(config: Mapping[str, Any], tensors: Tensors, states: Tensor, block: Tensor) -> Tensor:
    """What the target's output layer reads for each blank.

    Args:
        states: [n, layers * width], of the text before the block.
        block: [block, width], the embeddings of the text's last token and of the blanks.
    """
    eps = config["rms_norm_eps"]
    text = _rms(states @ tensors["fc.weight"].T, tensors["hidden_norm.weight"], eps)
    for number in range(config["num_hidden_layers"]):
        layer = f"layers.{number}"
        inside = _rms(block, tensors[f"{layer}.input_layernorm.weight"], eps)
        block = block + _attended(tensors, layer, config, inside, torch.cat([text, inside]), causal=False)
        block = block + _mlp(tensors, layer, block, eps)
    return _rms(block[1:], tensors["norm.weight"], eps)
