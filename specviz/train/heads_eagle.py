"""Trains EAGLE's head, or a layer for multi-token prediction, on its own outputs, as it will run."""

import torch
from torch import Tensor

from specviz.models.heads.eagle import Eagle
from specviz.models.heads.mtp import Mtp
from specviz.train.heads_loss import Guessed, Guessing

STEPS = 4
"""How many guesses ahead it is trained: once on true states, then on its own outputs."""
FALL = 0.8
"""A step weighs so much of the one before it."""


class _Ahead:
    """Attention of one training step. At step k, place j sees the true keys up to j - k, and after those the keys of
    steps 1 to k on the places that lead to j.

    Source: training-time test, EAGLE-3, arXiv:2503.01840.
    """

    def __init__(self) -> None:
        self.keys: list[Tensor] = []
        self.values: list[Tensor] = []

    def __call__(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        self.keys.append(k)
        self.values.append(v)
        step, n = len(self.keys) - 1, q.shape[-2]
        q = q * q.shape[-1] ** -0.5
        places = torch.arange(n, device=q.device)
        hidden = places[None, :] > places[:, None] - step
        scores = (q @ self.keys[0].mT).masked_fill(hidden, -torch.inf)
        own_scores = [
            (q * _later(self.keys[m], step - m))
            .sum(-1, keepdim=True)
            .masked_fill((places < step - m)[:, None], -torch.inf)
            for m in range(1, step + 1)
        ]
        weights = torch.cat([scores, *own_scores], -1).float().softmax(-1).to(v.dtype)
        seen = weights[..., :n] @ self.values[0]
        for m in range(1, step + 1):
            seen = seen + weights[..., n + m - 1 : n + m] * _later(self.values[m], step - m)
        return seen


def _later(x: Tensor, places: int) -> Tensor:
    """What was `places` earlier; zeros before the beginning."""
    return torch.nn.functional.pad(x[..., : x.shape[-2] - places, :], (0, 0, places, 0)) if places else x


def unrolled(
    model: Eagle | Mtp, embedded: Tensor, states: Tensor, steps: int, *, fed_back: bool = True
) -> list[Tensor]:
    """What the output head reads after 1, 2, ... steps, [rows, n - 1, width] each. Place j predicts the target's
    state j + 1; it is real from step k on where j >= k.

    Args:
        embedded: [rows, n, width], the tokens' embeddings.
        states: [rows, n, layers, width].
        fed_back: whether steps after the first continue from the head's own outputs; if not, they train nothing.
    """
    state, ahead, outputs = model.fused(states[:, :-1]), _Ahead(), []
    positions = torch.arange(state.shape[1], device=state.device)
    for step in range(steps):
        with torch.set_grad_enabled(torch.is_grad_enabled() and (fed_back or not step)):
            out = model(embedded[:, 1:], state, positions, ahead)
            outputs.append(model.normed(out))
            state = _later(out, 1)
    return outputs


def guesses(model: Eagle | Mtp, steps: int = STEPS, *, fed_back: bool = True, share: float = 1) -> Guessing:
    """See heads.Guessing; depth k is the k-th guess after text that the target wrote.

    Args:
        share: of the places of a window that a training step learns from. Those of a whole vocabulary cost most of it.
    """
    fall = tuple(FALL**step if fed_back or not step else 0.0 for step in range(steps))

    def guessed(tokens: Tensor, embedded: Tensor, states: Tensor) -> Guessed:
        rows, n = tokens.shape
        outputs = torch.stack(unrolled(model, embedded, states, steps, fed_back=fed_back)).flatten(1, 2)
        depths = torch.arange(steps, device=tokens.device)
        real = torch.arange(n - 1, device=tokens.device).repeat(rows) >= depths[:, None]
        wanted = states[:, 1:, -1].flatten(0, 1)
        if share < 1 and torch.is_grad_enabled():
            some = torch.randperm(len(wanted))[: int(share * len(wanted))].sort().values.to(tokens.device)
            outputs, wanted, real = outputs[:, some], wanted[some], real[:, some]
        return Guessed(outputs, wanted, real, fall)

    return guessed
