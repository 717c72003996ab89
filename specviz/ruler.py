"""The ruler of a distribution: its tokens laid end to end on [0, 1), each as wide as its probability.

A number u in [0, 1) draws the token whose segment it falls on. The HEAD most probable tokens come first, ties by id;
then all other tokens by id.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from specviz.arrays import Floats, Ids

HEAD = 12
"""How many of the most probable tokens come first on the ruler."""
STRETCH = 64
"""Weights that are summed together before single ones are looked at."""


def ruler_head(probs: Floats) -> tuple[list[int], list[float]]:
    """The first tokens on the ruler, at most HEAD, and their weights. Most probable first, ties by id.

    All other tokens follow by id. Tokens of weight 0 may stand anywhere.
    """
    size = min(HEAD, len(probs))
    values, ids = (each.numpy() for each in torch.from_numpy(probs).topk(min(HEAD + 1, len(probs))))
    weights: list[float] = values.tolist()
    if len({*weights}) < len(weights) and _tied(weights):  # topk orders ties arbitrarily
        ids = (probs >= weights[size - 1]).nonzero()[0]
        ids = ids[(-probs[ids]).argsort(kind="stable")]
    return ids.tolist()[:size], weights[:size]


def _tied(weights: list[float]) -> bool:
    return any(one == other > 0 for one, other in pairwise(weights))


def invert(probs: Floats, u: float) -> int:
    """The token whose segment of the ruler holds u: the inverse of the cumulative sum in ruler order.

    Args:
        probs: float64[V], summing to 1 up to rounding. A token of weight 0 is never returned.
        u: in [0, 1).
    """
    tail, place = probs, u
    reached, last = 0.0, -1
    for rank in range(HEAD):
        token = int(tail.argmax())
        weight = tail.item(token)
        if not weight:
            return last
        reached += weight
        if place < reached:  # true for about half of all numbers, at rank 0
            return token
        if not rank:
            tail = tail.copy()
        tail[token], last = 0.0, token
    place -= reached
    ends = np.add.reduceat(tail, _stretches(tail.size)).cumsum()
    stretch = int(ends.searchsorted(place, "right"))
    if stretch < ends.size:
        start = stretch * STRETCH
        tail = tail[: start + STRETCH]
        found = start + int(tail[start:].cumsum().searchsorted(place - ends.item(stretch - 1) * (stretch > 0), "right"))
        if found < tail.size:
            return found
    # Rounding put u above the sum of all weights: take the last token that has weight.
    left = tail.nonzero()[0]
    return int(left[-1]) if left.size else last


@lru_cache
def _stretches(size: int) -> Ids:
    return np.arange(0, size, STRETCH)


def invert_on_device(probs: Tensor, u: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """`invert` and `segment` for several distributions, without waiting for their device.

    Args:
        probs: float64[k, V]; u: float64[k].

    Returns:
        The tokens, int64[k], and where their segments of the ruler start and end, float64[k] each.
    """
    ids, ruler, sums = _rulers_on_device(probs)
    whole = sums[:, -1:]
    last = torch.where(ruler > 0, torch.arange(ruler.shape[1], device=probs.device), 0).amax(1, keepdim=True)
    found = torch.searchsorted(sums, u[:, None] * whole, right=True).minimum(last)
    head = ids.shape[1]
    tokens = torch.where(found < head, ids.gather(1, found.clamp(max=head - 1)), found - head)
    ends = sums.gather(1, found)
    return tokens[:, 0], ((ends - ruler.gather(1, found)) / whole)[:, 0], (ends / whole)[:, 0]


def segments_on_device(probs: Tensor, tokens: Tensor) -> Tensor:
    """`segment` for several distributions, without waiting for their device.

    Args:
        probs: float64[k, V]; tokens: int64[k].

    Returns:
        float64[k, 2]: where each token's segment starts and ends.
    """
    ids, ruler, sums = _rulers_on_device(probs)
    head = ids.shape[1]
    ranks = torch.arange(head, device=probs.device)
    places = torch.where(ids == tokens[:, None], ranks, head).amin(1)
    places = torch.where(places < head, places, head + tokens)[:, None]
    ends = sums.gather(1, places)
    return (torch.cat([ends - ruler.gather(1, places), ends], 1) / sums[:, -1:]).clamp(0, 1)


def _rulers_on_device(probs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The ids at the head of each ruler, the weights along the whole ruler, and their cumulative sums.

    Behind the head every token has a place of its own by id; those of the head weigh 0 there.
    """
    ids = probs.argsort(dim=-1, descending=True, stable=True)[:, :HEAD]
    ruler = torch.cat([probs.gather(1, ids), probs.scatter(1, ids, 0.0)], 1)
    return ids, ruler, ruler.cumsum(1)


def segment(probs: Floats, token: int) -> tuple[float, float]:
    """Where a token's segment of the ruler starts and ends, as shares of the ruler's length."""
    head, weights = ruler_head(probs)
    if token in head:
        low = sum(weights[: head.index(token)])
    else:
        before = [weight for earlier, weight in zip(head, weights, strict=True) if earlier < token]
        low = float(probs[:token].sum()) - sum(before) + sum(weights)
    total = float(probs.sum())
    high = low + float(probs[token])
    return min(1.0, low / total), min(1.0, high / total)  # the order of summation changes the rounding
