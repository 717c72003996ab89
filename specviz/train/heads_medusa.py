"""Trains Medusa's or Hydra's heads, all at once."""

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.heads.medusa import Medusa
from specviz.train.heads_loss import Guessed, Guessing

FALL = 0.85
"""A head weighs so much of the one before it."""


def read(model: Medusa, embedded: Tensor, states: Tensor) -> Tensor:
    """What the output head reads, [heads, rows, n - 1, width]. At place i, head k predicts the target's state i + 1
    from the state k places before it; that is real where i >= k.
    """
    n = states.shape[1]
    outputs = []
    for head in range(model.shape.heads):
        known = torch.arange(head + 1 if model.shape.told else 1, device=states.device)
        at = torch.arange(n - 1 - head, device=states.device)
        drawn = embedded[:, at[:, None] + 1 + known]
        outputs.append(functional.pad(model(head, states[:, at], drawn), (0, 0, head, 0)))
    return torch.stack(outputs)


def guesses(model: Medusa) -> Guessing:
    """See heads.Guessing; depth k is head k."""
    fall = tuple(FALL**head for head in range(model.shape.heads))

    def guessed(tokens: Tensor, embedded: Tensor, states: Tensor) -> Guessed:
        rows, n = tokens.shape
        heads = torch.arange(model.shape.heads, device=tokens.device)
        real = torch.arange(n - 1, device=tokens.device).repeat(rows) >= heads[:, None]
        return Guessed(read(model, embedded, states).flatten(1, 2), states[:, 1:, -1].flatten(0, 1), real, fall)

    return guessed
