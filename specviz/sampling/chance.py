"""Randomness as two operations: flip a coin, pick a token. No random number is used twice.

Every draw has a name: the position in the text, the purpose, the stage of a
cascade, the sibling in a tree, and the attempt. The attempt counts how often
the rest of the name was drawn before in this run. A position that is drafted
again after a rejection therefore gets fresh numbers, so whatever looks at the
discarded draft cannot bias the text.
"""

from collections import defaultdict
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, Protocol, overload

import numpy as np

from specviz.sampling.arrays import Bools, Floats, Ids
from specviz.sampling.ruler import invert

BLOCK = 64
"""Positions whose random numbers are generated together."""
ROUND = 24
"""Positions whose noise vectors stay in memory; more than one round has."""


class Purpose(IntEnum):
    """What a random number is for."""

    DRAFT = 0
    ACCEPT = 1
    RESAMPLE = 2
    BONUS = 3
    NOISE = 4
    UNCHECKED = 5

    __hash__ = int.__hash__  # Enum.__hash__ is slow, and every draw hashes its purpose


class At(NamedTuple):
    """The name of a draw: the position of the token it decides, and what the number is for."""

    position: int
    purpose: Purpose
    stage: int = 0
    sibling: int = 0


class Flip(NamedTuple):
    """won is u < probability."""

    won: bool
    u: float


class Pick(NamedTuple):
    """u in [0, 1) fell on the token's segment of the ruler (see ruler.py). None if no single number drew the token."""

    token: int
    u: float | None


class Chance(Protocol):
    """Where the engine gets its randomness. Tests implement it to enumerate every outcome."""

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        """True with probability min(1, weight / scale), decided as u * scale < weight."""
        ...

    def pick(self, probs: Floats, at: At) -> Pick:
        """One token from probs, float64[V], which must sum to 1 up to rounding."""
        ...


class Seeded:
    """Philox4x64. The key is the seed, the counter is the draw's name, and the purpose selects one of the four outputs.

    Numbers of neighbouring positions are generated together.
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
    """Gumbel noise: one vector per text position. It is the same for every purpose and every call.

    Source: the Gumbel-max trick; numbers from Philox as in Seeded.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.vector: Callable[[int, int], Floats] = lru_cache(ROUND)(self._vector)

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        raise NotImplementedError("noise picks tokens; it flips no coins")

    def pick(self, probs: Floats, at: At) -> Pick:
        """argmax(log probs + noise): one token from probs, float64[V]."""
        return Pick(int(gumbel_max(probs, self.vector(at.position, len(probs)))), None)

    def _vector(self, position: int, size: int) -> Floats:
        """A position's noise, float64[size]. Call `vector` instead: it caches, so drafter and target share it."""
        bits = np.random.Philox(key=self._seed, counter=[0, 0, Purpose.NOISE << 32, position])
        return np.random.Generator(bits).gumbel(size=size)


def gumbel_max(probs: Floats, noise: Floats) -> Ids:
    """argmax(log probs + noise), int64[...] from float64[..., V]. Never returns a token of weight 0."""
    with np.errstate(divide="ignore"):
        found: Ids = (np.log(probs) + noise).argmax(-1)
    return found


@overload
def falls_below(u: float, weight: float, scale: float) -> bool: ...
@overload
def falls_below(u: Floats, weight: Floats, scale: Floats) -> Bools: ...
def falls_below(u: float | Floats, weight: float | Floats, scale: float | Floats) -> bool | Bools:
    """True if u < weight / scale, without dividing. Strict, so a weight of 0 never wins."""
    return u * scale < weight
