"""Randomness as two verbs: flip a coin, pick a token. Every number is used once.

A draw is named by where it happens: the position in the text, its purpose, the
stage of a cascade, the sibling in a tree, and the attempt, which counts how
often that name was drawn before in this run. A position that is drafted again
after a rejection therefore gets fresh numbers, so nothing that looks at the
discarded draft can bias the text.
"""

from collections import defaultdict
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
"""Which rounds of a batch something is about, or one token id for each, [k]."""

HEAD = 12
"""How many of a law's most probable tokens come first on the ruler."""
BLOCK = 64
"""Positions whose random numbers are made together."""
STRETCH = 64
"""Weights that are summed at once before single ones are looked at."""
ROUND = 24
"""Positions whose noise is kept, more than a round has."""


class Purpose(IntEnum):
    """What a random number is for."""

    DRAFT = 0
    ACCEPT = 1
    RESAMPLE = 2
    BONUS = 3
    NOISE = 4

    __hash__ = int.__hash__  # an enum's own is not C, and every draw's name is looked up


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
    """u in [0, 1) points at the token in ruler order (see `ruler_head`); None if no one number drew it."""

    token: int
    u: float | None


class Chance(Protocol):
    """Where the engine gets its randomness; tests enumerate every outcome through it."""

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        """True with probability min(1, weight / scale), decided as u * scale < weight."""
        ...

    def pick(self, probs: Floats, at: At) -> Pick:
        """One token from probs, float64[V], which must sum to 1 up to rounding."""
        ...


class Seeded:
    """Philox4x64 keyed by the seed, with the draw's name as its counter; the purpose picks one of its four outputs.

    The numbers of neighbouring positions are made together.
    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011); numpy.random.Philox.
    """

    def __init__(self, seed: int) -> None:
        self._philox = np.random.Philox(key=seed)
        self._state = self._philox.state
        self._attempts: dict[At, int] = defaultdict(int)
        self._blocks: dict[tuple[int, int, int, int], list[float]] = {}

    def uniform(self, at: At) -> float:
        """The next unused number of that name, in [0, 1)."""
        attempt = self._attempts[at]
        self._attempts[at] = attempt + 1
        return self._number(at, attempt)

    def peek(self, at: At) -> float:
        """The same, and it stays unused."""
        return self._number(at, self._attempts[at])

    def _number(self, at: At, attempt: int) -> float:
        start, place = divmod(at.position, BLOCK)
        name = (start, attempt, at.sibling, at.stage << 32 | at.purpose >> 2)
        numbers = self._blocks.get(name)
        if numbers is None:
            numbers = self._blocks[name] = self._block(*name)
        return numbers[4 * place + (at.purpose & 3)]

    def _block(self, start: int, attempt: int, sibling: int, rest: int) -> list[float]:
        """Four numbers for each of BLOCK positions."""
        self._state["state"]["counter"][:] = start * BLOCK, attempt, sibling, rest
        self._philox.state = self._state
        raw = self._philox.random_raw(4 * BLOCK)
        numbers: list[float] = ((raw >> np.uint64(11)) * 2.0**-53).tolist()
        return numbers

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        u = self.uniform(at)
        return Flip(falls_below(u, weight, scale), u)

    def pick(self, probs: Floats, at: At) -> Pick:
        u = self.uniform(at)
        return Pick(invert(probs, u), u)


class Noise:
    """Gumbel noise, one vector for each position of the text, whatever for and however often it is asked.

    Source: the Gumbel-max trick; numbers from Philox as in Seeded.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.vector: Callable[[int, int], Tensor] = lru_cache(ROUND)(self._vector)

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        raise NotImplementedError("noise picks tokens; it flips no coins")

    def pick(self, probs: Floats, at: At) -> Pick:
        """argmax(log probs + noise): one token from probs, float64[V]."""
        return Pick(int(gumbel_max(torch.from_numpy(probs), self.vector(at.position, len(probs)))), None)

    def _vector(self, position: int, size: int) -> Tensor:
        """The noise of a position, float64[size]; `vector` gives it, made once for drafter and target."""
        bits = np.random.Philox(key=self._seed, counter=[0, 0, Purpose.NOISE << 32, position])
        return torch.from_numpy(np.random.Generator(bits).gumbel(size=size))


def gumbel_max(probs: Tensor, noise: Tensor) -> Tensor:
    """argmax(log probs + noise), int64[...] from float64[..., V]; a token of weight 0 is never returned."""
    return (probs.log() + noise).argmax(-1)


@overload
def falls_below(u: float, weight: float, scale: float) -> bool: ...
@overload
def falls_below(u: Floats, weight: Floats, scale: Floats) -> NDArray[np.bool_]: ...
def falls_below(u: float | Floats, weight: float | Floats, scale: float | Floats) -> bool | NDArray[np.bool_]:
    """Whether u falls below weight / scale, without dividing. Strict: what weighs nothing never wins."""
    return u * scale < weight


def ruler_head(probs: Floats) -> tuple[list[int], list[float]]:
    """The ids that come first on the ruler, at most HEAD, and their weights: most probable first, ties by id.

    The order of the whole ruler is these, then every other token by id. Tokens of weight 0 stand anywhere.
    """
    size = min(HEAD, len(probs))
    values, ids = (each.numpy() for each in torch.from_numpy(probs).topk(min(HEAD + 1, len(probs))))
    weights: list[float] = values.tolist()
    if len({*weights}) < len(weights) and _tied(weights):  # topk breaks ties as it likes
        ids = (probs >= weights[size - 1]).nonzero()[0]
        ids = ids[(-probs[ids]).argsort(kind="stable")]
    return ids.tolist()[:size], weights[:size]


def _tied(weights: list[float]) -> bool:
    return any(one == other > 0 for one, other in pairwise(weights))


def invert(probs: Floats, u: float) -> int:
    """The token whose segment of the ruler holds u: inverse of the cumulative sum in ruler order.

    Args:
        probs: float64[V], summing to 1 up to rounding; a token of weight 0 is never returned.
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
        if place < reached:  # half of all numbers at once
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
    # Rounding put u past the last sum: the last token on the ruler so far that has weight.
    left = tail.nonzero()[0]
    return int(left[-1]) if left.size else last


@lru_cache
def _stretches(size: int) -> Ids:
    return np.arange(0, size, STRETCH)


def invert_there(probs: Tensor, u: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """`invert` and `segment` for several laws, without waiting for the device they are on.

    Args:
        probs: float64[k, V]; u: float64[k].

    Returns:
        The tokens, int64[k], and where their segments of the ruler start and end, float64[k] each.
    """
    ids, ruler, sums = _rulers_there(probs)
    whole = sums[:, -1:]
    last = torch.where(ruler > 0, torch.arange(ruler.shape[1], device=probs.device), 0).amax(1, keepdim=True)
    found = torch.searchsorted(sums, u[:, None] * whole, right=True).minimum(last)
    head = ids.shape[1]
    tokens = torch.where(found < head, ids.gather(1, found.clamp(max=head - 1)), found - head)
    ends = sums.gather(1, found)
    return tokens[:, 0], ((ends - ruler.gather(1, found)) / whole)[:, 0], (ends / whole)[:, 0]


def segments_there(probs: Tensor, tokens: Tensor) -> Tensor:
    """`segment` for several laws, without waiting for the device they are on: float64[k, 2] of tokens, int64[k]."""
    ids, ruler, sums = _rulers_there(probs)
    head = ids.shape[1]
    ranks = torch.arange(head, device=probs.device)
    places = torch.where(ids == tokens[:, None], ranks, head).amin(1)
    places = torch.where(places < head, places, head + tokens)[:, None]
    ends = sums.gather(1, places)
    return (torch.cat([ends - ruler.gather(1, places), ends], 1) / sums[:, -1:]).clamp(0, 1)


def _rulers_there(probs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The ids at the head of each ruler; the weights along all of it, where a head's id weighs 0 behind; their sums."""
    ids = probs.argsort(dim=-1, descending=True, stable=True)[:, :HEAD]
    ruler = torch.cat([probs.gather(1, ids), probs.scatter(1, ids, 0.0)], 1)
    return ids, ruler, ruler.cumsum(1)


def segment(probs: Floats, token: int) -> tuple[float, float]:
    """Where a token's segment of the ruler starts and ends, as shares of its length."""
    head, weights = ruler_head(probs)
    if token in head:
        low = sum(weights[: head.index(token)])
    else:
        before = [weight for earlier, weight in zip(head, weights, strict=True) if earlier < token]
        low = float(probs[:token].sum()) - sum(before) + sum(weights)
    total = float(probs.sum())
    high = low + float(probs[token])
    return min(1.0, low / total), min(1.0, high / total)  # as sums in another order differ by rounding
