"""Tiny checkpoints that carry layers for multi-token prediction, in the layouts that models are published in."""

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers.modeling_layers import MtpModel

from tests.real.families import saved
from tests.real.shrunk import tiny

BEHIND = {"post_norm": "shared_head.norm"}
"""DeepSeek's and GLM's: a layer numbered on behind the last."""
UNDER = {"enorm": "pre_fc_norm_embedding", "hnorm": "pre_fc_norm_hidden", "eh_proj": "fc", "post_norm": "norm"}
"""Qwen's and Mellum's: under mtp, one layer."""
FAMILIES = {"deepseek_v3": BEHIND, "glm4_moe": BEHIND, "mellum": UNDER, "qwen3_next": UNDER, "qwen3_5_text": UNDER}


def model_of(family: str, layers: int = 1) -> tuple[Any, Any]:
    """A random model of that family, and its layers for multi-token prediction."""
    more: dict[str, Any] = (
        {"num_nextn_predict_layers": layers} if family in ("deepseek_v3", "glm4_moe", "mellum") else {}
    )
    if family == "mellum":
        more["layer_types"] = ["full_attention", "full_attention", "sliding_attention"]
    model = tiny(family, **more)
    config = model.config
    if not more:
        config.num_mtp_layers, config.mtp_layer_types = layers, ["full_attention"] * layers
    torch.manual_seed(2)
    module = MtpModel(model, layers)
    with torch.no_grad():
        for weight in module.layers.state_dict().values():
            weight.copy_(0.1 * torch.randn_like(weight) + (weight.dim() == 1))
    return model, module


def named(family: str, module: Any, depth: int) -> dict[str, Tensor]:
    """The layers' tensors by the names that checkpoints of that family have. depth: the model's layers."""
    found = {}
    for name, tensor in module.state_dict().items():
        if not name.startswith("layers."):
            continue
        _, number, part, *rest = name.split(".")
        parts = FAMILIES[family]
        start = f"model.layers.{depth + int(number)}" if parts is BEHIND else "mtp"
        if part != "mtp_block":
            found[".".join((start, parts.get(part, part), *rest))] = tensor
            continue
        inner = ".".join((start, *rest) if parts is BEHIND else (start, "layers", number, *rest))
        found |= _split(inner, tensor)
    return {name: tensor.contiguous().clone() for name, tensor in found.items()}


def _split(name: str, tensor: Tensor) -> dict[str, Tensor]:
    """Experts are published one by one."""
    start, _, part = name.rpartition(".")
    if part == "gate_up_proj":
        halves = [(half, rows) for half, rows in zip(("gate", "up"), tensor.chunk(2, 1), strict=True)]
        return {f"{start}.{at}.{half}_proj.weight": rows[at] for half, rows in halves for at in range(len(rows))}
    if part == "down_proj" and tensor.dim() == 3:
        return {f"{start}.{at}.down_proj.weight": each for at, each in enumerate(tensor)}
    return {name: tensor}


def carrying(folder: Path, tokenizer: Path, family: str, layers: int = 1, change: Any = None) -> tuple[str, Any]:
    """The name of a target that is saved there with its layers, and the model.

    Args:
        change: is given the layers' tensors by name, and changes them.
    """
    model, module = model_of(family, layers)
    saved(folder / "target", tokenizer, model)
    tensors = named(family, module, model.config.num_hidden_layers)
    if change:
        change(tensors)
    path = folder / "target" / "model.safetensors"
    save_file({**load_file(path), **tensors}, path, metadata={"format": "pt"})
    return f"-> {folder / 'target'}", model.eval()
