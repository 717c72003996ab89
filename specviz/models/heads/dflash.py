"""DFlash's drafter: a few layers that fill a block of blanks in one pass.

The block's first place holds the last token of the text, s_n, which the target has not read; the others hold learned
masks. All of them see each other, and the fused states f_0 to f_{n-1} of the text before. Place k predicts s_{n+k}.

Source: DFlash, Chen et al., arXiv:2602.06036.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.heads.eagle import Norm, rotated, rotation

BLOCK = 8
DEPTH = 2
Attend = Callable[[int, Tensor, Tensor, Tensor], Tensor]
"""Attention of one layer by number: the block's queries, keys and values, [..., heads, n, dim]; it adds the text's."""


@dataclass(frozen=True, slots=True)
class DFlashShape:
    """layers: the target's layers whose states are fused. block: places of a block, the text's last token included."""

    width: int
    heads: int
    dim: int
    wide: int
    depth: int
    block: int
    layers: tuple[int, ...]
    eps: float
    theta: float


class Layer(nn.Module):
    """One layer. Keys and values of the text come from fused states, by the same matrices as the block's own."""

    def __init__(self, shape: DFlashShape) -> None:
        super().__init__()
        self.shape = shape
        width, inner = shape.width, shape.heads * shape.dim
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(width, inner, bias=False) for _ in range(3))
        self.o_proj = nn.Linear(inner, width, bias=False)
        self.gate_proj, self.up_proj = (nn.Linear(width, shape.wide, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(shape.wide, width, bias=False)
        self.input_norm, self.mlp_norm = (Norm(width, eps=shape.eps) for _ in range(2))

    def remembered(self, fused: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the text, [..., heads, n, dim], from its fused states, [..., n, width]."""
        cos, sin = rotation(positions, self.shape.dim, self.shape.theta)
        return rotated(self._split(self.k_proj(fused)), cos, sin), self._split(self.v_proj(fused))

    def forward(self, x: Tensor, positions: Tensor, attend: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
        """[..., n, width] of the block."""
        inside = self.input_norm(x)
        cos, sin = rotation(positions, self.shape.dim, self.shape.theta)
        keys, values = self.remembered(inside, positions)
        seen = attend(rotated(self._split(self.q_proj(inside)), cos, sin), keys, values)
        x = x + self.o_proj(seen.transpose(-2, -3).flatten(-2))
        inside = self.mlp_norm(x)
        out: Tensor = x + self.down_proj(functional.silu(self.gate_proj(inside)) * self.up_proj(inside))
        return out

    def _split(self, x: Tensor) -> Tensor:
        parts: Tensor = x.unflatten(-1, (self.shape.heads, self.shape.dim)).transpose(-2, -3)
        return parts


class DFlash(nn.Module):
    """See above. The embedding and the output head are the target's."""

    def __init__(self, shape: DFlashShape) -> None:
        super().__init__()
        self.shape = shape
        self.fuse = nn.Linear(len(shape.layers) * shape.width, shape.width, bias=False)
        self.fused_norm, self.token_norm, self.norm = (Norm(shape.width, eps=shape.eps) for _ in range(3))
        self.masks = nn.Parameter(torch.zeros(shape.block - 1, shape.width))
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.depth)])

    def fused(self, states: Tensor) -> Tensor:
        """[..., width] from the states of its layers, [..., layers, width], which differ greatly in size."""
        even = functional.rms_norm(states, states.shape[-1:], eps=self.shape.eps)
        fused: Tensor = self.fused_norm(self.fuse(even.flatten(-2)))
        return fused

    def remembered(self, fused: Tensor, positions: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Keys and values of the text by layer; see Layer."""
        return [layer.remembered(fused, positions) for layer in self.layers if isinstance(layer, Layer)]

    def forward(self, embedded: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """What the output head reads for places 1 to block - 1: [..., block - 1, width].

        Args:
            embedded: [..., width], the last token's.
            positions: [block], or one row of them for each block.
        """
        x = torch.cat([self.token_norm(embedded)[..., None, :], self.masks.expand(*embedded.shape[:-1], -1, -1)], -2)
        for number, layer in enumerate(self.layers):
            x = layer(x, positions, lambda q, k, v, number=number: attend(number, q, k, v))
        out: Tensor = self.norm(x[..., 1:, :])
        return out

    def facts(self) -> dict[str, Any]:
        """What its file notes."""
        return {"shape": asdict(self.shape)}


def new(target: Any, layers: tuple[int, ...], seed: int) -> DFlash:
    """A drafter before any training. Its norms begin as the target's, and its residual branches at zero."""
    config = target.config
    dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    shape = DFlashShape(
        config.hidden_size, config.num_attention_heads, dim, config.intermediate_size, DEPTH, BLOCK, layers,
        config.rms_norm_eps, config.rope_parameters["rope_theta"],
    )  # fmt: skip
    torch.manual_seed(seed)
    model = DFlash(shape)
    with torch.no_grad():
        model.norm.weight.copy_(target.model.norm.weight)
        model.masks.normal_(std=0.5)
        for name, weight in model.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                weight.zero_()
    return model
