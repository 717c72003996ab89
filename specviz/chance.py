"""Randomness as two verbs: flip a coin, pick a token. Every number is used once.

A draw is named by where it happens: the position in the text, its purpose, the
stage of a cascade, the sibling in a tree, and the attempt, which counts how
often that name was drawn before in this run. A position that is drafted again
after a rejection therefore gets fresh numbers, so nothing that looks at the
discarded draft can bias the text.
"""

from collections import Counter
from enum import IntEnum
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

HEAD = 12
"""How many of a law's most probable tokens come first on the ruler."""


class Purpose(IntEnum):
    """What a random number is for."""

    DRAFT = 0
    ACCEPT = 1
    RESAMPLE = 2
    BONUS = 3


class At(NamedTuple):
    """The name of a draw: the index in the text of the token it decides, and what for."""

    position: int
    purpose: Purpose
    stage: int = 0
    sibling: int = 0


class Flip(NamedTuple):
    """won: u < probability."""

    won: bool
    u: float


class Pick(NamedTuple):
    """u in [0, 1) points at the token in ruler order (see `ruler_head`)."""

    token: int
    u: float


class Chance(Protocol):
    """Where the engine gets its randomness; tests enumerate every outcome through it."""

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        """True with probability min(1, weight / scale), decided as u * scale < weight."""
        ...

    def pick(self, probs: Tensor, at: At) -> Pick:
        """One token from probs, float64[V], which must sum to 1 up to rounding."""
        ...


class Seeded:
    """Philox4x64 keyed by the seed, with the draw's name as its counter.

    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011); numpy.random.Philox.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._attempts: Counter[At] = Counter()

    def uniform(self, at: At) -> float:
        """The next unused number of that name, in [0, 1)."""
        attempt = self._attempts[at]
        self._attempts[at] += 1
        counter = [attempt, at.sibling, at.purpose << 32 | at.stage, at.position]
        raw = np.random.Philox(key=self._seed, counter=counter).random_raw()
        return float(int(raw) >> 11) * 2.0**-53

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        u = self.uniform(at)
        return Flip(u * scale < weight, u)

    def pick(self, probs: Tensor, at: At) -> Pick:
        u = self.uniform(at)
        return Pick(invert(probs, u), u)


def ruler_head(probs: Tensor) -> Tensor:
    """The ids that come first on the ruler, int64[<= HEAD]: most probable first, ties by id.

    The order of the whole ruler is these, then every other token by id.
    """
    size = min(HEAD, probs.shape[-1])
    smallest = torch.topk(probs, size).values[-1]
    ids = torch.nonzero(probs >= smallest).flatten()
    order = torch.argsort(probs[ids], descending=True, stable=True)
    return ids[order][:size]


def invert(probs: Tensor, u: float) -> int:
    """The token whose segment of the ruler holds u: inverse of the cumulative sum in ruler order.

    Args:
        probs: float64[V], not necessarily normalized; a token of weight 0 is never returned.
        u: in [0, 1).
    """
    head = ruler_head(probs)
    sums = probs[head].cumsum(0)
    place = u * probs.sum()
    if place < sums[-1]:
        return int(head[torch.searchsorted(sums, place, right=True)])
    tail = probs.clone()
    tail[head] = 0
    found = int(torch.searchsorted(tail.cumsum(0), place - sums[-1], right=True))
    if found < len(tail) and tail[found] > 0:
        return found
    # Rounding put u past the last sum: the last token on the ruler that has weight.
    left = torch.nonzero(tail).flatten()
    return int(left[-1]) if len(left) else int(head[torch.nonzero(probs[head]).flatten()[-1]])


def segment(probs: Tensor, token: int) -> tuple[float, float]:
    """Where a token's segment of the ruler starts and ends, as shares of its length."""
    head = ruler_head(probs)
    place = torch.nonzero(head == token).flatten()
    if len(place):
        low = probs[head[: int(place[0])]].sum()
    else:
        tail = probs[:token].clone()
        tail[head[head < token]] = 0
        low = probs[head].sum() + tail.sum()
    total = probs.sum()
    return float(low / total), float((low + probs[token]) / total)
