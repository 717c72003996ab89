"""Trains Medusa's or Hydra's heads, all at once."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.heads.medusa import Medusa
from specviz.train.heads_loss import overlap_loss

FALL = 0.85
"""A head weighs so much of the one before it."""


def read(model: Medusa, embedded: Tensor, states: Tensor) -> Tensor:
    """What the output head reads, [heads, rows, n - 1, width]. At place i, head k foretells the target's state i + 1
    from the state k places before it; that is real where i >= k.
    """
    n = states.shape[1]
    found = []
    for head in range(model.shape.heads):
        known = torch.arange(head + 1 if model.shape.told else 1, device=states.device)
        at = torch.arange(n - 1 - head, device=states.device)
        drawn = embedded[:, at[:, None] + 1 + known]
        found.append(functional.pad(model(head, states[:, at], drawn), (0, 0, head, 0)))
    return torch.stack(found)


def lesson(model: Medusa, embedding: Tensor, head: Tensor) -> Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """See heads.Lesson. Depth k is the overlap of head k, behind text that the target wrote.

    Args:
        embedding, head: [V, width] of the target, frozen.
    """

    def loss_of(tokens: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        found = read(model, embedding[tokens], states).flatten(1, 2).float()
        rows, n = tokens.shape
        ks = torch.arange(model.shape.heads, device=tokens.device)
        real = torch.arange(n - 1, device=tokens.device).repeat(rows) >= ks[:, None]
        wanted = states[:, 1:, -1].flatten(0, 1)
        loss, overlaps = overlap_loss(found, wanted, real * (FALL**ks / (rows * n))[:, None], head)
        return loss, (overlaps * real).sum(1) / real.sum(1)

    return loss_of
