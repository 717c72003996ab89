"""How often the first, the second ... guess of a head is accepted at a place. Trees get their shapes from it."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.train.heads import Text
from specviz.train.heads_loss import Foretelling, Guessed
from specviz.train.pair import TEMPERATURE

RANKS = 8
PLACES = 1024
"""Places of each depth that are looked at."""
ROWS = 8
"""Windows read at once."""


@torch.no_grad()
def rates(
    foretold: Foretelling, head: Tensor, ids: Tensor | None, text: Text, layers: Sequence[int], seed: int
) -> dict[str, list[list[float]]]:
    """By depth: of guesses drawn without replacement at TEMPERATURE, and of the likeliest ones at temperature 0.

    Args:
        head: [V, width] of the target. ids: the tokens that the guesses are taken from; None: all.
    """
    torch.manual_seed(seed)
    parts = []
    for start in range(0, len(text), ROWS):
        given = text.take(range(start, min(len(text), start + ROWS)), layers)
        parts.append(foretold(*(each.to(head.device) for each in given)))
    depths = range(len(parts[0].outputs))
    drawn, top = [], []
    for depth in depths:
        q, p = _rows(parts, depth, head, ids)
        drawn.append(_drawn((p / TEMPERATURE).softmax(-1), (q / TEMPERATURE).softmax(-1)))
        likeliest = q.topk(RANKS).indices == p.argmax(-1, keepdim=True)
        top.append(likeliest.float().mean(0))
    return {
        name: [[round(rate, 4) for rate in each.tolist()] for each in rates_by_depth]
        for name, rates_by_depth in (("drawn", drawn), ("top", top))
    }


def _rows(parts: Sequence[Guessed], depth: int, head: Tensor, ids: Tensor | None) -> tuple[Tensor, Tensor]:
    """logits[n, V] of the guesses of a depth and of the target, at some of the places."""
    real = [part.real[depth] for part in parts]
    found = torch.cat([part.outputs[depth][kept] for part, kept in zip(parts, real, strict=True)])
    wanted = torch.cat(
        [
            (part.wanted if part.wanted.dim() == 2 else part.wanted[depth])[kept]
            for part, kept in zip(parts, real, strict=True)
        ]
    )
    places = torch.randperm(len(found))[:PLACES].to(head.device)
    guessed = found[places].float() @ head.T
    if ids is not None:
        guessed = torch.full_like(guessed, -torch.inf).index_copy_(1, ids, guessed[:, ids])
    return guessed, wanted[places].float() @ head.T


def _drawn(p: Tensor, q: Tensor, ranks: int = RANKS) -> Tensor:
    """[ranks]: the share of places where a guess of each rank is accepted. p and q are [n, V]."""
    order = (q.log() - torch.empty_like(q).exponential_().log()).topk(ranks).indices
    alive, found = p.new_ones(len(p), 1), []
    for token in order.split(1, -1):
        accepted = (p.gather(1, token) / q.gather(1, token)).clamp(max=1).nan_to_num(0.0)
        found.append((alive * accepted).mean())
        alive = alive * (1 - accepted)
        p = (p - q).clamp(min=0)
        p = p / p.sum(-1, keepdim=True).clamp(min=1e-9)
        q = q.scatter(1, token, 0.0)
        q = q / q.sum(-1, keepdim=True).clamp(min=1e-9)
    return torch.stack(found)
