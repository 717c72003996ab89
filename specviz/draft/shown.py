"""What a trace shows of a drafter's table. Every drafter that keeps one shares this."""

import numpy as np

from specviz.models.counts.table import Ints
from specviz.trace.guess import Follower

MOST = 6
"""Followers of a context that are shown, the guess among them."""


def followers(guess: int, tokens: Ints, seen: Ints, own: Ints | None = None) -> tuple[Follower, ...]:
    """The most frequent of them and the guess; of equally frequent ones, those with the lower ids.

    Args:
        tokens, seen, own: int[n], each token once, and how often it followed in the corpus and in the run's own text.
    """
    mine = np.zeros(len(tokens), np.int64) if own is None else own
    first = np.lexsort((tokens, -(seen.astype(np.int64) + mine)))
    shown = [Follower(int(tokens[at]), "", int(seen[at]), int(mine[at])) for at in first[:MOST]]
    if any(each.token == guess for each in shown):
        return tuple(shown)
    there = (np.flatnonzero(tokens == guess)).tolist()
    times = (int(seen[there[0]]), int(mine[there[0]])) if there else (0, 0)
    return (*shown[: MOST - 1], Follower(guess, "", *times))
