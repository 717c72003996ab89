"""The Llama family's forward pass, bare: fused projections, norms folded into them, one rotation, our own slots.

For models so small, or machines so slow, that the steps between the matrix products cost as much as these. Equal to
transformers' own forward pass up to rounding.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.config import Clock
from specviz.models.hf import HFModel, use_threads
from specviz.models.packed import pack
from specviz.trim import KVCache

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
ROTATIONS = ("default", "linear", "llama3", "yarn")


def missing(model: PreTrainedModel) -> str:
    """Why a model cannot be run this way, or nothing."""
    config = model.config
    if config.model_type not in FAMILIES:
        return f"{config.model_type} is not one of {', '.join(FAMILIES)}"
    rotation = config.rope_parameters.get("rope_type", "default")
    if rotation not in ROTATIONS:
        return f"its {rotation} rotation changes with the length of the text"
    if "sliding_attention" in (getattr(config, "layer_types", None) or ()) or _window(config):
        return "some of its layers see only a window of the text"
    return ""


def _window(config: Any) -> bool:
    """Mistral's window, which has no switch; Qwen2's counts only where layer_types says so."""
    return config.model_type == "mistral" and bool(config.sliding_window)


class LeanModel(HFModel):
    """A LanguageModel made of a transformers model of the Llama family; keeps copies of its weights, not the model."""

    @torch.inference_mode()
    def __init__(self, model: PreTrainedModel, clock: Clock, *, packed: bool) -> None:
        super().__init__(model)
        del self.model
        config, inner = model.config, model.model
        self._query_heads: int = config.num_attention_heads
        self._embedding = inner.embed_tokens.weight.detach()
        self._eps = torch.tensor(math.sqrt(config.hidden_size * config.rms_norm_eps), dtype=model.dtype)
        places = torch.arange(self.context)[None]
        cos, sin = inner.rotary_emb(torch.zeros(1, dtype=torch.float64), places)
        half = cos.shape[-1] // 2
        self._cos = cos[0].to(model.dtype)
        self._sin = torch.cat([-sin[0, :, :half], sin[0, :, half:]], dim=-1).to(model.dtype)
        layers = [_Layer(layer, config) for layer in inner.layers]
        top = nn.Sequential(_linear([model.lm_head], inner.norm))
        if packed:
            pack(nn.ModuleList([*layers, top]), clock)
        self._steps = [layer.steps() for layer in layers]
        self._head = top[0].forward

    def new_cache(self, capacity: int) -> KVCache:
        return KVCache(self._layers, self._heads, capacity, self._dim, self._embedding.dtype)

    @torch.inference_mode()
    def forward(self, tokens: Sequence[int], positions: Sequence[int], mask: Tensor | None, cache: KVCache) -> Tensor:
        use_threads(self.way.threads)
        n, before = len(tokens), cache.length
        if mask is None:
            cos, sin = self._cos[before : before + n], self._sin[before : before + n]
            added = None if n == 1 else self._cos.new_full((n, before + n), -torch.inf).triu_(before + 1)
        else:
            places = torch.tensor(positions)
            cos, sin = self._cos[places], self._sin[places]
            added = cos.new_zeros(mask.shape).masked_fill_(~mask, -torch.inf)
        heads, kept, half = self._query_heads, self._heads, self._dim // 2
        parts, turning = (heads, kept), (heads + kept, kept)
        x = functional.embedding(torch.tensor([tokens]), self._embedding)
        for room, (project, scale, mix, widen, act, narrow) in zip(cache.room(n), self._steps, strict=True):
            every = project(self._unit(x)).view(1, n, heads + 2 * kept, self._dim).transpose(1, 2)
            turned, values = every.split(turning, 1)
            if scale is not None:
                turned = turned / _length(turned, scale[0]) * scale[1]
            turned = torch.addcmul(turned * cos, turned.roll(half, -1), sin)
            queries, keys = turned.split(parts, 1)
            fresh_keys, fresh_values, all_keys, all_values = room
            fresh_keys.copy_(keys)
            fresh_values.copy_(values)
            seen = functional.scaled_dot_product_attention(
                queries, all_keys, all_values, attn_mask=added, enable_gqa=kept < heads
            )
            x = x + mix(seen.transpose(1, 2).reshape(1, n, -1))
            gate, up = widen(self._unit(x)).chunk(2, -1)
            x = x + narrow(act(gate) * up)
        cache.advance(n)
        logits: Tensor = self._head(self._unit(x))
        return logits[0]

    def _unit(self, x: Tensor) -> Tensor:
        """RMS norm but for its weights and the root of the width, which the next layer's weights hold."""
        return x / _length(x, self._eps)


def _length(x: Tensor, eps: Tensor) -> Tensor:
    return torch.hypot(torch.linalg.vector_norm(x, dim=-1, keepdim=True), eps)


class _Layer(nn.Module):
    """One block's layers: q, k and v as one, gate and up as one."""

    def __init__(self, layer: Any, config: Any) -> None:
        super().__init__()
        attention, mlp = layer.self_attn, layer.mlp
        self.project = _linear([attention.q_proj, attention.k_proj, attention.v_proj], layer.input_layernorm)
        self.mix = _linear([attention.o_proj])
        self.widen = _linear([mlp.gate_proj, mlp.up_proj], layer.post_attention_layernorm)
        self.narrow = _linear([mlp.down_proj])
        self.act = mlp.act_fn
        self._scale = None
        if hasattr(attention, "q_norm"):  # Qwen3: every head's queries and keys have a length of their own
            counts = (config.num_attention_heads, config.num_key_value_heads)
            weights = [norm.weight for norm in (attention.q_norm, attention.k_norm)]
            root = math.sqrt(weights[0].numel())
            rows = [weight.expand(count, 1, -1) for weight, count in zip(weights, counts, strict=True)]
            eps = torch.tensor(root * math.sqrt(attention.q_norm.variance_epsilon), dtype=weights[0].dtype)
            self._scale = eps, torch.cat(rows) * root

    def steps(self) -> tuple[Any, ...]:
        """What a pass calls, without the hooks of nn.Module in between."""
        layers = self.project.forward, self._scale, self.mix.forward, self.widen.forward
        return *layers, self.act.forward, self.narrow.forward


def _linear(parts: Sequence[nn.Linear], norm: Any = None) -> nn.Linear:
    """Several linear layers of one input as one, the weights of the norm before them folded in."""
    weight = torch.cat([part.weight for part in parts]).double()
    if norm is not None:
        weight *= norm.weight.double() * math.sqrt(norm.weight.numel())
    joined = nn.Linear(weight.shape[1], weight.shape[0], bias=parts[0].bias is not None, device="meta")
    joined.weight = nn.Parameter(weight.to(parts[0].weight.dtype), requires_grad=False)
    if joined.bias is not None:
        joined.bias = nn.Parameter(torch.cat([part.bias for part in parts]), requires_grad=False)
    return joined
