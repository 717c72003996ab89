"""The ruler of a distribution: its tokens laid end to end on [0, 1), each as wide as its probability.

A number u in [0, 1) draws the token whose segment it falls on. The HEAD most probable tokens come first, ties by id;
then all other tokens by id.
"""

from functools import lru_cache

import numpy as np

from specviz.sampling.arrays import Floats, Ids, Reals

HEAD = 12
"""How many of the most probable tokens come first on the ruler."""
STRETCH = 64
"""Weights that are summed together before single ones are looked at."""


def largest(weights: Reals, count: int) -> Ids:
    """Where the `count` largest of each row of weights[n, V] are, int64[n, count]: largest first, ties by id."""
    left, every = weights.copy(), np.arange(len(weights))
    found = np.empty((len(weights), min(count, weights.shape[1])), dtype=np.int64)
    for rank in range(found.shape[1]):
        found[:, rank] = best = left.argmax(-1)
        left[every, best] = -np.inf
    return found


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


def segment(probs: Floats, token: int) -> tuple[float, float]:
    """Where a token's segment of the ruler starts and ends. probs: see `invert`."""
    weight = probs.item(token)
    ahead = (probs >= weight).nonzero()[0]
    if len(ahead) == 1:  # the most probable token
        return 0.0, min(1.0, weight)
    first = ahead[(-probs[ahead]).argsort(kind="stable")[:HEAD]]
    head, weights = first.tolist(), probs[first].tolist()
    if token in head:
        low = sum(weights[: head.index(token)])
    else:
        before = [each for earlier, each in zip(head, weights, strict=True) if earlier < token]
        low = float(probs[:token].sum()) - sum(before) + sum(weights)
    return min(1.0, low), min(1.0, low + weight)  # the order of summation changes the rounding
