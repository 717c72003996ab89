"""Linear layers whose weights stand in oneDNN's own order: fast for the handful of rows of a verify pass.

Given two to about sixteen rows, the plain product first copies the whole matrix into that order, on every call. One
row alone needs no copy, so there a layer goes by whichever is faster on this machine.
"""

import statistics
from collections import defaultdict
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.pytorch_utils import Conv1D

from specviz.config import Clock

ROWS = 5
"""What the order is chosen for; others work as well."""
LAPS = 15


def missing() -> str:
    """Why this build of torch cannot pack, or nothing."""
    if not torch.backends.mkldnn.is_available():
        return "this build of torch has no oneDNN"
    if not hasattr(torch.ops.mkldnn, "_reorder_linear_weight"):
        return "this release of torch has no packed linear layer"
    return ""


class Packed(nn.Module):
    """A linear layer over float32[out, in]; `alone` is the plain weight, kept if one row goes faster by it."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, ROWS)
        self.alone: Tensor | None = weight
        self.bias = bias

    def forward(self, x: Tensor) -> Tensor:
        if self.alone is not None and x.shape[-2] == 1:
            return functional.linear(x, self.alone, self.bias)
        out: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, self.packed, self.bias, "none", [], "")
        return out


@torch.inference_mode()
def pack(model: nn.Module, clock: Clock) -> list[tuple[nn.Module, str, nn.Module]]:
    """Packs every linear layer of a float32 model in place, GPT-2's Conv1D included.

    Returns:
        What it replaced: in which module, by what name, the layer itself.
    """
    replaced = []
    shapes: dict[torch.Size, list[Packed]] = defaultdict(list)
    for parent in list(model.modules()):
        for name, layer in parent.named_children():
            if isinstance(layer, nn.Linear | Conv1D):
                weight = layer.weight if isinstance(layer, nn.Linear) else layer.weight.t()
                packed = Packed(weight.detach().contiguous(), None if layer.bias is None else layer.bias.detach())
                replaced.append((parent, name, layer))
                setattr(parent, name, packed)
                shapes[weight.shape].append(packed)
    for shape, layers in shapes.items():
        _choose(layers, torch.ones(1, shape[1]), clock)
    return replaced


def _choose(layers: Sequence[Packed], row: Tensor, clock: Clock) -> None:
    """Lets go of the plain weights if one row goes faster by the packed ones. Layer after layer, as in a pass."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    weights = [layer.alone for layer in layers]
    for lap in range(2 * LAPS):
        alone = bool(lap % 2)
        for layer, weight in zip(layers, weights, strict=True):
            layer.alone = weight if alone else None
        start = clock()
        for layer in layers:
            layer(row)
        seconds[alone].append(clock() - start)
    if statistics.median(seconds[True]) > statistics.median(seconds[False]):
        weights = [None] * len(layers)
    for layer, weight in zip(layers, weights, strict=True):
        layer.alone = weight
