"""Linear layers whose weights are stored in oneDNN's own order, which is fast for the few rows of a verify pass.

With two to about sixteen rows, the plain product first copies the whole matrix into that order, on every call. A single
row needs no copy, so for it each layer uses whichever way is faster on this machine.
"""

import statistics
from collections import defaultdict
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.pytorch_utils import Conv1D

from specviz.config import Clock
from specviz.models.passes.picked import Ways

ROWS = 5
"""Rows the order is chosen for; other numbers work as well."""
LAPS = 7


def missing() -> str:
    """Why this build of torch cannot pack; "" if it can."""
    if not torch.backends.mkldnn.is_available():
        return "this build of torch has no oneDNN"
    if not hasattr(torch.ops.mkldnn, "_reorder_linear_weight"):
        return "this release of torch has no packed linear layer"
    return ""


class Packed(nn.Module):
    """A linear layer over float32[out, in].

    `one` says how a single row is computed, `few` how two to ROWS - 1 rows are. "packed" multiplies in oneDNN's order;
    "padded" does so after adding rows of zeros, which can be faster; "turned", for one row only, multiplies with a
    transposed copy.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), ROWS)
        self.turned: Tensor | None = weight.t().contiguous()
        self.bias = bias
        self.one = self.few = "packed"
        self.rows: int = ROWS  # TorchScript sees no globals
        self.shape = f"{weight.shape[0]}x{weight.shape[1]}"

    def forward(self, x: Tensor) -> Tensor:
        """float32[..., n, out] from float32[..., n, in]."""
        n = x.shape[-2]
        if n >= self.rows:
            return self._multiply(x)
        way = self.few if n > 1 else self.one
        if way == "turned":
            turned = self.turned
            assert turned is not None, "kept for this"
            product = torch.matmul(x, turned)
            return product if self.bias is None else product + self.bias
        if way == "padded":
            return self._multiply(functional.pad(x, (0, 0, 0, self.rows - n)))[..., :n, :]
        return self._multiply(x)

    def _multiply(self, x: Tensor) -> Tensor:
        out: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, "none", [], "")
        return out


@torch.inference_mode()
def pack(
    model: nn.Module, clock: Clock, *, turned: bool = False, ways: Ways | None = None
) -> list[tuple[nn.Module, str, nn.Module]]:
    """Packs every linear layer of a float32 model in place, GPT-2's Conv1D included.

    Args:
        turned: keep every layer's transposed copy, not only those in use, and none of the replaced layers, so that
            memory holds no third copy.
        ways: how one row and a few rows are computed, from `ways_of`; other shapes are timed.

    Returns:
        The replaced layers that were kept: the module, the layer's name in it, and the layer.
    """
    replaced = []
    shapes: dict[torch.Size, list[Packed]] = defaultdict(list)
    for parent in [module for module in model.modules() if not isinstance(module, nn.Linear | Conv1D)]:
        for name, layer in parent.named_children():
            if isinstance(layer, nn.Linear | Conv1D):
                weight = layer.weight if isinstance(layer, nn.Linear) else layer.weight.t()
                packed = Packed(weight.detach(), None if layer.bias is None else layer.bias.detach())
                setattr(parent, name, packed)
                shapes[weight.shape].append(packed)
                if not turned:
                    replaced.append((parent, name, layer))
    for shape, layers in shapes.items():
        way = (ways or {}).get(layers[0].shape)
        if way is None:
            _choose(layers, shape[1], clock)
        for packed in layers:
            packed.one, packed.few = way or (packed.one, packed.few)
            if not turned and packed.one != "turned":
                packed.turned = None
    return replaced


def ways_of(model: nn.Module) -> Ways:
    """How its packed layers compute one row and a few rows."""
    return {layer.shape: (layer.one, layer.few) for layer in model.modules() if isinstance(layer, Packed)}


def _choose(layers: Sequence[Packed], width: int, clock: Clock) -> None:
    """Times rows through layer after layer, as in a pass, and chooses the fastest ways."""
    choices = ("one", 1, ("turned", "packed", "padded")), ("few", 2, ("packed", "padded"))
    for name, rows, ways in choices:
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        x = torch.ones(1, rows, width)
        for _ in range(LAPS):
            for way, taken in seconds.items():
                for layer in layers:
                    setattr(layer, name, way)
                start = clock()
                for layer in layers:
                    layer(x)
                taken.append(clock() - start)
        best = min(ways, key=lambda way: statistics.median(seconds[way]))
        for layer in layers:
            setattr(layer, name, best)
