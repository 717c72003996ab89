"""Medusa's and Hydra's heads: each guesses one further place, all from one state of the target.

The state f_j has seen the tokens up to s_j, and the token s_{j+1} was drawn from it. Head 1 predicts what follows
s_{j+1}, head k what follows s_{j+k}. All heads know s_{j+1}. Medusa's know nothing else, so they can all guess at once.
Hydra's head k also knows the guesses for s_{j+2} to s_{j+k}.

Sources: Medusa, Cai et al., arXiv:2401.10774; Hydra, Ankner et al., arXiv:2402.05109.
"""

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

HEADS = 4


@dataclass(frozen=True, slots=True)
class MedusaShape:
    """layers: the target's layers whose states the heads read. The last is the one its output head reads.

    told: whether a head knows the guesses before its own.
    """

    width: int
    heads: int
    layers: tuple[int, ...]
    told: bool
    eps: float


class Medusa(nn.Module):
    """See above. The embedding and the output head are the target's."""

    def __init__(self, shape: MedusaShape) -> None:
        super().__init__()
        self.shape = shape
        width, states = shape.width, len(shape.layers)
        known = [states + (head if shape.told else 1) for head in range(1, shape.heads + 1)]
        self.inner = nn.ModuleList([nn.Linear(count * width, width, bias=False) for count in known])
        self.outer = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in known])

    def forward(self, head: int, states: Tensor, embedded: Tensor) -> Tensor:
        """What the output head reads for head number `head`, counted from 0: [..., width].

        Args:
            states: [..., layers, width].
            embedded: [..., known, width], the embeddings of the tokens it knows, the drawn one first.
        """
        both = (functional.rms_norm(each, each.shape[-1:], eps=self.shape.eps) for each in (states, embedded))
        inside = self.inner[head](torch.cat([each.flatten(-2) for each in both], -1))
        out: Tensor = states[..., -1, :] + self.outer[head](functional.silu(inside))
        return out

    def facts(self) -> dict[str, Any]:
        """What its file notes."""
        return {"shape": asdict(self.shape)}


def new(target: Any, layers: tuple[int, ...], seed: int, *, told: bool) -> Medusa:
    """Heads before any training: each says what the target itself says of the next token."""
    torch.manual_seed(seed)
    model = Medusa(MedusaShape(target.config.hidden_size, HEADS, layers, told, target.config.rms_norm_eps))
    with torch.no_grad():
        for weight in model.outer.parameters():
            weight.zero_()
    return model
