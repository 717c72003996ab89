"""Modules made of a published head's tensors."""

from collections.abc import Mapping
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from specviz.config.settings import ConfigError
from specviz.models.heads.files import Head

Module = TypeVar("Module", bound=nn.Module)


def rotary(head: Head, config: Mapping[str, Any], dim: int) -> LlamaRotaryEmbedding:
    """Rotary embeddings as config.json says, scaled ones too. Raises ConfigError: it says something unknown."""
    known = ("rope_theta", "rope_scaling", "rope_parameters", "max_position_embeddings")
    try:
        return LlamaRotaryEmbedding(
            LlamaConfig(head_dim=dim, **{name: config[name] for name in known if config.get(name) is not None})
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{head.path}: its positions cannot be read from config.json ({str(error)[:60]})") from None


def filled(head: Head, module: Module, names: Mapping[str, str]) -> Module:
    """The module, made on no device, with the head's tensors: {its own name: the published one}.

    Raises:
        ConfigError: one is missing or has another shape.
    """
    parameters = module.state_dict()
    found = {name: head.take(names.get(name, name), *parameters[name].shape) for name in parameters}
    module.load_state_dict(found, assign=True)
    return module.eval().requires_grad_(requires_grad=False)


def rotated(x: Tensor, positions: Tensor, rotary: LlamaRotaryEmbedding) -> Tensor:
    """Queries or keys, [..., heads, n, dim], turned by their positions, [n]."""
    cos, sin = (each[0].to(x.dtype) for each in rotary(x.float(), positions[None]))
    left, right = x.chunk(2, -1)
    found: Tensor = x * cos + torch.cat([-right, left], -1) * sin
    return found
