"""Exits: what the hidden state after a layer becomes before the target's own final norm and output layer read it."""

from torch import Tensor, nn
from torch.nn import functional

from specviz.config.settings import ConfigError
from specviz.models.heads.files import Head


class Exit(nn.Module):
    """x + W2 SiLU(W1 x), where x is the state over its root mean square. W2 is zero at first: then nothing changes."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.widen = nn.Linear(width, hidden, bias=False)
        self.narrow = nn.Linear(hidden, width, bias=False)
        nn.init.zeros_(self.narrow.weight)

    def forward(self, x: Tensor) -> Tensor:
        unit = functional.rms_norm(x, x.shape[-1:])
        found: Tensor = unit + self.narrow(functional.silu(self.widen(unit)))
        return found


def exit_of(head: Head, layer: int, width: int) -> Exit:
    """The exit after that layer.

    Raises:
        ConfigError: there is none, or it is for states of another width.
    """
    layers = head.facts.get("layers", [])
    if layer not in layers:
        raise ConfigError(f"{head.path} has no exit behind layer {layer}; there are: {', '.join(map(str, layers))}")
    widen = head.take(f"{layer}.widen.weight", -1, width)
    narrow = head.take(f"{layer}.narrow.weight", width, len(widen))
    found = Exit(width, len(widen))
    found.load_state_dict({"widen.weight": widen, "narrow.weight": narrow})
    return found.eval().requires_grad_(requires_grad=False)
