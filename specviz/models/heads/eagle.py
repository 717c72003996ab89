"""EAGLE's head: one decoder layer that foretells the target's next state from its last one and the token after it.

At place j it reads state f_j, which has seen the tokens up to s_j, and the token s_{j+1} that was drawn from it. What
comes out stands for f_{j+1}: the target's own output head reads from it what follows s_{j+1}. Further on, where no
true state is known yet, it reads what it put out itself.

Source: EAGLE-3, Li et al., arXiv:2503.01840.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Attention: queries, keys and values [..., heads, n, dim] to [..., heads, n, dim]."""


@dataclass(frozen=True, slots=True)
class EagleShape:
    """layers: the target's layers whose states are fused."""

    width: int
    heads: int
    dim: int
    wide: int
    layers: tuple[int, ...]
    eps: float
    theta: float


class Norm(nn.RMSNorm):
    """Reads states of its weights' type, also where a product before it was made in a smaller one."""

    def forward(self, x: Tensor) -> Tensor:
        even: Tensor = super().forward(x.to(self.weight.dtype))
        return even


class Eagle(nn.Module):
    """See above. Its embedding and output head are the target's and are passed in."""

    def __init__(self, shape: EagleShape) -> None:
        super().__init__()
        self.shape = shape
        width, inner = shape.width, shape.heads * shape.dim
        self.fuse = nn.Linear(len(shape.layers) * width, width, bias=False)
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(2 * width, inner, bias=False) for _ in range(3))
        self.o_proj = nn.Linear(inner, width, bias=False)
        self.gate_proj, self.up_proj = (nn.Linear(width, shape.wide, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(shape.wide, width, bias=False)
        self.token_norm, self.state_norm, self.mlp_norm, self.norm = (Norm(width, eps=shape.eps) for _ in range(4))

    def fused(self, states: Tensor) -> Tensor:
        """[..., width] from the states of its layers, [..., layers, width], which differ greatly in size."""
        fused: Tensor = self.fuse(functional.rms_norm(states, states.shape[-1:], eps=self.shape.eps).flatten(-2))
        return fused

    def forward(self, embedded: Tensor, state: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """The next state, [..., n, width], from tokens and the states before them, of the same shape."""
        both = torch.cat([self.token_norm(embedded), self.state_norm(state)], -1)
        q, k, v = (self._split(project(both)) for project in (self.q_proj, self.k_proj, self.v_proj))
        cos, sin = rotation(positions, self.shape.dim, self.shape.theta)
        seen = attend(rotated(q, cos, sin), rotated(k, cos, sin), v)
        x = state + self.o_proj(seen.transpose(-2, -3).flatten(-2))
        inside = self.mlp_norm(x)
        out: Tensor = x + self.down_proj(functional.silu(self.gate_proj(inside)) * self.up_proj(inside))
        return out

    def facts(self) -> dict[str, Any]:
        """What its file notes."""
        return {"shape": asdict(self.shape)}

    def _split(self, x: Tensor) -> Tensor:
        parts: Tensor = x.unflatten(-1, (self.shape.heads, self.shape.dim)).transpose(-2, -3)
        return parts


def rotation(positions: Tensor, dim: int, theta: float) -> tuple[Tensor, Tensor]:
    """cos and sin, [..., n, dim], as rotary embeddings of the Llama family have them."""
    rates = theta ** (-torch.arange(0, dim, 2, device=positions.device, dtype=torch.float32) / dim)
    angles = positions[..., None] * rates
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Queries or keys turned by their positions."""
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


def new(target: Any, layers: tuple[int, ...], seed: int) -> Eagle:
    """A head for a target of the Llama family, before any training. Its norms begin as the target's, and its residual
    branches at zero; the fused state begins as the last of its layers.
    """
    config = target.config
    dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    theta = config.rope_parameters["rope_theta"]
    width, wide = config.hidden_size, config.intermediate_size
    shape = EagleShape(width, config.num_attention_heads, dim, wide, layers, config.rms_norm_eps, theta)
    torch.manual_seed(seed)
    model = Eagle(shape)
    first, last = target.model.layers[0], target.model.layers[-1]
    with torch.no_grad():
        for ours, theirs in (
            (model.token_norm, first.input_layernorm),
            (model.mlp_norm, last.post_attention_layernorm),
            (model.norm, target.model.norm),
        ):
            ours.weight.copy_(theirs.weight)
        model.o_proj.weight.zero_()
        model.down_proj.weight.zero_()
        model.fuse.weight.mul_(0.1)[:, -shape.width :].add_(torch.eye(shape.width))
    return model
