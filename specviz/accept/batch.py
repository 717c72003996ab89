"""Randomness for a batch of independent rounds."""

from copy import copy

import numpy as np

from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.chance import At, falls_below, gumbel_max


class BatchDraws:
    """Fresh, independent numbers for every draw of every round. The draw's name is ignored."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        """See `Draws.flip`."""
        u = self._uniforms(len(weight))
        return falls_below(u, weight, scale), u

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        """See `Draws.pick`. Tokens are drawn by id along the cumulative sum."""
        u = self._uniforms(len(probs))
        return by_id(probs, u), u

    def subset(self, rows: Ids) -> "BatchDraws":
        return self

    def _uniforms(self, count: int) -> Floats:
        return self._generator.random(count)


class BatchNoise:
    """Gumbel noise for a batch of rounds: each round has one vector per position."""

    def __init__(self, generator: np.random.Generator, rounds: int) -> None:
        self._generator = generator
        self._rounds = rounds
        self._noise: dict[int, Floats] = {}
        self._rows: Ids = np.arange(rounds)

    def flip(self, weight: Floats, scale: Floats, at: At) -> tuple[Bools, Floats]:
        raise NotImplementedError("noise picks tokens; it flips no coins")

    def pick(self, probs: Floats, at: At) -> tuple[Ids, Floats]:
        """See `Draws.pick`. argmax(log probs + noise) of each row."""
        if at.position not in self._noise:
            self._noise[at.position] = self._generator.gumbel(size=(self._rounds, probs.shape[-1]))
        return gumbel_max(probs, self._noise[at.position][self._rows]), np.full(len(probs), np.nan)

    def subset(self, rows: Ids) -> "BatchNoise":
        part = copy(self)  # the copy shares the noise
        part._rows = self._rows[rows]
        return part


def by_id(weights: Floats, u: Floats) -> Ids:
    """One token from each row, [B], by the inverse of the cumulative sum in id order.

    Args:
        weights: float64[B, V], not necessarily normalized. A token of weight 0 is never returned. One row expanded to B
            is summed once.
        u: [B], in [0, 1).
    """
    probs = weights if weights.strides[0] else weights[:1]
    sums = probs.cumsum(-1)
    last = probs.shape[-1] - 1 - (probs > 0)[:, ::-1].argmax(-1)
    places = u * sums[:, -1]
    if len(sums) == 1:
        index: Ids = sums[0].searchsorted(places, "right")
    else:
        index = (sums <= places[:, None]).sum(-1)
    np.minimum(index, last, out=index)
    return index
