"""EAGLE's head: one decoder layer that predicts the target's next state from its last one and the token after it.

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


class Layer(nn.Module):
    """A decoder layer of the Llama family, but for what its attention reads and the norm of it."""

    def __init__(self, shape: EagleShape, reads: int) -> None:
        """reads: numbers that its attention reads of a place."""
        super().__init__()
        self.shape = shape
        width, inner = shape.width, shape.heads * shape.dim
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(reads, inner, bias=False) for _ in range(3))
        self.o_proj = nn.Linear(inner, width, bias=False)
        self.gate_proj, self.up_proj = (nn.Linear(width, shape.wide, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(shape.wide, width, bias=False)
        self.mlp_norm = Norm(width, eps=shape.eps)

    def through(self, x: Tensor, read: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """[..., n, width] from the same, and from what its attention reads, [..., n, reads]."""
        q, k, v = (self._split(project(read)) for project in (self.q_proj, self.k_proj, self.v_proj))
        cos, sin = rotation(positions, self.shape.dim, self.shape.theta)
        seen = attend(rotated(q, cos, sin), rotated(k, cos, sin), v)
        x = x + self.o_proj(seen.transpose(-2, -3).flatten(-2))
        inside = self.mlp_norm(x)
        out: Tensor = x + self.down_proj(functional.silu(self.gate_proj(inside)) * self.up_proj(inside))
        return out

    def facts(self) -> dict[str, Any]:
        """What its file notes."""
        return {"shape": asdict(self.shape)}

    def _split(self, x: Tensor) -> Tensor:
        parts: Tensor = x.unflatten(-1, (self.shape.heads, self.shape.dim)).transpose(-2, -3)
        return parts


class Eagle(Layer):
    """See above. Its embedding and output head are the target's and are passed in."""

    def __init__(self, shape: EagleShape) -> None:
        super().__init__(shape, 2 * shape.width)
        self.fuse = nn.Linear(len(shape.layers) * shape.width, shape.width, bias=False)
        self.token_norm, self.state_norm, self.norm = (Norm(shape.width, eps=shape.eps) for _ in range(3))

    def fused(self, states: Tensor) -> Tensor:
        """[..., width] from the states of its layers, [..., layers, width], which differ greatly in size."""
        fused: Tensor = self.fuse(functional.rms_norm(states, states.shape[-1:], eps=self.shape.eps).flatten(-2))
        return fused

    def normed(self, states: Tensor) -> Tensor:
        """What the output head reads of its states."""
        found: Tensor = self.norm(states)
        return found

    def forward(self, embedded: Tensor, state: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """The next state, [..., n, width], from tokens and the states before them, of the same shape."""
        both = torch.cat([self.token_norm(embedded), self.state_norm(state)], -1)
        return self.through(state, both, positions, attend)


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


def shape_for(config: Any, layers: tuple[int, ...]) -> EagleShape:
    """The sizes of a layer as wide as those of a Llama target."""
    heads, width = config.num_attention_heads, config.hidden_size
    dim, theta = getattr(config, "head_dim", None) or width // heads, config.rope_parameters["rope_theta"]
    return EagleShape(width, heads, dim, config.intermediate_size, layers, config.rms_norm_eps, theta)


def new(target: Any, layers: tuple[int, ...], seed: int) -> Eagle:
    """A head for a target of the Llama family, before any training. Its norms begin as the target's, and its residual
    branches at zero; the fused state begins as the last of its layers.
    """
    torch.manual_seed(seed)
    model = Eagle(shape_for(target.config, layers))
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
        width = model.shape.width
        model.fuse.weight.mul_(0.1)[:, -width:].add_(torch.eye(width))
    return model
