"""A model's linear layers with their weights rounded to 8 bits: a rough copy of it, good enough to draft.

The weights stay int8 in memory, a quarter of float32. A product turns a block of rows back, multiplies, and drops it
again: the block stays in a core's cache. torch's own int8 kernel for the CPU took two to eight times as long. Weights
turned back once would be as fast as the model itself, and take as much memory once more.
"""

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.pytorch_utils import Conv1D

from specviz.models.rounded import LARGEST

BLOCK = 1 << 18
"""Weights that a CPU turns back at once. Much larger blocks take fresh memory from the system each time."""

PLAIN = (nn.Linear, Conv1D)
"""What inherits from these may return more than a product: a router does."""


class Int8Linear(nn.Module):
    """A linear layer over int8[out, in], with one scale for each output. Inputs and sums are not rounded.

    An output's largest weight becomes 127 or -127, and 0 stays 0.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        full = weight.detach().float()
        scale = (full.abs().amax(1) / LARGEST).clamp_(min=torch.finfo(torch.float32).tiny)
        rounded = (full / scale[:, None]).round_().to(torch.int8)
        self.weight = nn.Parameter(rounded, requires_grad=False)
        self.scale = nn.Parameter(scale, requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias.detach(), requires_grad=False)
        self.rows: int = max(1, BLOCK // weight.shape[1]) if weight.is_cpu else len(weight)

    def forward(self, x: Tensor) -> Tensor:
        """[..., out] from [..., in]."""
        wide = x.float() if x.dtype == torch.float16 else x  # sums over unscaled weights are too large for it
        parts = [functional.linear(wide, rows.to(wide.dtype)) for rows in self.weight.split(self.rows)]
        out = torch.cat(parts, -1) * self.scale
        return (out if self.bias is None else out + self.bias).to(x.dtype)


def twin(model: nn.Module) -> nn.Module:
    """Another model over the same tensors, whose layers may be exchanged."""
    tensors = [each for module in model.modules() for each in vars(module).values() if isinstance(each, Tensor)]
    shared = {id(each): each for each in (*tensors, *model.parameters(), *model.buffers())}
    return copy.deepcopy(model, memo=dict(shared))


@torch.inference_mode()
def int8(model: nn.Module) -> nn.Module:
    """A copy whose linear layers are rounded, GPT-2's Conv1D included. It shares everything else.

    The embedding is looked up, not multiplied, so it is not rounded, even where the output layer has the same weights.
    """
    rough = twin(model)
    for parent in [*rough.modules()]:
        for name, layer in parent.named_children():
            if isinstance(layer, nn.Linear | Conv1D) and type(layer) in PLAIN:
                weight = layer.weight if isinstance(layer, nn.Linear) else layer.weight.t()
                setattr(parent, name, Int8Linear(weight, layer.bias))
    return rough
