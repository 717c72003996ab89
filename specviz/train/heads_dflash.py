"""Trains DFlash's drafter on many blocks of every window at once."""

import math

import torch
from torch import Tensor

from specviz.models.heads.dflash import DFlash
from specviz.train.heads_loss import Guessed, Guessing

ANCHORS = 40
"""Blocks of a window in one step."""
FALL = 4.0
"""Place k of a block weighs exp(-(k - 1) / FALL)."""


def read(model: DFlash, embedded: Tensor, states: Tensor, anchors: Tensor) -> Tensor:
    """What the output head reads, [rows, anchors, block - 1, width]: blocks that begin with the token at each anchor,
    and see the states before it.
    """
    shape = model.shape
    n = embedded.shape[1]
    fused, before = model.fused(states), torch.arange(n, device=states.device)
    memory = model.remembered(fused, before)
    hidden = (before[None, :] >= anchors[:, None]).repeat_interleave(shape.block, 0)

    def attend(number: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """[rows, anchors, heads, block, dim]; a block sees the text before its anchor, and itself."""
        keys, values = memory[number]
        q = q * q.shape[-1] ** -0.5
        flat = q.transpose(1, 2).flatten(2, 3)
        text = (flat @ keys.mT).masked_fill(hidden, -math.inf).unflatten(2, (-1, shape.block))
        weights = torch.cat([text, (q @ k.mT).transpose(1, 2)], -1).float().softmax(-1).to(v.dtype)
        seen = (weights[..., :n].flatten(2, 3) @ values).unflatten(2, (-1, shape.block)).transpose(1, 2)
        output: Tensor = seen + weights[..., n:].transpose(1, 2) @ v
        return output

    positions = anchors[:, None] + torch.arange(shape.block, device=states.device)
    output: Tensor = model(embedded[:, anchors], positions[:, None], attend)
    return output


def guesses(model: DFlash) -> Guessing:
    """See heads.Guessing; depth k is place k of a block, which does not know the guesses before it."""
    places = model.shape.block - 1
    fall = [math.exp(-place / FALL) for place in range(places)]

    def guessed(tokens: Tensor, embedded: Tensor, states: Tensor) -> Guessed:
        n = tokens.shape[1]
        if torch.is_grad_enabled():
            anchors = torch.randperm(n - places - 2)[:ANCHORS].to(tokens.device).sort().values + 1
        else:
            anchors = torch.arange(8, n - places, 8, device=tokens.device)
        output = read(model, embedded, states, anchors).flatten(0, 1).transpose(0, 1)
        behind = anchors[:, None] + torch.arange(places, device=tokens.device)
        wanted = states[:, behind, -1].flatten(0, 1).transpose(0, 1)
        return Guessed(
            output, wanted, output.new_ones(output.shape[:2], dtype=torch.bool), [each / sum(fall) for each in fall]
        )

    return guessed
