"""Draws the guesses at several nodes of a tree on the GPU, and copies a few numbers for each guess back."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from specviz.chance import At, Purpose, Seeded
from specviz.ruler import invert_on_device
from specviz.sampling import check


class DrawnGuess(NamedTuple):
    """A guess. q: what it was drawn from, float64[V], still on the GPU."""

    token: int
    u: float
    q: Tensor


def draw(q: Tensor, wanted: Sequence[int], position: int, chance: Seeded) -> list[list[DrawnGuess]]:
    """Draws without replacement from each row of float64[n, V]: as many tokens as wanted, or as have a probability."""
    first, support = torch.stack([q[:, 0], (q > 0).sum(1)]).cpu().tolist()
    check(first)
    counts = [min(most, int(count)) for most, count in zip(wanted, support, strict=True)]
    weights, us, rows, tokens = q.clone(), [], [], []
    for rank in range(max(counts)):
        at = At(position, Purpose.DRAFT, sibling=rank)
        us.append([chance.uniform(at) for count in counts if count > rank])
        places = torch.tensor([place for place, count in enumerate(counts) if count > rank]).to(q.device)
        left = weights[places]
        rows.append(left / left.sum(1, keepdim=True) if rank else left)
        tokens.append(invert_on_device(rows[-1], torch.tensor(us[-1], dtype=torch.float64).to(q.device))[0])
        weights[places, tokens[-1]] = 0.0
    copied = torch.cat(tokens).cpu().split([len(each) for each in tokens])
    by_rank = [zip(ids.tolist(), u, q_rows, strict=True) for ids, u, q_rows in zip(copied, us, rows, strict=True)]
    return [[DrawnGuess(*next(by_rank[rank])) for rank in range(count)] for count in counts]


def likeliest(q: Tensor, count: int) -> list[list[tuple[int, float]]]:
    """The most probable tokens of each row of float64[n, V], with their probabilities; none of probability 0."""
    ids = q.argsort(dim=-1, descending=True, stable=True)[:, :count]
    first, *table = torch.cat([q[:, :1], ids, q.gather(1, ids)], 1).T.cpu().tolist()
    check(first)
    places = zip(*table, strict=True)
    width = ids.shape[1]
    return [[(int(token), p) for token, p in zip(row[:width], row[width:], strict=True) if p] for row in places]
