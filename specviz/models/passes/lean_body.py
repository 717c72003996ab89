"""The layers of the Llama family with fused projections and folded norms: what `lean` runs."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.passes.int8 import twin

LONG = 64
"""Rows from which on attention goes by torch's own, which keeps no scores; before, that one costs more."""


class Body(nn.Module):
    """The whole model, or some layers of it in a row. Without the last ones it has no head."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        config, inner = model.config, model.model
        places = torch.arange(config.max_position_embeddings)[None]
        cos, sin = inner.rotary_emb(torch.zeros(1, dtype=torch.float64), places)
        half = cos.shape[-1] // 2
        rotary = torch.complex(cos[0, :, None, :half], sin[0, :, None, :half])
        self.rotary = rotary.to(torch.complex128 if model.dtype == torch.float64 else torch.complex64)
        self.embedding = inner.embed_tokens.weight.detach().clone()  # a view would keep the whole file mapped
        self.layers = nn.ModuleList([Layer(layer, config) for layer in inner.layers])
        self.eps = _eps(config.hidden_size, config.rms_norm_eps, model.dtype)
        self.norm = inner.norm.weight.detach() * math.sqrt(config.hidden_size)
        self.head: Any = _linear([model.lm_head], inner.norm)
        self.shared: int = config.num_attention_heads // config.num_key_value_heads

    def part(self, first: int | None, last: int | None) -> "Body":
        """These layers over the same weights."""
        other = twin(self)
        assert isinstance(other, Body)
        other.layers = other.layers[first:last]
        if last is not None:
            other.head = None
        return other

    def forward(
        self,
        tokens: list[int],
        hidden: Tensor | None,
        positions: list[int],
        added: Tensor | None,
        slots: Tensor,
        before: int,
        keep: bool = False,  # noqa: FBT001, FBT002 - TorchScript has no keyword-only arguments
    ) -> tuple[Tensor, list[Tensor]]:
        """logits[n, V], or without a head hidden[n, width]; and if they are to be kept, all states, [n, width] each.

        These are the embedding, or what was given, and what each layer made of it.

        Args:
            hidden: what the layers before these made of the tokens; None if there are none before.
            added: [n, before + n], to the scores of attention; None for one row.
            slots: [layers, 2, heads, before + n, dim], the last n of which are written.
        """
        rotary = self.rotary[torch.tensor(positions)]
        if added is not None and self.shared > 1:  # query heads that share a key head are extra rows
            added = added.repeat(self.shared, 1)
        x = functional.embedding(torch.tensor(tokens), self.embedding) if hidden is None else hidden
        fresh = slots[:, :, :, before:].flatten(1, 2).unbind()
        keys, values = slots[:, 0].transpose(2, 3).unbind(), slots[:, 1].unbind()
        states = [x]
        for index, layer in enumerate(self.layers):
            x = layer(x, rotary, added, fresh[index], keys[index], values[index])
            if keep:
                states.append(x)
        return (x if self.head is None else self.head(unit(x, self.eps))), states


def unit(x: Tensor, eps: Tensor) -> Tensor:
    """RMS norm without its weights and the root of the width; the next layer's weights contain both."""
    return x / torch.hypot(torch.linalg.vector_norm(x, dim=-1, keepdim=True), eps)


def _eps(width: int, eps: float, dtype: torch.dtype) -> Tensor:
    """A norm's epsilon as `_unit` takes it."""
    return torch.tensor(math.sqrt(width * eps), dtype=dtype)


class Layer(nn.Module):
    """One block: q, k and v as one linear layer, gate and up as one.

    The two numbers of a head that the rotation turns together are neighbours here, so one complex product turns them.
    Queries come out scaled for attention.
    """

    def __init__(self, layer: Any, config: Any) -> None:
        super().__init__()
        attention, mlp = layer.self_attn, layer.mlp
        self.heads: int = config.num_attention_heads
        self.kv_heads: int = config.num_key_value_heads
        self.dim: int = attention.head_dim
        dtype, root = attention.q_proj.weight.dtype, math.sqrt(self.dim)
        interleaved = torch.arange(self.dim).view(2, -1).t().flatten()
        order = torch.arange((self.heads + 2 * self.kv_heads) * self.dim).view(-1, self.dim)
        order[: -self.kv_heads] = order[: -self.kv_heads, interleaved]
        parts = [attention.q_proj, attention.k_proj, attention.v_proj]
        self.project = _linear(parts, layer.input_layernorm, order.flatten())
        self.mix = _linear([attention.o_proj])
        self.widen = _linear([mlp.gate_proj, mlp.up_proj], layer.post_attention_layernorm)
        self.narrow = _linear([mlp.down_proj])
        self.act = mlp.act_fn
        self.long: int = LONG  # TorchScript sees no globals
        self.eps = self.head_eps = _eps(config.hidden_size, config.rms_norm_eps, dtype)
        self.scale: Tensor | None = None
        if hasattr(attention, "q_norm"):  # Qwen3 normalizes each head's queries and keys
            self.head_eps = _eps(self.dim, attention.q_norm.variance_epsilon, dtype)
            queries, keys = attention.q_norm.weight, attention.k_norm.weight * root
            self.scale = torch.cat([queries.expand(self.heads, -1), keys.expand(self.kv_heads, -1)])[:, interleaved]
        else:
            for outputs in (self.project.weight, self.project.bias):
                if outputs is not None:
                    outputs[: self.heads * self.dim] /= root

    def forward(
        self, x: Tensor, rotary: Tensor, added: Tensor | None, fresh: Tensor, keys: Tensor, values: Tensor
    ) -> Tensor:
        """x[n, width] from x[n, width].

        Args:
            fresh: [2 * kv_heads, n, dim], where the keys and values of these n go.
            keys: [kv_heads, dim, slots], all of them, fresh ones included; values: [kv_heads, slots, dim].
        """
        n = x.shape[0]
        every = self.project(unit(x, self.eps)).view(n, self.heads + 2 * self.kv_heads, self.dim)
        rotated = every[:, : -self.kv_heads]
        if self.scale is not None:
            rotated.copy_(unit(rotated, self.head_eps) * self.scale)
        torch.view_as_complex(rotated.view(n, self.heads + self.kv_heads, self.dim // 2, 2)).mul_(rotary)
        every = every.transpose(0, 1)
        fresh.copy_(every[self.heads :])
        queries = every[: self.heads].reshape(self.kv_heads, -1, self.dim)
        if n >= self.long:
            seen = functional.scaled_dot_product_attention(queries, keys.mT, values, attn_mask=added, scale=1.0)
        else:
            scores = torch.bmm(queries, keys)
            seen = torch.bmm((scores if added is None else scores + added).softmax(-1), values)
        x = x + self.mix(seen.view(self.heads, n, self.dim).transpose(0, 1).reshape(n, -1))
        gate, up = self.widen(unit(x, self.eps)).chunk(2, -1)
        fed: Tensor = x + self.narrow(self.act(gate) * up)
        return fed


def _linear(parts: Sequence[nn.Linear], norm: Any = None, order: Tensor | None = None) -> nn.Linear:
    """Joins linear layers that read the same input, reorders their outputs, and folds in the norm before them."""
    weight = torch.cat([part.weight for part in parts]).double()
    bias = None if parts[0].bias is None else torch.cat([part.bias for part in parts])
    if norm is not None:
        weight *= norm.weight.double() * math.sqrt(norm.weight.numel())
    if order is not None:
        weight, bias = weight[order], None if bias is None else bias[order]
    joined = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, device="meta")
    joined.weight = nn.Parameter(weight.to(parts[0].weight.dtype), requires_grad=False)
    joined.bias = None if bias is None else nn.Parameter(bias, requires_grad=False)
    return joined
