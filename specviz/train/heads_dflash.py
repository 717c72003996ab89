"""Trains DFlash's drafter on many blocks of every window at once."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from specviz.models.heads.dflash import DFlash
from specviz.train.heads_loss import overlap_loss

ANCHORS = 40
"""Blocks of a window in one step."""
FALL = 4.0
"""Place k of a block weighs exp(-(k - 1) / FALL)."""


def read(model: DFlash, embedded: Tensor, states: Tensor, anchors: Tensor) -> Tensor:
    """What the output head reads, [rows, anchors, block - 1, width]: blocks that begin with the token at each anchor,
    and see the states before it.
    """
    shape = model.shape
    rows, n = embedded.shape[:2]
    fused, before = model.fused(states), torch.arange(n, device=states.device)
    memory = [layer.remembered(fused, before) for layer in model.layers]
    hidden = (before[None, :] >= anchors[:, None]).repeat_interleave(shape.block, 0)

    def attend(number: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """[rows, anchors, heads, block, dim]; a block sees the text before its anchor, and itself."""
        keys, values = memory[number]
        q = q * q.shape[-1] ** -0.5
        flat = q.transpose(1, 2).flatten(2, 3)
        text = (flat @ keys.mT).masked_fill(hidden, -math.inf).unflatten(2, (-1, shape.block))
        weights = torch.cat([text, (q @ k.mT).transpose(1, 2)], -1).float().softmax(-1).to(v.dtype)
        seen = (weights[..., :n].flatten(2, 3) @ values).unflatten(2, (-1, shape.block)).transpose(1, 2)
        return seen + weights[..., n:].transpose(1, 2) @ v

    positions = anchors[:, None] + torch.arange(shape.block, device=states.device)
    return model(embedded[:, anchors], positions[:, None], attend)


def lesson(model: DFlash, embedding: Tensor, head: Tensor) -> Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """See heads.Lesson. Depth k is the overlap of place k, which does not know the guesses before it.

    Args:
        embedding, head: [V, width] of the target, frozen.
    """
    places = model.shape.block - 1

    def loss_of(tokens: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        rows, n = tokens.shape
        if torch.is_grad_enabled():
            anchors = torch.randperm(n - places - 2)[:ANCHORS].to(tokens.device).sort().values + 1
        else:
            anchors = torch.arange(8, n - places, 8, device=tokens.device)
        found = read(model, embedding[tokens], states, anchors).flatten(0, 2).float()
        wanted = states[:, anchors[:, None] + torch.arange(places, device=tokens.device), -1].flatten(0, 2)
        fall = torch.exp(-torch.arange(places, device=tokens.device) / FALL)
        weights = (fall / (rows * len(anchors) * fall.sum())).repeat(rows * len(anchors))[None]
        loss, overlaps = overlap_loss(found[None], wanted, weights, head)
        return loss, overlaps.view(-1, places).mean(0)

    return loss_of
