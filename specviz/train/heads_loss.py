"""What heads are trained for: the overlap of their distribution with the target's, at the temperature people use."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from specviz.train.pair import MISSED, TEMPERATURE

CHUNK = 256
"""Rows whose probabilities are in memory at once. Few enough stay near the processor."""


class Guessed(NamedTuple):
    """What a head predicts of a text, by depth.

    Attributes:
        outputs: [depths, n, width], what the output head reads of it.
        wanted: [n, width] or [depths, n, width], what it reads of the target at the same place.
        real: bool[depths, n], where there is such a guess.
        fall: how much each depth weighs.
        totals: [n], the logarithm of the sum of exp(logits / TEMPERATURE) over all of the target's tokens, where a head
            speaks by some of its rows only; None where it speaks by all.
    """

    outputs: Tensor
    wanted: Tensor
    real: Tensor
    fall: Sequence[float]
    totals: Tensor | None = None


Guessing = Callable[[Tensor, Tensor, Tensor], Guessed]
"""From tokens[rows, n], their embeddings, and the target's states there, [rows, n, layers, width]."""
Foretelling = Callable[..., Guessed]
"""From whatever a text's `take` gives."""


class _Overlap(torch.autograd.Function):
    """Computes the gradient along with the loss: the output head is frozen, so no logits need to be kept."""

    @staticmethod
    def forward(
        ctx: Any, guessed: Tensor, wanted: Tensor, totals: Tensor | None, weights: Tensor, head: Tensor, missed: float
    ) -> tuple[Tensor, Tensor]:
        device = guessed.device.type
        fast = head.bfloat16()
        steps, n, _ = guessed.shape
        gradient = torch.empty_like(guessed)
        overlaps = guessed.new_empty(steps, n)
        loss = guessed.new_zeros(())
        size = CHUNK if device == "cpu" else 8 * CHUNK
        for start in range(0, n, size):
            part = slice(start, start + size)
            scores = (wanted[part].bfloat16() @ fast.t()).float().div_(TEMPERATURE)
            p = scores.softmax(-1) if totals is None else scores.sub_(totals[part, None]).exp_()
            mass = p.sum(-1, keepdim=True)
            for step in range(steps):
                log_q = (guessed[step, part].bfloat16() @ fast.t()).float().div_(TEMPERATURE).log_softmax(-1)
                weight = weights[step, part]
                q = log_q.exp()
                overlap = torch.minimum(p, q).sum(-1)
                overlaps[step, part] = overlap
                loss += (weight * (missed * (1 - overlap) - (p * log_q).sum(-1))).sum()
                # d(1 - overlap)/dz = q (sum of q where q < p, less 1 where q < p)
                below = (q < p).float()
                spared = (q * below).sum(-1, keepdim=True).sub(below)
                pull = q.mul(missed).mul_(spared).add_(q * mass).sub_(p)
                pull.mul_(weight[:, None] / TEMPERATURE)
                gradient[step, part] = (pull.bfloat16() @ fast).to(gradient.dtype)
        ctx.save_for_backward(gradient)
        ctx.mark_non_differentiable(overlaps)
        return loss, overlaps

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradients[0] * gradient, None, None, None, None, None


def overlap_loss(guessed: Guessed, head: Tensor) -> tuple[Tensor, Tensor]:
    """Soft cross-entropy plus MISSED x (1 - overlap), weighted and summed; and the mean overlap by depth.

    Args:
        head: [V, width], the target's output head, or those of its rows that the guesses speak by.
    """
    found, wanted, real, fall, totals = guessed
    weights = real * found.new_tensor(fall, dtype=torch.float32)[:, None] / real.shape[1]
    if wanted.dim() == found.dim():
        found, wanted, weights = found.flatten(0, 1)[None], wanted.flatten(0, 1), weights.flatten()[None]
    given = found.float(), wanted, totals, weights, head, MISSED
    loss, overlaps = _Overlap.apply(*given)  # type: ignore[no-untyped-call]
    overlaps = overlaps.view(real.shape)
    return loss, (overlaps * real).sum(1) / real.sum(1)
